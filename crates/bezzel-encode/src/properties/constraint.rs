//! The profile of an encoder at one constraint, a bound or a weighted sum, and the catalogue of all small sums.
//!
//! A profile is computed over all assignments and all partial assignments of the inputs. There is no pair (n, k) for
//! sums. But there are few threshold functions of few inputs, up to their order and negation, and each has least
//! weights: a catalogue of all of them is complete.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use rustsat::types::Lit;

use super::shapes::Counterexample;
use crate::amo::AtMostOne;
use crate::bound::{AtMostK, Limit};
use crate::formula::Formula;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::models;
use crate::propagate::Propagator;
use crate::shape::Shape;
use crate::sink::ClauseSink;
use crate::sums::SumLimit;

/// The most inputs of a sum whose assignments are all tried.
pub const MAX_INPUTS: u32 = 16;

/// All threshold functions of up to `inputs` inputs, up to their order and negation, as sums of at most a bound with
/// least weights. Weights up to `heaviest` are tried; a weight of 0 is left out. The two constants are left out.
///
/// Functions with sorted weights are the same up to the order of the inputs only if they are equal: a heavier input is
/// never less important.
///
/// # Panics
///
/// When there are more than six inputs.
pub fn threshold_functions(inputs: u32, heaviest: u64) -> Vec<SumLimit> {
    assert!(inputs <= 6, "a table of {inputs} inputs has more than 64 places");
    let mut least: BTreeMap<u64, SumLimit> = BTreeMap::new();
    let mut weights = vec![0; inputs as usize];
    loop {
        let sums: Vec<u64> = (0..1_u32 << inputs).map(|held| weigh(&weights, held)).collect();
        let total: u64 = weights.iter().sum();
        for bound in 0..total {
            let places = (0..).zip(&sums).filter(|(_, sum)| **sum <= bound);
            let table = places.map(|(place, _)| 1_u64 << place).sum();
            let is_lighter =
                least.get(&table).is_none_or(|known| total < known.weights.iter().sum());
            if is_lighter {
                let weights = weights.iter().copied().filter(|&weight| weight > 0).collect();
                least.insert(table, SumLimit { weights, limit: Limit::AtMost, bound });
            }
        }
        // The next weights in descending order.
        let Some(place) = (0..weights.len())
            .rev()
            .find(|&place| weights[place] < if place == 0 { heaviest } else { weights[place - 1] })
        else {
            return least.into_values().collect();
        };
        weights[place] += 1;
        weights[place + 1..].fill(0);
    }
}

/// The weight of the inputs that hold.
fn weigh(weights: &[u64], held: u32) -> u64 {
    (0..).zip(weights).filter(|(at, _)| held >> at & 1 == 1).map(|(_, weight)| weight).sum()
}

impl SumLimit {
    /// The wrong assignment `held`, a bit for each input, of an encoder.
    pub fn counterexample(&self, encoder: &str, held: u32) -> Counterexample {
        Counterexample {
            encoder: encoder.to_owned(),
            shape: Shape { n: self.weights.len() as u64, limit: self.limit, k: self.bound },
            weights: self.weights.clone(),
            held: (0..self.weights.len() as u32).filter(|input| held >> input & 1 == 1).collect(),
        }
    }
}

/// The clauses of a constraint on few inputs, and the right assignments, a bit for each input.
struct Clauses {
    formula: Formula,
    xs: Vec<Lit>,
    right: Vec<u32>,
}

impl Clauses {
    /// The clauses that `encode` writes on `n` inputs. `is_right` is true for the assignments that the constraint allows.
    fn new(
        n: usize,
        encode: impl FnOnce(&[Lit], &mut Formula),
        is_right: impl Fn(u32) -> bool,
    ) -> Self {
        assert!(n <= MAX_INPUTS as usize, "all assignments of {n} inputs");
        let mut formula = Formula::new();
        let xs: Vec<Lit> = formula.fresh(n as u32).lits().collect();
        encode(&xs, &mut formula);
        Self { formula, xs, right: (0..1_u32 << n).filter(|&held| is_right(held)).collect() }
    }

    fn of_sum(encoder: &dyn AtMostOne, sum: &SumLimit) -> Self {
        let encode = |xs: &[Lit], out: &mut Formula| sum.encode(encoder, xs, out);
        Self::new(sum.weights.len(), encode, |held| sum.allows(weigh(&sum.weights, held)))
    }

    /// An assignment of the inputs that is wrong, and true if each right one has one model. Models are counted up to
    /// `limit`.
    fn compared(&self, limit: u128) -> (Option<u32>, bool) {
        let primary: Vec<_> = self.xs.iter().map(|lit| lit.var()).collect();
        let mut found: Vec<u32> = Vec::new();
        let mut is_defined = true;
        let _: ControlFlow<()> = models::each(&self.formula, &primary, limit, |model, count| {
            found.push((0..).zip(&self.xs).map(|(at, &x)| u32::from(model.holds(x)) << at).sum());
            is_defined &= count == 1;
            ControlFlow::Continue(())
        });
        let differs = |one: &[u32], other: &[u32]| {
            one.iter().copied().find(|held| other.binary_search(held).is_err())
        };
        found.sort_unstable();
        (differs(&found, &self.right).or_else(|| differs(&self.right, &found)), is_defined)
    }
}

