//! The status of the runs, after the wrong answers, if there are any.

use bezzel_lab::quantity::grouped;
use maud::{Markup, html};

use super::Part;
use crate::escape::plain;
use crate::report::Report;

/// The parts, the wrong answers first.
pub(super) fn parts(report: &Report<'_>) -> Vec<Part> {
    let mut parts = Vec::new();
    if !report.wrong.is_empty() {
        let body = html! {
            ul { @for wrong in &report.wrong { li { (plain(wrong)) } } }
            p { "They enter no statistic and no figure." }
        };
        let title = format!("Wrong answers: {}", report.wrong.len());
        parts.push(Part::new("wrong", title, body).with_class("wrong"));
    }
    if !report.contradictions.is_empty() {
        let body = html! { ul { @for pair in &report.contradictions { li { (plain(pair)) } } } };
        let title = "Answers that contradict each other";
        parts.push(Part::new("contradictions", title, body).with_class("wrong"));
    }
    parts.push(Part::new("runs", "Run status", runs(report)));
    parts
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
            // The numbers below tell the same.
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
                    b { (grouped(*number as u128)) } " " (end)
                }
            }
        }
        @if !report.reasons.is_empty() {
            ul { @for reason in &report.reasons { li { (plain(reason)) } } }
        }
        @if report.record.rows.is_empty() { p { "There is nothing to show." } }
    }
}
