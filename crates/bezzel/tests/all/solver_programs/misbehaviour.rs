//! Limits hold for all processes of a solver, and no process outlives its job.

use bezzel_experiment::{Termination, Verdict};
use bezzel_solve::Answer;

use crate::program::ended;
use crate::solver_programs::workspace::{Workspace, fakes};

const BOARD: &str = "problems: [{queens: {size: 6}}]\nencodings: [pairwise]\n";

#[test]
fn nothing_that_a_solver_starts_outlives_its_job() {
    limits_hold(&[
        ("cpu: 600 s, wall: 600 s, memory: 256 MiB", Termination::MemoryLimit, &["eat-memory"]),
        ("cpu: 600 s, wall: 600 s, memory: 4 GiB", Termination::Finished, &["fork", "escape"]),
    ]);
}

#[test]
#[ignore = "second tier: it waits for limits of time"]
fn limits_of_time_hold_for_all_that_a_solver_starts() {
    limits_hold(&[
        ("cpu: 3 s, wall: 3 s, memory: 4 GiB", Termination::WallLimit, &["hang", "ignore-term"]),
        // The answer of `late` would have been right.
        ("cpu: 1 s, wall: 600 s, memory: 4 GiB", Termination::CpuLimit, &["busy", "late"]),
    ]);
}

/// Limits, the end of the jobs, and the solvers. One limit is near, and the others are so far away that no machine is
/// too slow. The limit of wall time is never below that of CPU time. Sleeping programs use no CPU time.
fn limits_hold(cases: &[(&str, Termination, &[&str])]) {
    for &(limits, termination, modes) in cases {
        let limits = format!("limits: {{{limits}}}\n");
        let workspace = Workspace::limited(&format!("{BOARD}{}", fakes(modes)), &limits);
        ended(&workspace.run(), 0);
        workspace.nothing_is_left();
        for mode in modes {
            let rows = workspace.rows_of(mode);
            let [row] = &rows[..] else { panic!("one row of {mode}") };
            assert_eq!(row.termination, termination, "{row:?}");
            let finished = termination == Termination::Finished;
            assert_eq!(row.status, if finished { Answer::Sat } else { Answer::Unknown }, "{row:?}");
            assert_eq!(row.verdict, if finished { Verdict::Verified } else { Verdict::Unchecked });
            // A program at a limit is stopped, even if it ignores TERM. None of them ends earlier by itself.
            assert!(row.wall_s < 500.0, "{row:?}");
            let solve_cpu_s = row.solve_cpu_s.unwrap();
            match termination {
                // The kernel's limit is 3 s.
                Termination::CpuLimit => assert!((0.3..3.5).contains(&solve_cpu_s), "{row:?}"),
                Termination::WallLimit => assert!(row.wall_s >= 2.9, "{row:?}"),
                Termination::MemoryLimit => {
                    assert!(row.memory_peak_bytes.unwrap() > 64 << 20, "{row:?}");
                }
                _ => {}
            }
        }
    }
}

#[test]
fn a_solver_that_is_killed_from_outside_is_tried_again_and_settles_nothing() {
    let workspace = Workspace::new(&format!("{BOARD}{}", fakes(&["kill"])));
    let printed = ended(&workspace.run(), 1);
    assert!(printed.contains("1 job without an answer"), "{printed}");
    assert!(printed.contains("the same command tries again"), "{printed}");
    let rows = workspace.rows();
    assert!(rows.len() > 1);
    for row in &rows {
        assert_eq!((row.termination, row.is_settled()), (Termination::HostError, false), "{row:?}");
        assert!(row.note.as_ref().unwrap().contains("killed from outside"), "{row:?}");
    }
}

#[test]
fn a_kill_from_outside_is_reported_beside_a_wrong_answer() {
    let workspace = Workspace::new(&format!("{BOARD}{}", fakes(&["kill", "unsat"])));
    let printed = ended(&workspace.run(), 1);
    assert!(printed.contains("1 answer is wrong"), "{printed}");
    assert!(printed.contains("1 job without an answer"), "{printed}");
}
