//! The label of a board in plans, figures and messages.

use std::fmt;

use super::{Board, Geometry, Piece};
use bezzel_problem::Square;

/// Squares as text: a few by name, many by their number and a mark that distinguishes them from other squares.
fn listed(squares: &[Square]) -> String {
    if squares.len() <= 3 {
        let names: Vec<_> = squares.iter().map(ToString::to_string).collect();
        return names.join(" ");
    }
    let mut hasher = blake3::Hasher::new();
    for square in squares {
        hasher.update(&square.row.to_le_bytes()).update(&square.column.to_le_bytes());
    }
    format!("{} (#{})", squares.len(), &hasher.finalize().to_hex()[..6])
}

/// As in `8`, `8x10`, `torus 12`, `rooks 8`, `8 with 1,4 placed and 2,8 8,8 blocked`.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.piece == Piece::Rook {
            f.write_str("rooks ")?;
        }
        if self.geometry == Geometry::Torus {
            f.write_str("torus ")?;
        }
        write!(f, "{}", self.rows)?;
        if !self.is_square() {
            write!(f, "x{}", self.columns)?;
        }
        let parts = [(&self.placed, "placed"), (&self.blocked, "blocked")];
        let given = parts.iter().filter(|(squares, _)| !squares.is_empty());
        let given = given.map(|(squares, what)| format!("{} {what}", listed(squares)));
        let given = given.collect::<Vec<_>>().join(" and ");
        if given.is_empty() { Ok(()) } else { write!(f, " with {given}") }
    }
}
