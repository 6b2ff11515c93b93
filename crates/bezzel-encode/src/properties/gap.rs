//! The smallest case in which unit propagation misses a consequence.
//!
//! Partial assignments are tried by the number of known cells, so the first that shows a missed consequence is a
//! smallest one. Not all 3ᵏ need a test. A cell that unit propagation knows already adds nothing. Two partial
//! assignments from which it knows the same cells have the same extensions. The search therefore goes from one closed
//! assignment to the next, which is as good as trying all: a consequence of a skipped assignment is also one of its
//! closure under unit propagation.
//!
//! The formula has cells as queries: the inputs of a group, or the candidates of a problem. A cell is on when all literals of
//! its cube hold, and off when one fails. Where a cube has several literals, 'off' is a clause and no literal; the
//! formula then gets a switch for each cell, which activates this clause as an excluded candidate would.

use std::collections::HashSet;

use rustsat::types::Lit;

use crate::formula::Formula;
use crate::info::Propagation;
use crate::models::{Decider, OutOfSteps};
use crate::propagate::Propagator;
use crate::sink::ClauseSink;
use crate::var_map::VarMap;

/// A partial assignment after which unit propagation misses a consequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    /// The known cells.
    pub(super) given: PartialAssignment,
    /// An implied cell with its value; none where no completion exists and unit propagation finds no conflict.
    pub(super) missed: Option<(u32, bool)>,
}

/// The smallest partial assignment after which unit propagation misses what all solutions have in common.
pub(super) fn smallest(subject: &mut ExaminedFormula, solutions: &SolutionSet) -> Option<Gap> {
    let cells = subject.on.len() as u32;
    let mut seen = HashSet::new();
    let mut level = vec![PartialAssignment::default()];
    while !level.is_empty() {
        let mut next = Vec::new();
        for given in level {
            let Some(known) = subject.propagate(given) else { continue };
            if !seen.insert(known) {
                continue;
            }
            let Some(implied) = solutions.implied(given, cells) else {
                return Some(Gap { given, missed: None });
            };
            let missed_on = implied.on & !known.on;
            if let Some(cell) = each(missed_on | implied.off & !known.off).next() {
                return Some(Gap { given, missed: Some((cell, missed_on >> cell & 1 == 1)) });
            }
            for cell in (0..cells).filter(|cell| known.known() >> cell & 1 == 0) {
                next.extend([true, false].map(|is_on| given.with(cell, is_on)));
            }
        }
        level = next;
    }
    None
}

/// A set of cells, one bit for each; there are at most 128.
pub(super) type CellSet = u128;

/// Cells that are on and cells that are off; the others are unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct PartialAssignment {
    /// The cells that are on.
    pub(super) on: CellSet,
    /// The cells that are off.
    pub(super) off: CellSet,
}

impl PartialAssignment {
    /// The same with one more cell known.
    #[must_use]
    fn with(self, cell: u32, is_on: bool) -> Self {
        let bit = 1 << cell;
        if is_on {
            Self { on: self.on | bit, ..self }
        } else {
            Self { off: self.off | bit, ..self }
        }
    }

    /// The known cells.
    fn known(self) -> CellSet {
        self.on | self.off
    }
}

/// The numbers of the cells of a set, in order.
fn each(mut cells: CellSet) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let cell = (cells != 0).then(|| cells.trailing_zeros())?;
        cells &= cells - 1;
        Some(cell)
    })
}

/// A formula and the cubes of its cells.
pub struct ExaminedFormula {
    decider: Decider,
    on: Vec<Vec<Lit>>,
    off: Vec<Lit>,
}

