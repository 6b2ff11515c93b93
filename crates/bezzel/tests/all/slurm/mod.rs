//! An experiment on a real Slurm: after every kill, the merged rows equal those of a run on one machine.
//!
//! A Slurm of one node is started by `.ci/slurm-node`, once for all drills. Where Slurm is not installed, the test
//! prints that it is skipped, which is a failure with `BEZZEL_REQUIRE_OUTSIDE`, as in `.ci/run`. Where its daemons
//! cannot run, it prints the reason.

mod cancelled;
mod controller;
mod node;
mod node_dies;
pub(crate) mod results;
mod submitting;
mod workspace;

/// One test, since there is one node, and the drills must not overlap.
#[test]
#[ignore = "second tier: it runs Slurm"]
fn whatever_slurm_loses_or_repeats_the_rows_are_those_of_a_local_run() {
    let Some(node) = node::Node::start() else { return };
    let local = workspace::local();
    submitting::a_dry_run_shows_the_scripts_and_submits_nothing(&node);
    node_dies::a_task_and_the_node_are_killed(&node, &local);
    cancelled::all_is_cancelled_and_merged_by_hand(&node, &local);
    controller::the_controller_is_killed(&node, &local);
}
