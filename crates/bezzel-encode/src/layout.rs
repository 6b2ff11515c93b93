//! What an encoding's variables mean.

use std::collections::HashSet;

use bezzel_problem::{Board, Placement, Square};
use rustsat::types::{Lit, Var};

use crate::sink::VarRange;

/// What an encoding's variables mean: one cube of literals per square.
///
/// A queen stands on a square if and only if every literal of the square's cube holds. Direct
/// encodings have cubes of one literal, the binary ones of ⌈log₂ n⌉, the order encoding of two, and
/// of one at the edges. Decoding an answer, fixing a queen, blocking a solution and the variable
/// map in a file all come from the cubes, so no encoding writes a decoder.
///
/// A layout always speaks the encoder's numbers; only
/// [`Numbering`](crate::numbering::Numbering) translates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    rows: u32,
    columns: u32,
    cubes: Vec<Lit>,
    lengths: Lengths,
}

/// Where a square's cube is among the literals of all.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Lengths {
    /// Every cube has so many.
    Same(usize),
    /// The cube of square i ends where number i says, and the next one begins there.
    Ends(Vec<usize>),
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
        let lengths = Lengths::Same(width);
        Self { rows: board.rows(), columns: board.columns(), cubes, lengths }
    }

    /// Cubes of any lengths, square by square and row by row.
    ///
    /// # Panics
    ///
    /// When there are not as many cubes as the board has squares.
    pub fn from_uneven_cubes<C: IntoIterator<Item = Lit>>(
        board: &Board,
        each: impl IntoIterator<Item = C>,
    ) -> Self {
        let mut cubes = Vec::new();
        let mut ends = Vec::with_capacity(board.squares() as usize);
        for cube in each {
            cubes.extend(cube);
            ends.push(cubes.len());
        }
        assert_eq!(ends.len(), board.squares() as usize, "one cube per square");
        let lengths = Lengths::Ends(ends);
        Self { rows: board.rows(), columns: board.columns(), cubes, lengths }
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

    /// The number of literals in the longest cube, which in most encodings is that of each.
    pub fn width(&self) -> usize {
        match &self.lengths {
            Lengths::Same(width) => *width,
            Lengths::Ends(ends) => {
                let starts = std::iter::once(&0).chain(ends);
                ends.iter().zip(starts).map(|(end, start)| end - start).max().unwrap_or(0)
            }
        }
    }

    /// The literals that all hold if and only if a queen stands on `square`.
    ///
    /// Empty on a board of one column where rows have numbers for variables: its queens stand there
    /// anyway.
    pub fn cube(&self, square: Square) -> &[Lit] {
        let index = square.index(self.columns);
        match &self.lengths {
            Lengths::Same(width) => &self.cubes[index * width..(index + 1) * width],
            Lengths::Ends(ends) => {
                let start = index.checked_sub(1).map_or(0, |before| ends[before]);
                &self.cubes[start..ends[index]]
            }
        }
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
