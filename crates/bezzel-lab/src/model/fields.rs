//! The fields of rows: one entry for each, beside the field of the struct. The JSON Schema of rows, the columns of
//! the table of rows and their documentation follow from the entries.

use bezzel_encode::numbering::{AuxiliaryPlace, Squares};
use bezzel_problem::{Geometry, Piece};
use bezzel_solve::Answer;

use super::names::names_of;

/// A field of a row, or of a map in a row.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The key in JSON.
    pub key: &'static str,
    /// The meaning, as the struct documents it.
    pub about: &'static str,
    /// The rest of its entry.
    pub entry: Entry,
}

/// The entry of a field: its presence, its kind and its column.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The presence of the key in JSON.
    pub presence: Presence,
    /// The kind of value.
    pub kind: Kind,
    /// The column in the table of rows; none for a map or list that has no text of its own.
    pub column: Option<&'static str>,
}

/// The presence of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// The key is always there.
    Always,
    /// The key is always there, and null where there is no value.
    Null,
    /// The key is left out where there is no value, or where the value is the default, whose text this is.
    Or(&'static str),
}

/// The kinds of values.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Any text.
    Text,
    /// Hexadecimal digits, this many.
    Hex(u8),
    /// The decimal digits of a number of any size, as text.
    Digits,
    /// The marks of all squares of a board; see [`Marks`](super::measure::Marks).
    Marks,
    /// A whole number from zero on.
    Count,
    /// A whole number between two numbers, these included.
    Between(u32, u32),
    /// A number of seconds.
    Seconds,
    /// Any number.
    Number,
    /// True or false.
    Flag,
    /// One of the names that the function gives.
    Word(fn() -> &'static [&'static str]),
    /// Squares, each by its row and column, counted from 1.
    Squares,
    /// Whole numbers from one on.
    Numbers,
    /// The instance, under the key of its kind: `bezzel_problem::Instance::KEYS`. A board has fields of its own.
    Instance,
    /// Options of a solver, by their names.
    Options,
    /// Numbers of clauses, by their lengths.
    Lengths,
    /// The keys of the settings, which are a table of their own: `bezzel_encode::Settings::AXES`.
    Settings,
    /// A map with these fields.
    Map(&'static [Field]),
    /// A list of maps with these fields.
    List(&'static [Field]),
}

impl Entry {
    const fn new(presence: Presence, kind: Kind, column: &'static str) -> Self {
        Self { presence, kind, column: if column.is_empty() { None } else { Some(column) } }
    }
}

/// The entry of a field that is always there. An empty `column` is none.
pub(super) const fn always(column: &'static str, kind: Kind) -> Entry {
    Entry::new(Presence::Always, kind, column)
}

/// The entry of a field that may be null.
pub(super) const fn nullable(column: &'static str, kind: Kind) -> Entry {
    Entry::new(Presence::Null, kind, column)
}

/// The entry of a field that may be absent.
pub(super) const fn maybe(column: &'static str, kind: Kind) -> Entry {
    Entry::new(Presence::Or(""), kind, column)
}

/// The entry of a field that is absent at its default.
pub(super) const fn default(column: &'static str, text: &'static str, kind: Kind) -> Entry {
    Entry::new(Presence::Or(text), kind, column)
}

/// Declares a struct together with the table of its fields, `FIELDS`.
macro_rules! recorded {
    (
        $(#[$attribute:meta])*
        pub struct $name:ident {$(
            $(#[doc = $doc:literal])+
            $(#[serde $serde:tt])?
            pub $key:ident: $type:ty = $entry:expr,
        )+}
    ) => {
        $(#[$attribute])*
        pub struct $name {$(
            $(#[doc = $doc])+
            $(#[serde $serde])?
            pub $key: $type,
        )+}

        impl $name {
            /// Its fields, in order.
            pub const FIELDS: &[crate::model::fields::Field] = &[$(crate::model::fields::Field {
                key: stringify!($key),
                about: concat!($($doc),+),
                entry: $entry,
            }),+];
        }
    };
}
pub(super) use recorded;

const fn field(key: &'static str, entry: Entry, about: &'static str) -> Field {
    Field { key, about, entry }
}

// The fields of structs of other crates.

/// The fields of a board.
pub const BOARD: &[Field] = &[
    field("size", always("board_rows", Kind::Between(1, u32::MAX)), "The number of rows."),
    field(
        "columns",
        maybe("board_columns", Kind::Between(1, u32::MAX)),
        "The number of columns, where it differs from the number of rows.",
    ),
    field(
        "geometry",
        always("geometry", Kind::Word(names_of::<Geometry>)),
        "The geometry: on a torus, opposite edges are joined.",
    ),
    field("piece", always("piece", Kind::Word(names_of::<Piece>)), "The kind of the pieces."),
    field("queens", always("given_queens", Kind::Squares), "Squares that hold a queen."),
    field("blocked", always("blocked_squares", Kind::Squares), "Squares that hold none."),
];

/// The fields of a numbering.
pub(super) const NUMBERING: &[Field] = &[
    field(
        "squares",
        default("numbering_squares", "row-major", Kind::Word(names_of::<Squares>)),
        "The order of the squares.",
    ),
    field(
        "auxiliaries",
        default("numbering_auxiliaries", "after", Kind::Word(names_of::<AuxiliaryPlace>)),
        "The place of the auxiliary variables.",
    ),
    field(
        "variables",
        maybe("variables_seed", Kind::Count),
        "The seed of the renaming of variables.",
    ),
    field(
        "literals",
        maybe("literals_seed", Kind::Count),
        "The seed of the order of literals in clauses.",
    ),
    field(
        "polarity",
        maybe("polarity_seed", Kind::Count),
        "The seed by which half of the variables are negated.",
    ),
    field("clauses", maybe("clauses_seed", Kind::Count), "The seed of the order of the clauses."),
];

/// The fields of a section of a formula.
pub(super) const SECTION: &[Field] = &[
    field("name", always("", Kind::Text), "The encoding's name for the section."),
    field("variables", always("", Kind::Count), "Variables that occur in it first."),
    field("lengths", always("", Kind::Lengths), "The number of clauses of each length."),
];

/// The fields of a solver's effort.
pub(super) const EFFORT: &[Field] = &[
    field("conflicts", nullable("conflicts", Kind::Count), "Conflicts."),
    field("decisions", nullable("decisions", Kind::Count), "Decisions."),
    field("propagations", nullable("propagations", Kind::Count), "Propagated literals."),
    field("restarts", nullable("restarts", Kind::Count), "Restarts."),
    field(
        "ticks",
        nullable("ticks", Kind::Count),
        "Cache lines touched, as CaDiCaL estimates them.",
    ),
];

/// The fields of what preprocessing leaves of a formula.
pub(super) const SIMPLIFIED: &[Field] = &[
    field(
        "variables",
        always("simplified_variables", Kind::Count),
        "Variables that are neither fixed nor eliminated.",
    ),
    field("clauses", always("simplified_clauses", Kind::Count), "Irredundant clauses."),
    field("literals", always("simplified_literals", Kind::Count), "Their literals."),
    field(
        "answer",
        always("simplified_answer", Kind::Word(names_of::<Answer>)),
        "The answer, if preprocessing found it.",
    ),
];
