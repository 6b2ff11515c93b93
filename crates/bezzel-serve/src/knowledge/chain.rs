//! The steps by which a few pieces leave a line without a square.
//!
//! Each row must have a piece, on a square board each column too; a diagonal need not. A line with one square left
//! therefore has its piece there, which removes squares from other lines, until one has none. The chain contains
//! only the steps that lead there: steps that the end does not need are left out.

use bezzel_problem::{Board, Family, Square};
use serde::Serialize;

/// A step: a line with one square left, or the line at the end with none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChainStep {
    /// The line: `row 5`, `column 2`.
    pub line: String,
    /// A text on the squares that are left.
    pub text: String,
    /// The last square, where the piece of the line must stand.
    pub square: Option<Square>,
}

/// Returns the steps from these pieces and one more on `square` to a line without a square, if propagation along
/// rows and columns leads to one.
pub(super) fn chain(board: &Board, pieces: &[Square], square: Square) -> Option<Vec<ChainStep>> {
    let mut state = ChainState::new(board);
    for &piece in pieces.iter().chain([&square]) {
        state.place(piece, GIVEN);
    }
    let mut steps: Vec<(RowOrColumn, Square)> = Vec::new();
    let end = loop {
        if let Some(end) = state.lines.iter().copied().find(|&line| state.left(line) == 0) {
            break end;
        }
        let line = state.lines.iter().copied().find(|&line| state.left(line) == 1)?;
        let last = state.open(line).next()?;
        steps.push((line, last));
        state.place(last, steps.len());
    };
    // From the end back to the steps that removed its squares.
    let mut is_needed = vec![false; steps.len() + 1];
    let mut lines = vec![end];
    while let Some(line) = lines.pop() {
        for taken in state.taken(line) {
            // The piece of a step's own line removed that line's last square.
            let is_own = taken != GIVEN && steps[taken - 1].0 == line;
            if taken != GIVEN && !is_own && !std::mem::replace(&mut is_needed[taken], true) {
                lines.push(steps[taken - 1].0);
            }
        }
    }
    let needed = steps.iter().zip(&is_needed[1..]).filter(|(_, is_needed)| **is_needed);
    let mut links: Vec<ChainStep> =
        needed.map(|(&(line, square), _)| line.forced(square)).collect();
    links.push(ChainStep {
        line: end.to_string(),
        text: format!("{end} has no square left"),
        square: None,
    });
    Some(links)
}

/// The number for given pieces and blocked squares, which are no step.
const GIVEN: usize = 0;

/// A row or a column, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowOrColumn {
    Row(u32),
    Column(u32),
}

impl RowOrColumn {
    fn holds(self, square: Square) -> bool {
        match self {
            Self::Row(row) => square.row == row,
            Self::Column(column) => square.column == column,
        }
    }

    /// Returns the step that puts a piece on the last square of the line.
    fn forced(self, square: Square) -> ChainStep {
        let across = match self {
            Self::Row(_) => Self::Column(square.column),
            Self::Column(_) => Self::Row(square.row),
        };
        let text = format!("{self} has one square left, {across}");
        ChainStep { line: self.to_string(), text, square: Some(square) }
    }
}

impl std::fmt::Display for RowOrColumn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Row(row) => write!(f, "row {}", row + 1),
            Self::Column(column) => write!(f, "column {}", column + 1),
        }
    }
}

/// A board during propagation.
struct ChainState<'a> {
    board: &'a Board,
    /// The lines without a piece.
    lines: Vec<RowOrColumn>,
    /// For each square, the first step that removed it.
    taken: Vec<Option<usize>>,
}

impl<'a> ChainState<'a> {
    fn new(board: &'a Board) -> Self {
        let mut lines: Vec<RowOrColumn> = (0..board.rows()).map(RowOrColumn::Row).collect();
        if board.is_square() {
            lines.extend((0..board.columns()).map(RowOrColumn::Column));
        }
        let is_blocked = |square| board.blocked().contains(&square).then_some(GIVEN);
        let taken = board.each_square().map(is_blocked).collect();
        Self { board, lines, taken }
    }

    /// Puts a piece on a square in step `step`.
    fn place(&mut self, piece: Square, step: usize) {
        self.lines.retain(|line| !line.holds(piece));
        let columns = self.board.columns();
        for &family in self.board.families() {
            for square in self.board.line_through(piece, family) {
                self.taken[square.index(columns)].get_or_insert(step);
            }
        }
    }

    /// Returns the squares of a line that are left.
    fn open(&self, line: RowOrColumn) -> impl Iterator<Item = Square> + '_ {
        let columns = self.board.columns();
        self.on(line).filter(move |square| self.taken[square.index(columns)].is_none())
    }

    /// Returns the number of squares of a line that are left.
    fn left(&self, line: RowOrColumn) -> usize {
        self.open(line).count()
    }

    /// Returns the steps that removed the squares of a line.
    fn taken(&self, line: RowOrColumn) -> impl Iterator<Item = usize> + '_ {
        let columns = self.board.columns();
        self.on(line).filter_map(move |square| self.taken[square.index(columns)])
    }

    fn on(&self, line: RowOrColumn) -> bezzel_problem::Line {
        match line {
            RowOrColumn::Row(row) => self.board.line_through(Square::new(row, 0), Family::Rows),
            RowOrColumn::Column(column) => {
                self.board.line_through(Square::new(0, column), Family::Columns)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(board: &Board, pieces: &[(u32, u32)], square: (u32, u32)) -> Option<Vec<String>> {
        let pieces: Vec<_> = pieces.iter().copied().map(Square::from).collect();
        let links = chain(board, &pieces, Square::from(square))?;
        Some(links.into_iter().map(|link| link.text).collect())
    }

    #[test]
    fn the_corner_of_a_small_board_leads_to_an_empty_line() {
        let board = Board::new(4).unwrap();
        // Q . . .
        // x x . .    2,3 or 2,4 is still open, and so are columns 2 to 4 of the others.
        assert_eq!(texts(&board, &[], (1, 1)), None);
        // With another queen on 2,3, row 3 has no square left: 3,1 3,2 3,3 3,4 are attacked.
        assert_eq!(texts(&board, &[(1, 1)], (2, 3)).unwrap(), ["row 3 has no square left"]);
        // With a queen on 2,4, row 3 has 3,2 left, then row 4 none.
        assert_eq!(
            texts(&board, &[(1, 1)], (2, 4)).unwrap(),
            ["row 3 has one square left, column 2", "row 4 has no square left"]
        );
    }

    #[test]
    fn blocked_squares_are_taken_from_the_beginning() {
        let blocked = [(3, 2)].map(Square::from);
        let board = Board::new(4).unwrap().with_blocked(blocked).unwrap();
        assert_eq!(texts(&board, &[(1, 1)], (2, 4)).unwrap(), ["row 3 has no square left"]);
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
                    // Each step is forced by those before it, and after all of them the last line is empty.
                    let mut state = ChainState::new(&board);
                    state.place(piece, GIVEN);
                    state.place(square, GIVEN);
                    for (number, step) in (1..).zip(steps) {
                        let forced = step.square.unwrap();
                        let line = state.lines.iter().find(|line| line.to_string() == step.line);
                        let open: Vec<_> = state.open(*line.unwrap()).collect();
                        assert_eq!(open, [forced], "{links:?}");
                        state.place(forced, number);
                    }
                    let line = state.lines.iter().find(|line| line.to_string() == end.line);
                    assert_eq!(state.left(*line.unwrap()), 0, "{links:?}");
                }
            }
        }
    }
}
