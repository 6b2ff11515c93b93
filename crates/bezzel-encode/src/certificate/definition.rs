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
/// all clauses with the one sign come before those with the other sign.
pub(super) fn definitions(
    formula: &Formula,
    inputs: u32,
    cases: &[u64],
) -> Result<Vec<Definition>, Uncertified> {
    let mut propagator = Propagator::new(formula);
    let mut models = Vec::new();
    for &case in cases {
        let model = model(&mut propagator, inputs, case, formula.variables())?;
        models.push(model.ok_or_else(|| {
            let held = (0..inputs).filter(|number| case >> number & 1 == 1);
            Uncertified::Forbidden(held.map(|number| number + 1).collect())
        })?);
    }
    let mut definitions = Vec::new();
    for variable in inputs..formula.variables() {
        let of_value = |value: bool| -> Vec<u64> {
            let models = cases.iter().zip(&models);
            models
                .filter(|(_, model)| model[(variable - inputs) as usize] == value)
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

/// The values of the auxiliary variables in a model in which exactly the inputs of `case` hold.
pub(super) fn model(
    propagator: &mut Propagator,
    inputs: u32,
    case: u64,
    variables: u32,
) -> Result<Option<Vec<bool>>, Uncertified> {
    let before = propagator.trail().len();
    let given = (0..inputs).all(|number| {
        let lit = if case >> number & 1 == 1 { input(number) } else { !input(number) };
        propagator.assume(lit).is_ok()
    });
    let mut steps = super::MAX_STEPS;
    let found = given && extend(propagator, inputs, variables, &mut steps)?;
    let value = |number| propagator.value(Var::new(number)) == Some(true);
    let model = found.then(|| (inputs..variables).map(value).collect());
    propagator.undo(before);
    Ok(model)
}

/// Assigns the variables from `next` on. False if there is no model, and then nothing is assigned.
fn extend(
    propagator: &mut Propagator,
    next: u32,
    variables: u32,
    steps: &mut u64,
) -> Result<bool, Uncertified> {
    let open = |number: &u32| propagator.value(Var::new(*number)).is_none();
    let Some(number) = (next..variables).find(open) else { return Ok(true) };
    *steps = steps.checked_sub(1).ok_or(Uncertified::TooHard)?;
    for lit in [!Lit::positive(number), Lit::positive(number)] {
        let before = propagator.trail().len();
        if propagator.assume(lit).is_ok() && extend(propagator, number + 1, variables, steps)? {
            return Ok(true);
        }
        propagator.undo(before);
    }
    Ok(false)
}
