//! The report as one HTML page without any other files.
//!
//! From the top: question, answer, computed answer, hypothesis, lead figure, main table, results of source documents, further figures,
//! conditions, threats to validity, further tables, all cells, commands. Everything is readable without the script.
//! With it, figures show their values and list the runs of a mark, tables can be sorted, and the runs can be listed,
//! filtered, compared and repeated one by one.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::escape::plain;
use crate::report::{Figure, Report};
use crate::table::Table;

mod assets;
mod figure;
mod outcome;
mod runs;
mod table;

use self::assets::{policy, style};
use self::figure::RowIndices;
pub(crate) use assets::{SCRIPT_OF_ENCODINGS, SCRIPT_OF_INDEX, policy_of, style_of_index};

/// The line above the title.
const KICKER: &str = "Bezzel reports";

/// A part of the page, which is listed in the contents.
struct PageSection {
    /// The target of links.
    id: String,
    /// Its heading.
    title: String,
    /// Its class, if it has a look of its own.
    class: Option<&'static str>,
    body: Markup,
    /// Its parts, which are listed below it in the contents.
    parts: Vec<PageSection>,
}

impl PageSection {
    fn new(id: impl Into<String>, title: impl Into<String>, body: Markup) -> Self {
        Self { id: id.into(), title: title.into(), class: None, body, parts: Vec::new() }
    }

    fn with_class(self, class: &'static str) -> Self {
        Self { class: Some(class), ..self }
    }

    /// A part that consists of others.
    fn of(id: &str, title: &str, parts: Vec<PageSection>) -> Self {
        Self { parts, ..Self::new(id, title, html! {}) }
    }
}

/// Writes the report as HTML.
pub(crate) fn page(report: &Report<'_>) -> String {
    let name = plain(&report.record.name);
    let style = style(report);
    let parts = parts(report);
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(&name, &style, &policy(&style)))
            body {
                (table::marks())
                div.layout {
                    (front(report, &name))
                    (contents(&parts))
                    main {
                        @for part in &parts {
                            section id=(part.id) class=[part.class] {
                                h2 { (part.title) }
                                (part.body)
                                @for inner in &part.parts {
                                    div.part id=(inner.id) { h3 { (inner.title) } (inner.body) }
                                }
                            }
                        }
                        (foot())
                    }
                }
                @if let Some(rows) = &report.rows {
                    (runs::parts(report))
                    script id="rows" type="application/json" { (PreEscaped(rows)) }
                }
                script { (PreEscaped(assets::SCRIPT)) }
            }
        }
    }
    .into_string()
}

/// The head of a page with this title.
pub(crate) fn head(title: &str, style: &str, policy: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(policy);
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { (title) " – Bezzel" }
            style { (PreEscaped(style)) }
        }
    }
}

/// The link to the start page of the server, which scripts show where a server sends the page.
pub(crate) fn start(address: &str) -> Markup {
    html! { a.served hidden href=(address) { "Start page" } }
}

/// The question.
fn front(report: &Report<'_>, name: &str) -> Markup {
    html! {
        header {
            p.kicker {
                a href="../index.html" { (KICKER) } (start("../../")) " " b { (name) }
            }
            h1 {
                @match &report.record.question {
                    Some(question) => (plain(question)),
                    None => (name),
                }
            }
        }
    }
}

fn contents(parts: &[PageSection]) -> Markup {
    html! {
        nav.contents aria-label="Contents" {
            details {
                summary { "Contents" }
                (entries(parts))
            }
        }
    }
}

fn entries(parts: &[PageSection]) -> Markup {
    html! {
        ol {
            @for part in parts {
                li {
                    a href={ "#" (part.id) } { (part.title) }
                    @if !part.parts.is_empty() { (entries(&part.parts)) }
                }
            }
        }
    }
}

fn parts(report: &Report<'_>) -> Vec<PageSection> {
    let mut parts = outcome::faults(report);
    parts.extend(report.answer.as_ref().map(|answer| outcome::answer(answer, &report.trust)));
    parts.extend(outcome::computed(report));
    parts.extend(report.hypothesis.as_ref().map(outcome::hypothesis));
    let indices = RowIndices::new(&report.record.rows);
    let of_figure = |drawn: &Figure| {
        let body = figure::body(drawn, &indices);
        PageSection::new(drawn.kind.id, plain(&drawn.chart.title), body)
    };
    let mut figures = report.figures.iter().map(of_figure);
    parts.extend(figures.next());
    // Figures have ids of the same kind.
    let of_table = |short: &Table, body: Markup| {
        PageSection::new(format!("table-{}", short.id), plain(&short.title), body)
    };
    let open = report.main.iter().chain(&report.sources);
    parts.extend(open.map(|short| of_table(short, table::body(short))));
    if figures.len() > 0 {
        parts.push(PageSection::of("figures", "Further figures", figures.collect()));
    }
    parts.push(outcome::conditions(report));
    if !report.threats.is_empty() {
        let body = html! { ul { @for threat in &report.threats { li { (plain(threat)) } } } };
        parts.push(PageSection::new("threats", "Threats to validity", body).with_class("care"));
    }
    if !report.tables.is_empty() {
        let tables = report.tables.iter();
        let tables = tables.map(|short| of_table(short, table::folded(short, "table.md")));
        parts.push(PageSection::of("tables", "Further tables", tables.collect()));
    }
    parts.push(PageSection::new("cells", plain(&report.cells.title), table::all(report)));
    parts.extend(outcome::parts(report));
    parts
}

fn foot() -> Markup {
    html! {
        footer {
            "Written from the evidence and the author's statements: the same input gives the same page. "
            a href="report.md" { "This report in Markdown" } " · "
            a href="../index.html" { "All reports" }
        }
    }
}
