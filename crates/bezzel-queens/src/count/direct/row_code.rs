//! The variables that encode the place of the piece of a row.

use crate::Board;
use bezzel_encode::{Lit, Var, VarMap};

/// The variables of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowCode {
    /// One for each square.
    OneHot,
    /// The bits of the column's number, counted from 0.
    Binary,
    /// The bits of the column's number, counted from 1, as in Bryant's circuits and the binary encodings; column 2ᵏ,
    /// whose number needs one bit more, has 0.
    Bryant,
}

impl RowCode {
    /// The number of variables of a row with `width` columns.
    pub(super) fn levels(self, width: u32) -> u32 {
        match self {
            Self::OneHot => width,
            Self::Binary | Self::Bryant => width.next_power_of_two().trailing_zeros(),
        }
    }

    /// The number of a column, counted from 0, that the bits of its row have.
    pub(super) fn number(self, column: u32, width: u32) -> u32 {
        match self {
            Self::OneHot | Self::Binary => column,
            Self::Bryant => (column + 1) % width.next_power_of_two(),
        }
    }

    /// The variables in the order of a diagram's levels: row by row, squares from the left or bits
    /// from the most significant one.
    pub(super) fn order(self, board: &Board) -> Vec<Var> {
        let levels = self.levels(board.columns());
        let row = |row: u32| {
            (0..levels).map(move |level| {
                let within = match self {
                    Self::OneHot => level,
                    Self::Binary | Self::Bryant => levels - 1 - level,
                };
                Var::new(row * levels + within)
            })
        };
        (0..board.rows()).flat_map(row).collect()
    }

    /// The meaning of the variables. They are numbered row by row, as those of `pairwise` and of `bryant-circuit`: bit
    /// 0 is the first of a row.
    pub fn map(self, board: &Board) -> VarMap {
        let width = board.columns();
        let levels = self.levels(width);
        VarMap::from_cubes(board.each_square().map(|square| {
            let number = self.number(square.column, width);
            let variables = match self {
                Self::OneHot => square.column..square.column + 1,
                Self::Binary | Self::Bryant => 0..levels,
            };
            variables.map(move |var| {
                let holds = self == Self::OneHot || number >> var & 1 == 1;
                Lit::new(square.row * levels + var, !holds)
            })
        }))
    }
}
