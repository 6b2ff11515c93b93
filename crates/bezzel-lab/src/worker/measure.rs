//! Measuring a formula without solving it: its size with that of its circuit, or what unit
//! propagation makes of it.

use std::mem;

use bezzel_encode::propagate::Propagator;
use bezzel_encode::{Encoding, Formula, Tally, VarMap};
use bezzel_external::{Watch, usage};

use super::{WorkError, at_limit, peak_bytes, soft};
use crate::model::job::{Job, Task};
use crate::model::measure::{Known, Marks, Propagation};
use crate::model::message::Message;
use crate::model::row::{FormulaSize, Stop};

/// Measures and tells each step.
pub(crate) fn measure(
    job: &Job,
    encoding: &dyn Encoding,
    tell: &mut dyn FnMut(&Message) -> Result<(), WorkError>,
) -> Result<(), WorkError> {
    // Nothing here can be broken off: what passes a limit is told so at its end, or by the fences.
    let watch = Watch::arm(soft(&job.limits), |_| ())?;
    let start = usage::thread_cpu_s();
    let mut tally = Tally::new();
    let problem = job.instance.problem();
    encoding.encode(&problem, &mut tally);
    let generate_cpu_s = usage::thread_cpu_s() - start;
    let size = tally.size();
    tell(&Message::Measured { formula: FormulaSize::of(tally), generate_cpu_s })?;
    if job.task == Task::Size {
        if let Some(circuit) = encoding.circuit(&problem) {
            let operations = circuit.operations().into_iter().map(Into::into).collect();
            tell(&Message::Counted(operations))?;
        }
    } else {
        let mut formula = Formula::with_capacity(size);
        let map = encoding.encode(&problem, &mut formula);
        tell(&Message::Propagated(propagate(job, &formula, &map)))?;
        // The process ends here; giving everything back first would be counted as the job's time.
        mem::forget((formula, map));
    }
    let stop = watch.disarm().map_or(Stop::Finished, at_limit);
    tell(&Message::Ended { stop, memory_peak_bytes: peak_bytes() })
}

/// Closes the formula, with what is given and excluded, under unit propagation.
///
/// The cube of a candidate says what is known of it. No candidate is assumed: that would be probing for failed
/// literals.
fn propagate(job: &Job, formula: &Formula, map: &VarMap) -> Propagation {
    let start = usage::thread_cpu_s();
    let propagator = Propagator::new(formula);
    let propagate_cpu_s = usage::thread_cpu_s() - start;
    let conflict = propagator.is_refuted();
    let found = (!conflict).then(|| {
        Marks::of(&job.instance, map.cubes().len() as u32, |candidate| {
            let cube = map.cube(candidate);
            match () {
                () if cube.iter().any(|&lit| propagator.fails(lit)) => Some(Known::Empty),
                () if cube.iter().all(|&lit| propagator.holds(lit)) => Some(Known::Queen),
                () => None,
            }
        })
    });
    mem::forget(propagator);
    Propagation { conflict, found, truth: None, propagate_cpu_s }
}
