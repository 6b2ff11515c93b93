//! The report as one HTML page that needs nothing but itself.

use bezzel_lab::quantity::grouped;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::escape::{plain, plain_lines};
use crate::render::hex_of;
use crate::report::{Figure, Report};
use crate::table::{Item, Table};

/// How the page looks.
const STYLE: &str = include_str!("page.css");

/// The page may load nothing, whatever a name in it says.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
                      form-action 'none'";

/// Writes the report as HTML.
pub(crate) fn page(report: &Report<'_>) -> String {
    let name = plain(&report.record.name);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (name) " – Bezzel" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    p.kicker { "Bezzel report" }
                    h1 { (name) }
                    @if let Some(question) = &report.record.question {
                        p.question { (plain(question)) }
                    }
                    @if let Some(answer) = report.answer() { p { b { "Answer. " } (answer) } }
                }
                main {
                    (wrong(report))
                    (ends(report))
                    (findings(report))
                    @for short in &report.tables { (table(short)) }
                    @for figure in &report.figures { (show(figure)) }
                    section {
                        details {
                            summary { h2 { (report.cells.title) } }
                            p.files { a href="table.csv" { "CSV" } " · " a href="table.md" { "Markdown" } }
                            (body(&report.cells))
                        }
                    }
                    (made(report))
                }
            }
        }
    }
    .into_string()
}

fn wrong(report: &Report<'_>) -> Markup {
    html! {
        @if !report.wrong.is_empty() {
            section.wrong {
                h2 { "Wrong answers: " (report.wrong.len()) }
                ul { @for wrong in &report.wrong { li { (wrong) } } }
                p { "They enter no statistic and no figure." }
            }
        }
        @if !report.contradictions.is_empty() {
            section.wrong {
                h2 { "Answers that contradict each other" }
                ul { @for pair in &report.contradictions { li { (pair) } } }
            }
        }
    }
}

fn ends(report: &Report<'_>) -> Markup {
    html! {
        section {
            h2 { "What became of the runs" }
            ul.ends {
                @for (end, number) in report.ends.iter().filter(|(_, number)| *number > 0) {
                    li { b { (grouped(*number as u128)) } " " (end) }
                }
            }
            @if !report.reasons.is_empty() {
                ul { @for reason in &report.reasons { li { (reason) } } }
            }
            @if report.record.rows.is_empty() { p { "There is nothing to show." } }
        }
    }
}

fn findings(report: &Report<'_>) -> Markup {
    html! {
        @if !report.findings.is_empty() {
            section {
                h2 { "What stands out" }
                ul { @for finding in &report.findings { li { (finding) } } }
            }
        }
        @if !report.threats.is_empty() {
            section.care {
                h2 { "Threats to validity" }
                ul { @for caution in &report.threats { li { (caution) } } }
            }
        }
    }
}

fn show(figure: &Figure) -> Markup {
    let id = figure.kind.id;
    html! {
        section id=(id) {
            h2 { (figure.chart.title) }
            figure {
                div.card { (PreEscaped(&figure.picture.svg)) }
                figcaption { (figure.chart.caption) }
            }
            p.files {
                a href={ (id) ".svg" } { "SVG" } " · "
                a href={ (id) ".png" } { "PNG" } " · "
                a href={ (id) ".pdf" } { "PDF" } " · "
                a href={ (id) ".csv" } { "data" }
            }
        }
    }
}

fn table(table: &Table) -> Markup {
    html! {
        section {
            h2 { (table.title) }
            (body(table))
        }
    }
}

fn body(table: &Table) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(table.title) {
            table {
                thead {
                    tr { @for column in &table.columns {
                        th scope="col" class=[column.numeric.then_some("number")] { (plain(&column.head)) }
                    } }
                }
                tbody {
                    @for row in &table.rows {
                        tr { @for item in row { (cell(item)) } }
                    }
                }
            }
        }
        ul.notes { @for note in &table.notes { li { (note) } } }
    }
}

fn cell(item: &Item) -> Markup {
    html! {
        @match item {
            Item::Encoding(style, _) => th scope="row" {
                span.chip style={ "background:" (hex_of(*style)) } {}
                (item.read())
            },
            Item::Words(_) => td { (item.read()) },
            Item::Missing => td.number.missing { (item.read()) },
            _ => td.number { (item.read()) },
        }
    }
}

fn made(report: &Report<'_>) -> Markup {
    html! {
        section {
            h2 { "Where it was measured" }
            @for (index, session) in report.sessions.iter().enumerate() {
                h3 { "Session " (index) }
                div.scroll {
                    table.facts {
                        @for (name, value) in session {
                            tr { th scope="row" { (name) } td { (value) } }
                        }
                    }
                }
            }
            @if report.sessions.is_empty() { p { "No session was recorded." } }
            @if !report.record.config.is_empty() {
                details {
                    summary { h2 { "Config" } }
                    pre { (plain_lines(&report.record.config)) }
                }
            }
            h2 { "Made by" }
            pre { (plain_lines(report.command)) }
        }
    }
}
