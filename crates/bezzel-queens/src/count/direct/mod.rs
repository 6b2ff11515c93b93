//! All solutions at once, directly from the board.
//!
//! The rows below depend only on the columns and diagonals that the pieces above have left open: the board's *state*. A
//! state with a piece in each of the columns that its next row has free leads to states of the row below. The diagram
//! of all solutions is made from below, each state's nodes from those of the states it leads to, without formulas and
//! without operations on diagrams. The number of solutions is counted over the same states without any diagram.
//!
//! *States are few*, since only the squares that a state leaves count: a line none of whose remaining squares is free
//! counts as taken. States that leave the same squares are merged that way (`Rows::close`): at N = 12 a third as many
//! remain as without. Three quarters of them still lead to no solution, and finding a state among millions costs as
//! much as trying dozens of squares. States are therefore stored only as long as many choices are left below them; the
//! last rows are searched anew each time. The diagram's nodes are the same, since equal ones are made once.
//!
//! *Depth first* (`descent`) makes diagrams: each path down is short, and its data are still in the processor's caches
//! when it needs them again. *Breadth first* (`layers`) counts: only two rows of states are kept at a time, from which
//! no diagram could be made.
//!
//! *Source*: that the states of the rows above, merged, give the solutions is known since I. Rivin
//! and R. Zabih, "A dynamic programming solution to the n-queens problem", Information Processing
//! Letters 41(5), 1992. Making the diagram of a family row by row from states is the frontier
//! method; D. E. Knuth, "The Art of Computer Programming" 4A, section 7.1.4, has the diagrams' sizes.

mod assembly;
mod cost;
mod descent;
mod key;
mod layers;
mod lines;
mod row_code;
mod table;
#[cfg(test)]
mod tests;

pub use cost::DirectCost;
pub use lines::MAX_COLUMNS;
pub use row_code::RowCode;

use crate::Board;
use num_bigint::BigUint;

use bezzel_count::budget::{Budget, Halt};
use bezzel_count::diagram::{Builder, Diagram, DiagramKind, Ref};

use assembly::Assembly;
use lines::RowMasks;

/// A board, ready for the search for all its solutions at once.
#[derive(Clone, Debug)]
pub struct Direct {
    board: Board,
    /// None if there are more rows than columns, and so no solution.
    rows: Option<RowMasks>,
}

impl Direct {
    /// Prepares a board; `None` if it has more than 64 columns.
    pub fn new(board: &Board) -> Option<Self> {
        let fits = board.columns() <= lines::MAX_COLUMNS;
        fits.then(|| Self { board: board.clone(), rows: RowMasks::new(board) })
    }

    /// The number of solutions, counted over the states of one row after the other without any
    /// diagram. Of a board that is its own mirror image, states that mirror each other are one.
    ///
    /// # Errors
    ///
    /// When the budget is spent: its nodes are the states of two rows.
    pub fn count(&self, budget: Budget) -> Result<(BigUint, DirectCost), Halt> {
        let Some(rows) = &self.rows else { return Ok((BigUint::ZERO, DirectCost::default())) };
        match rows.max_count() {
            Some(max_count) if max_count <= u64::MAX.into() => {
                let (count, effort) = layers::count::<u64>(rows, budget)?;
                Ok((count.into(), effort))
            }
            Some(_) => {
                let (count, effort) = layers::count::<u128>(rows, budget)?;
                Ok((count.into(), effort))
            }
            // No machine word is sure to hold the number.
            None => {
                let (diagram, effort) = self.diagram(DiagramKind::Zdd, RowCode::OneHot, budget)?;
                Ok((diagram.count(), effort))
            }
        }
    }

    /// The diagram of all solutions, over the variables of a [`RowCode`] row by row; over none if there
    /// are more rows than columns, and so no solution.
    ///
    /// # Errors
    ///
    /// When the budget is spent: its nodes are those of the diagram and the states together.
    pub fn diagram(
        &self,
        kind: DiagramKind,
        code: RowCode,
        budget: Budget,
    ) -> Result<(Diagram, DirectCost), Halt> {
        let Some(rows) = &self.rows else {
            // No solution, for any number of squares: they may be more than a diagram has levels.
            let nothing = Builder::new(kind, Vec::new(), budget).finish(Ref::FALSE);
            return Ok((nothing, DirectCost::default()));
        };
        let builder = Builder::new(kind, code.order(&self.board), budget);
        let mut assembly = Assembly::new(builder, kind, code, rows.width);
        let (root, mut effort) = descent::run(rows, &mut assembly, budget)?;
        effort.bytes = effort.bytes.max(assembly.builder.peak_bytes());
        let diagram = assembly.builder.finish(root);
        effort.nodes = diagram.nodes() as u64;
        effort.peak = effort.nodes + effort.states;
        Ok((diagram, effort))
    }
}
