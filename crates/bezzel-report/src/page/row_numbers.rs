//! The numbers of the rows of a record by their keys, which lead from a mark of a figure to its rows in the script.

use std::collections::HashMap;

use bezzel_experiment::{Key, Row};

use crate::row_columns::digits;

/// The numbers of the rows of each key, in the order of the script's rows.
pub(super) struct RowNumbers<'r> {
    of_key: HashMap<&'r Key, Vec<usize>>,
    /// The number of all rows.
    rows: usize,
}

impl<'r> RowNumbers<'r> {
    /// Numbers the rows of a record.
    pub(super) fn new(rows: &'r [Row]) -> Self {
        let mut of_key: HashMap<&Key, Vec<usize>> = HashMap::new();
        for (number, row) in rows.iter().enumerate() {
            of_key.entry(&row.key).or_default().push(number);
        }
        Self { of_key, rows: rows.len() }
    }

    /// The numbers of all rows with one of these keys, increasing and each once, written like the columns of the
    /// script's rows. None if no row has one of the keys.
    pub(super) fn digits(&self, keys: &[Key]) -> Option<String> {
        let known = keys.iter().filter_map(|key| self.of_key.get(key));
        let mut numbers: Vec<usize> = known.flatten().copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        Some(digits(&numbers, self.rows.max(2))).filter(|digits| !digits.is_empty())
    }
}
