//! No process of the group of a program is left when its run is over.

use std::time::Instant;

use bezzel_process::{Exit, Program};

use super::{AMPLE, run, shell, survivors, token};

/// Returns the script as a program whose descendants can all be found.
fn marked(script: &str, token: &str) -> Program {
    let mut program = shell(script, AMPLE);
    program.environment.push(("TOKEN".into(), token.into()));
    program
}

#[test]
fn children_left_behind_in_the_group_are_killed() {
    let token = token("children");
    let outcome = run(&marked("sleep 1000 & (sleep 1000 &) & exit 5", &token));
    assert_eq!((outcome.exit, survivors(&token)), (Exit::Code(5), 0));
}

#[test]
fn a_grandchild_that_holds_the_outputs_open_is_not_waited_for() {
    let token = token("holder");
    let start = Instant::now();
    let outcome = run(&marked("sleep 1000 & echo done; exit 0", &token));
    assert!(start.elapsed() < AMPLE);
    assert_eq!((outcome.exit, outcome.killed_by), (Exit::Code(0), None));
    assert_eq!(outcome.stdout.text(), "done\n");
    assert_eq!(survivors(&token), 0);
}

#[test]
fn a_grandchild_that_floods_the_output_does_not_keep_the_run_from_ending() {
    let token = token("flooder");
    let outcome = run(&marked("yes & sleep 0.05; exit 0", &token));
    assert_eq!((outcome.exit, survivors(&token)), (Exit::Code(0), 0));
}
