//! The order in which an encoder takes the literals of each line.
//!
//! At-most-one encodings group their inputs by position: the groups of `commander` are intervals, the
//! grid of `product` is filled row by row. Neighbours on a line are then in one group. Another order
//! makes other groups of the same squares; the numbers of the variables stay.
//!
//! Orders differ in their agreement. `random` gives each line an order of its own. `common` and `proximity` order the
//! candidates of a problem once, and each line takes its candidates in this [arrangement](super::Arrangement).

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
    /// One order of all candidates, shuffled by this seed, for all lines.
    Common(u64),
    /// Every second line of a family from its last square to its first.
    ReversedAlternate,
    /// One order of all candidates for all lines, with those near each other that are in the same constraints.
    Proximity,
}

/// The text before the seed of an order for each line.
const RANDOM: &str = "random:";

/// The text before the seed of an order for all lines.
const COMMON: &str = "common:";

impl InputOrder {
    /// The names of the orders without a seed, the default first.
    const NAMES: [&'static str; 4] = ["as-stated", "reversed", "reversed-alternate", "proximity"];

    /// The order in words that follow the constraints.
    pub(crate) fn describe(self) -> String {
        if self == Self::default() { String::new() } else { format!("; input order {self}") }
    }

    /// True if the order of a group follows from its literals and its number: not for `common` and `proximity`, which
    /// order the candidates of a whole problem.
    pub fn is_of_one_group(self) -> bool {
        !matches!(self, Self::Common(_) | Self::Proximity)
    }

    /// Puts the literals of a group, or its terms, into this order. `family` is the number of its family from 0,
    /// `number` its number in the family from 1. Orders of a whole problem leave the literals in their places.
    pub fn arrange<T>(self, xs: &mut [T], family: usize, number: u32) {
        match self {
            Self::ReversedAlternate if number.is_multiple_of(2) => xs.reverse(),
            Self::AsStated | Self::ReversedAlternate | Self::Common(_) | Self::Proximity => {}
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
    const PATTERN: Option<&'static str> = Some("^(random|common):(0|[1-9][0-9]{0,19})$");

    fn names() -> Vec<&'static str> {
        Self::NAMES.into()
    }
}

impl fmt::Display for InputOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AsStated => f.pad(Self::NAMES[0]),
            Self::Reversed => f.pad(Self::NAMES[1]),
            Self::ReversedAlternate => f.pad(Self::NAMES[2]),
            Self::Proximity => f.pad(Self::NAMES[3]),
            Self::Random(seed) => f.pad(&format!("{RANDOM}{seed}")),
            Self::Common(seed) => f.pad(&format!("{COMMON}{seed}")),
        }
    }
}

impl FromStr for InputOrder {
    type Err = UnknownId;

    fn from_str(id: &str) -> Result<Self, UnknownId> {
        let seed = |text: &str| id.strip_prefix(text).and_then(|seed| seed.parse().ok());
        let seeded =
            seed(RANDOM).map(Self::Random).into_iter().chain(seed(COMMON).map(Self::Common));
        let named = [Self::AsStated, Self::Reversed, Self::ReversedAlternate, Self::Proximity];
        let mut all = named.into_iter().chain(seeded);
        // A seed has one spelling: `random:07` and `random:+7` are none.
        all.find(|order| order.to_string() == id).ok_or_else(|| {
            UnknownId::new(
                "input order",
                id,
                Self::NAMES.into_iter().chain(["random:1", "common:1"]),
            )
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
        let seeded = ["random:0", "random:18446744073709551615", "common:0", "common:7"];
        for id in InputOrder::NAMES.into_iter().chain(seeded) {
            assert_eq!(id.parse::<InputOrder>().unwrap().to_string(), id);
        }
        for id in ["", "random", "random:", "random:07", "random:+7", "random:18446744073709551616"]
        {
            assert!(id.parse::<InputOrder>().is_err(), "{id}");
            assert!(id.replace("random", "common").parse::<InputOrder>().is_err(), "{id}");
        }
        for (id, near) in
            [("comon:1", "common:1"), ("proximty", "proximity"), ("reverse", "reversed")]
        {
            assert_eq!(id.parse::<InputOrder>().unwrap_err().near.as_deref(), Some(near));
        }
    }

    #[test]
    fn every_second_line_is_reversed_and_twice_is_none() {
        let order = InputOrder::ReversedAlternate;
        assert!(arranged(order, 0, 1).into_iter().eq(0..12));
        assert!(arranged(order, 0, 2).into_iter().eq((0..12).rev()));
        for number in 1..5 {
            let mut xs = [4, 1, 3];
            order.arrange(&mut xs, 1, number);
            order.arrange(&mut xs, 1, number);
            assert_eq!(xs, [4, 1, 3]);
        }
    }
}
