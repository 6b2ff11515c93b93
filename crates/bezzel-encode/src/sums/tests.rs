use std::ops::ControlFlow;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustsat::types::Var;

use super::*;
use crate::bound::Limit;
use crate::formula::Formula;
use crate::info::{Auxiliaries, Propagation};
use crate::models;
use crate::propagate::Propagator;

/// All sums of up to four weights from 1 to 4, and the bounds from 0 to one more than their total.
fn small() -> impl Iterator<Item = SumLimit> {
    let weights = (1..=4_u32).flat_map(|n| {
        (0..4_u64.pow(n)).map(move |code| {
            (0..n).map(|at| code >> (2 * at) & 3).map(|w| w + 1).collect::<Vec<u64>>()
        })
    });
    weights.flat_map(|weights| {
        let total: u64 = weights.iter().sum();
        (0..=total + 1).flat_map(move |bound| {
            let weights = weights.clone();
            Limit::ALL.map(|limit| SumLimit { weights: weights.clone(), limit, bound })
        })
    })
}

/// The assignments that the clauses allow are those that the constraint allows, and the clauses have the stated size.
fn check(encoder: &dyn AtMostOne, sum: &SumLimit) {
    let id = encoder.info().id;
    let mut formula = Formula::new();
    let xs: Vec<Lit> = formula.fresh(sum.weights.len() as u32).lits().collect();
    sum.encode(encoder, &xs, &mut formula);
    let mut size = formula.size();
    size.variables -= xs.len() as u128;
    assert_eq!(sum.size(encoder), Some(size), "{id}: {sum:?}");
    let about = encoder.of_sums().unwrap().about();
    if (about.propagation, about.auxiliaries) == (Propagation::Weak, Auxiliaries::Free) {
        // Search finds the values of auxiliary variables that do not follow.
        let primary: Vec<Var> = xs.iter().map(|x| x.var()).collect();
        let mut found = Vec::new();
        let _: ControlFlow<()> = models::each(&formula, &primary, 1, |model, _| {
            let held = xs.iter().zip(&sum.weights).filter(|(x, _)| model.holds(**x));
            found.push(held.map(|(_, weight)| weight).sum::<u64>());
            ControlFlow::Continue(())
        });
        let sums = (0..1_u32 << xs.len()).map(|held| {
            (0..)
                .zip(&sum.weights)
                .filter(|(at, _)| held >> at & 1 == 1)
                .map(|(_, weight)| weight)
                .sum()
        });
        let mut right: Vec<u64> = sums.filter(|weight| sum.allows(*weight)).collect();
        found.sort_unstable();
        right.sort_unstable();
        assert_eq!(found, right, "{id}: {sum:?}");
        return;
    }
    let mut propagator = Propagator::new(&formula);
    for held in 0..1_u32 << xs.len() {
        let weights = (0..).zip(&sum.weights).filter(|(at, _)| held >> at & 1 == 1);
        let is_right = sum.allows(weights.map(|(_, weight)| weight).sum());
        let lits = (0..).zip(&xs).map(|(at, &x)| if held >> at & 1 == 1 { x } else { !x });
        let length = propagator.trail().len();
        let is_refuted =
            propagator.is_refuted() || lits.into_iter().any(|lit| propagator.assume(lit).is_err());
        // Variables that do not follow are false: no clause demands another value of them.
        let holds = |lit: Lit| {
            if lit.is_neg() { !propagator.holds(!lit) } else { propagator.holds(lit) }
        };
        let is_model =
            !is_refuted && formula.clauses().all(|clause| clause.iter().any(|&lit| holds(lit)));
        assert_eq!((is_refuted, is_model), (!is_right, is_right), "{id}: {sum:?} at {held:b}");
        propagator.undo(length);
    }
}

#[test]
fn all_small_sums_have_their_meaning_and_size() {
    for encoder in all() {
        for sum in small() {
            check(encoder.as_ref(), &sum);
        }
    }
}

