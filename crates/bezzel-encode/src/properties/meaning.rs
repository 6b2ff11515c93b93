//! The meaning of a formula: the assignments of its primary variables that it allows, compared with the right ones.
//!
//! One enumeration of all models serves the properties that encodings declare and the profile that is computed.
//! For a group an assignment is the set of inputs that hold; for a problem it is a solution.
//! The numbers of models of the allowed assignments follow from it.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use bezzel_problem::layout;
use rustsat::types::Var;
use serde::Serialize;

use super::PropertyFinding;
use super::form::{Form, Inputs};
use crate::amo::AtMostOne;
use crate::formula::Formula;
use crate::info::Auxiliaries;
use crate::models::each_within;
use crate::propagate::Propagator;

/// The number of inputs up to which every assignment is tried.
pub(super) const INPUTS: u32 = 8;

/// The bounds of an enumeration.
#[derive(Clone, Copy, Debug)]
pub struct EnumerationBounds {
    /// The number of models of an assignment is exact below this limit.
    pub models: u128,
    /// The number of steps.
    pub steps: u64,
    /// True if the first wrong assignment ends the enumeration.
    pub until_wrong: bool,
    /// True if the first assignment with several models ends the enumeration.
    pub until_several: bool,
}

impl EnumerationBounds {
    /// The first wrong assignment, in any number of steps.
    pub const FIRST: Self =
        Self { models: 1, steps: u64::MAX, until_wrong: true, until_several: false };

    /// The first assignment with more than one model, in any number of steps, right or wrong.
    pub const SEVERAL: Self =
        Self { models: 2, steps: u64::MAX, until_wrong: false, until_several: true };
}

/// The assignments that a formula allows, compared with the right ones.
#[derive(Default)]
pub struct Meaning<T> {
    /// The number of auxiliary variables.
    pub auxiliary: u32,
    /// The number of assignments that the formula allows, as far as they were listed.
    pub allowed: u64,
    /// Their models, each exact below the limit.
    pub models: u128,
    /// The first with several models.
    pub first_several: Option<T>,
    /// The first wrong one.
    pub first_wrong: Option<T>,
    /// The first right one that two assignments of the primary variables decode to.
    pub first_repeated: Option<T>,
    /// The first right one that the formula forbids; known only if all were listed.
    pub first_missing: Option<T>,
    /// True if every allowed assignment was listed.
    pub finished: bool,
}

