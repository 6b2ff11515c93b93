//! Encoders that are wrong from nine inputs on.

use std::collections::BTreeMap;

use bezzel_encode::amk::{self, AtMostK, Limit};
use bezzel_encode::bound::AtMostSum;
use bezzel_encode::models::Decider;
use bezzel_encode::{EncodingInfo, Registry, Size};
use bezzel_problem::{Bounds, GroupFamily, Lists, Literal};
use bezzel_solve::batsat::BatSat;
use rand::RngExt;

use super::*;

/// The number of inputs from which mutants are wrong.
const WRONG_FROM: usize = 9;

/// An encoder that loses one clause of at most k, or one sign in it, from nine inputs on. The seed gives the clause.
#[derive(Clone)]
struct Mutant {
    encoder: Arc<dyn AtMostOne>,
    seed: u64,
    flips: bool,
}

impl Mutant {
    fn new(id: &str, seed: u64, flips: bool) -> Self {
        let Ok(bezzel_encode::registry::NamedEncoding::AtMostOne(encoder)) =
            Registry::standard().find(id)
        else {
            panic!("`{id}` encodes lines")
        };
        Self { encoder, seed, flips }
    }

    /// Passes on the clauses of `encode`, all but one or with one literal negated.
    fn mutate(
        &self,
        xs: &[Lit],
        k: u64,
        out: &mut dyn ClauseSink,
        encode: impl Fn(&[Lit], &mut dyn ClauseSink),
    ) {
        if xs.len() < WRONG_FROM {
            return encode(xs, out);
        }
        let mut formula = Formula::new();
        let inputs: Vec<Lit> = formula.fresh(xs.len() as u32).lits().collect();
        encode(&inputs, &mut formula);
        let made = formula.variables() - xs.len() as u32;
        let first = if made == 0 { 0 } else { out.fresh(made).start() };
        let mut random =
            ChaCha8Rng::seed_from_u64(self.seed + 1_000 * k + 1_000_000 * xs.len() as u64);
        let wrong = random.random_range(0..formula.len());
        for (number, clause) in formula.clauses().enumerate() {
            let mut clause: Vec<Lit> = clause
                .iter()
                .map(|lit| match xs.get(lit.vidx()) {
                    Some(&x) if lit.is_neg() => !x,
                    Some(&x) => x,
                    None => Lit::new(first + lit.vidx32() - xs.len() as u32, lit.is_neg()),
                })
                .collect();
            if number == wrong {
                if !self.flips {
                    continue;
                }
                let at = random.random_range(0..clause.len());
                clause[at] = !clause[at];
            }
            out.clause(&clause);
        }
    }

    fn bounds(&self) -> &dyn AtMostK {
        self.encoder.of_bounds().expect("an encoder of bounds")
    }
}

impl AtMostOne for Mutant {
    fn info(&self) -> EncodingInfo {
        EncodingInfo { id: "mutant".into(), ..self.encoder.info() }
    }

    fn size(&self, _n: u64) -> Option<Size> {
        None
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        self.mutate(xs, 1, out, |xs, out| self.encoder.encode(xs, out));
    }

    fn of_bounds(&self) -> Option<&dyn AtMostK> {
        Some(self)
    }

    fn of_sums(&self) -> Option<&dyn AtMostSum> {
        Some(self)
    }
}

impl AtMostSum for Mutant {
    fn about(&self) -> EncodingInfo {
        self.info()
    }

    fn size(&self, _weights: &[u64], _bound: u64) -> Option<Size> {
        Some(Size::new(0, 0, 1_000))
    }

    fn at_most(&self, xs: &[Lit], weights: &[u64], bound: u64, out: &mut dyn ClauseSink) {
        let sums = self.encoder.of_sums().expect("an encoder of sums");
        self.mutate(xs, bound, out, |xs, out| sums.at_most(xs, weights, bound, out));
    }
}

