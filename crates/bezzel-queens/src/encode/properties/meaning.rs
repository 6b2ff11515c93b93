//! The meaning of a formula of a board: the placements that it allows, compared with the solutions.

use std::collections::BTreeSet;

use bezzel_encode::properties::PropertyFinding;
use bezzel_encode::properties::meaning::{EnumerationBounds, Meaning};
use bezzel_encode::{Formula, VarMap};

use crate::{Board, Placement, draw};

/// Enumerates the placements of a board.
pub(super) fn of_board(
    formula: &Formula,
    board: &Board,
    map: &VarMap,
    right: &BTreeSet<Placement>,
    bounds: EnumerationBounds,
) -> Meaning<Placement> {
    Meaning::of(formula, &map.variables(), right, bounds, |model| {
        Placement::of(board, &map.decode(|lit| model.holds(lit)))
    })
}

/// The first placement that is wrongly allowed, allowed twice or forbidden.
pub(super) fn fault(meaning: &Meaning<Placement>, board: &Board) -> Option<PropertyFinding> {
    let wrong = meaning.first_wrong.as_ref().map(|wrong| wrong_placement(board, wrong, true));
    let again = || {
        let what = "two assignments of the primary variables mean the same queens";
        meaning.first_repeated.as_ref().map(|again| drawn(board, again, what.to_owned()))
    };
    let missing = || meaning.first_missing.as_ref().map(|it| wrong_placement(board, it, false));
    wrong.or_else(again).or_else(missing)
}

/// A placement that is wrongly allowed or forbidden, drawn.
pub(super) fn wrong_placement(
    board: &Board,
    placement: &Placement,
    is_allowed: bool,
) -> PropertyFinding {
    let what = match placement.judge(board) {
        _ if !is_allowed => "it wrongly forbids this solution".to_owned(),
        Ok(()) => "it wrongly allows this solution".to_owned(),
        Err(violation) => format!("it wrongly allows this: {violation}"),
    };
    drawn(board, placement, what)
}

/// A finding for this placement.
pub(super) fn drawn(board: &Board, placement: &Placement, what: String) -> PropertyFinding {
    PropertyFinding { what, drawing: draw::placement(board.rows(), board.columns(), placement) }
}
