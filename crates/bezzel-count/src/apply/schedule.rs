//! In which order the terms of a circuit are conjoined.

use std::fmt;
use std::str::FromStr;

use bezzel_encode::UnknownId;

/// In which order the terms of a circuit are conjoined: of Bryant's, its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Schedule {
    /// One after the other from the bottom row up, each with all below it: as the paper has it.
    #[default]
    Layers,
    /// The lower two thirds of the rows so; then the upper third, joined among themselves before. So
    /// the widest of the conjunctions, those in the upper third, are never made.
    TopTogether,
}

impl Schedule {
    /// Every schedule, the default first.
    pub const ALL: [Self; 2] = [Self::Layers, Self::TopTogether];

    /// The name in configs and rows.
    pub fn id(self) -> &'static str {
        match self {
            Self::Layers => "layers",
            Self::TopTogether => "top-together",
        }
    }

    /// The terms in groups; those of a group are joined before they are conjoined to the others.
    pub(super) fn groups<T>(self, terms: &[T]) -> impl Iterator<Item = &[T]> {
        let together = match self {
            Self::Layers => 0,
            Self::TopTogether => terms.len() / 3,
        };
        let (single, together) = terms.split_at(terms.len() - together);
        single.chunks(1).chain(std::iter::once(together))
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for Schedule {
    type Err = UnknownId;

    fn from_str(id: &str) -> Result<Self, UnknownId> {
        let found = Self::ALL.into_iter().find(|schedule| schedule.id() == id);
        found.ok_or_else(|| UnknownId::new("schedule", id, Self::ALL.map(Self::id)))
    }
}
