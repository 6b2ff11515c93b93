//! Boards as readable text.

use std::fmt::Write;

use crate::rules::board::Board;
use crate::rules::placement::Placement;
use bezzel_problem::Square;

/// A queen.
const QUEEN: char = 'Q';
/// Any other square.
const OPEN: char = '.';
/// A square to which the text refers.
const POINT: char = '?';

/// A board with its rows and columns numbered, one character for each square.
fn board(rows: u32, columns: u32, mark: impl Fn(Square) -> char) -> String {
    let width = rows.max(columns).max(1).ilog10() as usize + 1;
    let mut text = format!("{:width$} ", "");
    for column in 1..=columns {
        write!(text, " {column:>width$}").expect("a string takes all text");
    }
    for row in 0..rows {
        write!(text, "\n{:>width$} ", row + 1).expect("a string takes all text");
        for column in 0..columns {
            let mark = mark(Square::new(row, column));
            write!(text, " {mark:>width$}").expect("a string takes all text");
        }
    }
    text
}

/// A queen and a square that it attacks, on a board.
pub fn attack(of: &Board, queen: Square, attacked: Square) -> String {
    board(of.rows(), of.columns(), |square| match square {
        _ if square == queen => QUEEN,
        _ if square == attacked => POINT,
        _ => OPEN,
    })
}

/// A placement on a board with `rows` rows and `columns` columns.
pub fn placement(rows: u32, columns: u32, placement: &Placement) -> String {
    board(rows, columns, |square| if placement.holds(square) { QUEEN } else { OPEN })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_drawn_with_its_rows_and_columns_numbered() {
        let queens: Placement = [Square::new(0, 1), Square::new(1, 3)].into_iter().collect();
        let drawn = placement(2, 4, &queens);
        assert_eq!(drawn, "   1 2 3 4\n1  . Q . .\n2  . . . Q");
        let wide = board(10, 2, |square| if square.row == 9 { QUEEN } else { POINT });
        assert!(wide.starts_with("     1  2\n 1   ?  ?\n"), "{wide}");
        assert!(wide.ends_with("\n10   Q  Q"), "{wide}");
    }
}
