//! The error rates of claims on simulated designs whose true ratios are known.

use std::thread;

use bezzel_statistics::outcome::Compared as Wanted;
use bezzel_statistics::paired_design::DesignInstance;
use bezzel_statistics::{
    Contrast, Draws, LEVEL, Observation, PairedDesign, Rule, outcomes, simultaneous,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

/// The instances of a cell, and the replicates of each arm.
const INSTANCES: usize = 12;
const REPLICATES: usize = 5;

fn standard(random: &mut ChaCha8Rng) -> f64 {
    let mut uniform = || (f64::from(random.next_u32()) + 0.5) / 4_294_967_296.0;
    (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos()
}

/// The outcomes in a cell of arms with these true ratios to a baseline. Instances differ in their ratio, too.
fn cell(ratios: &[f64], level: f64, random: &mut ChaCha8Rng) -> Vec<Outcome> {
    let mut design = PairedDesign::new(ratios.len() + 1);
    for number in 0..INSTANCES {
        let of_instance = standard(random);
        let arm = |ratio: f64, spread: f64, random: &mut ChaCha8Rng| -> Vec<Observation> {
            let own = spread * standard(random);
            let run = |random: &mut ChaCha8Rng| {
                Observation::Exact(ratio * (of_instance + own + 0.3 * standard(random)).exp())
            };
            (0..REPLICATES).map(|_| run(random)).collect()
        };
        let mut arms = vec![arm(1.0, 0.0, random)];
        arms.extend(ratios.iter().map(|ratio| arm(*ratio, 0.3, random)));
        let name = number.to_string();
        design.push(DesignInstance { name, family: "one".into() }, arms);
    }
    let contrasts: Vec<Contrast> = (1..=ratios.len()).map(|arm| Contrast::of(arm, 0)).collect();
    let draws = Draws { resamples: 1_000, seed: u64::from(random.next_u32()) };
    let rule = Rule { offset: 0.0, draws };
    let wanted = Wanted { design: &design, contrasts, rule, levels: (level, level) };
    outcomes(&[wanted]).remove(0).into_iter().map(|outcomes| outcomes.overall).collect()
}

/// The share of `rounds` for whose seeds `is` is true, counted on two threads.
fn share_of_seeds(rounds: u64, is: impl Fn(u64) -> bool + Sync) -> f64 {
    let half = |first| (first..rounds).step_by(2).filter(|&seed| is(seed)).count();
    let found = thread::scope(|scope| {
        let odd = scope.spawn(|| half(1));
        half(0) + odd.join().unwrap()
    });
    found as f64 / rounds as f64
}

/// The share of `rounds` in which `is` is true of the cells, each with arms of these true ratios.
fn share(rounds: u64, cells: &[&[f64]], is: impl Fn(&[Vec<Outcome>]) -> bool + Sync) -> f64 {
    let arms: usize = cells.iter().map(|cell| cell.len()).sum();
    share_of_seeds(rounds, |seed| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let level = simultaneous(LEVEL, arms);
        let found: Vec<_> = cells.iter().map(|cell_| cell(cell_, level, &mut random)).collect();
        is(&found)
    })
}

fn comparison(outcome: Outcome) -> Comparison {
    let cell = CellOfClaim {
        family: None,
        answer: Answer::Sat,
        solver: None,
        numbering: None,
        settings: Vec::new(),
        size: None,
    };
    Comparison {
        arm: String::new(),
        held: Vec::new(),
        cell,
        evidence: Evidence::Interval(Box::new(outcome), None),
        is_between: true,
    }
}

fn rates(rounds: u64) {
    let of = |relation| claim(relation, &["a"], "b");
    let some = |claim: &Claim, cells: &[Vec<Outcome>]| {
        cells.iter().flatten().any(|outcome| holds(claim, outcome))
    };
    let (less, more) = (of(ClaimRelation::TakesLess), of(ClaimRelation::TakesMore));
    // Four cells of three arms without any effect: the chance of one wrong claim among 24.
    let none: [&[f64]; 4] = [&[1.0; 3]; 4];
    let wrong = share(rounds, &none, |cells| some(&less, cells) || some(&more, cells));
    assert!(wrong <= 0.05, "takes_less or takes_more without an effect: {wrong}");
    // The true factor is exactly that of the claim.
    let by_two = Claim { factor: Some(2.0), ..less.clone() };
    let wrong = share(rounds, &[&[0.5, 0.5], &[0.5, 0.5]], |cells| some(&by_two, cells));
    assert!(wrong <= 0.05, "takes_less by a factor of 2 that is no more than 2: {wrong}");
    // The true ratio is at the end of the margin.
    let equivalent = Claim { factor: Some(1.5), ..of(ClaimRelation::Equivalent) };
    let wrong = share(rounds, &[&[1.5, 1.5], &[1.5, 1.5]], |cells| some(&equivalent, cells));
    assert!(wrong <= 0.05, "equivalent at the end of the margin: {wrong}");
    // An effect in one cell alone is not reversed in the other one.
    let between = |relation| {
        move |cells: &[Vec<Outcome>]| {
            let both = [comparison(cells[0][0]), comparison(cells[1][0])];
            super::super::between(relation, &both) == Verdict::Holds
        }
    };
    let wrong = share(rounds, &[&[0.2], &[1.0]], between(ClaimRelation::Reversed));
    assert!(wrong <= 0.05, "reversed without an effect in the second cell: {wrong}");
    let wrong = share(rounds, &[&[2.0], &[2.0]], between(ClaimRelation::DependsOn));
    assert!(wrong <= 0.05, "depends_on with equal ratios: {wrong}");
    growth(rounds);
    // Claims that are true are made.
    let right = share(rounds, &[&[0.2, 0.2], &[0.2, 0.2]], |cells| {
        cells.iter().flatten().all(|outcome| holds(&less, outcome))
    });
    assert!(right >= 0.9, "takes_less over two cells: {right}");
    let right = share(rounds, &[&[0.2], &[5.0]], between(ClaimRelation::Reversed));
    assert!(right >= 0.9, "reversed: {right}");
    let right = share(rounds, &[&[1.0], &[1.0]], |cells| {
        let wide = Claim { factor: Some(3.0), ..of(ClaimRelation::Equivalent) };
        cells.iter().flatten().all(|outcome| holds(&wide, outcome))
    });
    assert!(right >= 0.9, "equivalent within 3: {right}");
    // The rows of a claim that nothing is decided decide nothing where there is no effect.
    let right = share(rounds, &[&[1.0]], |cells| {
        [ClaimRelation::NotLess, ClaimRelation::NotMore]
            .iter()
            .all(|relation| holds(&of(*relation), &cells[0][0]))
    });
    assert!(right >= 0.9, "not_less and not_more without an effect: {right}");
}

/// Error rates of claims that a ratio grows over four sizes: three steps with one arm.
fn growth(rounds: u64) {
    let share = |ratios: [f64; 4], is: &(dyn Fn(&[Comparison]) -> bool + Sync)| {
        share_of_seeds(rounds, |seed| {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let level = simultaneous(LEVEL, 3);
            is(&ratios.map(|ratio| comparison(cell(&[ratio], level, &mut random)[0])))
        })
    };
    let by = |factor: f64| move |sizes: &[Comparison]| numbers::growth_verdict(sizes, factor);
    let exact = [1.0, 1.5, 2.25, 3.375];
    // Any of the three steps is shown to be larger, and any to be smaller, though all are exactly the factor.
    let larger =
        |sizes: &[Comparison]| sizes.windows(2).any(|step| by(1.5)(step) == Verdict::Holds);
    let smaller = |sizes: &[Comparison]| by(1.5)(sizes) == Verdict::Refuted;
    let wrong = share(exact, &|sizes| larger(sizes) || smaller(sizes));
    assert!(wrong <= 0.05, "a step by exactly the factor is decided: {wrong}");
    // One step alone is exactly the factor.
    let wrong = share([1.0, 5.0, 7.5, 37.5], &|sizes| by(1.5)(sizes) == Verdict::Holds);
    assert!(wrong <= 0.05, "grows with one step that is no more than the factor: {wrong}");
    let right = share([1.0, 5.0, 25.0, 125.0], &|sizes| by(1.5)(sizes) == Verdict::Holds);
    assert!(right >= 0.9, "grows by 5 at each step: {right}");
}

#[test]
fn wrong_claims_are_made_in_at_most_one_of_twenty_records() {
    rates(60);
}

#[test]
#[ignore = "second tier: many simulated experiments"]
fn wrong_claims_are_made_in_at_most_one_of_twenty_of_many_records() {
    rates(1_000);
}
