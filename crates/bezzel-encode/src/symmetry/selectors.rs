//! Selectors: one literal for each square, where an encoding's cubes have more.

use bezzel_problem::queens::dihedral::image;
use bezzel_problem::{Board, Dihedral, Square};
use rustsat::types::Lit;

use crate::layout::Layout;
use crate::sink::{ClauseSink, VarRange};

/// A literal for each square that some map moves, all of different variables.
pub(crate) enum Selectors<'a> {
    /// The cubes themselves.
    Cubes(&'a Layout),
    /// Variables of their own, by the square's place among those of the board.
    Defined { range: VarRange, places: Vec<u32>, columns: u32 },
}

impl<'a> Selectors<'a> {
    /// Takes the cubes where each is one literal of a variable of its own. Otherwise makes a
    /// variable s for each square that one of these maps moves, and defines it both ways by the
    /// cube l₁ ∧ … ∧ lₖ: s → lⱼ, and l₁ ∧ … ∧ lₖ → s.
    pub(crate) fn new(
        board: &Board,
        maps: &[Dihedral],
        layout: &'a Layout,
        out: &mut dyn ClauseSink,
    ) -> Self {
        let single = board.each_square().all(|square| layout.cube(square).len() == 1);
        if single && layout.variables().len() == board.squares() as usize {
            return Self::Cubes(layout);
        }
        let is_moved =
            |&square: &Square| maps.iter().any(|&map| image(board, map, square) != square);
        let moved: Vec<Square> = board.each_square().filter(is_moved).collect();
        let range = out.fresh(moved.len() as u32);
        let mut places = vec![0; board.squares() as usize];
        let mut clause: Vec<Lit> = Vec::new();
        for (&square, place) in moved.iter().zip(0..) {
            places[square.index(board.columns())] = place;
            let (s, cube) = (range.lit(place), layout.cube(square));
            for &lit in cube {
                out.clause(&[!s, lit]);
            }
            clause.clear();
            clause.extend(cube.iter().map(|&lit| !lit));
            clause.push(s);
            out.clause(&clause);
        }
        Self::Defined { range, places, columns: board.columns() }
    }

    /// The literal that holds if and only if a queen stands there.
    pub(crate) fn lit(&self, square: Square) -> Lit {
        match self {
            Self::Cubes(layout) => layout.cube(square)[0],
            Self::Defined { range, places, columns } => range.lit(places[square.index(*columns)]),
        }
    }
}
