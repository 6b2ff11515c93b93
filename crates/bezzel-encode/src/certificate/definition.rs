//! Definitions of auxiliary variables as functions of the inputs, read off models of the clauses.

use rustsat::types::{Lit, Var};

use super::{Uncertified, input};
use crate::formula::Formula;
use crate::propagate::Propagator;

/// A clause of a definition: the defined literal holds if all literals of the condition do.
pub(super) struct Definition {
    /// A literal of the auxiliary variable.
    pub(super) defined: Lit,
    /// Literals of inputs.
    condition: Vec<Lit>,
}

impl Definition {
    /// The clause.
    pub(super) fn literals(&self) -> Vec<Lit> {
        let condition = self.condition.iter().map(|&lit| !lit);
        [self.defined].into_iter().chain(condition).collect()
    }
}

/// The definitions of all auxiliary variables in the cases that are allowed, each a bit for each input. For each variable,
/// all clauses with the one sign come before those with the other sign. The guard, if there is one, follows the inputs, and
/// does not hold.
pub(super) fn definitions(
    formula: &Formula,
    inputs: u32,
    guard: Option<Lit>,
    cases: &[u64],
) -> Result<Vec<Definition>, Uncertified> {
    let mut propagator = Propagator::new(formula);
    let first = inputs + u32::from(guard.is_some());
    let mut models = Vec::new();
    for &case in cases {
        let given = of_case(case, inputs).chain(guard.map(|guard| !guard));
        let model = model(&mut propagator, given, first, formula.variables())?;
        models.push(model.ok_or_else(|| {
            let held = (0..inputs).filter(|number| case >> number & 1 == 1);
            Uncertified::Forbidden(held.map(|number| number + 1).collect())
        })?);
    }
    let mut definitions = Vec::new();
    for variable in first..formula.variables() {
        let of_value = |value: bool| -> Vec<u64> {
            let models = cases.iter().zip(&models);
            models
                .filter(|(_, model)| model[(variable - first) as usize] == value)
                .map(|(&case, _)| case)
                .collect()
        };
        let (on, off) = (of_value(true), of_value(false));
        for (value, held, failed) in [(true, &on, &off), (false, &off, &on)] {
            let defined = Lit::new(variable, !value);
            let conditions = conditions(held, failed, inputs);
            definitions
                .extend(conditions.into_iter().map(|condition| Definition { defined, condition }));
        }
    }
    Ok(definitions)
}

/// Cubes over the inputs: every case of `held` satisfies one, and no case of `failed` satisfies any. Literals are dropped
/// from each cube while this remains true.
fn conditions(held: &[u64], failed: &[u64], inputs: u32) -> Vec<Vec<Lit>> {
    let mut conditions: Vec<Vec<Lit>> = Vec::new();
    let mut covered: Vec<(u64, u64)> = Vec::new();
    for &case in held {
        let is_in = |case: u64, (mask, values): (u64, u64)| case & mask == values;
        if covered.iter().any(|&cube| is_in(case, cube)) {
            continue;
        }
        // Negated literals first: by the constraint the others exclude more.
        let order = (0..inputs).filter(|number| case >> number & 1 == 0);
        let order = order.chain((0..inputs).filter(|number| case >> number & 1 == 1));
        // A literal for each input.
        let mut mask = u64::MAX >> (u64::BITS - inputs);
        for number in order {
            let smaller = mask & !(1 << number);
            if !failed.iter().any(|&other| is_in(other, (smaller, case & smaller))) {
                mask = smaller;
            }
        }
        covered.push((mask, case & mask));
        let literals = (0..inputs).filter(|number| mask >> number & 1 == 1);
        let literals = literals
            .map(|number| if case >> number & 1 == 1 { input(number) } else { !input(number) });
        conditions.push(literals.collect());
    }
    conditions
}

/// The literals of the inputs where exactly those of a case hold.
pub(super) fn of_case(case: u64, inputs: u32) -> impl Iterator<Item = Lit> {
    (0..inputs)
        .map(move |number| if case >> number & 1 == 1 { input(number) } else { !input(number) })
}

/// The values of the variables from `first` on in a model in which the given literals hold.
pub(super) fn model(
    propagator: &mut Propagator,
    given: impl IntoIterator<Item = Lit>,
    first: u32,
    variables: u32,
) -> Result<Option<Vec<bool>>, Uncertified> {
    let before = propagator.trail().len();
    let is_open = given.into_iter().all(|lit| propagator.assume(lit).is_ok());
    let found = is_open && extend(propagator, first, variables)?;
    let value = |number| propagator.value(Var::new(number)) == Some(true);
    let model = found.then(|| (first..variables).map(value).collect());
    propagator.undo(before);
    Ok(model)
}

/// Assigns the variables from `next` on. False if there is no model.
fn extend(propagator: &mut Propagator, mut next: u32, variables: u32) -> Result<bool, Uncertified> {
    let mut steps = super::MAX_STEPS;
    // The decisions, each with the length of the trail before it. A variable is false first.
    let mut decisions: Vec<(Lit, usize)> = Vec::new();
    while let Some(number) =
        (next..variables).find(|&number| propagator.value(Var::new(number)).is_none())
    {
        steps = steps.checked_sub(1).ok_or(Uncertified::TooHard)?;
        let mut lit = Lit::negative(number);
        decisions.push((lit, propagator.trail().len()));
        while propagator.assume(lit).is_err() {
            loop {
                let Some((last, before)) = decisions.pop() else { return Ok(false) };
                propagator.undo(before);
                if last.is_neg() {
                    lit = !last;
                    decisions.push((lit, before));
                    break;
                }
            }
        }
        next = lit.vidx32() + 1;
    }
    Ok(true)
}
