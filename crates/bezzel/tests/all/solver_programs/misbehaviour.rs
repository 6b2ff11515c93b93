//! Limits hold for whatever a solver starts, and nothing of it outlives its job.

use bezzel_lab::{Stop, Verdict};
use bezzel_solve::Answer;

use crate::program::ended;
use crate::solver_programs::place::{Place, fakes};

const BOARD: &str = "boards: [{size: 6}]\nencodings: [pairwise]\n";

#[test]
fn limits_hold_for_all_that_a_solver_starts_and_nothing_outlives_its_job() {
    // One limit is near, and the others are so far away that no machine is too slow. The limit of wall time
    // is never below that of CPU time, of which programs that sleep use none.
    let cases: [(&str, Stop, &[&str]); 4] = [
        ("cpu: 3 s, wall: 3 s, memory: 4 GiB", Stop::WallLimit, &["hang", "ignore-term"]),
        // The answer of `late` would have been right.
        ("cpu: 1 s, wall: 600 s, memory: 4 GiB", Stop::CpuLimit, &["busy", "late"]),
        ("cpu: 600 s, wall: 600 s, memory: 256 MiB", Stop::MemoryLimit, &["eat-memory"]),
        ("cpu: 600 s, wall: 600 s, memory: 4 GiB", Stop::Finished, &["fork", "escape"]),
    ];
    for (limits, stop, modes) in cases {
        let limits = format!("limits: {{{limits}}}\n");
        let place = Place::limited(&format!("{BOARD}{}", fakes(modes)), &limits);
        ended(&place.run(), 0);
        place.nothing_is_left();
        for mode in modes {
            let rows = place.rows_of(mode);
            let [row] = &rows[..] else { panic!("one row of {mode}") };
            assert_eq!(row.stop, stop, "{row:?}");
            let finished = stop == Stop::Finished;
            assert_eq!(row.answer, if finished { Answer::Sat } else { Answer::Unknown }, "{row:?}");
            assert_eq!(row.verdict, if finished { Verdict::Verified } else { Verdict::Unchecked });
            // A program at a limit is stopped, with or without TERM. None of them ends earlier by itself.
            assert!(row.wall_s < 500.0, "{row:?}");
            let solve_cpu_s = row.solve_cpu_s.unwrap();
            match stop {
                // The kernel's limit lies at 3 s.
                Stop::CpuLimit => assert!((0.3..3.5).contains(&solve_cpu_s), "{row:?}"),
                Stop::WallLimit => assert!(row.wall_s >= 2.9, "{row:?}"),
                Stop::MemoryLimit => assert!(row.memory_peak_bytes.unwrap() > 64 << 20, "{row:?}"),
                _ => {}
            }
        }
    }
}

#[test]
fn a_solver_that_somebody_kills_is_tried_again_and_settles_nothing() {
    let place = Place::new(&format!("{BOARD}{}", fakes(&["kill"])));
    let told = ended(&place.run(), 1);
    assert!(told.contains("1 job without an answer"), "{told}");
    let rows = place.rows();
    assert!(rows.len() > 1);
    for row in &rows {
        assert_eq!((row.stop, row.is_settled()), (Stop::HostError, false), "{row:?}");
        assert!(row.note.as_ref().unwrap().contains("killed by somebody else"), "{row:?}");
    }
}

#[test]
fn what_somebody_killed_is_told_beside_an_answer_that_is_wrong() {
    let place = Place::new(&format!("{BOARD}{}", fakes(&["kill", "unsat"])));
    let told = ended(&place.run(), 1);
    assert!(told.contains("1 answer is wrong"), "{told}");
    assert!(told.contains("1 job without an answer"), "{told}");
}
