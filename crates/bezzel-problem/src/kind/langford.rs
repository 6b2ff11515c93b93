//! Langford pairs: two of each number from 1 to n in a row of 2n places, k places between the two of number k.
//!
//! *Rules.* Each number stands on two places, its second one k + 1 places after its first. No place holds two numbers.
//!
//! *Candidates.* Number k begins on place p, number by number: 2n − k − 1 for each k, n(3n − 3)/2 in all.
//!
//! *Families.* `numbers`: for each number exactly one first place. `places`: on each place exactly one number. It is a
//! case of [`exact-cover`](super::exact_cover), with the names of its families.
//!
//! *Known answers.* There are solutions exactly if n leaves 0 or 3 when it is divided by 4. Their number is twice OEIS
//! A014552, which takes a row and its reverse as one: 2, 2, 52, 300, 35,584, 216,288 for n = 3, 4, 7, 8, 11, 12.
//!
//! *Source.* C. D. Langford, "Problem", Mathematical Gazette 42, 1958. R. O. Davies, "On Langford's problem II",
//! Mathematical Gazette 43, 1959.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::exact_cover::ExactCover;
use crate::drawing::{Cell, CellLook, Drawing};
use crate::entry::{EntryError, EntryForm, EntryKey, EntryValues};
use crate::kind::{EntryKind, Kind};
use crate::literal::Candidate;
use crate::problem::Problem;
use crate::solution::Solution;

/// The most numbers.
const MAX_VALUE: u32 = 1_000;

/// Langford pairs of the numbers from 1 to n.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Langford {
    n: u32,
}

impl Langford {
    /// Pairs of the numbers from 1 to `n`.
    ///
    /// # Errors
    ///
    /// When `n` is not from 1 to 1,000.
    pub fn new(n: u32) -> Result<Self, EntryError> {
        if (1..=MAX_VALUE).contains(&n) {
            return Ok(Self { n });
        }
        Err(EntryError::new("n", format!("`n` is from 1 to {MAX_VALUE}, not {n}")))
    }

    /// The number and the first place of each candidate, the place from 0.
    fn starts(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let n = self.n;
        (1..=n).flat_map(move |number| (0..2 * n - number - 1).map(move |place| (number, place)))
    }

    /// The pairs as an exact cover: the numbers and the places are covered.
    fn cover(&self) -> ExactCover {
        let n = self.n;
        let numbers = (1..=n).map(|number| format!("number {number}"));
        let places = (1..=2 * n).map(|place| format!("place {place}"));
        let options = self
            .starts()
            .map(|(number, place)| vec![number - 1, n + place, n + place + number + 1]);
        ExactCover::of(numbers.chain(places).collect(), 0, options.collect())
    }
}

impl fmt::Display for Langford {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "langford {}", self.n)
    }
}

impl Kind for Langford {
    const ID: &'static str = "langford";
    const TITLE: &'static str = "Langford pairs";
    const FAMILIES: &'static [&'static str] = &["numbers", "places"];
    const SIZE: &'static str = "Largest number, n";
    const RANK: u16 = 4;

    fn checked(self) -> Result<Self, EntryError> {
        Self::new(self.n)
    }

    fn constraints(&self) -> Problem {
        let cover = self.cover();
        Problem::new(cover.options().len() as u32)
            .with_family(cover.family("numbers", 0..self.n))
            .with_family(cover.family("places", self.n..3 * self.n))
    }

    fn size(&self) -> u32 {
        self.n
    }

    fn label(&self, candidate: Candidate) -> String {
        let found = self.starts().nth(candidate as usize);
        found.map_or_else(String::new, |(number, place)| format!("{number}@{}", place + 1))
    }

    /// The number on each place.
    fn draw(&self, solution: &Solution) -> String {
        let mut row = vec![0; 2 * self.n as usize];
        for ((number, place), candidate) in self.starts().zip(0..) {
            if solution.chooses(candidate) {
                row[place as usize] = number;
                row[(place + number + 1) as usize] = number;
            }
        }
        row.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
    }

    /// The number on each place, in one row. Without a solution all places are empty.
    fn drawing(&self, solution: Option<&Solution>) -> Option<Drawing> {
        let row = self.draw(solution.unwrap_or(&Solution::default()));
        let cell =
            |number: &str| Cell::new(if number == "0" { "" } else { number }, CellLook::Found);
        Drawing::grid([row.split(' ').map(cell).collect()])
    }

    fn check(&self, solution: &Solution) -> Result<(), String> {
        let starts: Vec<(u32, u32)> = self.starts().collect();
        let mut row = vec![0; 2 * self.n as usize];
        for &candidate in solution.chosen() {
            let Some(&(number, first)) = starts.get(candidate as usize) else {
                return Err(format!("there is no candidate {}", u64::from(candidate) + 1));
            };
            for place in [first, first + number + 1] {
                let entry = &mut row[place as usize];
                if *entry != 0 {
                    return Err(format!("place {} holds {} and {number}", place + 1, *entry));
                }
                *entry = number;
            }
        }
        for number in 1..=self.n {
            let places: Vec<usize> = (0..row.len()).filter(|&place| row[place] == number).collect();
            if places.len() != 2 {
                return Err(format!(
                    "the number {number} stands on {} places, not on 2",
                    places.len()
                ));
            }
        }
        Ok(())
    }

    fn known_count(&self) -> Option<u128> {
        match self.n {
            n if !matches!(n % 4, 0 | 3) => Some(0),
            3 | 4 => Some(2),
            7 => Some(52),
            8 => Some(300),
            11 => Some(35_584),
            12 => Some(216_288),
            _ => None,
        }
    }
}

impl EntryKind for Langford {
    const ENTRY: &'static [EntryKey] =
        &[EntryKey::required("n", "The largest number.", EntryForm::Whole(1, MAX_VALUE as u64))];

    fn instance(values: &EntryValues) -> Result<Self, EntryError> {
        Self::new(values.whole("n").unwrap_or(0) as u32)
    }

    fn examples() -> Vec<Self> {
        [1, 2, 3, 4, 5].map(|n| Self { n }).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Search;

    #[test]
    fn the_published_numbers_of_pairs_are_found() {
        for n in 1..=9 {
            let langford = Langford::new(n).unwrap();
            let count = Search::new(&langford.problem()).count(u64::MAX).unwrap();
            assert_eq!(Some(u128::from(count)), langford.known_count(), "n = {n}");
        }
    }

    #[test]
    fn a_solution_is_drawn_as_a_row_of_numbers() {
        let langford = Langford::new(3).unwrap();
        let solution = Search::new(&langford.problem()).first(u64::MAX).unwrap().unwrap();
        let drawn = langford.draw(&solution);
        assert!(["3 1 2 1 3 2", "2 3 1 2 1 3"].contains(&&*drawn), "{drawn}");
    }
}
