//! The profile of an encoder at a weighted sum, and the catalogue of all small sums.
//!
//! There is no pair (n, k) for sums. But there are few threshold functions of few inputs, up to their order and
//! negation, and each has least weights: a catalogue of all of them is complete.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use rustsat::types::Lit;

use super::shapes::Counterexample;
use crate::amo::AtMostOne;
use crate::bound::Limit;
use crate::formula::Formula;
use crate::info::{Auxiliaries, Propagation};
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

/// The clauses of a sum, its inputs, and the right assignments, a bit for each input.
fn all_of(encoder: &dyn AtMostOne, sum: &SumLimit) -> (Formula, Vec<Lit>, Vec<u32>) {
    let n = sum.weights.len() as u32;
    assert!(n <= MAX_INPUTS, "all assignments of {n} inputs");
    let mut formula = Formula::new();
    let xs: Vec<Lit> = formula.fresh(n).lits().collect();
    sum.encode(encoder, &xs, &mut formula);
    let right = (0..1_u32 << n).filter(|&held| sum.allows(weigh(&sum.weights, held))).collect();
    (formula, xs, right)
}

/// An assignment of the inputs that is wrong, and true if each right one has one model. Models are counted up to
/// `limit`.
fn compared(formula: &Formula, xs: &[Lit], right: &[u32], limit: u128) -> (Option<u32>, bool) {
    let primary: Vec<_> = xs.iter().map(|lit| lit.var()).collect();
    let mut found: Vec<u32> = Vec::new();
    let mut is_defined = true;
    let _: ControlFlow<()> = models::each(formula, &primary, limit, |model, count| {
        found.push((0..).zip(xs).map(|(at, &x)| u32::from(model.holds(x)) << at).sum());
        is_defined &= count == 1;
        ControlFlow::Continue(())
    });
    let differs = |one: &[u32], other: &[u32]| {
        one.iter().copied().find(|held| other.binary_search(held).is_err())
    };
    found.sort_unstable();
    (differs(&found, right).or_else(|| differs(right, &found)), is_defined)
}

/// The first assignment that the clauses of a sum wrongly allow or forbid, by trying all of them. The encoder accepts
/// the sum.
///
/// # Panics
///
/// When there are more than [`MAX_INPUTS`] inputs.
pub fn wrong_assignment(encoder: &dyn AtMostOne, sum: &SumLimit) -> Option<u32> {
    let (formula, xs, right) = all_of(encoder, sum);
    compared(&formula, &xs, &right, 1).0
}

/// The properties of the clauses of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SumProfile {
    /// The strength of unit propagation after every partial assignment of the inputs.
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

impl SumProfile {
    /// Computes the profile over all partial assignments. The encoder accepts the sum.
    ///
    /// # Panics
    ///
    /// When there are more than [`MAX_INPUTS`] inputs.
    pub fn of(encoder: &dyn AtMostOne, sum: &SumLimit) -> Self {
        let [profile] = Self::given(encoder, sum, sum.weights.len(), [(0, 0)]);
        profile
    }

