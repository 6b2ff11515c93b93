//! Meanings of the variables of a group of whose inputs at most one holds, or at most one does not.
//!
//! The inputs have a case for each of them, and one more. In each case that the bounds allow a search finds values of the
//! auxiliary variables. So each variable, or its negation, says that one of some inputs holds. Every clause follows from one
//! sum of such definitions and of the bounds: if p of its literals say that one of some inputs does not hold, each input
//! keeps at most p − 1 of these, so p − 1 times the bound is a contradiction.

use std::rc::Rc;

use rustsat::types::Lit;

use super::counts::Counts;
use super::definition::model;
use super::group::{Bound, Group};
use super::proof::Proof;
use crate::propagate::Propagator;

/// The most values of variables that are kept.
const MAX_VALUES: u64 = 1 << 28;

/// The lines of the clauses; none, with nothing written, if the bounds are others or a clause is wrong.
pub(super) fn derive(group: &Group<'_>, proof: &mut Proof) -> Option<Vec<u64>> {
    let &Group { formula, inputs, premises, guard } = group;
    let own = group.own();
    let of_one = premises.iter().find(|premise| {
        let terms = premise.terms.iter().filter(|(lit, _)| lit.vidx32() < own);
        premise.degree + 1 == own.into()
            && terms.clone().count() == own as usize
            && terms.clone().all(|&(_, weight)| weight == 1)
    })?;
    let is_negated = of_one.terms.first()?.0.is_pos();
    if u64::from(own) * u64::from(formula.variables()) > MAX_VALUES {
        return None;
    }
    let mut propagator = Propagator::new(formula);
    let (mut values, mut cases) = (Vec::new(), Vec::new());
    for case in std::iter::once(None).chain((0..own).map(Some)) {
        let of_case = |input| Lit::new(input, (Some(input) == case) == is_negated);
        if !group.allows(|lit| of_case(lit.vidx32()) == lit) {
            continue;
        }
        let given = (0..own).map(of_case).chain(guard.map(|guard| !guard));
        values.push(model(&mut propagator, given, inputs, formula.variables()).ok()??);
        cases.push(case);
    }
    let meaning = |number: usize| {
        // Without an input all is as the negation has it.
        let at_none = cases[0].is_none() && values[0][number];
        let of_this = cases.iter().zip(&values).filter(|(_, values)| values[number] != at_none);
        let terms: Rc<[(u32, u64)]> = of_this.filter_map(|(case, _)| Some(((*case)?, 1))).collect();
        let lit = Lit::new(inputs + number as u32, at_none);
        Some((lit, Bound { is_negated, terms, least: 1, place: 1 }))
    };
    let meanings = (0..(formula.variables() - inputs) as usize).map(meaning).collect();
    Counts { weights: &vec![1; inputs as usize], by_places: false, meanings }.derive(group, proof)
}
