//! The settings of an experiment beside the encoding.
//!
//! Each of them is an axis of experiments, and one entry in the table below. Configs,
//! exclusions, the product of a plan, labels, the columns of tables of rows, the arguments of commands and
//! the documentation follow from it.

use bezzel_problem::{Named, named};
use serde::{Deserialize, Serialize};

use crate::constraints::Constraints;

mod arrangement;
mod axis;
mod input_order;
mod proximity;

pub use arrangement::Arrangement;
pub use axis::{Argument, SettingAxis};
pub use input_order::InputOrder;

/// Makes the struct and the table of its axes, in one order. A field is of the type of its values, or an
/// option of them.
macro_rules! settings {
    ($(
        #[doc = $in_rows:literal]
        $(#[$serde:meta])*
        $key:ident: $field:ty as $value:ty { $($text:ident: $words:expr,)* }
    )*) => {
        /// The settings of an experiment beside the encoding. With every setting at its default, the encoding is that
        /// of its source.
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        pub struct Settings {
            $(
                #[doc = $in_rows]
                $(#[$serde])*
                pub $key: $field,
            )*
        }

        impl Settings {
            /// The axes, in the order in which they are listed everywhere.
            pub const AXES: &[SettingAxis] = &[$(SettingAxis {
                key: stringify!($key),
                names: <$value as Named>::names,
                pattern: <$value as Named>::PATTERN,
                get: |settings| Option::<$value>::from(settings.$key).map(|value| value.to_string()),
                set: |settings, name| {
                    settings.$key = name.parse::<$value>()?.into();
                    Ok(())
                },
                $($text: $words,)*
            },)*];
        }
    };
}

settings! {
    /// The constraints stated; null where the encoding has its own set.
    constraints: Option<Constraints> as Constraints {
        value: "the set of constraints",
        values: "Sets of constraints.",
        about: "The constraints of rows and columns that at-most-one encodings state: `full` (exactly \
                one), `no-column-alo` (columns at most one), `no-column-amo` (columns at least one) or \
                `minimal` (rows at least one, columns at most one).",
        column: "constraints",
        label: "",
        lines_only: Some("states its own set"),
        argument: Argument {
            name: "constraints",
            value: "SET",
            help: "The constraints of rows and columns: full (exactly one), no-column-alo (columns at \
                   most one), no-column-amo (columns at least one) or minimal (rows at least one, \
                   columns at most one); the default is full, or no-column-alo on a rectangle",
        },
    }

    /// The order in which an encoder takes the literals of each line.
    #[serde(default, skip_serializing_if = "is_default")]
    input_order: InputOrder as InputOrder {
        value: "the input order",
        values: "Input orders.",
        about: "The order in which encoders take the literals of each line: `as-stated`, `reversed`, \
                `reversed-alternate`, `random:SEED` (an order for each line), `common:SEED` (one for all lines) or \
                `proximity`. Variables keep their numbers.",
        column: "input_order",
        label: "input order",
        lines_only: Some("encodes whole problems"),
        argument: Argument {
            name: "input-order",
            value: "ORDER",
            help: "The order in which the encoder takes the literals of each line: as-stated, reversed, \
                   reversed-alternate, random:SEED (an order for each line), common:SEED (one for all lines) or \
                   proximity",
        },
    }

    /// The use of at-most-one groups inside weighted sums.
    #[serde(default, skip_serializing_if = "is_default")]
    amo: AmoUse as AmoUse {
        value: "at-most-one groups in sums",
        values: "Uses of at-most-one groups in sums.",
        about: "The use of at-most-one groups inside weighted sums: `none`, or `detected`: terms of which at \
                most one holds are one part of the sum.",
        column: "amo",
        label: "amo",
        lines_only: Some("encodes whole problems"),
        argument: Argument {
            name: "amo",
            value: "USE",
            help: "The use of at-most-one groups inside weighted sums: none, or detected: terms of which at \
                   most one holds are one part of the sum",
        },
    }
}

named! {
    /// The use of at-most-one groups of a problem inside its weighted sums.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum AmoUse: "use of at-most-one groups" {
        /// Each term is a part of its own.
        #[default]
        None = "none",
        /// Terms of which at most one holds are one [part](crate::sums::parts).
        Detected = "detected",
    }
}

impl AmoUse {
    /// The use in words that follow the constraints.
    pub(crate) fn describe(self) -> String {
        if self == Self::None {
            String::new()
        } else {
            format!("; at-most-one groups in sums {self}")
        }
    }
}

impl From<Constraints> for Settings {
    fn from(constraints: Constraints) -> Self {
        Self { constraints: Some(constraints), ..Self::default() }
    }
}

/// A setting at its default is left out of the JSON of jobs: rows that are older than the setting keep
/// their keys.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
