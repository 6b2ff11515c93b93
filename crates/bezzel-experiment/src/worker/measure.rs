//! Measuring a formula without solving it: the sizes of the formula and its circuit, or the result of unit propagation.

use std::mem;

use bezzel_encode::propagate::Propagator;
use bezzel_encode::{Encoding, Formula, FormulaStats, VarMap};
use bezzel_process::{Watch, usage};

use super::{JobObserver, WorkError, at_limit, peak_bytes, soft};
use crate::model::job::{Job, Task};
use crate::model::measure::{CandidateFact, Marks, Propagation};
use crate::model::message::Message;
use crate::model::row::{FormulaSize, Termination};

/// Measures the formula and reports each step.
pub(crate) fn measure(
    job: &Job,
    encoding: &dyn Encoding,
    observer: &mut dyn JobObserver,
) -> Result<(), WorkError> {
    // No step here can be interrupted: a passed limit is reported at the end, or the hard limits end the process.
    let watch = Watch::arm(soft(&job.limits), |_| ())?;
    let start = usage::thread_cpu_s();
    let mut stats = FormulaStats::new();
    let problem = job.instance.problem();
    encoding.encode(&problem, &mut stats);
    let generate_cpu_s = usage::thread_cpu_s() - start;
    let size = stats.size();
    observer.message(Message::Measured { formula: FormulaSize::of(stats), generate_cpu_s })?;
    if job.task == Task::Size {
        if let Some(circuit) = encoding.circuit(&problem) {
            let operations = circuit.operations().into_iter().map(Into::into).collect();
            observer.message(Message::Counted(operations))?;
        }
    } else {
        let mut formula = Formula::with_capacity(size);
        let map = encoding.encode(&problem, &mut formula);
        observer.message(Message::Propagated(propagate(job, &formula, &map)))?;
        // The process ends here. Freeing the memory first would count as time of the job.
        mem::forget((formula, map));
    }
    let stop = watch.disarm().map_or(Termination::Finished, at_limit);
    observer.message(Message::Ended { stop, memory_peak_bytes: peak_bytes() })
}

/// Closes the formula, with the given and excluded candidates, under unit propagation.
///
/// The cube of a candidate determines its mark. No candidate is assumed: that would be probing for failed literals.
fn propagate(job: &Job, formula: &Formula, map: &VarMap) -> Propagation {
    let start = usage::thread_cpu_s();
    let propagator = Propagator::new(formula);
    let propagate_cpu_s = usage::thread_cpu_s() - start;
    let conflict = propagator.is_refuted();
    let found = (!conflict).then(|| {
        Marks::of(&job.instance, map.cubes().len() as u32, |candidate| {
            let cube = map.cube(candidate);
            match () {
                () if cube.iter().any(|&lit| propagator.fails(lit)) => Some(CandidateFact::Empty),
                () if cube.iter().all(|&lit| propagator.holds(lit)) => Some(CandidateFact::Chosen),
                () => None,
            }
        })
    });
    mem::forget(propagator);
    Propagation { conflict, found, truth: None, propagate_cpu_s }
}
