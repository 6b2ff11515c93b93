//! `bezzel verify`: evidence checked again without trusting it.

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use bezzel_lab::Workbench;
use bezzel_lab::runner::RunError;
use bezzel_lab::verify::{self, Outcome, Step, Wanted};

use super::common::{counted, print_json};
use super::{permission, report};
use crate::arguments::VerifyArguments;
use crate::failure::{Done, Failure, harmless};
use crate::interrupt::{self, INTERRUPTED};
use crate::progress::Steps;

/// How many faults of a kind are shown.
const MOST: usize = 20;

pub(crate) fn run(arguments: &VerifyArguments, workbench: &Workbench, out: &mut dyn Write) -> Done {
    let folder = report::find(arguments.root.path(), &arguments.experiment)?;
    let workbench = &workbench.permitting(permission(arguments.programs));
    let wanted = Wanted {
        sample: arguments.sample(),
        seed: arguments.seed,
        encode_for: arguments.encode_for,
        // This very program, even if its file is replaced by a newer build in the meantime.
        worker: "/proc/self/exe".into(),
    };
    let mut shown = Steps::new(arguments.quiet);
    // Workers have files and control groups, which are not to be left.
    let cancel = interrupt::run_begins();
    let mut observe = |step: Step, done, all| shown.show(step.to_string(), done, all);
    let outcome = verify::verify(&folder, workbench, &wanted, cancel, &mut observe);
    shown.finish();
    let outcome = outcome.map_err(unverified)?;
    if cancel.load(Ordering::Relaxed) {
        writeln!(out, "stopped before everything was checked")?;
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if arguments.json {
        print_json(&outcome, out)?;
        return Ok(ExitCode::from(u8::from(!outcome.faults.is_empty())));
    }
    tell(&outcome, out)?;
    match outcome.faults.len() {
        0 => Ok(ExitCode::SUCCESS),
        number => {
            let faults = counted(number, "fault");
            Err(Failure::Work(format!("{faults} in `{}`", folder.display())))
        }
    }
}

/// The failure of a check that could not be made.
pub(super) fn unverified(error: RunError) -> Failure {
    match error {
        RunError::Store(error) => Failure::input(error),
        other => Failure::work(other),
    }
}

/// The table of what was checked, then each fault and what should be known, a line each.
fn tell(outcome: &Outcome, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "{:<28} {:>9} {:>9} {:>9}", "", "checked", "faults", "left out")?;
    for step in &outcome.checked {
        let name = step.step.to_string();
        writeln!(out, "{name:<28} {:>9} {:>9} {:>9}", step.checked, step.faults, step.left_out)?;
    }
    for step in &outcome.checked {
        let faults = || outcome.faults.iter().filter(|fault| fault.step == step.step);
        // Evidence may come from anywhere.
        for fault in faults().take(MOST) {
            writeln!(out, "FAULT: {}", harmless(&fault.to_string()).replace('\n', " "))?;
        }
        if let Some(more) = faults().count().checked_sub(MOST).filter(|&more| more > 0) {
            writeln!(out, "FAULT: … and {more} more of {}: --json has them all", step.step)?;
        }
    }
    for remark in &outcome.remarks {
        writeln!(out, "note: {}", harmless(remark))?;
    }
    if outcome.faults.is_empty() {
        writeln!(out, "all is well")?;
    }
    Ok(())
}
