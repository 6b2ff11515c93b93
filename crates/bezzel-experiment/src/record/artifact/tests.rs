use std::collections::BTreeMap;
use std::io::Read;

use sha2::{Digest, Sha256};

use super::*;
use crate::model::environment::Environment;

/// Returns a folder with evidence, a report and sources, outside any repository.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("evidence/config.yaml", "name: tiny\n"),
        ("evidence/rows.jsonl", "{}\n"),
        ("evidence/boards/hard.txt", "..\n..\n"),
        ("evidence/rows.torn", "left behind"),
        ("evidence/runner.json", "left behind"),
        ("evidence/scratch/0/proof", "left behind"),
        ("report/index.html", "<p>"),
        ("sources/LICENSE-MIT", "MIT"),
        ("sources/crates/bezzel/Cargo.toml", "[package]\n"),
        ("sources/target/debug/bezzel", "built"),
        ("sources/experiments/other/rows.jsonl", "of another question"),
    ] {
        let path = place.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    place
}

fn archive(place: &Path, started_unix_s: u64) -> Vec<u8> {
    let session = Environment { started_unix_s, ..Environment::default() };
    let record = ExperimentRecord {
        name: "tiny".into(),
        environments: vec![session],
        ..ExperimentRecord::default()
    };
    let sources = find_sources(&place.join("sources/crates"), &record.environments).unwrap();
    let (evidence, report) = (place.join("evidence"), place.join("report"));
    let artifact =
        Artifact::gather(&record, &evidence, &report, &sources, &ArtifactPrograms::default(), None)
            .unwrap();
    let mut bytes = Vec::new();
    artifact.write(&mut bytes).unwrap();
    bytes
}

/// Returns the files of an archive: their modes and contents.
fn files(bytes: &[u8]) -> BTreeMap<String, (u32, Vec<u8>)> {
    let mut archive = tar::Archive::new(bytes);
    let entries = archive.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        let path = entry.path().unwrap().to_str().unwrap().to_owned();
        let header = entry.header().clone();
        assert_eq!((header.uid().unwrap(), header.gid().unwrap()), (0, 0), "{path}");
        assert_eq!(header.mtime().unwrap(), 1_700_000_000, "{path}");
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        (path, (header.mode().unwrap(), bytes))
    });
    entries.collect()
}

#[test]
fn an_archive_has_what_it_needs_and_a_digest_of_each_file() {
    let place = place();
    let files = files(&archive(place.path(), 1_700_000_000));
    let names: Vec<&str> =
        files.keys().map(|path| path.strip_prefix("tiny-artifact/").unwrap()).collect();
    assert_eq!(
        names,
        [
            "LICENSE-MIT",
            "MANIFEST",
            "README.md",
            "experiments/tiny/boards/hard.txt",
            "experiments/tiny/config.yaml",
            "experiments/tiny/rows.jsonl",
            "reports/tiny/index.html",
            "reproduce",
            "sources/LICENSE-MIT",
            "sources/crates/bezzel/Cargo.toml",
        ]
    );
    let manifest = String::from_utf8(files["tiny-artifact/MANIFEST"].1.clone()).unwrap();
    assert_eq!(manifest.lines().count(), names.len() - 1);
    for line in manifest.lines() {
        let (digest, path) = line.split_once("  ").unwrap();
        let of_file = Sha256::digest(&files[&format!("tiny-artifact/{path}")].1);
        let of_file: Vec<String> = of_file.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, of_file.concat(), "{path}");
    }
    // The output of `printf MIT | sha256sum`.
    let known = "e5dcffe836b6ec8a58e492419b550e65fb8cbdc308503979e5dacb33ac7ea3b7";
    assert!(manifest.starts_with(&format!("{known}  LICENSE-MIT\n")), "{manifest}");
    assert_eq!(files["tiny-artifact/reproduce"].0, 0o755);
    assert_eq!(files["tiny-artifact/README.md"].0, 0o644);
}

#[test]
fn the_same_inputs_give_the_same_bytes_whenever_their_files_were_written() {
    let (one, other) = (place(), place());
    let [one, other] = [one, other].map(|place| archive(place.path(), 1_700_000_000));
    assert_eq!(one, other);
}

#[test]
fn of_two_configs_of_cargo_the_vendored_one_is_packed() {
    let place = place();
    let mut sources = find_sources(&place.path().join("sources"), &[]).unwrap();
    sources.files.push(ArchiveEntry::text(".cargo/config.toml", "[net]".into()));
    let path = "sources/.cargo/config.toml";
    let vendored = vec![ArchiveEntry::text(path, "[net]\n[source.crates-io]".into())];
    let record = ExperimentRecord { name: "tiny".into(), ..ExperimentRecord::default() };
    let (evidence, report) = (place.path().join("evidence"), place.path().join("report"));
    let programs = ArtifactPrograms::default();
    let packed =
        Artifact::gather(&record, &evidence, &report, &sources, &programs, Some(vendored)).unwrap();
    let configs = packed.entries().iter().filter(|entry| entry.path == path);
    let configs: Vec<_> = configs.map(|entry| entry.bytes().unwrap().into_owned()).collect();
    assert_eq!(configs, [b"[net]\n[source.crates-io]"]);
}

#[test]
fn sources_without_dependencies_have_nothing_to_vendor() {
    let place = place();
    let mut sources = find_sources(&place.path().join("sources"), &[]).unwrap();
    for (path, text) in [
        ("Cargo.toml", "[package]\nname = \"alone\"\nversion = \"0.1.0\"\n"),
        ("Cargo.lock", "version = 4\n\n[[package]]\nname = \"alone\"\nversion = \"0.1.0\"\n"),
        ("src/lib.rs", ""),
    ] {
        sources.files.push(ArchiveEntry::text(path, text.into()));
    }
    let scratch = place.path().join("scratch");
    assert!(vendor(&sources, &scratch).unwrap().is_empty());
}

#[test]
fn without_sources_there_is_no_archive() {
    let empty = tempfile::tempdir().unwrap();
    let error = find_sources(empty.path(), &[]).unwrap_err().to_string();
    assert!(error.contains("--sources names their folder"), "{error}");
}

#[test]
fn a_name_that_a_list_of_digests_cannot_hold_is_refused() {
    let place = place();
    fs::write(place.path().join("report/a\\b.html"), "").unwrap();
    let sources = find_sources(&place.path().join("sources"), &[]).unwrap();
    let record = ExperimentRecord { name: "tiny".into(), ..ExperimentRecord::default() };
    let (evidence, report) = (place.path().join("evidence"), place.path().join("report"));
    let refused =
        Artifact::gather(&record, &evidence, &report, &sources, &ArtifactPrograms::default(), None)
            .unwrap_err();
    assert!(refused.to_string().contains("a\\b.html"), "{refused}");
}

#[test]
fn these_sources_can_run_the_script_of_an_archive() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    assert!(top.join(sources::NEEDED).is_file());
}
