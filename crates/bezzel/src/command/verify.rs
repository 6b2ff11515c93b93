//! `bezzel verify`: evidence checked again without trusting it.

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use bezzel_experiment::Catalog;
use bezzel_experiment::runner::RunError;
use bezzel_experiment::verify::{self, VerificationReport, VerificationStep, VerifyOptions};

use super::common::{counted, print_json};
use super::{permission, report};
use crate::arguments::VerifyArguments;
use crate::failure::{CommandResult, Failure, shown};
use crate::interrupt::{self, INTERRUPTED};
use crate::progress::Steps;

/// The largest number of faults of a kind that are shown.
const MAX_SHOWN: usize = 20;

pub(crate) fn run(
    arguments: &VerifyArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let folder = report::find(arguments.root.path(), &arguments.experiment, catalog)?;
    let catalog = &catalog.with_permission(permission(arguments.programs));
    let options = VerifyOptions {
        sample: arguments.sample(),
        seed: arguments.seed,
        encode_for: arguments.encode_for,
        // This very program, even if its file is replaced by a newer build in the meantime.
        worker: "/proc/self/exe".into(),
    };
    let mut steps = Steps::new(arguments.quiet);
    // Workers have files and control groups, which must be removed.
    let cancel = interrupt::run_begins();
    let mut observe = |step: VerificationStep, done, all| steps.show(step.to_string(), done, all);
    let verified = verify::verify(&folder, catalog, &options, cancel, &mut observe);
    steps.finish();
    let verified = verified.map_err(unverified)?;
    if cancel.load(Ordering::Relaxed) {
        writeln!(out, "stopped before everything was checked")?;
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if arguments.json {
        print_json(&verified, out)?;
        return Ok(ExitCode::from(u8::from(!verified.faults.is_empty())));
    }
    print_report(&verified, out)?;
    match verified.faults.len() {
        0 => Ok(ExitCode::SUCCESS),
        number => {
            let faults = counted(number, "fault");
            Err(Failure::Work(format!("{faults} in `{}`", shown(&folder))))
        }
    }
}

/// The failure of a check that was not possible.
pub(super) fn unverified(error: RunError) -> Failure {
    match error {
        RunError::Store(error) => Failure::input(error),
        other => Failure::work(other),
    }
}

/// Prints the table of checks, then each fault and each remark, a line each.
fn print_report(verified: &VerificationReport, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "{:<28} {:>9} {:>9} {:>9}", "", "checked", "faults", "left out")?;
    for step in &verified.checked {
        let name = step.step.to_string();
        writeln!(out, "{name:<28} {:>9} {:>9} {:>9}", step.checked, step.faults, step.left_out)?;
    }
    for step in &verified.checked {
        let faults = || verified.faults.iter().filter(|fault| fault.step == step.step);
        // Evidence may be of any origin.
        for fault in faults().take(MAX_SHOWN) {
            writeln!(out, "FAULT: {}", fault.to_string().replace('\n', " "))?;
        }
        if let Some(more) = faults().count().checked_sub(MAX_SHOWN).filter(|&more| more > 0) {
            writeln!(out, "FAULT: … and {more} more of {}: --json has them all", step.step)?;
        }
    }
    for remark in &verified.remarks {
        writeln!(out, "note: {remark}")?;
    }
    if verified.faults.is_empty() {
        writeln!(out, "no fault was found")?;
    }
    Ok(())
}
