//! The search, compared with published numbers and with the check of every assignment.

use rand::seq::IndexedRandom;
use rand_chacha::rand_core::SeedableRng;

use super::*;
use crate::group::{Bounds, GroupFamily, Lists};
use crate::kind::Kind;
use crate::kind::latin_square::LatinSquare;
use crate::kind::pigeonhole::Pigeonhole;

fn count(instance: &impl Kind) -> u64 {
    Search::new(&instance.problem()).count(u64::MAX).unwrap()
}

#[test]
fn the_published_numbers_of_solutions_are_found() {
    // OEIS A002860; functions without a repeated value by theorem.
    let squares = [1, 2, 12, 576];
    let square = |order| LatinSquare::new(order, None, 3).unwrap();
    assert!((1..).zip(squares).all(|(order, number)| count(&square(order)) == number));
    let pigeons = [(5, 5, 120), (2, 4, 12), (4, 3, 0)];
    assert!(pigeons.iter().all(|&(p, h, number)| count(&Pigeonhole::new(p, h).unwrap()) == number));
}

/// A problem with every kind of constraint, drawn by a seed.
fn drawn(seed: u64) -> Problem {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let candidates = random.random_range(1..=7);
    let mut problem = Problem::new(candidates);
    for _ in 0..random.random_range(0..4) {
        let least = random.random_range(0..4);
        let bounds = Bounds {
            at_least: random.random::<bool>().then_some(least),
            at_most: random.random::<bool>().then(|| least + random.random_range(0..3)),
        };
        let is_weighted = random.random::<bool>();
        let (mut literals, mut weights) = (Lists::default(), Lists::default());
        for _ in 0..random.random_range(1..3) {
            let length = random.random_range(0..6);
            // Literals may repeat, and oppose each other.
            literals.push(
                (0..length)
                    .map(|_| Literal::new(random.random_range(0..candidates), random.random()))
                    .collect::<Vec<_>>(),
            );
            if is_weighted {
                weights.push((0..length).map(|_| random.random_range(0..4)).collect::<Vec<_>>());
            }
        }
        let lists = literals.clone();
        let mut family = GroupFamily::weighted("groups", bounds, literals, weights);
        if random.random::<bool>() {
            // A condition of a candidate that the group has not, if there is one.
            let mut condition = |group: &[Literal]| {
                let others = (0..candidates)
                    .filter(|&other| group.iter().all(|literal| literal.candidate() != other));
                let others: Vec<Candidate> = others.collect();
                let other = *others.choose(&mut random)?;
                Some(Literal::new(other, random.random()))
            };
            let conditions: Option<Vec<Literal>> = lists.iter().map(&mut condition).collect();
            if let Some(conditions) = conditions {
                family = family.with_conditions(conditions);
            }
        }
        problem = problem.with_family(family);
    }
    let mut clauses = Lists::default();
    for _ in 0..random.random_range(0..4) {
        let length = random.random_range(u32::from(!seed.is_multiple_of(10))..4);
        clauses.push(
            (0..length)
                .map(|_| Literal::new(random.random_range(0..candidates), random.random()))
                .collect::<Vec<_>>(),
        );
    }
    let mut some = |share: u32| -> Vec<Candidate> {
        (0..candidates).filter(|_| random.random_range(0..share) == 0).collect()
    };
    let (given, excluded) = (some(9), some(9));
    problem.with_clauses(clauses).with_fixed(given, excluded)
}

fn check_all_solutions(problems: u64) {
    let mut with_solutions = 0;
    for seed in 0..problems {
        let problem = drawn(seed);
        let all = 0..1_u32 << problem.candidates();
        let of = |bits: u32| -> Solution {
            (0..problem.candidates()).filter(|&candidate| bits >> candidate & 1 == 1).collect()
        };
        let mut expected: Vec<Solution> =
            all.map(of).filter(|solution| problem.check(solution).is_ok()).collect();
        let mut search = Search::new(&problem);
        let mut found = Vec::new();
        search
            .each(u64::MAX, |solution| {
                found.push(solution.clone());
                ControlFlow::Continue(())
            })
            .unwrap();
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "seed {seed}: {problem:?}");
        // A search leaves no state behind.
        let first = search.first(u64::MAX).unwrap();
        assert_eq!(first.is_some(), !expected.is_empty());
        let random = search.random(u64::MAX, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap();
        assert!(random.is_none_or(|solution| expected.contains(&solution)));
        with_solutions += u64::from(first.is_some());
    }
    assert!((problems / 6..problems * 5 / 6).contains(&with_solutions), "{with_solutions}");
}

#[test]
fn all_solutions_are_those_that_the_check_accepts() {
    check_all_solutions(150);
}

#[test]
#[ignore = "second tier: 3,000 problems"]
fn all_solutions_of_many_problems_are_those_that_the_check_accepts() {
    check_all_solutions(3_000);
}

#[test]
fn assumptions_hold_and_a_budget_ends_the_search() {
    let mut search = Search::new(&LatinSquare::new(4, None, 3).unwrap().problem());
    assert_eq!(search.count(1_000), Err(BudgetSpent { steps: 1_000 }));
    assert_eq!(search.count(u64::MAX), Ok(576));
    search.assume(&[Literal::chosen(0)]);
    assert_eq!(search.count(u64::MAX), Ok(144));
    search.assume(&[Literal::chosen(1)]);
    assert_eq!(search.first(u64::MAX), Ok(None));
}
