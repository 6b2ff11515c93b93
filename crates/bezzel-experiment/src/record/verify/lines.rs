//! The check of each line: it must be a row, and unchanged.

use std::path::Path;

use crate::check::report::{NumberedRow, Verification, VerificationStep};
use crate::model::row::Row;
use crate::results::store::{self, CALIBRATION, LineContent, StoreError};

/// Reads the lines and reports those that are not rows. It ends early if the check is cancelled.
pub(super) fn check(
    folder: &Path,
    verification: &mut Verification<'_>,
) -> Result<Vec<NumberedRow>, StoreError> {
    let mut found = Vec::new();
    let mut without_checksum = 0;
    let mut lines = store::lines(folder)?;
    for line in &mut lines {
        if verification.is_cancelled() {
            break;
        }
        let line = line?;
        verification.count(VerificationStep::Lines, 1);
        match line.content {
            LineContent::Row(row, has_checksum) => {
                without_checksum += usize::from(!has_checksum);
                found.push(NumberedRow { line: line.number, row: *row });
            }
            LineContent::Damaged(damage) => {
                verification.fault_at(
                    VerificationStep::Lines,
                    Some(line.number),
                    damage.to_string(),
                );
            }
            LineContent::Newer(format) => {
                let what = format!("it is of format {format}, which this version does not know");
                verification.fault_at(VerificationStep::Lines, Some(line.number), what);
            }
        }
    }
    if lines.torn() > 0 {
        let what = format!("the last line is torn: {} bytes without an end", lines.torn());
        verification.fault_at(VerificationStep::Lines, None, what);
    }
    verification.remark_on(
        without_checksum,
        "row",
        "written before lines had checksums: a changed number is found only if another check \
         contradicts it",
    );
    Ok(found)
}

/// Reads the readings of the machine. Readers skip damaged ones, since the next reading contains the same information.
pub(super) fn check_readings(
    folder: &Path,
    verification: &mut Verification<'_>,
) -> Result<(), StoreError> {
    let lines = store::lines_if_there::<Row>(&folder.join(CALIBRATION))?;
    let mut damaged = None;
    for line in lines.into_iter().flatten() {
        let line = line?;
        match line.content {
            LineContent::Row(..) => verification.count(VerificationStep::Readings, 1),
            LineContent::Damaged(_) | LineContent::Newer(_) => {
                verification.leave_out(VerificationStep::Readings, 1);
                damaged.get_or_insert(line.number);
            }
        }
    }
    if let Some(first) = damaged {
        verification.remark(format!(
            "some lines of {CALIBRATION} are damaged and skipped, the first is line {first}"
        ));
    }
    Ok(())
}
