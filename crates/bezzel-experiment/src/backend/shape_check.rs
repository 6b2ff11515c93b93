//! Encoders are checked at the shapes of constraints that they are used for.
//!
//! An encoder that loses a clause is fast, and each of its solutions may be right: no answer shows the fault. Each
//! encoder is therefore tried by itself, at each relation, bound and number of literals that a problem asks it for, over
//! the linked CaDiCaL. The solver searches an assignment that is wrongly allowed, and gives up after some conflicts.
//! Single assignments, at extreme and random places, are then decided by one call each: those that the constraint
//! allows, and, if the search gave up, those that it forbids.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use bezzel_encode::bound::Limit;
use bezzel_encode::encoding::{EncoderShapes, EncoderSums};
use bezzel_encode::properties::shapes::{
    Counterexample, ShapeGrid, tried_inputs, tried_sums, violation, violation_variables,
};
use bezzel_encode::sums::SumLimit;
use bezzel_encode::{AtMostOne, ClauseSink, Encoding, Formula, FormulaStats, Lit, Shape};
use bezzel_problem::Problem;
use bezzel_solve::cadical::Cadical;
use bezzel_solve::{Answer, Interrupt, Options, Session, Solver};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::backend::program::FindError;
use crate::model::quantity::{counted, grouped};

/// The extent of a check.
#[derive(Clone, Copy, Debug)]
pub struct CheckExtent {
    /// The largest number of shapes of an encoder that are tried: the smallest, the largest, and others at random.
    pub shapes: usize,
    /// The number of assignments on each side of the bound that are tried at a shape.
    pub assignments: usize,
    /// The number of conflicts after which the search for a wrongly allowed assignment gives up.
    pub conflicts: u32,
    /// The most literals that all conflicts of a search read, if each reads the formula once. The search gives up earlier
    /// for large formulas.
    pub searched_literals: u128,
}

impl CheckExtent {
    /// The check before a run and before a proof counts.
    pub const OF_RUNS: Self =
        Self { shapes: 24, assignments: 60, conflicts: 1_000, searched_literals: 2_000_000 };
    /// The check of an encoder with all bounds.
    pub const OF_ENCODERS: Self =
        Self { shapes: usize::MAX, assignments: 30, conflicts: 500, searched_literals: 500_000 };
    /// The check of an encoder with one bound.
    pub const OF_BOUNDS: Self = Self {
        shapes: usize::MAX,
        assignments: 400,
        conflicts: 2_000,
        searched_literals: 2_000_000,
    };
}

/// The number of conflicts after which the decision of one assignment gives up.
const DECISION: u32 = 2_000;

/// The most literals of a formula that is tried. A larger one needs more memory and time than a check may take.
const MAX_LITERALS: u128 = 20_000_000;

/// The most literals of the formula that all decisions of one shape read. Large formulas get fewer of them.
const MAX_READ: u128 = 4_000_000;

/// The fewest assignments on each side of the bound.
const FEWEST: usize = 12;

/// The most variables of the clauses that search a wrongly allowed assignment.
const MAX_SEARCHED: u64 = 200_000;

/// The shapes at which encoders were tried, without a wrong assignment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckedShapes {
    /// The encoders' ids and the shapes.
    pub tried: Vec<(String, Shape)>,
    /// The number of weighted sums that were tried.
    pub sums: usize,
    /// The number of tried shapes at which the solver showed that no wrong assignment is allowed.
    pub proved: usize,
    /// The number of shapes and sums that were left out: too many, or too large.
    pub left_out: usize,
    /// The number of assignments that were decided one by one.
    pub assignments: u64,
    /// The number of assignments that the solver gave up.
    pub undecided: u64,
}

impl CheckedShapes {
    /// The result in words.
    pub fn verdict(&self) -> String {
        match self.undecided {
            0 => "correct".to_owned(),
            undecided => {
                let [undecided, all] = [undecided, self.assignments].map(|it| grouped(it.into()));
                format!("no fault found; {undecided} of {all} assignments undecided")
            }
        }
    }
}

