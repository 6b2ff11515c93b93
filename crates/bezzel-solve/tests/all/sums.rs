//! Encoders of weighted sums at random sums, with CaDiCaL as the judge of their clauses.
//!
//! The inputs are fixed by assumptions. CaDiCaL finds the auxiliary variables, and its answer must be that of the sum.

use bezzel_encode::properties::shapes::random_sums;
use bezzel_encode::properties::shapes::tried_sums;
use bezzel_encode::sums::SumLimit;
use bezzel_encode::{
    AtMostOne, Auxiliaries, ClauseSink, Formula, Lit, Propagation, Registry, Size,
};
use bezzel_solve::{Answer, Options, Session, SessionOptions};

use crate::solver;

/// The answer if exactly these inputs hold; none after 1,000 conflicts. Only weak encoders with free variables need this
/// number.
fn is_allowed(session: &mut dyn Session, xs: &[Lit], held: &[u32]) -> Option<bool> {
    let mut inputs: Vec<Lit> = xs.iter().map(|&x| !x).collect();
    for &input in held {
        inputs[input as usize] = xs[input as usize];
    }
    match session.solve_within(&inputs, 1_000) {
        Answer::Sat => Some(true),
        Answer::Unsat => Some(false),
        Answer::Unknown => None,
    }
}

/// The first inputs that hold where the clauses do not mean the sum. All inputs are tried if they are at most `all`, and
/// otherwise some on both sides of the bound.
fn wrong(encoder: &dyn AtMostOne, sum: &SumLimit, all: usize) -> Option<Vec<u32>> {
    let mut session =
        solver("cadical:plain").open(&Options::new(), &SessionOptions::default()).unwrap();
    let mut formula = Formula::new();
    let n = sum.weights.len();
    let xs: Vec<Lit> = formula.fresh(n as u32).lits().collect();
    sum.encode(encoder, &xs, &mut formula);
    session.fresh(formula.variables());
    for clause in formula.clauses() {
        session.clause(clause);
    }
    let about = encoder.of_sums().unwrap().about();
    let is_searched =
        (about.propagation, about.auxiliaries) == (Propagation::Weak, Auxiliaries::Free);
    let mut differs = |held: &[u32]| {
        let Some(is_allowed) = is_allowed(&mut *session, &xs, held) else {
            assert!(is_searched, "{}: {sum:?} at {held:?}", about.id);
            return false;
        };
        let weight = held.iter().map(|&input| sum.weights[input as usize]).sum();
        is_allowed != sum.allows(weight)
    };
    tried_sums(sum, all, 7).into_iter().find(|held| differs(held))
}

/// Encoders whose sizes grow with the sums of weights. They find that a sum is too large only after a long time.
const GROWING: [&str; 3] = ["robdd", "generalised-totalizer", "weight-counter"];

/// Tries every encoder at `count` sums, most of them of up to 16 terms and the others of up to `most`, without sums of
/// many clauses.
fn check(count: usize, most: usize) {
    let mut sums = random_sums(1, &(6..=16), count * 4 / 5);
    sums.extend(random_sums(2, &(17..=most), count / 5));
    let registry = bezzel_queens::register(Registry::standard());
    let mut failures = Vec::new();
    for encoder in registry.sums() {
        let id = encoder.info().id;
        let mut tried = 0;
        for (number, sum) in sums.iter().enumerate() {
            let is_small = |size: Size| size.clauses <= 20_000;
            let is_heavy = sum.weights.len() > 16 && sum.weights.iter().sum::<u64>() > 5_000;
            if is_heavy && GROWING.contains(&encoder.of_sums().unwrap().about().name()) {
                continue;
            }
            if !sum.size(encoder.as_ref()).is_some_and(is_small) {
                continue;
            }
            tried += 1;
            let all = if number % 100 == 1 { 1 << 15 } else { 1 << 7 };
            if let Some(held) = wrong(encoder.as_ref(), sum, all) {
                failures.push(format!("{id}: {sum:?} at {held:?}"));
                break;
            }
        }
        assert!(4 * tried >= count, "{id}: only {tried} sums");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn some_random_sums_have_their_meaning() {
    check(20, 40);
}

#[test]
#[ignore = "second tier: 500 random sums for each encoder of sums"]
fn random_sums_of_up_to_150_terms_have_their_meaning() {
    check(500, 150);
}
