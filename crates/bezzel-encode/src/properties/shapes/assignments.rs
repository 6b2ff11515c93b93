//! The assignments of the inputs that are tried at a shape.

use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::shape::Shape;

/// The numbers of the inputs that hold, from 0, in order; the others are false.
pub type HeldInputs = Vec<u32>;

/// The number of inputs up to which every assignment is tried.
const ALL: u64 = 8;

/// Assignments of the inputs of a shape.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TriedInputs {
    /// Those that the constraint allows.
    pub allowed: Vec<HeldInputs>,
    /// Those that it forbids.
    pub forbidden: Vec<HeldInputs>,
}

/// The assignments that are tried at a shape: all of up to 8 inputs; else about `count` allowed and `count` forbidden
/// ones, or all with a number of true inputs if these are not more. The same shape has the same assignments.
///
/// # Panics
///
/// When the shape has more inputs than a formula has variables.
pub fn tried_inputs(shape: Shape, count: usize) -> TriedInputs {
    let n = u32::try_from(shape.n).expect("inputs are variables");
    let seed = [shape.n, shape.k, shape.limit as u64].into_iter();
    let seed = seed.fold(1848_u64, |sum, part| sum.wrapping_mul(0x0100_0000_01b3).wrapping_add(part));
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let edges = if shape.n <= ALL { (0..=shape.n).collect() } else { shape.edges() };
    let mut tried = TriedInputs::default();
    for held in edges {
        let is_allowed = shape.allows(held);
        let list = if is_allowed { &mut tried.allowed } else { &mut tried.forbidden };
        // The constraint is easiest to miss beside the bound: other numbers of true inputs get fewer assignments.
        let is_beside = [held.wrapping_sub(1), held + 1].into_iter().any(|other| {
            other <= shape.n && shape.allows(other) != is_allowed
        });
        let count = if shape.n <= ALL { usize::MAX } else if is_beside { count } else { 4 };
        sets(n, held as u32, count, &mut random, list);
    }
    tried
}

/// Adds all sets of `held` of `n` inputs, if these are at most `count`; else `count` of them.
fn sets(n: u32, held: u32, count: usize, random: &mut impl Rng, list: &mut Vec<HeldInputs>) {
    if binomial(n, held, count) <= count {
        let mut set: HeldInputs = (0..held).collect();
        loop {
            list.push(set.clone());
            // The next one: the last input that can move moves on, and those after it follow it.
            let movable = (0..held as usize).rev().find(|&at| set[at] < n - held + at as u32);
            let Some(at) = movable else { return };
            let start = set[at] + 1;
            for (place, input) in set[at..].iter_mut().zip(start..) {
                *place = input;
            }
        }
    }
    let extreme = [
        two_ends(n, held, held),
        two_ends(n, held, 0),
        two_ends(n, held, held / 2),
        two_ends(n, held, 1),
        two_ends(n, held, held.saturating_sub(1)),
        block(held, (n - held) / 2),
        (0..held).map(|at| (u64::from(at) * u64::from(n) / u64::from(held)) as u32).collect(),
    ];
    list.extend(extreme.into_iter().take(count));
    for number in 7..count {
        list.push(match number % 4 {
            0 => two_ends(n, held, random.random_range(0..=held)),
            1 => block(held, random.random_range(0..=n - held)),
            2 => blocks(n, held, random),
            _ => {
                let mut set: HeldInputs = (0..n).collect();
                set.shuffle(random);
                set.truncate(held as usize);
                set.sort_unstable();
                set
            }
        });
    }
}

/// The number of sets of `held` of `n`, or any number above `max`.
fn binomial(n: u32, held: u32, max: usize) -> usize {
    let mut number = 1_u128;
    for at in 0..u128::from(held.min(n - held)) {
        number = number * (u128::from(n) - at) / (at + 1);
        if number > max as u128 {
            return max.saturating_add(1);
        }
    }
    number as usize
}

/// The first `first` inputs and the last ones.
fn two_ends(n: u32, held: u32, first: u32) -> HeldInputs {
    let first = first.min(held);
    (0..first).chain(n - (held - first)..n).collect()
}

/// Inputs beside each other.
fn block(held: u32, start: u32) -> HeldInputs {
    (start..start + held).collect()
}

/// Inputs in two to five blocks of random lengths at random places, often at the first and the last input.
fn blocks(n: u32, held: u32, random: &mut impl Rng) -> HeldInputs {
    let parts = random.random_range(2..=5);
    let mut sorted = |count: usize, max: u32| {
        let mut all: Vec<u32> = (0..count).map(|_| random.random_range(0..=max)).collect();
        all.sort_unstable();
        all
    };
    // The inputs of part p stand after gaps[p] others.
    let (cuts, mut gaps) = (sorted(parts - 1, held), sorted(parts, n - held));
    if random.random_bool(0.5) {
        gaps[0] = 0;
    }
    if random.random_bool(0.5) {
        gaps[parts - 1] = n - held;
    }
    (0..held).map(|at| at + gaps[cuts.partition_point(|&cut| cut <= at)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::Limit;

    fn shapes() -> impl Iterator<Item = Shape> {
        let each = [(1, 1), (5, 2), (8, 3), (9, 1), (9, 8), (12, 4), (40, 3), (150, 75), (150, 149)];
        each.into_iter().flat_map(|(n, k)| Limit::ALL.map(|limit| Shape { n, limit, k }))
    }

    #[test]
    fn tried_assignments_are_sets_of_inputs_on_their_side_of_the_bound() {
        for shape in shapes() {
            let tried = tried_inputs(shape, 100);
            assert_eq!(tried, tried_inputs(shape, 100));
            for (list, is_allowed) in [(&tried.allowed, true), (&tried.forbidden, false)] {
                for held in list {
                    assert!(held.windows(2).all(|pair| pair[0] < pair[1]), "{shape}: {held:?}");
                    assert!(held.last().is_none_or(|&last| u64::from(last) < shape.n), "{shape}");
                    assert_eq!(shape.allows(held.len() as u64), is_allowed, "{shape}: {held:?}");
                }
                // `at most n` forbids nothing, and so on.
                let some = (0..=shape.n).any(|held| shape.allows(held) == is_allowed);
                assert_eq!(!list.is_empty(), some, "{shape}");
            }
            if shape.n <= ALL {
                let all = tried.allowed.len() + tried.forbidden.len();
                assert_eq!(all, 1 << shape.n, "{shape}");
            }
        }
    }

    #[test]
    fn few_sets_are_all_tried_and_many_are_not_tried_twice_alone() {
        let at_most_one = Shape { n: 9, limit: Limit::AtMost, k: 1 };
        assert_eq!(tried_inputs(at_most_one, 100).allowed.len(), 1 + 9);
        // All pairs, and the 9 inputs together.
        assert_eq!(tried_inputs(at_most_one, 100).forbidden.len(), 36 + 1);
        let mut many = tried_inputs(Shape { n: 150, limit: Limit::AtMost, k: 75 }, 400).forbidden;
        assert_eq!(many.len(), 400 + 1);
        many.sort();
        many.dedup();
        assert!(many.len() > 300, "{}", many.len());
    }
}
