//! From what a worker said, and how it ended, to the row of its job.

use std::time::SystemTime;

use bezzel_external::blame::Killer;
use bezzel_external::{Exit, Outcome, Stopped};
use bezzel_solve::{Answer, ProofFormat};
use thiserror::Error;

use crate::consistent;
use crate::job::{Job, Task};
use crate::message::Message;
use crate::plan::Planned;
use crate::row::{Finding, Isolation, ProofRecord, Row, Stop};

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

/// What a worker left: its row, which nobody has judged yet, and what a judge needs besides.
#[derive(Clone, Debug)]
pub struct Told {
    /// The row, unchecked.
    pub row: Row,
    /// A clause that the model does not satisfy.
    pub violated: Option<Vec<i32>>,
    /// What is wrong with the first of the solutions found that breaks the rules, if one does.
    pub violation: Option<String>,
}

/// When, where and by whom a job was run.
#[derive(Clone, Debug)]
pub struct Provenance {
    /// The runner's session.
    pub session: usize,
    /// The time of its start.
    pub started: SystemTime,
    /// How its limits were enforced.
    pub isolation: Isolation,
    /// The core that it was bound to.
    pub core: Option<usize>,
}

/// The row of a job whose worker has ended.
///
/// # Errors
///
/// When the worker refused the job as one that it does not understand.
pub fn read(
    planned: Planned,
    provenance: &Provenance,
    outcome: &Outcome,
    killer: Killer,
) -> Result<Told, Refused> {
    refuse(&planned.job, outcome)?;
    let mut row = Row {
        cpu_s: outcome.cpu_s,
        wall_s: outcome.wall_s,
        isolation: provenance.isolation,
        core: provenance.core,
        started_unix_s: provenance
            .started
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0.0, |since| since.as_secs_f64()),
        session: provenance.session,
        ..Row::blank(planned, Stop::Crashed)
    };
    let (mut ended, mut said, mut violated, mut violation) = (None, None, None, None);
    for message in messages(outcome) {
        match message {
            Ok(Message::Measured { formula, generate_cpu_s }) => {
                row.formula = Some(formula);
                row.generate_cpu_s = Some(generate_cpu_s);
            }
            Ok(Message::Loaded { clause_digest, load_cpu_s }) => {
                row.clause_digest = Some(clause_digest);
                row.load_cpu_s = Some(load_cpu_s);
            }
            Ok(Message::Solved { answer, solve_cpu_s, effort }) => {
                row.answer = answer;
                row.solve_cpu_s = Some(solve_cpu_s);
                row.effort = effort;
            }
            Ok(Message::Found { all, violation: broken, check_cpu_s }) => {
                if row.all.replace(all).is_some() {
                    row.note = Some("the worker told twice what was found".into());
                }
                violation = broken;
                row.check_cpu_s = check_cpu_s;
            }
            Ok(Message::Decoded { queens, decode_cpu_s }) => {
                row.queens = Some(queens);
                row.decode_cpu_s = Some(decode_cpu_s);
            }
            Ok(Message::Checked { violated: clause, check_cpu_s }) => {
                violated = clause;
                row.check_cpu_s = Some(check_cpu_s);
            }
            Ok(Message::Simplified(simplified)) => row.simplified = Some(simplified),
            Ok(Message::Failed { stop, note }) => {
                ended = Some(stop);
                said = Some(note);
            }
            Ok(Message::Ended { stop, memory_peak_bytes }) => {
                ended = Some(stop);
                row.memory_peak_bytes = memory_peak_bytes;
            }
            Ok(Message::ProofChecked { .. }) => {
                row.note = Some("the worker spoke of a proof that nobody asked it about".into());
            }
            Err(error) => row.note = Some(format!("the worker said what makes no sense: {error}")),
        }
    }
    match (outcome.exit, ended) {
        (Exit::Code(0), Some(stop)) if row.note.is_none() => row.stop = stop,
        _ => {
            let (stop, note) = cause(outcome, killer);
            row.stop = stop;
            row.note = row.note.or(Some(note));
        }
    }
    row.note = row.note.or(said);
    let has_told = row.queens.is_some() || row.all.is_some();
    let must_tell = row.answer == Answer::Sat || row.job.task != Task::First;
    if must_tell && !has_told && row.stop != Stop::Finished {
        // Whoever ended the worker before it had told what was found has not made a liar of the
        // solver.
        row.answer = Answer::Unknown;
    }
    if let Some(what) = consistent::contradiction(&row) {
        row.note = Some(format!("the worker contradicts itself: {what}"));
        row.stop = if row.stop == Stop::Finished { Stop::Crashed } else { row.stop };
        (row.answer, row.queens, row.all) = (Answer::Unknown, None, None);
    }
    Ok(Told { row, violated, violation })
}

