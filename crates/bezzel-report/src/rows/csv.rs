//! Rows as one tidy table in CSV: a line for each row, a column for each field, units in the names.

use std::io::{self, Write};

use bezzel_experiment::ExperimentRecord;

use super::cell::{RecordColumns, cells};

/// Writes the rows of a record, one after the other, below one line with the names of the columns. Numbers are not
/// rounded: their exact values can be read back. Missing values are empty.
///
/// # Errors
///
/// When the output cannot be written.
pub fn csv(record: &ExperimentRecord, out: &mut dyn Write) -> io::Result<()> {
    let columns = RecordColumns::of(record);
    let mut out = ::csv::Writer::from_writer(out);
    out.write_record(cells(None, &columns).iter().map(|(name, _)| &**name)).map_err(plain)?;
    for row in &record.rows {
        out.write_record(cells(Some(row), &columns).iter().map(|(_, text)| text)).map_err(plain)?;
    }
    out.flush()
}

/// The inner error of the writer, whose kind the outer error does not show.
fn plain(error: ::csv::Error) -> io::Error {
    match error.into_kind() {
        ::csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
