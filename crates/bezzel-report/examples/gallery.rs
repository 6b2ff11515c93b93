//! Renders the report of a made-up record, to look at figures while they are written:
//! `cargo run -p bezzel-report --example gallery -- large FOLDER` (or `small`).

use std::path::Path;
use std::process::ExitCode;

#[path = "../tests/report/sample.rs"]
mod sample;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [size, folder] = &arguments[..] else { return ExitCode::from(2) };
    let record = if size == "small" { sample::small() } else { sample::large() };
    match bezzel_report::render(&record, Path::new(folder), "bezzel report sample") {
        Ok(_) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
