//! Boards and inputs as readable text.

use std::fmt::Write;

use crate::rules::board::Board;
use crate::rules::placement::Placement;
use crate::rules::square::Square;

/// A queen.
pub const QUEEN: char = 'Q';
/// A square that is known to be empty, or an input that is known to be false.
pub const EMPTY: char = 'x';
/// A square or an input whose value is unknown, or an empty square of a whole placement.
pub const OPEN: char = '.';
/// A square or an input to which the text refers.
pub const POINT: char = '?';

/// A board with its rows and columns numbered, one character for each square.
pub fn board(rows: u32, columns: u32, mark: impl Fn(Square) -> char) -> String {
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

/// Inputs in a row, numbered, one character for each.
pub fn inputs(marks: &[char]) -> String {
    let width = marks.len().max(1).ilog10() as usize + 1;
    let line = |words: Vec<String>| {
        let words: Vec<_> = words.iter().map(|word| padded(word, width, true)).collect();
        words.join(" ")
    };
    let numbers = line((1..=marks.len()).map(|number| number.to_string()).collect());
    let marks = line(marks.iter().map(char::to_string).collect());
    format!("{numbers}\n{marks}")
}

/// A text with blanks up to this width, before it if `right`, else behind it. The widths that `format!` takes end at
/// 65,535.
pub fn padded(text: &str, width: usize, right: bool) -> String {
    let blanks = " ".repeat(width.saturating_sub(text.chars().count()));
    if right { blanks + text } else { text.to_owned() + &blanks }
}

/// The lines of a table, whose columns are as wide as their widest cells. `is_right` is true for the columns that are
/// aligned to the right.
pub fn table(rows: &[Vec<String>], is_right: impl Fn(usize) -> bool) -> Vec<String> {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(at, (cell, &width))| padded(cell, width, is_right(at)));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// The most columns of a line of text.
pub const WIDTH: usize = 80;

/// The words of a text that begins in a column; the other lines are indented to that column.
pub fn wrapped(text: &str, indent: usize) -> String {
    let mut column = indent;
    let mut lines = String::new();
    for word in text.split_whitespace() {
        let width = word.chars().count();
        if !lines.is_empty() {
            let fits = column + 1 + width <= WIDTH;
            let between = if fits { " ".to_owned() } else { format!("\n{:indent$}", "") };
            column = if fits { column + 1 } else { indent };
            lines += &between;
        }
        lines += word;
        column += width;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_any_width_is_padded() {
        assert_eq!((padded("ü", 3, true), padded("ü", 3, false)), ("  ü".into(), "ü  ".into()));
        assert_eq!(padded("long", 3, true), "long");
        let wide = "x".repeat(70_000);
        assert_eq!(padded(&wide, 80_000, false).len(), 80_000);
    }

    #[test]
    fn a_board_is_drawn_with_its_rows_and_columns_numbered() {
        let queens: Placement = [Square::new(0, 1), Square::new(1, 3)].into_iter().collect();
        let drawn = placement(2, 4, &queens);
        assert_eq!(drawn, "   1 2 3 4\n1  . Q . .\n2  . . . Q");
        let wide = board(10, 2, |square| if square.row == 9 { QUEEN } else { EMPTY });
        assert!(wide.starts_with("     1  2\n 1   x  x\n"), "{wide}");
        assert!(wide.ends_with("\n10   Q  Q"), "{wide}");
    }

    #[test]
    fn inputs_stand_in_a_row_under_their_numbers() {
        assert_eq!(inputs(&['1', POINT, OPEN]), "1 2 3\n1 ? .");
        assert_eq!(inputs(&[]), "\n");
    }
}
