//! A kind of problem for tests: guests on chairs, with given and excluded seats. Its candidates stand in a grid.
//!
//! *Rules.* Every guest sits on one chair, and no chair holds two guests.
//!
//! *Candidates.* Guest g on chair c, guest by guest: a grid with a row for each guest and a column for each chair.
//!
//! *Families.* Those of pigeons and holes, so that a config knows no further names in tests.
//!
//! *Known answers.* c!/(c − g)! solutions without given and excluded seats, none for more guests than chairs.

use std::fmt;
use std::sync::Once;

use bezzel_problem::{
    Bounds, Candidate, EncoderRequest, Grid, GroupFamily, InstanceField, Kind, KindEntry,
    KindSearch, KnownFacts, Literal, Problem, Solution, Square, add_kind,
};
use serde::{Deserialize, Serialize};

/// Guests and chairs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Seating {
    /// The number of guests.
    size: u32,
    chairs: u32,
    given: Vec<Square>,
    excluded: Vec<Square>,
}

impl Seating {
    /// The kind becomes one that this process can read.
    pub(crate) fn new(guests: u32, chairs: u32) -> Self {
        static KIND: Once = Once::new();
        KIND.call_once(|| add_kind(&KindEntry::of::<Self>()));
        Self { size: guests, chairs, given: Vec::new(), excluded: Vec::new() }
    }

    /// The same with these seats given: guest and chair, counted from 1.
    pub(crate) fn with_given(self, seats: &[(u32, u32)]) -> Self {
        Self { given: seats.iter().copied().map(Square::from).collect(), ..self }
    }

    /// The same with these seats excluded: guest and chair, counted from 1.
    pub(crate) fn with_excluded(self, seats: &[(u32, u32)]) -> Self {
        Self { excluded: seats.iter().copied().map(Square::from).collect(), ..self }
    }

    /// The candidates of a solution: the chair of each guest, counted from 1.
    pub(crate) fn seats(&self, chairs: &[u32]) -> Vec<Candidate> {
        (0..).zip(chairs).map(|(guest, chair)| guest * self.chairs + chair - 1).collect()
    }

    /// All solutions, found by trying every chair for each guest in turn.
    pub(crate) fn solutions(&self) -> Vec<Vec<Candidate>> {
        let mut all = vec![Vec::new()];
        for guest in 1..=self.size {
            let mut longer = Vec::new();
            for seated in all {
                for chair in (1..=self.chairs).filter(|chair| !seated.contains(chair)) {
                    longer.push([&seated[..], &[chair]].concat());
                }
            }
            longer.retain(|seated| {
                let at = |place: &Square| place.row + 1 == guest;
                let is_here = |place: &Square| place.column + 1 == seated[guest as usize - 1];
                let mut given = self.given.iter().filter(|place| at(place));
                given.all(is_here) && !self.excluded.iter().any(|place| at(place) && is_here(place))
            });
            all = longer;
        }
        all.iter().map(|chairs| self.seats(chairs)).collect()
    }
}

impl fmt::Display for Seating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.size)?;
        if self.chairs != self.size {
            write!(f, " on {}", self.chairs)?;
        }
        for (word, places) in [("given", &self.given), ("excluded", &self.excluded)] {
            for place in places {
                write!(f, " {word} {place}")?;
            }
        }
        Ok(())
    }
}

