//! The fields of rows: one entry for each, beside the field of the struct. The columns of the table of rows follow from
//! the entries.

use bezzel_problem::InstanceField;

/// A field of a row, or of a map in a row.
#[derive(Clone, Copy, Debug)]
pub struct RowField {
    /// The key in JSON.
    pub key: &'static str,
    /// The rest of its entry.
    pub entry: FieldEntry,
}

/// The entry of a field: its column, and the fields within it.
#[derive(Clone, Copy, Debug)]
pub struct FieldEntry {
    /// The column in the table of rows; none for a map or list without a text form.
    pub column: Option<&'static str>,
    /// The text of the cell if the key is left out; none if it is always there.
    pub absent: Option<&'static str>,
    /// The fields within it.
    pub within: FieldsWithin,
}

/// The fields within a field that have columns of their own.
#[derive(Clone, Copy, Debug)]
pub enum FieldsWithin {
    /// None.
    None,
    /// The instance: a map whose one key names the kind, one of `bezzel_problem::kinds().ids()`. A kind may have
    /// [fields](bezzel_problem::Kind::FIELDS) of its own.
    Instance,
    /// The settings, which have their own table: `bezzel_encode::Settings::AXES`.
    Settings,
    /// A map with these fields.
    Map(&'static [RowField]),
}

/// Returns the entry of a field that is always present, perhaps as null. An empty `column` means no column.
pub(super) const fn always(column: &'static str) -> FieldEntry {
    let column = if column.is_empty() { None } else { Some(column) };
    FieldEntry { column, absent: None, within: FieldsWithin::None }
}

/// The entry of a field that may be absent.
pub(super) const fn maybe(column: &'static str) -> FieldEntry {
    default(column, "")
}

/// The entry of a field that is absent at its default, whose text this is.
pub(super) const fn default(column: &'static str, text: &'static str) -> FieldEntry {
    FieldEntry { absent: Some(text), ..always(column) }
}

/// The entry of a field with fields within it.
pub(super) const fn with(column: &'static str, within: FieldsWithin) -> FieldEntry {
    FieldEntry { within, ..always(column) }
}

/// The entry of a map with these fields, which has no column.
pub(super) const fn map(fields: &'static [RowField]) -> FieldEntry {
    with("", FieldsWithin::Map(fields))
}

/// Declares a struct together with the table of its fields, `FIELDS`. `field as "key"` gives a field another key in JSON.
macro_rules! recorded {
    (@key $field:ident) => { stringify!($field) };
    (@key $field:ident $key:tt) => { $key };
    (
        $(#[$attribute:meta])*
        pub struct $name:ident {$(
            $(#[$of_field:meta])+
            pub $field:ident $(as $key:tt)?: $type:ty = $entry:expr,
        )+}
    ) => {
        $(#[$attribute])*
        pub struct $name {$(
            $(#[$of_field])+
            $(#[serde(rename = $key)])?
            pub $field: $type,
        )+}

        impl $name {
            /// Its fields, in order.
            pub const FIELDS: &[crate::model::fields::RowField] = &[$(crate::model::fields::RowField {
                key: recorded!(@key $field $($key)?),
                entry: $entry,
            }),+];
        }
    };
}
pub(super) use recorded;

const fn field(key: &'static str, entry: FieldEntry) -> RowField {
    RowField { key, entry }
}

impl From<&InstanceField> for RowField {
    fn from(field: &InstanceField) -> Self {
        let absent = field.absent.map(|_| "");
        Self { key: field.key, entry: FieldEntry { absent, ..always(field.column) } }
    }
}

// The fields of structs of other crates.

/// The fields of a numbering.
pub(super) const NUMBERING: &[RowField] = &[
    field("squares", default("numbering_squares", "row-major")),
    field("auxiliaries", default("numbering_auxiliaries", "after")),
    field("variables", maybe("variables_seed")),
    field("literals", maybe("literals_seed")),
    field("clauses", maybe("clauses_seed")),
];

/// The fields of a solver's effort.
pub(super) const EFFORT: &[RowField] = &[
    field("conflicts", always("conflicts")),
    field("decisions", always("decisions")),
    field("propagations", always("propagations")),
    field("restarts", always("restarts")),
    field("ticks", always("ticks")),
];

/// The fields of the size of a formula after preprocessing.
pub(super) const SIMPLIFIED: &[RowField] = &[
    field("variables", always("simplified_variables")),
    field("clauses", always("simplified_clauses")),
    field("literals", always("simplified_literals")),
    field("answer", always("simplified_answer")),
];

#[cfg(test)]
mod tests {
    use bezzel_encode::Numbering;
    use bezzel_solve::{Answer, Effort, Simplified};
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn every_key_of_a_struct_of_another_crate_has_an_entry() {
        let numbering = Numbering { clauses: Some(4), ..Numbering::random(1) };
        let mut numbering = json!(numbering);
        numbering["squares"] = "spiral".into();
        numbering["auxiliaries"] = "before".into();
        serde_json::from_value::<Numbering>(numbering.clone()).unwrap();
        let simplified =
            json!(Simplified { variables: 1, clauses: 2, literals: 3, answer: Answer::Sat });
        for (value, fields) in
            [(numbering, NUMBERING), (json!(Effort::default()), EFFORT), (simplified, SIMPLIFIED)]
        {
            let Value::Object(map) = value else { panic!("a map") };
            assert_eq!(map.len(), fields.len(), "{map:?}");
            assert!(fields.iter().all(|field| map.contains_key(field.key)), "{map:?}");
        }
    }
}
