//! `bezzel run --tasks`: hands the shards of an experiment to Slurm, as one array script.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use bezzel_encode::format::shell_word;
use bezzel_experiment::plan::answering;
use bezzel_experiment::shard::Shard;
use bezzel_experiment::{PlannedExperiment, PlannedJob, Row};

use super::{common, report};
use crate::Workbench;
use crate::arguments::RunArguments;
use crate::failure::{CommandResult, Failure, harmless, shown};

/// The memory of Bezzel itself beside its workers: for any plan, and for each job of the plan, in bytes.
const OWN_BYTES: u64 = 512 << 20;
const PLANNED_JOB_BYTES: u64 = 1 << 10;
/// The time of a task to begin and to end, in minutes.
const MARGIN_MINUTES: f64 = 5.0;
/// The largest ratio of a job's wall time to its CPU limit. A task has cores of its own, so that a job reaches a larger
/// wall limit only on a broken node.
const WALL_OF_CPU: f64 = 3.0;

pub(super) fn run(
    arguments: &RunArguments,
    tasks: u32,
    catalog: &Workbench,
    out: &mut dyn Write,
) -> CommandResult {
    let root = std::path::absolute(arguments.root.path().join(".")).map_err(Failure::input)?;
    let config = common::config_file(arguments.root.path(), &arguments.config)?;
    let config = std::path::absolute(config).map_err(Failure::input)?;
    let name = arguments.name.as_deref();
    let planned = PlannedExperiment::read(&root, &config, name, catalog).map_err(Failure::input)?;
    common::print_notes(&planned.config);
    report::check(&root, &planned, catalog)?;
    let (sessions, found) = planned.found().map_err(Failure::input)?;
    planned.refuse(&found).map_err(Failure::input)?;
    common::warn_of_damage(&sessions.warnings());
    let rows: Vec<Row> = found.by_key.into_values().collect();
    let Some(needs) = needs(&planned, &rows, tasks) else {
        writeln!(out, "{}: every job has its row, nothing is submitted", planned.config.name)?;
        return Ok(ExitCode::SUCCESS);
    };
    let script = script(arguments, tasks, &planned, [&root, &config], needs)?;
    if arguments.cluster.dry_run {
        write!(out, "{script}")?;
        return Ok(ExitCode::SUCCESS);
    }
    // Slurm makes no folder for its logs.
    bezzel_report::make_folder(&planned.folder).map_err(Failure::input)?;
    let answer = sbatch(&script)?;
    let (name, root) = (&planned.config.name, word(&root)?);
    writeln!(out, "{}", harmless(&answer))?;
    writeln!(out, "when all tasks have ended: bezzel report {name} --root {root}")?;
    Ok(ExitCode::SUCCESS)
}

/// The minutes and the bytes that the largest of `tasks` tasks needs for the jobs of its shard that no row answers; none
/// if no such job is left.
fn needs(planned: &PlannedExperiment, rows: &[Row], tasks: u32) -> Option<(u32, u64)> {
    let (jobs, parallel) = (&planned.plan.jobs, planned.config.parallel);
    // For each shard the sum and the largest of the times of its jobs.
    let mut times: HashMap<u32, (f64, f64)> = HashMap::new();
    let mut largest = 0;
    let answered = answering::answered(jobs, rows);
    for (job, _) in jobs.iter().zip(answered).filter(|(_, answered)| !answered) {
        let (seconds, bytes) = needs_of_job(job);
        let (sum, longest) = times.entry(Shard::number_of(&job.job, tasks)).or_default();
        (*sum, *longest) = (*sum + seconds, longest.max(seconds));
        largest = largest.max(bytes);
    }
    // Graham's bound for list scheduling: the work that is left when the last job begins is shared by all.
    let time = |(sum, longest): &(f64, f64)| (sum - longest) / f64::from(parallel) + longest;
    let seconds = times.values().map(time).reduce(f64::max)?;
    // Workers limit their memory themselves, but may be a moment late.
    let worker = largest + largest / 8 + (64 << 20);
    let own = OWN_BYTES + PLANNED_JOB_BYTES * jobs.len() as u64;
    Some(((seconds / 60.0 + MARGIN_MINUTES).ceil() as u32, u64::from(parallel) * worker + own))
}