/// The first assignment that the clauses of a sum wrongly allow or forbid, by trying all of them. The encoder accepts
/// the sum.
///
/// # Panics
///
/// When there are more than [`MAX_INPUTS`] inputs.
pub fn wrong_assignment(encoder: &dyn AtMostOne, sum: &SumLimit) -> Option<u32> {
    Clauses::of_sum(encoder, sum).compared(1).0
}

/// The properties of the clauses of one constraint, computed over all assignments of its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstraintProfile {
    /// The strength of unit propagation after every partial assignment of the inputs. Complete: it finds every implied
    /// literal and every conflict. Refuting: it finds a conflict after every partial assignment that violates the
    /// constraint. Weak: it does not.
    pub propagation: Propagation,
    /// The auxiliary variables under every complete assignment.
    pub auxiliaries: Auxiliaries,
    /// The number of literals that follow from a partial assignment, over all of them; a conflict counts as one.
    pub implied: u64,
    /// The number of those that unit propagation misses.
    pub missed: u64,
    /// An assignment that is wrongly allowed or forbidden, a bit for each input.
    pub wrong: Option<u32>,
}

impl ConstraintProfile {
    /// The profile of a sum that the encoder accepts.
    ///
    /// # Panics
    ///
    /// When there are more than [`MAX_INPUTS`] inputs.
    pub fn of_sum(encoder: &dyn AtMostOne, sum: &SumLimit) -> Self {
        let [profile] = Self::given(&Clauses::of_sum(encoder, sum), sum.weights.len(), [(0, 0)]);
        profile
    }

    /// The profile of at most, at least or exactly k of n literals.
    ///
    /// # Panics
    ///
    /// When there are more than [`MAX_INPUTS`] literals.
    pub fn of_bound(encoder: &dyn AtMostK, limit: Limit, n: u32, k: u64) -> Self {
        let encode = |xs: &[Lit], out: &mut Formula| limit.encode(encoder, xs, k, out);
        let is_right = |held: u32| limit.allows(held.count_ones().into(), k);
        let clauses = Clauses::new(n as usize, encode, is_right);
        let [profile] = Self::given(&clauses, n as usize, [(0, 0)]);
        profile
    }

    /// The profiles of r → Σ wᵢ·xᵢ ≤ b over all partial assignments of the inputs: while r is open, if r is true, and if r
    /// is false. This is one sum, Σ wᵢ·xᵢ + (W − b)·r ≤ W, where W is the sum of the weights. While r is open, what
    /// follows is ¬r, if the bound is violated.
    ///
    /// # Panics
    ///
    /// When there are [`MAX_INPUTS`] inputs or more, or the sum is not at most.
    pub fn under_condition(encoder: &dyn AtMostOne, sum: &SumLimit) -> [Self; 3] {
        assert_eq!(sum.limit, Limit::AtMost, "the sum is at most");
        let (n, all) = (sum.weights.len(), sum.weights.iter().sum::<u64>());
        let weights = sum.weights.iter().copied().chain([all - sum.bound]).collect();
        let conditional = SumLimit { weights, limit: Limit::AtMost, bound: all };
        let given = [(0, 0), (1 << n, 0), (0, 1 << n)];
        Self::given(&Clauses::of_sum(encoder, &conditional), n, given)
    }

    /// The profiles over the partial assignments of the first inputs, with further ones that hold or do not.
    fn given<const N: usize>(clauses: &Clauses, first: usize, given: [(u32, u32); N]) -> [Self; N] {
        let (wrong, is_defined) = clauses.compared(2);
        let auxiliaries = match clauses.formula.variables() > clauses.xs.len() as u32 {
            true if is_defined => Auxiliaries::Defined,
            true => Auxiliaries::Free,
            false => Auxiliaries::None,
        };
        let mut propagator = Propagator::new(&clauses.formula);
        given.map(|(on, off)| {
            let propagation = Propagation::Complete;
            let mut profile = Self { propagation, auxiliaries, implied: 0, missed: 0, wrong };
            let before = propagator.trail().len();
            let mut partial = PartialInputs {
                right: clauses.right.clone(),
                known: 0,
                is_conflict: propagator.is_refuted(),
            };
            for input in first..clauses.xs.len() {
                for (bits, is_on) in [(on, true), (off, false)] {
                    if bits >> input & 1 == 1 {
                        partial = partial.with(input, is_on, &clauses.xs, &mut propagator);
                    }
                }
            }
            profile.take_partials(&mut propagator, &clauses.xs, 0..first, &partial);
            propagator.undo(before);
            profile
        })
    }

    /// Visits all partial assignments in which these inputs are decided or left open, and the others are as they are.
    fn take_partials(
        &mut self,
        propagator: &mut Propagator,
        xs: &[Lit],
        mut inputs: Range<usize>,
        partial: &PartialInputs,
    ) {
        let Some(input) = inputs.next() else {
            self.take_partial(propagator, xs, partial);
            return;
        };
        self.take_partials(propagator, xs, inputs.clone(), partial);
        for is_on in [true, false] {
            let before = propagator.trail().len();
            let partial = partial.with(input, is_on, xs, propagator);
            self.take_partials(propagator, xs, inputs.clone(), &partial);
            propagator.undo(before);
        }
    }

