//! Every line: is it a row, and the row that was written?

use std::path::Path;

use crate::check::report::{Checking, Found, Step};
use crate::model::row::Row;
use crate::results::store::{self, CALIBRATION, Content, StoreError};

/// Reads the lines and names those that are no rows. Ends early when the check is cancelled.
pub(super) fn check(folder: &Path, checking: &mut Checking<'_>) -> Result<Vec<Found>, StoreError> {
    let mut found = Vec::new();
    let mut unsealed = 0;
    let mut lines = store::lines(folder)?;
    for line in &mut lines {
        if checking.is_cancelled() {
            break;
        }
        let line = line?;
        checking.count(Step::Lines, 1);
        match line.content {
            Content::Row(row, sealed) => {
                unsealed += usize::from(!sealed);
                found.push(Found { line: line.number, row: *row });
            }
            Content::Damaged(damage) => {
                checking.fault_at(Step::Lines, Some(line.number), damage.to_string());
            }
            Content::Newer(format) => {
                let what = format!("it is of format {format}, which this version does not know");
                checking.fault_at(Step::Lines, Some(line.number), what);
            }
        }
    }
    if lines.torn() > 0 {
        let what = format!("the last line is torn: {} bytes without an end", lines.torn());
        checking.fault_at(Step::Lines, None, what);
    }
    checking.remark_on(
        unsealed,
        "row",
        "written before lines had seals: a changed number is found only if another check contradicts it",
    );
    Ok(found)
}

/// Reads the readings of the machine. What is damaged among them is passed over by whoever reads them:
/// the next reading says as much.
pub(super) fn check_readings(folder: &Path, checking: &mut Checking<'_>) -> Result<(), StoreError> {
    let lines = store::lines_if_there::<Row>(&folder.join(CALIBRATION))?;
    let mut damaged = None;
    for line in lines.into_iter().flatten() {
        let line = line?;
        match line.content {
            Content::Row(..) => checking.count(Step::Readings, 1),
            Content::Damaged(_) | Content::Newer(_) => {
                checking.leave_out(Step::Readings, 1);
                damaged.get_or_insert(line.number);
            }
        }
    }
    if let Some(first) = damaged {
        checking.remark(format!(
            "some lines of {CALIBRATION} are damaged and passed over, the first is line {first}"
        ));
    }
    Ok(())
}
