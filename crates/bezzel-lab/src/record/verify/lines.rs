//! Every line: is it a row, and the row that was written?

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::outcome::{Found, Outcome, Step};
use crate::model::row::Row;
use crate::results::store::{self, CALIBRATION, Content, StoreError};

/// Reads the lines and names those that are no rows. Ends early when `cancel` is set.
pub(super) fn check(
    folder: &Path,
    cancel: &AtomicBool,
    outcome: &mut Outcome,
) -> Result<Vec<Found>, StoreError> {
    let mut found = Vec::new();
    let mut unsealed = 0;
    let mut lines = store::lines(folder)?;
    for line in &mut lines {
        if cancel.load(Ordering::Relaxed) {
            break;
        }
        let line = line?;
        outcome.count(Step::Lines, 1);
        match line.content {
            Content::Row(row, sealed) => {
                unsealed += usize::from(!sealed);
                found.push(Found { line: line.number, row: *row });
            }
            Content::Damaged(damage) => {
                outcome.fault_at(Step::Lines, Some(line.number), damage.to_string());
            }
            Content::Newer(format) => {
                let what = format!("it is of format {format}, which this version does not know");
                outcome.fault_at(Step::Lines, Some(line.number), what);
            }
        }
    }
    if lines.torn() > 0 {
        let what = format!("the last line is torn: {} bytes without an end", lines.torn());
        outcome.fault_at(Step::Lines, None, what);
    }
    if unsealed > 0 {
        outcome.remark(format!(
            "{unsealed} rows are from before lines were sealed: a change of one of their numbers that \
             nothing else tells of would not be found"
        ));
    }
    Ok(found)
}

/// Reads the readings of the machine. What is damaged among them is passed over by whoever reads them:
/// the next reading says as much.
pub(super) fn check_readings(folder: &Path, outcome: &mut Outcome) -> Result<(), StoreError> {
    let lines = store::lines_if_there::<Row>(&folder.join(CALIBRATION))?;
    let mut damaged = None;
    for line in lines.into_iter().flatten() {
        let line = line?;
        match line.content {
            Content::Row(..) => outcome.count(Step::Readings, 1),
            Content::Damaged(_) | Content::Newer(_) => {
                outcome.leave_out(Step::Readings, 1);
                damaged.get_or_insert(line.number);
            }
        }
    }
    if let Some(first) = damaged {
        outcome.remark(format!(
            "some lines of {CALIBRATION} are damaged and passed over, the first is line {first}"
        ));
    }
    Ok(())
}
