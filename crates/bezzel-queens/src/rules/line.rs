//! Lines: the rows, columns and diagonals on which no two queens may stand.

use crate::rules::board::{Board, Geometry};
pub use crate::rules::family::Family;
use bezzel_problem::Square;

/// A line of squares, no two of which may hold a queen.
///
/// A line is an iterator over its squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    next: Square,
    left: u32,
    family: Family,
    rows: u32,
    columns: u32,
}

impl Line {
    /// The first square that is left of the line. It identifies a whole line in its family.
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
            Family::Antidiagonals => (square.row + 1, square.column + self.columns - 1),
        };
        // Only lines of a torus get far enough to come back on the other side.
        let around = |coordinate: u32, past: u32| {
            if coordinate >= past { coordinate - past } else { coordinate }
        };
        self.next = Square::new(around(row, self.rows), around(column, self.columns));
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
        let (rows, columns) = (self.rows(), self.columns());
        let line = move |row, column, left| {
            let next = Square::new(row, column);
            Line { next, left, family, rows, columns }
        };
        let plane = self.geometry() == Geometry::Plane;
        let count = match family {
            Family::Rows => rows,
            Family::Columns => columns,
            _ if !plane => columns,
            // Two corners are diagonals of one square, and on a single row or column all are.
            _ if rows.min(columns) < 2 => 0,
            _ => rows + columns - 3,
        };
        (0..count).filter_map(move |index| match family {
            Family::Rows => Some(line(index, 0, columns)),
            Family::Columns => Some(line(0, index, rows)),
            // On a torus every diagonal meets the top row, and on side 1 it is no line at all.
            _ if !plane => (columns > 1).then(|| line(0, index, columns)),
            // From the lower left corner up, then along the top to the right.
            Family::Diagonals => {
                let (row, column) = match (rows - 2).checked_sub(index) {
                    Some(row) => (row, 0),
                    None => (0, index + 2 - rows),
                };
                Some(line(row, column, (rows - row).min(columns - column)))
            }
            // From the upper left corner along the top, then down the right edge.
            Family::Antidiagonals => {
                let sum = index + 1;
                let row = sum.saturating_sub(columns - 1);
                Some(line(row, sum - row, sum.min(rows - 1) - row + 1))
            }
        })
    }

    /// The line of a family that goes through `square`; in a corner of the plane it may have one square.
    pub fn line_through(&self, square: Square, family: Family) -> Line {
        let Square { row, column } = square;
        let (rows, columns) = (self.rows(), self.columns());
        let (next, left) = match (family, self.geometry()) {
            (Family::Rows, _) => (Square::new(row, 0), columns),
            (Family::Columns, _) => (Square::new(0, column), rows),
            (Family::Diagonals, Geometry::Torus) => {
                (Square::new(0, (column + columns - row) % columns), rows)
            }
            (Family::Antidiagonals, Geometry::Torus) => {
                (Square::new(0, (column + row) % columns), rows)
            }
            (Family::Diagonals, Geometry::Plane) => {
                let back = row.min(column);
                let next = Square::new(row - back, column - back);
                (next, (rows - next.row).min(columns - next.column))
            }
            (Family::Antidiagonals, Geometry::Plane) => {
                let sum = row + column;
                let top = sum.saturating_sub(columns - 1);
                (Square::new(top, sum - top), sum.min(rows - 1) - top + 1)
            }
        };
        Line { next, left, family, rows, columns }
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

    /// Rectangles of all shapes, squares among them, and tori.
    fn boards() -> Vec<Board> {
        let shapes = (1..=7).flat_map(|rows| (1..=7).map(move |columns| (rows, columns)));
        let planes = shapes.map(|(rows, columns)| Board::rectangle(rows, columns).unwrap());
        planes.chain((1..=7).map(|side| board(side, Geometry::Torus))).collect()
    }

    #[test]
    fn a_line_through_a_square_is_the_familys_line_that_holds_it() {
        for board in boards() {
            for &family in board.families() {
                for line in board.lines(family) {
                    assert_eq!(line.clone().count(), line.len(), "{board}");
                    for square in line.clone() {
                        assert!(board.contains(square), "{board}: {square}");
                        assert_eq!(board.line_through(square, family), line, "{board}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_lines_of_a_family_hold_each_square_once_but_for_lone_corners() {
        for board in boards() {
            for &family in board.families() {
                let mut on_lines: Vec<_> = board.lines(family).flatten().collect();
                let alone = |square: &Square| board.line_through(*square, family).len() == 1;
                let straight = matches!(family, Family::Rows | Family::Columns);
                on_lines.extend(board.each_square().filter(|square| !straight && alone(square)));
                on_lines.sort_unstable();
                assert!(on_lines.into_iter().eq(board.each_square()), "{board} {family:?}");
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
