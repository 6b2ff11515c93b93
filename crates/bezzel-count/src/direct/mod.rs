//! All solutions at once, straight from the board.
//!
//! What matters to the rows below is which columns and diagonals the pieces above have left open:
//! the board's *state*. A state with a piece in each of the columns that its next row has free
//! leads to states of the row below, and so the diagram of all solutions is made from below, each
//! state's nodes from those of the states it leads to, without formulas and without operations on
//! diagrams. The number of solutions is counted over the same states without any diagram.
//!
//! *States are few*, since of a state only the squares count that it leaves: a line none of whose
//! remaining squares is free is as good as taken. States that leave the same squares become one
//! that way (`Rows::close`): at N = 12 a third as many remain as without.
//! Three quarters of them still lead to no solution, and finding a state among millions costs as
//! much as trying dozens of squares. So states are remembered only as long as much is left to be
//! tried below them; the last rows are gone through anew each time. The diagram's nodes come out
//! the same, since equal ones are made once.
//!
//! *Depth first* (`descent`) makes diagrams: each way down is short, and what it needs again
//! soon is still in the processor's caches. *Breadth first* (`layers`) counts: only two rows of
//! states are kept at a time, which no diagram could be made from.
//!
//! *Source*: that the states of the rows above, merged, give the solutions is known since I. Rivin
//! and R. Zabih, "A dynamic programming solution to the n-queens problem", Information Processing
//! Letters 41(5), 1992. Making the diagram of a family row by row from states is the frontier
//! method; D. E. Knuth, "The Art of Computer Programming" 4A, section 7.1.4, has the diagrams' sizes.

mod assembly;
mod code;
mod descent;
mod effort;
mod key;
mod layers;
mod lines;
mod table;
#[cfg(test)]
mod tests;

pub use code::Code;
pub use effort::Effort;
pub use lines::MAX_COLUMNS;

use std::sync::atomic::AtomicU64;

use bezzel_problem::Board;
use num_bigint::BigUint;

use crate::budget::{Budget, Halt};
use crate::diagram::{Builder, Diagram, Kind, Ref};

use assembly::Assembly;
use lines::Rows;

/// A board, ready to have all its solutions found at once.
#[derive(Clone, Debug)]
pub struct Direct {
    board: Board,
    /// None if there are more rows than columns, and so no solution.
    rows: Option<Rows>,
}

impl Direct {
    /// Prepares a board; `None` if it has more than 64 columns.
    pub fn new(board: &Board) -> Option<Self> {
        let fits = board.columns() <= lines::MAX_COLUMNS;
        fits.then(|| Self { board: board.clone(), rows: Rows::new(board) })
    }

    /// The number of solutions, counted over the states of one row after the other without any
    /// diagram. Of a board that is its own mirror image, states that mirror each other are one.
    ///
    /// # Errors
    ///
    /// When the budget is spent: its nodes are the states of two rows.
    pub fn count(&self, budget: Budget) -> Result<(BigUint, Effort), Halt> {
        let Some(rows) = &self.rows else { return Ok((BigUint::ZERO, Effort::default())) };
        match rows.most() {
            Some(most) if most <= u64::MAX.into() => {
                let (count, effort) = layers::count::<u64>(rows, budget)?;
                Ok((count.into(), effort))
            }
            Some(_) => {
                let (count, effort) = layers::count::<u128>(rows, budget)?;
                Ok((count.into(), effort))
            }
            // No machine word is sure to hold it.
            None => {
                let (diagram, effort) = self.diagram(Kind::Zdd, Code::OneHot, budget)?;
                Ok((diagram.count(), effort))
            }
        }
    }

    /// The diagram of all solutions, over the variables of a [`Code`] row by row; over none if there
    /// are more rows than columns, and so no solution.
    ///
    /// # Errors
    ///
    /// When the budget is spent: its nodes are those of the diagram and the states together.
    pub fn diagram(
        &self,
        kind: Kind,
        code: Code,
        budget: Budget,
    ) -> Result<(Diagram, Effort), Halt> {
        self.diagram_watched(kind, code, budget, &AtomicU64::new(0))
    }

    /// The same; how many nodes and states are kept is told in `progress`, from time to time.
    ///
    /// # Errors
    ///
    /// As [`diagram`](Self::diagram).
    pub fn diagram_watched(
        &self,
        kind: Kind,
        code: Code,
        budget: Budget,
        progress: &AtomicU64,
    ) -> Result<(Diagram, Effort), Halt> {
        let Some(rows) = &self.rows else {
            // No solution, however many squares: they may be more than a diagram has levels.
            let nothing = Builder::new(kind, Vec::new(), budget).finish(Ref::FALSE);
            return Ok((nothing, Effort::default()));
        };
        let builder = Builder::new(kind, code.order(&self.board), budget);
        let mut assembly = Assembly::new(builder, kind, code, rows.width);
        let (root, mut effort) = descent::run(rows, &mut assembly, budget, progress)?;
        effort.bytes = effort.bytes.max(assembly.builder.peak_bytes());
        let diagram = assembly.builder.finish(root);
        effort.nodes = diagram.nodes() as u64;
        effort.peak = effort.nodes + effort.states;
        Ok((diagram, effort))
    }
}
