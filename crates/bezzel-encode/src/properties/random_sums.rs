//! Random weighted sums, on which encoders are checked.
//!
//! The weights are of five kinds: any up to 10⁶, small ones, powers of two, multiples of a number with and without an
//! exception, and few different ones. The bounds are any, beside a carry (a multiple of a power of two), beside a multiple of a
//! weight, beside the largest weight, and beside the total. So every kind of node, digit and carry is met.

use std::ops::RangeInclusive;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::bound::Limit;
use crate::sums::SumLimit;

/// The largest weight.
const HEAVIEST: u64 = 1_000_000;

/// The number of kinds of weights, and of kinds of bounds.
const KINDS: usize = 5;

/// Random sums whose numbers of inputs are in this range, all kinds of weights with all kinds of bounds and relations in
/// turn. Each bound is from 1 to the total less 1. The same seed gives the same sums.
pub fn random_sums(seed: u64, inputs: &RangeInclusive<usize>, count: usize) -> Vec<SumLimit> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let sum = |number: usize| {
        let n = random.random_range(inputs.clone()).max(2);
        let weights = weights(number % KINDS, n, &mut random);
        let bound = bound(number / KINDS % KINDS, &weights, &mut random);
        SumLimit { weights, limit: Limit::ALL[number % Limit::ALL.len()], bound }
    };
    (0..count).map(sum).collect()
}

fn weights(kind: usize, n: usize, random: &mut ChaCha8Rng) -> Vec<u64> {
    let divisor = random.random_range(2..=30_u64);
    let few = [(); 3].map(|()| random.random_range(1..=HEAVIEST));
    let mut weights: Vec<u64> = (0..n)
        .map(|_| match kind {
            0 => random.random_range(1..=20),
            1 => random.random_range(1..=HEAVIEST),
            2 => 1 << random.random_range(0..20_u32),
            3 => divisor * random.random_range(1..=50_u64),
            _ => few[random.random_range(0..few.len())],
        })
        .collect();
    if kind == 3 && random.random_range(0..2_u32) == 0 {
        weights[n - 1] += 1;
    }
    weights
}

fn bound(kind: usize, weights: &[u64], random: &mut ChaCha8Rng) -> u64 {
    let total: u64 = weights.iter().sum();
    let near = random.random_range(0..3_u64);
    let place = random.random_range(0..weights.len());
    let bound = match kind {
        0 => random.random_range(1..total),
        1 => {
            let power = 1 << random.random_range(0..=total.ilog2());
            power * random.random_range(1..=total / power) + near
        }
        2 => weights[place] * random.random_range(1..=total / weights[place]) + near,
        3 => weights.iter().max().map_or(0, |heaviest| heaviest + near),
        _ => total.saturating_sub(weights[place] + near),
    };
    bound.saturating_sub(u64::from(kind != 0)).clamp(1, total - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_have_all_kinds_of_weights_and_bounds_and_are_the_same_again() {
        let sums = random_sums(7, &(6..=150), 400);
        assert_eq!(sums, random_sums(7, &(6..=150), 400));
        let total = |sum: &SumLimit| sum.weights.iter().sum::<u64>();
        assert!(sums.iter().all(|sum| (1..total(sum)).contains(&sum.bound)));
        assert!(sums.iter().all(|sum| (6..=150).contains(&sum.weights.len())));
        let count = |is: &dyn Fn(&SumLimit) -> bool| sums.iter().filter(|sum| is(sum)).count();
        assert!(count(&|sum| sum.weights.iter().all(|weight| weight.is_power_of_two())) >= 80);
        assert!(count(&|sum| sum.weights.iter().any(|weight| *weight > 900_000)) > 60);
        let beside = |sum: &SumLimit| (sum.bound - 1..=sum.bound + 1).any(|bound| bound % 64 == 0);
        assert!(count(&beside) > 60);
        assert!(Limit::ALL.into_iter().all(|limit| count(&|sum| sum.limit == limit) > 130));
    }
}
