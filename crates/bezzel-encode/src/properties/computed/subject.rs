//! A formula with cells as queries: the inputs of a line, or the squares of a board.
//!
//! A cell is on when all literals of its cube hold, and off when one fails. Where a cube has several literals, 'off' is
//! a clause and no literal; the formula then gets a switch for each cell, which activates this clause as a blocked
//! square of the board would.

use rustsat::types::Lit;

use crate::formula::Formula;
use crate::models::{Decider, OutOfSteps};
use crate::sink::ClauseSink;
use crate::var_map::VarMap;

/// A set of cells, one bit for each; there are at most 128.
pub(super) type CellSet = u128;

/// Cells that are on and cells that are off; the others are unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct PartialAssignment {
    pub(super) on: CellSet,
    pub(super) off: CellSet,
}

impl PartialAssignment {
    /// The same with one more cell known.
    pub(super) fn with(self, cell: u32, is_on: bool) -> Self {
        let bit = 1 << cell;
        if is_on {
            Self { on: self.on | bit, ..self }
        } else {
            Self { off: self.off | bit, ..self }
        }
    }

    /// The known cells.
    pub(super) fn known(self) -> CellSet {
        self.on | self.off
    }

    /// The number of known cells.
    pub(super) fn len(self) -> u32 {
        self.known().count_ones()
    }

    /// The cells known in both.
    pub(super) fn common(self, other: Self) -> Self {
        Self { on: self.on & other.on, off: self.off & other.off }
    }

    /// The cells known here and not in `other`.
    pub(super) fn beyond(self, other: Self) -> Self {
        Self { on: self.on & !other.on, off: self.off & !other.off }
    }
}

/// The numbers of the cells of a set, in order.
pub(super) fn each(mut cells: CellSet) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let cell = (cells != 0).then(|| cells.trailing_zeros())?;
        cells &= cells - 1;
        Some(cell)
    })
}

/// A formula and the cubes of its cells.
pub(in super::super) struct ExaminedFormula {
    decider: Decider,
    on: Vec<Vec<Lit>>,
    off: Vec<Lit>,
}

impl ExaminedFormula {
    /// The formula, whose cells are these cubes.
    pub(in super::super) fn new<'a>(
        formula: &Formula,
        cubes: impl Iterator<Item = &'a [Lit]>,
    ) -> Self {
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

    /// The formula of a board, whose cells are the squares.
    pub(super) fn of_board(formula: &Formula, map: &VarMap) -> Self {
        Self::new(formula, map.cubes())
    }

    /// The number of cells.
    pub(super) fn cells(&self) -> u32 {
        self.on.len() as u32
    }

    /// The cells that unit propagation finds once these are known; none if that is a
    /// conflict.
    pub(super) fn propagate(&mut self, partial: PartialAssignment) -> Option<PartialAssignment> {
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
    pub(in super::super) fn allows(
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
pub(super) struct SolutionSet(pub(super) Vec<CellSet>);

impl SolutionSet {
    /// The cells that all solutions which agree with `partial` have in common; none without a solution.
    pub(super) fn implied(
        &self,
        partial: PartialAssignment,
        cells: u32,
    ) -> Option<PartialAssignment> {
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
