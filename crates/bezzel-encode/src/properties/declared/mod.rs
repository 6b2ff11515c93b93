//! The properties that an encoding declares, each compared with its clauses on small sizes.

use crate::size::Size;

pub mod at_most_one;
pub mod board;
mod inspector;

/// A size in words.
fn words(size: Size) -> String {
    let Size { variables, clauses, literals } = size;
    format!("{variables} variables, {clauses} clauses and {literals} literals")
}
