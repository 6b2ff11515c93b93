//! Rows as one tidy table in CSV: a line for each row, a column for each field, units in the names.

use std::io::{self, Write};
use std::sync::Arc;

use bezzel_encode::{Board, Numbering, Settings};
use bezzel_lab::{ExperimentRecord, Job, Key, Limits, MeasuredBy, Planned, Row, Stop, Task};

use super::cell::{Wide, cells};

/// Writes the rows of a record, one after the other, below one line with the names of the columns.
/// Numbers are not rounded: read back, they are the same. What was not measured is empty.
///
/// # Errors
///
/// When nothing can be written.
pub fn csv(record: &ExperimentRecord, out: &mut dyn Write) -> io::Result<()> {
    let wide = Wide::of(&record.rows);
    let mut out = ::csv::Writer::from_writer(out);
    out.write_record(cells(&blank(), &wide).iter().map(|(name, _)| &**name)).map_err(plain)?;
    for row in &record.rows {
        out.write_record(cells(row, &wide).iter().map(|(_, text)| text)).map_err(plain)?;
    }
    out.flush()
}

/// The error of the writer below, whose kind the error around it does not show.
fn plain(error: ::csv::Error) -> io::Error {
    match error.into_kind() {
        ::csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// A row with nothing in it, which has the columns of every other.
fn blank() -> Row {
    let job = Job {
        board: Board::new(1).expect("a board of one square"),
        encoding: String::new(),
        settings: Settings::default(),
        numbering: Numbering::AS_GENERATED,
        solver: String::new(),
        options: Arc::default(),
        task: Task::First,
        most: None,
        repeat: 1,
        limits: Limits { cpu_s: 0.0, wall_s: 0.0, memory_bytes: 0, nodes: None },
        proof: None,
        simplified: false,
        measured_by: MeasuredBy::default(),
    };
    let (key, solver_version) = (Key(String::new()), String::new());
    let planned = Planned { job, key, encoding_revision: 0, solver_version, size: None };
    Row::blank(planned, Stop::Finished)
}