    fn take_partial(&mut self, propagator: &Propagator, xs: &[Lit], partial: &PartialInputs) {
        let PartialInputs { right, known, is_conflict, .. } = partial;
        if right.is_empty() {
            self.implied += 1;
            if !is_conflict {
                self.missed += 1;
                self.propagation = Propagation::Weak;
            }
        } else if !is_conflict {
            // The inputs that hold in all right assignments, and those that hold in none.
            let all = right.iter().fold(u32::MAX, |all, held| all & held);
            let none = right.iter().fold(u32::MAX, |none, held| none & !held);
            for (at, &x) in (0..).zip(xs).filter(|(at, _)| known >> at & 1 == 0) {
                let follows = if all >> at & 1 == 1 {
                    propagator.holds(x)
                } else if none >> at & 1 == 1 {
                    propagator.holds(!x)
                } else {
                    continue;
                };
                self.implied += 1;
                self.missed += u64::from(!follows);
            }
            if self.missed > 0 {
                self.propagation = self.propagation.max(Propagation::Refuting);
            }
        }
    }
}

/// A partial assignment of inputs, after unit propagation.
struct PartialInputs {
    /// The right assignments that agree with it.
    right: Vec<u32>,
    /// The inputs that are known.
    known: u32,
    /// True if unit propagation ended in a conflict.
    is_conflict: bool,
}

impl PartialInputs {
    /// Returns the partial assignment with one more input, and propagates it.
    fn with(&self, input: usize, is_on: bool, xs: &[Lit], propagator: &mut Propagator) -> Self {
        let lit = if is_on { xs[input] } else { !xs[input] };
        let right = self.right.iter().copied().filter(|held| (held >> input & 1 == 1) == is_on);
        Self {
            right: right.collect(),
            known: self.known | 1 << input,
            is_conflict: self.is_conflict || propagator.assume(lit).is_err(),
        }
    }
}

/// The profiles of an encoder on several constraints, put together.
#[derive(Clone, Copy, Debug)]
pub struct ProfileSummary {
    /// The number of constraints with each strength of unit propagation: complete, refuting, weak.
    pub numbers: [usize; 3],
    /// The share of implied literals and conflicts that unit propagation misses, the mean over the constraints.
    pub missed: f64,
    /// The auxiliary variables.
    pub auxiliaries: Auxiliaries,
}

impl ProfileSummary {
    /// Puts profiles together.
    ///
    /// # Panics
    ///
    /// When there are none.
    pub fn of(profiles: &[ConstraintProfile]) -> Self {
        let number =
            |strength| profiles.iter().filter(|profile| profile.propagation == strength).count();
        let share =
            |profile: &ConstraintProfile| profile.missed as f64 / profile.implied.max(1) as f64;
        let auxiliaries = Auxiliaries::of_all(profiles.iter().map(|profile| profile.auxiliaries));
        Self {
            numbers: [Propagation::Complete, Propagation::Refuting, Propagation::Weak].map(number),
            missed: profiles.iter().map(share).sum::<f64>() / profiles.len() as f64,
            auxiliaries: auxiliaries.expect("there are profiles"),
        }
    }

    /// The contradiction to the properties that an encoder declares, if there is one. An encoder that declares bounds of
    /// its properties may have better ones.
    pub fn contradiction(&self, declared: &EncodingInfo) -> Option<String> {
        let auxiliaries = (self.auxiliaries, declared.auxiliaries);
        let differs = !declared.bounds && auxiliaries.0 != auxiliaries.1;
        let differs = differs.then(|| {
            format!("auxiliary variables {}, and `{}` is declared", auxiliaries.0, auxiliaries.1)
        });
        let is_stronger = !declared.bounds && self.weakest() < declared.propagation;
        let stronger = is_stronger.then(|| contrast(self.weakest(), declared));
        weaker(self.weakest(), declared).or(stronger).or(differs)
    }

    /// The weakest propagation.
    pub fn weakest(&self) -> Propagation {
        match self.numbers {
            [_, 0, 0] => Propagation::Complete,
            [_, _, 0] => Propagation::Refuting,
            _ => Propagation::Weak,
        }
    }
}

/// The contradiction if computed propagation is weaker than an encoder declares.
pub fn weaker(computed: Propagation, declared: &EncodingInfo) -> Option<String> {
    (computed > declared.propagation).then(|| contrast(computed, declared))
}

fn contrast(computed: Propagation, declared: &EncodingInfo) -> String {
    format!("propagation {computed}, and `{}` is declared", declared.propagation)
}

/// True if a function of the catalogue has five inputs, each with a weight up to the bound.
pub fn has_five_inputs(sum: &SumLimit) -> bool {
    sum.weights.len() == 5 && sum.weights.iter().all(|&weight| weight <= sum.bound)
}
