use std::ops::ControlFlow;

use bezzel_problem::GroupFamily;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustsat::types::{Lit, Var};

use super::*;
use crate::amo::AtMostOne;
use crate::bound::Limit;
use crate::formula::Formula;
use crate::models;
use crate::propagate::Propagator;
use crate::sink::ClauseSink;
use crate::sums::{SumLimit, all};

/// The encoders that take parts.
fn takers() -> impl Iterator<Item = std::sync::Arc<dyn AtMostOne>> {
    all().into_iter().filter(|encoder| encoder.of_sums().unwrap().of_parts().is_some())
}

/// A random sum in random parts. Weights repeat.
fn random_sum(random: &mut ChaCha8Rng, most: usize, limit: Limit) -> (SumLimit, Parts) {
    let n = random.random_range(2..=most);
    let heaviest = [4, 9, 40][random.random_range(0..3_usize)];
    let step = random.random_range(1..=2_u64);
    let weights: Vec<u64> = (0..n).map(|_| step * random.random_range(1..=heaviest)).collect();
    let mut parts: Vec<(Vec<usize>, bool)> = Vec::new();
    for place in 0..n {
        let part = random.random_range(0..=parts.len().min(3));
        match parts.get_mut(part) {
            Some((places, _)) => places.push(place),
            None => parts.push((vec![place], false)),
        }
    }
    for (places, is_exactly_one) in &mut parts {
        *is_exactly_one = places.len() > 1 && random.random_range(0..3_u32) == 0;
    }
    let total: u64 =
        parts.iter().map(|(places, _)| places.iter().map(|&at| weights[at]).max().unwrap()).sum();
    (SumLimit { weights, limit, bound: random.random_range(0..=total + 1) }, Parts::new(parts))
}

/// The clauses of the parts by pairs, and of the sum; and the right assignments, a bit for each input.
fn written(
    encoder: &dyn AtMostOne,
    sum: &SumLimit,
    parts: &Parts,
) -> (Formula, Vec<Lit>, Vec<u32>) {
    let n = sum.weights.len();
    let mut formula = Formula::new();
    let xs: Vec<Lit> = formula.fresh(n as u32).lits().collect();
    let mut before = formula.size();
    sum.encode_parts(encoder, &xs, parts, &mut formula);
    before += sum.size_of_parts(encoder, parts).unwrap();
    assert_eq!(formula.size(), before, "{}: {sum:?} {parts:?}", encoder.info().id);
    for (part, is_exactly_one) in parts.places().zip(parts.exactly_one()) {
        for (at, &one) in part.iter().enumerate() {
            part[at + 1..].iter().for_each(|&other| formula.clause(&[!xs[one], !xs[other]]));
        }
        if is_exactly_one {
            formula.clause(&part.iter().map(|&place| xs[place]).collect::<Vec<Lit>>());
        }
    }
    let is_right = |held: &u32| {
        let holds = |place: usize| held >> place & 1 == 1;
        let weight = (0..n).filter(|&at| holds(at)).map(|at| sum.weights[at]).sum();
        sum.allows(weight)
            && parts.places().zip(parts.exactly_one()).all(|(part, is_exactly_one)| {
                let count = part.iter().filter(|&&place| holds(place)).count();
                count == 1 || count == 0 && !is_exactly_one
            })
    };
    (formula, xs, (0..1 << n).filter(is_right).collect())
}

#[test]
fn random_sums_in_parts_have_their_solutions_and_size() {
    let mut random = ChaCha8Rng::seed_from_u64(2_022);
    for number in 0..600 {
        let (sum, parts) = random_sum(&mut random, 9, Limit::ALL[number % 3]);
        for encoder in takers() {
            let (formula, xs, right) = written(encoder.as_ref(), &sum, &parts);
            let primary: Vec<Var> = xs.iter().map(|x| x.var()).collect();
            let mut found: Vec<u32> = Vec::new();
            let _: ControlFlow<()> = models::each(&formula, &primary, 1, |model, _| {
                found.push((0..).zip(&xs).map(|(at, &x)| u32::from(model.holds(x)) << at).sum());
                ControlFlow::Continue(())
            });
            found.sort_unstable();
            assert_eq!(found, right, "{}: {sum:?} {parts:?}", encoder.info().id);
        }
    }
}

/// Unit propagation finds all that follows from a partial assignment.
fn is_complete(formula: &Formula, xs: &[Lit], right: &[u32]) -> bool {
    let mut propagator = Propagator::new(formula);
    (0..3_u32.pow(xs.len() as u32)).all(|code| {
        let value = |at: usize| code / 3_u32.pow(at as u32) % 3;
        let lits = (0..xs.len()).filter(|&at| value(at) < 2);
        let lits = lits.map(|at| if value(at) == 1 { xs[at] } else { !xs[at] });
        let length = propagator.trail().len();
        let is_refuted =
            propagator.is_refuted() || lits.into_iter().any(|lit| propagator.assume(lit).is_err());
        let fits =
            |held: &&u32| (0..xs.len()).all(|at| value(at) == 2 || (**held >> at & 1) == value(at));
        let (any, all) = right
            .iter()
            .filter(fits)
            .fold((0, u32::MAX), |(any, all), &held| (any | held, all & held));
        let is_possible = right.iter().any(|held| fits(&held));
        let is_found = |at: usize| {
            (all >> at & 1 == 0 || propagator.holds(xs[at]))
                && (any >> at & 1 == 1 || propagator.holds(!xs[at]))
        };
        let is_complete =
            if is_possible { !is_refuted && (0..xs.len()).all(is_found) } else { is_refuted };
        propagator.undo(length);
        is_complete
    })
}

