//! Lines: the rows, columns and diagonals on which no two queens may stand.

use crate::board::{Board, Geometry};
use crate::square::Square;

/// The four directions of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Left to right.
    Rows,
    /// Top to bottom.
    Columns,
    /// Down and to the right: row − column is constant.
    Diagonals,
    /// Down and to the left: row + column is constant.
    Antidiagonals,
}

impl Family {
    /// The four families in the order in which encodings state them.
    pub const ALL: [Self; 4] = [Self::Rows, Self::Columns, Self::Diagonals, Self::Antidiagonals];

    /// The name of the formula's section.
    pub fn section(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Columns => "columns",
            Self::Diagonals => "diagonals",
            Self::Antidiagonals => "antidiagonals",
        }
    }
}

/// A line of squares, no two of which may hold a queen.
///
/// A line is an iterator over its squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    next: Square,
    left: u32,
    family: Family,
    side: u32,
}

impl Line {
    /// The first square that is left of the line; a whole one is known by it among its family.
    pub fn start(&self) -> Square {
        self.next
    }
}

impl Iterator for Line {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.next;
        self.left = self.left.checked_sub(1)?;
        let (row, column) = match self.family {
            Family::Rows => (square.row, square.column + 1),
            Family::Columns => (square.row + 1, square.column),
            Family::Diagonals => (square.row + 1, square.column + 1),
            Family::Antidiagonals => (square.row + 1, square.column + self.side - 1),
        };
        // Only lines of a torus get far enough to come back on the other side.
        let around = |coordinate: u32| {
            if coordinate >= self.side { coordinate - self.side } else { coordinate }
        };
        self.next = Square::new(around(row), around(column));
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Line {}

/// The lines of a board.
impl Board {
    /// The lines of one family: all rows and columns, and the diagonals of two or more squares.
    pub fn lines(&self, family: Family) -> impl Iterator<Item = Line> + use<> {
        let side = self.side();
        let line =
            move |row, column, left| Line { next: Square::new(row, column), left, family, side };
        let straight = matches!(family, Family::Rows | Family::Columns);
        let plane = !straight && self.geometry() == Geometry::Plane;
        let count = if plane { (2 * side).saturating_sub(3) } else { side };
        (0..count).filter_map(move |index| match family {
            Family::Rows => Some(line(index, 0, side)),
            Family::Columns => Some(line(0, index, side)),
            // On a torus every diagonal meets the top row, and on side 1 it is no line at all.
            _ if !plane => (side > 1).then(|| line(0, index, side)),
            // From the lower left corner up, then along the top to the right.
            Family::Diagonals => {
                let (row, column) = match (side - 2).checked_sub(index) {
                    Some(row) => (row, 0),
                    None => (0, index + 2 - side),
                };
                Some(line(row, column, side - row.max(column)))
            }
            // From the upper left corner along the top, then down the right edge.
            Family::Antidiagonals => {
                let sum = index + 1;
                let row = sum.saturating_sub(side - 1);
                Some(line(row, sum - row, (sum + 1).min(2 * side - 1 - sum)))
            }
        })
    }

    /// The line of a family that goes through `square`; of one square in a corner of the plane.
    pub fn line_through(&self, square: Square, family: Family) -> Line {
        let Square { row, column } = square;
        let side = self.side();
        let (next, left) = match (family, self.geometry()) {
            (Family::Rows, _) => (Square::new(row, 0), side),
            (Family::Columns, _) => (Square::new(0, column), side),
            (Family::Diagonals, Geometry::Torus) => {
                (Square::new(0, (column + side - row) % side), side)
            }
            (Family::Antidiagonals, Geometry::Torus) => {
                (Square::new(0, (column + row) % side), side)
            }
            (Family::Diagonals, Geometry::Plane) => {
                let back = row.min(column);
                let next = Square::new(row - back, column - back);
                (next, side - next.row.max(next.column))
            }
            (Family::Antidiagonals, Geometry::Plane) => {
                let sum = row + column;
                let top = sum.saturating_sub(side - 1);
                (Square::new(top, sum - top), (sum + 1).min(2 * side - 1 - sum))
            }
        };
        Line { next, left, family, side }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(side: u32, geometry: Geometry) -> Board {
        Board::new(side).unwrap().with_geometry(geometry)
    }

    #[test]
    fn a_plane_has_six_n_minus_six_lines_of_two_or_more_squares() {
        for side in 2..=20 {
            let board = board(side, Geometry::Plane);
            let lines: Vec<_> =
                board.families().iter().flat_map(|&family| board.lines(family)).collect();
            assert_eq!(lines.len(), 6 * side as usize - 6, "side {side}");
            assert!(lines.iter().all(|line| line.len() >= 2));
        }
    }

    #[test]
    fn a_line_through_a_square_is_the_familys_line_that_holds_it() {
        for geometry in [Geometry::Plane, Geometry::Torus] {
            for side in 2..=7 {
                let board = board(side, geometry);
                for &family in board.families() {
                    for line in board.lines(family) {
                        for square in line.clone() {
                            assert_eq!(board.line_through(square, family), line);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn lines_of_a_torus_are_all_of_full_length() {
        let board = board(6, Geometry::Torus);
        for &family in board.families() {
            let lines: Vec<_> = board.lines(family).collect();
            assert_eq!(lines.len(), 6);
            assert!(lines.iter().all(|line| line.len() == 6 && line.clone().count() == 6));
        }
    }
}
