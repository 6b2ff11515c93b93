//! The layout of text for terminals: padded words, tables, and lines of one width.

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
}
