//! The ends of jobs that have no answer, as failures of this command.

use std::io;

use bezzel_experiment::quantity::grouped;
use bezzel_experiment::worker::WorkError;
use bezzel_experiment::{Row, Termination};
use bezzel_process::StopReason;

use crate::failure::Failure;
use crate::limited;
use crate::phase::Phase;

/// The failure of a job that did not come to its end. A program has the same limits as the command.
pub(super) fn ended(row: &Row, so_far: &dyn Fn() -> String) -> Option<Failure> {
    match row.termination {
        Termination::Finished => None,
        Termination::CpuLimit | Termination::WallLimit => {
            Some(limited::stopped_while(Phase::Searching, StopReason::Wall, ""))
        }
        Termination::MemoryLimit => {
            Some(limited::stopped_while(Phase::Searching, StopReason::Memory, &so_far()))
        }
        Termination::NodeLimit => Some(too_many_nodes(row.job.limits.nodes, &so_far())),
        _ => {
            let note = row.note.as_deref().unwrap_or("it ended before its answer");
            Some(Failure::Work(format!("`{}`: {note}", row.job.solver)))
        }
    }
}

/// The failure of an engine that would need more nodes than its limit, and the option that raises the limit.
pub(super) fn too_many_nodes(nodes: Option<u64>, so_far: &str) -> Failure {
    Failure::Spent(match nodes {
        Some(nodes) => format!(
            "more than {} nodes would have to be kept while searching: `--nodes` allows more{so_far}",
            grouped(nodes.into())
        ),
        None => {
            format!("more nodes would have to be kept while searching than the engine can{so_far}")
        }
    })
}

/// The failure of an observer's output, as an end of the job. The observer keeps the reason.
pub(super) fn observer_failed() -> WorkError {
    WorkError::Send(io::Error::other("the output failed"))
}
