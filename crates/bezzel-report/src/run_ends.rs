//! The ends of runs: their numbers, the limits that ended them, the reasons of failures, and wrong answers.

use bezzel_encode::Numbering;
use bezzel_experiment::quantity::{grouped, memory};
use bezzel_experiment::{Job, NO_ENCODING, Row, Task, Termination, Verdict};

use crate::dataset::Dataset;
use crate::number::{count_distinct, significant, whole_or};
use crate::row_statistics::cell::{Counts, is_counted};

/// The end of a run in words. Those of runs that began can follow a number of runs.
pub(crate) fn end_words(termination: Termination) -> &'static str {
    match termination {
        Termination::Finished => "finished",
        Termination::CpuLimit => "at the CPU limit",
        Termination::WallLimit => "at the wall limit",
        Termination::MemoryLimit => "at the memory limit",
        Termination::NodeLimit => "at the limit of nodes of a diagram",
        Termination::Crashed => "failed",
        Termination::HostError => "killed from outside",
        Termination::Skipped => "not run: its solver or engine is not installed",
    }
}

/// The number of runs at each limit.
pub(crate) fn limit_counts(counts: &Counts) -> [(Termination, usize); 4] {
    [
        (Termination::CpuLimit, counts.timed_out - counts.wall_limit),
        (Termination::WallLimit, counts.wall_limit),
        (Termination::MemoryLimit, counts.out_of_memory - counts.node_limit),
        (Termination::NodeLimit, counts.node_limit),
    ]
}

/// The runs that limits ended, with the CPU time that they had used: a sentence for time and one for memory. Empty if
/// no limit ended a run.
pub fn at_limits<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Vec<String> {
    let rows: Vec<&Row> = rows.into_iter().filter(|row| is_counted(row)).collect();
    let at = |end| rows.iter().copied().filter(|row| row.termination == end).collect::<Vec<_>>();
    let [cpu, wall, full] =
        [Termination::CpuLimit, Termination::WallLimit, Termination::MemoryLimit].map(at);
    let of_cpu = (!cpu.is_empty())
        .then(|| format!("{} at the CPU limit of {} s", cpu.len(), cpu_limits(&cpu)));
    let of_wall = (!wall.is_empty()).then(|| {
        let shared = match wall.iter().filter(|row| row.is_disturbed()).count() {
            0 => String::new(),
            all if all == wall.len() => "; the core was shared".into(),
            some => format!("; in {some} of them the core was shared"),
        };
        format!("{} at the wall limit, after {}{shared}", wall.len(), used(&wall))
    });
    let of_time: Vec<String> = of_cpu.into_iter().chain(of_wall).collect();
    let of_time = (!of_time.is_empty())
        .then(|| format!("{} out of time: {}", cpu.len() + wall.len(), of_time.join(", ")));
    let of_memory = (!full.is_empty()).then(|| {
        let bytes = |row: &&Row| row.job.limits.memory_bytes as f64;
        let limits = range(full.iter().map(bytes), |bytes| memory(bytes as u128));
        format!("{} at the memory limit of {limits}, after {}", full.len(), used(&full))
    });
    of_time.into_iter().chain(of_memory).collect()
}

/// The CPU time that these runs used of their limit, as in `1.3 to 2.0 s of 3 s CPU`.
fn used(rows: &[&Row]) -> String {
    let used = range(rows.iter().map(|row| row.cpu_s), |seconds| significant(seconds, 2));
    format!("{used} s of {} s CPU", cpu_limits(rows))
}

fn cpu_limits(rows: &[&Row]) -> String {
    range(rows.iter().map(|row| row.job.limits.cpu_s), |seconds| whole_or(seconds, 3))
}

/// The least and the largest of these numbers, or one number if their texts are equal.
fn range(numbers: impl Iterator<Item = f64> + Clone, read: impl Fn(f64) -> String) -> String {
    let least = read(numbers.clone().fold(f64::INFINITY, f64::min));
    let max = read(numbers.fold(f64::NEG_INFINITY, f64::max));
    if least == max { least } else { format!("{least} to {max}") }
}

/// The limits and faults that ended runs; nothing if every run has an answer.
pub(crate) fn no_answer(counts: &Counts) -> Option<String> {
    let at_limits = limit_counts(counts).map(|(end, number)| (end_words(end), number));
    let ends = at_limits.into_iter().chain([("by a fault or by the solver", counts.failed)]);
    let ends = ends.filter(|(_, number)| *number > 0).enumerate().map(|(place, (end, number))| {
        let ended = if place == 0 { " ended" } else { "" };
        format!("{}{ended} {end}", grouped(number as u128))
    });
    let ends: Vec<String> = ends.collect();
    (!ends.is_empty()).then(|| {
        let ends = ends.join(", ");
        format!("No answer: the value depends on runs without an answer. Of all runs, {ends}.")
    })
}

