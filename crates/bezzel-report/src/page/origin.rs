//! Where the numbers come from: how to repeat them, the machines, the config.

use maud::{Markup, html};

use super::Part;
use crate::account::more_sessions;
use crate::command::commands;
use crate::escape::{plain, plain_lines};
use crate::report::Report;

/// The parts.
pub(super) fn parts(report: &Report<'_>) -> Vec<Part> {
    let mut parts = vec![
        Part::new("repeat", "How to repeat it", repeat(report)),
        Part::new("environment", "Where it was measured", sessions(report)),
    ];
    if !report.record.config.is_empty() {
        let body = html! {
            details {
                summary.more { "As it was frozen when the first run began" }
                pre.config { (plain_lines(&report.record.config)) }
            }
        };
        parts.push(Part::new("config", "Config", body));
    }
    parts
}

fn repeat(report: &Report<'_>) -> Markup {
    html! {
        dl.commands {
            @for command in commands(report) {
                dt { (command.what) }
                dd { pre { (plain_lines(&command.line)) } }
            }
        }
    }
}

fn sessions(report: &Report<'_>) -> Markup {
    html! {
        @if !report.machines.is_empty() {
            ul { @for machines in &report.machines { li { (plain(machines)) } } }
        }
        @for (index, session) in report.sessions.iter().enumerate() {
            // The first is open: what a reader asks for first, the machine, is in it.
            details open[index == 0] {
                summary.more { "Session " (session.number) }
                table.facts {
                    @for (name, value) in &session.fields {
                        tr { th scope="row" { (plain(name)) } td { (plain(value)) } }
                    }
                }
            }
        }
        @if report.more_sessions > 0 { p { (more_sessions(report.more_sessions)) } }
        @if report.sessions.is_empty() { p { "No session was recorded." } }
    }
}