#[test]
fn propagation_is_complete_together_with_the_parts() {
    let mut random = ChaCha8Rng::seed_from_u64(302);
    for number in 0..300 {
        let limit = [Limit::AtMost, Limit::AtLeast][number % 2];
        let (sum, parts) = random_sum(&mut random, 6, limit);
        let parts = Parts::new(parts.places().map(|part| (part.to_vec(), false)));
        for encoder in takers() {
            let id = encoder.info().id;
            // The watchdogs add up differences for lower bounds.
            let is_claimed = match &*id {
                "global-watchdog" | "robdd-or-watchdog" => false,
                "local-watchdog" => limit == Limit::AtMost,
                _ => true,
            };
            let (formula, xs, right) = written(encoder.as_ref(), &sum, &parts);
            assert!(!is_claimed || is_complete(&formula, &xs, &right), "{id}: {sum:?} {parts:?}");
        }
    }
}

#[test]
fn ten_parts_of_five_terms_take_fewer_clauses_than_fifty_terms() {
    let sum = SumLimit {
        weights: (0..50).map(|place| 3 + place * place * 7 % 83).collect(),
        limit: Limit::AtMost,
        bound: 250,
    };
    let parts = Parts::new((0..10).map(|part| ((5 * part..5 * part + 5).collect(), false)));
    let sizes: Vec<String> = takers()
        .map(|encoder| {
            let [of_one, of_five] = [&Parts::of_one(50), &parts]
                .map(|parts| sum.size_of_parts(encoder.as_ref(), parts).unwrap().clauses);
            format!("{}: {of_one} to {of_five}", encoder.info().id)
        })
        .collect();
    assert_eq!(
        sizes,
        [
            "robdd: 10363 to 5212",
            "generalised-totalizer: 79111 to 39050",
            "weight-counter: 21811 to 10015",
            "global-watchdog: 3885 to 936",
            "local-watchdog: 181245 to 32598",
            "robdd-or-watchdog: 3885 to 936",
        ]
    );
}

#[test]
fn a_lower_bound_with_parts_has_the_smaller_form() {
    let parts = Parts::new((0..10).map(|part| ((5 * part..5 * part + 5).collect(), false)));
    for bound in [300, 450, 600] {
        let weights = (0..50).map(|place| 3 + place * place * 7 % 83).collect();
        let sum = SumLimit { weights, limit: Limit::AtLeast, bound };
        let [either, diagram, watchdog] =
            ["robdd-or-watchdog", "robdd", "global-watchdog"].map(|id| {
                let encoder = takers().find(|encoder| encoder.info().id == id).unwrap();
                sum.size_of_parts(encoder.as_ref(), &parts).unwrap().clauses
            });
        assert_eq!(either, diagram.min(watchdog), "{bound}: {diagram} {watchdog}");
    }
}

#[test]
fn random_diagrams_of_parts_are_never_larger_than_those_of_terms() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let robdd = takers().next().unwrap();
    for _ in 0..500 {
        let (sum, parts) = random_sum(&mut random, 24, Limit::AtMost);
        let [of_one, of_parts] = [&Parts::of_one(sum.weights.len()), &parts]
            .map(|parts| sum.size_of_parts(robdd.as_ref(), parts).unwrap());
        assert!(of_parts.variables <= of_one.variables, "{sum:?} {parts:?}");
        assert!(of_parts.clauses <= of_one.clauses, "{sum:?} {parts:?}");
    }
}

/// A problem with at-most-one groups: of the candidates 1 to 3, exactly one of 3 to 6, and not 7 and 8 both.
fn problem() -> Problem {
    let group = |from, to| Lists::from_iter([(from..=to).map(Literal::chosen)]);
    Problem::new(9)
        .with_family(GroupFamily::new("amo", Bounds::AT_MOST_ONE, group(1, 3)))
        .with_family(GroupFamily::new("eo", Bounds::EXACTLY_ONE, group(3, 6)))
        .with_clauses(Lists::from_iter([[7, 8].map(|of| Literal::new(of, true))]))
}

#[test]
fn the_group_with_most_terms_is_a_part_and_the_first_one_of_several() {
    let groups = AmoGroups::new(&problem());
    let parts = |candidates: &[u32]| {
        let literals: Vec<Literal> = candidates.iter().copied().map(Literal::chosen).collect();
        let parts = groups.parts(&literals);
        let all = parts.places().zip(parts.exactly_one());
        all.map(|(places, exactly)| (places.to_vec(), exactly)).collect::<Vec<_>>()
    };
    assert_eq!(
        parts(&[0, 1, 2, 3, 4, 5, 6, 7, 8]),
        [(vec![0], false), (vec![1, 2], false), (vec![3, 4, 5, 6], true), (vec![7, 8], false)]
    );
    // Two groups have three terms each, and the first one takes the candidate that they share.
    assert_eq!(parts(&[5, 3, 1, 4, 2]), [(vec![0, 3], false), (vec![1, 2, 4], false)]);
    assert_eq!(parts(&[0, 7]), [(vec![0], false), (vec![1], false)]);
    let negated = groups.parts(&[7, 8].map(|of| Literal::new(of, true)));
    assert_eq!(negated, Parts::of_one(2));
}
