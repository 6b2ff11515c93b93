//! The commands that repeat the report, and its config.

use bezzel_problem::harmless_line;
use maud::{Markup, html};

use super::PageSection;
use crate::command::commands;
use crate::escape::plain_lines;
use crate::report::Report;

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
