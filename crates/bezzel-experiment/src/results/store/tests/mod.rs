//! Tests of the store under faults.

mod damage;
mod faults;
mod formats;
mod links;
mod merging;
mod model;
mod readings;
mod versions;

use std::path::{Path, PathBuf};

use super::lines::Lines;
use super::{Attached, Rows};
use crate::model::environment::Environment;
use crate::model::row::Row;
use crate::tests::seating::Seating;

/// The rows in a file with these bytes.
fn read(bytes: &[u8]) -> Rows {
    Rows::read(&mut Lines::new(bytes, Path::new(super::ROWS)), &[]).unwrap()
}

const CONFIG_TEXT: &str = "name: t\n";

fn folder() -> PathBuf {
    PathBuf::from("experiments/t")
}

fn attached() -> Vec<Attached> {
    let file = |path: &str, text: &str| Attached { path: path.into(), bytes: text.into() };
    vec![file("hard.txt", ". x\n. ."), file("kinds/soft.txt", ". .\n. .")]
}

fn environment(number: u64) -> Environment {
    Environment { started_unix_s: number, ..Environment::default() }
}

/// Returns a row with a unique key.
pub(super) fn row(number: usize) -> Row {
    // The kind is one that can be read.
    let _ = Seating::new(4, 4);
    let text = format!(
        r#"{{"format":2,"key":"{number:032x}","job":{{"seating":{{"size":4,"chairs":4,"given":
        [],"excluded":[]}},"encoding":"pairwise","constraints":"full","numbering":
        {{}},"solver":"cadical","options":{{"seed":{number}}},"task":"first","repeat":1,"limits":
        {{"cpu_s":20.0,"wall_s":60.0,"memory_bytes":8589934592}}}},"encoding_revision":1,
        "solver_version":"3.0.1","answer":"sat","verdict":"verified","evidence":{{"kind":"rules",
        "source":"rules of the seating"}},"stop":"finished","note":null,"formula":null,
        "clause_digest":"41d8cf7682260c860c721088ba24391a","generate_cpu_s":0.0003,"load_cpu_s":
        0.25,"solve_cpu_s":0.5,"cpu_s":0.75,"wall_s":1.0,"memory_peak_bytes":14188544,"effort":
        {{"conflicts":{number},"decisions":112,"propagations":45854,"restarts":null,"ticks":null}},
        "queens":[[1,2],[2,4],[3,1],[4,3]],"isolation":"rlimits","started_unix_s":1763640000.5,
        "session":0}}"#
    );
    serde_json::from_str(&text.replace('\n', "")).unwrap()
}
