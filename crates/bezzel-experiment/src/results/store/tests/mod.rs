//! Tests of the store under faults.

mod damage;
mod faults;
mod files;
mod model;

use std::collections::HashMap;
use std::path::PathBuf;

use super::reader::read_session;
use super::{
    Attached, FORMAT, NewEntry, Rows, SessionFile, SessionName, SessionStart, Sessions, line_of,
};
use crate::model::environment::Environment;
use crate::model::row::Row;
use crate::tests::seating::Seating;

const NAME: &str = "2026-11-26T12.44.07Z-here-7";

/// The sessions and the rows in a file with these bytes.
fn read(bytes: &[u8]) -> (Sessions, Rows) {
    let path = PathBuf::from(format!("{NAME}.jsonl"));
    let file = SessionFile { name: SessionName::of_file(NAME), path };
    let (mut sessions, mut rows) = (Sessions::default(), Rows::default());
    read_session(bytes, file, false, &mut sessions, &mut HashMap::new(), &mut |_, read| {
        rows.take(read);
    })
    .unwrap();
    (sessions, rows)
}

fn folder() -> PathBuf {
    PathBuf::from("experiments/t")
}

fn attached() -> Vec<Attached> {
    let file = |path: &str, text: &str| Attached { path: path.into(), bytes: text.into() };
    vec![file("hard.txt", ". x\n. ."), file("kinds/soft.txt", ". .\n. .")]
}

fn start(number: u64) -> SessionStart {
    let environment = Environment { started_unix_s: number, ..Environment::default() };
    let name = SessionName::of_file(NAME);
    SessionStart { format: FORMAT, name, environment, ..SessionStart::default() }
}

fn line(row: &Row) -> Vec<u8> {
    line_of(NewEntry::Row(row))
}

/// Returns a row with a unique key.
pub(super) fn row(number: usize) -> Row {
    // The kind is one that can be read.
    let _ = Seating::new(4, 4);
    let text = format!(
        r#"{{"key":"{number:032x}","job":{{"problem":{{"seating":{{"size":4,"chairs":4,"given":
        [],"excluded":[]}}}},"encoding":"pairwise","constraints":"full","numbering":
        {{}},"solver":"cadical","options":{{"seed":{number}}},"task":"solve","repeat":1,"limits":
        {{"cpu_s":20.0,"wall_s":60.0,"memory_bytes":8589934592}}}},"encoding_revision":1,
        "solver_version":"3.0.1","status":"sat","verdict":"verified","checked_by":{{"kind":"rules",
        "source":"rules of the seating"}},"termination":"finished","note":null,"formula":null,
        "clause_digest":"41d8cf7682260c860c721088ba24391a","generate_cpu_s":0.0003,"load_cpu_s":
        0.25,"solve_cpu_s":0.5,"cpu_s":0.75,"wall_s":1.0,"memory_peak_bytes":14188544,"solver_stats":
        {{"conflicts":{number},"decisions":112,"propagations":45854,"restarts":null,"ticks":null}},
        "places":[[1,2],[2,4],[3,1],[4,3]],"isolation":"rlimits","started_unix_s":1763640000.5}}"#
    );
    serde_json::from_str(&text.replace('\n', "")).unwrap()
}
