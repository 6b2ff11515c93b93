//! From what a worker said, and how it ended, to the row of its job.

use std::time::SystemTime;

use bezzel_external::{Cause, Exit, Outcome};
use bezzel_solve::{Answer, Effort};
use thiserror::Error;

use crate::job::Limits;
use crate::judge::Judge;
use crate::message::Message;
use crate::plan::Planned;
use crate::row::{Isolation, Row, Stop, Verdict};

/// A worker refused its job, which the plan should have found out.
#[derive(Debug, Error)]
#[error("the worker refused a job of {encoding} on board {board}: {reason}")]
pub struct Refused {
    /// The job's encoding.
    pub encoding: String,
    /// The job's board.
    pub board: String,
    /// What the worker said.
    pub reason: String,
}

/// The row of a job whose worker has ended, judged.
///
/// # Errors
///
/// When the worker refused the job as one that it does not understand.
pub fn row(
    planned: Planned,
    session: usize,
    started: SystemTime,
    outcome: &Outcome,
    judge: &mut Judge,
) -> Result<Row, Refused> {
    let Planned { job, key, encoding_revision, solver_version, .. } = planned;
    // 2 is its word for bad input; with 126 and 127 the system says that it could not be started.
    if matches!(outcome.exit, Exit::Code(2 | 126 | 127)) {
        let reason = outcome.stderr.text().trim().to_owned();
        let (encoding, board) = (job.encoding, job.board.to_string());
        return Err(Refused { encoding, board, reason });
    }
    let mut row = Row {
        key,
        encoding_revision,
        solver_version,
        answer: Answer::Unknown,
        verdict: Verdict::Unchecked,
        evidence: None,
        stop: Stop::Crashed,
        note: None,
        formula: None,
        clause_digest: None,
        generate_cpu_s: None,
        load_cpu_s: None,
        solve_cpu_s: None,
        cpu_s: outcome.cpu_s,
        wall_s: outcome.wall_s,
        memory_peak_bytes: None,
        effort: Effort::default(),
        queens: None,
        isolation: Isolation::Rlimits,
        started_unix_s: started
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0.0, |since| since.as_secs_f64()),
        session,
        job,
    };
    let (mut ended, mut said) = (None, None);
    for line in outcome.stdout.tail.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        match serde_json::from_slice(line) {
            Ok(Message::Measured { formula, generate_cpu_s }) => {
                row.formula = Some(formula);
                row.generate_cpu_s = Some(generate_cpu_s);
            }
            Ok(Message::Loaded { clause_digest, load_cpu_s }) => {
                row.clause_digest = Some(clause_digest);
                row.load_cpu_s = Some(load_cpu_s);
            }
            Ok(Message::Solved { answer, queens, solve_cpu_s, effort }) => {
                row.answer = answer;
                row.queens = queens;
                row.solve_cpu_s = Some(solve_cpu_s);
                row.effort = effort;
            }
            Ok(Message::Failed { stop, note }) => {
                ended = Some(stop);
                said = Some(note);
            }
            Ok(Message::Ended { stop, memory_peak_bytes }) => {
                ended = Some(stop);
                row.memory_peak_bytes = memory_peak_bytes;
            }
            Err(error) => row.note = Some(format!("the worker said what makes no sense: {error}")),
        }
    }
    match (outcome.exit, ended) {
        (Exit::Code(0), Some(stop)) if row.note.is_none() => row.stop = stop,
        _ => {
            let (stop, note) = cause(outcome, &row.job.limits);
            row.stop = stop;
            row.note = row.note.or(Some(note));
        }
    }
    row.note = row.note.or(said);
    let judgement = judge.judge(&row.job.board, row.answer, row.placement().as_ref());
    row.verdict = judgement.verdict;
    row.evidence = judgement.evidence;
    row.note = judgement.note.or(row.note);
    Ok(row)
}

