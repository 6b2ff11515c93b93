//! `bezzel artifact`: an archive for artifact evaluation.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use bezzel_experiment::artifact::{self, Artifact, ArtifactError, ArtifactPrograms};
use bezzel_experiment::config::check_name;
use bezzel_experiment::verify::{self, VerifyOptions};
use bezzel_experiment::{Catalog, ExperimentRecord};

use super::verify::unverified;
use super::{common, report};
use crate::arguments::ArtifactArguments;
use crate::failure::{CommandResult, Failure, harmless};
use crate::interrupt;
use crate::output::write_file;
use crate::scratch;
use bezzel_experiment::packing::Packing;

pub(crate) fn run(
    arguments: &ArtifactArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let folder = report::find(arguments.root.path(), &arguments.experiment)?;
    common::warn_of_unmerged(&folder, out)?;
    let record = ExperimentRecord::open(&folder, catalog).map_err(Failure::input)?;
    let name = &record.name;
    check_name(name).map_err(|reason| {
        Failure::Input(format!("the folder `{}` {reason}: rename it", folder.display()))
    })?;
    let (path, packing) = output(arguments, name)?;
    refuse_damaged(&folder, name, catalog)?;
    let sources =
        artifact::find_sources(arguments.sources(), &record.environments).map_err(refused)?;
    if sources.left_out_changes {
        writeln!(
            out,
            "WARNING: the sources have changes that are not committed: they are not in the archive"
        )?;
    }
    if sources.is_unread {
        writeln!(
            out,
            "WARNING: git reads no commit of the sources, whose repository may be damaged: the archive has \
             the files as they are"
        )?;
    }
    let scratch = scratch::new("artifact")?;
    let report = scratch.path().join("report");
    let command = format!("bezzel report {name}");
    bezzel_report::render_with(&record, &catalog.encodings, &report, &command)
        .map_err(Failure::work)?;
    let vendored = if arguments.vendor {
        let folder = scratch.path().join("sources");
        Some(artifact::vendor(&sources, &folder).map_err(refused)?)
    } else {
        None
    };
    let programs = ArtifactPrograms::of(&record, Path::new(".")).map_err(refused)?;
    for (line, files) in &programs.encoders {
        let files = match &files[..] {
            [] => "nothing, since no word of it is a file below this folder".to_owned(),
            files => files.join(", "),
        };
        writeln!(out, "packed for the encoder `{}`: {files}", harmless(line))?;
    }
    for solver in programs.solvers.keys() {
        writeln!(
            out,
            "the solver or counter `{}` is not packed; README.md of the archive names it",
            harmless(solver)
        )?;
    }
    let packed = Artifact::gather(&record, &folder, &report, &sources, &programs, vendored)
        .map_err(refused)?;
    for left_out in packed.left_out() {
        let path = harmless(&left_out.path);
        let kind = left_out.kind;
        writeln!(
            out,
            "WARNING: `{path}` is left out: it is {kind}, and an archive holds only regular files"
        )?;
    }
    write_file(&path, |file| {
        let mut archive = packing.write(BufWriter::new(file))?;
        packed.write(&mut archive).map_err(refused)?;
        Ok(archive.finish()?)
    })?;
    let bytes = path.metadata().map_or(0, |there| there.len());
    writeln!(
        out,
        "{}: {} files, {}; sources: {}",
        path.display(),
        packed.entries().len(),
        bezzel_experiment::quantity::memory(bytes.into()),
        sources.revision_text
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The path and the compression of the archive.
fn output(arguments: &ArtifactArguments, name: &str) -> Result<(PathBuf, Packing), Failure> {
    let given = || PathBuf::from(format!("{name}-artifact.tar.gz"));
    let path = arguments.output.clone().unwrap_or_else(given);
    let shown = path.display();
    let packing = match path.file_name().and_then(|name| name.to_str()) {
        Some(name) if name.ends_with(".tar.gz") => Packing::Gzip,
        Some(name) if name.ends_with(".tar.xz") => Packing::Xz,
        _ => {
            let endings = "let it end in .tar.gz or .tar.xz";
            return Err(Failure::Input(format!(
                "`{shown}` has no ending of a compressed archive: {endings}"
            )));
        }
    };
    if path.symlink_metadata().is_ok() {
        let advice = "remove it, or name another one by -o";
        return Err(Failure::Input(format!("`{shown}` exists already: {advice}")));
    }
    Ok((path, packing))
}

/// Refuses evidence that is damaged or not whole. No job is run and no formula is encoded for this check.
fn refuse_damaged(folder: &Path, name: &str, catalog: &Catalog) -> Result<(), Failure> {
    let options = VerifyOptions {
        sample: 0,
        seed: 1,
        encode_for: Duration::ZERO,
        worker: "/proc/self/exe".into(),
    };
    let cancel = interrupt::run_begins();
    let found = verify::verify(folder, catalog, &options, cancel, &mut |_, _, _| {});
    let found = found.map_err(unverified)?;
    if cancel.load(std::sync::atomic::Ordering::Relaxed) {
        return Err(Failure::Interrupted("stopped before the evidence was checked".into()));
    }
    let Some(first) = found.faults.first() else { return Ok(()) };
    let faults = common::counted(found.faults.len(), "fault");
    Err(Failure::Work(format!(
        "the evidence of `{name}` is damaged or not whole, so it is not packed: {faults}, the \
         first is: {first}; `bezzel verify {name}` names them all"
    )))
}

fn refused(error: ArtifactError) -> Failure {
    match error {
        ArtifactError::NoSources { .. } | ArtifactError::Name(_) => Failure::input(error),
        other => Failure::work(other),
    }
}
