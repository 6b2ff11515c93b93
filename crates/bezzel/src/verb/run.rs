//! `bezzel run`: from a config to its report.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use bezzel_external::cores::{self, Claim};
use bezzel_lab::calibration::{Fixed, noise};
use bezzel_lab::config::{Config, check_name};
use bezzel_lab::environment::Environment;
use bezzel_lab::experiment::{Experiment, OpenError, ShardAtWork};
use bezzel_lab::plan::{Plan, Summary};
use bezzel_lab::quantity::span;
use bezzel_lab::runner::{self, Workers};
use bezzel_lab::{
    Doer, ExperimentRecord, NO_ENCODING, Permission, Row, Stop, Verdict, Workbench, store,
};
use bezzel_report::at_limits;

use super::{merge, report, work};
use crate::arguments::RunArguments;

use crate::failure::Failure;
use crate::interrupt::{self, INTERRUPTED};
use crate::progress::Progress;
use crate::provenance;

/// The table at the end of a run fits a terminal of so many columns.
const TABLE_WIDTH: usize = 80;

pub(crate) fn run(
    arguments: &RunArguments,
    workbench: &Workbench,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let root = arguments.root();
    let config = read(&arguments.config, arguments.name.as_deref(), root, workbench)?;
    let workbench = &workbench.permitting(Permission::of_config(&config));
    let plan = Plan::new(&config, workbench).map_err(Failure::input)?;
    let folder = Experiment::folder(root, &config.name);
    if arguments.plan {
        if arguments.json {
            let text = serde_json::to_string_pretty(plan.summary()).map_err(Failure::work)?;
            writeln!(out, "{text}")?;
        } else {
            writeln!(out, "{}", plan.summary())?;
            warn_of_threads(plan.summary(), out)?;
        }
        if let Err(refusal) = Experiment::refuse(arguments.root(), &config, &plan, workbench) {
            // A plan as JSON has nothing after it.
            let _ = writeln!(io::stderr(), "WARNING: a run would be refused: {refusal}");
        } else {
            merge::warn_of_lost(&folder)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    if root.to_str().is_none() {
        // Workers are told where their large files go as text.
        let root = root.display();
        return Err(Failure::Input(format!(
            "--root `{root}` is not UTF-8 text: move it elsewhere"
        )));
    }
    if let Some(shard) = arguments.shard {
        let open = ShardAtWork::open(root, &config, plan, shard, workbench);
        let told = format!("{}, shard {shard}", config.name);
        merge::warn_of_lost(&folder)?;
        return work::at(open.map_err(refused)?, &told, &config, workbench, arguments.quiet, out);
    }
    // What attempts at shards found need not be run again.
    merge::if_cut(&folder, out)?;
    let summary = plan.summary().clone();
    let experiment = Experiment::open(root, &config, plan, workbench).map_err(refused)?;
    // Better now than after the run.
    let reports = report::folder(root, &config.name);
    try_folder(&reports)?;
    greet(&config, &experiment, workbench, root, out)?;
    warn_of_threads(&summary, out)?;

    let cancel = interrupt::run_begins();
    let environment =
        Environment::here(provenance::here(), workbench, config.arms(), config.parallel);
    let scratch = folder.join(runner::SCRATCH);
    let workers = Workers { scratch, ..workers(&config, workbench, out)? };
    let mut progress =
        Progress::new(experiment.missing(), experiment.found().by_key.values(), arguments.quiet);
    let summary = experiment.run(environment, &workers, cancel, |row| progress.row(row));
    progress.finish();
    let summary = summary.map_err(Failure::work)?;
    if summary.cancelled {
        writeln!(
            out,
            "stopped; {} rows were added and are kept: the same command goes on from there",
            summary.added
        )?;
        return Ok(ExitCode::from(INTERRUPTED));
    }

    let record = ExperimentRecord::open(&folder, workbench).map_err(Failure::work)?;
    let page = report::render(&record, workbench, root, arguments.quiet)?;
    if let Some(table) = bezzel_report::main_table(&record, &workbench.encodings) {
        writeln!(out, "\n{}", table.plain(TABLE_WIDTH))?;
    }
    writeln!(out, "evidence: {}", folder.join(bezzel_lab::store::ROWS).display())?;
    writeln!(out, "report:   {}", page.display())?;
    if summary.added > 0 {
        tell_noise(&record, out)?;
    }
    for ended in at_limits(&record.rows) {
        writeln!(out, "{ended}")?;
    }
    tell_skipped(&record.rows, out)?;
    let faults = tell_faults(&record, out);
    if summary.unsettled == 0 {
        return faults;
    }
    let unsettled = format!(
        "{} without an answer: somebody else, perhaps the kernel for want of memory, killed their \
         processes each time; the same command tries again",
        counted(summary.unsettled, "job")
    );
    match faults {
        Ok(_) => Err(Failure::Work(unsettled)),
        Err(faults) => {
            writeln!(out, "{unsettled}")?;
            Err(faults)
        }
    }
}

/// Reads a config, and gives it another name if one is given. One that states no limit of wall time has
/// that of its experiment, if it was begun.
pub(super) fn read(
    path: &Path,
    name: Option<&str>,
    root: &Path,
    workbench: &Workbench,
) -> Result<Config, Failure> {
    let mut config = Config::read(path, workbench).map_err(Failure::input)?;
    if let Some(name) = name {
        check_name(name).map_err(|reason| Failure::Input(format!("--name {name}: it {reason}")))?;
        name.clone_into(&mut config.name);
    }
    Experiment::go_on(root, &mut config, workbench).map_err(Failure::input)?;
    Ok(config)
}

/// How this config's workers are started; where their large files go is left to be said.
pub(super) fn workers(
    config: &Config,
    workbench: &Workbench,
    out: &mut dyn Write,
) -> Result<Workers, Failure> {
    let every = config.calibration.map(|calibration| span(calibration.every_s));
    Ok(Workers {
        // This very program, even if its file is replaced by a newer build in the meantime.
        program: "/proc/self/exe".into(),
        permission: workbench.permission.clone(),
        parallel: config.parallel,
        cores: cores(config.parallel, out)?,
        scratch: PathBuf::new(),
        proof_bytes: config.proof_bytes,
        warm_up: config.warm_up,
        calibration: every.and_then(|every| Fixed::new(workbench, every)),
    })
}

/// A core for each of the jobs that run at the same time, which other runners on this machine leave to
/// them; a warning where there are too few.
pub(super) fn cores(parallel: u32, out: &mut dyn Write) -> Result<Arc<Claim>, Failure> {
    match cores::claim(parallel as usize) {
        Ok(claim) => {
            if claim.shared {
                writeln!(
                    out,
                    "WARNING: other runs on this machine use the same cores: times tell what they do \
                     as well"
                )?;
            }
            Ok(Arc::new(claim))
        }
        Err(error) => {
            writeln!(out, "WARNING: {error}")?;
            Ok(Arc::default())
        }
    }
}

/// Warns where the threads of the jobs that run at the same time are more than there are cores.
fn warn_of_threads(plan: &Summary, out: &mut dyn Write) -> Result<(), Failure> {
    let Summary { threads, parallel, .. } = *plan;
    // Jobs of a thread each are told of where they get their cores.
    if threads == 1 {
        return Ok(());
    }
    let Ok(cores) = cores::usable().map(|cores| cores.len()) else { return Ok(()) };
    let at_once = u64::from(threads) * u64::from(parallel);
    if at_once > cores as u64 {
        let jobs = match parallel {
            1 => "a job".to_owned(),
            parallel => format!("{parallel} jobs at a time"),
        };
        writeln!(
            out,
            "WARNING: {jobs} on up to {threads} threads each, and {cores} cores: threads share cores, \
             and their times tell what the others did as well; take fewer `threads`{}",
            if parallel > 1 { ", or `parallel: 1`" } else { "" }
        )?;
    }
    Ok(())
}

/// Says how steady the machine was in the session that has just ended.
fn tell_noise(record: &ExperimentRecord, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(noise) = noise(&record.readings).last() {
        let warning = if noise.is_too_high() || !noise.same_effort { "WARNING: " } else { "" };
        writeln!(out, "{warning}noise of the machine: {noise}")?;
    }
    Ok(())
}

pub(super) fn refused(error: OpenError) -> Failure {
    Failure::input(error)
}

/// Says what is there already and what is missing.
fn greet(
    config: &Config,
    experiment: &Experiment,
    workbench: &Workbench,
    root: &Path,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let name = &config.name;
    let (done, missing) = (experiment.done(), experiment.missing().len());
    match (done, missing) {
        (_, 0) => writeln!(out, "{name}: every job has its row, {done} in all")?,
        (0, _) => writeln!(out, "{name}: {} to run", counted(missing, "job"))?,
        _ => {
            let missing = counted(missing, "job");
            writeln!(out, "{name}: {missing} to run; {done} have their rows already")?;
        }
    }
    if experiment.is_reworded() {
        writeln!(out, "{}", reworded(config, workbench, root)?)?;
    }
    let found = experiment.found();
    tell_torn(found.torn, out)?;
    merge::warn_of_unlisted(&found.unlisted, out)?;
    if let Some((first, damage)) = found.damaged.first() {
        let damaged = counted(found.damaged.len(), "damaged line");
        writeln!(out, "{damaged} of rows.jsonl passed over, the first is line {first}: {damage}")?;
    }
    out.flush()?;
    Ok(())
}

/// Says that a torn last line of the rows was set aside, if it has bytes.
pub(super) fn tell_torn(bytes: u64, out: &mut dyn Write) -> Result<(), Failure> {
    if bytes > 0 {
        writeln!(out, "a torn last line of {bytes} bytes was set aside in rows.torn")?;
    }
    Ok(())
}

/// The message that a config differs from the frozen one and asks for the same jobs, with the question that
/// the report keeps.
fn reworded(config: &Config, workbench: &Workbench, root: &Path) -> Result<String, Failure> {
    let folder = Experiment::folder(root, &config.name);
    let frozen = store::frozen_config(&folder).map_err(Failure::work)?;
    let read = |text: String| Config::parse_frozen(&text, store::CONFIG, workbench).ok();
    let old = frozen.and_then(read).map(|frozen| frozen.question);
    let path = folder.join(store::CONFIG);
    let path = path.display();
    Ok(match old {
        Some(old) if old != config.question => format!(
            "the question differs from the one in {path} ({}): the report keeps that one; run with another \
             --name to report the new question",
            old.map_or_else(|| "none".to_owned(), |old| format!("`{old}`"))
        ),
        _ => format!("the text of the config differs from {path}, which stays unchanged"),
    })
}

/// Makes a folder to see that it can be made, and leaves none behind that is empty.
fn try_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Failure::input(format!("cannot make the folder `{}`: {error}", folder.display()))
    })?;
    // Only empty folders can be removed so.
    for folder in folder.ancestors().take(2) {
        let _ = std::fs::remove_dir(folder);
    }
    Ok(())
}

