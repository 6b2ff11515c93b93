//! Boards and encodings: the encodings of whole boards, the properties of encodings on boards, and boards in texts and
//! formulas.

use bezzel_encode::{Formula, Registry, VarMap, models};

use crate::{Board, Placement, add_kinds};

pub mod accounting;
pub mod board_text;
pub mod bryant;
pub mod bryant_circuit;
pub mod comments;
pub mod gate_counts;
pub mod properties;
pub mod solutions;

/// This registry with the encodings of boards, whose encodings of whole problems are tried on boards. The kind of boards
/// can then be read.
#[must_use]
pub fn register(registry: Registry) -> Registry {
    add_kinds();
    registry.with_all(bryant_circuit::BryantCircuit::all()).with_properties(properties::OnBoards)
}

/// The placements of the models of a board's formula, as [`models::solutions`] gives them.
pub fn placements(
    formula: &Formula,
    board: &Board,
    map: &VarMap,
    limit: u128,
) -> Vec<(Placement, u128)> {
    let solutions = models::solutions(formula, map, limit).into_iter();
    solutions.map(|(solution, models)| (Placement::of(board, &solution), models)).collect()
}
