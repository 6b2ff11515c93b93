//! What exclusions take out of a matrix, and how many jobs are left, found without making any.

use super::cells::Wanted;
use crate::config::{Config, ConfigError, Exclusion, Matrix};

/// The most cells that exclusions may be taken out of: boards × numberings × encodings × solvers,
/// shuffles and repeats not counted. To look at so many takes some milliseconds.
pub(super) const MOST_CELLS: u128 = 10_000_000;

/// For each value of each axis, the exclusions that name it, a bit for each. A cell is dropped if
/// some exclusion names all of its values.
pub(super) struct Dropped {
    boards: Vec<u64>,
    numberings: Vec<u64>,
    encodings: Vec<u64>,
    solvers: Vec<u64>,
}

/// A cell by the places of its values on the axes of its matrix.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) board: usize,
    pub(super) numbering: usize,
    pub(super) encoding: usize,
    pub(super) solver: usize,
}

impl Dropped {
    /// What these exclusions take out of a matrix.
    pub(super) fn new(exclude: &[Exclusion], matrix: &Matrix, wanted: &[Wanted<'_>]) -> Self {
        fn bits<T>(
            exclude: &[Exclusion],
            values: &[T],
            names: impl Fn(&Exclusion, &T) -> bool,
        ) -> Vec<u64> {
            let bits = |value: &T| {
                let named = exclude.iter().enumerate().filter(|(_, entry)| names(entry, value));
                named.fold(0, |bits, (index, _)| bits | 1 << index)
            };
            values.iter().map(bits).collect()
        }
        Self {
            boards: bits(exclude, &matrix.boards, |entry, board| entry.names_board(&board.board)),
            numberings: bits(exclude, &matrix.numberings, Exclusion::names_numbering),
            encodings: bits(exclude, wanted, |entry, wanted| wanted.is_named_by(entry)),
            solvers: bits(exclude, &matrix.solvers, Exclusion::names_solver),
        }
    }

    /// Whether a cell is taken out.
    pub(super) fn drops(&self, place: Place) -> bool {
        let Place { board, numbering, encoding, solver } = place;
        self.boards[board]
            & self.numberings[numbering]
            & self.encodings[encoding]
            & self.solvers[solver]
            != 0
    }

    /// Refuses an exclusion that names values of every axis, but of no cell.
    pub(super) fn refuse_idle(&self, config: &Config) -> Result<(), ConfigError> {
        for (index, entry) in config.exclude.iter().enumerate() {
            let named = |axis: &[u64]| axis.iter().any(|bits| bits >> index & 1 == 1);
            if ![&self.boards, &self.numberings, &self.encodings, &self.solvers]
                .iter()
                .all(|axis| named(axis))
            {
                let message = "this takes nothing out: no cell of the matrix has all of it";
                let hint = "`bezzel run --plan` shows the axes of the plan without it";
                return Err(config.source().error(entry.place, message).hint(hint));
            }
        }
        Ok(())
    }
}

/// The number of jobs of a matrix, each run once; nothing, if there are too many cells to look at
/// what is dropped.
pub(super) fn count(matrix: &Matrix, encodings: usize, dropped: Option<&Dropped>) -> Option<u128> {
    let arms = encodings as u128 * matrix.solvers.len() as u128;
    let Some(dropped) = dropped else { return Some(numbered(matrix) * arms) };
    let cells = matrix.boards.len() as u128 * matrix.numberings.len() as u128 * arms;
    if cells > MOST_CELLS {
        return None;
    }
    let mut jobs = 0;
    for (board, entry) in matrix.boards.iter().enumerate() {
        for (numbering, numbered) in matrix.numberings.iter().enumerate() {
            let count = u128::from(numbered.count(entry.shuffles));
            for encoding in 0..encodings {
                let kept = (0..matrix.solvers.len())
                    .filter(|&solver| !dropped.drops(Place { board, numbering, encoding, solver }));
                jobs += count * kept.count() as u128;
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
