//! The fundamental solutions of a board: one of each class of solutions that are images under turns and reflections.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use bezzel_count::{Bitmask, Budget, published};
use bezzel_problem::queens::dihedral::group;
use bezzel_problem::{Board, Dihedral, Square};
use serde::Serialize;
use thiserror::Error;

use super::Stopped;

/// The largest number of fundamental solutions that are listed.
pub const MAX_LISTED: usize = 2_000;

/// The fundamental solutions of an empty board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fundamental {
    /// The number of all solutions, in decimal digits.
    pub total: String,
    /// The number of fundamental solutions.
    pub fundamental: usize,
    /// For each fundamental solution, the columns of the pieces from the first row on, counted from 1.
    pub solutions: Vec<Vec<u32>>,
}

/// The reason why fundamental solutions are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FundamentalError {
    /// There are too many of them.
    #[error("this board has more than {MAX_LISTED} solutions up to symmetry, which are not listed")]
    Many,
    /// The board has placed pieces or blocked squares.
    #[error("solutions up to symmetry are listed for empty boards only")]
    Given,
    /// The search was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Returns the fundamental solutions of an empty board, each the first of its images, in reading order.
///
/// # Errors
///
/// There are more than [`MAX_LISTED`], the board has given pieces or blocked squares, or the flag is set before the end.
pub fn fundamental(board: &Board, stop: &AtomicBool) -> Result<Fundamental, FundamentalError> {
    if !board.is_empty() {
        return Err(FundamentalError::Given);
    }
    let maps = group(board);
    let mut solutions: Vec<Vec<u32>> = Vec::new();
    let mut total = 0_u64;
    match published::solutions(board) {
        // No search is needed.
        Some(known) if known.count == 0 => return Ok(listed(0, solutions)),
        Some(known) if known.count > (MAX_LISTED * maps.len()) as u128 => {
            return Err(FundamentalError::Many);
        }
        _ => {}
    }
    let mut is_many = false;
    let mut found = |columns: &[u32]| {
        is_many = solutions.len() == MAX_LISTED;
        if is_many {
            return ControlFlow::Break(());
        }
        total += images(board, columns, &maps);
        solutions.push(columns.iter().map(|column| column + 1).collect());
        ControlFlow::Continue(())
    };
    // A board too wide for machine words is too large for a list in any case.
    let search = Bitmask::new(board).ok_or(FundamentalError::Many)?;
    search.each_fundamental(Budget::unlimited(stop), &mut found).map_err(|_| Stopped)?;
    if is_many { Err(FundamentalError::Many) } else { Ok(listed(total, solutions)) }
}

fn listed(total: u64, solutions: Vec<Vec<u32>>) -> Fundamental {
    Fundamental { total: total.to_string(), fundamental: solutions.len(), solutions }
}

/// Returns the number of images of a solution under turns and reflections.
fn images(board: &Board, columns: &[u32], maps: &[Dihedral]) -> u64 {
    let image = |&map: &Dihedral| -> BTreeSet<Square> {
        let squares = (0..).zip(columns).map(|(row, &column)| Square::new(row, column));
        squares.map(|square| map.image(square, board.rows(), board.columns())).collect()
    };
    maps.iter().map(image).collect::<BTreeSet<_>>().len() as u64
}