/// `at most 4 of 200, exactly 1 of 10 (2 shapes, 48 assignments)`.
impl fmt::Display for CheckedShapes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 4;
        let mut shapes: Vec<String> =
            self.tried.iter().rev().take(SHOWN).map(|(_, shape)| shape.to_string()).collect();
        if self.tried.len() > SHOWN {
            shapes.push("…".to_owned());
        }
        if self.sums > 0 {
            shapes.push(counted(self.sums, "weighted sum"));
        }
        let shapes = if shapes.is_empty() { "none".to_owned() } else { shapes.join(", ") };
        let number = counted(self.tried.len(), "shape");
        write!(f, "{shapes} ({number}, {} assignments", grouped(self.assignments.into()))?;
        for (count, what) in
            [(self.left_out as u64, "shapes left out"), (self.undecided, "undecided")]
        {
            if count > 0 {
                write!(f, ", {} {what}", grouped(count.into()))?;
            }
        }
        f.write_str(")")
    }
}

/// Checks the encoders of an encoding at the shapes of the groups of a problem. An encoding of whole problems has no
/// encoders of groups, and nothing is tried.
///
/// # Errors
///
/// The first assignment that an encoder wrongly allows or forbids.
pub fn check_at_shapes(
    encoding: &dyn Encoding,
    problem: &Problem,
) -> Result<CheckedShapes, Counterexample> {
    if encoding.fits(problem).is_err() {
        return Ok(CheckedShapes::default());
    }
    let mut checked = check_shapes(&encoding.shapes(problem), CheckExtent::OF_RUNS)?;
    checked.take_sums(&encoding.sums(problem), CheckExtent::OF_RUNS)?;
    Ok(checked)
}

/// Checks encoders at weighted sums.
///
/// # Errors
///
/// The first assignment that an encoder wrongly allows or forbids.
pub fn check_sums(
    sums: &EncoderSums,
    extent: CheckExtent,
) -> Result<CheckedShapes, Counterexample> {
    let mut checked = CheckedShapes::default();
    checked.take_sums(sums, extent)?;
    Ok(checked)
}

/// Checks encoders at shapes.
///
/// # Errors
///
/// The first assignment that an encoder wrongly allows or forbids.
pub fn check_shapes(
    shapes: &EncoderShapes,
    extent: CheckExtent,
) -> Result<CheckedShapes, Counterexample> {
    let mut checked = CheckedShapes::default();
    for (id, shapes) in shapes {
        let chosen = chosen(shapes, extent.shapes);
        checked.left_out += shapes.len() - chosen.len();
        for (shape, encoder) in chosen {
            checked.take(id, encoder.as_ref(), shape, extent)?;
        }
    }
    Ok(checked)
}

/// Checks an encoder at the shapes of a grid. `find` gives the encoder for the shapes of a stage; a program is asked for
/// them. A program that exceeds its limits after the first stage ends the check. `observe` gets each shape before it is
/// tried, the number of earlier ones, and that of all.
///
/// # Errors
///
/// When `find` fails.
pub fn check_grid(
    id: &str,
    mut grid: ShapeGrid,
    extent: CheckExtent,
    mut find: impl FnMut(&[Shape]) -> Result<Arc<dyn AtMostOne>, FindError>,
    mut observe: impl FnMut(Shape, usize, usize),
) -> Result<Result<CheckedShapes, Counterexample>, FindError> {
    let (mut checked, all) = (CheckedShapes::default(), grid.open());
    while let Some(stage) = grid.next_stage() {
        let before = all - grid.open() - stage.len();
        let encoder = match find(&stage) {
            Err(FindError::Program(error)) if error.is_of_limits && !checked.tried.is_empty() => {
                checked.left_out += stage.len();
                continue;
            }
            found => found?,
        };
        for (number, shape) in stage.into_iter().enumerate() {
            observe(shape, before + number, all);
            match checked.take(id, encoder.as_ref(), shape, extent) {
                Ok(literals) => grid.note_size(shape, literals.unwrap_or(u128::MAX)),
                Err(wrong) => return Ok(Err(wrong)),
            }
        }
    }
    checked.left_out += grid.left_out();
    Ok(Ok(checked))
}

