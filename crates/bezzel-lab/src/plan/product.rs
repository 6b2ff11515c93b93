//! The cells of a matrix, built as they are asked for, without those that exclusions take out.

use super::side::Side;
use crate::backend::Reads;
use crate::config::{Arm, Config, ConfigError, Exclusion, InstanceEntry, Part};

/// The most cells that exclusions may be taken out of: boards × numberings × encodings × solvers and
/// engines, shuffles and repeats not counted.
pub(super) const MOST_CELLS: u128 = 10_000_000;

/// A cell by the places of its values on the axes of its matrix. What its arm does not read is no
/// axis for it, and has no place.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) board: usize,
    pub(super) numbering: Option<usize>,
    pub(super) encoding: Option<usize>,
    pub(super) arm: usize,
}

impl Side<'_> {
    /// The parts of a cell, those first that are compared fast.
    fn parts(&self, Place { board, numbering, encoding, arm }: Place) -> [Part<'_>; 4] {
        [
            Part::Arm(&self.matrix.arms[arm]),
            self.encoding(encoding),
            Part::Instance(&self.matrix.instances[board].instance),
            self.numbering(numbering),
        ]
    }

    /// The encoding at this place as a part of a cell.
    fn encoding(&self, place: Option<usize>) -> Part<'_> {
        place.map_or(Part::Encoding(None), |place| self.wanted[place].part())
    }

    /// The numbering at this place as a part of a cell.
    fn numbering(&self, place: Option<usize>) -> Part<'_> {
        Part::Numbering(place.map(|place| &self.matrix.numberings[place]))
    }

    /// True if an encoding, or none, has only values of settings that a board has.
    fn suits(&self, board: &InstanceEntry, encoding: Option<usize>) -> bool {
        let Some(wanted) = encoding.map(|place| &self.wanted[place]) else { return true };
        self.matrix.settings.iter().all(|values| {
            let names = board.values(values);
            // With one value for all boards, or on a board with all of them, nothing is left out.
            names.len() == values.names.len()
                || !wanted.found.has(values.axis)
                || values.axis.name(&wanted.settings).is_none_or(|name| names.contains(&name))
        })
    }

    /// True if boards have values of settings of their own.
    fn has_own_settings(&self) -> bool {
        self.matrix.instances.iter().any(|board| board.constraints.is_some())
    }

    /// True if a cell stays in: the board has its settings, and no exclusion names all of its parts.
    pub(super) fn keeps(&self, place: Place) -> bool {
        if !self.suits(&self.matrix.instances[place.board], place.encoding) {
            return false;
        }
        let is_named = |entry: &Exclusion| self.parts(place).iter().all(|part| entry.names(*part));
        !self.exclude.iter().any(is_named)
    }

    /// Refuses an exclusion that names values of every axis, but of no cell.
    pub(super) fn refuse_idle(&self, config: &Config) -> Result<(), ConfigError> {
        for entry in self.exclude {
            let boards = self.matrix.instances.iter();
            let has_board =
                boards.map(|board| Part::Instance(&board.instance)).any(|part| entry.names(part));
            let is_arm_of_cell = |arm: &Arm| {
                let mut numberings = self.numberings(arm, None).map(|(place, _)| place);
                entry.names(Part::Arm(arm))
                    && numberings.any(|place| entry.names(self.numbering(place)))
                    && self.encodings(arm).any(|place| entry.names(self.encoding(place)))
            };
            if !has_board || !self.matrix.arms.iter().any(is_arm_of_cell) {
                let message = "this takes nothing out: no cell of the matrix has all of it";
                let hint = "`bezzel run --plan` shows the axes of the plan without it";
                return Err(config.source().error(entry.place, message).hint(hint));
            }
        }
        Ok(())
    }

    /// The places of the numberings that an arm meets on a board that takes `at_most` shuffles, and how
    /// many numberings each is; a single one without a place for an arm that reads none.
    pub(super) fn numberings(
        &self,
        arm: &Arm,
        at_most: Option<u32>,
    ) -> impl Iterator<Item = (Option<usize>, u32)> {
        let (read, unread) = match arm.reads {
            Reads::Clauses => (&self.matrix.numberings[..], None),
            Reads::Board | Reads::Circuit | Reads::Formula => (&[][..], Some((None, 1))),
        };
        let read = read.iter().enumerate();
        read.map(move |(place, entry)| (Some(place), entry.count(at_most))).chain(unread)
    }

    /// The places of the encodings that an arm meets; a single one without a place for an arm that reads none.
    fn encodings(&self, arm: &Arm) -> impl Iterator<Item = Option<usize>> + use<> {
        let (read, unread) = match arm.reads {
            Reads::Board => (0, Some(None)),
            Reads::Circuit | Reads::Formula | Reads::Clauses => (self.wanted.len(), None),
        };
        (0..read).map(Some).chain(unread)
    }

    /// The number of jobs of the matrix, each run once; `None` if there are exclusions and more than
    /// `MOST_CELLS` cells.
    pub(super) fn count(&self) -> Option<u128> {
        // `numbered` is the number of boards, each in all its numberings.
        let product = |numbered: u128| {
            let arms =
                |reads| self.matrix.arms.iter().filter(|arm| arm.reads == reads).count() as u128;
            let (boards, encodings) =
                (self.matrix.instances.len() as u128, self.wanted.len() as u128);
            let circuits = encodings * (arms(Reads::Circuit) + arms(Reads::Formula));
            numbered * encodings * arms(Reads::Clauses) + boards * (circuits + arms(Reads::Board))
        };
        if self.exclude.is_empty() && !self.has_own_settings() {
            return Some(product(self.numbered()));
        }
        if product(self.matrix.instances.len() as u128 * self.matrix.numberings.len() as u128)
            > MOST_CELLS
        {
            return None;
        }
        // The boards come last, so that each has only the exclusions that name all else of a cell.
        let mut jobs = 0;
        let all: Vec<&Exclusion> = self.exclude.iter().collect();
        for arm in &self.matrix.arms {
            let of_arm = naming(&all, Part::Arm(arm));
            for encoding in self.encodings(arm) {
                let of_encoding = naming(&of_arm, self.encoding(encoding));
                for (numbering, _) in self.numberings(arm, None) {
                    let excluded = naming(&of_encoding, self.numbering(numbering));
                    let is_kept = |entry: &&InstanceEntry| {
                        self.suits(entry, encoding)
                            && !excluded
                                .iter()
                                .any(|exclusion| exclusion.names(Part::Instance(&entry.instance)))
                    };
                    let count = |entry: &InstanceEntry| {
                        let numberings = numbering.map(|place| &self.matrix.numberings[place]);
                        u128::from(numberings.map_or(1, |entries| entries.count(entry.shuffles)))
                    };
                    jobs += self.matrix.instances.iter().filter(is_kept).map(count).sum::<u128>();
                }
            }
        }
        Some(jobs)
    }

    /// The number of boards, each in all its numberings.
    pub(super) fn numbered(&self) -> u128 {
        let boards = self.matrix.instances.iter();
        let counts = boards.flat_map(|board| {
            self.matrix.numberings.iter().map(|entry| entry.count(board.shuffles))
        });
        counts.map(u128::from).sum()
    }

    /// True if some job of an encoding on a board stays in.
    pub(super) fn needs(&self, board: usize, encoding: usize) -> bool {
        (0..self.matrix.arms.len()).any(|arm| self.runs(board, Some(encoding), arm))
    }

    /// True if some job of an encoding on a board stays in for an arm that reads this.
    pub(super) fn is_read(&self, reads: Reads, board: usize, encoding: usize) -> bool {
        let mut arms = self.matrix.arms.iter().enumerate();
        arms.any(|(arm, of)| of.reads == reads && self.runs(board, Some(encoding), arm))
    }

    /// True if some job of an encoding, or of none, on a board stays in for an arm.
    pub(super) fn runs(&self, board: usize, encoding: Option<usize>, arm: usize) -> bool {
        let of = &self.matrix.arms[arm];
        if encoding.is_none() != (of.reads == Reads::Board) {
            return false;
        }
        self.numberings(of, self.matrix.instances[board].shuffles)
            .filter(|(_, count)| *count > 0)
            .any(|(numbering, _)| self.keeps(Place { board, numbering, encoding, arm }))
    }

    /// True if an encoding, or none, meets an arm somewhere.
    pub(super) fn meet(&self, encoding: Option<usize>, arm: usize) -> bool {
        let of = &self.matrix.arms[arm];
        (0..self.matrix.instances.len()).any(|board| {
            self.numberings(of, None)
                .any(|(numbering, _)| self.keeps(Place { board, numbering, encoding, arm }))
        })
    }
}

/// The exclusions among these that name a part of a cell.
fn naming<'e>(exclude: &[&'e Exclusion], part: Part<'_>) -> Vec<&'e Exclusion> {
    exclude.iter().copied().filter(|entry| entry.names(part)).collect()
}