impl<T: Clone + Default + Ord> Meaning<T> {
    /// Enumerates the assignments that a formula allows. `decode` reads one from the values of the `primary` variables.
    pub fn of(
        formula: &Formula,
        primary: &[Var],
        right: &BTreeSet<T>,
        bounds: EnumerationBounds,
        decode: impl Fn(&Propagator) -> T,
    ) -> Self {
        let mut meaning = Self {
            auxiliary: formula.variables().saturating_sub(primary.len() as u32),
            ..Self::default()
        };
        let mut found = BTreeSet::new();
        let end = each_within(formula, primary, bounds.models, bounds.steps, |model, models| {
            let assignment = decode(model);
            meaning.allowed += 1;
            meaning.models = meaning.models.saturating_add(models);
            if models > 1 {
                meaning.first_several.get_or_insert_with(|| assignment.clone());
            }
            if !right.contains(&assignment) {
                meaning.first_wrong.get_or_insert(assignment);
            } else if let Some(again) = found.replace(assignment) {
                meaning.first_repeated.get_or_insert(again);
            }
            let is_enough = bounds.until_wrong && meaning.first_wrong.is_some()
                || bounds.until_several && meaning.first_several.is_some();
            if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        meaning.finished = end == Ok(ControlFlow::Continue(()));
        if meaning.finished {
            meaning.first_missing = right.difference(&found).next().cloned();
        }
        meaning
    }
}

impl Meaning<Vec<usize>> {
    /// Enumerates the assignments of `n` inputs.
    pub(super) fn of_line(
        amo: &dyn AtMostOne,
        form: Form,
        inputs: Inputs,
        n: u32,
        bounds: EnumerationBounds,
    ) -> Self {
        let (xs, formula) = inputs.encode(amo, form, n, Formula::new());
        let primary: Vec<Var> = xs.iter().map(|lit| lit.var()).collect();
        let singles = (0..xs.len()).map(|x| vec![x]);
        let right = std::iter::once(vec![]).chain(singles).filter(|held| form.allows(held.len()));
        Self::of(&formula, &primary, &right.collect(), bounds, |model| {
            (0..xs.len()).filter(|&x| model.holds(xs[x])).collect()
        })
    }

    /// The first assignment that is wrongly allowed or forbidden.
    pub(super) fn fault(&self) -> Option<&[usize]> {
        self.first_wrong.as_deref().or(self.first_missing.as_deref())
    }
}

/// An assignment of `n` inputs that is wrongly allowed or forbidden, drawn. `is_right` is true if the constraint allows
/// it.
pub(super) fn wrong_inputs(is_right: bool, n: u32, held: &[usize]) -> PropertyFinding {
    let verb = if is_right { "forbids" } else { "allows" };
    let what = match held {
        [] => format!("it wrongly {verb} that no input holds"),
        held => {
            format!("it wrongly {verb} that exactly these inputs hold: {}", numbered(held))
        }
    };
    PropertyFinding { what, drawing: drawn_inputs(n, held) }
}

/// The numbers of inputs from 1 on, as in `1, 4 to 9, 12`.
fn numbered(held: &[usize]) -> String {
    let mut words: Vec<String> = Vec::new();
    let runs = held.chunk_by(|&one, &next| one + 1 == next);
    for run in runs {
        match run {
            [first, .., last] if run.len() > 2 => {
                words.push(format!("{} to {}", first + 1, last + 1));
            }
            run => words.extend(run.iter().map(|input| (input + 1).to_string())),
        }
    }
    words.join(", ")
}

/// Inputs, drawn with those that hold.
pub(super) fn drawn_inputs(n: u32, held: &[usize]) -> String {
    let marks: Vec<char> =
        (0..n as usize).map(|x| if held.contains(&x) { '1' } else { '0' }).collect();
    inputs(&marks)
}

/// An input whose value is unknown, in a drawing.
pub(super) const OPEN: char = '.';
/// An input to which the text refers, in a drawing.
pub(super) const POINT: char = '?';

/// Inputs in a row, numbered, one character for each.
pub(super) fn inputs(marks: &[char]) -> String {
    let width = marks.len().max(1).ilog10() as usize + 1;
    let line = |words: Vec<String>| {
        let words: Vec<_> = words.iter().map(|word| layout::padded(word, width, true)).collect();
        words.join(" ")
    };
    let numbers = line((1..=marks.len()).map(|number| number.to_string()).collect());
    let marks = line(marks.iter().map(char::to_string).collect());
    format!("{numbers}\n{marks}")
}

/// The most steps for the count of one formula's models.
pub const STEPS: u64 = 300_000;

/// The models of one formula, and the solutions that they mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ModelCounts {
    /// The number of inputs, or the size of the instance.
    pub n: u32,
    /// Auxiliary variables.
    pub auxiliary: u32,
    /// Assignments of the primary variables that some model extends.
    pub solutions: u64,
    /// All models; missing where there are too many to be counted in time.
    pub models: Option<u128>,
    /// True if some solution is known to have several.
    pub several: bool,
}

impl ModelCounts {
    /// Counts models of size `n` by an enumeration within bounds. If they are too many, it finds only the solutions
    /// with several models, in at most `otherwise` steps.
    pub fn of<T: Clone>(
        n: u32,
        otherwise: u64,
        enumerate: impl Fn(EnumerationBounds) -> Meaning<T>,
    ) -> (Self, Meaning<T>) {
        let all = EnumerationBounds {
            models: u128::MAX,
            steps: STEPS,
            until_wrong: false,
            until_several: false,
        };
        let counted = enumerate(all);
        let of = |meaning: &Meaning<T>| Self {
            n,
            auxiliary: meaning.auxiliary,
            solutions: meaning.allowed,
            models: None,
            several: meaning.first_several.is_some(),
        };
        if counted.finished {
            // At the largest number the count has stopped.
            let models = (counted.models < u128::MAX).then_some(counted.models);
            return (Self { models, ..of(&counted) }, counted);
        }
        let meaning = enumerate(EnumerationBounds { models: 2, steps: otherwise, ..all });
        let several = counted.first_several.or(meaning.first_several.clone()).is_some();
        let solutions = if meaning.finished { meaning.allowed } else { counted.allowed };
        (Self { solutions, several, ..of(&meaning) }, meaning)
    }
}

/// The kind of the auxiliary variables of these formulas.
pub fn auxiliaries(counts: &[ModelCounts]) -> Auxiliaries {
    if counts.iter().any(|count| count.several) {
        Auxiliaries::Free
    } else if counts.iter().any(|count| count.auxiliary > 0) {
        Auxiliaries::Defined
    } else {
        Auxiliaries::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_stand_in_a_row_under_their_numbers() {
        assert_eq!(inputs(&['1', POINT, OPEN]), "1 2 3\n1 ? .");
        assert_eq!(inputs(&[]), "\n");
    }
}