/// A number with its noun: `1 job`, `2 jobs`.
pub(super) fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Names the solvers and engines that are not installed, whose jobs were passed over.
fn tell_skipped(rows: &[Row], out: &mut dyn Write) -> Result<(), Failure> {
    let mut skipped: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.stop == Stop::Skipped) {
        let note = row.note.as_deref().unwrap_or_default();
        skipped.entry(&row.job.solver).or_insert((0, note)).0 += 1;
    }
    for (solver, (jobs, note)) in skipped {
        writeln!(out, "skipped: {} of {solver}: {note}", counted(jobs, "job"))?;
    }
    Ok(())
}

/// Names every wrong answer and every contradiction; there must be none for the run to be a success.
pub(super) fn tell_faults(
    record: &ExperimentRecord,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let wrong: Vec<_> = record.rows.iter().filter(|row| row.verdict == Verdict::Wrong).collect();
    for row in &wrong {
        let job = &row.job;
        let note = row.note.as_deref().unwrap_or_default();
        if job.task.doer() == Doer::Nobody {
            let (encoding, board) = (job.encoding_label(), &job.board);
            writeln!(out, "WRONG: {} of {encoding} on {board}: {note}", job.task)?;
            continue;
        }
        let formula = match job.encoding.as_str() {
            NO_ENCODING => String::new(),
            _ => format!(" with {} ({})", job.encoding_label(), job.numbering.id()),
        };
        writeln!(
            out,
            "WRONG: {} on {}{} answered {}: {}",
            job.solver, job.board, formula, row.answer, note
        )?;
    }
    for contradiction in &record.contradictions {
        writeln!(out, "CONTRADICTION: {contradiction}")?;
    }
    match (wrong.len(), record.contradictions.len()) {
        (0, 0) => Ok(ExitCode::SUCCESS),
        (0, 1) => Err(Failure::Work("two answers contradict each other".into())),
        (0, _) => Err(Failure::Work("answers contradict each other".into())),
        (1, _) => Err(Failure::Work("1 answer is wrong".into())),
        (wrong, _) => Err(Failure::Work(format!("{wrong} answers are wrong"))),
    }
}
