//! A table in Markdown.

use super::{Column, Table};
use crate::escape;

impl Table {
    /// The table in Markdown, its notes below.
    pub fn markdown(&self) -> String {
        let line = |items: Vec<String>| format!("| {} |\n", items.join(" | "));
        let mut text =
            line(self.columns.iter().map(|column| escape::markdown(&column.head)).collect());
        let rule = |column: &Column| if column.numeric { "---:" } else { "---" }.to_owned();
        text.push_str(&line(self.columns.iter().map(rule).collect()));
        for row in &self.rows {
            text.push_str(&line(row.iter().map(|item| escape::markdown(&item.read())).collect()));
        }
        text.push('\n');
        for note in &self.notes {
            text.push_str(&["- ", &escape::markdown(note), "\n"].concat());
        }
        text
    }
}
