//! The check of encoders before the first job.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

use bezzel_encode::Settings;
use bezzel_encode::encoding::{EncoderShapes, EncoderSums};
use bezzel_problem::Instance;

use crate::backend::catalog::Catalog;
use crate::backend::program::EncoderPrograms;
use crate::backend::shape_check::{CheckExtent, check_shapes, check_sums};
use crate::model::job::{Limits, NO_ENCODING, PlannedJob};
use crate::run::runner::RunError;

/// Checks each encoder of the jobs at the shapes of constraints that their instances have, each shape once. Programs are
/// run for this under the limits.
///
/// # Errors
///
/// The first assignment that an encoder wrongly allows or forbids; a program that fails.
pub(super) fn check(
    jobs: &[PlannedJob],
    limits: Limits,
    catalog: &Catalog,
    cancel: &AtomicBool,
) -> Result<(), RunError> {
    let mut programs = EncoderPrograms::new(&catalog.encodings, limits, &catalog.permission);
    let (mut shapes, mut sums) = (EncoderShapes::new(), EncoderSums::new());
    for ((name, settings), instances) in instances_of_encodings(jobs) {
        let found = programs.find_each(name, settings, &instances)?;
        for (instance, found) in instances.into_iter().zip(found) {
            if cancel.load(Ordering::Relaxed) {
                return Ok(());
            }
            let (problem, encoding) = (instance.problem(), found.with_settings(settings));
            if encoding.fits(&problem).is_err() {
                continue;
            }
            for (id, of_encoder) in encoding.shapes(&problem) {
                shapes.entry(id).or_default().extend(of_encoder);
            }
            for (id, of_encoder) in encoding.sums(&problem) {
                sums.entry(id).or_default().extend(of_encoder);
            }
        }
    }
    check_shapes(&shapes, CheckExtent::OF_RUNS)
        .and_then(|_| check_sums(&sums, CheckExtent::OF_RUNS))
        .map(drop)
        .map_err(|counterexample| RunError::WrongEncoder(Box::new(counterexample)))
}

/// The encodings of the jobs under their settings, in the order of the jobs, each with its instances.
fn instances_of_encodings(jobs: &[PlannedJob]) -> Vec<((&str, Settings), Vec<&Instance>)> {
    let mut places: HashMap<(&str, Settings), usize> = HashMap::new();
    let mut seen: HashSet<(&str, Settings, &Instance)> = HashSet::new();
    let mut all: Vec<((&str, Settings), Vec<&Instance>)> = Vec::new();
    for PlannedJob { job, .. } in jobs {
        let encoding = (job.encoding.as_str(), job.settings);
        if job.encoding == NO_ENCODING || !seen.insert((encoding.0, encoding.1, &job.instance)) {
            continue;
        }
        let place = *places.entry(encoding).or_insert_with(|| {
            all.push((encoding, Vec::new()));
            all.len() - 1
        });
        all[place].1.push(&job.instance);
    }
    all
}
