//! The reason why a square is ruled out: the smallest set of placed pieces that does it, and the steps.
//!
//! Each solution that uses the square lacks some of the placed pieces. A set of pieces rules the square out if and
//! only if it contains a lacking piece for each of these solutions. The smallest such set is therefore a smallest
//! hitting set. There may be billions of such solutions, so they are not listed: the smallest set that hits the
//! known ones is tried, and a solution that contains it is extended by further placed pieces as long as possible,
//! so that few pieces are lacking.
//!
//! *Source.* Implicit hitting sets: E. Moreno-Centeno, R. M. Karp, "The Implicit Hitting Set Approach
//! to Solve Combinatorial Optimization Problems", Operations Research 61(2), 2013.

use bezzel_problem::{Board, Family, Geometry, Square};
use num_bigint::BigUint;
use serde::Serialize;
use thiserror::Error;

pub use super::chain::ChainStep;
use super::chain::chain;
use super::{Oracle, Stopped, position, theorem};

/// The reason why a square is ruled out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Why {
    /// The square.
    pub square: Square,
    /// A smallest set of placed pieces that rules it out; empty if the board alone does.
    pub queens: Vec<Square>,
    /// The line in which a placed piece attacks it, if one does.
    pub attack: Option<Attack>,
    /// The steps by which a piece on the square, together with those of the set, leaves a line without a square, if
    /// propagation along rows and columns shows it.
    pub chain: Option<Vec<ChainStep>>,
    /// The number of solutions left, if it is known.
    #[serde(serialize_with = "decimal")]
    pub solutions: Option<BigUint>,
    /// The whole reason in a sentence.
    pub text: String,
}

/// A line in which a piece attacks a square.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Attack {
    /// The line: `row 3`, `column 2`, `diagonal down to the right from (1, 2)`.
    pub line: String,
    /// The squares of the line from the piece to the attacked square, both included.
    pub squares: Vec<Square>,
}

/// The reason why a question has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WhyError {
    /// A piece stands there.
    #[error(
        "the square ({}, {}) is not ruled out: a piece stands there",
        .0.row + 1, .0.column + 1
    )]
    Taken(Square),
    /// Some solution uses it.
    #[error(
        "the square ({}, {}) is not ruled out: some solution uses it",
        .0.row + 1, .0.column + 1
    )]
    Open(Square),
    /// There are more pieces than a set can have.
    #[error("sets of more than {MAX_PIECES} pieces are not looked for")]
    Many,
    /// The search was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The largest number of placed pieces: the bits of a word.
const MAX_PIECES: usize = u64::BITS as usize;

/// Returns the reason why the square of the board is ruled out. `oracle` finds solutions of the board without
/// placed pieces. `solutions` is the number of solutions that are left with them, if it is known.
///
/// # Errors
///
/// The square is not ruled out, or the oracle was stopped.
pub fn why(
    board: &Board,
    square: Square,
    solutions: Option<BigUint>,
    oracle: &mut impl Oracle,
) -> Result<Why, WhyError> {
    if board.placed().contains(&square) {
        return Err(WhyError::Taken(square));
    }
    let attacker = board.placed().iter().copied().find(|&piece| board.attacks(piece, square));
    let attack = attacker.and_then(|piece| attack(board, piece, square));
    let is_blocked = board.blocked().contains(&square);
    let queens = match attacker {
        _ if is_blocked || oracle.solution(&[square])?.is_none() => Vec::new(),
        Some(piece) => vec![piece],
        None => smallest(board, square, oracle)?,
    };
    let is_explained = is_blocked || (attack.is_some() && !queens.is_empty());
    let chain = if is_explained { None } else { chain(board, &queens, square) };
    let parts = SentenceParts { board, square, queens: &queens, chain: chain.as_deref() };
    let text = if is_blocked {
        format!("The square {} is blocked.", position(square))
    } else if let (Some(Attack { line, .. }), [piece]) = (&attack, &queens[..]) {
        let the = if line.starts_with("diagonal") { "the " } else { "" };
        let (name, piece, square) = (board.piece().id(), position(*piece), position(square));
        format!("The {name} on {piece} attacks {square} along {the}{line}.")
    } else if let Some(theorem) = theorem(board) {
        format!("No solution uses {}, since this board has none: {theorem}.", position(square))
    } else {
        parts.sentence(solutions.as_ref())
    };
    Ok(Why { square, queens, attack, chain, solutions, text })
}

