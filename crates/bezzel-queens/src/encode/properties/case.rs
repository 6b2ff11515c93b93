//! A formula of a board, and its queries.

use std::collections::BTreeSet;

use bezzel_encode::propagate::Propagator;
use bezzel_encode::properties::gap::{ExaminedFormula, seen};
use bezzel_encode::properties::meaning::{self, EnumerationBounds, Meaning};
use bezzel_encode::properties::{ModelCounts, PropertyFinding};
use bezzel_encode::{Encoding, Formula, Propagation, VarMap};

use super::correct;
use super::meaning::{fault, of_board};
use crate::{Board, Placement, Square, search};

/// A formula of a board.
pub(super) struct Case<'a> {
    board: &'a Board,
    formula: Formula,
    map: VarMap,
    pub(super) subject: ExaminedFormula,
}

impl<'a> Case<'a> {
    pub(super) fn new(encoding: &dyn Encoding, board: &'a Board) -> Self {
        let mut formula = Formula::new();
        let map = encoding.encode(&board.problem(), &mut formula);
        let subject = ExaminedFormula::of_problem(&formula, &map);
        Self { board, formula, map, subject }
    }

    /// The placements that the formula allows.
    pub(super) fn meaning(
        &self,
        solutions: &BTreeSet<Placement>,
        bounds: EnumerationBounds,
    ) -> Meaning<Placement> {
        of_board(&self.formula, self.board, &self.map, solutions, bounds)
    }

    /// Models per solution.
    pub(super) fn models(&self) -> ModelCounts {
        let solutions = search::solutions(self.board);
        let meaning = |bounds| self.meaning(&solutions, bounds);
        ModelCounts::of(self.board.rows(), meaning::STEPS, meaning).0
    }

    /// The first placement that is wrongly allowed or forbidden; an error where the steps did not suffice.
    pub(super) fn wrong(&self, steps: u64) -> Result<Option<PropertyFinding>, ()> {
        let meaning = self.meaning(
            &search::solutions(self.board),
            EnumerationBounds { steps, ..EnumerationBounds::FIRST },
        );
        match fault(&meaning, self.board) {
            Some(fault) => Ok(Some(correct::on_board(self.board, fault))),
            None if meaning.finished => Ok(None),
            None => Err(()),
        }
    }

    /// The least effect of one queen on one attacked square; and the first pair of squares with this effect.
    pub(super) fn one_queen(&self) -> (Propagation, Option<(Square, Square)>) {
        let mut propagator = Propagator::new(&self.formula);
        let mut weakest = (Propagation::Complete, None);
        for first in self.board.each_square() {
            let clash =
                |&second: &Square| first != second && search::clash(self.board, first, second);
            let attacked: Vec<Square> = self.board.each_square().filter(clash).collect();
            // Squares that the queen excludes at once need no second test.
            let before = propagator.trail().len();
            let queen = self
                .map
                .cube(self.board.candidate(first))
                .iter()
                .try_for_each(|&lit| propagator.assume(lit));
            let left: Vec<Square> = attacked
                .into_iter()
                .filter(|&second| {
                    let ruled_out = || {
                        self.map
                            .cube(self.board.candidate(second))
                            .iter()
                            .any(|&lit| propagator.fails(lit))
                    };
                    queen.is_ok() && !ruled_out()
                })
                .collect();
            propagator.undo(before);
            for second in left {
                let found = seen(
                    &mut propagator,
                    self.map.cube(self.board.candidate(first)),
                    self.map.cube(self.board.candidate(second)),
                );
                if found > weakest.0 {
                    weakest = (found, Some((first, second)));
                }
                if found == Propagation::Weak {
                    return weakest;
                }
            }
        }
        weakest
    }
}
