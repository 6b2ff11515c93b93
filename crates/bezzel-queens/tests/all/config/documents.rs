//! The documents of keys, and the committed evidence as it is read.

use std::io::BufRead;

use super::*;
use bezzel_experiment::config::{keys_at_the_top, tables_of_keys};
use bezzel_experiment::store::{SessionFile, is_experiment, session_files};
use bezzel_experiment::{Termination, packing};

#[test]
fn every_key_is_shown_with_a_comment() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let shown = std::fs::read_to_string(root.join("configs/every-key.yaml")).unwrap();
    for key in keys_at_the_top() {
        let begins = |line: &str| line.starts_with(&format!("{key}:"));
        assert!(shown.lines().any(begins), "{key}");
    }
}

#[test]
fn the_documentation_has_the_tables_of_keys() {
    // The kinds with those of boards.
    let _ = bezzel_queens::experiment::catalog();
    let files = [("configs.md", "| key |"), ("problems.md", "| kind | key |")];
    for ((file, head), table) in files.into_iter().zip(tables_of_keys()) {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs")).join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        let (before, rest) = text.split_once(head).unwrap();
        let (_, after) = rest.split_once("\n\n").unwrap();
        let fresh = format!("{before}{table}\n{after}");
        if std::env::var_os("BEZZEL_BLESS").is_some() {
            std::fs::write(path, &fresh).unwrap();
        }
        assert!(text == fresh, "BEZZEL_BLESS=1 writes the table of keys in docs/{file} anew");
    }
}

/// The lines of all committed sessions that are rows, each with its place.
fn rows(folder: &Path) -> impl Iterator<Item = (String, String)> {
    session_files(folder).unwrap().into_iter().flat_map(|SessionFile { name, path }| {
        let lines = packing::read(&path).unwrap().lines().map(Result::unwrap).enumerate();
        let rows = lines.filter(|(_, line)| line.starts_with("{\"row\":"));
        rows.map(move |(number, line)| (format!("line {} of {name}", number + 1), line))
    })
}

fn folders() -> Vec<PathBuf> {
    let experiments = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments"));
    let folders = committed("experiments").into_iter().map(|name| experiments.join(name));
    let folders: Vec<_> = folders.filter(|path| is_experiment(path)).collect();
    assert!(folders.len() > 20, "{folders:?}");
    folders
}

#[test]
#[ignore = "second tier: all evidence"]
fn committed_evidence_is_read_whole() {
    let _ = bezzel_queens::experiment::catalog();
    for folder in folders() {
        let stored = bezzel_experiment::StoredResults::open(&folder).unwrap();
        assert_eq!(stored.sessions.warnings(), [""; 0], "{folder:?}");
        // A job that was skipped, since its program was missing, is asked again.
        let ran = rows(&folder).filter(|(_, line)| !line.contains(r#""termination":"skipped""#));
        let settled = stored.rows.iter().filter(|row| row.termination != Termination::Skipped);
        assert_eq!(settled.count(), ran.count(), "{folder:?}");
    }
}
