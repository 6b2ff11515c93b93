//! The config in the first line of a session.

use std::fs;
use std::path::Path;

use super::*;
use bezzel_experiment::store::{
    Attached, FILES, FORMAT, RecordedConfig, Rows, Session, SessionStart, SessionWriter,
};
use bezzel_experiment::{ReportFile, ReportSpec, Source};
use serde_json::{Map, Value};

fn session(config: &Config, folder: &Path) -> Session {
    session_of(config.recorded(), &config.files, folder)
}

/// Writes a session of this config and these files in a folder, and reads it.
pub(crate) fn session_of(config: RecordedConfig, files: &[Attached], folder: &Path) -> Session {
    let start = SessionStart { format: FORMAT, config, ..SessionStart::default() };
    SessionWriter::create(folder, &start, files).unwrap();
    let (sessions, _) = Rows::read(folder).unwrap();
    sessions.last(folder).unwrap().clone()
}

/// Checks that the config of a session states all limits, plans the same jobs, and is otherwise the same.
pub(super) fn check(config: &Config) {
    let folder = tempfile::tempdir().unwrap();
    let session = session(config, folder.path());
    let limits = &session.start.config.config["limits"];
    assert!(["cpu", "wall", "memory"].iter().all(|key| limits[key].is_string()), "{limits}");
    let catalog = table::catalog();
    let read = Config::of_session(&session, folder.path(), &catalog);
    let read = read.unwrap_or_else(|error| panic!("{}: {error}", config.name));
    let plans = [&read, config].map(|config| table::without_programs(config, &catalog).unwrap());
    assert_eq!(plans[0].keys(), plans[1].keys(), "{}", config.name);
    let lines = [&read, config].map(|config| {
        let mut lines = table::run_lines(config);
        lines.retain(|line| !line.starts_with("note "));
        lines
    });
    assert_eq!(lines[0], lines[1]);
    assert_eq!(read.recorded().config, session.start.config.config, "{}", config.name);
    assert_eq!(stated(&session.start.config.report), (without_source(&config.report), None));
}

/// The author's part that these keys of a session state, and the sentence on what is left out.
fn stated(keys: &Map<String, Value>) -> (ReportSpec, Option<String>) {
    let (ReportFile { spec, .. }, line) = ReportFile::of_session("t", "S", keys);
    (without_source(&spec), line)
}

fn without_source(spec: &ReportSpec) -> ReportSpec {
    ReportSpec { source: Source::default(), ..spec.clone() }
}

#[test]
fn a_copy_of_a_file_that_is_missing_or_changed_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.yaml");
    let own = SMALLEST.replace("size: 8", "file: drawn.txt");
    for (path, text) in [(&path, &*own), (&folder.path().join("drawn.txt"), "Q..\n...\n...\n")] {
        fs::write(path, text).unwrap();
    }
    let config = Config::read(&path, &table::catalog()).unwrap();
    let record = folder.path().join("record");
    let session = session(&config, &record);
    let copy = record.join(FILES).join(&session.start.config.files["drawn.txt"]);
    let expected = format!(
        "{}/{}: its file `drawn.txt` is missing or was changed in `{}`\n = bring the file back from a copy",
        record.display(),
        session.start.name,
        copy.display()
    );
    let read = || Config::of_session(&session, &record, &table::catalog());
    assert_eq!(read().unwrap().files, config.files);
    fs::write(&copy, ".Q.\n...\n...\n").unwrap();
    assert_eq!(read().unwrap_err().to_string(), expected);
    fs::remove_file(&copy).unwrap();
    assert_eq!(read().unwrap_err().to_string(), expected);
}

#[test]
fn keys_for_reports_that_are_unknown_are_left_out_with_a_line() {
    let config = with("answer: It is.\nfigures: cactus\n");
    let read = |changes: &[(&str, &str)]| {
        let mut keys = config.recorded().report;
        keys.extend(changes.iter().map(|&(key, value)| (key.into(), value.into())));
        stated(&keys)
    };
    let line =
        |keys: &str| Some(format!("the report leaves out what session S states for it: {keys}"));
    let whole = without_source(&config.report);
    assert_eq!(read(&[("colours", "red"), ("size", "x")]), (whole, line("`colours`, `size`")));
    // A known key in another form than here is left out alone.
    let long = "word ".repeat(100);
    let rest = ReportSpec { answer: None, ..without_source(&config.report) };
    assert_eq!(read(&[("answer", &long)]), (rest, line("`answer`")));
}

#[test]
fn the_config_of_a_session_reads_no_file_outside_its_copies() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("secret.txt"), "Q..\n...\n...\n").unwrap();
    fs::write(folder.path().join("secret.yaml"), "parallel: 2\n").unwrap();
    let refused = |key: &str, value: Value| {
        let mut recorded = with("").recorded();
        recorded.config.insert(key.to_owned(), value);
        let session = session_of(recorded, &[], folder.path());
        Config::of_session(&session, folder.path(), &table::catalog()).unwrap_err().message
    };
    let file = serde_json::json!({"queens": {"file": "secret.txt"}});
    let expected = "the session has no copy of the file `secret.txt`";
    assert_eq!(&*refused("problems", file), expected);
    let expected = "the config of a session extends no other one";
    assert_eq!(&*refused("extends", "secret.yaml".into()), expected);
    let long = vec![Value::from(0); 1_000_000];
    assert!(refused("numberings", long.into()).starts_with("the file is too large"));
}

#[test]
fn the_names_of_files_are_those_of_the_config_that_extends() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("sub")).unwrap();
    fs::write(at("sub/one.opb"), "+1 x1 +1 x2 >= 1;\n").unwrap();
    fs::write(at("sub/two.opb"), "+1 x1 +1 x2 +1 x3 >= 1;\n").unwrap();
    fs::write(at("sub/base.yaml"), "problems: [{file: \"*.opb\"}]\nsolvers: [cadical]\n").unwrap();
    let own = "name: t\nextends: sub/base.yaml\nencodings: [pairwise, product]\n\
               exclude: [{instance: \"sub/one*\", encoding: product}]\n";
    fs::write(at("t.yaml"), own).unwrap();
    let config = Config::read(&at("t.yaml"), &table::catalog()).unwrap();
    assert_eq!(table::without_programs(&config, &table::catalog()).unwrap().jobs.len(), 3);
    check(&config);
}
