//! Squares in written form.

use super::{Board, BoardError};
use bezzel_problem::Square;

impl Board {
    /// Reads a square in written form: `ROW,COLUMN`, or its number counted row by row; all count from 1. On a board of
    /// four columns, `2,3` and `7` are the same square.
    ///
    /// # Errors
    ///
    /// When the text is neither, or the square is not on the board.
    pub fn read_square(&self, text: &str) -> Result<Square, BoardError> {
        let (rows, columns) = (self.rows(), self.columns());
        // Digits alone: Rust also reads `+7`, which is a mistake here.
        let number = |text: &str| {
            let digits = text.trim();
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<u64>().ok())?
        };
        let unclear = || BoardError::Square(text.to_owned());
        let outside = || BoardError::Outside { square: text.trim().to_owned(), rows, columns };
        let on_board = |coordinate: u64, max: u32| {
            u32::try_from(coordinate).ok().filter(|coordinate| (1..=max).contains(coordinate))
        };
        let (row, column) = if let Some((row, column)) = text.split_once(',') {
            (number(row).ok_or_else(unclear)?, number(column).ok_or_else(unclear)?)
        } else {
            let index = number(text).ok_or_else(unclear)?.checked_sub(1).ok_or_else(outside)?;
            let columns = u64::from(columns);
            (index / columns + 1, index % columns + 1)
        };
        match (on_board(row, rows), on_board(column, columns)) {
            (Some(row), Some(column)) => Ok(Square::from((row, column))),
            _ => Err(outside()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_read_by_row_and_column_or_by_its_number() {
        // Cao's tool, N = 5: squares 2 and 9.
        let board = Board::new(5).unwrap();
        assert_eq!(board.read_square("2"), Ok(Square::new(0, 1)));
        assert_eq!(board.read_square("9"), Ok(Square::new(1, 3)));
        assert_eq!(board.read_square(" 2, 4 "), Ok(Square::new(1, 3)));
        let rectangle = Board::rectangle(2, 7).unwrap();
        assert_eq!(rectangle.read_square("9"), Ok(Square::new(1, 1)));
        assert_eq!(rectangle.read_square("2,7"), Ok(Square::new(1, 6)));
    }

    #[test]
    fn a_text_that_is_no_square_of_the_board_is_refused() {
        let board = Board::new(5).unwrap();
        for text in ["", "a1", "1;2", "-1", "+1", "1,2,3", "1.5", "0x2"] {
            let unclear = Err(BoardError::Square(text.to_owned()));
            assert_eq!(board.read_square(text), unclear, "{text:?}");
        }
        for text in ["0", "26", "0,1", "1,6", "99999999999"] {
            let outside = BoardError::Outside { square: text.to_owned(), rows: 5, columns: 5 };
            assert_eq!(board.read_square(text), Err(outside), "{text:?}");
        }
    }
}
