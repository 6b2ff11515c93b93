//! The enumerator of models and the unit propagation beneath it, compared with truth tables.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use bezzel_encode::propagate::{Propagator, Step};
use bezzel_encode::{ClauseSink, Formula, Lit, Var, models};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const VARIABLES: u32 = 9;
const PRIMARY: u32 = 4;

/// Random clauses of one to four literals; a few formulas have an empty clause, some a variable without a clause, and
/// any clause may repeat a literal or always be true.
fn random_formula(seed: u64) -> Formula {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut formula = Formula::new();
    formula.fresh(VARIABLES);
    for _ in 0..random.random_range(0..30) {
        let length = if random.random_range(0..200) == 0 { 0 } else { random.random_range(1..5) };
        let clause: Vec<Lit> = (0..length)
            .map(|_| Lit::new(random.random_range(0..VARIABLES), random.random::<bool>()))
            .collect();
        formula.clause(&clause);
    }
    formula
}

/// True if the literal holds where bit v of the assignment is the value of variable v.
fn holds(assignment: u32, lit: Lit) -> bool {
    (assignment >> lit.vidx32() & 1 == 1) == lit.is_pos()
}

/// Every assignment that satisfies every clause.
fn truth_table(formula: &Formula) -> impl Iterator<Item = u32> {
    (0..1 << VARIABLES).filter(|&assignment| {
        formula.clauses().all(|clause| clause.iter().any(|&lit| holds(assignment, lit)))
    })
}

/// The result of the enumerator: models by assignment of the primary variables.
fn enumerated(formula: &Formula, limit: u128) -> BTreeMap<u32, u128> {
    let primary: Vec<Var> = (0..PRIMARY).map(Var::new).collect();
    let mut models = BTreeMap::new();
    let end: ControlFlow<()> = models::each(formula, &primary, limit, |model, count| {
        let held = primary.iter().filter(|&&var| model.value(var) == Some(true));
        let assignment = held.map(|var| 1 << var.idx()).sum();
        assert_eq!(models.insert(assignment, count), None, "each assignment comes once");
        ControlFlow::Continue(())
    });
    assert!(end.is_continue());
    models
}

fn check_models(formulas: u64) {
    for seed in 0..formulas {
        let formula = random_formula(seed);
        let mut expected: BTreeMap<u32, u128> = BTreeMap::new();
        for assignment in truth_table(&formula) {
            *expected.entry(assignment & ((1 << PRIMARY) - 1)).or_default() += 1;
        }
        assert_eq!(enumerated(&formula, u128::MAX), expected, "seed {seed}");
    }
}

#[test]
fn models_and_their_numbers_are_those_of_the_truth_table() {
    check_models(100);
}

#[test]
#[ignore = "second tier: 2,000 formulas"]
fn models_of_many_formulas_are_those_of_the_truth_table() {
    check_models(2_000);
}

#[test]
fn below_the_limit_numbers_are_exact_and_above_it_they_reach_it() {
    for seed in 0..500 {
        let formula = random_formula(seed);
        let exact = enumerated(&formula, u128::MAX);
        for limit in [1, 2, 3, 7] {
            let limited = enumerated(&formula, limit);
            assert!(exact.keys().eq(limited.keys()), "seed {seed}, limit {limit}");
            for (&exact, &limited) in exact.values().zip(limited.values()) {
                let right = if exact < limit { limited == exact } else { limited >= limit };
                assert!(right, "seed {seed}, limit {limit}: {limited} of {exact}");
            }
        }
    }
}

#[test]
fn numbers_of_models_multiply_over_parts_that_share_no_variable() {
    // Sixty pairs of variables, each pair with three of its four assignments allowed.
    let mut formula = Formula::new();
    for _ in 0..60 {
        let pair = formula.fresh(2);
        formula.clause(&[pair.lit(0), pair.lit(1)]);
    }
    let mut counts = Vec::new();
    let end: ControlFlow<()> = models::each(&formula, &[], u128::MAX, |_, count| {
        counts.push(count);
        ControlFlow::Continue(())
    });
    assert!(end.is_continue());
    assert_eq!(counts, [3_u128.pow(60)]);
}

#[test]
fn a_variable_beyond_those_made_is_counted_like_any_other() {
    let mut formula = Formula::new();
    let made = formula.fresh(1);
    formula.clause(&[made.lit(0), Lit::positive(7)]);
    let mut total = 0;
    let end: ControlFlow<()> = models::each(&formula, &[], u128::MAX, |_, count| {
        total += count;
        ControlFlow::Continue(())
    });
    assert!(end.is_continue());
    assert_eq!(total, 3 << 6);
}

#[test]
fn a_search_with_a_limit_of_steps_gives_up_deep_formulas() {
    let mut formula = Formula::new();
    let chain = formula.fresh(8_000);
    for first in 0..chain.len() - 2 {
        formula.clause(&[0, 1, 2].map(|next| chain.lit(first + next)));
    }
    let primary: Vec<Var> = chain.vars().collect();
    let mut seen = 0;
    for primary in [&[][..], &primary] {
        let end = models::each_within(&formula, primary, 1, 1_000_000, |_, _| {
            seen += 1;
            ControlFlow::<()>::Continue(())
        });
        assert_eq!((end, seen), (Err(models::OutOfSteps), 0));
    }
    let mut decider = models::Decider::new(&formula);
    assert_eq!(decider.models(&[], 2, 1_000_000), Err(models::OutOfSteps));
    // One model needs no search.
    assert_eq!(decider.models(&[], 1, 1_000_000), Ok(1));
    let lits: Vec<Lit> = chain.lits().collect();
    assert_eq!(decider.models(&lits, 1, 1_000_000), Ok(1));
}

