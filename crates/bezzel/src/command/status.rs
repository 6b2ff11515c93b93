//! `bezzel status`: the done, running, waiting and missing jobs of an experiment.

use std::io::Write;
use std::process::ExitCode;

use bezzel_experiment::Catalog;
use bezzel_experiment::status::{self, Status};

use super::common::{counted, print_json};
use super::report;
use crate::arguments::StatusArguments;
use crate::failure::{CommandResult, Failure};

pub(crate) fn run(
    arguments: &StatusArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let root = arguments.root.path();
    let Some(experiment) = &arguments.experiment else {
        return report::list(root, arguments.json, out);
    };
    let folder = report::find(root, experiment, catalog)?;
    let status = status::read(&folder, catalog).map_err(Failure::input)?;
    if arguments.json {
        print_json(&status, out)?;
    } else {
        print_status(&status, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_status(status: &Status, out: &mut dyn Write) -> Result<(), Failure> {
    let Status {
        name,
        planned,
        done,
        failed,
        running,
        waiting,
        missing,
        killed,
        sessions,
        imported,
        damage,
    } = status;
    let sessions = counted(*sessions, "session");
    if let Some(rows) = imported {
        let all = counted(*planned, "row");
        writeln!(
            out,
            "{name}: {all} imported from a table of others, not verified here; {sessions}"
        )?;
        writeln!(out, "  answered   {:>9}", rows.answered)?;
        writeln!(out, "  unanswered {:>9}", rows.unanswered)?;
        return print_damage(damage, out);
    }
    writeln!(out, "{name}: {} planned, {sessions}", counted(*planned, "job"))?;
    let mut line =
        |what: &str, number: usize, more: String| writeln!(out, "  {what:<8} {number:>9}{more}");
    let of = |number: &usize, what: &str| match number {
        0 => String::new(),
        _ => format!("   {number} {what}"),
    };
    line("done", *done, String::new())?;
    line("failed", *failed, if *failed > 0 { "   of those done".into() } else { String::new() })?;
    line("running", *running, String::new())?;
    line("waiting", *waiting, String::new())?;
    line("missing", *missing, of(killed, "killed from outside before they answered"))?;
    print_damage(damage, out)
}

fn print_damage(damage: &[String], out: &mut dyn Write) -> Result<(), Failure> {
    for warning in damage {
        writeln!(out, "WARNING: {warning}")?;
    }
    Ok(())
}