impl ExaminedFormula {
    /// The formula, whose cells are these cubes.
    pub fn new<'a>(formula: &Formula, cubes: impl Iterator<Item = &'a [Lit]>) -> Self {
        let on: Vec<Vec<Lit>> = cubes.map(<[Lit]>::to_vec).collect();
        let mut formula = formula.clone();
        // Clauses may name variables that were never made: switches come after all of them.
        let named = formula.clauses().flatten().map(|lit| lit.vidx32() + 1).max().unwrap_or(0);
        let named = on.iter().flatten().map(|lit| lit.vidx32() + 1).fold(named, u32::max);
        formula.fresh(named.saturating_sub(formula.variables()));
        let off = on.iter().map(|cube| {
            if let [lit] = cube[..] {
                return !lit;
            }
            let switch = formula.fresh(1).lit(0);
            let clause: Vec<Lit> =
                std::iter::once(!switch).chain(cube.iter().map(|&lit| !lit)).collect();
            formula.clause(&clause);
            switch
        });
        let off = off.collect();
        Self { decider: Decider::new(&formula), on, off }
    }

    /// The formula of a problem, whose cells are the candidates.
    pub fn of_problem(formula: &Formula, map: &VarMap) -> Self {
        Self::new(formula, map.cubes())
    }

    /// The cells that unit propagation finds once these are known; none if that is a
    /// conflict.
    fn propagate(&mut self, partial: PartialAssignment) -> Option<PartialAssignment> {
        let Self { decider, on, off } = self;
        let propagator = decider.propagator();
        let before = propagator.trail().len();
        let known = (|| {
            if propagator.is_refuted() {
                return None;
            }
            for cell in each(partial.on) {
                for &lit in &on[cell as usize] {
                    propagator.assume(lit).ok()?;
                }
            }
            for cell in each(partial.off) {
                propagator.assume(off[cell as usize]).ok()?;
            }
            let mut known = partial;
            for (cell, (cube, &off)) in (0..).zip(on.iter().zip(&*off)) {
                if cube.iter().all(|&lit| propagator.holds(lit)) {
                    known.on |= 1 << cell;
                } else if propagator.holds(off) || cube.iter().any(|&lit| propagator.fails(lit)) {
                    known.off |= 1 << cell;
                }
            }
            Some(known)
        })();
        propagator.undo(before);
        known
    }

    /// True if some model has exactly the cells of `is_on` on, decided in `steps` steps and one more
    /// for each variable.
    ///
    /// # Errors
    ///
    /// When the steps did not suffice.
    pub fn allows(
        &mut self,
        is_on: impl Fn(usize) -> bool,
        steps: u64,
    ) -> Result<bool, OutOfSteps> {
        let mut lits = Vec::new();
        for (cell, (cube, &off)) in self.on.iter().zip(&self.off).enumerate() {
            if is_on(cell) {
                lits.extend_from_slice(cube);
            } else {
                lits.push(off);
            }
        }
        if steps == 0 {
            return self.decider.descends(&lits);
        }
        let steps = steps + u64::from(self.decider.propagator().variables());
        Ok(self.decider.models(&lits, 1, steps)? > 0)
    }
}

/// Every right assignment of the cells, by the cells that are on.
pub(super) struct SolutionSet(pub(super) Vec<CellSet>);

impl SolutionSet {
    /// The cells that all solutions which agree with `partial` have in common; none without a solution.
    fn implied(&self, partial: PartialAssignment, cells: u32) -> Option<PartialAssignment> {
        let agree = self.0.iter().filter(|&&solution| {
            solution & partial.on == partial.on && solution & partial.off == 0
        });
        let all = if cells == 128 { CellSet::MAX } else { (1 << cells) - 1 };
        let (on, some) = agree.fold((CellSet::MAX, None), |(on, some), &solution| {
            (on & solution, Some(some.unwrap_or(0) | solution))
        });
        some.map(|some| PartialAssignment { on, off: all & !some })
    }
}

/// The strength of unit propagation on two cubes that exclude each other, once the first is true.
pub fn seen(propagator: &mut Propagator, first: &[Lit], second: &[Lit]) -> Propagation {
    let before = propagator.trail().len();
    let assume = |propagator: &mut Propagator, cube: &[Lit]| {
        cube.iter().try_for_each(|&lit| propagator.assume(lit))
    };
    // Cubes may be empty, so that nothing is assumed: a refuted formula excludes all.
    let refuted = propagator.is_refuted() || assume(propagator, first).is_err();
    let found = if refuted || second.iter().any(|&lit| propagator.fails(lit)) {
        Propagation::Complete
    } else if assume(propagator, second).is_err() {
        Propagation::Refuting
    } else {
        Propagation::Weak
    };
    propagator.undo(before);
    found
}
