//! The report as Markdown, for readers of the repository.

use std::fmt::Write;

use bezzel_experiment::quantity::grouped;

use crate::command::commands;
use crate::computed_answer::{ComputedAnswer, HEADING};
use crate::escape::{address, fenced, markdown};
use crate::report::{Figure, Report};
use crate::table::Table;

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
    if let Some(answer) = &report.answer {
        section(&mut text, "## Answer\n");
        match &answer.lines[..] {
            [line] => section(&mut text, &markdown(line)),
            lines => list(&mut text, lines.iter().map(|line| markdown(line))),
        }
        if let Some(table) = &answer.table {
            section(&mut text, &table.markdown());
        }
        section(&mut text, &markdown(&report.trust.text()));
    }
    computed(&mut text, report);
    if let Some(hypothesis) = &report.hypothesis {
        section(&mut text, "## Hypothesis\n");
        section(&mut text, &markdown(&hypothesis.text));
        section(&mut text, &markdown(&hypothesis.outcome));
        list(&mut text, hypothesis.claims.iter().map(|claim| markdown(claim)));
    }
    let mut figures = report.figures.iter();
    if let Some(lead) = figures.next() {
        section(&mut text, &format!("## {}\n", markdown(&lead.chart.title)));
        of_figure(&mut text, lead);
    }
    for table in report.main.iter().chain(&report.sources) {
        section(&mut text, &format!("## {}\n", markdown(&table.title)));
        section(&mut text, table.markdown().trim_end());
    }
    if figures.len() > 0 {
        section(&mut text, "## Further figures\n");
    }
    for figure in figures {
        section(&mut text, &format!("### {}\n", markdown(&figure.chart.title)));
        of_figure(&mut text, figure);
    }
    conditions(&mut text, report);
    listed(&mut text, "Threats to validity", &report.threats);
    if !report.tables.is_empty() {
        section(&mut text, "## Further tables\n");
    }
    for table in &report.tables {
        folded(&mut text, table);
    }
    section(&mut text, "## Data and commands\n");
    // Links lead to files that are committed with this one.
    section(&mut text, &files(report));
    let steps = commands(report);
    let steps = steps.iter().map(|step| format!("# {}\n{}", step.what, step.line));
    section(&mut text, &fenced(&steps.collect::<Vec<_>>().join("\n"), "sh"));
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// The computed answer. Below that of the author it has no table.
fn computed(text: &mut String, report: &Report<'_>) {
    let ComputedAnswer { sentences, table } = &report.computed;
    if sentences.is_empty() {
        return;
    }
    section(text, &format!("## {HEADING}\n"));
    for sentence in sentences {
        section(text, &markdown(sentence));
    }
    if report.answer.is_none() {
        section(text, &markdown(&report.trust.text()));
        if let Some(table) = table {
            section(text, &table.markdown());
        }
    }
}

fn of_figure(text: &mut String, figure: &Figure) {
    let id = figure.kind.id;
    section(text, &format!("![{}]({id}.svg)\n", markdown(&figure.alternative())));
    section(text, &markdown(&figure.chart.caption));
}

/// The ends of the runs, the conditions and the machines.
fn conditions(text: &mut String, report: &Report<'_>) {
    section(text, "## Conditions\n");
    let ends = report.ends.iter().filter(|(_, number)| *number > 0);
    let ends: Vec<_> =
        ends.map(|(end, number)| format!("{} {end}", grouped(*number as u128))).collect();
    let runs = match &ends[..] {
        [] => "Runs: none.".to_owned(),
        ends => format!("Runs: {}.", ends.join(", ")),
    };
    let others = report.reasons.iter().chain(&report.conditions);
    list(text, std::iter::once(runs).chain(others.map(|line| markdown(line))));
    if report.environment.is_empty() {
        return;
    }
    section(text, "<details><summary>Machine and programs</summary>\n");
    text.push_str("| | |\n| --- | --- |\n");
    for (name, value) in &report.environment {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {} | {} |", markdown(name), markdown(value));
    }
    section(text, "\n</details>");
}

/// A table that opens when its title is chosen.
fn folded(text: &mut String, table: &Table) {
    section(text, &format!("<details><summary>{}</summary>\n", markdown(&table.title)));
    section(text, table.markdown().trim_end());
    section(text, "</details>");
}

/// The files of the report and of its evidence.
fn files(report: &Report<'_>) -> String {
    let record = report.record;
    let mut names: Vec<&str> = record.parts.iter().map(|part| part.name.as_str()).collect();
    if names.is_empty() {
        names.push(&record.name);
    }
    let configs: Vec<_> = names
        .iter()
        .map(|name| format!("[{}](../../experiments/{})", markdown(name), address(name)))
        .collect();
    let mut text = format!(
        "Config: in the last session of {}. [All cells as CSV](table.csv). `bezzel report` also writes a page for \
         browsers, each table in Markdown and in LaTeX, the numbers of the main table for LaTeX, and each figure as PNG, PDF and CSV.",
        configs.join(", "),
    );
    if !report.in_files.is_empty() {
        let names = report.in_files.iter().map(|table| format!("`table-{}.csv`", table.id));
        let names = names.collect::<Vec<_>>().join(", ");
        text.extend([" Tables that are only in files: ", &names, "."]);
    }
    text
}

/// The tables as a page of their own.
pub(crate) fn tables(report: &Report<'_>) -> String {
    let tables = report.short_tables().chain([&report.cells]);
    let tables = tables.map(|table| {
        format!("## {} (`{}`)\n\n{}", markdown(&table.title), table.id, table.markdown())
    });
    let mut text = format!(
        "# {}: tables\n\n{}\n",
        markdown(&report.record.name),
        tables.collect::<Vec<_>>().join("\n")
    );
    listed(&mut text, "Conditions", &report.conditions);
    text
}

fn section(text: &mut String, part: &str) {
    text.push_str(part.trim_end());
    text.push_str("\n\n");
}

/// A section with a list. Empty for an empty list.
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
