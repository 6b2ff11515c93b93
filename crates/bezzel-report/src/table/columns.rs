//! Tables from their columns: a column is its name, its heading, its alignment, and the function from the subject of a
//! row to the item. Text, CSV and LaTeX follow from the finished [`Table`].

use super::{Column, Item, Table};
use bezzel_statistics::{Ratio, Value};

/// The columns of a table that has a row for each of its subjects.
pub struct Columns<S> {
    subjects: Vec<S>,
    heads: Vec<Column>,
    rows: Vec<Vec<Item>>,
}

impl<S> Columns<S> {
    /// Columns without any column yet, with a row for each of these subjects.
    pub fn of(subjects: impl IntoIterator<Item = S>) -> Self {
        let subjects: Vec<S> = subjects.into_iter().collect();
        let rows = subjects.iter().map(|_| Vec::new()).collect();
        Self { subjects, heads: Vec::new(), rows }
    }

    /// Adds a column of words.
    #[must_use]
    pub fn words<I: Into<Item>>(self, name: &str, head: &str, item: impl Fn(&S) -> I) -> Self {
        self.with(Column::words(name, head), item, |_| true)
    }

    /// Adds a column of words that depend on the evidence.
    #[must_use]
    pub fn results<I: Into<Item>>(self, name: &str, head: &str, item: impl Fn(&S) -> I) -> Self {
        self.with(Column::results(name, head), item, |_| true)
    }

    /// Adds a column of numbers.
    #[must_use]
    pub fn numbers<I: Into<Item>>(
        self,
        name: impl Into<String>,
        head: impl Into<String>,
        item: impl Fn(&S) -> I,
    ) -> Self {
        self.with(Column::numbers(name, head), item, |_| true)
    }

    /// Adds a column of numbers, if one of them is neither missing nor a count of zero.
    #[must_use]
    pub fn numbers_if_any<I: Into<Item>>(
        self,
        name: &str,
        head: &str,
        item: impl Fn(&S) -> I,
    ) -> Self {
        let has_value = |item: &Item| !matches!(item, Item::Missing | Item::Count(0));
        self.with(Column::numbers(name, head), item, |items| items.iter().any(has_value))
    }

    /// Adds the numbers of compared instances, and the numbers of instances on which both arms were measured if these
    /// differ in a row. `of` has the ratio of a row, or the number of instances of an arm that is compared with none.
    #[must_use]
    pub(crate) fn compared_instances(self, of: impl Fn(&S) -> Result<Ratio, usize>) -> Self {
        let compared = |row: &S| of(row).map_or_else(|own| own, |ratio| ratio.instances);
        let measured =
            |row: &S| of(row).map_or_else(|own| own, |ratio| ratio.instances + ratio.left_out);
        let differ = self.subjects.iter().any(|row| compared(row) != measured(row));
        self.numbers("instances", "Instances", compared).with(
            Column::numbers("instances_measured", "of"),
            measured,
            |_| differ,
        )
    }

    fn with<I: Into<Item>>(
        mut self,
        column: Column,
        item: impl Fn(&S) -> I,
        is_shown: impl Fn(&[Item]) -> bool,
    ) -> Self {
        let items: Vec<Item> = self.subjects.iter().map(|subject| item(subject).into()).collect();
        if is_shown(&items) {
            self.heads.push(column);
            self.rows.iter_mut().zip(items).for_each(|(row, item)| row.push(item));
        }
        self
    }

    /// The finished table.
    pub fn table(
        self,
        id: impl Into<String>,
        title: impl Into<String>,
        notes: Vec<String>,
    ) -> Table {
        let Self { heads: columns, rows, .. } = self;
        Table { id: id.into(), title: title.into(), columns, rows, notes }
    }

    /// The finished table. None if it has no row.
    pub fn some_table(
        self,
        id: impl Into<String>,
        title: impl Into<String>,
        notes: impl FnOnce() -> Vec<String>,
    ) -> Option<Table> {
        (!self.rows.is_empty()).then(|| self.table(id, title, notes()))
    }
}

impl From<&str> for Item {
    fn from(words: &str) -> Self {
        Self::Words(words.to_owned())
    }
}

impl From<String> for Item {
    fn from(words: String) -> Self {
        Self::Words(words)
    }
}

impl From<usize> for Item {
    fn from(count: usize) -> Self {
        Self::Count(count as u128)
    }
}

impl From<u64> for Item {
    fn from(count: u64) -> Self {
        Self::Count(count.into())
    }
}

impl From<f64> for Item {
    fn from(number: f64) -> Self {
        Self::Value(Value::Measured(number))
    }
}

impl From<Value> for Item {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl<T: Into<Item>> From<Option<T>> for Item {
    fn from(found: Option<T>) -> Self {
        found.map_or(Self::Missing, Into::into)
    }
}
