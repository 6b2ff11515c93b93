//! Selectors: one literal for each square, where an encoding's cubes have more.

use bezzel_problem::queens::dihedral::image;
use bezzel_problem::{Board, Dihedral, Square};
use rustsat::types::Lit;

use crate::sink::{ClauseSink, VarRange};
use crate::var_map::VarMap;

/// A literal for each square that some map moves, all of different variables.
pub(crate) enum Selectors<'a> {
    /// The cubes themselves.
    Cubes { map: &'a VarMap, columns: u32 },
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
        map: &'a VarMap,
        out: &mut dyn ClauseSink,
    ) -> Self {
        let single = map.cubes().all(|cube| cube.len() == 1);
        if single && map.variables().len() == board.squares() as usize {
            return Self::Cubes { map, columns: board.columns() };
        }
        let is_moved =
            |&square: &Square| maps.iter().any(|&map| image(board, map, square) != square);
        let moved: Vec<Square> = board.each_square().filter(is_moved).collect();
        let range = out.fresh(moved.len() as u32);
        let mut places = vec![0; board.squares() as usize];
        let mut clause: Vec<Lit> = Vec::new();
        for (&square, place) in moved.iter().zip(0..) {
            places[square.index(board.columns())] = place;
            let (s, cube) = (range.lit(place), map.cube(square.index(board.columns()) as u32));
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
            Self::Cubes { map, columns } => map.cube(square.index(*columns) as u32)[0],
            Self::Defined { range, places, columns } => range.lit(places[square.index(*columns)]),
        }
    }
}
