//! Diagrams built by operations on diagrams: their sizes, their counts, and their behaviour at memory limits.

mod budgets;
mod counts;
mod order;
mod sizes;

use std::sync::atomic::AtomicBool;

use bezzel_count::apply::{Built, Method, Rules};
use bezzel_count::{Budget, Halt};
use bezzel_encode::{Encoding, Registry, Settings};
use bezzel_queens::Board;

/// Builds without a limit.
fn build(method: Method, reading: &Rules) -> Built {
    limited(method, reading, u64::MAX, u64::MAX).unwrap()
}

/// Builds within `nodes` nodes and `bytes` bytes.
fn limited(method: Method, reading: &Rules, nodes: u64, bytes: u64) -> Result<Built, Halt> {
    let stop = AtomicBool::new(false);
    method.build(reading, Budget { nodes, bytes, stop: &stop })
}

/// The statement of a board's rules by the encoding of this name.
fn reading(id: &str, board: &Board) -> Rules {
    Rules::encoding(&*encoding(id), &board.problem()).unwrap()
}

fn encoding(id: &str) -> std::sync::Arc<dyn Encoding> {
    bezzel_queens::register(Registry::standard())
        .find(id)
        .unwrap()
        .with_settings(Settings::default())
}
