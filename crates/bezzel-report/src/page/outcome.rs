//! The answer and the hypothesis; the ends of the runs with their conditions; wrong answers, if there are any.

use bezzel_experiment::quantity::grouped;
use bezzel_problem::harmless_line;
use maud::{Markup, html};

use super::{PageSection, table};
use crate::answer::{AuthorAnswer, StatedHypothesis};
use crate::command::commands;
use crate::computed_answer::{ComputedAnswer, HEADING};
use crate::escape::{plain, plain_lines};
use crate::report::Report;
use crate::trust_line::TrustLine;

/// Wrong answers and contradictions.
pub(super) fn faults(report: &Report<'_>) -> Vec<PageSection> {
    let mut parts = Vec::new();
    if !report.wrong.is_empty() {
        let body = html! {
            ul { @for wrong in &report.wrong { li { (plain(wrong)) } } }
            p { "They enter no statistic and no figure." }
        };
        let title = format!("Wrong answers: {}", report.wrong.len());
        parts.push(PageSection::new("wrong", title, body).with_class("wrong"));
    }
    if !report.contradictions.is_empty() {
        let body = html! { ul { @for pair in &report.contradictions { li { (plain(pair)) } } } };
        let title = "Answers that contradict each other";
        parts.push(PageSection::new("contradictions", title, body).with_class("wrong"));
    }
    parts
}

/// The author's answer with its evidence.
pub(super) fn answer(answer: &AuthorAnswer, evidence: &TrustLine) -> PageSection {
    let body = html! {
        @match &answer.lines[..] {
            [line] => { p { (plain(line)) } },
            lines => { ul { @for line in lines { li { (plain(line)) } } } },
        }
        @if let Some(table) = &answer.table { (table::body(table)) }
        (trust(evidence))
    };
    PageSection::new("answer", "Answer", body).with_class("answer")
}

/// The computed answer. Below that of the author its table is folded, unless it is all that answers: no verdict is there.
pub(super) fn computed(report: &Report<'_>) -> Option<PageSection> {
    let ComputedAnswer { sentences, table, has_verdict } = &report.computed;
    let is_alone = report.answer.is_none();
    let body = html! {
        @for sentence in sentences { p { (plain(sentence)) } }
        @if is_alone { (trust(&report.trust)) }
        @if let Some(table) = table {
            @if is_alone || !has_verdict { (table::open(table)) }
            @else { (table::folded(table, "table.md")) }
        }
    };
    let part = PageSection::new("computed", HEADING, body);
    let part = if is_alone { part.with_class("answer") } else { part };
    (!sentences.is_empty()).then_some(part)
}

/// The evidence of an answer, with links to the parts that have the details.
fn trust(evidence: &TrustLine) -> Markup {
    html! {
        p.trust {
            @for (place, (text, part)) in evidence.parts().iter().enumerate() {
                @if place > 0 { "; " }
                @match part {
                    Some(part) => a href={ "#" (part) } { (plain(text)) },
                    None => (plain(text)),
                }
            }
            "."
        }
    }
}

/// The author's hypothesis and its outcome.
pub(super) fn hypothesis(stated: &StatedHypothesis) -> PageSection {
    let StatedHypothesis { text, outcome, claims } = stated;
    let body = html! {
        p { (plain(text)) }
        p { (plain(outcome)) }
        @if !claims.is_empty() { ul { @for claim in claims { li { (plain(claim)) } } } }
    };
    PageSection::new("hypothesis", "Hypothesis", body)
}

/// The ends of the runs, the conditions, and the machines with their programs.
pub(super) fn conditions(report: &Report<'_>) -> PageSection {
    let body = html! {
        (runs(report))
        @if !report.conditions.is_empty() {
            ul { @for condition in &report.conditions { li { (plain(condition)) } } }
        }
        @if !report.environment.is_empty() {
            details {
                summary.more { "Machine and programs" }
                table.facts {
                    @for (name, value) in &report.environment {
                        tr { th scope="row" { (plain(name)) } td { (plain(value)) } }
                    }
                }
            }
        }
    };
    PageSection::new("conditions", "Conditions", body)
}

/// The class that colours an end of runs. The first end, `planned`, is the whole.
fn class(end: &str) -> &'static str {
    match end {
        "missing" => "gone",
        "answered and verified" => "good",
        "answered, unchecked" => "open",
        "answered wrongly" => "bad",
        _ => "over",
    }
}

fn runs(report: &Report<'_>) -> Markup {
    let ends: Vec<_> = report.ends.iter().filter(|(_, number)| *number > 0).collect();
    let shares: Vec<_> = ends.iter().filter(|(end, _)| *end != "planned").collect();
    let all: usize = shares.iter().map(|(_, number)| number).sum();
    let mut from = 0;
    html! {
        @if all > 0 {
            // The numbers below have the same information.
            svg.shares viewBox={ "0 0 " (all) " 1" } preserveAspectRatio="none" aria-hidden="true" {
                @for (end, number) in &shares {
                    rect class=(class(end)) x=(from) y="0" width=(number) height="1" {}
                    @let () = from += number;
                }
            }
        }
        ul.ends {
            @for (end, number) in &ends {
                li {
                    @if *end != "planned" { i class=(class(end)) {} }
                    @let text = html! { b { (grouped(*number as u128)) } " " (end) };
                    // The script lists these runs.
                    @if end.starts_with("at the") && report.rows.is_some() {
                        a href={ "#words=runs." (end.replace(' ', "+")) "&at=every" } { (text) }
                    } @else { (text) }
                }
            }
        }
        @if !report.reasons.is_empty() {
            ul { @for reason in &report.reasons { li { (plain(reason)) } } }
        }
        @if report.record.rows.is_empty() { p { "There is nothing to show." } }
    }
}

/// The parts.
pub(super) fn parts(report: &Report<'_>) -> Vec<PageSection> {
    let mut parts = vec![PageSection::new("repeat", "Commands", repeat(report))];
    if !report.record.config.is_empty() {
        let body = html! {
            details {
                summary.more { (origin(report)) }
                pre.config tabindex="0" { (plain_lines(&report.record.config)) }
            }
        };
        parts.push(PageSection::new("config", "Config", body));
    }
    parts
}

/// The origin of the config, in words.
fn origin(report: &Report<'_>) -> String {
    match &report.record.config_from[..] {
        "" => "By the configs of the last sessions, with all limits".to_owned(),
        from => format!("By {}, with all limits", harmless_line(from)),
    }
}

fn repeat(report: &Report<'_>) -> Markup {
    html! {
        dl.commands {
            @for command in commands(report) {
                dt { (command.what) }
                dd { pre tabindex="0" { (plain_lines(&command.line)) } }
            }
        }
    }
}
