//! The encodings of a plan on its boards.
//!
//! A program is run for all boards at once when a run is planned. When the plan of a record is
//! found again, nothing is run: the rows know the revision of what was printed.

use std::collections::HashMap;
use std::sync::Arc;

use bezzel_encode::Settings;
use bezzel_problem::{Instance, UnknownId};

use super::cell::{Cell, Wanted};
use super::side::Side;
use crate::backend::program::{self, Programs};
use crate::backend::workbench::Workbench;
use crate::config::{Config, ConfigError, Matrix, SettingValues};
use crate::model::row::{self, Row};

/// Every encoding of a matrix under the product of the settings that it has.
pub(super) fn wanted<'a>(
    config: &Config,
    matrix: &'a Matrix,
    workbench: &Workbench,
) -> Result<Vec<Wanted<'a>>, ConfigError> {
    let mut all = Vec::new();
    for entry in &matrix.encodings {
        let found = program::name(&entry.id)
            .and_then(|name| program::unrecorded(&workbench.encodings, &name))
            .map_err(|error| config.source().error(entry.place, error.to_string()))?;
        let mut product = vec![Settings::default()];
        for SettingValues { axis, names, .. } in &matrix.settings {
            if found.has(axis) {
                let with = |settings| names.iter().map(move |name| axis.with(settings, name));
                let next: Result<_, UnknownId> = product.into_iter().flat_map(with).collect();
                product = next.expect("a config has names of values only");
            }
        }
        let wanted = |settings| Wanted { entry, found: found.clone(), settings };
        all.extend(product.into_iter().map(wanted));
    }
    Ok(all)
}

/// The cells of each board, in the order of the encodings, none where it is not needed; programs
/// are run.
pub(super) fn run(
    config: &Config,
    programs: &mut Programs<'_>,
    side: &Side<'_>,
    boards: &[&Instance],
) -> Result<Vec<Vec<Option<Cell>>>, ConfigError> {
    let mut cells = vec![Vec::with_capacity(side.wanted.len()); boards.len()];
    for (encoding, wanted) in side.wanted.iter().enumerate() {
        let needed: Vec<bool> =
            (0..boards.len()).map(|board| side.needs(board, encoding)).collect();
        let asked = boards.iter().zip(&needed).filter(|(_, needed)| **needed);
        let asked: Vec<&Instance> = asked.map(|(board, _)| *board).collect();
        let found = programs
            .find_each(&wanted.entry.id, wanted.settings, &asked)
            .map_err(|error| config.source().error(wanted.entry.place, error.to_string()))?;
        let mut found = found.into_iter();
        for (cells, needed) in cells.iter_mut().zip(needed) {
            let found = if needed { found.next() } else { None };
            cells.push(found.map(|found| {
                let encoding = found.on_board(wanted.settings);
                let revision = encoding.card().revision;
                wanted.cell(encoding, revision, false)
            }));
        }
    }
    Ok(cells)
}

/// For each encoding of a program on each board, the row that was begun last.
pub(super) type Latest<'r> = HashMap<(&'r str, Settings, &'r Instance), &'r Row>;

/// What programs printed last, as far as rows tell.
pub(super) fn latest<'r>(rows: impl Iterator<Item = &'r Row>) -> Latest<'r> {
    let rows = rows.filter(|row| program::needs_programs(&row.job.encoding));
    row::latest(rows, |row| (row.job.encoding.as_str(), row.job.settings, &row.job.instance))
}

/// The cells of each board as [`run`] gives them, but nothing is run: the rows tell the revision of
/// what a program printed last.
pub(super) fn recall(
    side: &Side<'_>,
    boards: &[&Instance],
    latest: &Latest<'_>,
) -> Vec<Vec<Option<Cell>>> {
    let mut cells = vec![Vec::with_capacity(side.wanted.len()); boards.len()];
    for (place, wanted) in side.wanted.iter().enumerate() {
        let (id, settings) = (&wanted.entry.id, wanted.settings);
        let encoding = wanted.found.on_board(settings);
        let stands_in = program::needs_programs(id);
        for (index, (&board, cells)) in boards.iter().zip(&mut cells).enumerate() {
            let row = latest.get(&(id.as_str(), settings, board));
            let revision = match row {
                Some(row) if stands_in => row.encoding_revision,
                _ => encoding.card().revision,
            };
            let cell = || wanted.cell(Arc::clone(&encoding), revision, stands_in);
            cells.push(side.needs(index, place).then(cell));
        }
    }
    cells
}
