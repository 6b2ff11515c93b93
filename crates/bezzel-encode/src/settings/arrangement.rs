//! An input order of a problem: the places of its candidates.
//!
//! *Common order.* All lines take their candidates in one order. Two lines that share candidates then agree, and so do
//! two lines of different candidates at the same places, such as two holes that list the same pigeons: if the groups of a
//! family are a partition of the candidates, the groups are shuffled, and the places in a group are shuffled alike for
//! all groups. The first such family decides. Without one, the candidates are shuffled.

use std::borrow::Cow;

use bezzel_problem::{Candidate, GroupFamily, Lists, Literal, Problem};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::InputOrder;
use super::proximity;

/// An input order of a problem.
#[derive(Clone, Debug)]
pub struct Arrangement {
    order: InputOrder,
    /// The place of each candidate; empty if the order is not of the whole problem.
    places: Vec<u32>,
}

impl Arrangement {
    /// This order of the groups of a problem.
    pub fn new(order: InputOrder, problem: &Problem) -> Self {
        let candidates = match order {
            InputOrder::Common(seed) => common(seed, problem),
            InputOrder::Proximity => proximity::ordered(problem),
            _ => Vec::new(),
        };
        let mut places = vec![0; candidates.len()];
        for (place, candidate) in (0..).zip(candidates) {
            places[candidate as usize] = place;
        }
        Self { order, places }
    }

    /// Puts the literals of a group, or its terms, into this order. `candidate` gives the candidate of one, `family` is
    /// the number of the family from 0, `number` that of the group in its family from 1.
    pub fn arrange<T>(
        &self,
        xs: &mut [T],
        candidate: impl Fn(&T) -> Candidate,
        family: usize,
        number: u32,
    ) {
        if self.order.is_of_one_group() {
            self.order.arrange(xs, family, number);
        } else {
            xs.sort_by_key(|x| self.places[candidate(x) as usize]);
        }
    }
}

/// The candidates in a random order that is common to all groups.
fn common(seed: u64, problem: &Problem) -> Vec<Candidate> {
    // Streams that no line of `random` has.
    let shuffled = |length: usize, stream: u64| {
        let mut numbers: Vec<u32> = (0..length as u32).collect();
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(u64::MAX - stream);
        numbers.shuffle(&mut generator);
        numbers
    };
    let candidates = problem.candidates();
    let Some(groups) = problem.families().iter().find_map(|family| partition(family, candidates))
    else {
        return shuffled(candidates as usize, 0);
    };
    let longest = groups.iter().map(<[Literal]>::len).max().unwrap_or(0);
    let places = shuffled(longest, 1);
    let of_group = |number: u32| {
        let group = groups.get(number as usize);
        places.iter().filter_map(|&place| group.get(place as usize)).map(|lit| lit.candidate())
    };
    shuffled(groups.len(), 0).into_iter().flat_map(of_group).collect()
}

/// The groups of a family, if each candidate is in one of them, once.
fn partition(family: &GroupFamily, candidates: u32) -> Option<Cow<'_, Lists<Literal>>> {
    if family.lengths().sum::<u64>() != u64::from(candidates) {
        return None;
    }
    let groups = family.listed();
    let mut is_present = vec![false; candidates as usize];
    for literal in groups.items() {
        is_present[literal.candidate() as usize] = true;
    }
    is_present.iter().all(|&present| present).then_some(groups)
}

#[cfg(test)]
mod tests {
    use bezzel_problem::Bounds;

    use super::*;

    /// Groups of these candidates at most one of which is chosen.
    fn family(groups: &[&[u32]]) -> GroupFamily {
        let groups = groups.iter().map(|group| group.iter().map(|&x| Literal::chosen(x)));
        GroupFamily::new("groups", Bounds::AT_MOST_ONE, groups.collect())
    }

    /// The groups of all families in an order.
    fn arranged(order: InputOrder, problem: &Problem) -> Vec<Vec<u32>> {
        let order = Arrangement::new(order, problem);
        let mut all = Vec::new();
        for (family_number, family) in problem.families().iter().enumerate() {
            for (number, group) in (1..).zip(family.listed().iter()) {
                let mut group: Vec<u32> = group.iter().map(|lit| lit.candidate()).collect();
                order.arrange(&mut group, |&x| x, family_number, number);
                all.push(group);
            }
        }
        all
    }

    /// Seven pigeons in five holes: the candidates, with the pigeon times five, and the hole.
    fn pigeons() -> Problem {
        let rows: Vec<Vec<u32>> = (0..7).map(|p| (0..5).map(|h| 5 * p + h).collect()).collect();
        let columns: Vec<Vec<u32>> = (0..5).map(|h| (0..7).map(|p| 5 * p + h).collect()).collect();
        let family_of =
            |groups: &[Vec<u32>]| family(&groups.iter().map(Vec::as_slice).collect::<Vec<_>>());
        Problem::new(35).with_family(family_of(&rows)).with_family(family_of(&columns))
    }

    #[test]
    fn a_common_order_is_one_of_pigeons_and_one_of_holes_and_follows_from_the_seed() {
        let problem = pigeons();
        let mut seen = Vec::new();
        for seed in 0..20 {
            let groups = arranged(InputOrder::Common(seed), &problem);
            let (rows, columns) = groups.split_at(7);
            let holes: Vec<u32> = rows[0].iter().map(|x| x % 5).collect();
            assert!(rows.iter().all(|row| row.iter().map(|x| x % 5).eq(holes.iter().copied())));
            let order: Vec<u32> = columns[0].iter().map(|x| x / 5).collect();
            for column in columns {
                assert!(column.iter().map(|x| x / 5).eq(order.iter().copied()));
            }
            assert_eq!(groups, arranged(InputOrder::Common(seed), &problem));
            seen.push(groups);
        }
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 20);
    }

    #[test]
    fn proximity_lists_the_pigeons_alike_in_all_holes() {
        let mut problem = Problem::new(35);
        for (of, at_least) in pigeons().families().iter().zip([Some(1), None]) {
            let bounds = Bounds { at_least, at_most: Some(1) };
            problem =
                problem.with_family(GroupFamily::new("groups", bounds, of.listed().into_owned()));
        }
        let groups = arranged(InputOrder::Proximity, &problem);
        let order: Vec<u32> = groups[7].iter().map(|x| x / 5).collect();
        for column in &groups[7..] {
            assert!(column.iter().map(|x| x / 5).eq(order.iter().copied()), "{groups:?}");
        }
    }

    #[test]
    fn shared_candidates_are_in_the_same_order_in_all_groups_of_a_common_order() {
        let groups: [&[u32]; 5] =
            [&[0, 3, 5, 7, 8], &[8, 7, 1, 0], &[2, 4, 6, 5, 0], &[9, 3, 8, 5], &[1, 9, 4, 7]];
        let problem = Problem::new(10).with_family(family(&groups));
        for seed in 0..50 {
            let orders = [InputOrder::Common(seed), InputOrder::Proximity];
            for order in orders {
                let groups = arranged(order, &problem);
                for one in &groups {
                    for other in &groups {
                        let shared = |of: &[u32], with: &[u32]| {
                            of.iter().copied().filter(|x| with.contains(x)).collect::<Vec<_>>()
                        };
                        assert_eq!(shared(one, other), shared(other, one), "{order}");
                    }
                }
            }
        }
    }
}
