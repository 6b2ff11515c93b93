//! Diagrams built by operations on diagrams: their sizes, their counts, and what they do when there
//! is not room enough.

mod budgets;
mod counts;
mod sizes;

use std::sync::atomic::AtomicBool;

use bezzel_count::apply::{Built, Method, Reading};
use bezzel_count::{Budget, Halt};
use bezzel_encode::{Encoding, Registry, Settings};
use bezzel_problem::Board;

/// Builds without a limit.
fn build(method: Method, reading: &Reading) -> Built {
    limited(method, reading, u64::MAX, u64::MAX).unwrap()
}

/// Builds within so many nodes and bytes.
fn limited(method: Method, reading: &Reading, nodes: u64, bytes: u64) -> Result<Built, Halt> {
    let stop = AtomicBool::new(false);
    method.build(reading, Budget { nodes, bytes, stop: &stop })
}

/// What an encoding of this name says of a board.
fn reading(id: &str, board: &Board) -> Reading {
    Reading::encoding(&*encoding(id), board).unwrap()
}

fn encoding(id: &str) -> std::sync::Arc<dyn Encoding> {
    Registry::standard().find(id).unwrap().on_board(Settings::default())
}
