//! Queens and rooks on boards: squares and lines, placements and their check, symmetries, and recipes that
//! draw instances by a seed.

pub mod backtrack;
pub mod board;
mod candidates;
pub(crate) mod cells;
pub mod draw;
mod family;
mod kind;
pub mod line;
pub mod placement;
pub mod published;
pub mod recipe;
pub mod search;
