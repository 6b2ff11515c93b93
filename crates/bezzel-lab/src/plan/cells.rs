//! The encodings of a plan on its boards.
//!
//! A program is run for all boards at once when a run is planned. When the plan of a record is
//! found again, nothing is run: the rows know the revision of what was printed.

use std::collections::HashMap;
use std::sync::Arc;

use bezzel_encode::{Board, Constraints, Encoding, Settings, Size};

use super::fit;
use crate::config::{Config, ConfigError, EncodingEntry};
use crate::job::encoding_label;
use crate::program::{self, Programs};
use crate::row::Row;
use crate::workbench::Workbench;

/// An encoding with its settings on one board, as it stands in the matrix.
#[derive(Clone)]
pub(super) struct Cell {
    pub(super) id: String,
    takes_constraints: bool,
    pub(super) settings: Settings,
    pub(super) encoding: Arc<dyn Encoding>,
    pub(super) revision: u32,
    /// Whether the encoding stands for a program that was not run, and cannot encode.
    stands_in: bool,
}

impl Cell {
    pub(super) fn label(&self) -> String {
        encoding_label(&self.id, self.settings)
    }

    /// The set of constraints, where it is a setting.
    pub(super) fn constraints(&self) -> Option<Constraints> {
        self.takes_constraints.then_some(self.settings.constraints)
    }

    /// The size of the rules of a board, where it is known without running.
    pub(super) fn size(&self, board: &Board) -> Option<Size> {
        if self.stands_in { None } else { crate::fit::size(self.encoding.as_ref(), board) }
    }
}

/// An encoding of the config with one of the settings.
pub(super) struct Wanted<'a> {
    entry: &'a EncodingEntry,
    takes_constraints: bool,
    settings: Settings,
}

/// Every encoding under all settings; under the sets of constraints only if it takes one.
pub(super) fn wanted<'a>(
    config: &'a Config,
    workbench: &Workbench,
) -> Result<Vec<Wanted<'a>>, ConfigError> {
    let mut all = Vec::new();
    for entry in &config.encodings {
        let found = program::name(&entry.id)
            .and_then(|name| program::unrecorded(&workbench.encodings, &name))
            .map_err(|error| config.source().error(entry.place, error.to_string()))?;
        fit::refuse_unstated(config, entry, &found.card(), workbench)?;
        let takes_constraints = found.takes_constraints();
        let own = [Constraints::default()];
        for &constraints in if takes_constraints { &config.constraints[..] } else { &own } {
            for &blocked in &config.blocked {
                for &symmetry in &config.symmetry {
                    let settings = Settings { constraints, blocked, symmetry };
                    all.push(Wanted { entry, takes_constraints, settings });
                }
            }
        }
    }
    Ok(all)
}

/// The cells of each board, in the order of the encodings; programs are run.
pub(super) fn run(
    config: &Config,
    workbench: &Workbench,
    wanted: &[Wanted<'_>],
    boards: &[&Board],
) -> Result<Vec<Vec<Cell>>, ConfigError> {
    let mut programs = Programs::new(&workbench.encodings, config.limits);
    let mut cells = vec![Vec::with_capacity(wanted.len()); boards.len()];
    for &Wanted { entry, takes_constraints, settings } in wanted {
        let found = programs
            .find_each(&entry.id, settings, boards)
            .map_err(|error| config.source().error(entry.place, error.to_string()))?;
        for (found, cells) in found.iter().zip(&mut cells) {
            let encoding = found.on_board(settings);
            let revision = encoding.card().revision;
            let id = entry.id.clone();
            let stands_in = false;
            cells.push(Cell { id, takes_constraints, settings, encoding, revision, stands_in });
        }
    }
    Ok(cells)
}

/// The cells of each board as [`run`] gives them, but nothing is run: the rows tell the revision of
/// what a program printed last.
pub(super) fn recall<'r>(
    config: &Config,
    workbench: &Workbench,
    wanted: &[Wanted<'_>],
    boards: &[&Board],
    rows: impl Iterator<Item = &'r Row>,
) -> Result<Vec<Vec<Cell>>, ConfigError> {
    let mut latest: HashMap<_, &Row> = HashMap::new();
    for row in rows.filter(|row| program::needs_programs(&row.job.encoding)) {
        let of = (row.job.encoding.as_str(), row.job.settings(), &row.job.board);
        let known = latest.entry(of).or_insert(row);
        if known.started_unix_s < row.started_unix_s {
            *known = row;
        }
    }
    let mut cells = vec![Vec::with_capacity(wanted.len()); boards.len()];
    for &Wanted { entry, takes_constraints, settings } in wanted {
        let found = program::name(&entry.id)
            .and_then(|name| program::unrecorded(&workbench.encodings, &name))
            .map_err(|error| config.source().error(entry.place, error.to_string()))?;
        let encoding = found.on_board(settings);
        let stands_in = program::needs_programs(&entry.id);
        for (&board, cells) in boards.iter().zip(&mut cells) {
            let row = latest.get(&(entry.id.as_str(), settings, board));
            let revision = match row {
                Some(row) if stands_in => row.encoding_revision,
                _ => encoding.card().revision,
            };
            let (id, encoding) = (entry.id.clone(), Arc::clone(&encoding));
            cells.push(Cell { id, takes_constraints, settings, encoding, revision, stands_in });
        }
    }
    Ok(cells)
}
