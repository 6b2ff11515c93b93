//! The whole way from rows to verdicts on synthetic records, whose effects are known.
//!
//! Each scenario is repeated with other random numbers. The share of right verdicts must reach the stated
//! rate, and the share of wrong ones must stay below the level at which intervals hold together.

use bezzel_encode::{Board, Geometry, Registry};
use bezzel_lab::ExperimentRecord;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::sample::{shuffled, timed_out};
use crate::statistics::ranking::Comparison;
use crate::statistics::{Draws, Relation};

/// The number of records of a scenario.
const RECORDS: u64 = 60;
/// The boards of each family.
const BOARDS: u32 = 12;
/// The spread of boards and of shuffles, as standard deviations of logarithms of times.
const SPREAD: [f64; 2] = [1.0, 0.4];

struct Scenario {
    /// The boards of each of the two families.
    boards: u32,
    /// The factor by which the second encoding takes longer, in each family.
    factors: [f64; 2],
    /// The limit of CPU time, where the median run takes a second.
    limit_s: f64,
}

const NO_EFFECT: Scenario = Scenario { boards: BOARDS, factors: [1.0; 2], limit_s: 1e9 };

fn standard(random: &mut ChaCha8Rng) -> f64 {
    let mut uniform = || (f64::from(random.next_u32()) + 0.5) / 4_294_967_296.0;
    (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos()
}

/// The verdicts on all records of a scenario.
fn verdicts(scenario: &Scenario) -> Vec<Comparison> {
    (0..RECORDS).flat_map(|seed| verdicts_on(scenario, seed)).collect()
}

/// The verdicts on two encodings under two solvers, in one record.
fn verdicts_on(scenario: &Scenario, seed: u64) -> Vec<Comparison> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut rows = Vec::new();
    for (geometry, factor) in [Geometry::Plane, Geometry::Torus].into_iter().zip(scenario.factors) {
        for side in 8..8 + scenario.boards {
            let of_board = SPREAD[0] * standard(&mut random);
            for solver in ["batsat", "cadical"] {
                for (encoding, factor) in [("one", 1.0), ("two", factor)] {
                    for shuffle in 1..=5 {
                        let noise = of_board + SPREAD[1] * standard(&mut random);
                        let time = factor * noise.exp();
                        let mut row = shuffled(shuffle, time);
                        if time > scenario.limit_s {
                            row = Row { job: row.job, ..timed_out() };
                            row.solve_cpu_s = Some(scenario.limit_s);
                            row.cpu_s = scenario.limit_s;
                        }
                        row.job.limits.cpu_s = scenario.limit_s;
                        row.job.limits.wall_s = 10.0 * scenario.limit_s;
                        row.job.board = Board::new(side).unwrap().with_geometry(geometry);
                        row.job.solver = solver.into();
                        row.job.encoding = encoding.into();
                        rows.push(row);
                    }
                }
            }
        }
    }
    let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
    let registry = Registry::new();
    let material = Material::new(&record, &registry);
    let boards = boards(&material, Answer::Sat);
    let mut contest = contest(&material, 0, Measure::Time, &boards).expect("two were measured");
    contest.rule.draws = Draws { resamples: 2_000, seed };
    // The noise of a machine, which no record here has, would only make verdicts fewer.
    contest.rule.noise = 0.0;
    rank(&contest).comparisons
}

/// The share of verdicts on the first encoding beside the second that `is`, over all records and solvers.
fn share(all: &[Comparison], is: impl Fn(&Comparison) -> bool) -> f64 {
    all.iter().filter(|known| is(known)).count() as f64 / all.len() as f64
}

#[test]
fn where_there_is_no_effect_at_most_one_verdict_in_twenty_says_that_there_is_one() {
    let wrong =
        |known: &Comparison| matches!(known.overall().relation, Relation::Less | Relation::More);
    let all = verdicts(&NO_EFFECT);
    assert!(share(&all, wrong) <= 0.05);
    let depends = |known: &Comparison| known.overall().relation == Relation::DependsOnFamily;
    assert!(share(&all, depends) <= 0.05);
}

#[test]
fn an_effect_is_found_with_its_direction_and_its_size() {
    let all = verdicts(&Scenario { factors: [1.5; 2], ..NO_EFFECT });
    assert!(share(&all, |known| known.overall().relation == Relation::Less) >= 0.95);
    assert!(share(&all, |known| known.overall().relation == Relation::More) <= 0.0);
    let holds = |known: &Comparison| {
        let interval = known.overall().interval.unwrap();
        interval.low.unwrap() <= 1.0 / 1.5 && 1.0 / 1.5 <= interval.high.unwrap()
    };
    assert!(share(&all, holds) >= 0.95);
}

#[test]
fn an_effect_that_changes_its_sign_depends_on_the_family_and_has_no_ratio() {
    let all = verdicts(&Scenario { factors: [2.0, 0.5], ..NO_EFFECT });
    let depends = |known: &Comparison| {
        known.overall().relation == Relation::DependsOnFamily
            && known.overall().ratio.estimate.is_none()
    };
    assert!(share(&all, depends) >= 0.95);
    let in_families = |known: &Comparison| {
        let relations = known.outcomes.families.iter().map(|(_, of)| of.relation);
        relations.eq([Relation::Less, Relation::More])
    };
    assert!(share(&all, in_families) >= 0.95);
}

#[test]
fn limits_bound_an_effect_and_never_turn_it_round() {
    // A third of the runs of the second encoding end at the limit.
    let all = verdicts(&Scenario { factors: [8.0; 2], limit_s: 12.0, ..NO_EFFECT });
    assert!(share(&all, |known| known.overall().ratio.bounded > 0) >= 0.95);
    assert!(share(&all, |known| known.overall().relation == Relation::Less) >= 0.9);
    assert!(share(&all, |known| known.overall().relation == Relation::More) <= 0.0);
    let all = verdicts(&Scenario { limit_s: 4.0, ..NO_EFFECT });
    let wrong =
        |known: &Comparison| matches!(known.overall().relation, Relation::Less | Relation::More);
    assert!(share(&all, wrong) <= 0.05);
}

#[test]
fn two_boards_of_each_family_are_always_too_few() {
    let all = verdicts(&Scenario { boards: 2, factors: [50.0; 2], ..NO_EFFECT });
    assert!(share(&all, |known| known.overall().relation == Relation::TooFewInstances) >= 1.0);
}
