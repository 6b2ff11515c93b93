//! How a few pieces leave a line without a square, step by step.
//!
//! Each row must have a piece, on a square board each column too; a diagonal must not. So a line with
//! one square left has its piece there, which takes squares from others, until one has none. What is
//! shown is what leads there: steps that the end does not rest on are left out.

use bezzel_problem::{Board, Family, Square};
use serde::Serialize;

/// A step: a line with one square left, or the line at the end with none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Link {
    /// The line: `row 5`, `column 2`.
    pub line: String,
    /// What is left of it, in words.
    pub text: String,
    /// The square that is left, where the piece of the line must stand.
    pub square: Option<Square>,
}

/// The steps from these pieces and one more on `square` to a line without a square, if propagation
/// along rows and columns leads to one.
pub(super) fn chain(board: &Board, pieces: &[Square], square: Square) -> Option<Vec<Link>> {
    let mut position = Position::new(board);
    for &piece in pieces.iter().chain([&square]) {
        position.place(piece, GIVEN);
    }
    let mut steps: Vec<(Line, Square)> = Vec::new();
    let end = loop {
        if let Some(end) = position.lines.iter().copied().find(|&line| position.left(line) == 0) {
            break end;
        }
        let line = position.lines.iter().copied().find(|&line| position.left(line) == 1)?;
        let last = position.open(line).next()?;
        steps.push((line, last));
        position.place(last, steps.len());
    };
    // From the end back to what took its squares.
    let mut is_needed = vec![false; steps.len() + 1];
    let mut lines = vec![end];
    while let Some(line) = lines.pop() {
        for taken in position.taken(line) {
            // The square that was left of a step's own line was taken by that step.
            let is_own = taken != GIVEN && steps[taken - 1].0 == line;
            if taken != GIVEN && !is_own && !std::mem::replace(&mut is_needed[taken], true) {
                lines.push(steps[taken - 1].0);
            }
        }
    }
    let needed = steps.iter().zip(&is_needed[1..]).filter(|(_, is_needed)| **is_needed);
    let mut links: Vec<Link> = needed.map(|(&(line, square), _)| line.forced(square)).collect();
    links.push(Link {
        line: end.to_string(),
        text: format!("{end} has no square left"),
        square: None,
    });
    Some(links)
}

/// The number of no step: what is given.
const GIVEN: usize = 0;

/// A row or a column, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Row(u32),
    Column(u32),
}

impl Line {
    fn holds(self, square: Square) -> bool {
        match self {
            Self::Row(row) => square.row == row,
            Self::Column(column) => square.column == column,
        }
    }

    /// The step that puts a piece on the last square of the line.
    fn forced(self, square: Square) -> Link {
        let across = match self {
            Self::Row(_) => Self::Column(square.column),
            Self::Column(_) => Self::Row(square.row),
        };
        let text = format!("{self} has one square left, {across}");
        Link { line: self.to_string(), text, square: Some(square) }
    }
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Row(row) => write!(f, "row {}", row + 1),
            Self::Column(column) => write!(f, "column {}", column + 1),
        }
    }
}

/// What is left of a board.
struct Position<'a> {
    board: &'a Board,
    /// The lines that wait for their piece.
    lines: Vec<Line>,
    /// For each square, the first step that took it.
    taken: Vec<Option<usize>>,
}

impl<'a> Position<'a> {
    fn new(board: &'a Board) -> Self {
        let mut lines: Vec<Line> = (0..board.rows()).map(Line::Row).collect();
        if board.is_square() {
            lines.extend((0..board.columns()).map(Line::Column));
        }
        let is_blocked = |square| board.blocked().contains(&square).then_some(GIVEN);
        let taken = board.each_square().map(is_blocked).collect();
        Self { board, lines, taken }
    }

    /// Puts a piece on a square, in this step.
    fn place(&mut self, piece: Square, step: usize) {
        self.lines.retain(|line| !line.holds(piece));
        let columns = self.board.columns();
        for &family in self.board.families() {
            for square in self.board.line_through(piece, family) {
                self.taken[square.index(columns)].get_or_insert(step);
            }
        }
    }

    /// The squares of a line that are left.
    fn open(&self, line: Line) -> impl Iterator<Item = Square> + '_ {
        let columns = self.board.columns();
        self.on(line).filter(move |square| self.taken[square.index(columns)].is_none())
    }

    /// How many squares of a line are left.
    fn left(&self, line: Line) -> usize {
        self.open(line).count()
    }

    /// What took the squares of a line.
    fn taken(&self, line: Line) -> impl Iterator<Item = usize> + '_ {
        let columns = self.board.columns();
        self.on(line).filter_map(move |square| self.taken[square.index(columns)])
    }

    fn on(&self, line: Line) -> bezzel_problem::Line {
        match line {
            Line::Row(row) => self.board.line_through(Square::new(row, 0), Family::Rows),
            Line::Column(column) => {
                self.board.line_through(Square::new(0, column), Family::Columns)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(board: &Board, pieces: &[(u32, u32)], square: (u32, u32)) -> Option<Vec<String>> {
        let pieces: Vec<_> = pieces.iter().copied().map(Square::from).collect();
        let links = chain(board, &pieces, Square::from(square))?;
        Some(links.into_iter().map(|link| link.text).collect())
    }

    #[test]
    fn the_corner_of_a_small_board_leads_to_an_empty_line() {
        let board = Board::new(4).unwrap();
        // Q . . .
        // x x . .    2,3 or 2,4 is still open, and so are columns 2 to 4 of the others.
        assert_eq!(told(&board, &[], (1, 1)), None);
        // With a queen on 2,3 besides, row 3 has no square left: 3,1 3,2 3,3 3,4 are attacked.
        assert_eq!(told(&board, &[(1, 1)], (2, 3)).unwrap(), ["row 3 has no square left"]);
        // With a queen on 2,4, row 3 has 3,2 left, then row 4 none.
        assert_eq!(
            told(&board, &[(1, 1)], (2, 4)).unwrap(),
            ["row 3 has one square left, column 2", "row 4 has no square left"]
        );
    }

    #[test]
    fn blocked_squares_are_taken_from_the_beginning() {
        let blocked = [(3, 2)].map(Square::from);
        let board = Board::new(4).unwrap().with_blocked(blocked).unwrap();
        assert_eq!(told(&board, &[(1, 1)], (2, 4)).unwrap(), ["row 3 has no square left"]);
    }

    #[test]
    fn steps_that_do_not_matter_are_left_out() {
        for side in 4..=7 {
            let board = Board::new(side).unwrap();
            for square in board.each_square() {
                for piece in board.each_square() {
                    if board.attacks(piece, square) || piece == square {
                        continue;
                    }
                    let Some(links) = chain(&board, &[piece], square) else { continue };
                    let (end, steps) = links.split_last().unwrap();
                    assert_eq!(end.square, None);
                    // Each step is forced by those before it, and with all of them the end is empty.
                    let mut position = Position::new(&board);
                    position.place(piece, GIVEN);
                    position.place(square, GIVEN);
                    for (number, step) in (1..).zip(steps) {
                        let forced = step.square.unwrap();
                        let line = position.lines.iter().find(|line| line.to_string() == step.line);
                        let open: Vec<_> = position.open(*line.unwrap()).collect();
                        assert_eq!(open, [forced], "{links:?}");
                        position.place(forced, number);
                    }
                    let line = position.lines.iter().find(|line| line.to_string() == end.line);
                    assert_eq!(position.left(*line.unwrap()), 0, "{links:?}");
                }
            }
        }
    }
}
