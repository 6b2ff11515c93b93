//! Lex-leader: of a placement and its image, the one that comes first is kept.
//!
//! *Idea.* Read row by row, a placement is a word of ones and zeros. Of all its images under the maps of a group
//! exactly one word is the greatest, so "the word is no smaller than that of the image", stated for each map, leaves
//! one placement of each orbit.
//!
//! *Clauses* for one map. Let (aᵢ, bᵢ), i = 1 to m, be a square and its image under the map, in reading order. The last
//! square of each cycle is left out: when the others of its cycle agree, so does it. Fixed squares impose nothing. eᵢ
//! means that the first i pairs agree, e₀ is true: eᵢ₋₁ → (bᵢ → aᵢ), for i = 1 to m; eᵢ ↔ eᵢ₋₁ ∧ (aᵢ → bᵢ), for i < m.
//! (The word of the b is the image under the opposite map; a group has both.)
//!
//! *Size.* m is the number of squares less that of the map's cycles. For m ≥ 2 there are m − 1
//! variables, 5m − 5 clauses and 14m − 16 literals; for m = 1 no variable and one clause of two
//! literals; for m = 0 nothing. The seven maps of an empty board of side n have together 4n² − n
//! pairs if n is even and 4n² − 2n − 2 if it is odd: at n = 8 there are 248 pairs, which make 241
//! variables, 1,205 clauses and 3,360 literals.
//!
//! *Propagation.* The clauses of each map are a chain of implications; joint consequences of several maps are left to
//! search.
//!
//! *Models.* Every eᵢ is determined by the squares, so models stay as many as placements.
//!
//! *Source.* J. Crawford, M. Ginsberg, E. Luks, A. Roy, "Symmetry-breaking predicates for search problems", KR 1996;
//! linearly many clauses, and leaving out the ends of cycles: F. Aloul, K. Sakallah, I. Markov, "Efficient symmetry
//! breaking for Boolean satisfiability", IEEE Transactions on Computers 55, 2006.
//!
//! *Departures.* eᵢ is defined both ways, where one direction would suffice, so that the numbers of models stay right.

use bezzel_problem::queens::dihedral::image;
use bezzel_problem::{Board, Dihedral, Square};
use rustsat::types::Lit;

use crate::sink::ClauseSink;
use crate::size::Size;

/// The pairs of squares that are compared, in order.
pub(super) fn pairs(board: &Board, map: Dihedral) -> impl Iterator<Item = (Square, Square)> {
    let is_last = move |start: Square| {
        let next = |&square: &Square| Some(image(board, map, square)).filter(|&at| at != start);
        std::iter::successors(Some(start), next).all(|square| square <= start)
    };
    let compared = board.each_square().filter(move |&square| !is_last(square));
    compared.map(move |square| (square, image(board, map, square)))
}

/// The size of the clauses that [`state`] adds for one map.
pub(crate) fn size(board: &Board, map: Dihedral) -> Size {
    match u128::from(board.squares()) - map.cycles(board.rows(), board.columns()) {
        0 => Size::default(),
        1 => Size::new(0, 1, 2),
        pairs => Size::new(pairs - 1, 5 * pairs - 5, 14 * pairs - 16),
    }
}

/// Writes that the placement comes no later than its image. The literal of each square is true if a queen stands there;
/// all are of different variables.
pub(crate) fn state(
    board: &Board,
    map: Dihedral,
    lit: impl Fn(Square) -> Lit,
    out: &mut dyn ClauseSink,
) {
    let mut pairs = pairs(board, map).peekable();
    let made = size(board, map).variables;
    let mut equal = out.fresh(u32::try_from(made).expect("fewer than squares")).lits();
    // e₀ is true, so its literals are left out.
    let mut before: Option<Lit> = None;
    while let Some((square, image)) = pairs.next() {
        let (a, b) = (lit(square), lit(image));
        // eᵢ₋₁ → (bᵢ → aᵢ)
        after(before, [!b, a], out);
        if pairs.peek().is_none() {
            break;
        }
        let e = equal.next().expect("one for each pair but the last");
        // eᵢ → eᵢ₋₁, eᵢ → (aᵢ → bᵢ)
        if let Some(before) = before {
            out.clause(&[!e, before]);
        }
        out.clause(&[!e, !a, b]);
        // eᵢ₋₁ ∧ ¬aᵢ → eᵢ, eᵢ₋₁ ∧ bᵢ → eᵢ
        after(before, [a, e], out);
        after(before, [!b, e], out);
        before = Some(e);
    }
}

/// A clause of two literals under a condition.
fn after(condition: Option<Lit>, lits: [Lit; 2], out: &mut dyn ClauseSink) {
    match condition {
        None => out.clause(&lits),
        Some(condition) => out.clause(&[!condition, lits[0], lits[1]]),
    }
}
