//! Direct encodings: one variable per square, and an at-most-one encoding on every line.
//!
//! *Clauses.* Rows and columns hold at least one queen (one clause each) and at most one (the
//! at-most-one encoding); diagonals and antidiagonals of two or more squares at most one. Which
//! of the redundant ones are stated is said by [`Constraints`].
//!
//! *Size on the plane of side n*, for an at-most-one of cost f(n) and the full constraints: n²
//! variables and 2n clauses of n literals, and (2n + 2)·f(n) + 4·(f(2) + … + f(n − 1)). On the
//! torus 4n·f(n) in place of the latter.
//!
//! *Blocked squares* ([`Blocked`]) are left to the solver as unit clauses, or taken off their lines
//! as well: f is then asked for a line's number of free squares, and a row without one is the empty
//! clause.
//!
//! *Input order* ([`InputOrder`](crate::InputOrder)): the at-most-one encoding gets the literals of each
//! line in this order. Sizes do not depend on it.
//!
//! *Propagation and models.* Those of the at-most-one encoding. Where at most one queen per row or
//! per column is left implied, two queens there are found to conflict only by search: propagation
//! is weak then, whatever the at-most-one does.

use std::collections::HashMap;
use std::sync::Arc;

use bezzel_problem::{Board, Family, Square};
use rustsat::types::Lit;

use super::Encoding;
use super::mixture::Mixture;
use crate::amo::AtMostOne;
use crate::card::{Card, Propagation};
use crate::constraints::{Constraints, Misfit};
use crate::layout::Layout;
use crate::settings::{Blocked, Settings};
use crate::sink::ClauseSink;
use crate::size::Size;

/// An at-most-one encoding lifted to the board.
#[derive(Clone)]
pub struct Direct {
    mixture: Mixture,
    settings: Settings,
}

impl Direct {
    /// Lifts `at_most_one` to the board under these settings, of which symmetry is not its own.
    pub fn new(at_most_one: &Arc<dyn AtMostOne>, settings: impl Into<Settings>) -> Self {
        Self::mixed(Mixture::pure(at_most_one), settings)
    }

    /// Lifts an encoding for each family of lines to the board under these settings.
    pub fn mixed(mixture: Mixture, settings: impl Into<Settings>) -> Self {
        Self { mixture, settings: settings.into() }
    }

    /// The set of constraints that is stated.
    fn constraints(&self) -> Constraints {
        self.settings.constraints.unwrap_or_default()
    }

    /// How many squares of each line of a family are encoded, in the order of the lines.
    pub fn lengths(
        board: &Board,
        family: Family,
        blocked: Blocked,
    ) -> impl Iterator<Item = u64> + use<> {
        let mut missing: HashMap<Square, u64> = HashMap::new();
        if blocked == Blocked::Simplified {
            for &square in board.blocked() {
                *missing.entry(board.line_through(square, family).start()).or_default() += 1;
            }
        }
        let lines = board.lines(family);
        lines.map(move |line| line.len() as u64 - missing.get(&line.start()).unwrap_or(&0))
    }

    /// Whether a square stays on its lines.
    fn is_on_lines(&self, board: &Board) -> impl Fn(Square) -> bool + use<> {
        let columns = board.columns();
        let mut left_out = Vec::new();
        if self.settings.blocked == Blocked::Simplified && !board.blocked().is_empty() {
            left_out.resize(board.squares() as usize, false);
            for square in board.blocked() {
                left_out[square.index(columns)] = true;
            }
        }
        move |square| left_out.is_empty() || !left_out[square.index(columns)]
    }

    /// Whether lines of this family are stated to hold at least one queen, and at most one.
    fn stated(&self, family: Family) -> (bool, bool) {
        match family {
            Family::Rows => (true, self.constraints().row_at_most_one()),
            Family::Columns => {
                (self.constraints().column_at_least_one(), self.constraints().column_at_most_one())
            }
            Family::Diagonals | Family::Antidiagonals => (false, true),
        }
    }
}

impl Encoding for Direct {
    fn card(&self) -> Card {
        let card = self.mixture.card();
        let all_stated =
            self.constraints().row_at_most_one() && self.constraints().column_at_most_one();
        Card {
            propagation: if all_stated { card.propagation } else { Propagation::Weak },
            constraints: [
                self.constraints().describe().into(),
                self.settings.blocked.describe().into(),
                self.settings.input_order.describe(),
            ]
            .concat(),
            ..card
        }
    }

    fn fits(&self, board: &Board) -> Result<(), Misfit> {
        self.constraints().fits(board)
    }

    fn size(&self, board: &Board) -> Option<Size> {
        let mut size = Size::new(board.squares().into(), 0, 0);
        for &family in board.families() {
            let (at_least_one, at_most_one) = self.stated(family);
            let part = self.mixture.of(family);
            for squares in Self::lengths(board, family, self.settings.blocked) {
                size += match (at_least_one, at_most_one) {
                    (true, true) => part.exactly_one_size(squares)?,
                    (true, false) => Size::new(0, 1, squares.into()),
                    (false, true) => part.size(squares)?,
                    (false, false) => Size::default(),
                };
            }
        }
        Some(size)
    }

    fn rules(&self, board: &Board, out: &mut dyn ClauseSink) -> Layout {
        out.section(board.families()[0].id());
        let squares = out.fresh(board.squares());
        let is_on_lines = self.is_on_lines(board);
        let mut xs: Vec<Lit> = Vec::with_capacity(board.rows().max(board.columns()) as usize);
        for &family in board.families() {
            let (at_least_one, at_most_one) = self.stated(family);
            let part = self.mixture.of(family);
            out.section(family.id());
            for (number, line) in (1..).zip(board.lines(family)) {
                out.line(number);
                xs.clear();
                let line = line.filter(|&square| is_on_lines(square));
                xs.extend(line.map(|square| squares.lit(square.index(board.columns()) as u32)));
                self.settings.input_order.arrange(&mut xs, family, number);
                match (at_least_one, at_most_one) {
                    (true, true) => part.exactly_one(&xs, out),
                    (true, false) => out.clause(&xs),
                    (false, true) => part.encode(&xs, out),
                    (false, false) => {}
                }
            }
        }
        Layout::one_per_square(board, squares)
    }
}
