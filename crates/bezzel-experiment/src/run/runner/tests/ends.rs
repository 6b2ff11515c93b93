//! The row of a job by the end of its worker, and the check of a proof in a process of its own.

use super::mock::{answer, checked, ended};
use super::*;

#[test]
fn the_row_of_a_job_follows_from_the_end_of_its_worker() {
    let limit = |stop| End::Says(vec![ended(stop)]);
    let placed = |chosen: &[u32]| End::Says(answer(Answer::Sat, chosen));
    let mut violating = answer(Answer::Sat, &[1, 7, 8, 14]);
    let violated = Some(vec![1, -2]);
    violating.insert(2, Message::Checked { violated, check_cpu_s: 0.1 });
    let signal = |signal| End::Exit(Exit::Signal(signal));
    let unknown = (Answer::Unknown, Verdict::Unchecked);
    let cases = [
        (End::Right, Termination::Finished, (Answer::Sat, Verdict::Verified), ""),
        (placed(&[1, 7, 8, 14]), Termination::Finished, (Answer::Sat, Verdict::Verified), ""),
        // Wrong answers.
        (
            placed(&[0, 7, 8, 14]),
            Termination::Finished,
            (Answer::Sat, Verdict::Wrong),
            "breaks the rules",
        ),
        (
            End::Says(answer(Answer::Unsat, &[])),
            Termination::Finished,
            (Answer::Unsat, Verdict::Wrong),
            "the seating has a solution",
        ),
        (
            End::Says(violating),
            Termination::Finished,
            (Answer::Sat, Verdict::Wrong),
            "does not satisfy the clause",
        ),
        // Limits that the worker enforces, and those beyond.
        (limit(Termination::CpuLimit), Termination::CpuLimit, unknown, ""),
        (limit(Termination::WallLimit), Termination::WallLimit, unknown, ""),
        (limit(Termination::MemoryLimit), Termination::MemoryLimit, unknown, ""),
        (signal(24), Termination::CpuLimit, unknown, "the hard CPU limit"),
        (End::Killed(StopReason::Wall), Termination::WallLimit, unknown, "the hard wall limit"),
        (End::OutOfMemory, Termination::MemoryLimit, unknown, "by the kernel at the memory limit"),
        // Crashes.
        (signal(11), Termination::Crashed, unknown, "killed by signal 11"),
        (End::Exit(Exit::Code(101)), Termination::Crashed, unknown, "ended with exit code 101"),
        (End::Exit(Exit::Code(0)), Termination::Crashed, unknown, "ended with exit code 0"),
    ];
    for (end, termination, (status, verdict), note) in cases {
        let workers = MockWorkers::new(|_, _| (end.clone(), 1.0));
        let kept = kept(jobs([4]), &options(&workers));
        let [row] = &kept.rows[..] else { panic!("one row of {end:?}") };
        let found = (row.termination, row.status, row.verdict);
        assert_eq!(found, (termination, status, verdict), "{end:?}: {row:?}");
        assert!(row.note.as_deref().unwrap_or_default().contains(note), "{end:?}: {row:?}");
        assert!(row.is_settled(), "a run that ended by itself or at a limit is not repeated");
        assert_eq!((row.cpu_s, row.wall_s, row.core), (1.0, 1.0, None));
        assert_eq!(workers.log(), "4");
    }
}

/// The jobs of [`jobs`], with proofs.
fn proving(sides: impl IntoIterator<Item = u32>) -> Vec<PlannedJob> {
    let mut jobs = jobs(sides);
    for planned in &mut jobs {
        planned.job.proof = Some(ProofFormat::Lrat);
    }
    jobs
}

#[test]
fn a_proof_is_checked_by_a_process_of_its_own_before_the_next_job() {
    let workers = MockWorkers::right();
    let kept = kept(proving([3, 4, 2]), &options(&workers));
    // There is no proof of a solution.
    assert_eq!(workers.log(), "3, check 3, 4, 2, check 2");
    let starts = workers.starts();
    assert_eq!(starts[1].limits, starts[0].limits.of_check(ProofFormat::Lrat));
    let findings: Vec<_> =
        kept.rows.iter().map(|row| row.proof.as_ref().map(|p| p.finding)).collect();
    assert_eq!(findings, [Some(Finding::Accepted), None, Some(Finding::Accepted)]);
    let proof = kept.rows[0].proof.as_ref().unwrap();
    assert_eq!((proof.bytes, proof.steps), (Some(3), Some(3)));
}

#[test]
fn the_outcome_of_a_proof_follows_from_its_file_and_the_end_of_its_checker() {
    let refused = || End::Says(checked(Finding::Refused));
    let unsat = || End::Says(answer(Answer::Unsat, &[]));
    let crashed = || End::Exit(Exit::Signal(11));
    let unchecked = (Finding::Unchecked, Verdict::Verified);
    // The end of the solver, the largest proof, the end of the checker, the finding, and a part of the note.
    let cases = [
        (End::Right, 3, refused(), (Finding::Refused, Verdict::Wrong), "a step is wrong", 2),
        (End::Right, 2, refused(), unchecked, "has 3 bytes; up to 2 are checked", 1),
        (unsat(), 3, refused(), unchecked, "no proof was written", 1),
        (End::Right, 3, crashed(), unchecked, "the proof's checker was killed by signal 11", 2),
    ];
    for (solver, proof_bytes, checker, (finding, verdict), note, starts) in cases {
        let workers = MockWorkers::new(|start, _| {
            let is_checker = start.name.starts_with("check");
            (if is_checker { checker.clone() } else { solver.clone() }, 1.0)
        });
        let options = RunnerOptions { proof_bytes, ..options(&workers) };
        let kept = kept(proving([3]), &options);
        let row = &kept.rows[0];
        let proof = row.proof.as_ref().unwrap();
        assert_eq!((proof.finding, row.verdict), (finding, verdict), "{row:?}");
        assert!(proof.note.as_ref().unwrap().contains(note), "{row:?}");
        assert_eq!(workers.starts().len(), starts);
    }
}

#[test]
fn a_job_whose_checker_is_killed_from_outside_is_solved_again() {
    let workers = MockWorkers::new(|start, tried| {
        let is_killed = start.name == "check 3" && tried == 0;
        (if is_killed { End::Exit(Exit::Signal(9)) } else { End::Right }, 1.0)
    });
    let kept = kept(proving([3]), &options(&workers));
    assert_eq!(workers.log(), "3, check 3, 3, check 3");
    let lost = &kept.again[0];
    assert_eq!((lost.termination, lost.is_settled()), (Termination::HostError, false));
    assert_eq!(lost.note.as_deref(), Some("of the proof's checker: killed from outside"));
    assert_eq!(kept.rows[0].verdict, Verdict::Verified);
}

#[test]
fn a_run_that_is_cancelled_during_a_check_has_no_row_of_the_job() {
    let cancel = AtomicBool::new(false);
    let workers = MockWorkers::new(|start, _| {
        cancel.fetch_or(start.name == "check 3", Ordering::Relaxed);
        (End::Right, 1.0)
    });
    let (kept, result) = run_jobs(proving([4, 3, 5]), &options(&workers), &cancel);
    result.unwrap();
    assert_eq!((kept.rows.len(), workers.log().as_str()), (1, "4, 3, check 3"));
}
