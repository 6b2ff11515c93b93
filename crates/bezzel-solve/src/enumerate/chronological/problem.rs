//! The transformation of the given clauses into the problem that is searched.

use super::assignment::Conflict;
use super::clauses::Clauses;
use super::code::Code;
use super::eliminate::eliminate;
use super::fix::fix;
use super::network::Network;
use super::options::ChronologicalOptions;
use super::values::name_values;

/// A formula with renumbered variables: the projected ones first, in their order, then the auxiliary ones that
/// occur.
#[derive(Clone, Debug)]
pub(super) struct SearchProblem {
    pub(super) network: Network,
    /// The literals that are true in every model.
    pub(super) fixed: Vec<Code>,
    /// The literals whose values are shown.
    pub(super) shown: Vec<Code>,
}

impl SearchProblem {
    /// Builds the problem.
    ///
    /// # Errors
    ///
    /// The clauses have no model, and propagation alone detects it.
    pub(super) fn new(
        mut clauses: Clauses,
        variables: usize,
        projection: &[Code],
        options: ChronologicalOptions,
        is_interrupted: &mut dyn FnMut() -> bool,
    ) -> Result<Self, Conflict> {
        let mut fixed = fix(&mut clauses, variables)?;
        if options.eliminate {
            let mut is_kept = vec![false; variables];
            for code in projection {
                is_kept[code.variable()] = true;
            }
            eliminate(&mut clauses, &is_kept, is_interrupted);
            fixed.extend(fix(&mut clauses, variables)?);
        }
        let mut all = variables;
        if options.values {
            all = name_values(&mut clauses, variables, projection);
            fixed.extend(fix(&mut clauses, all)?);
        }
        let mut renumbering = Renumbering::new(all);
        let shown: Vec<Code> = projection.iter().map(|&code| renumbering.number(code)).collect();
        // Variables that the projection determines may be decided as well.
        for variable in variables..all {
            renumbering.number(Code::positive(variable));
        }
        let projected = renumbering.count;
        fixed.retain(|&code| renumbering.is_numbered(code));
        for code in &mut fixed {
            *code = renumbering.number(*code);
        }
        clauses.rename(|code| renumbering.number(code));
        let network = Network::new(&clauses, renumbering.count, projected);
        Ok(Self { network, fixed, shown })
    }
}

/// New numbers of variables, in the order of the first request.
struct Renumbering {
    numbers: Vec<Option<u32>>,
    count: usize,
}

impl Renumbering {
    fn new(variables: usize) -> Self {
        Self { numbers: vec![None; variables], count: 0 }
    }

    fn is_numbered(&self, code: Code) -> bool {
        self.numbers[code.variable()].is_some()
    }

    fn number(&mut self, code: Code) -> Code {
        let count = &mut self.count;
        let number = *self.numbers[code.variable()].get_or_insert_with(|| {
            *count += 1;
            (*count - 1) as u32
        });
        code.of(Code::positive(number as usize))
    }
}