/// The ends of runs and their numbers, the planned ones that have no row included.
pub(crate) fn run_ends(dataset: &Dataset<'_>) -> Vec<(&'static str, usize)> {
    let record = dataset.record;
    let counts = Counts::of(&dataset.rows(|_| true));
    let mut ends = vec![
        ("planned", record.planned),
        ("missing", record.planned.saturating_sub(record.rows.len())),
        ("answered and verified", counts.verified),
        ("answered, unchecked", counts.unchecked),
        ("answered wrongly", counts.wrong),
    ];
    let at_limits = limit_counts(&counts);
    ends.extend(at_limits.map(|(end, number)| (end_words(end), number)));
    ends.extend([
        ("failed otherwise", counts.failed),
        ("killed from outside, and run again by the same command", counts.host_error),
        ("skipped, since their solver or engine is not installed", counts.skipped),
    ]);
    ends
}

/// The numbers of runs by their ends, and of encodings, instances, solvers, numberings and engines, by
/// permanent names.
pub(crate) fn run_counts(dataset: &Dataset<'_>) -> Vec<(&'static str, usize)> {
    let counts = Counts::of(&dataset.rows(|_| true));
    vec![
        ("planned", dataset.record.planned),
        ("runs", counts.rows),
        ("answered", counts.solved),
        ("verified", counts.verified),
        ("unchecked", counts.unchecked),
        ("wrong", counts.wrong),
        ("timed_out", counts.timed_out),
        ("wall_limit", counts.wall_limit),
        ("disturbed", counts.disturbed),
        ("out_of_memory", counts.out_of_memory),
        ("failed", counts.failed),
        ("skipped", counts.skipped),
        ("encodings", dataset.encodings.len()),
        ("instances", dataset.instances.len()),
        ("solvers", dataset.solvers.len()),
        ("numberings", dataset.numberings.len()),
        ("engines", dataset.counter_runs.arms.len()),
    ]
}

/// The largest number of listed reasons of a kind.
const MAX_REASONS: usize = 8;

/// The CPU time used by runs that another limit ended; and the reasons for which runs failed or were skipped,
/// each reason of each solver once with its number of runs.
pub(crate) fn failure_reasons(dataset: &Dataset<'_>) -> Vec<String> {
    let failed = |row: &Row| Counts::of(&[row]).failed == 1;
    let failed = by_reason(dataset, "Failed", failed, "it gave neither an answer nor a reason");
    let skipped = |row: &Row| row.termination == Termination::Skipped;
    let skipped = by_reason(dataset, "Skipped", skipped, "it is not installed");
    // Runs at the CPU limit used all of it, so their number suffices.
    let ended = dataset.rows(|row| row.termination != Termination::CpuLimit);
    let ended = at_limits(ended).into_iter();
    ended.chain(failed).chain(skipped).collect()
}

fn by_reason(
    dataset: &Dataset<'_>,
    what: &str,
    keep: impl Fn(&Row) -> bool,
    default_reason: &str,
) -> Vec<String> {
    let reason = |row: &Row| {
        format!("{}: {}", dataset.solver(row), row.note.as_deref().unwrap_or(default_reason))
    };
    let mut reasons = count_distinct(dataset.rows(keep).into_iter().map(reason));
    let others = reasons.split_off(reasons.len().min(MAX_REASONS));
    let lines = reasons.into_iter().map(|(reason, times)| format!("{what} {times}: {reason}"));
    let others: usize = others.iter().map(|(_, times)| times).sum();
    let others =
        (others > 0).then(|| format!("{what} {others} for other reasons, given in their rows"));
    lines.chain(others).collect()
}

/// The contradictions between rows, a sentence each.
pub(crate) fn contradictions(dataset: &Dataset<'_>) -> Vec<String> {
    let contradictions = dataset.record.contradictions.iter();
    contradictions.map(std::string::ToString::to_string).collect()
}

/// The wrong answers, a sentence each.
pub(crate) fn wrong_answers(dataset: &Dataset<'_>) -> Vec<String> {
    let rows = dataset.rows(|row| row.verdict == Verdict::Wrong);
    rows.into_iter().map(|row| describe(dataset, row)).collect()
}

fn describe(dataset: &Dataset<'_>, row: &Row) -> String {
    let Job { instance, numbering, task, .. } = &row.job;
    let instance = format!("instance {instance}");
    let (encoding, numbering) = (dataset.encoding(row), seeded(numbering));
    let (solver, answer) = (dataset.solver(row), row.status);
    let run = if task.backend().is_none() {
        format!("{} of {encoding} on {instance}", task.id())
    } else if row.job.encoding == NO_ENCODING {
        format!("{} on {instance}, by {solver}: answered {answer}", task.id())
    } else {
        let what = if *task == Task::Solve { "" } else { &format!("{} of ", task.id()) };
        format!(
            "{what}{encoding} on {instance}, numbering {numbering}, by {solver}: answered {answer}"
        )
    };
    let note = row.note.as_ref().map_or(String::new(), |note| format!("; {note}"));
    format!("{run}{note} (key {})", row.key)
}

/// A numbering with its seeds.
fn seeded(numbering: &Numbering) -> String {
    let seeds = [numbering.variables, numbering.literals, numbering.clauses];
    let mut seeds: Vec<String> = seeds.iter().flatten().map(u64::to_string).collect();
    seeds.dedup();
    match &seeds[..] {
        [] => numbering.id(),
        [seed] => format!("{} (seed {seed})", numbering.id()),
        seeds => format!("{} (seeds {})", numbering.id(), seeds.join(", ")),
    }
}

#[cfg(test)]
mod tests;