/// Returns a smallest set of placed pieces that no solution contains together with a piece on the square.
fn smallest(
    board: &Board,
    square: Square,
    oracle: &mut impl Oracle,
) -> Result<Vec<Square>, WhyError> {
    let pieces = board.placed();
    let spare = MAX_PIECES.checked_sub(pieces.len()).ok_or(WhyError::Many)?;
    let all = u64::MAX.checked_shr(spare as u32).unwrap_or(0);
    let chosen = |set: u64| -> Vec<Square> {
        let places = (0..pieces.len()).filter(|place| set >> place & 1 == 1);
        places.map(|place| pieces[place]).collect()
    };
    let mut missed: Vec<u64> = Vec::new();
    loop {
        let set = hitting(&missed, pieces.len() as u32).ok_or(WhyError::Open(square))?;
        let mut held = chosen(set);
        held.push(square);
        let Some(mut solution) = oracle.solution(&held)? else { return Ok(chosen(set)) };
        let mut tried = 0_u64;
        loop {
            let has = |place: &usize| solution.holds(pieces[*place]);
            let kept = (0..pieces.len()).filter(has).fold(0, |kept, place| kept | 1 << place);
            tried |= kept;
            let Some(next) = (0..pieces.len()).find(|place| tried >> place & 1 == 0) else {
                missed.push(all & !kept);
                break;
            };
            tried |= 1 << next;
            held = chosen(kept | 1 << next);
            held.push(square);
            if let Some(better) = oracle.solution(&held)? {
                solution = better;
            }
        }
    }
}

/// Returns the first of the smallest subsets of `elements` elements that meets each of `sets`; `None` if one of
/// these is empty. A set is a word, whose lowest bit is the first element.
fn hitting(sets: &[u64], elements: u32) -> Option<u64> {
    if sets.contains(&0) {
        return None;
    }
    (0..=elements).find_map(|size| hitting_of(sets, 0, size))
}

/// Returns such a set with the elements `chosen` and at most `size` others.
fn hitting_of(sets: &[u64], chosen: u64, size: u32) -> Option<u64> {
    let Some(next) = sets.iter().find(|&&set| set & chosen == 0) else { return Some(chosen) };
    if size == 0 {
        return None;
    }
    // One of the elements of `next` must be chosen.
    let mut left = *next;
    while left != 0 {
        let element = left & left.wrapping_neg();
        left ^= element;
        if let Some(found) = hitting_of(sets, chosen | element, size - 1) {
            return Some(found);
        }
    }
    None
}

/// Returns the line in which a piece attacks a square.
fn attack(board: &Board, piece: Square, square: Square) -> Option<Attack> {
    let start = |square, family| board.line_through(square, family).start();
    let families = board.families().iter().copied();
    let family =
        families.into_iter().find(|&family| start(piece, family) == start(square, family))?;
    let first = position(start(square, family));
    let line = match family {
        Family::Rows => format!("row {}", square.row + 1),
        Family::Columns => format!("column {}", square.column + 1),
        Family::Diagonals => format!("diagonal down to the right from {first}"),
        Family::Antidiagonals => format!("diagonal down to the left from {first}"),
    };
    Some(Attack { line, squares: path(board, piece, square, family) })
}