impl AtMostK for Mutant {
    fn about(&self) -> EncodingInfo {
        self.info()
    }

    fn at_most_size(&self, _n: u64, _k: u64) -> Option<Size> {
        None
    }

    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        self.mutate(xs, k, out, |xs, out| self.bounds().at_most(xs, k, out));
    }
}

fn written(encoder: &dyn AtMostOne, shape: Shape) -> (Vec<Lit>, Formula) {
    let mut formula = Formula::new();
    let xs: Vec<Lit> = formula.fresh(shape.n as u32).lits().collect();
    shape.encode(encoder, &xs, &mut formula);
    (xs, formula)
}

/// True if some assignment of the inputs is decided wrongly, by trying all of them without a solver.
fn is_wrong_by_all(encoder: &dyn AtMostOne, shape: Shape) -> bool {
    let (xs, formula) = written(encoder, shape);
    let mut decider = Decider::new(&formula);
    (0_u32..1 << shape.n).any(|held| {
        let lits: Vec<Lit> =
            (0..).zip(&xs).map(|(at, &x)| if held >> at & 1 == 1 { x } else { !x }).collect();
        let models = decider.models(&lits, 1, u64::MAX).expect("any number of steps");
        (models > 0) != shape.allows(held.count_ones().into())
    })
}

/// True if the clauses allow an assignment that the constraint forbids, by another solver and another encoder.
fn is_too_weak(encoder: &dyn AtMostOne, shape: Shape) -> bool {
    assert_eq!(shape.limit, Limit::AtMost);
    let (xs, mut formula) = written(encoder, shape);
    let Mutant { encoder: totalizer, .. } = Mutant::new("totalizer:full", 0, false);
    let more = Limit::AtLeast;
    more.encode(totalizer.of_bounds().unwrap(), &xs, shape.k + 1, &mut formula);
    let open = BatSat.open(&Options::default(), &Interrupt::default().into());
    let mut session = open.expect("no options");
    session.fresh(formula.variables());
    formula.clauses().for_each(|clause| session.clause(clause));
    session.solve() == Answer::Sat
}

fn checked_at(encoder: &Mutant, shape: Shape) -> Result<CheckedShapes, Counterexample> {
    let shapes = BTreeMap::from([(shape, Arc::new(encoder.clone()) as Arc<dyn AtMostOne>)]);
    check_shapes(&[("mutant".to_owned(), shapes)].into(), CheckExtent::OF_RUNS)
}

/// Asserts that the counterexample is one.
fn assert_counters(encoder: &dyn AtMostOne, wrong: &Counterexample) {
    let (xs, formula) = written(encoder, wrong.shape);
    let holds = |at: usize| wrong.held.contains(&(at as u32));
    let lits: Vec<Lit> =
        xs.iter().enumerate().map(|(at, &x)| if holds(at) { x } else { !x }).collect();
    let models = Decider::new(&formula).models(&lits, 1, u64::MAX).unwrap();
    assert_ne!(models > 0, wrong.shape.allows(wrong.held.len() as u64), "{wrong}");
    assert_eq!(models > 0, wrong.is_wrongly_allowed());
}

