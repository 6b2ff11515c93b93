//! Test boards and their properties, by brute force: without diagrams, lines or clauses.

use bezzel_queens::knowledge::without_pieces;
use bezzel_queens::search::{self, clash};
use bezzel_queens::{Board, Geometry, Piece, Placement, Square};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// A board, and all solutions of it without its placed pieces, in reading order.
pub(crate) struct Case {
    pub(crate) board: Board,
    pub(crate) all: Vec<Placement>,
}

impl Case {
    /// Returns the solutions that contain all placed pieces.
    pub(crate) fn left(&self) -> Vec<&Placement> {
        self.with(self.board.placed())
    }

    /// Returns the solutions with pieces on all of these squares.
    pub(crate) fn with(&self, held: &[Square]) -> Vec<&Placement> {
        self.all.iter().filter(|all| held.iter().all(|&square| all.holds(square))).collect()
    }

    /// Returns true if a placed piece attacks the square.
    pub(crate) fn is_attacked(&self, square: Square) -> bool {
        self.board.placed().iter().any(|&piece| clash(&self.board, piece, square))
    }
}

/// Returns all solutions of the board without its placed pieces, in reading order.
pub(crate) fn solutions(board: &Board) -> Vec<Placement> {
    search::solutions(&without_pieces(board)).into_iter().collect()
}

/// Returns the empty boards of this side: for queens and rooks, on the plane and on the torus.
pub(crate) fn kinds(side: u32) -> impl Iterator<Item = Board> {
    let pieces = [Piece::Queen, Piece::Rook].into_iter();
    pieces.flat_map(move |piece| {
        [Geometry::Plane, Geometry::Torus].map(|geometry| {
            Board::new(side).unwrap().try_geometry(geometry).unwrap().with_piece(piece)
        })
    })
}

/// Returns all placements of pieces that do not attack each other on empty boards up to side 5, for rooks up to
/// side 4.
pub(crate) fn every() -> Vec<Case> {
    let mut cases = Vec::new();
    for side in 1..=5 {
        for empty in kinds(side).filter(|board| board.piece() == Piece::Queen || side < 5) {
            let all = solutions(&empty);
            let mut partial = vec![Vec::new()];
            for row in 0..side {
                let before = std::mem::take(&mut partial);
                for pieces in before {
                    for column in 0..side {
                        let square = Square::new(row, column);
                        if !pieces.iter().any(|&piece| clash(&empty, piece, square)) {
                            partial.push([&pieces[..], &[square]].concat());
                        }
                    }
                    partial.push(pieces);
                }
            }
            cases.extend(partial.into_iter().map(|pieces| Case {
                board: empty.clone().with_placed(pieces).unwrap(),
                all: all.clone(),
            }));
        }
    }
    cases
}

/// Returns `count` boards of each kind and of sides 4 to 8, for rooks 4 to 6, with some blocked squares and placed
/// pieces that do not attack each other. Every other board has pieces of a solution.
pub(crate) fn random(count: usize, seed: u64) -> Vec<Case> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut cases = Vec::new();
    for side in 4..=8 {
        for empty in kinds(side).filter(|board| board.piece() == Piece::Queen || side < 7) {
            for number in 0..count {
                let mut square =
                    || Square::new(random.random_range(0..side), random.random_range(0..side));
                let blocked: Vec<_> = (0..number % 5).map(|_| square()).collect();
                let tried: Vec<_> = (0..2 * side).map(|_| square()).collect();
                let board = empty.clone().with_blocked(blocked.iter().copied()).unwrap();
                let all = solutions(&board);
                let solution = match all.len() {
                    many @ 1.. if number % 2 == 1 => Some(&all[random.random_range(0..many)]),
                    _ => None,
                };
                let max = random.random_range(0..=side as usize);
                let mut pieces: Vec<Square> = Vec::new();
                for square in tried {
                    let fits = solution.is_none_or(|solution| solution.holds(square))
                        && !blocked.contains(&square)
                        && !pieces
                            .iter()
                            .any(|&piece| piece == square || clash(&board, piece, square));
                    if fits && pieces.len() < max {
                        pieces.push(square);
                    }
                }
                let board = board.with_placed(pieces).unwrap();
                cases.push(Case { board, all });
            }
        }
    }
    cases
}
