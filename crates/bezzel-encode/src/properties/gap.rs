//! The smallest case in which unit propagation misses a consequence.
//!
//! Partial assignments are tried by the number of known cells, so the first that shows a missed consequence is a
//! smallest one. Not all 3ᵏ need a test. A cell that unit propagation knows already adds nothing. Two partial
//! assignments from which it knows the same cells have the same extensions. The search therefore goes from one closed
//! assignment to the next, which is as good as trying all: a consequence of a skipped assignment is also one of its
//! closure under unit propagation. A gap of a closed assignment alone is possible, since the assignments that led to it
//! imply less line by line than unit propagation knows. Such a gap is returned only if there is no smaller one.
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
pub struct Gap {
    /// The known cells.
    pub given: PartialAssignment,
    /// An implied cell with its value; none where no completion exists and unit propagation finds no conflict.
    pub missed: Option<(u32, bool)>,
}

/// The end of a search for a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapSearchResult {
    /// Unit propagation finds every consequence.
    Complete,
    /// It misses a consequence here, and none where fewer cells are known.
    Gap(Gap),
    /// No consequence was missed when the search reached its limit of cases. It had tried all with at most this number
    /// of known cells.
    Unfinished(u32),
}

/// The smallest gap, in at most `cases` cases. `implied` returns the implied cells, or none if no completion exists.
pub fn smallest(
    subject: &mut ExaminedFormula,
    implied: impl Fn(PartialAssignment) -> Option<PartialAssignment>,
    cases: usize,
) -> GapSearchResult {
    let cells = subject.cells();
    // The gap after `given`, after which propagation knows the cells of `known`; none if it misses nothing.
    let gap = |given: PartialAssignment, known: PartialAssignment| {
        let Some(implied) = implied(given) else { return Some(Gap { given, missed: None }) };
        let missed = implied.beyond(known);
        let cell = each(missed.known()).next()?;
        Some(Gap { given, missed: Some((cell, missed.on >> cell & 1 == 1)) })
    };
    let mut seen = HashSet::new();
    let mut level = vec![PartialAssignment::default()];
    let mut closed: Option<Gap> = None;
    for known_cells in 0_u32.. {
        if level.is_empty() || closed.is_some_and(|gap| gap.given.count() <= known_cells) {
            break;
        }
        let mut next = Vec::new();
        for given in level {
            let Some(known) = subject.propagate(given) else { continue };
            if !seen.insert(known) {
                continue;
            }
            if let Some(gap) = gap(given, known) {
                return GapSearchResult::Gap(gap);
            }
            let of_closed = gap(known, known).into_iter().chain(closed);
            closed = of_closed.min_by_key(|gap| gap.given.count());
            if seen.len() > cases {
                let unfinished = GapSearchResult::Unfinished(known_cells.saturating_sub(1));
                return closed.map_or(unfinished, GapSearchResult::Gap);
            }
            for cell in (0..cells).filter(|cell| known.known() >> cell & 1 == 0) {
                next.extend([true, false].map(|is_on| given.with(cell, is_on)));
            }
        }
        level = next;
    }
    closed.map_or(GapSearchResult::Complete, GapSearchResult::Gap)
}

/// A set of cells, one bit for each; there are at most 128.
pub type CellSet = u128;

/// Cells that are on and cells that are off; the others are unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PartialAssignment {
    /// The cells that are on.
    pub on: CellSet,
    /// The cells that are off.
    pub off: CellSet,
}

impl PartialAssignment {
    /// The same with one more cell known.
    #[must_use]
    pub fn with(self, cell: u32, is_on: bool) -> Self {
        let bit = 1 << cell;
        if is_on {
            Self { on: self.on | bit, ..self }
        } else {
            Self { off: self.off | bit, ..self }
        }
    }

    /// The known cells.
    pub fn known(self) -> CellSet {
        self.on | self.off
    }

    /// The number of known cells.
    pub fn count(self) -> u32 {
        self.known().count_ones()
    }

    /// The cells known in both.
    #[must_use]
    pub fn common(self, other: Self) -> Self {
        Self { on: self.on & other.on, off: self.off & other.off }
    }

    /// The cells known here and not in `other`.
    #[must_use]
    pub fn beyond(self, other: Self) -> Self {
        Self { on: self.on & !other.on, off: self.off & !other.off }
    }
}

/// The numbers of the cells of a set, in order.
pub fn each(mut cells: CellSet) -> impl Iterator<Item = u32> {
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

    /// The number of cells.
    pub fn cells(&self) -> u32 {
        self.on.len() as u32
    }

    /// The cells that unit propagation finds once these are known; none if that is a
    /// conflict.
    pub fn propagate(&mut self, partial: PartialAssignment) -> Option<PartialAssignment> {
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
        let steps = steps + u64::from(self.decider.propagator().variables());
        Ok(self.decider.models(&lits, 1, steps)? > 0)
    }
}

/// Every right assignment of the cells, by the cells that are on.
pub struct SolutionSet(pub Vec<CellSet>);

impl SolutionSet {
    /// The cells that all solutions which agree with `partial` have in common; none without a solution.
    pub fn implied(&self, partial: PartialAssignment, cells: u32) -> Option<PartialAssignment> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Formula;
    use crate::sink::ClauseSink;

    #[test]
    fn an_implication_that_only_a_closed_assignment_shows_to_be_missing_is_found() {
        // In the formula the first cell implies the second; only both together imply the third.
        let mut formula = Formula::new();
        let cells = formula.fresh(3);
        formula.clause(&[!cells.lit(0), cells.lit(1)]);
        let lits = [0, 1, 2].map(|cell| cells.lit(cell));
        let mut subject = ExaminedFormula::new(&formula, lits.chunks(1));
        let implied = |given: PartialAssignment| {
            let both = given.on & 0b11 == 0b11;
            Some(if both { PartialAssignment { on: given.on | 0b100, ..given } } else { given })
        };
        let found = smallest(&mut subject, implied, usize::MAX);
        let given = PartialAssignment { on: 0b11, off: 0 };
        assert_eq!(found, GapSearchResult::Gap(Gap { given, missed: Some((2, true)) }));
    }
}
