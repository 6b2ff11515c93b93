//! Every model of a formula, projected onto the primary variables, with the number of models of each projection.
//!
//! The search is independent of every solver, and meant for small instances. It uses unit propagation and branches on
//! primary variables first, in their order. The rest of the formula then falls into parts that share no variable. Each
//! part is counted by itself and the numbers are multiplied, so millions of models of one solution take no longer than
//! a few.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use bezzel_problem::Solution;
use rustsat::types::{Lit, Var};

use crate::formula::Formula;
use crate::propagate::Propagator;
use crate::var_map::VarMap;

/// Visits every assignment of the `primary` variables that extends to a model, with the number of these models.
///
/// The number is exact below `limit`; counting stops at `limit`. A limit of 1 finds only if there is a model, 2 if
/// there is just one, and [`u128::MAX`] counts all. The propagator holds the primary variables' values, and the
/// literals that follow from them. The search ends early when `visit` breaks.
pub fn each<B>(
    formula: &Formula,
    primary: &[Var],
    limit: u128,
    mut visit: impl FnMut(&Propagator, u128) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let Ok(end) = each_within(formula, primary, limit, u64::MAX, &mut visit) else {
        unreachable!("a search takes fewer steps")
    };
    end
}

/// The search took all its steps, or more memory than a search with that limit may use, and did not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfSteps;

