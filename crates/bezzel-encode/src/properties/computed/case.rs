//! A formula of a board, and what can be asked of it.

use std::collections::BTreeSet;

use bezzel_problem::queens::{draw, search};
use bezzel_problem::{Board, Placement, Square};
use serde::Serialize;

use super::super::Finding;
use super::super::meaning::{Bounds, Meaning};
use super::correct;
use super::gap::{self, Gap, Searched};
use super::lines::Lines;
use super::models::{self, Models};
use super::seen::seen;
use super::strength::{self, Strength};
use super::subject::{Cells, Partial, Solutions, Subject};
use crate::card::Propagation;
use crate::encoding::Encoding;
use crate::formula::Formula;
use crate::propagate::Propagator;
use crate::var_map::VarMap;

/// In which sense something is implied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Implied {
    /// By one line after the other.
    LineByLine,
    /// By all rules of the board together.
    ByAllRules,
}

/// A consequence that unit propagation misses, searched from the fewest known squares on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missed {
    /// Nothing.
    Nothing,
    /// This, and nothing was met where fewer squares are known.
    First(Finding),
    /// Nothing where at most so many squares are known; beyond it was not looked for.
    NothingUpTo(u32),
}

impl Missed {
    /// The missed consequence.
    pub fn found(self) -> Option<Finding> {
        match self {
            Self::First(finding) => Some(finding),
            Self::Nothing | Self::NothingUpTo(_) => None,
        }
    }
}

/// A formula of a board.
pub(in super::super) struct Case<'a> {
    board: &'a Board,
    formula: Formula,
    map: VarMap,
    pub(super) subject: Subject,
}

impl<'a> Case<'a> {
    pub(in super::super) fn new(encoding: &dyn Encoding, board: &'a Board) -> Self {
        let mut formula = Formula::new();
        let map = encoding.encode(&board.problem(), &mut formula);
        Self::of(formula, map, board)
    }

    pub(super) fn of(formula: Formula, map: VarMap, board: &'a Board) -> Self {
        let subject = Subject::of_board(&formula, &map);
        Self { board, formula, map, subject }
    }

    /// The placements that the formula allows.
    pub(super) fn meaning(
        &self,
        solutions: &BTreeSet<Placement>,
        bounds: Bounds,
    ) -> Meaning<Placement> {
        Meaning::of_board(&self.formula, self.board, &self.map, solutions, bounds)
    }

    /// Models per solution.
    pub(super) fn models(&self) -> Models {
        let solutions = search::solutions(self.board);
        let meaning = |bounds| self.meaning(&solutions, bounds);
        Models::of(self.board.rows(), models::STEPS, meaning).0
    }

    /// The first placement that is wrongly allowed or forbidden; an error where the steps did not
    /// suffice.
    pub(super) fn wrong(&self, steps: u64) -> Result<Option<Finding>, ()> {
        let meaning =
            self.meaning(&search::solutions(self.board), Bounds { steps, ..Bounds::FIRST });
        match meaning.fault(self.board) {
            Some(fault) => Ok(Some(correct::on_board(self.board, fault))),
            None if meaning.finished => Ok(None),
            None => Err(()),
        }
    }

    /// The least effect of one queen on one attacked square; and the first pair of squares
    /// of which it is so.
    pub(in super::super) fn one_queen(&self) -> (Propagation, Option<(Square, Square)>) {
        let mut propagator = Propagator::new(&self.formula);
        let mut weakest = (Propagation::Complete, None);
        for first in self.board.each_square() {
            let clash =
                |&second: &Square| first != second && search::clash(self.board, first, second);
            let attacked: Vec<Square> = self.board.each_square().filter(clash).collect();
            // What the queen rules out at once needs no second look.
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

    pub(super) fn solutions(&self) -> Solutions {
        let solutions = search::solutions(self.board);
        let cells = |placement: &Placement| -> Cells {
            placement.squares().map(|square| 1 << square.index(self.board.columns())).sum()
        };
        Solutions(solutions.iter().map(cells).collect())
    }

    /// The smallest gap, by what is implied in this sense.
    pub(super) fn gap(&mut self, implied: Implied, cases: usize) -> Missed {
        let board = self.board;
        let cells = self.subject.cells();
        let searched = match implied {
            Implied::LineByLine => {
                let lines = Lines::new(board);
                gap::smallest(&mut self.subject, |given| lines.close(given), cases)
            }
            Implied::ByAllRules => {
                let solutions = self.solutions();
                gap::smallest(&mut self.subject, |given| solutions.implied(given, cells), cases)
            }
        };
        match searched {
            Searched::Complete => Missed::Nothing,
            Searched::Unfinished(known) => Missed::NothingUpTo(known),
            Searched::Gap(gap) => Missed::First(describe(board, gap)),
        }
    }

    pub(super) fn strength(&mut self, partials: impl Fn(&Solutions) -> Vec<Partial>) -> Strength {
        let solutions = self.solutions();
        let partials = partials(&solutions);
        Strength::of(&mut self.subject, &solutions, &Lines::new(self.board), partials)
    }

    /// The strength on partial boards made by a fixed seed, the same for every formula.
    pub(super) fn sampled_strength(&mut self) -> Strength {
        let board = self.board;
        self.strength(|solutions| strength::sample(board, solutions, 1000, 1848))
    }
}

fn describe(board: &Board, Gap { given, missed }: Gap) -> Finding {
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
        let holds = |cells: Cells| cells >> cell & 1 == 1;
        match missed {
            Some((missed, _)) if missed as usize == cell => draw::POINT,
            _ if holds(given.on) || board.placed().contains(&square) => draw::QUEEN,
            _ if holds(given.off) || board.blocked().contains(&square) => draw::EMPTY,
            _ => draw::OPEN,
        }
    });
    Finding { what: format!("the board {board}: {what}"), drawing }
}
