//! The controller is killed, and restarts with its last saved state, which may be some seconds old. It has forgotten
//! the array, or starts tasks again that run or have ended, or holds them, or takes ended tasks for running ones. The
//! case cannot be predicted.

use std::collections::BTreeMap;

use crate::slurm::node::{Node, wait_until};
use crate::slurm::results::results_in;
use crate::slurm::workspace::{PLANNED, Workspace};

/// The number of checks in a row that find no task. Each takes about a quarter of a second.
const STILL: usize = 16;

pub(crate) fn the_controller_is_killed(node: &Node, local: &BTreeMap<String, String>) {
    let workspace = Workspace::new(node);
    workspace.submit();
    workspace.wait_for_some();
    let before = workspace.attempted();
    node.run("kill-controller");
    // Tasks need no controller. A merge during the tasks needs none either.
    wait_until("tasks go on", || workspace.attempted() > before);
    workspace.run(&["merge", "drill"]);
    assert!(results_in(&workspace.experiment()).len() > before);
    node.run("start-controller");

    // Slurm may take ended tasks for running ones for minutes, and let others wait for their CPUs. If nothing moves,
    // the test cancels the rest and submits again.
    let mut still = 0;
    wait_until("nothing moves any more", || {
        node.run("resume");
        still = if node.processes("--shard").is_empty() { still + 1 } else { 0 };
        (still > 0 && node.queue().is_empty()) || still == STILL
    });
    node.cancel_all();
    // Tasks that ran twice have rows twice, in files of their own. No row is read twice.
    workspace.run(&["merge", "drill"]);
    let done = workspace.status("done");
    assert_eq!(results_in(&workspace.experiment()).len(), done);
    if done < PLANNED {
        workspace.submit();
        node.drain();
    }
    workspace.is_as(local);
}
