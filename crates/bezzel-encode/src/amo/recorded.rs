//! What another program said: its formulas for so many inputs each, recorded.
//!
//! *Idea.* A program in any language encodes; it is run before, where that may fail, and what it
//! printed is kept. Encoding replays the record: the first n variables are the inputs, the others
//! become fresh ones.
//!
//! *Size, propagation, models.* Those of the record; nothing is promised, so the laws find out.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustsat::types::Lit;

use super::AtMostOne;
use crate::card::Card;
use crate::formula::Formula;
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct Recorded {
    card: Card,
    formulas: BTreeMap<u64, (Arc<Formula>, Size)>,
}

impl Recorded {
    /// The record under its card: a formula for each number of inputs, which are its first
    /// variables.
    ///
    /// # Panics
    ///
    /// When a formula has fewer variables than inputs.
    pub fn new(card: Card, formulas: BTreeMap<u64, Arc<Formula>>) -> Self {
        let measured = |(inputs, formula): (u64, Arc<Formula>)| {
            assert!(u64::from(formula.variables()) >= inputs, "the inputs are variables");
            let Size { variables, clauses, literals } = formula.size();
            let size = Size::new(variables - u128::from(inputs), clauses, literals);
            (inputs, (formula, size))
        };
        Self { card, formulas: formulas.into_iter().map(measured).collect() }
    }
}

impl AtMostOne for Recorded {
    fn card(&self) -> Card {
        self.card.clone()
    }

    fn size(&self, n: u64) -> Option<Size> {
        self.formulas.get(&n).map(|(_, size)| *size)
    }

    /// Replays the record.
    ///
    /// # Panics
    ///
    /// When there is none for so many inputs: whoever recorded did not ask for what is needed.
    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        let Some((formula, _)) = self.formulas.get(&(xs.len() as u64)) else {
            panic!("`{}` is not recorded for {} inputs", self.card.id, xs.len());
        };
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amo::sequential_counter::SequentialCounter;

    /// Another encoding, recorded.
    fn recorded(most: u64) -> Recorded {
        let record = |n: u64| {
            let mut formula = Formula::new();
            let xs: Vec<Lit> = formula.fresh(n as u32).lits().collect();
            SequentialCounter.encode(&xs, &mut formula);
            (n, Arc::new(formula))
        };
        Recorded::new(SequentialCounter.card(), (0..=most).map(record).collect())
    }

    #[test]
    fn a_record_says_on_any_inputs_what_was_recorded() {
        let recorded = recorded(9);
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
            assert_eq!(recorded.size(n.into()), SequentialCounter.size(n.into()));
        }
        assert_eq!(recorded.size(10), None);
    }

    #[test]
    #[should_panic(expected = "is not recorded for 3 inputs")]
    fn what_was_not_recorded_is_not_made_up() {
        let mut formula = Formula::new();
        let xs: Vec<Lit> = formula.fresh(3).lits().collect();
        recorded(2).encode(&xs, &mut formula);
    }
}