/// Returns the squares from a piece to a square on the same line of a family; on a torus the shorter way around.
fn path(board: &Board, piece: Square, square: Square, family: Family) -> Vec<Square> {
    let line: Vec<Square> = board.line_through(piece, family).collect();
    let place = |wanted: Square| line.iter().position(|&on| on == wanted);
    let (Some(from), Some(to)) = (place(piece), place(square)) else { return Vec::new() };
    let length = line.len();
    let forward = (to + length - from) % length;
    let is_forward = match board.geometry() {
        Geometry::Plane => from <= to,
        Geometry::Torus => 2 * forward <= length,
    };
    if is_forward {
        (0..=forward).map(|step| line[(from + step) % length]).collect()
    } else {
        (0..=length - forward).map(|step| line[(from + length - step) % length]).collect()
    }
}

/// The parts of a sentence.
struct SentenceParts<'a> {
    board: &'a Board,
    square: Square,
    queens: &'a [Square],
    chain: Option<&'a [ChainStep]>,
}

impl SentenceParts<'_> {
    fn sentence(&self, solutions: Option<&BigUint>) -> String {
        let Self { board, square, queens, chain } = *self;
        let piece = board.piece().id();
        let square = position(square);
        let squares: Vec<_> = queens.iter().copied().map(position).collect();
        let with = match &squares[..] {
            [] => String::new(),
            [one] => format!(" and the {piece} on {one}"),
            [others @ .., last] => format!(" and the {piece}s on {} and {last}", others.join(", ")),
        };
        match chain {
            Some([end]) => return format!("With a {piece} on {square}{with}, {}.", end.text),
            Some([.., end]) => {
                return format!(
                    "With a {piece} on {square}{with}, one line after another has one square left, \
                     and in the end {} has none.",
                    end.line
                );
            }
            _ => {}
        }
        if queens.is_empty() {
            return format!("No solution of this board uses {square}, whatever is placed.");
        }
        let left = match solutions {
            None => format!("No solution with the placed {piece}s uses {square}"),
            Some(none) if *none == BigUint::ZERO => {
                format!("No solution has all placed {piece}s, so none uses {square}")
            }
            Some(one) if *one == BigUint::from(1_u32) => {
                format!("One solution has all placed {piece}s, and it does not use {square}")
            }
            Some(more) => {
                format!("{more} solutions have all placed {piece}s, and none of them uses {square}")
            }
        };
        let enough = match &squares[..] {
            [one] => format!("the {piece} on {one} alone rules it out"),
            more => format!("the {piece}s on {} together rule it out", more.join(" and ")),
        };
        format!("{left}: {enough}.")
    }
}

/// Serializes a number of any size as decimal digits in a string.
#[expect(clippy::ref_option, reason = "serde hands a reference")]
fn decimal<S: serde::Serializer>(number: &Option<BigUint>, out: S) -> Result<S::Ok, S::Error> {
    number.as_ref().map(ToString::to_string).serialize(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smallest_hitting_set_is_found() {
        assert_eq!(hitting(&[], 5), Some(0));
        assert_eq!(hitting(&[0b100, 0b001], 3), Some(0b101));
        assert_eq!(hitting(&[0b011, 0b110, 0b101], 3), Some(0b011));
        assert_eq!(hitting(&[0b0111, 0b1100, 0b1010], 4).map(u64::count_ones), Some(2));
        assert_eq!(hitting(&[0b1, 0], 1), None);
        // Compared with a test of all sets.
        let mut state = 1_u64;
        for _ in 0..500 {
            let mut sets = Vec::new();
            for _ in 0..state % 7 {
                state = (state * 1_664_525 + 1_013_904_223) & 0xffff_ffff;
                sets.push(state >> 8 & 0xff | 1 << (state >> 20 & 7));
            }
            state = (state * 1_664_525 + 1_013_904_223) & 0xffff_ffff;
            let hits = |set: &u64| sets.iter().all(|other| other & set != 0);
            let least = (0..1_u64 << 8).filter(hits).map(u64::count_ones).min();
            let found = hitting(&sets, 8).unwrap();
            assert!(hits(&found) && Some(found.count_ones()) == least, "{sets:?}: {found:b}");
        }
    }
}