/// The time of a job, in seconds, and its memory, in bytes, by its limits.
fn needs_of_job(planned: &PlannedJob) -> (f64, u64) {
    let limits = planned.job.limits;
    let (passes, least) = if planned.job.proof.is_some() { (2.0, 1 << 30) } else { (1.0, 0) };
    let wall_s = limits.wall_s.min(WALL_OF_CPU * limits.cpu_s);
    (passes * (wall_s + 1.0), limits.memory_bytes.max(least))
}

/// The script of the array. All paths in it are absolute.
fn script(
    arguments: &RunArguments,
    tasks: u32,
    planned: &PlannedExperiment,
    [root, config]: [&Path; 2],
    (minutes, bytes): (u32, u64),
) -> Result<String, Failure> {
    let name = &planned.config.name;
    let program = word(&std::env::current_exe().map_err(Failure::work)?)?;
    let directory = word(&std::env::current_dir().map_err(Failure::work)?)?;
    let (root, config, logs) = (word(root)?, word(config)?, pattern(&planned.folder)?);
    let cores = planned.config.parallel * planned.plan.summary().threads;
    let minutes = arguments.cluster.time.unwrap_or(minutes);
    let mebibytes = arguments.cluster.mem.unwrap_or(bytes).div_ceil(1 << 20);
    Ok(format!(
        "#!/bin/bash
# Task K of this array runs shard K of {tasks} of the experiment {name}.
#SBATCH --job-name=bezzel-{name}
#SBATCH --array=1-{tasks}
# Cores of its own, without their second threads: two threads of one core slow each other down.
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task={cores} --hint=nomultithread
#SBATCH --time={minutes}
#SBATCH --mem={mebibytes}M
# A task that is lost with its node or preempted begins again, and continues its shard.
#SBATCH --requeue --open-mode=append
# Slurm makes no folder for logs: this one must exist.
#SBATCH --output=\"{logs}/slurm-%A_%a.log\"
cd {directory} || exit 1
# In place of this shell, so that Slurm's TERM reaches it.
exec {program} run {config} --root {root} --name {name} --shard \"$SLURM_ARRAY_TASK_ID/{tasks}\" --quiet
"
    ))
}

/// The path as a word of the shell.
fn word(path: &Path) -> Result<String, Failure> {
    let refused = || format!("`{}` is not UTF-8 text: a script cannot name it", shown(path));
    path.to_str().map(shell_word).ok_or_else(refused).map_err(Failure::Input)
}

/// The folder in a pattern for names of logs, between double quotes. Slurm replaces `%` in folders too, and removes
/// backslashes.
fn pattern(folder: &Path) -> Result<String, Failure> {
    let text = folder.to_string_lossy();
    if text.contains(|letter: char| letter.is_control() || letter == '\\') {
        let why = "a backslash or a control character: Slurm cannot write logs there";
        return Err(Failure::Input(format!(
            "`{}` has {why}; choose another --root",
            shown(folder)
        )));
    }
    Ok(text.replace('%', "%%").replace('"', "\\\""))
}

/// Hands the script to `sbatch`, and returns its answer.
fn sbatch(script: &str) -> Result<String, Failure> {
    let failed = |error: io::Error| {
        Failure::Work(format!("`sbatch` cannot be run: {error}; --dry-run prints the script"))
    };
    let mut command = Command::new("sbatch");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    // A program that refuses may not read the script; its answer gives the reason.
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(script.as_bytes()));
    let output = child.wait_with_output().map_err(failed)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() {
        return Ok(text(&output.stdout));
    }
    let reason = harmless(&text(&output.stderr));
    Err(Failure::Work(format!("`sbatch` refused: {reason} ({})", output.status)))
}
