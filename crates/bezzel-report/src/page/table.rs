//! A table in the page. The script sorts by the attribute `data-v` where the text is rounded.

use maud::{Markup, html};

use crate::escape::plain;
use crate::number::count;
use crate::render::{marker_of, markers};
use crate::report::Report;
use crate::statistics::Value;
use crate::table::{Item, Table};

/// The number of rows above which a table scrolls in a box of its own.
const LONG: usize = 30;
/// The number of rows above which a table is folded.
const MANY: usize = 40;
/// The largest number of rows of a folded table on paper; `print.css` counts them.
const ON_PAPER: usize = 20;
/// The number of columns above which a table does not fit on paper.
const WIDE: usize = 14;
/// The largest number of rows of a folded table on the page. The files have all.
const MAX_ROWS: usize = 2_000;

/// The markers of encodings, each once for all tables.
pub(super) fn marks() -> Markup {
    html! {
        svg.marks aria-hidden="true" {
            @for (number, path) in markers().enumerate() {
                path id={ "marker-" (number) } d=(path) {}
            }
        }
    }
}

/// A table with its notes, folded if it has many rows.
pub(super) fn body(table: &Table) -> Markup {
    if table.rows.len() > MANY {
        return folded(table, "table.md");
    }
    html! {
        (grid(table, usize::MAX))
        (on_paper(table, "table.md"))
        (notes(table))
    }
}

/// The table of all cells, folded, with links to the files of tables.
pub(super) fn all(report: &Report<'_>) -> Markup {
    let table = &report.cells;
    html! {
        p.files {
            a href="table.csv" { "CSV" } a href="table.md" { "all tables in Markdown" }
            a href={ "table-" (table.id) ".tex" } { "LaTeX" } a href="numbers.tex" { "numbers for papers" }
            @for table in &report.in_files {
                a href={ "table-" (table.id) ".csv" } { (plain(&table.title)) ", CSV" }
            }
        }
        @if !table.rows.is_empty() { (folded(table, "table.csv")) }
    }
}

/// A table with its notes, folded. `file` has all of it if the page or paper has a part.
pub(super) fn folded(table: &Table, file: &str) -> Markup {
    let rows = table.rows.len();
    html! {
        details class=[(rows > MANY).then_some("many")] {
            summary.more { (count(rows, "row")) " of " (count(table.columns.len(), "column")) }
            (grid(table, MAX_ROWS))
            @if rows > MAX_ROWS {
                p.notes { "The first " (count(MAX_ROWS, "row")) "; the files have all." }
            }
            (on_paper(table, file))
            (notes(table))
        }
    }
}

/// The note on the part of a table that is missing on paper, and its file.
fn on_paper(table: &Table, file: &str) -> Markup {
    let rows = table.rows.len();
    html! {
        @if table.columns.len() > WIDE {
            p.paper { "A table too wide for paper: it stands in " (file) "." }
        } @else if rows > MANY {
            p.paper { "The first " (ON_PAPER) " of " (count(rows, "row")) "; " (file) " has all." }
        }
    }
}

fn notes(table: &Table) -> Markup {
    html! {
        @if !table.notes.is_empty() { ul.notes { @for note in &table.notes { li { (plain(note)) } } } }
    }
}

fn grid(table: &Table, max: usize) -> Markup {
    let (long, wide) = (table.rows.len() > LONG, table.columns.len() > WIDE);
    let class =
        format!("scroll{}{}", if long { " long" } else { "" }, if wide { " wide" } else { "" });
    html! {
        div class=(class) tabindex="0" role="region" aria-label=(plain(&table.title)) {
            table.data {
                thead {
                    tr { @for column in &table.columns {
                        th scope="col" class=[column.numeric.then_some("number")] { (plain(&column.head)) }
                    } }
                }
                tbody {
                    @for row in table.rows.iter().take(max) {
                        tr { @for item in row { (cell(item)) } }
                    }
                }
            }
        }
    }
}

/// The number of letters from which words may be broken into lines.
const MANY_LETTERS: usize = 40;

fn cell(item: &Item) -> Markup {
    html! {
        @match item {
            Item::Encoding(style, _) => th scope="row" {
                svg class={ "chip s" (style) } viewBox="-1.5 -1.5 3 3" aria-hidden="true" {
                    use href={ "#marker-" (marker_of(*style)) } {}
                }
                (item.read())
            },
            Item::Words(words) | Item::Board { name: words, .. } => td class=[(words.len() > MANY_LETTERS).then_some("words")] { (item.read()) },
            Item::Missing => td.number.missing { (item.read()) },
            Item::Count(_) => td.number { (item.read()) },
            // The text is rounded. The script reads `Infinity` as a number.
            Item::Value(Value::Measured(number)) => td.number data-v=(number) { (item.read()) },
            Item::Value(Value::OverLimit) | Item::Open => td.number data-v="Infinity" { (item.read()) },
            Item::Bytes(bytes) => td.number data-v=(bytes) { (item.read()) },
        }
    }
}
