//! What exclusions take out of a matrix, and how many jobs are left, found without making any.

use super::cell::Wanted;
use crate::backend::Reads;
use crate::config::{Arm, Config, ConfigError, Exclusion, Matrix, Part};

/// The most cells that exclusions may be taken out of: boards × numberings × encodings × solvers and
/// engines, shuffles and repeats not counted. To look at so many takes some milliseconds.
pub(super) const MOST_CELLS: u128 = 10_000_000;

/// For each value of each axis, the exclusions that name it, a bit for each. A cell is dropped if
/// some exclusion names all of its values.
pub(super) struct Dropped {
    boards: Vec<u64>,
    numberings: Vec<u64>,
    encodings: Vec<u64>,
    arms: Vec<u64>,
    /// The exclusions that name no numbering, and those that name nothing of encodings.
    any_numbering: u64,
    any_encoding: u64,
}

/// A cell by the places of its values on the axes of its matrix. What its arm does not read is no
/// axis for it, and has no place.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) board: usize,
    pub(super) numbering: Option<usize>,
    pub(super) encoding: Option<usize>,
    pub(super) arm: usize,
}

impl Dropped {
    /// What these exclusions take out of a matrix.
    pub(super) fn new(exclude: &[Exclusion], matrix: &Matrix, wanted: &[Wanted<'_>]) -> Self {
        let bits = |part: Part<'_>| {
            let named = exclude.iter().enumerate().filter(|(_, entry)| entry.names(part));
            named.fold(0, |bits, (index, _)| bits | 1 << index)
        };
        let boards = matrix.boards.iter().map(|entry| bits(Part::Board(&entry.board)));
        let numberings = matrix.numberings.iter().map(|entry| bits(Part::Numbering(Some(entry))));
        Self {
            boards: boards.collect(),
            numberings: numberings.collect(),
            encodings: wanted.iter().map(|wanted| bits(wanted.part())).collect(),
            arms: matrix.arms.iter().map(|arm| bits(Part::Arm(arm))).collect(),
            any_numbering: bits(Part::Numbering(None)),
            any_encoding: bits(Part::Encoding(None)),
        }
    }

    /// Whether a cell is taken out.
    pub(super) fn drops(&self, place: Place) -> bool {
        let Place { board, numbering, encoding, arm } = place;
        self.boards[board]
            & numbering.map_or(self.any_numbering, |numbering| self.numberings[numbering])
            & encoding.map_or(self.any_encoding, |encoding| self.encodings[encoding])
            & self.arms[arm]
            != 0
    }

    /// Refuses an exclusion that names values of every axis, but of no cell.
    pub(super) fn refuse_idle(&self, config: &Config) -> Result<(), ConfigError> {
        let union = |axis: &[u64]| axis.iter().fold(0, |union, bits| union | bits);
        let boards = union(&self.boards);
        let (numberings, encodings) = (union(&self.numberings), union(&self.encodings));
        let named = config.matrix.arms.iter().zip(&self.arms).fold(0, |named, (arm, bits)| {
            let read = match arm.reads {
                Reads::Board => self.any_numbering & self.any_encoding,
                Reads::Circuit | Reads::Formula => self.any_numbering & encodings,
                Reads::Clauses => numberings & encodings,
            };
            named | bits & boards & read
        });
        for (index, entry) in config.exclude.iter().enumerate() {
            if named >> index & 1 == 0 {
                let message = "this takes nothing out: no cell of the matrix has all of it";
                let hint = "`bezzel run --plan` shows the axes of the plan without it";
                return Err(config.source().error(entry.place, message).hint(hint));
            }
        }
        Ok(())
    }
}

/// The places of the numberings that an arm meets on a board that takes `at_most` shuffles, and how
/// many numberings each is; a single one without a place for an arm that reads none.
pub(super) fn numberings(
    matrix: &Matrix,
    arm: &Arm,
    at_most: Option<u32>,
) -> impl Iterator<Item = (Option<usize>, u32)> {
    let (read, unread) = match arm.reads {
        Reads::Clauses => (&matrix.numberings[..], None),
        Reads::Board | Reads::Circuit | Reads::Formula => (&[][..], Some((None, 1))),
    };
    let read = read.iter().enumerate();
    read.map(move |(place, entry)| (Some(place), entry.count(at_most))).chain(unread)
}

/// The places of the encodings that an arm meets, of so many; a single one without a place for an arm
/// that reads none.
pub(super) fn encodings(
    encodings: usize,
    arm: &Arm,
) -> impl Iterator<Item = Option<usize>> + use<> {
    let (read, unread) = match arm.reads {
        Reads::Board => (0, Some(None)),
        Reads::Circuit | Reads::Formula | Reads::Clauses => (encodings, None),
    };
    (0..read).map(Some).chain(unread)
}

/// The number of jobs of a matrix, each run once; nothing, if there are too many cells to look at
/// what is dropped.
pub(super) fn count(matrix: &Matrix, encodings: usize, dropped: Option<&Dropped>) -> Option<u128> {
    // Of a board in each of its numberings, of which there are so many, and of a board in one.
    let product = |numbered: u128| {
        let arms = |reads| matrix.arms.iter().filter(|arm| arm.reads == reads).count() as u128;
        let (boards, encodings) = (matrix.boards.len() as u128, encodings as u128);
        let circuits = encodings * (arms(Reads::Circuit) + arms(Reads::Formula));
        numbered * encodings * arms(Reads::Clauses) + boards * (circuits + arms(Reads::Board))
    };
    let Some(dropped) = dropped else { return Some(product(numbered(matrix))) };
    if product(matrix.boards.len() as u128 * matrix.numberings.len() as u128) > MOST_CELLS {
        return None;
    }
    let mut jobs = 0;
    for (board, entry) in matrix.boards.iter().enumerate() {
        for (arm, of) in matrix.arms.iter().enumerate() {
            for (numbering, count) in numberings(matrix, of, entry.shuffles) {
                let kept = self::encodings(encodings, of)
                    .filter(|&encoding| !dropped.drops(Place { board, numbering, encoding, arm }));
                jobs += u128::from(count) * kept.count() as u128;
            }
        }
    }
    Some(jobs)
}

/// The number of boards, each in all its numberings.
pub(super) fn numbered(matrix: &Matrix) -> u128 {
    let boards = matrix.boards.iter();
    let counts =
        boards.flat_map(|board| matrix.numberings.iter().map(|entry| entry.count(board.shuffles)));
    counts.map(u128::from).sum()
}
