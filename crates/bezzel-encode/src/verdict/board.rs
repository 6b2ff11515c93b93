//! The verdicts on a board encoding, and on any formula of a board.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Finding;
use super::correct::{self, Correct};
use super::gap::{self, Gap, Searched};
use super::lines::Lines;
use super::models::{self, Models};
use super::strength::{self, Strength};
use super::subject::{Cells, Solutions, Subject};
use crate::board::{Board, Geometry, Piece};
use crate::card::{Auxiliaries, Propagation};
use crate::draw;
use crate::encoding::Encoding;
use crate::formula::Formula;
use crate::laws::{self, search};
use crate::layout::Layout;
use crate::placement::Placement;
use crate::propagate::Propagator;
use crate::square::Square;

/// So many steps may the list of one small board's models take.
const STEPS: u64 = 2_000_000;

/// What was found out about an encoding of the whole board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardVerdict {
    /// Whether its models mean the solutions.
    pub correct: Correct,
    /// What one queen does to one attacked square, at side 8: what a card promises.
    pub one_queen: Propagation,
    /// The smallest partial board of which unit propagation misses what one line after the other
    /// implies, up to side 4; none if it misses nothing.
    pub gap_by_lines: Option<Finding>,
    /// The same for what all rules together imply.
    pub gap: Option<Finding>,
    /// The same at side 4 alone.
    pub gap_at_4: Option<Finding>,
    /// How much it finds on every board of side 4 with up to four squares known.
    pub every: Strength,
    /// How much it finds on some boards of side 8.
    pub sampled: Strength,
    /// What the auxiliary variables do to the number of models.
    pub auxiliaries: Auxiliaries,
    /// Models at sides 4, 5 and 6.
    pub models: Vec<Models>,
}

impl BoardVerdict {
    /// Finds out; none where the encoding takes no ordinary board.
    pub fn of(encoding: &dyn Encoding) -> Option<Self> {
        let plane = |side| Board::new(side).expect("small boards are allowed");
        if (1..=12).any(|side| encoding.fits(&plane(side)).is_err()) {
            return None;
        }
        let models: Vec<Models> =
            [4, 5, 6].map(|side| Case::new(encoding, &plane(side)).models()).to_vec();
        let gap = |side, implied| {
            let found = Case::new(encoding, &plane(side)).gap(implied, usize::MAX);
            found.found()
        };
        Some(Self {
            correct: correct(encoding),
            one_queen: Case::new(encoding, &plane(8)).one_queen().0,
            gap_by_lines: (1..=4).find_map(|side| gap(side, Implied::LineByLine)),
            gap: (1..=4).find_map(|side| gap(side, Implied::ByAllRules)),
            gap_at_4: gap(4, Implied::ByAllRules),
            every: Case::new(encoding, &plane(4)).strength(|_| strength::every(16, 4)),
            sampled: Case::new(encoding, &plane(8)).sampled_strength(),
            auxiliaries: models::verdict(&models),
            models,
        })
    }
}

fn correct(encoding: &dyn Encoding) -> Correct {
    let board = |side| Board::new(side).expect("small boards are allowed");
    let mut boards: Vec<Board> = (1..=8).map(board).collect();
    boards.push(board(5).with_geometry(Geometry::Torus));
    boards.push(board(3).with_piece(Piece::Rook));
    let mut correct = Correct { exhaustive: 8, ..Correct::default() };
    for board in boards.iter().filter(|board| encoding.fits(board).is_ok()) {
        let wrong = Case::new(encoding, board).wrong(STEPS);
        match wrong {
            Ok(None) => {}
            Ok(wrong) => {
                correct.wrong = wrong;
                return correct;
            }
            Err(()) => {
                correct.exhaustive = correct.exhaustive.min(board.rows() - 1);
            }
        }
    }
    for side in 9..=12 {
        let board = board(side);
        let mut case = Case::new(encoding, &board);
        correct::sample(&mut case.subject, &board, 5, side.into(), &mut correct);
        if correct.wrong.is_some() {
            break;
        }
    }
    correct
}