#[test]
fn random_sums_have_their_meaning_and_size() {
    let mut random = ChaCha8Rng::seed_from_u64(44);
    for encoder in all() {
        for number in 0..300 {
            let n = random.random_range(5..=8);
            // Single digits, large weights, powers of two, and a common divisor.
            let weights: Vec<u64> = (0..n)
                .map(|_| match number % 4 {
                    0 => random.random_range(1..=9),
                    1 => random.random_range(1..=400),
                    2 => 1 << random.random_range(0..9),
                    _ => 6 * random.random_range(1..=40),
                })
                .collect();
            let total: u64 = weights.iter().sum();
            let beside = weights.iter().take(n / 2).sum::<u64>();
            let bound =
                [random.random_range(0..=total), beside, beside.saturating_sub(1)][number / 3 % 3];
            let limit = Limit::ALL[number % 3];
            check(encoder.as_ref(), &SumLimit { weights, limit, bound });
        }
    }
}

#[test]
fn sums_of_equal_weights_are_counts() {
    for encoder in all() {
        let (mut sum, mut count) = (Formula::new(), Formula::new());
        let xs: Vec<Lit> = sum.fresh(7).lits().collect();
        count.fresh(7);
        let limit = SumLimit { weights: vec![6; 7], limit: Limit::AtMost, bound: 20 };
        limit.encode(encoder.as_ref(), &xs, &mut sum);
        Limit::AtMost.encode(encoder.of_bounds().unwrap(), &xs, 3, &mut count);
        assert!(sum.clauses().eq(count.clauses()), "{}", encoder.info().id);
    }
}

#[test]
fn long_sums_and_large_weights_are_encoded() {
    let ids = |sum: &SumLimit| -> Vec<String> {
        let accepted = all().into_iter().filter(|encoder| sum.size(encoder.as_ref()).is_some());
        accepted.map(|encoder| encoder.info().id).collect()
    };
    let long = SumLimit {
        weights: (0..100_000).map(|at| 1 + at % 3).collect(),
        limit: Limit::AtMost,
        bound: 5,
    };
    let refused: Vec<String> = all()
        .iter()
        .map(|encoder| encoder.info().id)
        .filter(|id| !ids(&long).contains(id))
        .collect();
    assert_eq!(refused, ["local-watchdog", "dynamic-watchdog", "binary-merge"]);
    let large = SumLimit {
        weights: vec![1 << 62, (1 << 62) - 1, (1 << 61) + 3, 1 << 60, 5, 3, 1],
        limit: Limit::AtMost,
        bound: (1 << 63) - 4,
    };
    for encoder in all() {
        if large.size(encoder.as_ref()).is_some() {
            check(encoder.as_ref(), &large);
        }
    }
    assert!(
        !ids(&large).contains(&"weight-counter".to_owned()) && ids(&large).len() == all().len() - 1
    );
}

#[test]
fn sums_that_need_too_many_clauses_are_refused_and_the_adder_takes_them() {
    let weights: Vec<u64> = (0..60).map(|at| (1 << 40) + 7_919 * at * at * at + at).collect();
    let sum = SumLimit { limit: Limit::AtMost, bound: weights.iter().sum::<u64>() / 2, weights };
    let refusing = ["robdd", "generalised-totalizer", "weight-counter"];
    let accepting = [
        "global-watchdog",
        "local-watchdog",
        "dynamic-watchdog",
        "binary-merge",
        "binary-merge+global",
        "mixed-radix-sorter",
        "n-level-modulo-totalizer",
        "adder-network",
        "adder-network+one-way",
        "robdd-or-watchdog",
    ];
    let ids = refusing.map(|id| (id, false)).into_iter().chain(accepting.map(|id| (id, true)));
    for (id, is_accepted) in ids {
        let all = all();
        let encoder = all.iter().find(|encoder| encoder.info().id == id).expect("it is listed");
        assert_eq!(sum.size(encoder.as_ref()).is_some(), is_accepted, "{id}");
    }
}