    /// Computes the profiles of r → Σ wᵢ·xᵢ ≤ b over all partial assignments of the inputs: while r is open, if r is true,
    /// and if r is false. This is one sum, Σ wᵢ·xᵢ + (W − b)·r ≤ W, where W is the sum of the weights. While r is open, what
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
        Self::given(encoder, &conditional, n, [(0, 0), (1 << n, 0), (0, 1 << n)])
    }

    /// The profiles over the partial assignments of the first inputs, with further ones that hold or do not.
    fn given<const N: usize>(
        encoder: &dyn AtMostOne,
        sum: &SumLimit,
        first: usize,
        given: [(u32, u32); N],
    ) -> [Self; N] {
        let (formula, xs, right) = all_of(encoder, sum);
        let mut propagator = Propagator::new(&formula);
        let mut of_models = Self {
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::None,
            implied: 0,
            missed: 0,
            wrong: None,
        };
        of_models.take_models(&formula, &xs, &right);
        given.map(|known| {
            let mut profile = of_models;
            profile.take_partials(&mut propagator, (&xs, first), &right, known, 0);
            profile
        })
    }

    fn take_models(&mut self, formula: &Formula, xs: &[Lit], right: &[u32]) {
        let (wrong, is_defined) = compared(formula, xs, right, 2);
        self.wrong = wrong;
        if formula.variables() > xs.len() as u32 {
            self.auxiliaries = if is_defined { Auxiliaries::Defined } else { Auxiliaries::Free };
        }
    }

    /// Visits all partial assignments of the first inputs in which those below `next` are decided or left open. `known` has
    /// the inputs that hold and those that do not.
    fn take_partials(
        &mut self,
        propagator: &mut Propagator,
        (xs, first): (&[Lit], usize),
        right: &[u32],
        known: (u32, u32),
        next: usize,
    ) {
        if next == first {
            self.take_partial(propagator, xs, right, known);
            return;
        }
        let bit = 1 << next;
        for (on, off) in [known, (known.0 | bit, known.1), (known.0, known.1 | bit)] {
            self.take_partials(propagator, (xs, first), right, (on, off), next + 1);
        }
    }

    fn take_partial(
        &mut self,
        propagator: &mut Propagator,
        xs: &[Lit],
        right: &[u32],
        (on, off): (u32, u32),
    ) {
        // The inputs that hold in all right assignments, and those that hold in none.
        let (mut all, mut none) = (u32::MAX, u32::MAX);
        let mut is_possible = false;
        for &held in right.iter().filter(|&&held| held & on == on && held & off == 0) {
            is_possible = true;
            (all, none) = (all & held, none & !held);
        }
        let length = propagator.trail().len();
        let assumed = (0..).zip(xs).filter(|(at, _)| (on | off) >> at & 1 == 1);
        let assumed = assumed.map(|(at, &x)| if on >> at & 1 == 1 { x } else { !x });
        let is_conflict = propagator.is_refuted()
            || assumed.into_iter().any(|lit| propagator.assume(lit).is_err());
        if !is_possible {
            self.implied += 1;
            if !is_conflict {
                self.missed += 1;
                self.propagation = Propagation::Weak;
            }
        } else if !is_conflict {
            let open = (0..).zip(xs).filter(|(at, _)| (on | off) >> at & 1 == 0);
            for (at, &x) in open {
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
        propagator.undo(length);
    }
}

/// The profiles of an encoder on several sums, put together.
#[derive(Clone, Copy, Debug)]
pub struct CatalogueProfile {
    /// The number of sums with each strength of unit propagation: complete, refuting, weak.
    pub numbers: [usize; 3],
    /// The share of implied literals and conflicts that unit propagation misses, the mean over the sums.
    pub missed: f64,
    /// The auxiliary variables.
    pub auxiliaries: Auxiliaries,
}

impl CatalogueProfile {
    /// Puts profiles together.
    ///
    /// # Panics
    ///
    /// When there are none.
    pub fn of(profiles: &[SumProfile]) -> Self {
        let number =
            |strength| profiles.iter().filter(|profile| profile.propagation == strength).count();
        let share = |profile: &SumProfile| profile.missed as f64 / profile.implied.max(1) as f64;
        let auxiliaries = Auxiliaries::of_all(profiles.iter().map(|profile| profile.auxiliaries));
        Self {
            numbers: [Propagation::Complete, Propagation::Refuting, Propagation::Weak].map(number),
            missed: profiles.iter().map(share).sum::<f64>() / profiles.len() as f64,
            auxiliaries: auxiliaries.expect("there are profiles"),
        }
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

/// True if a function of the catalogue has five inputs, each with a weight up to the bound.
pub fn has_five_inputs(sum: &SumLimit) -> bool {
    sum.weights.len() == 5 && sum.weights.iter().all(|&weight| weight <= sum.bound)
}
