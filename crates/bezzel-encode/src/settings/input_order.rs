//! The order in which an encoder takes the literals of each line.
//!
//! At-most-one encodings group their inputs by position: the groups of `commander` are intervals, the
//! grid of `product` is filled row by row. Neighbours on a line are then in one group. Another order
//! makes other groups of the same squares; the numbers of the variables stay.

use std::fmt;
use std::str::FromStr;

use bezzel_problem::{Named, UnknownId};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

/// The order in which an encoder takes the literals of each line.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(into = "String", try_from = "String")]
pub enum InputOrder {
    /// From the first square of the line to the last.
    #[default]
    AsStated,
    /// From the last square of the line to the first.
    Reversed,
    /// Shuffled by this seed, each line by itself.
    Random(u64),
}

/// The text before the seed.
const RANDOM: &str = "random:";

impl InputOrder {
    /// The names of the orders without a seed, the default first.
    const NAMES: [&'static str; 2] = ["as-stated", "reversed"];

    /// The order in words that follow the constraints.
    pub(crate) fn describe(self) -> String {
        if self == Self::default() { String::new() } else { format!("; input order {self}") }
    }

    /// Puts the literals of a group, or its terms, into this order. `family` is the number of its family from 0,
    /// `number` its number in the family from 1.
    pub fn arrange<T>(self, xs: &mut [T], family: usize, number: u32) {
        match self {
            Self::AsStated => {}
            Self::Reversed => xs.reverse(),
            Self::Random(seed) => {
                let mut generator = ChaCha8Rng::seed_from_u64(seed);
                generator.set_stream((family as u64) << 32 | u64::from(number));
                xs.shuffle(&mut generator);
            }
        }
    }
}

impl Named for InputOrder {
    const PATTERN: Option<&'static str> = Some("^random:(0|[1-9][0-9]{0,19})$");

    fn names() -> Vec<&'static str> {
        Self::NAMES.into()
    }
}

impl fmt::Display for InputOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AsStated => f.pad(Self::NAMES[0]),
            Self::Reversed => f.pad(Self::NAMES[1]),
            Self::Random(seed) => f.pad(&format!("{RANDOM}{seed}")),
        }
    }
}

impl FromStr for InputOrder {
    type Err = UnknownId;

    fn from_str(id: &str) -> Result<Self, UnknownId> {
        let seed = id.strip_prefix(RANDOM).and_then(|seed| seed.parse().ok()).map(Self::Random);
        let mut all = [Self::AsStated, Self::Reversed].into_iter().chain(seed);
        // A seed has one spelling: `random:07` and `random:+7` are none.
        all.find(|order| order.to_string() == id).ok_or_else(|| {
            UnknownId::new("input order", id, Self::NAMES.into_iter().chain(["random:1"]))
        })
    }
}

impl From<InputOrder> for String {
    fn from(order: InputOrder) -> Self {
        order.to_string()
    }
}

impl TryFrom<String> for InputOrder {
    type Error = UnknownId;

    fn try_from(id: String) -> Result<Self, UnknownId> {
        id.parse()
    }
}

#[cfg(test)]
mod tests {
    use rustsat::types::Lit;

    use super::*;

    fn arranged(order: InputOrder, family: usize, number: u32) -> Vec<u32> {
        let mut xs: Vec<Lit> = (0..12).map(Lit::positive).collect();
        order.arrange(&mut xs, family, number);
        xs.iter().map(|x| x.vidx32()).collect()
    }

    #[test]
    fn each_line_has_a_shuffle_of_its_own_and_a_seed_means_the_same_for_ever() {
        let first = arranged(InputOrder::Random(1), 0, 1);
        let others = [
            arranged(InputOrder::Random(2), 0, 1),
            arranged(InputOrder::Random(1), 1, 1),
            arranged(InputOrder::Random(1), 0, 2),
        ];
        for other in others {
            assert_ne!(first, other);
            let mut sorted = other;
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..12));
        }
        assert_eq!(first, KEPT);
    }

    /// The shuffle of twelve literals by the seed 1 in the first row.
    const KEPT: [u32; 12] = [6, 5, 2, 8, 0, 9, 7, 10, 3, 4, 11, 1];

    #[test]
    fn a_name_has_one_spelling() {
        for id in ["as-stated", "reversed", "random:0", "random:18446744073709551615"] {
            assert_eq!(id.parse::<InputOrder>().unwrap().to_string(), id);
        }
        for id in ["", "random", "random:", "random:07", "random:+7", "random:18446744073709551616"]
        {
            assert!(id.parse::<InputOrder>().is_err(), "{id}");
        }
    }
}