#[test]
fn the_enumeration_stops_where_its_visitor_breaks() {
    let mut formula = Formula::new();
    let primary: Vec<Var> = formula.fresh(5).vars().collect();
    let mut seen = 0;
    let end = models::each(&formula, &primary, 1, |_, _| {
        seen += 1;
        if seen == 3 { ControlFlow::Break("enough") } else { ControlFlow::Continue(()) }
    });
    assert_eq!((end, seen), (ControlFlow::Break("enough"), 3));
}

/// The literals that follow by unit clauses alone, found by going over all clauses until nothing changes; none if that
/// is a contradiction.
fn closure(formula: &Formula, assumed: &[Lit]) -> Option<Vec<Lit>> {
    let mut held = assumed.to_vec();
    loop {
        if held.iter().any(|&lit| held.contains(&!lit)) {
            return None;
        }
        let mut come = None;
        for clause in formula.clauses() {
            if clause.iter().any(|lit| held.contains(lit)) {
                continue;
            }
            let left: BTreeSet<Lit> =
                clause.iter().copied().filter(|&lit| !held.contains(&!lit)).collect();
            match left.len() {
                0 => return None,
                1 => come = left.first().copied(),
                _ => {}
            }
        }
        match come {
            Some(unit) => held.push(unit),
            None => break,
        }
    }
    held.sort_unstable();
    held.dedup();
    Some(held)
}

fn check_propagation(formulas: u64) {
    let mut compared = 0;
    for seed in 0..formulas {
        let formula = random_formula(seed);
        let mut propagator = Propagator::new(&formula);
        assert_eq!(propagator.is_refuted(), closure(&formula, &[]).is_none(), "seed {seed}");
        if propagator.is_refuted() {
            continue;
        }
        let trail = |propagator: &Propagator| {
            let mut trail = propagator.trail().to_vec();
            trail.sort_unstable();
            trail
        };
        let at_first = trail(&propagator);
        assert_eq!(Some(&at_first), closure(&formula, &[]).as_ref(), "seed {seed}");
        for code in 0..4 * VARIABLES * VARIABLES {
            let first = Lit::new(code / 4 / VARIABLES, code & 1 == 1);
            let second = Lit::new(code / 4 % VARIABLES, code & 2 == 2);
            let start = propagator.trail().len();
            let result = propagator.assume(first).and_then(|()| propagator.assume(second));
            let found = result.ok().map(|()| trail(&propagator));
            let expected = closure(&formula, &[first, second]);
            assert_eq!(found, expected, "seed {seed}, assumed {first} and {second}");
            propagator.undo(start);
            assert_eq!(trail(&propagator), at_first, "seed {seed}");
            compared += u64::from(expected.is_some_and(|held| held.len() > at_first.len() + 2));
        }
    }
    assert!(compared > formulas / 2, "only {compared} times did anything follow");
}

#[test]
fn unit_propagation_finds_what_going_over_all_clauses_finds_and_can_be_undone() {
    check_propagation(100);
}

#[test]
#[ignore = "second tier: 2,000 formulas"]
fn unit_propagation_on_many_formulas_finds_what_going_over_all_clauses_finds() {
    check_propagation(2_000);
}

#[test]
fn every_propagated_literal_is_reported_with_its_clause() {
    let (mut steps_seen, mut conflicts) = (0, 0);
    for seed in 0..2000 {
        let formula = random_formula(seed);
        let mut steps: Vec<Step> = Vec::new();
        let observed = Propagator::observed(&formula, |step| steps.push(step));
        let plain = Propagator::new(&formula);
        assert_eq!(observed.is_refuted(), plain.is_refuted(), "seed {seed}");
        assert_eq!(observed.trail(), plain.trail(), "seed {seed}");
        let given: Vec<Lit> = steps.iter().filter_map(|step| step.gives).collect();
        assert_eq!(given, observed.trail(), "seed {seed}");
        for (number, step) in steps.iter().enumerate() {
            let before = &given[..number];
            let clause = formula.clauses().nth(step.clause as usize).unwrap();
            let is_open = |lit: &&Lit| !before.contains(&!**lit);
            let open: BTreeSet<Lit> = clause.iter().filter(is_open).copied().collect();
            assert_eq!(open, step.gives.into_iter().collect(), "seed {seed}: {step:?}");
            assert!(observed.clause(step.clause).iter().all(|lit| clause.contains(lit)));
        }
        let ends = steps.iter().position(|step| step.gives.is_none());
        let expected = observed.is_refuted().then(|| steps.len() - 1);
        assert_eq!(ends, expected, "seed {seed}");
        steps_seen += steps.len();
        conflicts += u32::from(observed.is_refuted());
    }
    assert!(steps_seen > 1000 && conflicts > 10, "{steps_seen} steps, {conflicts} conflicts");
}
