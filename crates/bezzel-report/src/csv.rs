//! Records in CSV.

use crate::escape;
use crate::table::{Item, Table};

impl Table {
    /// The table in CSV.
    pub fn csv(&self) -> String {
        let heads = self.columns.iter().map(|column| column.name.clone()).collect();
        let rows = self.rows.iter().map(|row| row.iter().map(in_csv).collect());
        lines(std::iter::once(heads).chain(rows))
    }
}

/// The item for a cell. A bound has its sign.
fn in_csv(item: &Item) -> String {
    match item {
        Item::Bound { text, .. } => text.clone(),
        item => item.whole(),
    }
}

/// Records as CSV.
pub(crate) fn lines(records: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    for record in records {
        writer
            .write_record(record.iter().map(|item| escape::csv(item)))
            .expect("memory takes what is written, and records are as long");
    }
    let bytes = writer.into_inner().expect("memory takes what is written");
    String::from_utf8(bytes).expect("text stays text")
}
