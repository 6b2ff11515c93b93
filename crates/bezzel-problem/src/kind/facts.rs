//! Facts on an instance by which the judge checks answers: published numbers, theorems, and an exhaustive search.

use std::ops::ControlFlow;

use crate::literal::{Candidate, Literal};
use crate::solution::Solution;

/// The published or proven facts on an instance, each with its source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownFacts {
    /// True if the instance has a solution.
    pub solvable: Option<(bool, &'static str)>,
    /// The number of solutions.
    pub count: Option<(u128, &'static str)>,
}

impl KnownFacts {
    /// The source of a number that the documentation of the kind proves or cites.
    const CITED: &'static str = "the number of solutions that the kind of the instance cites";

    /// The facts that follow from the number of solutions, where the documentation of the kind has its source.
    pub fn of_count(count: Option<u128>) -> Self {
        let count = count.map(|count| (count, Self::CITED));
        Self { solvable: count.map(|(count, source)| (count > 0, source)), count }
    }
}

/// A field of an instance in the JSON of jobs and rows, with its column in the table of rows.
#[derive(Clone, Copy, Debug)]
pub struct InstanceField {
    /// The key in JSON.
    pub key: &'static str,
    /// The column in the table of rows.
    pub column: &'static str,
    /// The key whose value the field has where its own key is left out. None if it is never left out.
    pub absent: Option<&'static str>,
}

/// The exhaustive search that decides an instance. It shares no code with encodings, solvers and engines.
pub enum KindSearch {
    /// [`Search`](crate::Search) over the groups of the problem.
    OfProblem,
    /// A search of the kind.
    OfKind(Box<dyn ExhaustiveSearch>),
    /// The instance is too large for any.
    None,
}

/// A search visited more nodes than its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodesSpent;

/// A search of a kind for the solutions of one instance.
pub trait ExhaustiveSearch {
    /// Finds a solution in which `literal` holds, if a literal is given, or proves that there is none.
    ///
    /// # Errors
    ///
    /// When it visits more than `budget` nodes.
    fn first(&self, literal: Option<Literal>, budget: u64) -> Result<Option<Solution>, NodesSpent>;

    /// Calls `found` with the chosen candidates of each solution once.
    ///
    /// # Errors
    ///
    /// When it visits more than `budget` nodes.
    fn each(
        &self,
        budget: u64,
        found: &mut dyn FnMut(&[Candidate]) -> ControlFlow<()>,
    ) -> Result<(), NodesSpent>;

    /// The number of solutions.
    ///
    /// # Errors
    ///
    /// When it visits more than `budget` nodes.
    fn count(&self, budget: u64) -> Result<u128, NodesSpent>;
}
