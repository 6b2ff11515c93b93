//! The size of a formula: the three numbers that every encoding states in closed form.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul};

use serde::{Deserialize, Serialize};

/// Numbers of variables, clauses and literals.
///
/// For an [`AtMostOne`](crate::AtMostOne) they do not include the inputs: only its auxiliary variables count. For an
/// [`Encoding`](crate::Encoding) they are the whole formula's. The numbers are wide enough for every board: closed
/// forms never overflow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Size {
    /// Variables.
    pub variables: u128,
    /// Clauses, repeated ones counted as often as they are stated.
    pub clauses: u128,
    /// Literal occurrences: the sum of the clauses' lengths.
    pub literals: u128,
}

impl Size {
    /// A size from its three numbers.
    pub const fn new(variables: u128, clauses: u128, literals: u128) -> Self {
        Self { variables, clauses, literals }
    }

    /// The size of `clauses` clauses of two literals each.
    pub const fn binary(variables: u128, clauses: u128) -> Self {
        Self::new(variables, clauses, 2 * clauses)
    }
}

impl Add for Size {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            variables: self.variables + other.variables,
            clauses: self.clauses + other.clauses,
            literals: self.literals + other.literals,
        }
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
        Self {
            variables: self.variables * times,
            clauses: self.clauses * times,
            literals: self.literals * times,
        }
    }
}

impl Sum for Size {
    fn sum<I: Iterator<Item = Self>>(sizes: I) -> Self {
        sizes.fold(Self::default(), Add::add)
    }
}

/// A number in groups of three digits.
pub fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
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
