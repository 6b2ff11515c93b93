//! The job of finding the best value of an objective.

use std::ops::ControlFlow;
use std::time::Instant;

use bezzel_encode::Encoding;
use bezzel_solve::{Answer, SessionOptions, SolverError};

use super::optimise::{Improvement, Optimiser, Step};
use super::solve::{left, termination_of};
use super::{JobObserver, JobWatch, ResolvedJob, Step as JobStep, WorkError, peak_bytes};
use crate::backend::Backend;
use crate::model::message::Message;
use crate::model::row::{FormulaSize, ObjectiveValue, Termination};

/// Searches the optimum, and reports each better solution.
pub(super) fn optimise(
    resolved: &ResolvedJob<'_>,
    (solver, encoding): (&dyn Backend, &dyn Encoding),
    session_options: SessionOptions,
    observer: &mut dyn JobObserver,
) -> Result<(), WorkError> {
    let ResolvedJob { job, permission, .. } = *resolved;
    let file = job.instance.file().ok_or(WorkError::NothingToSolve)?;
    let start_of_all = Instant::now();
    let watch = JobWatch::arm(resolved, solver, &session_options.interrupt)?;
    let budget = Some(left(&job.limits, start_of_all));
    let session_options = &SessionOptions { budget, proof: None, ..session_options };
    let (numbering, options) = (&job.numbering, &job.options);
    let optimiser =
        Optimiser { file, encoding, numbering, solver, options, session_options, permission };
    let mut sent = Ok(());
    let end = optimiser.run(&mut |step| {
        if let Step::Generated(_) = step {
            observer.begins(JobStep::Searching);
        }
        sent = observer.message(match step {
            Step::Generated(prepared) => Message::Measured {
                formula: FormulaSize::of(prepared.stats().clone()),
                generate_cpu_s: prepared.generate_cpu_s(),
            },
            Step::Found(Improvement { value, solution, solve_cpu_s }) => {
                let value = ObjectiveValue { value: value.to_string(), solve_cpu_s };
                Message::Improved { value, chosen: solution.chosen().to_vec() }
            }
        });
        if sent.is_ok() && !session_options.interrupt.is_raised() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    sent?;
    observer.begins(JobStep::Checking);
    let stop = watch.disarm_or(Termination::Finished);
    let memory_peak_bytes = peak_bytes();
    let (end, stop) = match end {
        Ok(end) => (end, stop),
        Err(error) => {
            let stop = Termination::Crashed;
            observer.message(Message::Failed { stop, note: error.to_string() })?;
            return observer.message(Message::Ended { stop, memory_peak_bytes });
        }
    };
    let answer = match end.answer {
        Answer::Unsat if stop == Termination::Finished && end.found => Answer::Sat,
        Answer::Unsat if stop == Termination::Finished => Answer::Unsat,
        _ => Answer::Unknown,
    };
    observer.message(Message::Solved {
        answer,
        solve_cpu_s: end.solve_cpu_s,
        effort: end.effort,
    })?;
    if let Some(SolverError { kind, note }) = end.error {
        let stop = termination_of(kind);
        observer.message(Message::Failed { stop, note })?;
        return observer.message(Message::Ended { stop, memory_peak_bytes });
    }
    observer.message(Message::Ended { stop, memory_peak_bytes })
}
