//! Values that have names.

use std::fmt::Display;
use std::str::FromStr;

use crate::unknown::UnknownId;

/// A type of values that have names.
pub trait Named: Display + FromStr<Err = UnknownId> {
    /// A regular expression for names with a number.
    const PATTERN: Option<&'static str> = None;

    /// The names without a number, the default first.
    fn names() -> Vec<&'static str>;
}

/// Makes an enum whose variants have permanent names, each written once: the list of all variants, the name
/// of each, and its display. With the kind of the values after the name of the enum, the enum also
/// implements `FromStr`; the error for an unknown name suggests the nearest name.
///
/// ```
/// bezzel_problem::named! {
///     /// A way round a circle.
///     pub enum Turn: "turn" {
///         /// As the hands of a clock move.
///         Clockwise = "clockwise",
///         /// The other way.
///         Counterclockwise = "counterclockwise",
///     }
/// }
///
/// assert_eq!(Turn::ALL.map(Turn::id), ["clockwise", "counterclockwise"]);
/// assert_eq!("clockwise".parse(), Ok(Turn::Clockwise));
/// assert!("clockwsie".parse::<Turn>().unwrap_err().to_string().contains("did you mean `clockwise`?"));
/// ```
#[macro_export]
macro_rules! named {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $name:ident $(: $kind:literal)? {
            $($(#[$about:meta])* $variant:ident = $id:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility enum $name {
            $($(#[$about])* $variant,)+
        }

        impl $name {
            /// Every value, in the order in which they are listed; a default is the first.
            pub const ALL: [Self; [$($id),+].len()] = [$(Self::$variant),+];

            /// The permanent name.
            pub fn id(self) -> &'static str {
                match self {
                    $(Self::$variant => $id,)+
                }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.id())
            }
        }

        $(
            impl ::std::str::FromStr for $name {
                type Err = $crate::UnknownId;

                fn from_str(id: &str) -> Result<Self, $crate::UnknownId> {
                    let found = Self::ALL.into_iter().find(|value| value.id() == id);
                    found.ok_or_else(|| $crate::UnknownId::new($kind, id, Self::ALL.map(Self::id)))
                }
            }

            impl $crate::Named for $name {
                fn names() -> Vec<&'static str> {
                    Self::ALL.map(Self::id).into()
                }
            }
        )?
    };
}
