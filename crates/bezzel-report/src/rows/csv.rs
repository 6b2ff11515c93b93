//! Rows as one tidy table in CSV: a line for each row, a column for each field, units in the names.

use std::borrow::Cow;
use std::io::{self, Write};

use bezzel_lab::ExperimentRecord;

use super::cell::{Cell, Wide, cells};
use super::heads;

/// Writes the rows of a record, one after the other, below one line with the names of the columns.
/// Numbers are not rounded: read back, they are the same. What was not measured is empty.
///
/// # Errors
///
/// When nothing can be written.
pub fn csv(record: &ExperimentRecord, out: &mut dyn Write) -> io::Result<()> {
    let wide = Wide::of(&record.rows);
    let mut out = ::csv::Writer::from_writer(out);
    out.write_record(heads(&wide).iter().map(|(name, _)| &**name)).map_err(plain)?;
    let mut broken = None;
    for row in &record.rows {
        cells(row, &wide, &mut |_, cell| {
            if broken.is_none() {
                broken = out.write_field(&*text(cell)).err();
            }
        });
        match broken.take() {
            Some(error) => return Err(plain(error)),
            None => out.write_record(None::<&[u8]>).map_err(plain)?,
        }
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

fn text(cell: Cell<'_>) -> Cow<'_, str> {
    match cell {
        Cell::Text(text) => text.unwrap_or_default(),
        Cell::Whole(number) => number.map_or(Cow::Borrowed(""), |number| number.to_string().into()),
        Cell::Real(number) => number.map_or(Cow::Borrowed(""), |number| number.to_string().into()),
        Cell::Flag(flag) => Cow::Borrowed(match flag {
            Some(true) => "true",
            Some(false) => "false",
            None => "",
        }),
    }
}