impl Kind for Seating {
    const ID: &'static str = "seating";
    const NOUN: &'static str = "seating";
    const TITLE: &'static str = "seatings";
    const FAMILIES: &'static [&'static str] = &["pigeons", "holes"];
    const SIZE: &'static str = "Guests";
    const FIELDS: &'static [InstanceField] = &[
        field("size", "guests"),
        field("chairs", "chairs"),
        field("given", "given_seats"),
        field("excluded", "excluded_seats"),
    ];

    fn constraints(&self) -> Problem {
        let Self { size, chairs, .. } = *self;
        let at = move |guest: u32, chair: u32| Literal::chosen(guest * chairs + chair);
        let of_guests = (0..size).map(|guest| (0..chairs).map(move |chair| at(guest, chair)));
        let of_chairs = (0..chairs).map(|chair| (0..size).map(move |guest| at(guest, chair)));
        let candidates = |places: &[Square]| -> Vec<Candidate> {
            places.iter().map(|place| place.row * chairs + place.column).collect()
        };
        Problem::new(size * chairs)
            .with_family(GroupFamily::new("pigeons", Bounds::EXACTLY_ONE, of_guests.collect()))
            .with_family(GroupFamily::new("holes", Bounds::AT_MOST_ONE, of_chairs.collect()))
            .with_fixed(candidates(&self.given), candidates(&self.excluded))
    }

    fn size(&self) -> u32 {
        self.size
    }

    fn grid(&self) -> Option<Grid> {
        Some(Grid { rows: self.size, columns: self.chairs })
    }

    fn without_given(&self) -> Option<Self> {
        let bare = Self { given: Vec::new(), ..self.clone() };
        (!self.given.is_empty()).then_some(bare)
    }

    fn encoder_request(&self) -> Option<EncoderRequest> {
        let Self { size, chairs, .. } = *self;
        let bare = Self::new(size, chairs);
        Some(EncoderRequest {
            place: 0,
            instance: bare.to_string(),
            grid: bare.grid()?,
            noun: Self::NOUN,
            words: format!("seating {size} {chairs}"),
        })
    }

    fn label(&self, candidate: Candidate) -> String {
        format!("g{}c{}", candidate / self.chairs + 1, candidate % self.chairs + 1)
    }

    fn draw(&self, solution: &Solution) -> String {
        format!("{:?}", solution.chosen())
    }

    fn check(&self, solution: &Solution) -> Result<(), String> {
        let chosen = solution.chosen();
        let guests: Vec<u32> = chosen.iter().map(|chosen| chosen / self.chairs).collect();
        if !guests.iter().copied().eq(0..self.size) {
            return Err("not every guest has one chair".into());
        }
        let mut chairs: Vec<u32> = chosen.iter().map(|chosen| chosen % self.chairs + 1).collect();
        let places: Vec<Square> = (1..).zip(chairs.iter().copied()).map(Square::from).collect();
        chairs.sort_unstable();
        let mut pairs = chairs.iter().zip(chairs.iter().skip(1));
        if let Some((chair, _)) = pairs.find(|(one, next)| one == next) {
            return Err(format!("chair {chair} holds two guests"));
        }
        if let Some(place) = self.given.iter().find(|place| !places.contains(place)) {
            return Err(format!("the given seat {place} is free"));
        }
        match self.excluded.iter().find(|place| places.contains(place)) {
            Some(place) => Err(format!("the excluded seat {place} is taken")),
            None => Ok(()),
        }
    }

    /// Seatings of more than 64 guests are not searched.
    fn search(&self) -> KindSearch {
        if self.size > 64 { KindSearch::None } else { KindSearch::OfProblem }
    }

    fn known(&self) -> KnownFacts {
        if !self.given.is_empty() || !self.excluded.is_empty() {
            return KnownFacts::default();
        }
        if self.size > self.chairs {
            return KnownFacts { solvable: Some((false, SOURCE)), count: Some((0, SOURCE)) };
        }
        let factors = self.chairs - self.size + 1..=self.chairs;
        let count = factors.map(u128::from).try_fold(1_u128, u128::checked_mul);
        KnownFacts { solvable: Some((true, SOURCE)), count: count.map(|count| (count, SOURCE)) }
    }
}

/// The source of the known numbers.
const SOURCE: &str = "falling factorials";

const fn field(key: &'static str, column: &'static str) -> InstanceField {
    InstanceField { key, column, absent: None }
}

#[test]
fn the_rules_the_groups_and_the_known_numbers_agree() {
    let instances = [
        Seating::new(1, 1),
        Seating::new(3, 3),
        Seating::new(2, 4),
        Seating::new(4, 3),
        Seating::new(4, 4).with_given(&[(1, 2)]).with_excluded(&[(2, 1), (4, 4)]),
    ];
    for seating in instances {
        let (all, problem) = (seating.solutions(), Kind::problem(&seating));
        for chosen in 0_u32..1 << problem.candidates() {
            let is_chosen = |candidate: &u32| chosen >> candidate & 1 == 1;
            let solution: Solution = (0..problem.candidates()).filter(is_chosen).collect();
            let is_one = all.iter().any(|found| found == solution.chosen());
            assert_eq!(seating.check(&solution).is_ok(), is_one, "{seating}: {chosen:b}");
            assert_eq!(problem.check(&solution).is_ok(), is_one, "{seating}: {chosen:b}");
        }
        if let Some((count, _)) = seating.known().count {
            assert_eq!(count, all.len() as u128, "{seating}");
        }
    }
    assert_eq!(Seating::new(4, 4).solutions().len(), 24);
}