/// The record of a proof of so many bytes whose checker has ended.
///
/// # Errors
///
/// When the checker refused the job as one that it does not understand.
pub fn read_proof(
    job: &Job,
    format: ProofFormat,
    bytes: Option<u64>,
    outcome: &Outcome,
    killer: Killer,
) -> Result<ProofRecord, Refused> {
    refuse(job, outcome)?;
    let mut record = ProofRecord {
        format,
        finding: Finding::Unchecked,
        bytes,
        steps: None,
        check_cpu_s: Some(outcome.cpu_s),
        check_memory_peak_bytes: None,
        note: None,
    };
    let (mut found, mut ended) = (None, None);
    for message in messages(outcome) {
        match message {
            Ok(Message::ProofChecked { finding, steps, note }) => {
                found = Some(finding);
                (record.steps, record.note) = (steps, note);
            }
            Ok(Message::Ended { stop, memory_peak_bytes }) => {
                ended = Some(stop);
                record.check_memory_peak_bytes = memory_peak_bytes;
            }
            Ok(Message::Failed { note, .. }) => record.note = Some(note),
            _ => {}
        }
    }
    match (outcome.exit, found, ended) {
        (Exit::Code(0), Some(finding), Some(_)) => record.finding = finding,
        (Exit::Code(0), None, _) if record.note.is_some() => {}
        _ => {
            let (_, note) = cause(outcome, killer);
            record.note = Some(format!("the proof's checker was {note}"));
        }
    }
    Ok(record)
}

/// 2 is a worker's word for bad input; with 126 and 127 the system says that it could not be
/// started.
fn refuse(job: &Job, outcome: &Outcome) -> Result<(), Refused> {
    if matches!(outcome.exit, Exit::Code(2 | 126 | 127)) {
        let reason = outcome.stderr.text().trim().to_owned();
        let (encoding, board) = (job.encoding.clone(), job.board.to_string());
        return Err(Refused { encoding, board, reason });
    }
    Ok(())
}

fn messages(outcome: &Outcome) -> impl Iterator<Item = Result<Message, serde_json::Error>> {
    let lines = outcome.stdout.tail.split(|&byte| byte == b'\n');
    lines.filter(|line| !line.is_empty()).map(serde_json::from_slice)
}

