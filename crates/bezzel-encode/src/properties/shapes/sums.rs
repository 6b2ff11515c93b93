//! The assignments of the inputs that are tried at a weighted sum.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::sums::SumLimit;

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
    use crate::bound::Limit;

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
