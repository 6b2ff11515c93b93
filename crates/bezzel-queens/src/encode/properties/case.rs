//! A formula of a board, and its queries.

use std::collections::BTreeSet;

use bezzel_encode::propagate::Propagator;
use bezzel_encode::properties::gap::{
    self, CellSet, ExaminedFormula, Gap, GapSearchResult, PartialAssignment, SolutionSet, seen,
};
use bezzel_encode::properties::meaning::{self, EnumerationBounds, Meaning};
use bezzel_encode::properties::{ModelCounts, PropertyFinding};
use bezzel_encode::{Encoding, Formula, Propagation, VarMap};
use serde::Serialize;

use super::correct;
use super::meaning::{fault, of_board};
use super::strength::{self, LineBoard, Strength};
use crate::{Board, Placement, Square, draw, search};

/// The rules by which something is implied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConsequenceRules {
    /// By one line after the other.
    LineByLine,
    /// By all rules of the board together.
    ByAllRules,
}

/// A consequence that unit propagation misses, searched from the fewest known squares on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissedConsequence {
    /// There is none.
    Nothing,
    /// This consequence, and none where fewer squares are known.
    First(PropertyFinding),
    /// None where at most this number of squares are known; with more it was not searched.
    NothingUpTo(u32),
}

impl MissedConsequence {
    /// The missed consequence.
    pub fn found(self) -> Option<PropertyFinding> {
        match self {
            Self::First(finding) => Some(finding),
            Self::Nothing | Self::NothingUpTo(_) => None,
        }
    }
}

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
        Self::of(formula, map, board)
    }

    pub(super) fn of(formula: Formula, map: VarMap, board: &'a Board) -> Self {
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

    pub(super) fn solutions(&self) -> SolutionSet {
        let solutions = search::solutions(self.board);
        let cells = |placement: &Placement| -> CellSet {
            placement.squares().map(|square| 1 << square.index(self.board.columns())).sum()
        };
        SolutionSet(solutions.iter().map(cells).collect())
    }

    /// The smallest gap, by the consequences of these rules.
    pub(super) fn gap(&mut self, implied: ConsequenceRules, cases: usize) -> MissedConsequence {
        let board = self.board;
        let cells = self.subject.cells();
        let searched = match implied {
            ConsequenceRules::LineByLine => {
                let lines = LineBoard::new(board);
                gap::smallest(&mut self.subject, |given| lines.close(given), cases)
            }
            ConsequenceRules::ByAllRules => {
                let solutions = self.solutions();
                gap::smallest(&mut self.subject, |given| solutions.implied(given, cells), cases)
            }
        };
        match searched {
            GapSearchResult::Complete => MissedConsequence::Nothing,
            GapSearchResult::Unfinished(known) => MissedConsequence::NothingUpTo(known),
            GapSearchResult::Gap(gap) => MissedConsequence::First(describe(board, gap)),
        }
    }

    pub(super) fn strength(
        &mut self,
        partials: impl Fn(&SolutionSet) -> Vec<PartialAssignment>,
    ) -> Strength {
        let solutions = self.solutions();
        let partials = partials(&solutions);
        Strength::of(&mut self.subject, &solutions, &LineBoard::new(self.board), partials)
    }

    /// The strength on partial boards made by a fixed seed, the same for every formula.
    pub(super) fn sampled_strength(&mut self) -> Strength {
        let board = self.board;
        self.strength(|solutions| strength::sample(board, solutions, 1000, 1848))
    }
}

fn describe(board: &Board, Gap { given, missed }: Gap) -> PropertyFinding {
    let square = |cell: u32| Square::new(cell / board.columns(), cell % board.columns());
    let what = match missed {
        Some((cell, true)) => {
            format!("a queen must stand on {}, and unit propagation does not find it", square(cell))
        }
        Some((cell, false)) => {
            format!("no queen can stand on {}, and unit propagation does not find it", square(cell))
        }
        None => "no solution goes on from here, and unit propagation finds no conflict".into(),
    };
    let drawing = draw::board(board.rows(), board.columns(), |square| {
        let cell = square.index(board.columns());
        let holds = |cells: CellSet| cells >> cell & 1 == 1;
        match missed {
            Some((missed, _)) if missed as usize == cell => draw::POINT,
            _ if holds(given.on) || board.placed().contains(&square) => draw::QUEEN,
            _ if holds(given.off) || board.blocked().contains(&square) => draw::EMPTY,
            _ => draw::OPEN,
        }
    });
    PropertyFinding { what: format!("the board {board}: {what}"), drawing }
}
