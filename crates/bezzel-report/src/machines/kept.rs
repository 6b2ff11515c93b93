//! The runs on a board that compare with each other: those of one kind of machine.

use std::collections::BTreeMap;

use super::Machines;
use crate::statistics::Cell;
use crate::statistics::cell::counts;

/// The number of the kind of machine whose runs stay where these cells are compared: that of which most
/// cells have runs; of equals that of most runs, then the first in the order of the rows. None where all
/// runs are of one kind, and all stay.
///
/// What the runs took has no say in it.
pub(crate) fn kept<'c, 'a: 'c>(
    machines: &Machines<'_>,
    cells: impl IntoIterator<Item = &'c Cell<'a>>,
) -> Option<usize> {
    // How many cells have runs of each kind, and how many runs these are.
    let mut shares: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for cell in cells {
        let mut of_cell: BTreeMap<usize, usize> = BTreeMap::new();
        let rows = cell.rows.iter().filter(|row| counts(row));
        for kind in rows.filter_map(|row| machines.of(row)) {
            *of_cell.entry(kind).or_default() += 1;
        }
        for (kind, runs) in of_cell {
            let (of_cells, of_runs) = shares.entry(kind).or_default();
            *of_cells += 1;
            *of_runs += runs;
        }
    }
    if shares.len() < 2 {
        return None;
    }
    // Of equals the first, where `max_by_key` would take the last.
    shares.into_iter().rev().max_by_key(|(_, share)| *share).map(|(kind, _)| kind)
}
