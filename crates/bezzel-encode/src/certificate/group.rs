//! A group: its clauses and its bounds, and lower bounds on sums of its inputs.

use std::rc::Rc;

use rustsat::types::Lit;

use crate::formula::Formula;

/// A bound of a group, as a line of the proof: the weights of literals that hold are at least `degree`.
#[derive(Clone, Debug)]
pub struct Premise {
    /// The number of the line.
    pub id: u64,
    /// The literals with their weights. Each input is in at most one of them.
    pub terms: Vec<(Lit, u64)>,
    /// The least weight.
    pub degree: u64,
}

/// The clauses of a group, each without repeated literals, and its bounds. The first variables are the inputs.
#[derive(Clone, Copy)]
pub(super) struct Group<'a> {
    pub(super) formula: &'a Formula,
    pub(super) inputs: u32,
    pub(super) premises: &'a [Premise],
    /// A literal that each clause may have in addition: the last input.
    pub(super) guard: Option<Lit>,
}

impl Group<'_> {
    /// The number of inputs without the guard.
    pub(super) fn own(&self) -> u32 {
        self.inputs - u32::from(self.guard.is_some())
    }

    /// True if the bounds allow an assignment of the inputs, where the guard does not hold.
    pub(super) fn allows(&self, holds: impl Fn(Lit) -> bool) -> bool {
        self.premises.iter().all(|premise| {
            let terms = premise.terms.iter().filter(|(lit, _)| Some(*lit) != self.guard);
            terms.filter(|(lit, _)| holds(*lit)).map(|(_, weight)| weight).sum::<u64>()
                >= premise.degree
        })
    }
}

/// A lower bound on the weights of inputs that hold, or of inputs that do not hold.
#[derive(Clone)]
pub(super) struct Bound {
    pub(super) is_negated: bool,
    /// The inputs with their weights, in their order.
    pub(super) terms: Rc<[(u32, u64)]>,
    pub(super) least: u64,
    /// The place of the highest digit that is counted; 1 if there is one digit.
    pub(super) place: u64,
}

impl Bound {
    /// True if no inputs reach it.
    pub(super) fn is_never(&self) -> bool {
        self.least > self.total()
    }

    /// The weights of all of its inputs.
    pub(super) fn total(&self) -> u64 {
        self.terms.iter().map(|(_, weight)| weight).sum()
    }

    /// A bound that no inputs reach.
    pub(super) fn never() -> Self {
        Self { is_negated: false, terms: Rc::from([]), least: 1, place: 1 }
    }
}
