//! A page of text: what a card says, before it is decided how it looks.

use std::fmt::Write;

/// A part of a page.
pub(super) enum Part {
    Title(String),
    Heading(String),
    Paragraph(String),
    /// A row of heads, and rows of cells; numbers stand to the right.
    Table(Vec<String>, Vec<Vec<String>>),
    /// Lines whose characters stand under each other.
    Drawing(String),
}

/// Its parts, from the top.
#[derive(Default)]
pub(super) struct Page(Vec<Part>);

impl Page {
    pub(super) fn title(&mut self, text: impl Into<String>) {
        self.0.push(Part::Title(text.into()));
    }

    pub(super) fn heading(&mut self, text: impl Into<String>) {
        self.0.push(Part::Heading(text.into()));
    }

    pub(super) fn paragraph(&mut self, text: impl Into<String>) {
        self.0.push(Part::Paragraph(text.into()));
    }

    pub(super) fn table(&mut self, head: &[&str], rows: Vec<Vec<String>>) {
        self.0.push(Part::Table(head.iter().map(ToString::to_string).collect(), rows));
    }

    pub(super) fn drawing(&mut self, lines: &str) {
        if !lines.is_empty() {
            self.0.push(Part::Drawing(lines.to_owned()));
        }
    }

    /// For a terminal.
    pub(super) fn text(&self) -> String {
        self.0.iter().map(Part::text).collect()
    }

    /// As Markdown.
    pub(super) fn markdown(&self) -> String {
        self.0.iter().map(Part::markdown).collect()
    }
}

impl Part {
    fn text(&self) -> String {
        match self {
            Self::Title(title) => format!("{title}\n{}\n\n", "=".repeat(wide(title))),
            Self::Heading(heading) => format!("{heading}\n{}\n\n", "-".repeat(wide(heading))),
            Self::Paragraph(paragraph) => format!("{}\n", wrapped(paragraph)),
            Self::Table(head, rows) => format!("{}\n", aligned(head, rows)),
            Self::Drawing(lines) => {
                let lines: Vec<String> =
                    lines.lines().map(|line| format!("    {line}\n")).collect();
                format!("{}\n", lines.concat())
            }
        }
    }

    fn markdown(&self) -> String {
        match self {
            Self::Title(title) => format!("# {title}\n\n"),
            Self::Heading(heading) => format!("## {heading}\n\n"),
            Self::Paragraph(paragraph) => format!("{}\n", wrapped(paragraph)),
            Self::Table(head, rows) => {
                let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
                let rule: Vec<String> = (0..head.len())
                    .map(|at| if at == 0 { "---".into() } else { "--:".into() })
                    .collect();
                let rows: Vec<String> = rows.iter().map(|row| line(row)).collect();
                format!("{}{}{}\n", line(head), line(&rule), rows.concat())
            }
            Self::Drawing(lines) => format!("```text\n{lines}\n```\n\n"),
        }
    }
}

/// How many columns a text takes on a terminal.
fn wide(text: &str) -> usize {
    text.chars().count()
}

/// Lines of at most 100 characters, broken between words.
fn wrapped(text: &str) -> String {
    const WIDTH: usize = 100;
    let mut lines = String::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && wide(&line) + 1 + wide(word) > WIDTH {
            writeln!(lines, "{line}").expect("a string takes all text");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    format!("{lines}{line}\n")
}

fn aligned(head: &[String], rows: &[Vec<String>]) -> String {
    let all = || std::iter::once(head).chain(rows.iter().map(Vec::as_slice));
    let width = |at: usize| all().filter_map(|row| row.get(at)).map(|cell| wide(cell)).max();
    let widths: Vec<usize> = (0..head.len()).map(|at| width(at).unwrap_or(0)).collect();
    all()
        .map(|row| {
            let cells = row.iter().zip(&widths).enumerate().map(|(at, (cell, &width))| {
                let blank = " ".repeat(width - wide(cell));
                if at == 0 { format!("{cell}{blank}") } else { format!("{blank}{cell}") }
            });
            let cells: Vec<String> = cells.collect();
            format!("  {}", cells.join("  ")).trim_end().to_owned() + "\n"
        })
        .collect()
}
