//! The job of finding the best value of an objective.

use std::ops::ControlFlow;

use bezzel_encode::Encoding;
use bezzel_solve::{Answer, SessionOptions, SolverError};

use super::optimise::{Improvement, Optimiser, Step};
use super::solve::{left, termination_of};
use super::{WorkError, at_limit, peak_bytes, watch};
use crate::backend::Backend;
use crate::model::job::Job;
use crate::model::message::Message;
use crate::model::permission::Permission;
use crate::model::row::{FormulaSize, ObjectiveValue, Termination};

/// Searches the optimum, and reports each better solution.
pub(super) fn optimise(
    job: &Job,
    solver: &dyn Backend,
    encoding: &dyn Encoding,
    session_options: SessionOptions,
    permission: &Permission,
    send: &mut dyn FnMut(&Message) -> Result<(), WorkError>,
) -> Result<(), WorkError> {
    let file = job.instance.file().ok_or(WorkError::NothingToSolve)?;
    let start_of_all = std::time::Instant::now();
    let watch = watch(job, solver, &session_options.interrupt)?;
    let budget = Some(left(&job.limits, start_of_all));
    let session_options = &SessionOptions { budget, proof: None, ..session_options };
    let (numbering, options) = (&job.numbering, &job.options);
    let optimiser =
        Optimiser { file, encoding, numbering, solver, options, session_options, permission };
    let mut sent = Ok(());
    let end = optimiser.run(&mut |step| {
        sent = send(&match step {
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
    let stop = watch.disarm().map_or(Termination::Finished, at_limit);
    let memory_peak_bytes = peak_bytes();
    let (end, stop) = match end {
        Ok(end) => (end, stop),
        Err(error) => {
            let stop = Termination::Crashed;
            send(&Message::Failed { stop, note: error.to_string() })?;
            return send(&Message::Ended { stop, memory_peak_bytes });
        }
    };
    let answer = match end.answer {
        Answer::Unsat if stop == Termination::Finished && end.found => Answer::Sat,
        Answer::Unsat if stop == Termination::Finished => Answer::Unsat,
        _ => Answer::Unknown,
    };
    send(&Message::Solved { answer, solve_cpu_s: end.solve_cpu_s, effort: end.effort })?;
    if let Some(SolverError { kind, note }) = end.error {
        let stop = termination_of(kind);
        send(&Message::Failed { stop, note })?;
        return send(&Message::Ended { stop, memory_peak_bytes });
    }
    send(&Message::Ended { stop, memory_peak_bytes })
}
