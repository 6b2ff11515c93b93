//! Converts models to placements.

use bezzel_encode::{Var, VarMap};
use bezzel_queens::{Board, Placement, Square};

/// Converts the models of a diagram to the squares of their pieces.
#[derive(Clone, Debug)]
pub struct Decoder<'a> {
    board: &'a Board,
    map: &'a VarMap,
    /// For each variable by its number, the square that it alone encodes. Empty if some square needs more than one
    /// positive literal.
    squares: Vec<Option<Square>>,
    /// The value of each variable by its number, in the model that is decoded.
    values: Vec<bool>,
}

impl<'a> Decoder<'a> {
    /// Prepares to decode models over the primary variables of this map.
    pub fn new(board: &'a Board, map: &'a VarMap) -> Self {
        let variables = map.variables();
        let count = variables.iter().map(|var| var.idx() + 1).max().unwrap_or(0);
        let mut squares = vec![None; count];
        let direct = board.each_square().all(|square| match map.cube(board.candidate(square)) {
            [lit] if lit.is_pos() => squares[lit.vidx()].replace(square).is_none(),
            _ => false,
        });
        if !direct {
            squares = Vec::new();
        }
        Self { board, map, squares, values: vec![false; count] }
    }

    /// The squares with pieces on them in the model in which exactly these variables are true.
    ///
    /// Variables that the map does not have are ignored.
    pub fn placement(&mut self, model: &[Var]) -> Placement {
        if !self.squares.is_empty() {
            let square = |var: &Var| self.squares.get(var.idx()).copied().flatten();
            return model.iter().filter_map(square).collect();
        }
        self.values.fill(false);
        for var in model {
            if let Some(value) = self.values.get_mut(var.idx()) {
                *value = true;
            }
        }
        let solution = self.map.decode(|lit| self.values[lit.vidx()] == lit.is_pos());
        Placement::of(self.board, &solution)
    }
}
