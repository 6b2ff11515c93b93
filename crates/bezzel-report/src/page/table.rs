//! A table in the page. The script sorts by the attribute `data-v` where the text is rounded.

use maud::{Markup, html};

use crate::escape::plain;
use crate::number::count;
use crate::render::{marker_of, markers};
use crate::report::Report;
use crate::row_columns::short;
use crate::table::{Column, Item, Table};
use bezzel_statistics::Value;

/// The number of rows above which a table scrolls in a box of its own.
const LONG: usize = 30;
/// The number of rows above which a table is folded.
const MANY: usize = 40;
/// The largest number of rows of a folded table on paper, and on the page if it has not all; `print.css` counts them.
const ON_PAPER: usize = 20;
/// The number of columns above which a table does not fit on paper.
const WIDE: usize = 14;
/// The number of rows above which the page has only the first ones of a table. The files have all, and the script lists
/// every run.
const MAX_ROWS: usize = 300;

/// The markers of encodings, each once for the whole page.
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
    if table.rows.len() > MANY { folded(table, "table.md") } else { open(table) }
}

/// A table with its notes, not folded. A long one scrolls.
pub(super) fn open(table: &Table) -> Markup {
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
            (grid(table, if rows > MAX_ROWS { ON_PAPER } else { rows }))
            @if rows > MAX_ROWS {
                p.notes {
                    "These are the first " (ON_PAPER) " of " (count(rows, "row")) ". Order, words and filter apply to these. "
                    (file) " has all."
                }
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

/// The number of columns from which one with a single value is hidden.
const HIDES: usize = 7;

/// The columns behind the first that have one value in all rows. They are in the page for the filter, and hidden.
fn single_valued(table: &Table) -> Vec<usize> {
    let [first, others @ ..] = &table.rows[..] else { return Vec::new() };
    if others.is_empty() || table.columns.len() < HIDES {
        return Vec::new();
    }
    let is_same = |at: &usize| others.iter().all(|row| row[*at] == first[*at]);
    (1..table.columns.len()).filter(is_same).collect()
}

/// The sentence with the values of hidden columns.
fn hidden_values(table: &Table, hidden: &[usize]) -> Option<String> {
    let value = |&at: &usize| {
        let column = &table.columns[at];
        format!("{} {}", column.head, column.shown(&table.rows[0][at]))
    };
    let values: Vec<String> = hidden.iter().map(value).collect();
    (!values.is_empty()).then(|| format!("In all rows: {}.", values.join("; ")))
}

/// The columns of a ranking that are behind the first on a page, which a narrow screen shows without scrolling.
const FIRST: [&str; 4] = ["ratio", "ratio_low", "ratio_high", "verdict"];

/// The order of the columns on a page.
fn in_order(table: &Table) -> Vec<usize> {
    let mut order: Vec<usize> = (0..table.columns.len()).collect();
    if table.id.starts_with("ranking") {
        let place = |at: usize| FIRST.iter().position(|name| *name == table.columns[at].name);
        order.sort_by_key(|&at| {
            if at == 0 { 0 } else { place(at).map_or(FIRST.len() + 1, |place| place + 1) }
        });
    }
    order
}

fn grid(table: &Table, max: usize) -> Markup {
    let (hidden, order) = (single_valued(table), in_order(table));
    let (long, wide) = (table.rows.len() > LONG, table.columns.len() > WIDE);
    let class =
        format!("scroll{}{}", if long { " long" } else { "" }, if wide { " wide" } else { "" });
    html! {
        div class=(class) tabindex="0" role="region" aria-label=(plain(&table.title)) {
            table.data {
                thead {
                    tr { @for &at in &order {
                        @let column = &table.columns[at];
                        th scope="col" class=[class_of(column, None)] hidden[hidden.contains(&at)] {
                            (plain(&column.head))
                        }
                    } }
                }
                tbody {
                    @for row in table.rows.iter().take(max) {
                        tr { @for &at in &order { (cell(&table.columns[at], &row[at], hidden.contains(&at))) } }
                    }
                }
            }
        }
        @if let Some(values) = hidden_values(table, &hidden) { p.notes { (plain(&values)) } }
    }
}

/// The number of letters from which words may be broken into lines.
const MANY_LETTERS: usize = 40;

/// The class of a heading or a cell. All of them in one column are aligned to the same side.
fn class_of(column: &Column, other: Option<&'static str>) -> Option<String> {
    let parts: Vec<&str> = column.numeric.then_some("number").into_iter().chain(other).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

fn cell(column: &Column, item: &Item, hidden: bool) -> Markup {
    if let Item::Encoding(style, _) = item {
        return html! {
            th scope="row" class=[class_of(column, None)] hidden[hidden] {
                svg class={ "chip s" (style) } viewBox="-1.5 -1.5 3 3" aria-hidden="true" {
                    use href={ "#marker-" (marker_of(*style)) } {}
                }
                (plain(&item.read()))
            }
        };
    }
    let other = match item {
        Item::Missing => Some("missing"),
        Item::Words(words) | Item::Instance { name: words, .. } if words.len() > MANY_LETTERS => {
            Some("words")
        }
        _ => None,
    };
    // The text has three digits, and `data-v` five. The script reads `Infinity` as a number.
    let value = match item {
        Item::Value(Value::Measured(number)) => Some(short(*number)),
        Item::Value(Value::OverLimit) | Item::Open => Some("Infinity".to_owned()),
        Item::Bytes(bytes) => Some(bytes.to_string()),
        _ => None,
    };
    html! {
        td class=[class_of(column, other)] data-v=[value] hidden[hidden] { (plain(&column.shown(item))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: usize) -> Table {
        let row = |number: usize| {
            let value = match number % 3 {
                0 => Item::Value(Value::Measured(number as f64 / 7.0)),
                1 => Item::Value(Value::OverLimit),
                _ => Item::Missing,
            };
            let instance =
                Item::Instance { name: format!("<{}>", number % 2), id: number.to_string() };
            vec![Item::Encoding(3, "tree".into()), instance, Item::Count(number as u128), value]
        };
        let words = ["Encoding", "Instance"].map(|head| Column::words(head, head));
        let numbers = ["Runs", "Time (s)"].map(|head| Column::numbers(head, head));
        Table {
            id: "t".into(),
            title: "T".into(),
            columns: words.into_iter().chain(numbers).collect(),
            rows: (0..rows).map(row).collect(),
            notes: Vec::new(),
        }
    }

    #[test]
    fn a_very_long_table_has_its_first_rows_and_the_name_of_the_file() {
        let page = folded(&table(MAX_ROWS + 1), "table.md").into_string();
        assert_eq!(page.matches("<tr>").count(), 1 + ON_PAPER);
        assert!(page.contains("These are the first 20 of 301 rows."), "{page}");
        let short = folded(&table(MAX_ROWS), "table.md").into_string();
        assert_eq!(short.matches("<tr>").count(), 1 + MAX_ROWS);
        assert!(!short.contains("These are the first"));
    }

    #[test]
    fn a_column_with_one_value_is_a_sentence_below_a_wide_table() {
        let words = |text: &str| Item::Words(text.into());
        let with = |columns: usize, second: &str| {
            let heads = (2..columns).map(|at| Column::words("other", &format!("C{at}")));
            let first = [Column::words("kind", "Kind"), Column::words("solver", "Solver")];
            let row = |kind: &str, solver: &str| {
                let rest = (2..columns).map(|at| words(&format!("{kind}{at}")));
                [words(kind), words(solver)].into_iter().chain(rest).collect()
            };
            let rows = vec![row("a", "cadical"), row("b", second)];
            let columns = first.into_iter().chain(heads).collect();
            body(&Table { columns, rows, ..table(0) }).into_string()
        };
        let same = with(HIDES, "cadical");
        assert!(same.contains("<th scope=\"col\" hidden>Solver</th>"), "{same}");
        assert_eq!(same.matches("<td hidden>CaDiCaL</td>").count(), 2, "{same}");
        assert!(same.contains("<p class=\"notes\">In all rows: Solver CaDiCaL.</p>"), "{same}");
        for shown in [with(HIDES, "batsat"), with(HIDES - 1, "cadical")] {
            assert!(!shown.contains("hidden") && !shown.contains("In all rows"), "{shown}");
        }
    }

    #[test]
    fn a_ranking_begins_with_the_ratio_and_the_verdict() {
        let names = ["encoding", "group", "solver", "ratio", "ratio_low", "ratio_high", "verdict"];
        let columns: Vec<Column> = names.iter().map(|name| Column::words(name, name)).collect();
        let ordered = |id: &str| {
            let table = Table { id: id.into(), columns: columns.clone(), ..table(0) };
            in_order(&table).into_iter().map(|at| names[at]).collect::<Vec<_>>()
        };
        let first = ["encoding", "ratio", "ratio_low", "ratio_high", "verdict", "group", "solver"];
        assert_eq!(ordered("ranking-time-random-sat"), first);
        assert_eq!(ordered("pairs-time-random-sat"), names);
    }

    #[test]
    fn a_column_is_aligned_as_its_heading_whatever_its_items_are() {
        let words = |text: &str| Item::Words(text.into());
        let long = "long ".repeat(9);
        let table = Table {
            columns: vec![Column::words("kind", "Kind"), Column::numbers("ratio", "Ratio")],
            rows: vec![
                vec![words("pairs"), words("≥ 19.1")],
                vec![words("covers"), words("not shown")],
                vec![Item::Count(3), Item::Value(Value::Measured(28.3))],
                vec![Item::Missing, Item::Missing],
                vec![words(&long), words(&long)],
            ],
            ..table(0)
        };
        let page = body(&table).into_string();
        let expected = [
            "<th scope=\"col\">Kind</th><th scope=\"col\" class=\"number\">Ratio</th>",
            "<td>pairs</td><td class=\"number\">≥ 19.1</td>",
            "<td>covers</td><td class=\"number\">not shown</td>",
            "<td>3</td><td class=\"number\" data-v=\"28.3\">28.3</td>",
            "<td class=\"missing\">–</td><td class=\"number missing\">–</td>",
            &format!("<td class=\"words\">{long}</td><td class=\"number words\">{long}</td>"),
        ];
        for row in expected {
            assert!(page.contains(&format!("<tr>{row}</tr>")), "{row} in {page}");
        }
    }
}
