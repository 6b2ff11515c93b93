//! Readings of the machine: rows of a fixed job, beside those of the experiment.
//!
//! They have checksums and are appended as rows are. The next reading ends a torn last line, which is then skipped,
//! since no job depends on it.

use std::io::{Read, Write};
use std::path::Path;

use super::disk::OpenMode;
use super::error::failed;
use super::lines::rows_in;
use super::{CALIBRATION, Store, StoreError, checksum};
use crate::model::row::Row;

impl Store {
    /// Appends a reading of the machine. It survives a power failure after this returns.
    ///
    /// # Errors
    ///
    /// When the reading cannot be stored. Then the runner must stop, since rows could not be stored either.
    pub fn append_reading(&mut self, row: &Row) -> Result<(), StoreError> {
        let path = self.path(CALIBRATION);
        if self.failed {
            return Err(StoreError::Closed(path));
        }
        let kept = self.keep_readings(&path, &checksum::line_of(row));
        self.failed |= kept.is_err();
        kept
    }

    /// Appends lines with checksums of readings.
    pub(super) fn keep_readings(&self, path: &Path, lines: &[u8]) -> Result<(), StoreError> {
        let mut file = self.disk.open(path, OpenMode::Append).map_err(failed("open", path))?;
        let mut known = Vec::new();
        file.read_to_end(&mut known).map_err(failed("read", path))?;
        let is_torn = known.last().is_some_and(|&last| last != b'\n');
        let end: &[u8] = if is_torn { b"\n" } else { b"" };
        let lines = [end, lines].concat();
        file.write_all(&lines).and_then(|()| file.sync()).map_err(failed("write", path))?;
        // The file may be new, and its name is durable only after its folder is synced.
        self.disk.sync_folder(&self.files.folder).map_err(failed("keep", &self.files.folder))
    }
}

/// Returns the readings of a folder in their order; none if the machine was never measured. Damaged lines and lines of
/// a newer version are skipped.
///
/// # Errors
///
/// When they exist and cannot be read.
pub fn readings(folder: &Path) -> Result<Vec<Row>, StoreError> {
    rows_in(&folder.join(CALIBRATION))?.map(|row| row.map(|(_, row)| row)).collect()
}
