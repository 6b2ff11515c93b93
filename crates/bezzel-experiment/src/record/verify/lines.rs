//! The check of each line: it must be an entry of a session, and unchanged.

use std::path::Path;

use crate::check::report::{NumberedRow, Verification, VerificationStep};
use crate::results::store::{ReadEntry, Sessions, StoreError, each_entry};

/// Reads all sessions, and reports the lines that are damaged. It passes over the rest if the check is cancelled.
pub(super) fn check(
    folder: &Path,
    verification: &mut Verification<'_>,
) -> Result<(Sessions, Vec<NumberedRow>), StoreError> {
    let mut found = Vec::new();
    // The first step, even if a reading comes before the first row.
    verification.count(VerificationStep::Lines, 0);
    let sessions = each_entry(folder, |place, read| match read {
        ReadEntry::Row(_) if verification.is_cancelled() => {}
        ReadEntry::Row(row) => {
            verification.count(VerificationStep::Lines, 1);
            found.push(NumberedRow { place, row });
        }
        ReadEntry::Reading(_) => verification.count(VerificationStep::Readings, 1),
    })?;
    verification.sessions =
        sessions.list.iter().map(|session| session.start.name.to_string()).collect();
    for damaged in &sessions.damaged {
        let at = Some((damaged.file.clone(), damaged.line));
        verification.fault_at(VerificationStep::Lines, at, damaged.damage.to_string());
    }
    // A process that was killed leaves a torn line. A missing row is a fault of another step.
    for (file, bytes) in &sessions.torn {
        verification.remark(format!("the last line of {file} is torn: {bytes} bytes are skipped"));
    }
    for file in &sessions.without_start {
        let what = format!("{file} has no readable first line: none of its rows is read");
        verification.fault_at(VerificationStep::Sessions, None, what);
    }
    Ok((sessions, found))
}
