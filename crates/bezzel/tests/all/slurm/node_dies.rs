//! A task is killed, and then slurmd with all that runs there.

use std::collections::BTreeMap;

use crate::slurm::node::{Node, wait_until};
use crate::slurm::results::results_in;
use crate::slurm::workspace::{PLANNED, Workspace};

pub(crate) fn a_task_and_the_node_are_killed(node: &Node, local: &BTreeMap<String, String>) {
    let workspace = Workspace::new(node);
    workspace.submit();
    assert_eq!(
        workspace.submissions().iter().map(|folder| Workspace::submitted(folder)).sum::<usize>(),
        PLANNED
    );
    workspace.wait_for_some();

    // A task that is killed has failed, and Slurm does not try it again.
    let task = node.processes("--shard").pop().expect("a task runs");
    Node::kill(task);
    wait_until("Slurm has seen that a task failed", || {
        !node.ask("squeue", &["--noheader", "--states=FAILED"]).is_empty()
    });
    // A task that is lost with the node goes back to the queue.
    wait_until("another task runs", || !node.processes("--shard").is_empty());
    node.run("kill-node");
    let lost = node.queue();
    assert!(lost.iter().any(|queued| !queued.name.ends_with("-merge")), "{lost:?}");
    assert!(workspace.status("running") + workspace.status("waiting") > 0);
    node.run("start-node");
    node.drain();

    // The merging job has merged the existing rows. The rest of the killed task's shard is missing.
    let missing = workspace.status("missing");
    assert!(missing > 0 && missing < PLANNED, "{missing} are missing");
    assert_eq!(workspace.status("done"), PLANNED - missing);
    assert_eq!(results_in(&workspace.experiment()).len(), PLANNED - missing);

    workspace.submit();
    let submissions = workspace.submissions();
    assert_eq!(submissions.len(), 2);
    assert_eq!(Workspace::submitted(&submissions[1]), missing);
    node.drain();
    workspace.is_as(local);

    // Without missing jobs there is nothing to submit.
    workspace.submit();
    assert_eq!(workspace.submissions(), submissions);
    assert!(node.queue().is_empty());
}
