//! All solutions of a board as a diagram.
//!
//! It is made directly from the board with its placed pieces, zero-suppressed, which takes milliseconds for boards of
//! usual sides. Thus nothing has to be kept between two questions.

use bezzel_count::diagram::{Builder, Diagram, DiagramKind, Ref};
use bezzel_count::direct::{Direct, RowCode};
use bezzel_count::{Budget, Halt};
use bezzel_encode::Var;
use bezzel_problem::{Board, Placement, Square};
use num_bigint::BigUint;

use super::is_hopeless;

/// All solutions of a board that have its placed pieces.
#[derive(Clone, Debug)]
pub struct Compiled {
    columns: u32,
    squares: u32,
    diagram: Diagram,
}

impl Compiled {
    /// Compiles the board.
    ///
    /// # Errors
    ///
    /// The budget is exceeded.
    pub fn new(board: &Board, budget: Budget<'_>) -> Result<Self, Halt> {
        let diagram = if is_hopeless(board) {
            Builder::new(DiagramKind::Zdd, Vec::new(), budget).finish(Ref::FALSE)
        } else {
            // A board too wide for machine words would exceed every limit on nodes.
            let direct = Direct::new(board).ok_or(Halt::Nodes(budget.nodes))?;
            direct.diagram(DiagramKind::Zdd, RowCode::OneHot, budget)?.0
        };
        Ok(Self { columns: board.columns(), squares: board.squares(), diagram })
    }

    /// Returns the number of nodes, without terminals.
    pub fn nodes(&self) -> usize {
        self.diagram.nodes()
    }

    /// Returns the memory of the nodes, in bytes.
    pub fn bytes(&self) -> u64 {
        self.diagram.bytes()
    }

    /// Returns the number of solutions, and for each square of the board, row by row, the number of those that use it.
    pub fn counts(&self) -> (BigUint, Vec<BigUint>) {
        let marginals = self.diagram.marginals();
        let mut each = vec![BigUint::ZERO; self.squares as usize];
        for (var, count) in self.diagram.order().iter().zip(marginals.each) {
            each[var.idx()] = count;
        }
        (marginals.total, each)
    }

    /// Returns solution number `number`, counted from 0 in reading order; `None` if there are fewer.
    pub fn nth(&self, number: &BigUint) -> Option<Placement> {
        let model = self.diagram.counts().kth(number)?;
        // Variables are numbered row by row.
        let square = |var: Var| {
            Square::new(var.idx() as u32 / self.columns, var.idx() as u32 % self.columns)
        };
        Some(model.into_iter().map(square).collect())
    }
}
