//! What an encoding's variables mean.

use std::collections::HashSet;

use rustsat::types::{Lit, Var};

use crate::board::Board;
use crate::placement::Placement;
use crate::sink::VarRange;
use crate::square::Square;

/// What an encoding's variables mean: one cube of literals per square.
///
/// A queen stands on a square if and only if every literal of the square's cube holds. Direct
/// encodings have cubes of one literal, the binary ones of ⌈log₂ n⌉. Decoding an answer, fixing a
/// queen, blocking a solution and the variable map in a file all come from the cubes, so no
/// encoding writes a decoder.
///
/// A layout always speaks the encoder's numbers; only
/// [`Numbering`](crate::numbering::Numbering) translates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    rows: u32,
    columns: u32,
    width: usize,
    cubes: Vec<Lit>,
}

impl Layout {
    /// One variable per square, row by row, as in `squares`.
    ///
    /// # Panics
    ///
    /// When `squares` does not hold as many variables as the board has squares.
    pub fn one_per_square(board: &Board, squares: VarRange) -> Self {
        Self::from_cubes(board, 1, squares.lits().collect())
    }

    /// Cubes of `width` literals each, one after the other, square by square and row by row.
    ///
    /// # Panics
    ///
    /// When there are not as many cubes as the board has squares.
    pub fn from_cubes(board: &Board, width: usize, cubes: Vec<Lit>) -> Self {
        assert_eq!(cubes.len(), board.squares() as usize * width, "one cube per square");
        Self { rows: board.rows(), columns: board.columns(), width, cubes }
    }

    /// The number of the board's rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The number of the board's columns.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Every square of the board, row by row.
    pub fn each_square(&self) -> impl Iterator<Item = Square> + Clone + use<> {
        Square::all(self.rows, self.columns)
    }

    /// The number of literals in each cube.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The literals that all hold if and only if a queen stands on `square`.
    ///
    /// Empty on a board of one column under a binary encoding: its queens stand there anyway.
    pub fn cube(&self, square: Square) -> &[Lit] {
        let index = square.index(self.columns) * self.width;
        &self.cubes[index..index + self.width]
    }

    /// The variables of the cubes, row by row, each once: the primary ones.
    pub fn variables(&self) -> Vec<Var> {
        let mut seen = HashSet::new();
        let vars = self.cubes.iter().map(|lit| lit.var());
        vars.filter(|&var| seen.insert(var)).collect()
    }

    /// The squares with queens on them in the model in which `holds` tells a literal's value.
    pub fn decode(&self, mut holds: impl FnMut(Lit) -> bool) -> Placement {
        self.each_square()
            .filter(|&square| self.cube(square).iter().all(|&lit| holds(lit)))
            .collect()
    }

    /// The clause that excludes exactly the given placement among complete ones.
    pub fn block(&self, placement: &Placement) -> Vec<Lit> {
        let cubes = placement.squares().flat_map(|square| self.cube(square));
        cubes.map(|&lit| !lit).collect()
    }
}
