//! The fields of rows: one entry for each, beside the field of the struct. The JSON Schema of rows, the columns of
//! the table of rows and their documentation follow from the entries.

use bezzel_encode::numbering::{AuxiliaryPlace, SquareOrder};
use bezzel_solve::Answer;

use bezzel_problem::{FieldForm, InstanceField};

use super::names::names_of;

/// A field of a row, or of a map in a row.
#[derive(Clone, Copy, Debug)]
pub struct RowField {
    /// The key in JSON.
    pub key: &'static str,
    /// The meaning, as the struct documents it.
    pub about: &'static str,
    /// The rest of its entry.
    pub entry: FieldEntry,
}

/// The entry of a field: its presence, its kind and its column.
#[derive(Clone, Copy, Debug)]
pub struct FieldEntry {
    /// The presence of the key in JSON.
    pub presence: Presence,
    /// The kind of value.
    pub kind: FieldKind,
    /// The column in the table of rows; none for a map or list without a text form.
    pub column: Option<&'static str>,
}

/// The presence of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// The key is always there.
    Always,
    /// The key is always there, and null where there is no value.
    Null,
    /// The key is left out if there is no value, or if the value is the default, whose text this is.
    Or(&'static str),
}

/// The kinds of values.
#[derive(Clone, Copy, Debug)]
pub enum FieldKind {
    /// Any text.
    Text,
    /// Hexadecimal digits; the number gives how many.
    Hex(u8),
    /// The decimal digits of a number of any size, as text.
    Digits,
    /// The marks of all candidates of an instance; see [`Marks`](super::measure::Marks).
    Marks,
    /// A whole number, zero or larger.
    Count,
    /// A whole number between two numbers, both included.
    Between(u32, u32),
    /// A number of seconds.
    Seconds,
    /// Any number.
    Number,
    /// True or false.
    Flag,
    /// One of the names that the function returns.
    Word(fn() -> &'static [&'static str]),
    /// One of these names.
    OneOf(&'static [&'static str]),
    /// Places in a grid, each by its row and column, counted from 1.
    Places,
    /// Whole numbers, one or larger.
    Numbers,
    /// The instance: a map whose one key names the kind, one of `bezzel_problem::kinds().ids()`. A kind may have
    /// [fields](bezzel_problem::Kind::FIELDS) of its own.
    Instance,
    /// Options of a solver, by their names.
    Options,
    /// Numbers of clauses, by their lengths.
    Lengths,
    /// The keys of the settings, which have their own table: `bezzel_encode::Settings::AXES`.
    Settings,
    /// A map with these fields.
    Map(&'static [RowField]),
    /// A list of maps with these fields.
    List(&'static [RowField]),
}

impl FieldEntry {
    const fn new(presence: Presence, kind: FieldKind, column: &'static str) -> Self {
        Self { presence, kind, column: if column.is_empty() { None } else { Some(column) } }
    }
}

/// Returns the entry of a field that is always present. An empty `column` means no column.
pub(super) const fn always(column: &'static str, kind: FieldKind) -> FieldEntry {
    FieldEntry::new(Presence::Always, kind, column)
}

/// The entry of a field that may be null.
pub(super) const fn nullable(column: &'static str, kind: FieldKind) -> FieldEntry {
    FieldEntry::new(Presence::Null, kind, column)
}

/// The entry of a field that may be absent.
pub(super) const fn maybe(column: &'static str, kind: FieldKind) -> FieldEntry {
    FieldEntry::new(Presence::Or(""), kind, column)
}

/// The entry of a field that is absent at its default.
pub(super) const fn default(
    column: &'static str,
    text: &'static str,
    kind: FieldKind,
) -> FieldEntry {
    FieldEntry::new(Presence::Or(text), kind, column)
}

/// Declares a struct together with the table of its fields, `FIELDS`. `field as "key"` gives a field another key in JSON.
macro_rules! recorded {
    (@key $field:ident) => { stringify!($field) };
    (@key $field:ident $key:tt) => { $key };
    (
        $(#[$attribute:meta])*
        pub struct $name:ident {$(
            $(#[doc = $doc:literal])+
            $(#[serde $serde:tt])?
            pub $field:ident $(as $key:tt)?: $type:ty = $entry:expr,
        )+}
    ) => {
        $(#[$attribute])*
        pub struct $name {$(
            $(#[doc = $doc])+
            $(#[serde $serde])?
            $(#[serde(rename = $key)])?
            pub $field: $type,
        )+}

        impl $name {
            /// Its fields, in order.
            pub const FIELDS: &[crate::model::fields::RowField] = &[$(crate::model::fields::RowField {
                key: recorded!(@key $field $($key)?),
                about: concat!($($doc),+),
                entry: $entry,
            }),+];
        }
    };
}
pub(super) use recorded;

const fn field(key: &'static str, entry: FieldEntry, about: &'static str) -> RowField {
    RowField { key, about, entry }
}

// The fields of structs of other crates.

impl From<&InstanceField> for RowField {
    fn from(field: &InstanceField) -> Self {
        let presence = if field.absent.is_some() { Presence::Or("") } else { Presence::Always };
        let kind = match field.form {
            FieldForm::Number => FieldKind::Between(1, u32::MAX),
            FieldForm::Word(words) => FieldKind::OneOf(words),
            FieldForm::Places => FieldKind::Places,
        };
        Self {
            key: field.key,
            about: field.about,
            entry: FieldEntry::new(presence, kind, field.column),
        }
    }
}

/// The fields of a numbering.
pub(super) const NUMBERING: &[RowField] = &[
    field(
        "squares",
        default("numbering_squares", "row-major", FieldKind::Word(names_of::<SquareOrder>)),
        "The order of the squares.",
    ),
    field(
        "auxiliaries",
        default("numbering_auxiliaries", "after", FieldKind::Word(names_of::<AuxiliaryPlace>)),
        "The place of the auxiliary variables.",
    ),
    field(
        "variables",
        maybe("variables_seed", FieldKind::Count),
        "The seed of the renaming of variables.",
    ),
    field(
        "literals",
        maybe("literals_seed", FieldKind::Count),
        "The seed of the order of literals in clauses.",
    ),
    field(
        "polarity",
        maybe("polarity_seed", FieldKind::Count),
        "The seed by which half of the variables are negated.",
    ),
    field(
        "clauses",
        maybe("clauses_seed", FieldKind::Count),
        "The seed of the order of the clauses.",
    ),
];

/// The fields of a section of a formula.
pub(super) const SECTION: &[RowField] = &[
    field("name", always("", FieldKind::Text), "The encoding's name for the section."),
    field("variables", always("", FieldKind::Count), "Variables that occur in it first."),
    field("lengths", always("", FieldKind::Lengths), "The number of clauses of each length."),
];

/// The fields of a solver's effort.
pub(super) const EFFORT: &[RowField] = &[
    field("conflicts", nullable("conflicts", FieldKind::Count), "Conflicts."),
    field("decisions", nullable("decisions", FieldKind::Count), "Decisions."),
    field("propagations", nullable("propagations", FieldKind::Count), "Propagated literals."),
    field("restarts", nullable("restarts", FieldKind::Count), "Restarts."),
    field(
        "ticks",
        nullable("ticks", FieldKind::Count),
        "Cache lines touched, as CaDiCaL estimates them.",
    ),
];

/// The fields of the size of a formula after preprocessing.
pub(super) const SIMPLIFIED: &[RowField] = &[
    field(
        "variables",
        always("simplified_variables", FieldKind::Count),
        "Variables that are neither fixed nor eliminated.",
    ),
    field("clauses", always("simplified_clauses", FieldKind::Count), "Irredundant clauses."),
    field("literals", always("simplified_literals", FieldKind::Count), "Their literals."),
    field(
        "answer",
        always("simplified_answer", FieldKind::Word(names_of::<Answer>)),
        "The answer, if preprocessing found it.",
    ),
];
