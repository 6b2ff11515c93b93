//! The controller dies and comes back with what it last wrote down, which may be some seconds old: it has
//! forgotten the array, or starts tasks again that run or have ended, holds them, or takes for running
//! what has ended. Which of these, nobody can tell beforehand.

use std::collections::BTreeMap;

use crate::slurm::node::{Node, wait_until};
use crate::slurm::place::{PLANNED, Place};
use crate::slurm::results::results_in;

/// So many looks in a row at a node without tasks are enough; each takes a quarter of a second or so.
const STILL: usize = 16;

pub(crate) fn the_controller_is_killed(node: &Node, local: &BTreeMap<String, String>) {
    let place = Place::new(node);
    place.submit();
    place.wait_for_some();
    let before = place.attempted();
    node.does("kill-controller");
    // Tasks need no controller, and neither does who merges while they are at work.
    wait_until("tasks go on", || place.attempted() > before);
    place.does(&["merge", "drill"]);
    assert!(results_in(&place.experiment()).len() > before);
    node.does("start-controller");

    // Slurm may believe for minutes that tasks run which have ended, and let others wait for their CPUs. Who
    // sees that nothing moves cancels the rest, however far it is, and submits again.
    let mut still = 0;
    wait_until("nothing moves any more", || {
        node.does("resume");
        still = if node.processes("--shard").is_empty() { still + 1 } else { 0 };
        (still > 0 && node.queue().is_empty()) || still == STILL
    });
    node.cancel_all();
    // Tasks that ran twice have rows twice, in files of their own, and none is read twice.
    place.does(&["merge", "drill"]);
    let done = place.status("done");
    assert_eq!(results_in(&place.experiment()).len(), done);
    if done < PLANNED {
        place.submit();
        node.drain();
    }
    place.is_as(local);
}
