//! Blocked squares: left to the solver, or left out of their lines.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::named::Named;
use crate::unknown::UnknownId;

/// Who sees to it that blocked squares stay empty: the solver, or whoever writes the clauses.
///
/// Either way their variables stay, each with its unit clause, so layouts and placements are the
/// same, and unless auxiliary variables are free the numbers of models too.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Blocked {
    /// Lines are encoded whole, and each blocked square gets a unit clause.
    #[default]
    Units,
    /// Lines are encoded over their free squares only. A row without one gives the empty clause.
    Simplified,
}

impl Blocked {
    /// Both, the default first.
    pub const ALL: [Self; 2] = [Self::Units, Self::Simplified];

    /// The squares that lines are encoded over, in words that follow the constraints.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::Units => "",
            Self::Simplified => "; over free squares only",
        }
    }

    /// The name in configs and rows.
    pub fn id(self) -> &'static str {
        match self {
            Self::Units => "units",
            Self::Simplified => "simplified",
        }
    }
}

impl Named for Blocked {
    fn names() -> Vec<&'static str> {
        Self::ALL.map(Self::id).into()
    }
}

impl fmt::Display for Blocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for Blocked {
    type Err = UnknownId;

    fn from_str(id: &str) -> Result<Self, UnknownId> {
        let found = Self::ALL.into_iter().find(|blocked| blocked.id() == id);
        found.ok_or_else(|| {
            UnknownId::new("treatment of blocked squares", id, Self::ALL.map(Self::id))
        })
    }
}
