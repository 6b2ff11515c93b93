//! Pigeons in holes: the pigeonhole principle.
//!
//! *Rules.* Every pigeon sits in one hole, and no hole holds two pigeons.
//!
//! *Candidates.* Pigeon p in hole h, pigeon by pigeon: pigeons × holes.
//!
//! *Families.* `pigeons`: for each pigeon exactly one hole. `holes`: for each hole at most one pigeon.
//!
//! *Known answers.* h!/(h − p)! solutions for p pigeons and h holes, none for p > h.
//!
//! *Source.* S. A. Cook, R. A. Reckhow, "The relative efficiency of propositional proof systems", Journal of
//! Symbolic Logic 44, 1979, section 5.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::drawing::{Cell, Drawing};
use crate::entry::{EntryError, EntryForm, EntryKey, EntryValues};
use crate::group::{Bounds, GroupFamily};
use crate::kind::{EntryKind, Kind, assignment};
use crate::literal::{Candidate, Literal};
use crate::problem::Problem;
use crate::solution::Solution;

/// The most pigeons, and the most holes.
const MAX_VALUE: u32 = 10_000;

/// Pigeons and holes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pigeonhole {
    pigeons: u32,
    holes: u32,
}

impl Pigeonhole {
    /// This number of pigeons for this number of holes.
    ///
    /// # Errors
    ///
    /// When a number is not from 1 to 10,000.
    pub fn new(pigeons: u32, holes: u32) -> Result<Self, EntryError> {
        for (key, number) in [("pigeons", pigeons), ("holes", holes)] {
            if !(1..=MAX_VALUE).contains(&number) {
                return Err(EntryError::new(
                    key,
                    format!("`{key}` is from 1 to {MAX_VALUE}, not {number}"),
                ));
            }
        }
        let [rows, columns] = [pigeons, holes].map(u64::from);
        super::refuse_large("pigeons", rows + columns, 2 * rows * columns)?;
        Ok(Self { pigeons, holes })
    }

    /// The pigeon and the hole of a candidate, both from 0.
    fn place(&self, candidate: Candidate) -> (u32, u32) {
        (candidate / self.holes, candidate % self.holes)
    }
}

impl fmt::Display for Pigeonhole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pigeonhole {} in {}", self.pigeons, self.holes)
    }
}

impl Kind for Pigeonhole {
    const ID: &'static str = "pigeonhole";
    const TITLE: &'static str = "pigeonhole principle";
    const FAMILIES: &'static [&'static str] = &["pigeons", "holes"];
    const SIZE: &'static str = "Pigeons";
    const RANK: u16 = 2;

    fn checked(self) -> Result<Self, EntryError> {
        Self::new(self.pigeons, self.holes)
    }

    fn constraints(&self) -> Problem {
        let Self { pigeons, holes } = *self;
        let at = move |pigeon: u32, hole: u32| Literal::chosen(pigeon * holes + hole);
        let of_pigeons = (0..pigeons).map(|pigeon| (0..holes).map(move |hole| at(pigeon, hole)));
        let of_holes = (0..holes).map(|hole| (0..pigeons).map(move |pigeon| at(pigeon, hole)));
        Problem::new(pigeons * holes)
            .with_family(GroupFamily::new("pigeons", Bounds::EXACTLY_ONE, of_pigeons.collect()))
            .with_family(GroupFamily::new("holes", Bounds::AT_MOST_ONE, of_holes.collect()))
    }

    fn size(&self) -> u32 {
        self.pigeons
    }

    fn label(&self, candidate: Candidate) -> String {
        let (pigeon, hole) = self.place(candidate);
        format!("p{}h{}", pigeon + 1, hole + 1)
    }

    /// The hole of each pigeon.
    fn draw(&self, solution: &Solution) -> String {
        let holes = solution.chosen().iter().map(|&candidate| self.place(candidate).1 + 1);
        holes.map(|hole| hole.to_string()).collect::<Vec<_>>().join(" ")
    }

    /// A row for each pigeon, with a cross in its hole if there is a solution.
    fn drawing(&self, solution: Option<&Solution>) -> Option<Drawing> {
        let is_chosen = |candidate| solution.is_some_and(|it| it.chooses(candidate));
        let heads = (1..=self.holes).map(|hole| Cell::name(format!("h{hole}")));
        let rows = (0..self.pigeons).map(|pigeon| {
            let name = Cell::name(format!("p{}", pigeon + 1));
            let cells = pigeon * self.holes..(pigeon + 1) * self.holes;
            let cells = cells.map(|candidate| Cell::chosen(is_chosen(candidate)));
            std::iter::once(name).chain(cells).collect()
        });
        let heads: Vec<Cell> = std::iter::once(Cell::name("")).chain(heads).collect();
        Drawing::grid(std::iter::once(heads).chain(rows))
    }

    fn check(&self, solution: &Solution) -> Result<(), String> {
        let words = ["pigeon", "sits in two holes", "sits in no hole"];
        let mut holes = assignment(solution.chosen(), self.pigeons, self.holes, words)?;
        holes.sort_unstable();
        match holes.array_windows().find(|[one, next]| one == next) {
            Some([hole, _]) => Err(format!("hole {} holds two pigeons", hole + 1)),
            None => Ok(()),
        }
    }

    fn known_count(&self) -> Option<u128> {
        if self.pigeons > self.holes {
            return Some(0);
        }
        let factors = self.holes - self.pigeons + 1..=self.holes;
        factors.map(u128::from).try_fold(1_u128, u128::checked_mul)
    }
}

impl EntryKind for Pigeonhole {
    const ENTRY: &'static [EntryKey] = &[
        EntryKey::required(
            "pigeons",
            "The number of pigeons.",
            EntryForm::Whole(1, MAX_VALUE as u64),
        ),
        EntryKey::optional(
            "holes",
            "The number of holes; one less than pigeons if it is not given.",
            EntryForm::Whole(1, MAX_VALUE as u64),
        ),
    ];

    fn instance(values: &EntryValues) -> Result<Self, EntryError> {
        let pigeons = values.whole("pigeons").unwrap_or(0) as u32;
        let holes = values.whole("holes").map_or(pigeons.saturating_sub(1), |holes| holes as u32);
        Self::new(pigeons, holes)
    }

    fn examples() -> Vec<Self> {
        [(1, 1), (3, 3), (2, 4), (4, 3)].map(|(p, h)| Self { pigeons: p, holes: h }).into()
    }
}