fn check_mutants(mutants: u64, least: u64) {
    // Beyond six inputs `smallest` has Knuth's clauses.
    let ids = amk::all().into_iter().map(|encoder| encoder.about().id);
    let ids: Vec<String> = ids.filter(|id| id != "smallest").collect();
    let mut random = ChaCha8Rng::seed_from_u64(42);
    let mut changed = 0_u64;
    for seed in 0..mutants {
        let id = &ids[seed as usize % ids.len()];
        // A flipped sign can forbid right assignments: only few inputs allow trying all.
        let flips = seed % 2 == 0;
        let n = if flips { random.random_range(9..=10) } else { random.random_range(11..=24) };
        // Binomial formulas of half of the inputs are large.
        let most = if id == "pairwise" { 4 } else { n - 1 };
        let shape = Shape { n, limit: Limit::AtMost, k: random.random_range(2..=most) };
        let mutant = Mutant::new(id, seed, flips);
        let is_wrong =
            if flips { is_wrong_by_all(&mutant, shape) } else { is_too_weak(&mutant, shape) };
        let what = format!("{id}, seed {seed}, {shape}");
        match checked_at(&mutant, shape) {
            Err(wrong) => {
                assert!(is_wrong, "{what}: {wrong}");
                assert_counters(&mutant, &wrong);
            }
            Ok(checked) => assert!(!is_wrong, "{what}: {checked}"),
        }
        if !is_wrong {
            continue;
        }
        changed += 1;
        // Up to eight inputs the mutant is the encoder itself.
        let mut grid = ShapeGrid::of_bounds();
        assert!(grid.next_stage().unwrap().iter().all(|shape| shape.n < WRONG_FROM as u64));
        let found = check_grid(
            "mutant",
            grid,
            CheckExtent::OF_ENCODERS,
            |_| Ok(Arc::new(mutant.clone())),
            |_, done, of| assert!(done < of),
        );
        match found.unwrap() {
            Err(wrong) => assert_counters(&mutant, &wrong),
            Ok(checked) => panic!("{what}: {checked}"),
        }
    }
    assert!(changed > least, "{changed} of {mutants} mutants are wrong");
}

#[test]
fn mutants_that_change_the_solutions_are_found_at_their_shape_and_by_a_check() {
    check_mutants(20, 8);
}

#[test]
#[ignore = "second tier: 200 mutants"]
fn many_mutants_that_change_the_solutions_are_found() {
    check_mutants(200, 140);
}

#[test]
fn the_encoders_of_a_problem_are_checked_at_the_shapes_of_its_groups() {
    let lists = |groups: &[&[u32]]| -> Lists<Literal> {
        let literal = |&candidate: &u32| Literal::chosen(candidate);
        groups.iter().map(|group| group.iter().map(literal).collect::<Vec<_>>()).collect()
    };
    let all: Vec<u32> = (0..12).collect();
    let problem = Problem::new(12)
        .with_family(GroupFamily::new("one", Bounds::EXACTLY_ONE, lists(&[&all[..5], &all[2..7]])))
        .with_family(GroupFamily::new(
            "some",
            Bounds { at_least: Some(1), at_most: Some(4) },
            lists(&[&all[..4], &all[..11], &all]),
        ));
    let shape = |n, limit, k| ("mutant".to_owned(), Shape { n, limit, k });
    let encoding = |mutant: &Mutant| {
        let encoder: Arc<dyn AtMostOne> = Arc::new(mutant.clone());
        bezzel_encode::encoding::direct::Direct::new(&encoder, bezzel_encode::Settings::default())
    };
    let right =
        Mutant { encoder: Arc::new(bezzel_encode::amo::pairwise::Pairwise), seed: 0, flips: false };
    let wrong = check_at_shapes(&encoding(&right), &problem).unwrap_err();
    assert_eq!(wrong.shape, shape(11, Limit::AtMost, 4).1);
    assert!(
        wrong.to_string().starts_with("at most 4 of 11 inputs: it wrongly allows that exactly")
    );
    // A conjunction of redundant clauses loses one of them without harm.
    let pairwise = Registry::standard().find("pairwise").unwrap();
    let pairwise = pairwise.with_settings(bezzel_encode::Settings::default());
    let checked = check_at_shapes(&*pairwise, &problem).unwrap();
    let named = |(_, shape): &(String, Shape)| shape.to_string();
    let shapes: Vec<String> = checked.tried.iter().map(named).collect();
    assert_eq!(shapes, ["exactly 1 of 5", "at most 4 of 11", "at most 4 of 12"]);
    assert_eq!((checked.proved, checked.left_out, &*checked.verdict()), (3, 0, "correct"));
    let given_up = CheckedShapes { undecided: 962, assignments: 5_000, ..checked.clone() };
    assert_eq!(given_up.verdict(), "no fault found; 962 of 5,000 assignments undecided");
    assert!(checked.to_string().ends_with("assignments)"), "{checked}");
}

