//! Turns records of format 3 and older into files of sessions: `migrate OLD NEW COMMIT`, where OLD is a folder
//! `experiments` of that commit and NEW is a folder that is made. It is kept in the history of the repository only.
//!
//! `cargo run -p bezzel --example migrate --features serde_json/float_roundtrip -- OLD NEW COMMIT`: the feature makes all
//! digits of numbers equal. `migrated.py OLD NEW`, beside it, compares the rows.

#![allow(
    clippy::maybe_infinite_iter,
    clippy::format_collect,
    clippy::print_stdout,
    clippy::case_sensitive_file_extension_comparisons,
    missing_docs,
    reason = "it runs once"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use bezzel::Workbench;
use bezzel_experiment::store::{
    FORMAT, Migration, NewEntry, RecordedConfig, Session, SessionName, SessionStart, line_of,
};
use bezzel_experiment::{Config, Environment, Row};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let [_, old, new, commit] = &arguments[..] else { panic!("migrate OLD NEW COMMIT") };
    let workbench = Workbench::standard();
    let mut folders: Vec<PathBuf> = fs::read_dir(old)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    for folder in folders {
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        migrate(&folder, &Path::new(new).join(&name), &name, commit, &workbench);
    }
}

fn migrate(old: &Path, new: &Path, name: &str, commit: &str, workbench: &Workbench) {
    let read = |file: &str| fs::read_to_string(old.join(file)).unwrap_or_default();
    let sessions: Vec<Environment> = serde_json::from_str(&read("environment.json")).unwrap();
    // The earlier configs, then the current one, which is that of the last session.
    let mut configs: Vec<PathBuf> = (1..)
        .map(|number: u32| old.join(format!("configs/{number}/config.yaml")))
        .take_while(|path| path.is_file())
        .collect();
    configs.push(old.join("config.yaml"));
    let lines = |file: &str| -> Vec<Value> {
        read(file).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let (rows, readings) = (lines("rows.jsonl"), lines("calibration.jsonl"));
    let is_first_format = rows.iter().all(|row| row.get("format").is_none());
    let mut files = BTreeMap::new();
    for file in all_files(old) {
        let below = file.strip_prefix(old).unwrap().to_str().unwrap();
        let digest = Sha256::digest(fs::read(&file).unwrap());
        let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        files.insert(format!("experiments/{name}/{below}"), digest);
    }
    fs::create_dir_all(new).unwrap();
    let count = sessions.len();
    // A config that was changed after the last row was measured is that of a session without rows.
    for number in 0..count.max(configs.len()) {
        let mut environment = sessions[number.min(count - 1)].clone();
        environment.started_unix_s += number.saturating_sub(count - 1) as u64;
        let path = &configs[number.min(configs.len() - 1)];
        let (config, report) = config_of(path, new, workbench);
        let mut recorded = RecordedConfig { report, ..config.recorded() };
        if is_first_format {
            // Before proofs were recorded, no job had one, and no config had the key.
            assert!(!recorded.config.contains_key("proofs"));
            recorded.config.insert("proofs".into(), "off".into());
        }
        let second = environment.started_unix_s;
        let [year, month, day, hour, minute, second] =
            bezzel_experiment::quantity::utc(second).unwrap();
        let session = format!(
            "{year:04}-{month:02}-{day:02}T{hour:02}.{minute:02}.{second:02}Z-migrated-{number}"
        );
        let start = SessionStart {
            format: FORMAT,
            name: SessionName::of_file(&session),
            command: "not recorded".to_owned(),
            shard: None,
            environment,
            config: recorded,
            migrated: Some(Migration { commit: commit.to_owned(), files: files.clone() }),
        };
        let mut text = line_of(NewEntry::Session(&start));
        let own = |row: &&Value| row["session"] == json!(number);
        // Rows and readings keep their orders; a reading stands before the first row that ended after it.
        let end = |row: &Row| row.started_unix_s + row.wall_s;
        let own_readings = readings.iter().filter(own).map(|row| new_row(row.clone()));
        let mut own_readings = own_readings.peekable();
        for row in rows.iter().filter(own).map(|row| new_row(row.clone())) {
            while let Some(reading) = own_readings.next_if(|reading| end(reading) <= end(&row)) {
                text.extend(line_of(NewEntry::Reading(&reading)));
            }
            text.extend(line_of(NewEntry::Row(&row)));
        }
        own_readings.for_each(|reading| text.extend(line_of(NewEntry::Reading(&reading))));
        fs::write(new.join(format!("{session}.jsonl")), text).unwrap();
    }
    println!("{name}: {count} sessions, {} rows, {} readings", rows.len(), readings.len());
}

/// Reads a frozen config in today's words. The files that it names are copied into `files` of the new folder.
fn config_of(path: &Path, new: &Path, workbench: &Workbench) -> (Config, Map<String, Value>) {
    let folder = path.parent().unwrap();
    let mut keys = yaml(path);
    let mut extended = keys.remove("extends");
    while let Some(name) = extended {
        let mut other = yaml(&folder.join(name.as_str().unwrap()));
        extended = other.remove("extends");
        for (key, value) in other {
            let is_own = key == "name" || REPORT.contains(&key.as_str());
            if !is_own && !keys.contains_key(&key) {
                keys.insert(key, value);
            }
        }
    }
    let mut recorded = RecordedConfig::default();
    for (key, value) in in_todays_words(keys) {
        let is_of_report = REPORT.contains(&key.as_str());
        let part = if is_of_report { &mut recorded.report } else { &mut recorded.config };
        part.insert(key, value);
    }
    // The default of the limit of wall time was three times the CPU time.
    let limits = recorded.config.entry("limits").or_insert_with(|| json!({"cpu": "60 s"}));
    if limits.get("wall").is_none() {
        let cpu = limits["cpu"].as_str().unwrap().strip_suffix(" s").unwrap();
        limits["wall"] = format!("{} s", 3.0 * cpu.parse::<f64>().unwrap()).into();
    }
    let own = ["rows.jsonl", "calibration.jsonl", "environment.json", "replaced-by"];
    for file in all_files(folder) {
        let below = file.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
        if below.starts_with("configs/")
            || below.ends_with(".yaml")
            || own.contains(&below.as_str())
        {
            continue;
        }
        let bytes = fs::read(&file).unwrap();
        let digest = blake3::hash(&bytes).to_hex()[..32].to_owned();
        fs::create_dir_all(new.join("files")).unwrap();
        fs::write(new.join("files").join(&digest), bytes).unwrap();
        recorded.files.insert(below, digest);
    }
    let report = std::mem::take(&mut recorded.report);
    let start = SessionStart { config: recorded, ..SessionStart::default() };
    let session = Session { start, is_running: false };
    let config = Config::of_session(&session, new, &workbench.catalog);
    (config.unwrap_or_else(|error| panic!("{}: {error}", path.display())), report)
}

/// The keys that only reports use.
const REPORT: [&str; 5] = ["hypothesis", "answer", "lead_figure", "figures", "tables"];

fn yaml(path: &Path) -> Map<String, Value> {
    let options = serde_yaml::options! { strict_booleans: true };
    serde_yaml::from_str_with_options(&fs::read_to_string(path).unwrap(), options).unwrap()
}

/// The keys of a config, or of an entry of `include`, in today's words.
fn in_todays_words(keys: Map<String, Value>) -> Map<String, Value> {
    let renamed = |(key, value): (String, Value)| match key.as_str() {
        "most" => ("max_solutions".to_owned(), value),
        "reencode" => ("bva".to_owned(), value),
        "eliminate" => ("bve".to_owned(), value),
        "task" => (key, each(value, &|task| if task == "first" { "solve".into() } else { task })),
        "boards" => ("problems".to_owned(), each(value, &of_kind)),
        "include" | "solvers" => (
            key,
            each(value, &|entry| match entry {
                Value::Object(keys) => in_todays_words(keys).into(),
                other => other,
            }),
        ),
        _ => (key, value),
    };
    keys.into_iter().map(renamed).collect()
}

/// An entry of `problems` from one of `boards`.
fn of_kind(board: Value) -> Value {
    let Value::Object(mut board) = board else { return json!({ "queens": board }) };
    let beside = ["shuffles", "family"].map(|key| Some((key, board.shift_remove(key)?)));
    let mut entry = Map::from_iter([("queens".to_owned(), board.into())]);
    entry.extend(beside.into_iter().flatten().map(|(key, value)| (key.to_owned(), value)));
    entry.into()
}

/// Applies a function to each value of a list, or to the value itself.
fn each(value: Value, apply: &dyn Fn(Value) -> Value) -> Value {
    match value {
        Value::Array(values) => values.into_iter().map(apply).collect(),
        value => apply(value),
    }
}

fn all_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(all_files(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

fn new_row(row: Value) -> Row {
    let Value::Object(mut row) = row else { panic!("a row is a map") };
    for key in ["format", "session", "checksum", "seal"] {
        row.remove(key);
    }
    for (old, new) in [
        ("answer", "status"),
        ("evidence", "checked_by"),
        ("stop", "termination"),
        ("effort", "solver_stats"),
        ("queens", "places"),
    ] {
        if let Some(value) = row.remove(old) {
            assert!(row.insert(new.into(), value).is_none());
        }
    }
    let Some(Value::Object(job)) = row.remove("job") else { panic!("a row has a job") };
    row.insert("job".into(), Value::Object(new_job(job)));
    let mut row: Row = serde_json::from_value(Value::Object(row)).unwrap();
    row.key = row.job.key(row.encoding_revision, &row.solver_version);
    row
}

fn new_job(mut job: Map<String, Value>) -> Map<String, Value> {
    let kinds = bezzel_problem::kinds();
    let is_kind = |key: &&String| kinds.find(key).is_some() || *key == "board";
    let key = job.keys().find(is_kind).expect("a job has an instance").clone();
    let instance = job.remove(&key).unwrap();
    let kind = if key == "board" { "queens".to_owned() } else { key };
    job.insert("problem".into(), json!({ kind: instance }));
    if let Some(max) = job.remove("most") {
        job.insert("max_solutions".into(), max);
    }
    if job["task"] == "first" {
        job["task"] = "solve".into();
    }
    job
}
