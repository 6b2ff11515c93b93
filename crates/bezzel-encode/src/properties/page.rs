//! A page of text for a terminal: titles, paragraphs, tables and drawings.

use std::fmt::Write;

use bezzel_problem::queens::draw;

/// The page, from the top.
#[derive(Default)]
pub(super) struct Page(String);

impl Page {
    pub(super) fn title(&mut self, text: &str) {
        self.underlined(text, "=");
    }

    pub(super) fn heading(&mut self, text: &str) {
        self.underlined(text, "-");
    }

    fn underlined(&mut self, text: &str, line: &str) {
        self.line(format_args!("{text}\n{}\n", line.repeat(width(text))));
    }

    pub(super) fn paragraph(&mut self, text: impl AsRef<str>) {
        self.0 += &draw::wrapped(text.as_ref(), 0);
        self.0 += "\n\n";
    }

    /// A row of heads, and rows of cells; cells after the first are aligned to the right.
    pub(super) fn table(&mut self, head: &[&str], rows: Vec<Vec<String>>) {
        let mut all = vec![head.iter().map(ToString::to_string).collect()];
        all.extend(rows);
        let widest =
            |at: usize| all.iter().filter_map(|row| row.get(at)).map(|cell| width(cell)).max();
        let widths: Vec<usize> = (0..head.len()).map(|at| widest(at).unwrap_or(0)).collect();
        for row in &all {
            let cells = row
                .iter()
                .zip(&widths)
                .enumerate()
                .map(|(at, (cell, &width))| draw::padded(cell, width, at > 0));
            let cells: Vec<String> = cells.collect();
            self.line(format_args!("  {}", cells.join("  ").trim_end()));
        }
        self.0.push('\n');
    }

    /// Lines whose characters are aligned.
    pub(super) fn drawing(&mut self, lines: &str) {
        for line in lines.lines() {
            self.line(format_args!("    {line}"));
        }
        if !lines.is_empty() {
            self.0.push('\n');
        }
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.0, "{line}").expect("a string takes all text");
    }

    /// The text, its last line ended.
    pub(super) fn finish(self) -> String {
        self.0.trim_end().to_owned() + "\n"
    }
}

/// The number of columns of a text on a terminal.
fn width(text: &str) -> usize {
    text.chars().count()
}