#[test]
fn of_many_shapes_the_smallest_the_largest_and_some_others_are_tried() {
    let pairwise: Arc<dyn AtMostOne> = Arc::new(bezzel_encode::amo::pairwise::Pairwise);
    let shapes: BTreeMap<Shape, Arc<dyn AtMostOne>> = (1..=100)
        .map(|n| (Shape { n, limit: Limit::AtMost, k: 1 }, Arc::clone(&pairwise)))
        .collect();
    let tried: Vec<u64> = chosen(&shapes, 24).into_iter().map(|(shape, _)| shape.n).collect();
    assert_eq!(tried.len(), 24);
    assert_eq!(
        (&tried[..8], &tried[16..]),
        (&[1, 2, 3, 4, 5, 6, 7, 8][..], &[93, 94, 95, 96, 97, 98, 99, 100][..])
    );
    assert!(tried.is_sorted());
    let checked =
        check_shapes(&[("pairwise".into(), shapes)].into(), CheckExtent::OF_RUNS).unwrap();
    assert_eq!((checked.tried.len(), checked.left_out), (24, 76));
    assert!(checked.to_string().contains("76 shapes left out"), "{checked}");
}

/// True if the clauses decide some assignment of a sum wrongly, by trying all of them without a solver.
fn is_wrong_sum(encoder: &dyn AtMostOne, sum: &SumLimit) -> bool {
    let mut formula = Formula::new();
    let xs: Vec<Lit> = formula.fresh(sum.weights.len() as u32).lits().collect();
    sum.encode(encoder, &xs, &mut formula);
    let mut decider = Decider::new(&formula);
    (0_u32..1 << xs.len()).any(|held| {
        let lits = (0..).zip(&xs).map(|(at, &x)| if held >> at & 1 == 1 { x } else { !x });
        let lits: Vec<Lit> = lits.collect();
        let weights = (0..).zip(&sum.weights).filter(|(at, _)| held >> at & 1 == 1);
        let weight = weights.map(|(_, weight)| weight).sum();
        (decider.models(&lits, 1, u64::MAX).expect("any number of steps") > 0) != sum.allows(weight)
    })
}

#[test]
fn wrong_encoders_of_sums_are_found_and_right_ones_are_not() {
    let weights = vec![13, 11, 7, 7, 5, 3, 2, 2, 1];
    let (mut wrong, mut right) = (0, 0);
    for id in
        ["robdd", "generalised-totalizer", "weight-counter", "global-watchdog", "adder-network"]
    {
        for (seed, limit) in (0..4).flat_map(|seed| Limit::ALL.map(|limit| (seed, limit))) {
            let sum = SumLimit { weights: weights.clone(), limit, bound: 23 + seed };
            let mutant = Mutant::new(id, seed, seed % 2 == 1);
            let is_wrong = is_wrong_sum(&mutant, &sum);
            let found = |encoder: Arc<dyn AtMostOne>| {
                let sums =
                    EncoderSums::from([(id.to_owned(), BTreeMap::from([(sum.clone(), encoder)]))]);
                check_sums(&sums, CheckExtent::OF_RUNS)
            };
            assert_eq!(found(Arc::clone(&mutant.encoder)).unwrap().sums, 1, "{id}");
            let checked = found(Arc::new(mutant));
            if is_wrong {
                wrong += 1;
                let message = checked.unwrap_err().to_string();
                assert!(message.contains("with the weights 13, 11, 7"), "{id}: {message}");
            } else {
                right += 1;
                assert!(checked.is_ok(), "{id}: {checked:?}");
            }
        }
    }
    assert!(wrong > 30, "{wrong} wrong, {right} right");
}
