//! Weighted sums at which encoders are tried, and the assignments of the inputs that are tried at a sum.
//!
//! The weights of random sums are of five kinds: any up to 10⁶, small ones, powers of two, multiples of a number with and
//! without an exception, and few different ones. The bounds are any, beside a carry (a multiple of a power of two), beside
//! a multiple of a weight, beside the largest weight, and beside the total. So every kind of node, digit and carry is met.

use std::ops::RangeInclusive;

use rand::seq::SliceRandom;
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

/// The assignments that are tried at a sum, each as the inputs that hold, from 0, in order: all, if these are at most
/// `all`. Otherwise about three for each of `count` orders: inputs are taken in this order while they are within the
/// bound, then with the first one that passes it, and without the last one. The orders are from the heaviest, from the
/// lightest, and random. The same sum has the same assignments.
pub fn tried_sums(sum: &SumLimit, all: usize, count: usize) -> Vec<Vec<u32>> {
    let n = sum.weights.len();
    if n < 16 && 1 << n <= all {
        let sets = 0..1_u32 << n;
        return sets.map(|set| (0..n as u32).filter(|at| set >> at & 1 == 1).collect()).collect();
    }
    let mut random = ChaCha8Rng::seed_from_u64(sum.bound ^ n as u64);
    let weight = |input: &u32| sum.weights[*input as usize];
    let mut order: Vec<u32> = (0..n as u32).collect();
    let mut tried = vec![Vec::new(), order.clone()];
    order.sort_by_key(weight);
    for round in 0..count {
        match round {
            0 => {}
            1 => order.reverse(),
            _ => order.shuffle(&mut random),
        }
        let mut total = 0_u64;
        let within = order.iter().take_while(|input| {
            total += weight(input);
            total <= sum.bound
        });
        let within = within.count();
        for held in [within, within + 1, within.saturating_sub(1)] {
            if held <= n {
                let mut held: Vec<u32> = order[..held].to_vec();
                held.sort_unstable();
                tried.push(held);
            }
        }
    }
    tried
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

    #[test]
    fn assignments_on_both_sides_of_the_bound_are_tried() {
        let weights: Vec<u64> = (1..=30).map(|at| at * at).collect();
        for bound in [1, 100, 5_000, 9_000] {
            let sum = SumLimit { weights: weights.clone(), limit: Limit::AtMost, bound };
            let weigh = |held: &Vec<u32>| held.iter().map(|&at| weights[at as usize]).sum::<u64>();
            let tried = tried_sums(&sum, 1_024, 20);
            let (right, wrong): (Vec<u64>, Vec<u64>) =
                tried.iter().map(weigh).partition(|weight| sum.allows(*weight));
            assert!(right.len() > 20 && wrong.len() > 19, "{} {}", right.len(), wrong.len());
            assert!(tried.iter().all(|held| held.windows(2).all(|pair| pair[0] < pair[1])));
        }
        let small = SumLimit { weights: vec![1, 2, 3], limit: Limit::Exactly, bound: 3 };
        assert_eq!(tried_sums(&small, 8, 1).len(), 8);
    }
}
