//! The size of a formula: the three numbers that every encoding states in closed form.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul};

use serde::{Deserialize, Serialize};

/// The text of a number that is at least [`Size::BOUND`].
pub const AT_LEAST_BOUND: &str = "≥ 2¹²⁰";

/// Numbers of variables, clauses and literals.
///
/// For an [`AtMostOne`](crate::AtMostOne) they do not include the inputs: only its auxiliary variables count. For an
/// [`Encoding`](crate::Encoding) they are the whole formula's. Numbers below [`Size::BOUND`] are exact. A larger number
/// is stored as the bound, and means at least the bound. Sums and multiples of it are at least the bound as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Size {
    /// Variables.
    #[serde(with = "number")]
    pub variables: u128,
    /// Clauses, repeated ones counted as often as they are stated.
    #[serde(with = "number")]
    pub clauses: u128,
    /// Literal occurrences: the sum of the clauses' lengths.
    #[serde(with = "number")]
    pub literals: u128,
}

impl Size {
    /// The least number that is not stored exactly, 2¹²⁰.
    pub const BOUND: u128 = 1 << 120;

    /// A size from its three numbers.
    pub const fn new(variables: u128, clauses: u128, literals: u128) -> Self {
        Self {
            variables: bounded(variables),
            clauses: bounded(clauses),
            literals: bounded(literals),
        }
    }

    /// The size of `clauses` clauses of two literals each.
    pub const fn binary(variables: u128, clauses: u128) -> Self {
        Self::new(variables, clauses, clauses.saturating_mul(2))
    }

    /// True if a number is at least the bound, so that its value is not known.
    pub const fn is_bound(&self) -> bool {
        self.variables >= Self::BOUND || self.clauses >= Self::BOUND || self.literals >= Self::BOUND
    }
}

/// The number, or the bound if the number is larger.
const fn bounded(number: u128) -> u128 {
    if number < Size::BOUND { number } else { Size::BOUND }
}

/// A number of a size in JSON: a number below 2⁶⁴, otherwise its digits as text, and [`AT_LEAST_BOUND`] from the bound on.
mod number {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::{Serialize, Serializer};

    use super::{AT_LEAST_BOUND, Size};

    #[derive(serde::Deserialize)]
    #[serde(untagged)]
    enum Written {
        Number(u64),
        Text(String),
    }

    pub(super) fn serialize<S: Serializer>(number: &u128, to: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(*number) {
            Ok(number) => number.serialize(to),
            Err(_) if *number < Size::BOUND => number.to_string().serialize(to),
            Err(_) => AT_LEAST_BOUND.serialize(to),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u128, D::Error> {
        match Written::deserialize(from)? {
            Written::Number(number) => Ok(number.into()),
            Written::Text(text) if text == AT_LEAST_BOUND => Ok(Size::BOUND),
            Written::Text(text) => text.parse().map_err(D::Error::custom),
        }
    }
}

impl Add for Size {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(
            self.variables + other.variables,
            self.clauses + other.clauses,
            self.literals + other.literals,
        )
    }
}

impl AddAssign for Size {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// A multiple of a size.
impl Mul<u128> for Size {
    type Output = Self;

    fn mul(self, times: u128) -> Self {
        Self::new(
            self.variables.saturating_mul(times),
            self.clauses.saturating_mul(times),
            self.literals.saturating_mul(times),
        )
    }
}

impl Sum for Size {
    fn sum<I: Iterator<Item = Self>>(sizes: I) -> Self {
        sizes.fold(Self::default(), Add::add)
    }
}

/// A number in groups of three digits; [`AT_LEAST_BOUND`] for [`Size::BOUND`] and more.
pub fn grouped(number: u128) -> String {
    if number >= Size::BOUND {
        return AT_LEAST_BOUND.to_owned();
    }
    bezzel_problem::quantity::grouped(number)
}

/// The number of pairs among `n` things.
pub(crate) const fn pairs(n: u128) -> u128 {
    n * n.saturating_sub(1) / 2
}

/// The number of bits that distinguish `n` things: ⌈log₂ n⌉, and 0 for one thing or none.
pub const fn bits(n: u64) -> u32 {
    if n <= 1 { 0 } else { u64::BITS - (n - 1).leading_zeros() }
}

/// The sum of the depths of `n` leaves, for things that are halved until each stands alone: each
/// leaf lies ⌊log₂ n⌋ or ⌈log₂ n⌉ halvings deep.
pub(crate) const fn depths(n: u64) -> u128 {
    if n == 0 {
        return 0;
    }
    let bits = bits(n);
    n as u128 * (bits as u128 + 1) - (1 << bits)
}

/// The sum over the nodes above two inputs or more of a tree that halves `n` inputs.
pub(crate) fn tree<T>(n: u64, node: impl Fn(u64) -> T) -> T
where
    T: Default + AddAssign + Mul<u128, Output = T>,
{
    // Halving gives nodes of two sizes that differ by one, with a number of each.
    let (mut small, mut smalls, mut greats) = (n, 1_u128, 0_u128);
    let mut sum = T::default();
    while small > 0 {
        for (inputs, number) in [(small, smalls), (small + 1, greats)] {
            if inputs > 1 && number > 0 {
                sum += node(inputs) * number;
            }
        }
        (smalls, greats) = if small.is_multiple_of(2) {
            (2 * smalls + greats, greats)
        } else {
            (smalls, smalls + 2 * greats)
        };
        small /= 2;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_multiples_of_a_bound_are_bounds_and_are_written_as_such() {
        let [exact, large] =
            [Size::new(1, Size::BOUND - 1, 3), Size::new(0, Size::BOUND, u128::MAX)];
        assert_eq!(grouped(exact.clauses), "1,329,227,995,784,915,872,903,807,060,280,344,575");
        for size in [large, large + large, exact + exact, large + exact, large * 7, exact * 2] {
            assert_eq!(grouped(size.clauses), AT_LEAST_BOUND);
            assert!(size.is_bound() && !exact.is_bound());
        }
    }

    #[test]
    fn depths_are_those_that_halving_gives() {
        let mut halved = vec![0, 0];
        for n in 2..2000 {
            halved.push(n as u128 + halved[n / 2] + halved[n - n / 2]);
        }
        for (n, halved) in (0..).zip(halved) {
            assert_eq!(depths(n), halved, "n = {n}");
        }
    }
}