/// In which sense something is implied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Implied {
    /// By one line after the other.
    LineByLine,
    /// By all rules of the board together.
    ByAllRules,
}

/// The smallest gap, looked for.
pub(super) enum GapFound {
    /// There is none.
    None,
    /// There is one.
    Found(Finding),
    /// Not in as many cases as were looked at.
    Unfinished,
}

impl GapFound {
    fn found(self) -> Option<Finding> {
        match self {
            Self::Found(finding) => Some(finding),
            Self::None | Self::Unfinished => None,
        }
    }
}

/// A formula of a board.
pub(super) struct Case<'a> {
    board: &'a Board,
    formula: Formula,
    layout: Layout,
    pub(super) subject: Subject,
}

impl<'a> Case<'a> {
    pub(super) fn new(encoding: &dyn Encoding, board: &'a Board) -> Self {
        let mut formula = Formula::new();
        let layout = encoding.encode(board, &mut formula);
        Self::of(formula, layout, board)
    }

    pub(super) fn of(formula: Formula, layout: Layout, board: &'a Board) -> Self {
        let subject = Subject::of_board(&formula, &layout);
        Self { board, formula, layout, subject }
    }

    pub(super) fn models(&self) -> Models {
        Models::of(&self.formula, &self.layout.variables(), self.board.rows())
    }

    /// What the formula allows beside the solutions, as far as so many steps and wrong placements
    /// lead.
    pub(super) fn compare(
        &self,
        solutions: &BTreeSet<Placement>,
        steps: u64,
        most_wrong: u64,
    ) -> correct::Comparison {
        correct::compare(&self.formula, &self.layout, solutions, steps, most_wrong)
    }

    /// The first placement that is wrongly allowed or forbidden; an error where the steps did not
    /// suffice.
    fn wrong(&self, steps: u64) -> Result<Option<Finding>, ()> {
        let compared = self.compare(&search::solutions(self.board), steps, 1);
        match compared.first_wrong.or(compared.first_missing) {
            Some(placement) => Ok(Some(correct::wrong_placement(self.board, &placement))),
            None if compared.finished => Ok(None),
            None => Err(()),
        }
    }

    /// What one queen does to one attacked square, where that is least; and the first pair of squares
    /// of which it is so.
    pub(super) fn one_queen(&self) -> (Propagation, Option<(Square, Square)>) {
        let mut propagator = Propagator::new(&self.formula);
        let mut weakest = (Propagation::Complete, None);
        for first in self.layout.each_square() {
            for second in self.layout.each_square() {
                if first == second || !search::clash(self.board, first, second) {
                    continue;
                }
                let found =
                    laws::seen(&mut propagator, self.layout.cube(first), self.layout.cube(second));
                if found > weakest.0 {
                    weakest = (found, Some((first, second)));
                }
            }
        }
        weakest
    }

    fn solutions(&self) -> Solutions {
        let solutions = search::solutions(self.board);
        let cells = |placement: &Placement| -> Cells {
            placement.squares().map(|square| 1 << square.index(self.board.columns())).sum()
        };
        Solutions(solutions.iter().map(cells).collect())
    }

    /// The smallest gap, by what is implied in this sense.
    pub(super) fn gap(&mut self, implied: Implied, cases: usize) -> GapFound {
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
            Searched::Complete => GapFound::None,
            Searched::Unfinished => GapFound::Unfinished,
            Searched::Gap(gap) => GapFound::Found(describe(board, gap)),
        }
    }

    pub(super) fn strength(
        &mut self,
        partials: impl Fn(&Solutions) -> Vec<super::subject::Partial>,
    ) -> Strength {
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
        None => "there is no solution, and unit propagation finds no conflict".into(),
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
