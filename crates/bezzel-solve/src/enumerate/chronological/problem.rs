//! From the clauses that came in to what is searched.

use super::assignment::Conflict;
use super::clauses::Clauses;
use super::code::Code;
use super::eliminate::eliminate;
use super::fix::fix;
use super::network::Network;
use super::options::Choices;
use super::values::name_values;

/// A formula with its variables numbered anew: those that tell models apart first, in their order,
/// then the auxiliary ones that matter.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) network: Network,
    /// What holds in every model.
    pub(super) fixed: Vec<Code>,
    /// What is shown of a model.
    pub(super) shown: Vec<Code>,
}

impl Problem {
    /// # Errors
    ///
    /// When the clauses have no model, which propagation alone finds out.
    pub(super) fn new(
        mut clauses: Clauses,
        variables: usize,
        projection: &[Code],
        choices: Choices,
        is_interrupted: &mut dyn FnMut() -> bool,
    ) -> Result<Self, Conflict> {
        let mut fixed = fix(&mut clauses, variables)?;
        if choices.eliminate {
            let mut is_kept = vec![false; variables];
            for code in projection {
                is_kept[code.variable()] = true;
            }
            eliminate(&mut clauses, &is_kept, is_interrupted);
            fixed.extend(fix(&mut clauses, variables)?);
        }
        let mut all = variables;
        if choices.values {
            all = name_values(&mut clauses, variables, projection);
            fixed.extend(fix(&mut clauses, all)?);
        }
        let mut numbers = Numbers::new(all);
        let shown: Vec<Code> = projection.iter().map(|&code| numbers.number(code)).collect();
        // What the projection determines may be decided as well.
        for variable in variables..all {
            numbers.number(Code::positive(variable));
        }
        let projected = numbers.made;
        fixed.retain(|&code| numbers.is_numbered(code));
        for code in &mut fixed {
            *code = numbers.number(*code);
        }
        clauses.rename(|code| numbers.number(code));
        let network = Network::new(&clauses, numbers.made, projected);
        Ok(Self { network, fixed, shown })
    }
}

/// New numbers of variables, in the order in which they are first asked for.
struct Numbers {
    numbers: Vec<Option<u32>>,
    made: usize,
}

impl Numbers {
    fn new(variables: usize) -> Self {
        Self { numbers: vec![None; variables], made: 0 }
    }

    fn is_numbered(&self, code: Code) -> bool {
        self.numbers[code.variable()].is_some()
    }

    fn number(&mut self, code: Code) -> Code {
        let made = &mut self.made;
        let number = *self.numbers[code.variable()].get_or_insert_with(|| {
            *made += 1;
            (*made - 1) as u32
        });
        code.of(Code::positive(number as usize))
    }
}