/// As [`each`], in at most `steps` steps. A step is one assumption with its propagation.
///
/// # Errors
///
/// When the steps did not suffice. Assignments that were visited until then are right.
pub fn each_within<B>(
    formula: &Formula,
    primary: &[Var],
    limit: u128,
    steps: u64,
    mut visit: impl FnMut(&Propagator, u128) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, OutOfSteps> {
    let mut search = Search::new(formula, steps);
    if search.propagator.is_refuted() {
        return Ok(ControlFlow::Continue(()));
    }
    let auxiliary = auxiliary(&search.propagator, primary);
    let end = search.branch(primary, &auxiliary, limit.max(1), &mut visit);
    // If the visitor ended the search, its steps do not matter.
    if search.steps == 0 && end.is_continue() { Err(OutOfSteps) } else { Ok(end) }
}

/// The number of all models of the formula, over all of its variables, and that of the assignments of
/// the `primary` ones that extend to some; the first is exact, and less than 2¹²⁸ − 1.
///
/// # Errors
///
/// When `stop` was set, there are more models, or the search would need more memory than it may use.
pub fn count_until(
    formula: &Formula,
    primary: &[Var],
    stop: &AtomicBool,
) -> Result<(u128, u64), OutOfSteps> {
    let (mut models, mut solutions) = (0_u128, 0);
    let mut search = Search::new(formula, u64::MAX);
    let auxiliary = auxiliary(&search.propagator, primary);
    (search.stop, search.is_bounded) = (Some(stop), true);
    if search.propagator.is_refuted() {
        return Ok((models, 0));
    }
    let end = search.branch(primary, &auxiliary, u128::MAX, &mut |_, count| {
        models = models.saturating_add(count);
        solutions += 1;
        if models == u128::MAX { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if search.steps == 0 || end.is_break() { Err(OutOfSteps) } else { Ok((models, solutions)) }
}

/// The variables of a formula that are not primary, with those that occur in clauses only.
fn auxiliary(formula: &Propagator, primary: &[Var]) -> Vec<Var> {
    let mut is_auxiliary = vec![true; formula.variables() as usize];
    for var in primary {
        is_auxiliary[var.idx()] = false;
    }
    (0..formula.variables()).map(Var::new).filter(|var| is_auxiliary[var.idx()]).collect()
}

/// A formula for repeated queries for models in which some literals hold.
pub struct Decider {
    search: Search<'static>,
    variables: Vec<Var>,
}

impl Decider {
    /// The formula, ready for queries.
    pub fn new(formula: &Formula) -> Self {
        let search = Search::new(formula, 0);
        let variables = (0..search.propagator.variables()).map(Var::new).collect();
        Self { search, variables }
    }

    /// True if a descent without a search finds a model in which all of `lits` hold, false if unit propagation refutes
    /// them.
    ///
    /// # Errors
    ///
    /// When it shows neither.
    pub fn descends(&mut self, lits: &[Lit]) -> Result<bool, OutOfSteps> {
        if self.search.propagator.is_refuted() {
            return Ok(false);
        }
        self.search.steps = self.variables.len() as u64;
        let before = self.search.propagator.trail().len();
        let held = lits.iter().try_for_each(|&lit| self.search.propagator.assume(lit));
        let is_model = held.is_ok() && self.search.descends(&self.variables);
        self.search.propagator.undo(before);
        if held.is_ok() && !is_model { Err(OutOfSteps) } else { Ok(is_model) }
    }

    /// The number of models in which all of `lits` hold, exact below `limit`, found in at most `steps` steps.
    ///
    /// # Errors
    ///
    /// When the steps did not suffice.
    pub fn models(&mut self, lits: &[Lit], limit: u128, steps: u64) -> Result<u128, OutOfSteps> {
        if self.search.propagator.is_refuted() {
            return Ok(0);
        }
        self.search.steps = steps;
        let before = self.search.propagator.trail().len();
        let held = lits.iter().try_for_each(|&lit| self.search.propagator.assume(lit));
        let models = match held {
            Err(_) => 0,
            // Most formulas have a model without a search.
            Ok(()) if limit <= 1 && self.search.descends(&self.variables) => 1,
            Ok(()) => self.search.count(&self.variables, limit.max(1)),
        };
        self.search.propagator.undo(before);
        if self.search.steps == 0 && models < limit { Err(OutOfSteps) } else { Ok(models) }
    }

    /// The formula under unit propagation, for queries that need no search.
    pub fn propagator(&mut self) -> &mut Propagator {
        &mut self.search.propagator
    }
}

/// Every solution of the formula's models, with the number of its models, exact below `limit` as in [`each`], in the
/// order of the search.
///
/// A solution comes more than once only if different primary assignments decode to it.
pub fn solutions(formula: &Formula, map: &VarMap, limit: u128) -> Vec<(Solution, u128)> {
    let mut solutions = Vec::new();
    let _: ControlFlow<()> = each(formula, &map.variables(), limit, |model, count| {
        solutions.push((map.decode(|lit| model.holds(lit)), count));
        ControlFlow::Continue(())
    });
    solutions
}

/// The number of all models of the formula, over all of its variables.
pub fn count(formula: &Formula, map: &VarMap) -> u128 {
    solutions(formula, map, u128::MAX).iter().map(|&(_, models)| models).sum()
}

/// The largest depth of a search with limited steps.
const MAX_DEPTH: u32 = 2_000;

/// The largest number of variables that such a search may list at a time.
const MAX_LISTED: usize = 50_000_000;

struct Search<'s> {
    propagator: Propagator,
    /// Per variable, the last search for parts that reached it.
    stamps: Vec<u32>,
    stamp: u32,
    /// The number of assumptions that may still be made; at 0 the search ends without a result.
    steps: u64,
    /// The flag that stops it; no steps are left then.
    stop: Option<&'s AtomicBool>,
    /// True if it may be given up.
    is_bounded: bool,
    /// The number of nested levels, and the number of variables that they have listed.
    depth: u32,
    listed: usize,
}

impl Search<'_> {
    fn new(formula: &Formula, steps: u64) -> Self {
        let propagator = Propagator::new(formula);
        let stamps = vec![0; propagator.variables() as usize];
        let is_bounded = steps < u64::MAX;
        let stop = None;
        Self { propagator, stamps, stamp: 0, steps, stop, is_bounded, depth: 0, listed: 0 }
    }

    /// Begins another level, with `listed` variables, unless there are too many.
    fn enter(&mut self, listed: usize) -> bool {
        if self.is_bounded && (self.depth == MAX_DEPTH || self.listed + listed > MAX_LISTED) {
            self.steps = 0;
            return false;
        }
        self.depth += 1;
        self.listed += listed;
        true
    }

    /// Ends a level.
    fn leave(&mut self, listed: usize) {
        self.depth -= 1;
        self.listed -= listed;
    }

    /// True if all variables get values without a conflict: one after the other, false if unit propagation allows it.
    fn descends(&mut self, vars: &[Var]) -> bool {
        let before = self.propagator.trail().len();
        let is_model = vars.iter().all(|var| {
            let from = self.propagator.trail().len();
            self.propagator.value(*var).is_some() || self.step(var.neg_lit()) || {
                self.propagator.undo(from);
                self.step(var.pos_lit())
            }
        });
        self.propagator.undo(before);
        is_model
    }

    /// Assumes a literal, for one step. True if this is no conflict; false if no step is left.
    fn step(&mut self, lit: Lit) -> bool {
        self.steps = self.steps.saturating_sub(1);
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            self.steps = 0;
        }
        self.steps > 0 && self.propagator.assume(lit).is_ok()
    }

    fn branch<B>(
        &mut self,
        primary: &[Var],
        auxiliary: &[Var],
        limit: u128,
        visit: &mut impl FnMut(&Propagator, u128) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Some(next) = primary.iter().position(|&var| self.is_free(var)) else {
            let models = self.count(auxiliary, limit);
            return if models == 0 || self.steps == 0 {
                ControlFlow::Continue(())
            } else {
                visit(&self.propagator, models)
            };
        };
        for lit in [primary[next].pos_lit(), primary[next].neg_lit()] {
            let before = self.propagator.trail().len();
            if self.step(lit) && self.enter(0) {
                self.branch(&primary[next + 1..], auxiliary, limit, visit)?;
                self.leave(0);
            }
            self.propagator.undo(before);
        }
        ControlFlow::Continue(())
    }

    fn is_free(&self, var: Var) -> bool {
        self.propagator.value(var).is_none()
    }

    /// The number of ways to assign those of `vars` that are free, exact below `limit`.
    fn count(&mut self, vars: &[Var], limit: u128) -> u128 {
        let parts = self.parts(vars);
        let listed = parts.iter().map(Vec::len).sum();
        if !self.enter(listed) {
            return 0;
        }
        let mut product = 1_u128;
        for part in parts {
            // Part by part, up to the limit that is left.
            product = product.saturating_mul(self.count_part(&part, limit.div_ceil(product)));
            if product == 0 {
                break;
            }
        }
        self.leave(listed);
        product
    }

    /// The number of ways to assign a part's variables, by branching on the one that occurs most.
    fn count_part(&mut self, part: &[Var], limit: u128) -> u128 {
        let occurrences = |var: &Var| {
            let [pos, neg] = [var.pos_lit(), var.neg_lit()];
            self.propagator.occurrences(pos).len() + self.propagator.occurrences(neg).len()
        };
        let Some(&var) = part.iter().max_by_key(|var| occurrences(var)) else { return 1 };
        let mut sum = 0_u128;
        for lit in [var.pos_lit(), var.neg_lit()] {
            let before = self.propagator.trail().len();
            if sum < limit && self.step(lit) {
                sum = sum.saturating_add(self.count(part, limit - sum));
            }
            self.propagator.undo(before);
        }
        sum
    }

    /// The free ones of `vars`, divided so that no clause that is not yet satisfied links two parts.
    fn parts(&mut self, vars: &[Var]) -> Vec<Vec<Var>> {
        self.stamp += 1;
        let mut parts = Vec::new();
        for &seed in vars {
            if !self.is_free(seed) || self.stamps[seed.idx()] == self.stamp {
                continue;
            }
            self.stamps[seed.idx()] = self.stamp;
            let mut part = vec![seed];
            let mut reached = 0;
            while let Some(&var) = part.get(reached) {
                reached += 1;
                for lit in [var.pos_lit(), var.neg_lit()] {
                    for &clause in self.propagator.occurrences(lit) {
                        let literals = self.propagator.clause(clause);
                        if literals.iter().any(|&lit| self.propagator.holds(lit)) {
                            continue;
                        }
                        for other in literals.iter().map(|lit| lit.var()) {
                            if self.is_free(other) && self.stamps[other.idx()] != self.stamp {
                                self.stamps[other.idx()] = self.stamp;
                                part.push(other);
                            }
                        }
                    }
                }
            }
            parts.push(part);
        }
        parts
    }
}
