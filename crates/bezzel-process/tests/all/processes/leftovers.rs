//! No process of a program is left when its run is over.

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
fn children_left_behind_in_the_group_are_killed_without_a_sweep() {
    let token = token("children");
    let program =
        Program { sweep: false, ..marked("sleep 1000 & (sleep 1000 &) & exit 5", &token) };
    let outcome = run(&program);
    assert_eq!((outcome.exit, survivors(&token)), (Exit::Code(5), 0));
}

#[test]
fn a_process_that_leaves_its_group_and_family_is_found_by_its_mark() {
    let token = token("daemon");
    // The child is in a session of its own, orphaned, ignores TERM, and is a parent itself.
    let script = "trap 'exit 0' USR1; \
                  (setsid sh -c 'trap \"\" TERM HUP; sleep 1000 & kill -USR1 '$$'; wait' &); \
                  while :; do sleep 0.01; done";
    let outcome = run(&marked(script, &token));
    assert_eq!(outcome.exit, Exit::Code(0));
    assert!(outcome.stragglers >= 1, "{outcome:?}");
    assert_eq!(survivors(&token), 0);
}

#[test]
fn a_program_that_starts_others_in_a_row_is_ended_with_all_of_them() {
    let token = token("chain");
    let script = "f() { (setsid sh -c 'sleep 0.02; eval \"$0\"' \"$1\" > /dev/null 2>&1 &); }; \
                  f 'sleep 1000'; f 'sleep 1000'; f 'sleep 1000'";
    assert_eq!(run(&marked(script, &token)).exit, Exit::Code(0));
    assert_eq!(survivors(&token), 0);
}

#[test]
fn a_grandchild_that_holds_the_outputs_open_is_not_waited_for() {
    let token = token("holder");
    let start = Instant::now();
    let outcome = run(&marked("setsid sleep 1000 & echo done; exit 0", &token));
    assert!(start.elapsed() < AMPLE);
    assert_eq!((outcome.exit, outcome.killed_by), (Exit::Code(0), None));
    assert_eq!(outcome.stdout.text(), "done\n");
    assert_eq!(survivors(&token), 0);
}

#[test]
fn a_grandchild_that_floods_the_output_does_not_keep_the_run_from_ending() {
    let token = token("flooder");
    let outcome = run(&marked("setsid yes & sleep 0.05; exit 0", &token));
    assert_eq!((outcome.exit, survivors(&token)), (Exit::Code(0), 0));
}
