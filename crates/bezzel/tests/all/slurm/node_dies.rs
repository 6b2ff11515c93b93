//! A task is killed, and then slurmd with all that runs there.

use std::collections::BTreeMap;

use crate::slurm::node::{Node, wait_until};
use crate::slurm::place::{PLANNED, Place};
use crate::slurm::results::results_in;

pub(crate) fn a_task_and_the_node_are_killed(node: &Node, local: &BTreeMap<String, String>) {
    let place = Place::new(node);
    place.submit();
    assert_eq!(
        place.submissions().iter().map(|folder| Place::submitted(folder)).sum::<usize>(),
        PLANNED
    );
    place.wait_for_some();

    // Who is killed by somebody has failed, and Slurm does not try again.
    let task = node.processes("--shard").pop().expect("a task runs");
    Node::kill(task);
    wait_until("Slurm has seen that a task failed", || {
        !node.ask("squeue", &["--noheader", "--states=FAILED"]).is_empty()
    });
    // Who is lost with the node goes back to the queue.
    wait_until("another task runs", || !node.processes("--shard").is_empty());
    node.does("kill-node");
    let lost = node.queue();
    assert!(lost.iter().any(|queued| !queued.name.ends_with("-merge")), "{lost:?}");
    assert!(place.status("running") > 0);
    node.does("start-node");
    node.drain();

    // The other job has merged what there was, and the rest of the killed task's shard is missing.
    let missing = place.status("missing");
    assert!(missing > 0 && missing < PLANNED, "{missing} are missing");
    assert_eq!(place.status("done"), PLANNED - missing);
    assert_eq!(results_in(&place.experiment()).len(), PLANNED - missing);

    place.submit();
    let submissions = place.submissions();
    assert_eq!(submissions.len(), 2);
    assert_eq!(Place::submitted(&submissions[1]), missing);
    node.drain();
    place.is_as(local);

    // Where nothing is missing there is nothing to submit.
    place.submit();
    assert_eq!(place.submissions(), submissions);
    assert!(node.queue().is_empty());
}
