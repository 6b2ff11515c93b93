//! An experiment on a real Slurm: whatever is killed in the middle, what is read in the end is what one
//! machine finds by itself.
//!
//! A Slurm of one node is started by `.ci/slurm-node`, once for all drills. Where Slurm is not installed
//! the test says that it is skipped, which is no success with `BEZZEL_REQUIRE_OUTSIDE`, as in `.ci/run`.
//! Where its daemons cannot run, it says so and why.

mod cancelled;
mod controller;
mod node;
mod node_dies;
mod place;
pub(crate) mod results;
mod submitting;

/// One test, since there is one node, and each drill wants to know what it does.
#[test]
fn whatever_slurm_loses_or_repeats_the_rows_are_those_of_a_local_run() {
    let Some(node) = node::Node::start() else { return };
    let local = place::local();
    submitting::a_dry_run_shows_the_scripts_and_submits_nothing(&node);
    node_dies::a_task_and_the_node_are_killed(&node, &local);
    cancelled::all_is_cancelled_and_merged_by_hand(&node, &local);
    controller::the_controller_is_killed(&node, &local);
}
