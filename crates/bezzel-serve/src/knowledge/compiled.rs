//! All solutions of a board as a diagram, which placed pieces restrict.
//!
//! The unrestricted diagram is kept, and taking a piece back is nothing but another restriction of
//! it, as T. Nielsen and M. Faartoft do it ("Solving the N-Queens Problem: Interactive Configuration
//! using Binary Decision Diagrams"). Theirs is made by operations from the rules; this one straight
//! from the board, zero-suppressed, which is smaller and takes milliseconds.

use std::sync::atomic::AtomicU64;

use bezzel_count::diagram::{Builder, Diagram, Kind, Ref, Restricted};
use bezzel_count::direct::{Code, Direct};
use bezzel_count::{Budget, Halt};
use bezzel_encode::Var;
use bezzel_problem::{Board, Placement, Square};
use bezzel_solve::Interrupt;
use num_bigint::BigUint;

use super::{Oracle, Stopped, is_hopeless, without_pieces};

/// All solutions of a board, whatever is placed on it.
#[derive(Clone, Debug)]
pub struct Compiled {
    board: Board,
    diagram: Diagram,
}

impl Compiled {
    /// Compiles the board without its placed pieces. How many nodes and states are kept is told in
    /// `progress`, from time to time.
    ///
    /// # Errors
    ///
    /// When the budget is spent.
    pub fn new(board: &Board, budget: Budget<'_>, progress: &AtomicU64) -> Result<Self, Halt> {
        let board = without_pieces(board);
        if is_hopeless(&board) {
            let nothing = Builder::new(Kind::Zdd, Vec::new(), budget).finish(Ref::FALSE);
            return Ok(Self { board, diagram: nothing });
        }
        // A board too wide for machine words would need more nodes than anybody has.
        let direct = Direct::new(&board).ok_or(Halt::Nodes(budget.nodes))?;
        let (diagram, _) = direct.diagram_watched(Kind::Zdd, Code::OneHot, budget, progress)?;
        Ok(Self { board, diagram })
    }

    /// The number of nodes, terminals not counted.
    pub fn nodes(&self) -> usize {
        self.diagram.nodes()
    }

    /// The memory that the nodes take, in bytes.
    pub fn bytes(&self) -> u64 {
        self.diagram.bytes()
    }

    /// The number of solutions with pieces on these squares, and for each square of the board, row
    /// by row, the number of those that use it.
    pub fn counts(&self, held: &[Square]) -> (BigUint, Vec<BigUint>) {
        let marginals = self.under(held).marginals();
        let mut each = vec![BigUint::ZERO; self.board.squares() as usize];
        for (var, count) in self.diagram.order().iter().zip(marginals.each) {
            each[var.idx()] = count;
        }
        (marginals.total, each)
    }

    /// Solution number `number`, counted from 0 in reading order, of those with pieces on these
    /// squares; `None` if there are not so many.
    pub fn nth(&self, held: &[Square], number: &BigUint) -> Option<Placement> {
        let model = self.under(held).counts().kth(number)?;
        Some(model.into_iter().map(|var| self.square(var)).collect())
    }

    /// The board as somebody who is asked for one solution after the other, until the interrupt is
    /// raised.
    pub fn until<'a>(&'a self, interrupt: &'a Interrupt) -> Until<'a> {
        Until { compiled: self, interrupt }
    }

    /// The diagram with pieces on these squares.
    fn under(&self, held: &[Square]) -> Restricted<'_> {
        self.diagram.restricted(|var| held.contains(&self.square(var)).then_some(true))
    }

    /// The square of a variable: they are numbered row by row.
    fn square(&self, var: Var) -> Square {
        let columns = self.board.columns();
        Square::new(var.idx() as u32 / columns, var.idx() as u32 % columns)
    }
}

/// A compiled board that can be stopped between two passes over its nodes. A pass goes on to its end,
/// which is a matter of milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Until<'a> {
    compiled: &'a Compiled,
    interrupt: &'a Interrupt,
}

impl Oracle for Until<'_> {
    fn solution(&mut self, held: &[Square]) -> Result<Option<Placement>, Stopped> {
        if self.interrupt.is_raised() {
            return Err(Stopped);
        }
        Ok(self.compiled.nth(held, &BigUint::ZERO))
    }
}
