//! The formulas that an external program printed for constraints on some inputs.
//!
//! *Idea.* A program in any language encodes. It runs before formulas are made, where a failure can be reported, and its
//! output is kept. Encoding replays the record: the first n variables are the inputs, the others become new ones.
//!
//! *Size, propagation, models.* Those of the record. Nothing is declared, so the checks compute them.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustsat::types::Lit;

use super::AtMostOne;
use crate::bound::{AtMostK, AtMostSum, Limit};
use crate::formula::Formula;
use crate::info::EncodingInfo;
use crate::sink::ClauseSink;
use crate::size::Size;

/// Formulas by their numbers of inputs and by k.
pub type Formulas = BTreeMap<(u64, u64), Arc<Formula>>;

/// Formulas by the weights of their inputs and by the bound.
pub type SumFormulas = BTreeMap<(Vec<u64>, u64), Arc<Formula>>;

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct RecordedAtMostOne {
    info: EncodingInfo,
    formulas: BTreeMap<(u64, u64), (Arc<Formula>, Size)>,
    takes_bounds: bool,
    sums: Option<SumFormulas>,
}

impl RecordedAtMostOne {
    /// The record of at most k for some numbers n of inputs and some k, under its info. The inputs are the first
    /// variables of each formula. If it takes bounds, it has formulas for 1 ≤ k < n alone.
    ///
    /// # Panics
    ///
    /// When a formula has fewer variables than inputs.
    pub fn new(info: EncodingInfo, formulas: Formulas, takes_bounds: bool) -> Self {
        let measured = |((inputs, k), formula): ((u64, u64), Arc<Formula>)| {
            assert!(u64::from(formula.variables()) >= inputs, "the inputs are variables");
            let size = added(&formula, inputs);
            ((inputs, k), (formula, size))
        };
        let formulas = formulas.into_iter().map(measured).collect();
        Self { info, formulas, takes_bounds, sums: None }
    }

    /// This record, which takes weighted sums, too. A formula has as many variables as weights, or more.
    #[must_use]
    pub fn with_sums(self, sums: SumFormulas) -> Self {
        Self { sums: Some(sums), ..self }
    }

    fn size_of(&self, n: u64, k: u64) -> Option<Size> {
        self.formulas.get(&(n, k)).map(|(_, size)| *size)
    }

    /// Writes the formula that is recorded for these inputs.
    ///
    /// # Panics
    ///
    /// When there is none: the program was not asked for it.
    fn replay(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        let Some((formula, _)) = self.formulas.get(&(xs.len() as u64, k)) else {
            panic!("`{}` is not recorded for at most {k} of {} inputs", self.info.id, xs.len());
        };
        write(formula, xs, out);
    }
}

/// The size of a formula without its inputs.
fn added(formula: &Formula, inputs: u64) -> Size {
    let Size { variables, clauses, literals } = formula.size();
    Size::new(variables - u128::from(inputs), clauses, literals)
}

/// Writes a formula, whose first variables are the inputs.
fn write(formula: &Formula, xs: &[Lit], out: &mut dyn ClauseSink) {
    let inputs = xs.len() as u32;
    let auxiliaries = match formula.variables() - inputs {
        0 => 0,
        made => out.fresh(made).start(),
    };
    let mut clause = Vec::new();
    for lits in formula.clauses() {
        clause.clear();
        clause.extend(lits.iter().map(|lit| match xs.get(lit.vidx()) {
            Some(&x) if lit.is_neg() => !x,
            Some(&x) => x,
            None => Lit::new(auxiliaries + (lit.vidx32() - inputs), lit.is_neg()),
        }));
        out.clause(&clause);
    }
}

impl AtMostOne for RecordedAtMostOne {
    fn info(&self) -> EncodingInfo {
        self.info.clone()
    }

    fn size(&self, n: u64) -> Option<Size> {
        if self.takes_bounds { Limit::AtMost.size(self, n, 1) } else { self.size_of(n, 1) }
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        if self.takes_bounds {
            Limit::AtMost.encode(self, xs, 1, out);
        } else {
            self.replay(xs, 1, out);
        }
    }

    fn of_bounds(&self) -> Option<&dyn AtMostK> {
        self.takes_bounds.then_some(self as _)
    }