/// At most `max` of the shapes or sums: the smallest, the largest, and random ones by a fixed seed, in order.
fn chosen<S: Ord + Clone>(
    shapes: &BTreeMap<S, Arc<dyn AtMostOne>>,
    max: usize,
) -> Vec<(S, &Arc<dyn AtMostOne>)> {
    let mut all: Vec<(S, &Arc<dyn AtMostOne>)> =
        shapes.iter().map(|(shape, encoder)| (shape.clone(), encoder)).collect();
    if all.len() > max {
        let mut largest = all.split_off(all.len() - max / 3);
        let mut random = all.split_off(max / 3);
        random.shuffle(&mut ChaCha8Rng::seed_from_u64(1848));
        random.truncate(max - all.len() - largest.len());
        all.append(&mut random);
        all.append(&mut largest);
        all.sort_by(|(one, _), (other, _)| one.cmp(other));
    }
    all
}

impl CheckedShapes {
    /// Tries one encoder at one shape. Returns the number of literals of its clauses, unless it was left out.
    fn take(
        &mut self,
        id: &str,
        encoder: &dyn AtMostOne,
        shape: Shape,
        extent: CheckExtent,
    ) -> Result<Option<u128>, Counterexample> {
        let is_small = |literals: u128| literals <= MAX_LITERALS;
        let is_stated_small = shape.size(encoder).is_none_or(|size| is_small(size.literals));
        let Some(inputs) = u32::try_from(shape.n).ok().filter(|_| is_stated_small) else {
            self.left_out += 1;
            return Ok(None);
        };
        // The size may be unknown, and it may be stated wrongly.
        let mut stats = FormulaStats::new();
        let xs: Vec<Lit> = stats.fresh(inputs).lits().collect();
        shape.encode(encoder, &xs, &mut stats);
        let literals = stats.size().literals;
        if !is_small(literals) {
            self.left_out += 1;
            return Ok(None);
        }
        let mut formula = Formula::with_capacity(stats.size());
        formula.fresh(inputs);
        shape.encode(encoder, &xs, &mut formula);
        let mut session = loaded(&formula);
        let counterexample = |held: Vec<u32>| Counterexample {
            encoder: id.to_owned(),
            shape,
            weights: Vec::new(),
            held,
        };
        let affordable = |read: u128| usize::try_from(read / literals.max(1)).unwrap_or(usize::MAX);
        let conflicts = extent
            .conflicts
            .min(affordable(extent.searched_literals).try_into().unwrap_or(u32::MAX));
        let is_proved = match search(session.as_mut(), &xs, shape, conflicts) {
            Ok(is_proved) => is_proved,
            Err(held) => return Err(counterexample(held)),
        };
        // Without the clauses of the search, decisions take less time.
        let mut session = loaded(&formula);
        let tried = tried_inputs(shape, extent.assignments.min(affordable(MAX_READ)).max(FEWEST));
        let forbidden = if is_proved { Vec::new() } else { tried.forbidden };
        let allowed = tried.allowed.into_iter().map(|held| (held, true));
        for (held, is_right) in allowed.chain(forbidden.into_iter().map(|held| (held, false))) {
            let mut lits: Vec<Lit> = xs.iter().map(|&x| !x).collect();
            for &input in &held {
                lits[input as usize] = xs[input as usize];
            }
            self.assignments += 1;
            match session.solve_within(&lits, DECISION) {
                Answer::Unknown => self.undecided += 1,
                answer if (answer == Answer::Sat) != is_right => return Err(counterexample(held)),
                Answer::Sat | Answer::Unsat => {}
            }
        }
        self.proved += usize::from(is_proved);
        self.tried.push((id.to_owned(), shape));
        Ok(Some(literals))
    }
}