/// Why a worker ended that did not say so itself, by the evidence there is.
fn cause(outcome: &Outcome, killer: Killer) -> (Stop, String) {
    let stderr = outcome.stderr.text();
    // Rust closes the report of a panic with advice that nobody needs here.
    let telling = |line: &&str| !line.trim().is_empty() && !line.starts_with("note:");
    let last = stderr.lines().rev().find(telling).unwrap_or("");
    // What Rust, C++ and CaDiCaL's own allocator say when memory is refused to them.
    let refusals = ["memory allocation of", "bad_alloc", "out of memory"];
    let out_of_memory = refusals.iter().any(|refusal| stderr.contains(refusal));
    match (killer, outcome.exit) {
        (Killer::Limit(Stopped::Wall), _) => {
            (Stop::WallLimit, "killed at the wall limit's fence".into())
        }
        _ if out_of_memory => (Stop::MemoryLimit, format!("memory was refused: {last}")),
        (Killer::Limit(Stopped::Cpu), _) => {
            (Stop::CpuLimit, "killed at the CPU limit's fence".into())
        }
        (Killer::Limit(Stopped::Memory), _) => {
            (Stop::MemoryLimit, "killed by the kernel at the memory limit".into())
        }
        (Killer::Host { .. }, _) => (Stop::HostError, killer.to_string()),
        (_, Exit::Signal(signal)) => (Stop::Crashed, format!("killed by signal {signal}: {last}")),
        (_, Exit::Code(code)) => (Stop::Crashed, format!("ended with exit code {code}: {last}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::plan::Plan;
    use crate::row::Verdict;
    use crate::workbench::Workbench;
    use bezzel_external::{Captured, Cause, SoftLimits};

    const SOLVED: &str = concat!(
        r#"{"measured":{"formula":{"variables":16,"primary":16,"clauses":84,"literals":184,"#,
        r#""sections":[]},"generate_cpu_s":0.1}}"#,
        "\n",
        r#"{"loaded":{"clause_digest":"d","load_cpu_s":0.2}}"#,
        "\n",
        r#"{"solved":{"answer":"sat","solve_cpu_s":0.3,"effort":{"conflicts":0}}}"#,
        "\n",
        r#"{"decoded":{"queens":[[1,2],[2,4],[3,1],[4,3]],"decode_cpu_s":0.4}}"#,
        "\n",
        r#"{"checked":{"violated":[1,-2],"check_cpu_s":0.5}}"#,
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
        of_task(Task::First, stdout, stderr, exit, killed_by, cpu_s)
    }

    fn of_task(
        task: Task,
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
        let mut planned = Plan::new(&config, &workbench).unwrap().jobs.remove(0);
        planned.job.task = task;
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
        let (started, isolation) = (SystemTime::UNIX_EPOCH, Isolation::Rlimits);
        let provenance = Provenance { session: 0, started, isolation, core: None };
        let limits = SoftLimits { cpu_s: 2.0, wall_s: 6.0, memory_bytes: 4 << 30 };
        let killer = outcome.killer(&limits, None, 0);
        read(planned, &provenance, &outcome, killer).map(|told| {
            let checked = told.row.check_cpu_s.is_some() && task == Task::First;
            assert_eq!(told.violated.is_some(), checked);
            told.row
        })
    }

    #[test]
    fn a_worker_that_says_all_it_has_to_say_becomes_a_row() {
        let row = of(&format!("{SOLVED}{ENDED}\n"), "", Exit::Code(0), None, 0.7).unwrap();
        assert_eq!(
            (row.stop, row.verdict, row.note.as_deref()),
            (Stop::Finished, Verdict::Unchecked, None)
        );
        assert_eq!(row.queens.as_ref().map(Vec::len), Some(4));
        assert_eq!((row.decode_cpu_s, row.check_cpu_s), (Some(0.4), Some(0.5)));
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
            ("", "", Exit::Signal(9), None, 1.0, Stop::HostError, "killed by somebody else"),
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
        assert!(!row.solved());
    }

    #[test]
    fn a_worker_that_is_lost_before_it_tells_the_queens_has_given_no_answer() {
        let (before, _) = SOLVED.split_once(r#"{"decoded""#).unwrap();
        for (exit, stop) in [(9, Stop::HostError), (24, Stop::CpuLimit), (11, Stop::Crashed)] {
            let row = of(before, "", Exit::Signal(exit), None, 1.0).unwrap();
            assert_eq!((row.answer, row.stop), (Answer::Unknown, stop));
            assert_eq!(row.solve_cpu_s, Some(0.3));
        }
    }

    const COUNTED: &str = concat!(
        r#"{"solved":{"answer":"sat","solve_cpu_s":0.3,"effort":{}}}"#,
        "\n",
        r#"{"found":{"all":{"count":"2","whole":true},"violation":null,"check_cpu_s":null}}"#,
        "\n"
    );

    /// What becomes of one that counts, and says so.
    fn counting(stdout: &str, exit: Exit) -> Row {
        of_task(Task::Count, stdout, "", exit, None, 1.0).unwrap()
    }

    #[test]
    fn a_number_of_solutions_is_kept_with_whether_these_are_all() {
        let row = counting(&format!("{COUNTED}{ENDED}"), Exit::Code(0));
        assert_eq!((row.answer, row.stop, row.note.as_ref()), (Answer::Sat, Stop::Finished, None));
        assert_eq!(row.all.unwrap().count, 2_u8.into());
        let late = COUNTED.replace("true", "false");
        let ended = ENDED.replace("finished", "cpu-limit");
        let row = counting(&format!("{late}{ended}"), Exit::Code(0));
        assert_eq!((row.answer, row.stop), (Answer::Sat, Stop::CpuLimit));
        assert!(!row.all.unwrap().whole);
    }

    #[test]
    fn a_worker_that_dies_midway_has_counted_what_it_told() {
        let row = counting(COUNTED, Exit::Signal(9));
        assert_eq!((row.answer, row.stop), (Answer::Sat, Stop::HostError));
        assert!(row.all.is_some() && !row.solved());
        // Before it told the number it told nothing, whatever the engine answered.
        let (before, _) = COUNTED.split_once(r#"{"found""#).unwrap();
        for answer in ["sat", "unsat"] {
            let row = counting(&before.replace("sat", answer), Exit::Signal(24));
            assert_eq!((row.answer, row.stop, row.all), (Answer::Unknown, Stop::CpuLimit, None));
            assert_eq!(row.solve_cpu_s, Some(0.3));
        }
    }

    #[test]
    fn a_worker_that_contradicts_itself_has_said_nothing() {
        let (before, _) = COUNTED.split_once(r#"{"found""#).unwrap();
        let queens = r#"{"decoded":{"queens":[[1,2]],"decode_cpu_s":0.4}}"#;
        let cases = [
            (COUNTED.replace("\"2\"", "2"), "makes no sense"),
            (COUNTED.replace("\"2\"", "\"-2\""), "`-2` is no count"),
            (COUNTED.replace("\"2\"", "\"two\""), "`two` is no count"),
            (COUNTED.replace("sat", "unsat"), "answers unsat and found 2 solutions in all"),
            (COUNTED.replace("\"2\"", "\"0\""), "answers sat and found 0 solutions in all"),
            (COUNTED.replace("true", "false"), "did not find all"),
            (before.to_owned(), "tells no number"),
            (format!("{COUNTED}{COUNTED}"), "told twice"),
            (format!("{COUNTED}{queens}\n"), "queens of one solution"),
        ];
        for (said, note) in cases {
            let row = counting(&format!("{said}{ENDED}\n"), Exit::Code(0));
            let told = row.note.clone().unwrap_or_default();
            assert!(told.contains(note), "{told}");
            assert_eq!(row.stop, Stop::Crashed, "{told}");
            assert!(!row.solved() && (row.all.is_none() || told.contains("twice")), "{told}");
        }
        // Nor does one that was asked for one solution tell of all.
        let row = of(&format!("{COUNTED}{ENDED}"), "", Exit::Code(0), None, 1.0).unwrap();
        assert_eq!((row.answer, row.stop, row.all), (Answer::Unknown, Stop::Crashed, None));
    }

    #[test]
    fn a_worker_that_cannot_begin_stops_the_run_and_says_why() {
        for (code, reason) in [(2, "unknown encoding"), (127, "libstdc++.so.6 is missing")] {
            let refused = of("", reason, Exit::Code(code), None, 0.0).unwrap_err();
            assert_eq!(refused.reason, reason);
        }
    }
}