/// Why a worker ended that did not say so itself, by the evidence there is.
fn cause(outcome: &Outcome, limits: &Limits) -> (Stop, String) {
    let stderr = outcome.stderr.text();
    // Rust closes the report of a panic with advice that nobody needs here.
    let telling = |line: &&str| !line.trim().is_empty() && !line.starts_with("note:");
    let last = stderr.lines().rev().find(telling).unwrap_or("");
    // What Rust, C++ and CaDiCaL's own allocator say when memory is refused to them.
    let refusals = ["memory allocation of", "bad_alloc", "out of memory"];
    let out_of_memory = refusals.iter().any(|refusal| stderr.contains(refusal));
    match (outcome.killed_by, outcome.exit) {
        (Some(Cause::Wall), _) => (Stop::WallLimit, "killed at the wall limit's fence".into()),
        _ if out_of_memory => (Stop::MemoryLimit, format!("memory was refused: {last}")),
        (_, exit @ Exit::Signal(_)) if exit.is_cpu_fence() || outcome.cpu_s >= limits.cpu_s => {
            (Stop::CpuLimit, "killed at the CPU limit's fence".into())
        }
        (_, Exit::Signal(signal)) => (Stop::Crashed, format!("killed by signal {signal}: {last}")),
        (_, Exit::Code(code)) => (Stop::Crashed, format!("ended with exit code {code}: {last}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::plan::Plan;
    use crate::workbench::Workbench;
    use bezzel_external::Captured;

    const SOLVED: &str = concat!(
        r#"{"measured":{"formula":{"variables":16,"primary":16,"clauses":84,"literals":184,"#,
        r#""sections":[]},"generate_cpu_s":0.1}}"#,
        "\n",
        r#"{"loaded":{"clause_digest":"d","load_cpu_s":0.2}}"#,
        "\n",
        r#"{"solved":{"answer":"sat","queens":[[1,2],[2,4],[3,1],[4,3]],"solve_cpu_s":0.3,"#,
        r#""effort":{"conflicts":0}}}"#,
        "\n"
    );
    const ENDED: &str = r#"{"ended":{"stop":"finished","memory_peak_bytes":5}}"#;

    /// What becomes of a worker that says `stdout` and `stderr`, and ends so.
    fn of(
        stdout: &str,
        stderr: &str,
        exit: Exit,
        killed_by: Option<Cause>,
        cpu_s: f64,
    ) -> Result<Row, Refused> {
        let workbench = Workbench::standard();
        let text = "{name: t, boards: [{size: 4}], encodings: [pairwise], solvers: [cadical], \
                    limits: {cpu: 2 s}}";
        let config = Config::parse(text, "t.yaml", &workbench).unwrap();
        let planned = Plan::new(&config, &workbench).unwrap().jobs.remove(0);
        let captured = |text: &str| Captured { tail: text.into(), written: text.len() as u64 };
        let outcome = Outcome {
            exit,
            killed_by,
            cpu_s,
            wall_s: cpu_s,
            stdout: captured(stdout),
            stderr: captured(stderr),
            stragglers: 0,
        };
        row(planned, 0, SystemTime::UNIX_EPOCH, &outcome, &mut Judge::new())
    }

    #[test]
    fn a_worker_that_says_all_it_has_to_say_becomes_a_judged_row() {
        let row = of(&format!("{SOLVED}{ENDED}\n"), "", Exit::Code(0), None, 0.7).unwrap();
        assert_eq!(
            (row.stop, row.verdict, row.note.as_deref()),
            (Stop::Finished, Verdict::Verified, None)
        );
        let times = (row.generate_cpu_s, row.load_cpu_s, row.solve_cpu_s, row.cpu_s);
        assert_eq!(times, (Some(0.1), Some(0.2), Some(0.3), 0.7));
        assert_eq!(row.memory_peak_bytes, Some(5));
    }

    #[test]
    fn how_a_worker_ended_is_told_by_the_evidence_there_is() {
        let abort = Exit::Signal(6);
        let panic =
            "thread 'main' panicked at a.rs:1:\nthe reason\nnote: run with `RUST_BACKTRACE=1`";
        let cases = [
            ("", "", Exit::Signal(24), None, 2.1, Stop::CpuLimit, "the CPU limit's fence"),
            ("", "", Exit::Signal(9), None, 3.5, Stop::CpuLimit, "the CPU limit's fence"),
            ("", "", Exit::Signal(15), Some(Cause::Wall), 0.1, Stop::WallLimit, "the wall limit's"),
            (
                "",
                "memory allocation of 8 bytes failed",
                abort,
                None,
                1.0,
                Stop::MemoryLimit,
                "of 8",
            ),
            ("", "what():  std::bad_alloc", abort, None, 1.0, Stop::MemoryLimit, "bad_alloc"),
            ("", "kitten: out of memory", Exit::Code(1), None, 1.0, Stop::MemoryLimit, "kitten"),
            ("", "", Exit::Signal(11), None, 1.0, Stop::Crashed, "signal 11"),
            ("", panic, Exit::Code(101), None, 1.0, Stop::Crashed, "exit code 101: the reason"),
            // Exit code 0 without the last word, and words that make no sense, are no answers.
            (SOLVED, "", Exit::Code(0), None, 1.0, Stop::Crashed, "exit code 0"),
            ("rubbish\n", "", Exit::Code(0), None, 1.0, Stop::Crashed, "makes no sense"),
            ("\u{0}\u{1}", "", Exit::Code(0), None, 1.0, Stop::Crashed, "makes no sense"),
        ];
        for (stdout, stderr, exit, killed_by, cpu_s, stop, note) in cases {
            let row = of(stdout, stderr, exit, killed_by, cpu_s).unwrap();
            let told = row.note.clone().unwrap_or_default();
            assert_eq!(row.stop, stop, "{stderr:?} {exit:?}: {told}");
            assert!(told.contains(note), "{told}");
            assert!(!row.solved());
        }
    }

    #[test]
    fn an_encoder_that_fails_makes_a_row_that_says_how() {
        let failed = r#"{"failed":{"stop":"wall-limit","note":"the encoder `e` slept"}}"#;
        let row = of(failed, "", Exit::Code(0), None, 0.1).unwrap();
        assert_eq!((row.stop, row.answer), (Stop::WallLimit, Answer::Unknown));
        assert_eq!(row.note.as_deref(), Some("the encoder `e` slept"));
        assert_eq!((row.verdict, row.formula), (Verdict::Unchecked, None));
    }

    #[test]
    fn an_answer_is_kept_when_the_worker_is_lost_after_it_but_does_not_count() {
        let row = of(SOLVED, "", Exit::Signal(11), None, 1.0).unwrap();
        assert_eq!((row.answer, row.stop), (Answer::Sat, Stop::Crashed));
        assert_eq!(row.verdict, Verdict::Verified);
        assert!(!row.solved());
    }

    #[test]
    fn a_worker_that_cannot_begin_stops_the_run_and_says_why() {
        for (code, reason) in [(2, "unknown encoding"), (127, "libstdc++.so.6 is missing")] {
            let refused = of("", reason, Exit::Code(code), None, 0.0).unwrap_err();
            assert_eq!(refused.reason, reason);
        }
    }
}
