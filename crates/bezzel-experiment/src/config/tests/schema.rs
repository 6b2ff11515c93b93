//! The schema agrees with the reader, as far as a schema can.

use std::sync::OnceLock;

use serde_json::Value;

use super::*;
use crate::config::{keys, problems};
use crate::model::json_schema::tests::fits::fits;

pub(super) fn fits_schema(text: &str) -> bool {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    let schema = SCHEMA.get_or_init(|| schema(&Catalog::of_tests()));
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
    for key in keys::all().iter().map(|field| field.name) {
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
    let fresh = format!("{before}{}\n{after}", keys::markdown());
    let (before, rest) = fresh.split_once("| kind | key |").unwrap();
    let (_, after) = rest.split_once("\n\n").unwrap();
    let fresh = format!("{before}{}\n{after}", problems::markdown());
    if std::env::var_os("BEZZEL_BLESS").is_some() {
        std::fs::write(path, &fresh).unwrap();
    }
    assert!(text == fresh, "BEZZEL_BLESS=1 writes the tables of keys in docs/configs.md anew");
}
