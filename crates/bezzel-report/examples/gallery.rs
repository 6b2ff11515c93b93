//! Renders a report outside the repository's folders, for the design of figures: `cargo run -p bezzel-report --example
//! gallery -- large FOLDER` for a synthetic record (or `small`, or `wide`). The folder of an experiment in its place
//! renders a real record.

use std::error::Error;
use std::path::Path;

use bezzel_experiment::{Catalog, ExperimentRecord};

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
        experiment => ExperimentRecord::open(Path::new(experiment), &Catalog::standard())?,
    };
    let command = format!("bezzel report {}", record.name);
    bezzel_report::render(&record, Path::new(folder), &command)?;
    // The index is written if the folder is among reports.
    if let Some(reports) = Path::new(folder).parent().filter(|path| path.ends_with("reports")) {
        bezzel_report::index(reports)?;
    }
    Ok(())
}