impl CheckedShapes {
    /// Tries encoders at sums. Assignments beside the bound are decided one by one. An equation is tried as two bounds,
    /// since few assignments meet it.
    fn take_sums(&mut self, sums: &EncoderSums, extent: CheckExtent) -> Result<(), Counterexample> {
        for (id, sums) in sums {
            let chosen = chosen(sums, extent.shapes);
            self.left_out += sums.len() - chosen.len();
            for (sum, encoder) in chosen {
                let literals = sum.size(encoder.as_ref()).map_or(u128::MAX, |size| size.literals);
                if literals > MAX_LITERALS {
                    self.left_out += 1;
                    continue;
                }
                let bounds = match sum.limit {
                    Limit::Exactly => vec![Limit::AtLeast, Limit::AtMost],
                    limit => vec![limit],
                };
                for limit in bounds {
                    let sum = SumLimit { limit, ..sum.clone() };
                    self.take_sum(id, encoder.as_ref(), &sum, literals, extent)?;
                }
                self.sums += 1;
            }
        }
        Ok(())
    }

    fn take_sum(
        &mut self,
        id: &str,
        encoder: &dyn AtMostOne,
        sum: &SumLimit,
        literals: u128,
        extent: CheckExtent,
    ) -> Result<(), Counterexample> {
        let n = sum.weights.len() as u64;
        let mut formula = Formula::new();
        let xs: Vec<Lit> = formula.fresh(n as u32).lits().collect();
        sum.encode(encoder, &xs, &mut formula);
        let mut session = loaded(&formula);
        let affordable = usize::try_from(MAX_READ / literals.max(1)).unwrap_or(usize::MAX);
        let count = extent.assignments.min(affordable).max(FEWEST);
        for held in tried_sums(sum, affordable.min(1_024), count) {
            let mut lits: Vec<Lit> = xs.iter().map(|&x| !x).collect();
            for &input in &held {
                lits[input as usize] = xs[input as usize];
            }
            let weight = held.iter().map(|&input| sum.weights[input as usize]).sum();
            self.assignments += 1;
            match session.solve_within(&lits, DECISION) {
                Answer::Unknown => self.undecided += 1,
                answer if (answer == Answer::Sat) != sum.allows(weight) => {
                    return Err(Counterexample {
                        encoder: id.to_owned(),
                        shape: Shape { n, limit: sum.limit, k: sum.bound },
                        weights: sum.weights.clone(),
                        held,
                    });
                }
                Answer::Sat | Answer::Unsat => {}
            }
        }
        Ok(())
    }
}

/// The formula in a solver.
fn loaded(formula: &Formula) -> Box<dyn Session> {
    let open = Cadical::Plain.open(&Options::default(), &Interrupt::default().into());
    let mut session = open.expect("no options");
    // A wrong encoder may name variables that it did not make.
    let named = formula.clauses().flatten().map(|lit| lit.vidx32() + 1).max().unwrap_or(0);
    session.fresh(formula.variables().max(named));
    for clause in formula.clauses() {
        session.clause(clause);
    }
    session
}

/// Searches an assignment that is wrongly allowed. True if there is none; false if the search gave up.
fn search(
    session: &mut dyn Session,
    xs: &[Lit],
    shape: Shape,
    conflicts: u32,
) -> Result<bool, Vec<u32>> {
    if violation_variables(shape) > MAX_SEARCHED {
        return Ok(false);
    }
    let beyond = violation(shape, xs, session);
    let mut is_proved = true;
    for lit in beyond {
        match session.solve_within(&[lit], conflicts) {
            Answer::Sat => {
                let inputs = (0..).zip(xs);
                return Err(inputs.filter(|(_, x)| session.holds(**x)).map(|(at, _)| at).collect());
            }
            Answer::Unsat => {}
            Answer::Unknown => is_proved = false,
        }
    }
    Ok(is_proved)
}

#[cfg(test)]
mod tests;
