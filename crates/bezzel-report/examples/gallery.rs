//! Renders a report outside the repository's folders, to look at figures while they are written:
//! `cargo run -p bezzel-report --example gallery -- large FOLDER` for a made-up record (or
//! `small`, or `wide`), the folder of an experiment in its place for a real one.

use std::error::Error;
use std::path::Path;

use bezzel_lab::{ExperimentRecord, Workbench};

#[path = "../tests/all/report/sample.rs"]
mod sample;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [record, folder] = &arguments[..] else {
        return Err("which record, and into which folder?".into());
    };
    let record = match record.as_str() {
        "small" => sample::small(),
        "large" => sample::large(),
        "wide" => sample::wide(),
        "refuted" => sample::refuted(),
        "ranked" => sample::ranked(),
        experiment => ExperimentRecord::open(Path::new(experiment), &Workbench::standard())?,
    };
    let command = format!("bezzel report {}", record.name);
    bezzel_report::render(&record, Path::new(folder), &command)?;
    // Beside other reports, if it stands among some.
    if let Some(reports) = Path::new(folder).parent().filter(|path| path.ends_with("reports")) {
        bezzel_report::index(reports)?;
    }
    Ok(())
}
