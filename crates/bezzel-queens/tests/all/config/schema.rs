//! The schema agrees with the reader, as far as a schema can.

use std::fs;
use std::sync::OnceLock;

use serde_json::Value;

use super::fits::fits;
use super::*;
use bezzel_experiment::config::{keys_at_the_top, tables_of_keys};

pub(super) fn fits_schema(text: &str) -> bool {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    let schema = SCHEMA.get_or_init(|| schema(&bezzel_queens::experiment::catalog()));
    fits(&serde_yaml::from_str(text).unwrap(), schema, schema)
}

#[test]
fn the_configs_that_come_along_fit_the_schema() {
    for path in super::configs() {
        let text = std::fs::read_to_string(path).unwrap();
        assert!(fits_schema(&text), "{text}");
    }
}

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
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configs.md"));
    let text = std::fs::read_to_string(path).unwrap();
    let (before, rest) = text.split_once("| key |").unwrap();
    let (_, after) = rest.split_once("\n\n").unwrap();
    let fresh = format!("{before}{}\n{after}", tables_of_keys()[0]);
    let (before, rest) = fresh.split_once("| kind | key |").unwrap();
    let (_, after) = rest.split_once("\n\n").unwrap();
    let fresh = format!("{before}{}\n{after}", tables_of_keys()[1]);
    if std::env::var_os("BEZZEL_BLESS").is_some() {
        std::fs::write(path, &fresh).unwrap();
    }
    assert!(text == fresh, "BEZZEL_BLESS=1 writes the tables of keys in docs/configs.md anew");
}

fn check_rows(step: usize) {
    let experiments = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments"));
    let _ = bezzel_queens::experiment::catalog();
    let schema = bezzel_experiment::row_schema();
    let mut rows = 0;
    let entries = fs::read_dir(experiments).unwrap().map(|entry| entry.unwrap().path());
    for folder in entries.filter(|path| path.is_dir()) {
        let path = folder.join(bezzel_experiment::store::ROWS);
        for (number, line) in fs::read_to_string(&path).unwrap().lines().enumerate().step_by(step) {
            let row: Value = serde_json::from_str(line).unwrap();
            assert!(fits(&row, &schema, &schema), "{}:{}: {line}", path.display(), number + 1);
            rows += 1;
        }
    }
    assert!(rows * step > 1_000, "{rows}");
}

#[test]
fn every_row_that_comes_along_fits() {
    check_rows(97);
}

#[test]
#[ignore = "second tier: all rows"]
fn all_rows_that_come_along_fit() {
    check_rows(1);
}

#[test]
#[ignore = "second tier: all evidence"]
fn committed_evidence_is_read_whole() {
    let _ = bezzel_queens::experiment::catalog();
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments"));
    let folders = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let folders: Vec<_> = folders.filter(|path| path.is_dir()).collect();
    assert!(!folders.is_empty());
    for folder in folders {
        let stored = bezzel_experiment::StoredResults::open(&folder).unwrap();
        let lines = fs::read_to_string(folder.join(bezzel_experiment::store::ROWS)).unwrap();
        assert_eq!((stored.rows.len(), stored.damaged), (lines.lines().count(), 0), "{folder:?}");
    }
}
