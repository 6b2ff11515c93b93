//! What the golden numbers are compared with: counted on the registered encodings.

use std::sync::Arc;

use bezzel_encode::registry::Found;
use bezzel_encode::{AtMostOne, Constraints, Registry, Tally};
use bezzel_problem::Board;

/// The at-most-one encoding of this id.
pub(crate) fn at_most_one(id: &str) -> Arc<dyn AtMostOne> {
    match Registry::standard().find(id) {
        Ok(Found::AtMostOne(found)) => found,
        _ => panic!("`{id}` encodes lines"),
    }
}

/// Variables and clauses on the plane under the full constraints, counted.
pub(crate) fn on_board(id: &str, side: u32) -> (u128, u128) {
    let mut tally = Tally::new();
    let encoding = Registry::standard().find(id).unwrap().on_board(Constraints::Full);
    encoding.encode(&Board::new(side).unwrap().problem(), &mut tally);
    (tally.size().variables, tally.size().clauses)
}
