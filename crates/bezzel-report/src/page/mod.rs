//! The report as one HTML page that needs nothing but itself.
//!
//! From the top: the question, the answer, what became of the runs, what stands out, tables,
//! figures, threats to validity, all cells, how to repeat it, where it was measured. Everything is
//! readable without the script; with it, figures tell their values and tables take another order.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::escape::plain;
use crate::report::Report;

mod figure;
mod look;
mod origin;
mod outcome;
mod table;

use self::look::{policy, style};
pub(crate) use look::{policy_of_index, style_of_index};

/// What an experiment's reports say of themselves.
const KICKER: &str = "Bezzel report";

/// A part of the page that the contents name.
struct Part {
    /// Where links lead.
    id: String,
    /// Its heading.
    title: String,
    /// Its class, if it looks different.
    class: Option<&'static str>,
    body: Markup,
}

impl Part {
    fn new(id: impl Into<String>, title: impl Into<String>, body: Markup) -> Self {
        Self { id: id.into(), title: title.into(), class: None, body }
    }

    fn with_class(self, class: &'static str) -> Self {
        Self { class: Some(class), ..self }
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
                            }
                        }
                        (foot())
                    }
                }
                script { (PreEscaped(look::SCRIPT)) }
            }
        }
    }
    .into_string()
}

/// The head of a page of this title.
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

/// The question.
fn front(report: &Report<'_>, name: &str) -> Markup {
    html! {
        header {
            p.kicker { (KICKER) " " b { (name) } }
            h1 {
                @match &report.record.question {
                    Some(question) => (plain(question)),
                    None => (name),
                }
            }
        }
    }
}

fn contents(parts: &[Part]) -> Markup {
    html! {
        nav.contents aria-label="Contents" {
            details {
                summary { "Contents" }
                ol { @for part in parts { li { a href={ "#" (part.id) } { (part.title) } } } }
            }
        }
    }
}

fn parts(report: &Report<'_>) -> Vec<Part> {
    let mut parts = outcome::parts(report);
    for short in &report.tables {
        // Figures have ids of the same kind.
        let id = format!("table-{}", short.id);
        parts.push(Part::new(id, plain(&short.title), table::body(short)));
    }
    for drawn in &report.figures {
        parts.push(Part::new(drawn.kind.id, plain(&drawn.chart.title), figure::body(drawn)));
    }
    if !report.threats.is_empty() {
        let body = html! { ul { @for threat in &report.threats { li { (plain(threat)) } } } };
        parts.push(Part::new("threats", "Threats to validity", body).with_class("care"));
    }
    parts.push(Part::new("cells", plain(&report.cells.title), table::all(&report.cells)));
    parts.extend(origin::parts(report));
    parts
}

fn foot() -> Markup {
    html! {
        footer {
            "Written from the evidence alone: the same rows give the same page. "
            a href="report.md" { "This report in Markdown" } " · "
            a href="../index.html" { "All reports" }
        }
    }
}
