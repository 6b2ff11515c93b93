//! The report as Markdown: what a reader of the repository sees.

use std::fmt::Write;

use crate::account::more_sessions;
use crate::command::commands;
use crate::escape::{fenced, markdown};
use crate::report::Report;

/// Writes the report as Markdown.
pub(crate) fn page(report: &Report<'_>) -> String {
    let mut text = format!("# {}\n\n", markdown(&report.record.name));
    if let Some(question) = &report.record.question {
        section(&mut text, &markdown(question));
    }
    if !report.wrong.is_empty() {
        section(&mut text, &format!("## Wrong answers: {}\n", report.wrong.len()));
        list(&mut text, report.wrong.iter().map(|wrong| format!("**Wrong:** {}", markdown(wrong))));
    }
    listed(&mut text, "Answers that contradict each other", &report.contradictions);
    section(&mut text, "## Run status\n");
    let ends = report.ends.iter().filter(|(_, number)| *number > 0);
    let ends = ends.map(|(end, number)| format!("{number} {end}"));
    list(&mut text, ends.chain(report.reasons.iter().map(|reason| markdown(reason))));
    for table in &report.tables {
        section(&mut text, &format!("## {}\n", markdown(&table.title)));
        section(&mut text, table.markdown().trim_end());
    }
    if !report.figures.is_empty() {
        section(&mut text, "## Figures\n");
    }
    for figure in &report.figures {
        let id = figure.kind.id;
        section(&mut text, &format!("### {}\n", markdown(&figure.chart.title)));
        section(&mut text, &format!("![{}]({id}.svg)\n", markdown(&figure.alternative())));
        section(&mut text, &markdown(&figure.chart.caption));
    }
    listed(&mut text, "Threats to validity", &report.threats);
    section(&mut text, "## All cells\n");
    // Links lead to files that are committed with this one.
    section(
        &mut text,
        "[As CSV](table.csv). `bezzel report` also writes each table in Markdown and in LaTeX, the headline numbers for \
         LaTeX, and each figure as PNG, PDF, TikZ and CSV.",
    );
    section(&mut text, "## How to repeat it\n");
    let steps = commands(report);
    let steps = steps.iter().map(|step| format!("# {}\n{}", step.what, step.line));
    section(&mut text, &fenced(&steps.collect::<Vec<_>>().join("\n"), "sh"));
    listed(&mut text, "Where it was measured", &report.machines);
    for session in &report.sessions {
        section(&mut text, &format!("## Session {}\n", session.number));
        text.push_str("| | |\n| --- | --- |\n");
        for (name, value) in &session.fields {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "| {} | {} |", markdown(name), markdown(value));
        }
        text.push('\n');
    }
    if report.more_sessions > 0 {
        section(&mut text, &markdown(&more_sessions(report.more_sessions)));
    }
    if !report.record.config.is_empty() {
        section(&mut text, "## Config\n");
        section(&mut text, fenced(&report.record.config, "yaml").trim_end());
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// The tables as a page of their own.
pub(crate) fn tables(report: &Report<'_>) -> String {
    let tables = report.tables.iter().chain([&report.cells]);
    let tables =
        tables.map(|table| format!("## {}\n\n{}", markdown(&table.title), table.markdown()));
    format!(
        "# {}: tables\n\n{}",
        markdown(&report.record.name),
        tables.collect::<Vec<_>>().join("\n")
    )
}

fn section(text: &mut String, part: &str) {
    text.push_str(part.trim_end());
    text.push_str("\n\n");
}

/// A section with a list; nothing of an empty list.
fn listed(text: &mut String, heading: &str, items: &[String]) {
    if !items.is_empty() {
        section(text, &format!("## {heading}\n"));
        list(text, items.iter().map(|item| markdown(item)));
    }
}

fn list(text: &mut String, items: impl Iterator<Item = String>) {
    for item in items {
        let _ = writeln!(text, "- {item}");
    }
    text.push('\n');
}
