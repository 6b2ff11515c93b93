//! The encodings of a plan on its instances.
//!
//! When a run is planned, a program is run once for all instances. When the plan of a record is restored, nothing is
//! run: the rows contain the revision of the program's output.

use std::collections::HashMap;
use std::sync::Arc;

use bezzel_encode::{NameError, Settings};
use bezzel_problem::{Instance, UnknownId};

use super::cell::{Cell, EncodingVariant};
use super::fit;
use super::plan_matrix::PlanMatrix;
use crate::backend::catalog::Catalog;
use crate::backend::program::{self, EncoderPrograms};
use crate::config::{Config, ConfigError, Matrix, SettingValues};
use crate::model::row::{self, Row};

/// Returns every encoding of a matrix under the product of its settings.
pub(super) fn variants<'a>(
    config: &Config,
    matrix: &'a Matrix,
    catalog: &Catalog,
) -> Result<Vec<EncodingVariant<'a>>, ConfigError> {
    let mut all = Vec::new();
    for entry in &matrix.encodings {
        let refused = |error: NameError| config.source().error(entry.place, error.to_string());
        let name = program::name(&entry.id).map_err(refused)?;
        let found = catalog.named_encoding(&name).map_err(refused)?;
        let is_known = program::unrecorded(&catalog.encodings, &name).is_ok();
        let mut product = vec![Settings::default()];
        for SettingValues { axis, names, .. } in &matrix.settings {
            if found.has(axis) {
                let with = |settings| names.iter().map(move |name| axis.with(settings, name));
                let next: Result<_, UnknownId> = product.into_iter().flat_map(with).collect();
                product = next.expect("a config has names of values only");
            }
        }
        let variant =
            |settings| EncodingVariant { entry, found: found.clone(), settings, is_known };
        all.extend(product.into_iter().map(variant));
    }
    Ok(all)
}

/// Returns the cells of each instance, in the order of the encodings; none if a cell is not needed. Programs are run.
pub(super) fn run(
    config: &Config,
    programs: &mut EncoderPrograms<'_>,
    plan_matrix: &PlanMatrix<'_>,
    instances: &[&Instance],
) -> Result<Vec<Vec<Option<Cell>>>, ConfigError> {
    let mut cells = vec![Vec::with_capacity(plan_matrix.variants.len()); instances.len()];
    for (encoding, variant) in plan_matrix.variants.iter().enumerate() {
        fit::refuse_unmatched(config, variant.entry, instances)?;
        let needed: Vec<bool> =
            (0..instances.len()).map(|instance| plan_matrix.needs(instance, encoding)).collect();
        let needed_instances = instances.iter().zip(&needed).filter(|(_, needed)| **needed);
        let needed_instances: Vec<&Instance> =
            needed_instances.map(|(instance, _)| *instance).collect();
        let found = programs
            .find_each(&variant.entry.id, variant.settings, &needed_instances)
            .map_err(|error| config.source().error(variant.entry.place, error.to_string()))?;
        let mut found = found.into_iter();
        for (cells, needed) in cells.iter_mut().zip(needed) {
            let found = if needed { found.next() } else { None };
            cells.push(found.map(|found| {
                let encoding = found.with_settings(variant.settings);
                let revision = encoding.info().revision;
                variant.cell(encoding, revision, false)
            }));
        }
    }
    Ok(cells)
}

/// The row that began last, for each encoding of a program on each instance.
pub(super) type Latest<'r> = HashMap<(&'r str, Settings, &'r Instance), &'r Row>;

/// Returns the row that began last, for each encoding of a program on each instance.
pub(super) fn latest<'r>(rows: impl Iterator<Item = &'r Row>) -> Latest<'r> {
    let rows = rows.filter(|row| program::needs_programs(&row.job.encoding));
    row::latest(rows, |row| (row.job.encoding.as_str(), row.job.settings, &row.job.instance))
}

/// Returns the cells of each instance as [`run`] does, but runs nothing. The rows contain the revision of a program's
/// last output.
pub(super) fn restore(
    plan_matrix: &PlanMatrix<'_>,
    instances: &[&Instance],
    latest: &Latest<'_>,
) -> Vec<Vec<Option<Cell>>> {
    let mut cells = vec![Vec::with_capacity(plan_matrix.variants.len()); instances.len()];
    for (place, variant) in plan_matrix.variants.iter().enumerate() {
        let (id, settings) = (&variant.entry.id, variant.settings);
        let encoding = variant.found.with_settings(settings);
        let stands_in = program::needs_programs(id);
        for (index, (&instance, cells)) in instances.iter().zip(&mut cells).enumerate() {
            let row = latest.get(&(id.as_str(), settings, instance));
            let revision = match row {
                Some(row) if stands_in => row.encoding_revision,
                _ => encoding.info().revision,
            };
            let cell = || variant.cell(Arc::clone(&encoding), revision, stands_in);
            cells.push((variant.is_known && plan_matrix.needs(index, place)).then(cell));
        }
    }
    cells
}
