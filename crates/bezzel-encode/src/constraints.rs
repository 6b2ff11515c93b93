//! Which of the redundant constraints of a board are stated.
//!
//! A placement of n queens needs no more than "at least one per row, at most one per column and
//! diagonal": n rows then hold one queen each by counting. The seeds state more than that, and
//! Zantema remarks that redundancy may be good for efficiency. So it is a setting.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Which of the redundant constraints are stated. Diagonals always hold at most one queen.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Constraints {
    /// Rows and columns hold exactly one queen.
    #[default]
    Full,
    /// Rows hold exactly one queen, columns at most one.
    NoColumnAlo,
    /// Rows hold exactly one queen, columns at least one. At most one per column then follows,
    /// since there are as many columns as queens (Zantema's remark).
    NoColumnAmo,
    /// Rows hold at least one queen, columns at most one. At most one per row then follows.
    Minimal,
}

impl Constraints {
    /// Every set, the default first.
    pub const ALL: [Self; 4] = [Self::Full, Self::NoColumnAlo, Self::NoColumnAmo, Self::Minimal];

    /// The name in configs and rows.
    pub fn id(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::NoColumnAlo => "no-column-alo",
            Self::NoColumnAmo => "no-column-amo",
            Self::Minimal => "minimal",
        }
    }

    /// What is stated, in words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Full => "rows and columns exactly one, diagonals at most one",
            Self::NoColumnAlo => "rows exactly one, columns and diagonals at most one",
            Self::NoColumnAmo => "rows exactly one, columns at least one, diagonals at most one",
            Self::Minimal => "rows at least one, columns and diagonals at most one",
        }
    }

    /// Whether rows are stated to hold at most one queen.
    pub fn row_at_most_one(self) -> bool {
        self != Self::Minimal
    }

    /// Whether columns are stated to hold at least one queen.
    pub fn column_at_least_one(self) -> bool {
        matches!(self, Self::Full | Self::NoColumnAmo)
    }

    /// Whether columns are stated to hold at most one queen.
    pub fn column_at_most_one(self) -> bool {
        self != Self::NoColumnAmo
    }
}

impl fmt::Display for Constraints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for Constraints {
    type Err = crate::registry::UnknownId;

    fn from_str(id: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|set| set.id() == id).ok_or_else(|| {
            crate::registry::UnknownId::new("constraints", id, Self::ALL.map(Self::id))
        })
    }
}
