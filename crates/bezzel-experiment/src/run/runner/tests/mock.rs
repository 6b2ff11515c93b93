//! Workers without processes and without a clock: a function decides how each start ends, and the clock advances only by
//! the times that it gives.

use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bezzel_encode::Registry;
use bezzel_problem::Search;
use bezzel_process::{Captured, Exit, ExternalError, Outcome, StopReason};
use bezzel_solve::{Answer, Effort, ProofFormat};

use crate::backend::PreparedFormula;
use crate::model::job::{Limits, WARM_UP_S};
use crate::model::message::Message;
use crate::model::row::{Finding, Isolation, ProofRecord, Termination};
use crate::run::runner::{EndedWorker, StartJob, WorkerStart};
use crate::worker::process::JobPart;

/// The end of a worker.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// It finds a solution by the exhaustive search of problems, or that there is none.
    Right,
    /// It sends these messages and ends well.
    Says(Vec<Message>),
    /// It ends in this way without a last message.
    Exit(Exit),
    /// The kernel kills it in its control group, which is out of memory.
    OutOfMemory,
    /// The runner kills it.
    Killed(StopReason),
    /// It refuses its job with this reason.
    Refuses(&'static str),
    /// It cannot be started.
    NotStarted,
}

/// A start of a worker.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Start {
    /// The instance, after `warm` or `check` for a warm-up or the check of a proof.
    pub(crate) name: String,
    pub(crate) core: Option<usize>,
    pub(crate) limits: Limits,
    pub(crate) wall: Duration,
    /// The time of the clock of the mock.
    pub(crate) at_s: f64,
}

/// A function from a start, and the number of earlier starts with its name, to its end and its duration.
type Play<'a> = dyn Fn(&Start, usize) -> (End, f64) + Sync + 'a;

/// Workers whose ends are played.
pub(crate) struct MockWorkers<'a> {
    play: Box<Play<'a>>,
    begun: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    elapsed: Duration,
    starts: Vec<Start>,
    busy: Vec<usize>,
}

impl<'a> MockWorkers<'a> {
    pub(crate) fn new(play: impl Fn(&Start, usize) -> (End, f64) + Sync + 'a) -> Self {
        Self { play: Box::new(play), begun: Instant::now(), state: Mutex::default() }
    }

    /// Workers that find the right answer in a second.
    pub(crate) fn right() -> Self {
        Self::new(|_, _| (End::Right, 1.0))
    }

    /// The starts so far.
    pub(crate) fn starts(&self) -> Vec<Start> {
        self.state.lock().unwrap().starts.clone()
    }

    /// The names of the starts so far, on one line.
    pub(crate) fn log(&self) -> String {
        let names: Vec<String> = self.starts().into_iter().map(|start| start.name).collect();
        names.join(", ")
    }
}