    fn of_sums(&self) -> Option<&dyn AtMostSum> {
        self.sums.is_some().then_some(self as _)
    }
}

impl AtMostK for RecordedAtMostOne {
    fn about(&self) -> EncodingInfo {
        self.info.clone()
    }

    fn at_most_size(&self, n: u64, k: u64) -> Option<Size> {
        self.size_of(n, k)
    }

    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        self.replay(xs, k, out);
    }
}

impl RecordedAtMostOne {
    fn sum(&self, weights: &[u64], bound: u64) -> Option<&Arc<Formula>> {
        self.sums.as_ref()?.get(&(weights.to_vec(), bound))
    }
}

/// A sum that is not recorded is refused.
impl AtMostSum for RecordedAtMostOne {
    fn about(&self) -> EncodingInfo {
        self.info.clone()
    }

    fn size(&self, weights: &[u64], bound: u64) -> Option<Size> {
        Some(added(self.sum(weights, bound)?, weights.len() as u64))
    }

    fn at_most(&self, xs: &[Lit], weights: &[u64], bound: u64, out: &mut dyn ClauseSink) {
        write(self.sum(weights, bound).expect("`size` accepts it"), xs, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amo::sequential_counter::SequentialCounter;

    /// Another encoding, recorded for each n up to `max`, with k = 1 or with all 1 ≤ k < n.
    fn recorded(max: u64, takes_bounds: bool) -> RecordedAtMostOne {
        let mut formulas = Formulas::new();
        for n in 0..=max {
            let bounds = if takes_bounds { 1..n } else { 1..2 };
            for k in bounds {
                let mut formula = Formula::new();
                let xs: Vec<Lit> = formula.fresh(n as u32).lits().collect();
                Limit::AtMost.encode(&SequentialCounter, &xs, k, &mut formula);
                formulas.insert((n, k), Arc::new(formula));
            }
        }
        RecordedAtMostOne::new(AtMostOne::info(&SequentialCounter), formulas, takes_bounds)
    }

    #[test]
    fn a_record_is_replayed_on_any_inputs() {
        for takes_bounds in [false, true] {
            let recorded = recorded(9, takes_bounds);
            for n in 0..=9 {
                let mut formulas = [Formula::new(), Formula::new()];
                let encodings: [&dyn AtMostOne; 2] = [&recorded, &SequentialCounter];
                for (formula, encoding) in formulas.iter_mut().zip(encodings) {
                    let lits = formula.fresh(n + 3).lits().skip(2).take(n as usize);
                    let xs: Vec<Lit> =
                        lits.enumerate().map(|(i, x)| if i == 1 { !x } else { x }).collect();
                    encoding.encode(&xs, formula);
                    encoding.encode(&xs, formula);
                }
                assert_eq!(formulas[0], formulas[1]);
                assert_eq!(AtMostOne::size(&recorded, n.into()), SequentialCounter.size(n.into()));
            }
        }
        assert_eq!(AtMostOne::size(&recorded(9, false), 10), None);
    }

    #[test]
    fn a_record_takes_bounds_if_it_has_them() {
        assert!(recorded(2, false).of_bounds().is_none());
        let recorded = recorded(6, true);
        let encoders: [&dyn AtMostK; 2] = [recorded.of_bounds().unwrap(), &SequentialCounter];
        for (limit, n, k) in Limit::ALL
            .into_iter()
            .flat_map(|limit| (0..=6).flat_map(move |n| (0..=7).map(move |k| (limit, n, k))))
        {
            let formulas = encoders.map(|encoder| {
                let mut formula = Formula::new();
                let xs: Vec<Lit> = formula.fresh(n).lits().collect();
                limit.encode(encoder, &xs, k, &mut formula);
                formula
            });
            assert_eq!(formulas[0], formulas[1], "{limit} {k} of {n}");
            let sizes = encoders.map(|encoder| limit.size(encoder, n.into(), k));
            assert_eq!(sizes[0], sizes[1], "{limit} {k} of {n}");
        }
    }

    #[test]
    #[should_panic(expected = "is not recorded for at most 1 of 3 inputs")]
    fn a_missing_record_is_not_made_up() {
        let mut formula = Formula::new();
        let xs: Vec<Lit> = formula.fresh(3).lits().collect();
        recorded(2, false).encode(&xs, &mut formula);
    }
}
