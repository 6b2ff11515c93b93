//! The report as Markdown, for readers of the repository.

use std::fmt::Write;

use bezzel_experiment::quantity::{counted, grouped};

use crate::command::commands;
use crate::computed_answer::{ComputedAnswer, HEADING};
use crate::escape::{address, fenced, markdown};
use crate::report::{Figure, Report};

/// The largest number of words of the page. Parts that do not fit are on the page for browsers and in files.
const MAX_WORDS: usize = 1220;

/// A part of the page.
struct Part {
    /// Parts with smaller numbers are kept first. None for a part that is always kept.
    rank: Option<usize>,
    text: String,
}

/// Writes the report as Markdown.
pub(crate) fn page(report: &Report<'_>) -> String {
    let mut parts = vec![Part { rank: None, text: opening(report) }];
    let mut figures = report.figures.iter();
    if let Some(lead) = figures.next() {
        parts.push(optional(0, headed_figure(lead)));
    }
    let tables = report.main.iter().map(|table| (2, table));
    for (rank, table) in tables.chain(report.sources.iter().map(|table| (1, table))) {
        let text = format!("## {}\n\n{}", markdown(&table.title), table.markdown().trim_end());
        parts.push(optional(rank, text + "\n\n"));
    }
    for figure in figures {
        parts.push(optional(5, headed_figure(figure)));
    }
    let mut text = String::new();
    conditions(&mut text, report);
    parts.push(optional(4, text));
    let mut text = String::new();
    listed(&mut text, "Threats to validity", &report.threats);
    parts.push(optional(3, text));
    // Links lead to files that are committed with this one.
    let steps = commands(report);
    let steps = steps.iter().map(|step| format!("# {}\n{}", step.what, step.line));
    let steps = fenced(&steps.collect::<Vec<_>>().join("\n"), "sh");
    // The last section counts, too: with the number of the parts that are left out, as long as it can be.
    let closing = |left_out: usize| {
        let mut text = String::new();
        section(&mut text, "## Data and commands\n");
        section(&mut text, &files(report));
        if left_out > 0 {
            let parts = counted(left_out, "part");
            section(
                &mut text,
                &format!("The page for browsers has {parts} that this page leaves out."),
            );
        }
        section(&mut text, &steps);
        text
    };
    let left_out = fit(&mut parts, words(&closing(2))) + report.tables.len();
    let mut text: String = parts.into_iter().map(|part| part.text).collect();
    text.push_str(&closing(left_out));
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn optional(rank: usize, text: String) -> Part {
    Part { rank: Some(rank), text }
}

/// The number of words of a text.
fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// Removes the parts that do not fit beside the last section, those of the largest rank first, and returns their number.
fn fit(parts: &mut Vec<Part>, last: usize) -> usize {
    let needed = parts.iter().filter(|part| part.rank.is_none()).map(|part| words(&part.text));
    let mut left = MAX_WORDS.saturating_sub(last + needed.sum::<usize>());
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&place| parts[place].rank);
    let mut kept = vec![true; parts.len()];
    for place in order.into_iter().filter(|&place| parts[place].rank.is_some()) {
        let words = words(&parts[place].text);
        kept[place] = words <= left;
        left -= if kept[place] { words } else { 0 };
    }
    let mut kept = kept.into_iter();
    let before = parts.len();
    parts.retain(|_| kept.next().unwrap_or(true));
    before - parts.len()
}

/// Question, faults, answer and hypothesis.
fn opening(report: &Report<'_>) -> String {
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
    } else {
        computed(&mut text, report);
    }
    if let Some(hypothesis) = &report.hypothesis {
        section(&mut text, "## Hypothesis\n");
        section(&mut text, &markdown(&hypothesis.text));
        section(&mut text, &markdown(&hypothesis.outcome));
        list(&mut text, hypothesis.claims.iter().map(|claim| markdown(claim)));
    }
    text
}

fn headed_figure(figure: &Figure) -> String {
    let mut text = String::new();
    section(&mut text, &format!("## {}\n", markdown(&figure.chart.title)));
    of_figure(&mut text, figure);
    text
}

/// The computed answer, if there is no author's.
fn computed(text: &mut String, report: &Report<'_>) {
    let ComputedAnswer { sentences, table, .. } = &report.computed;
    if sentences.is_empty() {
        return;
    }
    section(text, &format!("## {HEADING}\n"));
    for sentence in sentences {
        section(text, &markdown(sentence));
    }
    section(text, &markdown(&report.trust.text()));
    if let Some(table) = table {
        section(text, &table.markdown());
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

/// The files of the report and of its evidence.
fn files(report: &Report<'_>) -> String {
    let record = report.record;
    if record.is_imported() {
        let map = &record.config;
        return format!(
            "[The tables as CSV](table.csv). The map, with the source:\n\n```yaml\n{map}```"
        );
    }
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
         browsers, each table in Markdown and in LaTeX, the numbers of the main table for LaTeX, and each figure as CSV (`--pdf`: PDF, PNG).",
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
