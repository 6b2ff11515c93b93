//! The ends of runs in words, and the runs that a limit ended: separately for the limits of CPU time, wall time and
//! memory.

use bezzel_experiment::quantity::memory;
use bezzel_experiment::{Row, Termination};

use crate::number::{significant, whole_or};
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
    let ended: Vec<&Row> = rows
        .into_iter()
        .filter(|row| is_counted(row) && row.termination != Termination::Finished)
        .collect();
    let at = |termination: Termination| -> Vec<&Row> {
        ended.iter().copied().filter(|row| row.termination == termination).collect()
    };
    let (cpu, wall, memory) =
        (at(Termination::CpuLimit), at(Termination::WallLimit), at(Termination::MemoryLimit));
    let mut parts = Vec::new();
    if !cpu.is_empty() {
        let limits = range(cpu.iter().map(|row| row.job.limits.cpu_s));
        parts.push(format!("{} at the CPU limit of {limits} s", cpu.len()));
    }
    if !wall.is_empty() {
        let shared = match wall.iter().filter(|row| row.is_disturbed()).count() {
            0 => String::new(),
            all if all == wall.len() => "; the core was shared".into(),
            some => format!("; in {some} of them the core was shared"),
        };
        parts.push(format!("{} at the wall limit, after {}{shared}", wall.len(), used(&wall)));
    }
    let of_time = (!parts.is_empty())
        .then(|| format!("{} out of time: {}", cpu.len() + wall.len(), parts.join(", ")));
    let of_memory = (!memory.is_empty()).then(|| {
        format!(
            "{} at the memory limit of {}, after {}",
            memory.len(),
            sizes(&memory),
            used(&memory)
        )
    });
    of_time.into_iter().chain(of_memory).collect()
}

/// The CPU time that these runs used of their limit, as in `1.3 to 2.0 s of 3 s CPU`.
fn used(rows: &[&Row]) -> String {
    let used = range_of(rows.iter().map(|row| row.cpu_s), |seconds| significant(seconds, 2));
    let limits = range(rows.iter().map(|row| row.job.limits.cpu_s));
    format!("{used} s of {limits} s CPU")
}

/// The limits of memory of these runs.
fn sizes(rows: &[&Row]) -> String {
    range_of(rows.iter().map(|row| row.job.limits.memory_bytes as f64), |bytes| {
        memory(bytes as u128)
    })
}

fn range(seconds: impl Iterator<Item = f64> + Clone) -> String {
    range_of(seconds, |seconds| whole_or(seconds, 3))
}

/// The least and the largest of these numbers, or one number if their texts are equal.
fn range_of(numbers: impl Iterator<Item = f64> + Clone, read: impl Fn(f64) -> String) -> String {
    let least = read(numbers.clone().fold(f64::INFINITY, f64::min));
    let max = read(numbers.fold(f64::NEG_INFINITY, f64::max));
    if least == max { least } else { format!("{least} to {max}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample::{at_wall_limit, killed, out_of_memory, solved, timed_out};

    #[test]
    fn each_limit_is_named_with_what_was_used() {
        let rows = [at_wall_limit(1.3), solved(1.0), at_wall_limit(2.04), killed()];
        assert_eq!(
            at_limits(&rows),
            [
                "2 out of time: 2 at the wall limit, after 1.3 to 2.0 s of 5 s CPU; the core was shared"
            ]
        );
        let mut own = at_wall_limit(4.9);
        own.wall_s = 5.0;
        let rows = [timed_out(), own, at_wall_limit(2.0), out_of_memory()];
        assert_eq!(
            at_limits(&rows),
            [
                "3 out of time: 1 at the CPU limit of 5 s, 2 at the wall limit, after 2.0 to 4.9 s of 5 s \
                 CPU; in 1 of them the core was shared",
                "1 at the memory limit of 954 MiB, after 1.0 s of 5 s CPU"
            ]
        );
        assert!(at_limits(&[solved(1.0)]).is_empty());
    }
}
