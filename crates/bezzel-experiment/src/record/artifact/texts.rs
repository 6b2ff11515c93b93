//! The README of an archive, and its script.

use std::collections::BTreeSet;

use super::{ArtifactPrograms, MANIFEST, SCRIPT, Sources};
use crate::model::quantity::{duration, grouped, memory};
use crate::record::evidence::ExperimentRecord;

/// Returns the page for the evaluators of the archive.
pub(super) fn readme(
    record: &ExperimentRecord,
    sources: &Sources,
    programs: &ArtifactPrograms,
    is_vendored: bool,
) -> String {
    let (needed, again, packed) = of_programs(programs);
    let name = &record.name;
    let question = record.question.as_deref().unwrap_or("its config puts none in words").trim();
    let network = if is_vendored {
        "No network: the dependencies are in `sources/vendor/`."
    } else {
        "The registry of Rust's packages, from which cargo takes the dependencies that \
         `sources/Cargo.lock` names by their digests."
    };
    let wall: f64 = record.rows.iter().map(|row| row.wall_s).sum();
    let largest = record.rows.iter().filter_map(|row| row.memory_peak_bytes).max();
    let largest = largest.map_or(String::new(), |bytes| {
        format!(" The largest job took {} of memory.", memory(bytes.into()))
    });
    format!(
        include_str!("readme.txt"),
        MANIFEST = MANIFEST,
        SCRIPT = SCRIPT,
        again = again,
        largest = largest,
        name = name,
        needed = needed,
        network = network,
        packed = packed,
        question = question,
        rows = grouped(record.rows.len() as u128),
        wall = duration(wall.round()),
        sources = sources.revision_text,
    )
}

/// Returns the parts of the page on programs that rows name: the programs to install, how to run their jobs again, and
/// the places of their files.
fn of_programs(programs: &ArtifactPrograms) -> (String, String, String) {
    if programs.is_empty() {
        return Default::default();
    }
    let needed = programs.needed().into_iter().map(|line| format!("- {line}\n"));
    let again = format!(
        "\nJobs of external encoders, solvers and counters are left out, since what evidence \
         names\nis not run unasked. `PROGRAMS=1 ./{SCRIPT}` runs them too.\n"
    );
    let files = programs.files.iter().map(|file| format!("`{}`", file.path));
    let files = files.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ");
    let packed = if files.is_empty() {
        String::new()
    } else {
        format!(
            "- {files}: the files that commands of encoders name. Files that these load are not \
             packed.\n"
        )
    };
    (needed.collect(), again, packed)
}

/// The script.
pub(super) fn script(name: &str, is_vendored: bool) -> String {
    let offline = if is_vendored { " --offline" } else { "" };
    format!(include_str!("reproduce.txt"), MANIFEST = MANIFEST, name = name, offline = offline)
}
