//! The counts of the registered encodings, with which the golden numbers are compared.

use std::sync::Arc;

use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{AtMostOne, Constraints, Formula, FormulaStats, Registry, models};
use bezzel_queens::Board;
use bezzel_queens::register;

/// The at-most-one encoding of this id.
pub(crate) fn at_most_one(id: &str) -> Arc<dyn AtMostOne> {
    match register(Registry::standard()).find(id) {
        Ok(NamedEncoding::AtMostOne(found)) => found,
        _ => panic!("`{id}` encodes lines"),
    }
}

/// Variables and clauses on the plane under the full constraints, counted.
pub(crate) fn on_board(id: &str, side: u32) -> (u128, u128) {
    let mut stats = FormulaStats::new();
    let encoding =
        register(Registry::standard()).find(id).unwrap().with_settings(Constraints::Full);
    encoding.encode(&Board::new(side).unwrap().problem(), &mut stats);
    (stats.size().variables, stats.size().clauses)
}

/// The models of the formula of the empty board under the full constraints, counted.
pub(crate) fn models_on_board(id: &str, side: u32) -> u128 {
    let mut formula = Formula::new();
    let encoding =
        register(Registry::standard()).find(id).unwrap().with_settings(Constraints::Full);
    let map = encoding.encode(&Board::new(side).unwrap().problem(), &mut formula);
    models::count(&formula, &map)
}
