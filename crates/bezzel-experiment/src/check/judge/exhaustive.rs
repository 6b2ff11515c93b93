//! The exhaustive search by which answers are judged: that of the kind, or [`Search`] over the groups of the problem.
//! Neither shares code with encodings.

use std::ops::ControlFlow;

use bezzel_problem::{
    Candidate, ExhaustiveSearch, Instance, KindSearch, Literal, NodesSpent, Problem, Search,
    Solution,
};

/// The number of steps of [`Search`] that take about as long as one node of a search of a kind.
const STEPS_PER_NODE: u64 = 6;

/// The largest number of literals of a problem that is searched, since larger problems need too much memory.
const MAX_LITERALS: u64 = 4_000_000;

/// The search for an instance; none if the instance is too large, or is a file that was not read.
pub(super) fn exhaustive(instance: &Instance) -> Option<Box<dyn ExhaustiveSearch>> {
    match instance.search() {
        KindSearch::OfKind(search) => Some(search),
        KindSearch::None => None,
        KindSearch::OfProblem => Some(Box::new(OfProblem(Search::new(&searched(instance)?)))),
    }
}

/// The problem of an instance, if it is read and small enough.
fn searched(instance: &Instance) -> Option<Problem> {
    if !instance.has_problem() {
        return None;
    }
    let problem = instance.problem();
    let mut literals = u64::from(problem.candidates());
    for family in problem.families() {
        family.for_each(|group| literals += group.len() as u64);
    }
    literals += problem.clauses().iter().map(|clause| clause.len() as u64).sum::<u64>();
    (literals <= MAX_LITERALS).then_some(problem)
}

/// The search over the groups of a problem.
struct OfProblem(Search);

impl ExhaustiveSearch for OfProblem {
    fn first(&self, literal: Option<Literal>, budget: u64) -> Result<Option<Solution>, NodesSpent> {
        let mut search = self.0.clone();
        search.assume(literal.as_slice());
        search.first(budget.saturating_mul(STEPS_PER_NODE)).map_err(|_| NodesSpent)
    }

    fn each(
        &self,
        budget: u64,
        found: &mut dyn FnMut(&[Candidate]) -> ControlFlow<()>,
    ) -> Result<(), NodesSpent> {
        let budget = budget.saturating_mul(STEPS_PER_NODE);
        let each = self.0.clone().each(budget, |solution| found(solution.chosen()));
        each.map_err(|_| NodesSpent)
    }

    fn count(&self, budget: u64) -> Result<u128, NodesSpent> {
        let count = self.0.clone().count(budget.saturating_mul(STEPS_PER_NODE));
        count.map(u128::from).map_err(|_| NodesSpent)
    }
}
