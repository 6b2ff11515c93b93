//! Maps the keys of rows to row indices, with which the script finds the rows of a mark.

use std::collections::HashMap;

use bezzel_experiment::{Key, Row};

use crate::row_columns::digits;

/// The indices of the rows of each key, in the order of the script's rows.
pub(super) struct RowIndices<'r> {
    of_key: HashMap<&'r Key, Vec<usize>>,
    /// The number of all rows.
    rows: usize,
}

impl<'r> RowIndices<'r> {
    /// Maps the keys of the rows of a record.
    pub(super) fn new(rows: &'r [Row]) -> Self {
        let mut of_key: HashMap<&Key, Vec<usize>> = HashMap::new();
        for (index, row) in rows.iter().enumerate() {
            of_key.entry(&row.key).or_default().push(index);
        }
        Self { of_key, rows: rows.len() }
    }

    /// The indices of all rows with one of these keys, increasing and each once, written like the columns of the
    /// script's rows. None if no row has one of the keys.
    pub(super) fn digits(&self, keys: &[Key]) -> Option<String> {
        let known = keys.iter().filter_map(|key| self.of_key.get(key));
        let mut indices: Vec<usize> = known.flatten().copied().collect();
        indices.sort_unstable();
        indices.dedup();
        Some(digits(&indices, self.rows.max(2))).filter(|digits| !digits.is_empty())
    }
}