impl StartJob for MockWorkers<'_> {
    fn run(&self, worker: WorkerStart, cancel: &AtomicBool) -> Result<EndedWorker, ExternalError> {
        let job = &worker.assignment.job;
        let (core, limits) = (worker.assignment.place.core, job.limits);
        let prefix = match &worker.assignment.part {
            JobPart::Check { .. } => "check ",
            JobPart::Solve { .. } if limits.cpu_s <= WARM_UP_S => "warm ",
            JobPart::Solve { .. } => "",
        };
        let name = format!("{prefix}{}", job.instance.size());
        let (start, tried) = {
            let state = &mut *self.state.lock().unwrap();
            let tried = state.starts.iter().filter(|start| start.name == name).count();
            let at_s = state.elapsed.as_secs_f64();
            let start = Start { name, core, limits, wall: worker.wall, at_s };
            state.starts.push(start.clone());
            if let Some(core) = core {
                assert!(!state.busy.contains(&core), "two jobs run on core {core}");
                state.busy.push(core);
            }
            (start, tried)
        };
        let (end, took_s) = (self.play)(&start, tried);
        let state = &mut *self.state.lock().unwrap();
        state.busy.retain(|busy| Some(*busy) != core);
        state.elapsed += Duration::from_secs_f64(took_s);
        let reason = if let End::Refuses(reason) = end { reason } else { "" };
        let oom_kills = matches!(end, End::OutOfMemory).then_some(1);
        let (exit, killed_by, messages) = match end {
            _ if cancel.load(Ordering::Relaxed) => {
                (Exit::Signal(9), Some(StopReason::Cancelled), Vec::new())
            }
            End::Right => (Exit::Code(0), None, right(&worker)),
            End::Says(messages) => (Exit::Code(0), None, messages),
            End::Exit(exit) => (exit, None, Vec::new()),
            End::OutOfMemory => (Exit::Signal(9), None, Vec::new()),
            End::Killed(reason) => (Exit::Signal(15), Some(reason), Vec::new()),
            End::Refuses(_) => (Exit::Code(2), None, Vec::new()),
            End::NotStarted => {
                let reason = std::io::ErrorKind::NotFound.into();
                return Err(ExternalError::Start { program: "worker".into(), reason });
            }
        };
        let lines = messages.iter().map(|message| serde_json::to_string(message).unwrap() + "\n");
        let captured = |text: String| Captured { written: text.len() as u64, tail: text.into() };
        let outcome = Outcome {
            exit,
            killed_by,
            cpu_s: took_s,
            wall_s: took_s,
            stdout: captured(lines.collect()),
            stderr: captured(reason.into()),
        };
        Ok(EndedWorker { outcome, isolation: Isolation::Rlimits, oom_kills })
    }

    fn now(&self) -> Instant {
        self.begun + self.state.lock().unwrap().elapsed
    }
}

/// The last message of a worker.
pub(crate) fn ended(stop: Termination) -> Message {
    Message::Ended { stop, memory_peak_bytes: Some(1 << 20) }
}

/// The messages of a solver that answers, with the chosen candidates.
pub(crate) fn answer(answer: Answer, chosen: &[u32]) -> Vec<Message> {
    let mut messages =
        vec![Message::Solved { answer, solve_cpu_s: 0.5, effort: Effort::default() }];
    if answer == Answer::Sat {
        messages.push(Message::Decoded { chosen: chosen.to_vec(), decode_cpu_s: 0.1 });
    }
    messages.push(ended(Termination::Finished));
    messages
}

/// The messages of a checker of proofs.
pub(crate) fn checked(finding: Finding) -> Vec<Message> {
    let note = (finding != Finding::Accepted).then(|| "a step is wrong".to_owned());
    let unchecked = ProofRecord::unchecked(ProofFormat::Lrat, Some(3), "");
    let record = ProofRecord { finding, steps: Some(3), note, ..unchecked };
    vec![Message::ProofChecked(record), ended(Termination::Finished)]
}

/// The messages of a worker without faults. A proof is a file of three bytes.
fn right(worker: &WorkerStart) -> Vec<Message> {
    let JobPart::Solve { proof, .. } = &worker.assignment.part else {
        return checked(Finding::Accepted);
    };
    let job = &worker.assignment.job;
    let problem = job.instance.problem();
    let encoding = Registry::standard().find(&job.encoding).unwrap().with_settings(job.settings);
    let prepared = PreparedFormula::new(encoding.as_ref(), &problem, &job.numbering);
    let clause_digest = prepared.formula().digest();
    let mut messages = vec![Message::Loaded { clause_digest, load_cpu_s: 0.1 }];
    let solution = Search::new(&problem).first(1_000_000).unwrap();
    messages.extend(if let Some(solution) = solution {
        answer(Answer::Sat, solution.chosen())
    } else {
        if let Some(proof) = proof {
            fs::write(proof, "abc").unwrap();
        }
        answer(Answer::Unsat, &[])
    });
    messages
}
