//! Encoders of weighted sums at random sums, with CaDiCaL as the judge of their clauses.
//!
//! The inputs are fixed by assumptions. CaDiCaL finds the auxiliary variables, and its answer must be that of the sum.

use std::ops::Range;

use bezzel_encode::amk::Limit;
use bezzel_encode::sums::SumLimit;
use bezzel_encode::{
    AtMostOne, Auxiliaries, ClauseSink, Formula, Lit, Propagation, Registry, Size,
};
use bezzel_solve::{Answer, Options, Session, SessionOptions};

use crate::solver;

/// Random numbers, the same on every machine.
struct Random(u64);

impl Random {
    /// A number from `least` to `most`.
    fn from(&mut self, least: u64, most: u64) -> u64 {
        // SplitMix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        least + (z ^ (z >> 31)) % (most - least + 1)
    }

    /// A sum of up to `most` terms. Kinds of weights, bounds and relations are met with each other in turn.
    fn sum(&mut self, number: u64, most: u64) -> SumLimit {
        let n = if number.is_multiple_of(5) { self.from(17, most) } else { self.from(6, 16) };
        let divisor = self.from(2, 30);
        let weights: Vec<u64> = (0..n)
            .map(|_| match number % 4 {
                0 => self.from(1, 1_000_000),
                1 => 1 << self.from(0, 19),
                2 => divisor * self.from(1, 1_000_000 / divisor),
                _ => self.from(1, 40),
            })
            .collect();
        let total: u64 = weights.iter().sum();
        let bound = if number.is_multiple_of(3) {
            self.from(0, total)
        } else {
            // Beside a carry.
            let power = 1 << self.from(0, u64::from(total.ilog2()));
            let multiple = power * self.from(1, total / power);
            (multiple + self.from(0, 2)).saturating_sub(1).min(total)
        };
        SumLimit { weights, limit: Limit::ALL[(number / 7 % 3) as usize], bound }
    }

    /// Inputs for which the sum is near its bound: a random order is taken as long as the bound is kept, and a few inputs
    /// are then flipped.
    fn near(&mut self, sum: &SumLimit) -> Vec<bool> {
        let n = sum.weights.len();
        let mut order: Vec<usize> = (0..n).collect();
        for place in (1..n).rev() {
            order.swap(place, self.from(0, place as u64) as usize);
        }
        let (mut held, mut weight) = (vec![false; n], 0);
        for place in order {
            if weight + sum.weights[place] <= sum.bound {
                held[place] = true;
                weight += sum.weights[place];
            }
        }
        for _ in 0..self.from(0, 2) {
            let place = self.from(0, n as u64 - 1) as usize;
            held[place] = !held[place];
        }
        held
    }
}

fn weigh(sum: &SumLimit, held: &[bool]) -> u64 {
    sum.weights.iter().zip(held).filter(|(_, held)| **held).map(|(weight, _)| weight).sum()
}

/// The answer for these inputs; none after 1,000 conflicts. Only weak encoders with free variables need this number.
fn is_allowed(session: &mut dyn Session, xs: &[Lit], held: &[bool]) -> Option<bool> {
    let inputs: Vec<Lit> =
        xs.iter().zip(held).map(|(&x, &held)| if held { x } else { !x }).collect();
    match session.solve_within(&inputs, 1_000) {
        Answer::Sat => Some(true),
        Answer::Unsat => Some(false),
        Answer::Unknown => None,
    }
}

/// The first inputs for which the clauses do not mean the sum. All inputs of up to `all` terms are tried, and 20 near the
/// bound of more.
fn wrong(
    encoder: &dyn AtMostOne,
    sum: &SumLimit,
    all: usize,
    random: &mut Random,
) -> Option<Vec<bool>> {
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
    let mut differs = |held: &[bool]| {
        let Some(is_allowed) = is_allowed(&mut *session, &xs, held) else {
            assert!(is_searched, "{}: {sum:?} at {held:?}", about.id);
            return false;
        };
        is_allowed != sum.allows(weigh(sum, held))
    };
    if n <= all {
        let mut codes = (0..1_u32 << n).map(|code| (0..n).map(|at| code >> at & 1 == 1).collect());
        return codes.find(|held: &Vec<bool>| differs(held));
    }
    (0..20).map(|_| random.near(sum)).find(|held| differs(held))
}

/// Encoders whose sizes grow with the sums of weights. They find that a sum is too large only after a long time.
const GROWING: [&str; 3] = ["robdd", "generalised-totalizer", "weight-counter"];

/// Tries every encoder at these sums, without sums of more clauses. All inputs of up to 16 terms are tried at every
/// `all`-th sum, and of up to 7 terms at the others.
fn check(numbers: &Range<u64>, most: u64, all: u64, most_clauses: u128) {
    let registry = Registry::standard();
    let mut failures = Vec::new();
    for encoder in registry.sums() {
        let id = encoder.info().id;
        let mut tried = 0;
        for number in numbers.clone() {
            let mut random = Random(number);
            let sum = random.sum(number, most);
            let is_small = |size: Size| size.clauses <= most_clauses;
            let is_heavy = sum.weights.len() > 16 && sum.weights.iter().sum::<u64>() > 5_000;
            if is_heavy && GROWING.contains(&encoder.of_sums().unwrap().about().name()) {
                continue;
            }
            if !sum.size(encoder.as_ref()).is_some_and(is_small) {
                continue;
            }
            tried += 1;
            // All inputs of 16 terms are 65,536.
            let all = if number % all == 1 { 16 } else { 7 };
            if let Some(held) = wrong(encoder.as_ref(), &sum, all, &mut random) {
                failures.push(format!("{id}: {sum:?} at {held:?}"));
                break;
            }
        }
        assert!(4 * tried >= numbers.clone().count(), "{id}: only {tried} sums");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn some_random_sums_have_their_meaning() {
    check(&(0..20), 40, 100, 20_000);
}

#[test]
#[ignore = "second tier: 500 random sums for each encoder of sums"]
fn random_sums_of_up_to_150_terms_have_their_meaning() {
    check(&(0..500), 150, 100, 20_000);
}
