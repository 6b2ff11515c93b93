//! How much of what is compared was measured on unlike machines.

use std::collections::BTreeMap;
use std::hash::Hash;

use bezzel_lab::Row;

use super::Machines;
use crate::contest::is_unchecked;
use crate::material::Material;
use crate::statistics::Place;
use crate::statistics::cell::counts;
use indexmap::IndexSet;

/// How many pairs of cells are compared, and how many of them across kinds of machine. A pair are two
/// cells on one board that differ in one of encoding, numbering and solver alone, or what two engines
/// were asked for on one board. What nobody checked is compared with nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unlike {
    /// The pairs.
    pub pairs: usize,
    /// Those of them whose runs are not all of one kind of machine.
    pub across: usize,
    /// The cells whose own runs, the replicates, are of several kinds.
    pub mixed: usize,
}

/// The kind of machine of the runs of a cell, by its number.
#[derive(Clone, Copy)]
enum Measured {
    OnOne(usize),
    OnSeveral,
}

impl Unlike {
    /// Counts all that is compared. Nothing is counted where there is one kind of machine.
    pub fn of(material: &Material<'_>) -> Self {
        if material.machines.kinds().len() < 2 {
            return Self::default();
        }
        let cells = cells(material);
        let engines = material.lineup.trials.iter().filter_map(|trial| {
            Some(((trial.task, trial.board), measured(&material.machines, &trial.rows)?))
        });
        let engines: Vec<_> = engines.collect();
        let beside = |what_is_held: fn(Place) -> [usize; 3]| {
            paired(cells.iter().map(|&(place, measured)| (what_is_held(place), measured)))
        };
        let pairs = [
            beside(|place| [place.board, place.solver, place.numbering]),
            beside(|place| [place.board, place.solver, place.encoding]),
            beside(|place| [place.board, place.numbering, place.encoding]),
            paired(engines.iter().copied()),
        ];
        let all = cells.iter().map(|cell| cell.1).chain(engines.iter().map(|engine| engine.1));
        Self {
            pairs: pairs.iter().map(|pairs| pairs.0).sum(),
            across: pairs.iter().map(|pairs| pairs.1).sum(),
            mixed: mixed(all),
        }
    }

    /// Counts the pairs of encodings alone, under a numbering in each solver.
    pub fn of_encodings(material: &Material<'_>, numbering: usize) -> Self {
        if material.machines.kinds().len() < 2 {
            return Self::default();
        }
        let mut cells = cells(material);
        cells.retain(|(place, _)| place.numbering == numbering);
        let held = |place: Place| [place.board, place.solver];
        let (pairs, across) = paired(cells.iter().map(|&(place, on)| (held(place), on)));
        Self { pairs, across, mixed: mixed(cells.iter().map(|cell| cell.1)) }
    }

    /// Whether everything that is compared was measured on machines of one kind.
    pub fn is_none(self) -> bool {
        self.across == 0 && self.mixed == 0
    }
}

/// The cells of solvers that are compared with others, with the kinds of their runs.
fn cells(material: &Material<'_>) -> Vec<(Place, Measured)> {
    let cells = material.cells.iter().filter(|cell| !is_unchecked(cell));
    let cells =
        cells.filter_map(|cell| Some((cell.place, measured(&material.machines, &cell.rows)?)));
    cells.collect()
}

/// On what the runs that count were measured; nothing if there are none.
fn measured(machines: &Machines<'_>, rows: &[&Row]) -> Option<Measured> {
    let rows = rows.iter().filter(|row| counts(row));
    let mut kinds = rows.filter_map(|row| machines.of(row));
    let first = kinds.next()?;
    let alike = kinds.all(|kind| kind == first);
    Some(if alike { Measured::OnOne(first) } else { Measured::OnSeveral })
}

fn mixed(cells: impl Iterator<Item = Measured>) -> usize {
    cells.filter(|measured| matches!(measured, Measured::OnSeveral)).count()
}

/// How many pairs there are of those with the same key, and how many of these are across kinds.
fn paired<K: Hash + Eq>(cells: impl Iterator<Item = (K, Measured)>) -> (usize, usize) {
    let mut roll = IndexSet::new();
    let mut groups: Vec<Vec<Measured>> = Vec::new();
    for (key, measured) in cells {
        let number = roll.insert_full(key).0;
        groups.resize(roll.len(), Vec::new());
        groups[number].push(measured);
    }
    let pairs_of = |things: usize| things * things.saturating_sub(1) / 2;
    let (mut pairs, mut across) = (0, 0);
    for group in groups {
        let mut of_kinds: BTreeMap<usize, usize> = BTreeMap::new();
        for measured in &group {
            if let Measured::OnOne(kind) = measured {
                *of_kinds.entry(*kind).or_default() += 1;
            }
        }
        let alike: usize = of_kinds.values().map(|&cells| pairs_of(cells)).sum();
        pairs += pairs_of(group.len());
        across += pairs_of(group.len()) - alike;
    }
    (pairs, across)
}
