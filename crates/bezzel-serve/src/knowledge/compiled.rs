//! All solutions of a board as a diagram, which placed pieces restrict.
//!
//! The unrestricted diagram is kept, and removing a piece is only another restriction of it, as in T. Nielsen and
//! M. Faartoft, "Solving the N-Queens Problem: Interactive Configuration using Binary Decision Diagrams". Theirs is
//! made by operations from the rules; this one directly from the board, zero-suppressed, which is smaller and takes
//! milliseconds.

use std::sync::atomic::AtomicU64;

use bezzel_count::diagram::{Builder, Diagram, DiagramKind, Ref, Restricted};
use bezzel_count::direct::{Direct, RowCode};
use bezzel_count::{Budget, Halt};
use bezzel_encode::Var;
use bezzel_problem::{Board, Placement, Square};
use bezzel_solve::Interrupt;
use num_bigint::BigUint;

use super::{Oracle, Stopped, is_hopeless, without_pieces};

/// All solutions of a board, for any placed pieces.
#[derive(Clone, Debug)]
pub struct Compiled {
    board: Board,
    diagram: Diagram,
}

impl Compiled {
    /// Compiles the board without its placed pieces. The number of nodes and states so far is written to `progress`
    /// from time to time.
    ///
    /// # Errors
    ///
    /// The budget is exceeded.
    pub fn new(board: &Board, budget: Budget<'_>, progress: &AtomicU64) -> Result<Self, Halt> {
        let board = without_pieces(board);
        if is_hopeless(&board) {
            let nothing = Builder::new(DiagramKind::Zdd, Vec::new(), budget).finish(Ref::FALSE);
            return Ok(Self { board, diagram: nothing });
        }
        // A board too wide for machine words would exceed every limit on nodes.
        let direct = Direct::new(&board).ok_or(Halt::Nodes(budget.nodes))?;
        let (diagram, _) =
            direct.diagram_watched(DiagramKind::Zdd, RowCode::OneHot, budget, progress)?;
        Ok(Self { board, diagram })
    }

    /// Returns the number of nodes, without terminals.
    pub fn nodes(&self) -> usize {
        self.diagram.nodes()
    }

    /// Returns the memory of the nodes, in bytes.
    pub fn bytes(&self) -> u64 {
        self.diagram.bytes()
    }

    /// Returns the number of solutions with pieces on these squares, and for each square of the board, row by row,
    /// the number of those that use it.
    pub fn counts(&self, held: &[Square]) -> (BigUint, Vec<BigUint>) {
        let marginals = self.under(held).marginals();
        let mut each = vec![BigUint::ZERO; self.board.squares() as usize];
        for (var, count) in self.diagram.order().iter().zip(marginals.each) {
            each[var.idx()] = count;
        }
        (marginals.total, each)
    }

    /// Returns solution number `number`, counted from 0 in reading order, of those with pieces on these squares;
    /// `None` if there are fewer.
    pub fn nth(&self, held: &[Square], number: &BigUint) -> Option<Placement> {
        let model = self.under(held).counts().kth(number)?;
        Some(model.into_iter().map(|var| self.square(var)).collect())
    }

    /// Returns the board as an oracle for single solutions, until the interrupt is raised.
    pub fn until<'a>(&'a self, interrupt: &'a Interrupt) -> InterruptibleOracle<'a> {
        InterruptibleOracle { compiled: self, interrupt }
    }

    /// Returns the diagram with pieces on these squares.
    fn under(&self, held: &[Square]) -> Restricted<'_> {
        self.diagram.restricted(|var| held.contains(&self.square(var)).then_some(true))
    }

    /// Returns the square of a variable: variables are numbered row by row.
    fn square(&self, var: Var) -> Square {
        let columns = self.board.columns();
        Square::new(var.idx() as u32 / columns, var.idx() as u32 % columns)
    }
}

/// A compiled board that can be stopped between two passes over its nodes. A pass is not interrupted; it takes
/// milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct InterruptibleOracle<'a> {
    compiled: &'a Compiled,
    interrupt: &'a Interrupt,
}

impl Oracle for InterruptibleOracle<'_> {
    fn solution(&mut self, held: &[Square]) -> Result<Option<Placement>, Stopped> {
        if self.interrupt.is_raised() {
            return Err(Stopped);
        }
        Ok(self.compiled.nth(held, &BigUint::ZERO))
    }
}
