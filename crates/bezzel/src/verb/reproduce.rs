//! `bezzel reproduce`: some jobs of a record run again, and compared with it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bezzel_lab::calibration::Fixed;
use bezzel_lab::config::{Config, check_name};
use bezzel_lab::environment::Environment;
use bezzel_lab::experiment::Experiment;
use bezzel_lab::quantity::span;
use bezzel_lab::reproduce::{self, Drawn, Reproduction, Wanted};
use bezzel_lab::runner::{self, Workers};
use bezzel_lab::{Measured, Workbench, store};
use bezzel_report::Comparison;

use super::{merge, permission, report, run};
use crate::arguments::ReproduceArguments;
use crate::failure::{Failure, harmless};
use crate::interrupt::{self, INTERRUPTED};
use crate::progress::Progress;
use crate::provenance;

/// So many faults are named; `bezzel compare` names more.
const MOST: usize = 20;

pub(crate) fn run(
    arguments: &ReproduceArguments,
    workbench: &Workbench,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let root = arguments.root();
    let workbench = &workbench.permitting(permission(arguments.programs));
    let folder = report::find(root, &arguments.experiment)?;
    let evidence = Measured::open(&folder).map_err(Failure::input)?;
    let path = folder.join(store::CONFIG);
    let config = Config::parse_frozen(&evidence.config, &path.display().to_string(), workbench)
        .map_err(Failure::input)?;
    let name = name(arguments, &evidence)?;
    let wanted = Wanted {
        seconds: 60.0 * arguments.minutes,
        seed: arguments.seed,
        parallel: config.parallel,
    };
    let drawn = reproduce::draw(&evidence, workbench, wanted);
    if drawn.jobs.is_empty() {
        return Err(Failure::Input(nothing(&evidence, &drawn)));
    }
    let own = own_folder(root, &name, &folder)?;
    let jobs = drawn.jobs.clone();
    let reproduction =
        Reproduction::open(root, &name, &evidence, &config.files, jobs).map_err(Failure::input)?;
    // What is printed for programs has nothing before it.
    let mut nobody = std::io::sink();
    let told: &mut dyn Write = if arguments.json { &mut nobody } else { &mut *out };
    if arguments.json {
        merge::warn_of_unlisted(&evidence.unlisted, &mut std::io::stderr())?;
    }
    greet(&evidence, &drawn, &reproduction, told)?;

    let cancel = interrupt::run_begins();
    let environment =
        Environment::here(provenance::here(), workbench, config.arms(), config.parallel);
    let every = config.calibration.map(|calibration| span(calibration.every_s));
    let workers = Workers {
        // This very program, even if its file is replaced by a newer build in the meantime.
        program: "/proc/self/exe".into(),
        permission: workbench.permission.clone(),
        parallel: config.parallel,
        cores: run::cores(config.parallel, told)?,
        scratch: own.join(runner::SCRATCH),
        proof_bytes: config.proof_bytes,
        warm_up: config.warm_up,
        calibration: every.and_then(|every| Fixed::new(workbench, every)),
    };
    let mut progress = Progress::new(reproduction.missing(), &evidence.rows, arguments.quiet);
    let summary = reproduction.run(environment, &workers, cancel, |row| progress.row(row));
    progress.finish();
    let summary = summary.map_err(Failure::work)?;
    if summary.cancelled {
        let added = summary.added;
        writeln!(
            told,
            "stopped; {added} rows were added and are kept: the same command goes on from there"
        )?;
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let again = Measured::open(&own).map_err(Failure::work)?;
    let comparison = Comparison::new(&evidence, &again);
    if arguments.json {
        let text = serde_json::to_string_pretty(&comparison).map_err(Failure::work)?;
        writeln!(out, "{text}")?;
    } else {
        tell(&comparison, &evidence, &drawn, &name, out)?;
    }
    Ok(ExitCode::from(u8::from(!comparison.is_reproduction())))
}

/// The name under which rows are kept.
fn name(arguments: &ReproduceArguments, evidence: &Measured) -> Result<String, Failure> {
    let name = match &arguments.name {
        Some(name) => name.clone(),
        None => format!("{}-reproduced", evidence.name),
    };
    check_name(&name).map_err(|reason| Failure::Input(format!("--as {name}: it {reason}")))?;
    Ok(name)
}

/// The folder of that name, which is not that of the evidence.
fn own_folder(root: &Path, name: &str, evidence: &Path) -> Result<PathBuf, Failure> {
    if root.to_str().is_none() {
        // Workers are told where their large files go as text.
        let root = root.display();
        return Err(Failure::Input(format!(
            "--root `{root}` is not UTF-8 text: move it elsewhere"
        )));
    }
    let own = Experiment::folder(root, name);
    let place = |folder: &Path| folder.canonicalize().ok();
    if place(&own).is_some_and(|own| Some(own) == place(evidence)) {
        let advice = "what is run again needs a name of its own";
        return Err(Failure::Input(format!("--as {name}: this is the evidence itself; {advice}")));
    }
    Ok(own)
}

/// Why nothing was drawn.
fn nothing(evidence: &Measured, drawn: &Drawn) -> String {
    let advice = if drawn.unable > 0 {
        ": programs run only with --programs, and only where they are installed"
    } else {
        ""
    };
    format!(
        "no job of `{}` can be run again: {} have no answer, {} are of solvers, engines or encodings \
         that cannot be run here{advice}",
        evidence.name, drawn.unanswered, drawn.unable
    )
}

/// Says what is about to be run.
fn greet(
    evidence: &Measured,
    drawn: &Drawn,
    reproduction: &Reproduction,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let time = if drawn.seconds < 120.0 {
        format!("{:.1} s", drawn.seconds)
    } else {
        format!("{:.0} min", drawn.seconds / 60.0)
    };
    let drawn_of = format!("{} of {} jobs", drawn.jobs.len(), drawn.of);
    writeln!(
        out,
        "{}: {drawn_of} drawn, which took {time} when they were recorded",
        evidence.name
    )?;
    if reproduction.done() > 0 {
        writeln!(out, "{} of them were run again already", reproduction.done())?;
    }
    let left_out = [
        (drawn.unanswered, "have no answer that could be found again"),
        (drawn.unable, "are of solvers, engines or encodings that are not run here"),
    ];
    for (number, why) in left_out.iter().filter(|(number, _)| *number > 0) {
        writeln!(out, "left out: {number} jobs that {why}")?;
    }
    merge::warn_of_unlisted(&evidence.unlisted, out)?;
    if evidence.damaged > 0 {
        writeln!(
            out,
            "WARNING: {} damaged lines of the evidence left out; `bezzel verify` names them",
            evidence.damaged
        )?;
    }
    out.flush()?;
    Ok(())
}

/// Says that not all of so many jobs were run again, if so.
fn partial(drawn: &Drawn, jobs: usize) -> String {
    let unable = match drawn.unable {
        0 => String::new(),
        unable => format!(", {unable} of them since they cannot be run here or name programs"),
    };
    match jobs.saturating_sub(drawn.jobs.len()) {
        0 => String::new(),
        left_out => format!("; partial: {left_out} of {jobs} jobs were not run again{unable}"),
    }
}

/// What must not differ and does, and the conclusion.
fn tell(
    comparison: &Comparison,
    evidence: &Measured,
    drawn: &Drawn,
    name: &str,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    for fault in comparison.faults.iter().take(MOST) {
        writeln!(out, "FAULT: {}", harmless(&fault.what).replace('\n', " "))?;
    }
    if let Some(more) = comparison.faults.len().checked_sub(MOST).filter(|&more| more > 0) {
        writeln!(out, "FAULT: … and {more} more")?;
    }
    if let Some(clock) = comparison.clock {
        writeln!(out, "the fixed formula took {:.2} times as long as then", clock.ratio)?;
    }
    writeln!(out, "all of it: bezzel compare {} {name}", evidence.name)?;
    writeln!(out, "{}{}", comparison.conclusion(), partial(drawn, evidence.rows.len()))?;
    Ok(())
}
