//! The schema agrees with the reader, as far as a schema can.

use serde_json::Value;

use super::*;
use crate::config::{keys, problems};
use crate::model::json_schema::tests::fits::fits;

pub(super) fn fits_schema(text: &str) -> bool {
    let value: Value = serde_yaml::from_str(text).unwrap();
    let schema = schema(&Catalog::standard());
    fits(&value, &schema, &schema)
}

#[test]
fn whatever_is_read_fits_the_schema() {
    for text in [SMALLEST, ALL_AXES, ONE_EACH] {
        parse(text).unwrap();
        assert!(fits_schema(text), "{text}");
    }
    for path in super::configs() {
        let text = std::fs::read_to_string(path).unwrap();
        assert!(fits_schema(&text), "{text}");
    }
}

#[test]
fn faults_of_shape_do_not_fit_the_schema() {
    for lines in [
        "colour: red\n",
        "repeats: 0\n",
        "repeats: twice\n",
        "constraints: []\n",
        "constraints: no-column\n",
        "input_order: [[1, 2]]\n",
        "input_order: random\n",
        "input_order: []\n",
        "numberings: [random: {seeds: 3}]\n",
        "numberings: [random: {polarity: 1}]\n",
        "numberings: [{squares: spirals}]\n",
        "numberings: [{auxiliaries: before, random: }]\n",
        "numberings: [{squares: spiral, variables: true}]\n",
        "numberings: [{squares: spiral, shuffles: 0}]\n",
        "limits: {cpu: 0}\n",
        "limits: {memory: 2000000000}\n",
    ] {
        let text = format!("{SMALLEST}{lines}");
        assert!(parse(&text).is_err() && !fits_schema(&text), "{text}");
    }
    for (right, wrong) in [
        ("size: 8", "size: 0"),
        ("size: 8", "size: true"),
        ("size: 8", "sise: 8"),
        ("size: 8", "size: 8, queens: [[1, 2, 3]]"),
        ("pairwise", "pairwize"),
        ("[cadical]", "[{options: {factor: 1}}]"),
        ("name: smallest", ""),
    ] {
        let text = SMALLEST.replace(right, wrong);
        assert!(parse(&text).is_err() && !fits_schema(&text), "{text}");
    }
}

#[test]
fn mixtures_and_cut_offs_fit_the_schema_as_they_are_read() {
    let with = |encoding: &str| SMALLEST.replace("[pairwise]", &format!("[{encoding}]"));
    for encoding in [
        "{rows: sequential-counter, columns: pairwise, diagonals: product}",
        "{rows: {short: pairwise, long: product, at: 7}, columns: sinz, diagonals: bitwise}",
        "{short: pairwise, long: {short: bitwise, long: product, at: 20}, at: 7}",
        "{command: python3 my_encoder.py}",
        "{command: \"./encoder --fast\", kind: at-most-one}",
        "{command: ./encoder, kind: board}",
        "{rows: {command: ./encoder}, columns: pairwise, diagonals: product}",
    ] {
        let text = with(encoding);
        parse(&text).unwrap();
        assert!(fits_schema(&text), "{text}");
    }
    for encoding in [
        "{rows: pairwise, columns: pairwise}",
        "{rows: binary, columns: pairwise, diagonals: pairwise}",
        "{short: pairwise, long: product, at: seven}",
        "{short: pairwise, long: product, at: 7, rows: pairwise}",
        "{commander: 4}",
        "{command: 4}",
        "{command: ''}",
        "{command: ./encoder, kind: boards}",
        "{kind: board}",
        "{rows: {command: ./encoder, kind: board}, columns: pairwise, diagonals: product}",
        "{}",
    ] {
        let text = with(encoding);
        assert!(parse(&text).is_err() && !fits_schema(&text), "{text}");
    }
}

#[test]
fn every_key_is_shown_with_a_comment() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let shown = std::fs::read_to_string(root.join("configs/every-key.yaml")).unwrap();
    for key in keys::fields(&keys::all()).iter().map(|field| field.name) {
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
