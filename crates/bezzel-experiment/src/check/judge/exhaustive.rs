//! The exhaustive search by which answers are judged.
//!
//! Boards of side 64 or less are searched by [`Backtrack`], whose lines are bits of machine words. The other
//! instances are searched by [`Search`]. Neither shares code with encodings.

use std::ops::ControlFlow;

use bezzel_count::Backtrack;
use bezzel_problem::{Board, Candidate, Instance, Literal, Search, Solution};

/// The number of steps of [`Search`] that take about as long as one node of [`Backtrack`].
const STEPS_PER_NODE: u64 = 6;

/// The largest number of literals of a problem that is searched, since larger problems need too much memory.
const MAX_LITERALS: u64 = 4_000_000;

/// An instance that is prepared for a search.
pub(super) struct Exhaustive<'a> {
    instance: &'a Instance,
    method: Method,
}

/// The search visited more nodes than its budget.
pub(super) struct BudgetExceeded;

enum Method {
    Backtrack(Backtrack),
    Search(Box<Search>),
}

impl<'a> Exhaustive<'a> {
    /// Prepares the search; none if the instance is too large, or is a file that was not read.
    pub(super) fn new(instance: &'a Instance) -> Option<Self> {
        if let Some(board) = instance.board() {
            let method = Method::Backtrack(Backtrack::new(board)?);
            return Some(Self { instance, method });
        }
        if !instance.has_problem() {
            return None;
        }
        let problem = instance.problem();
        let mut literals = u64::from(problem.candidates());
        for family in problem.families() {
            family.for_each(|group| literals += group.len() as u64);
        }
        literals += problem.clauses().iter().map(|clause| clause.len() as u64).sum::<u64>();
        (literals <= MAX_LITERALS).then(|| {
            let method = Method::Search(Box::new(Search::new(&problem)));
            Self { instance, method }
        })
    }

    /// The number of candidates.
    pub(super) fn candidates(&self) -> Candidate {
        self.instance.board().map_or_else(|| self.instance.problem().candidates(), Board::squares)
    }

    /// Returns the first solution in which `literal` is true, if a literal is given.
    pub(super) fn first(
        &self,
        literal: Option<Literal>,
        budget: u64,
    ) -> Result<Option<Solution>, BudgetExceeded> {
        match (&self.method, self.instance.board()) {
            (Method::Backtrack(search), Some(board)) => {
                let found = match literal {
                    None => search.first(budget),
                    Some(literal) => match assuming(board, literal) {
                        Some(search) => search.first(budget),
                        None => return Ok(None),
                    },
                };
                let found = found.map_err(|_| BudgetExceeded)?;
                Ok(found.map(|placement| placement.solution(board)))
            }
            (Method::Search(search), _) => {
                let mut search = search.clone();
                search.assume(literal.as_slice());
                search.first(budget.saturating_mul(STEPS_PER_NODE)).map_err(|_| BudgetExceeded)
            }
            (Method::Backtrack(_), None) => unreachable!("only boards are searched by it"),
        }
    }

    /// Calls `found` with each solution. Returns false if more than `budget` nodes were visited.
    pub(super) fn each(
        &self,
        budget: u64,
        mut found: impl FnMut(&[Candidate]) -> ControlFlow<()>,
    ) -> bool {
        match (&self.method, self.instance.board()) {
            (Method::Backtrack(search), Some(board)) => {
                let mut chosen = Vec::with_capacity(board.rows() as usize);
                let each = search.each(budget, |placement| {
                    chosen.clear();
                    chosen.extend(placement.squares().map(|square| board.candidate(square)));
                    found(&chosen)
                });
                each.is_ok()
            }
            (Method::Search(search), _) => {
                let mut search = search.clone();
                search
                    .each(budget.saturating_mul(STEPS_PER_NODE), |solution| {
                        found(solution.chosen())
                    })
                    .is_ok()
            }
            (Method::Backtrack(_), None) => unreachable!("only boards are searched by it"),
        }
    }

    /// The number of solutions; none if more than `budget` nodes were visited.
    pub(super) fn count(&self, budget: u64) -> Option<u128> {
        match &self.method {
            Method::Backtrack(search) => search.count(budget).ok(),
            Method::Search(search) => {
                let mut search = search.clone();
                search.count(budget.saturating_mul(STEPS_PER_NODE)).ok().map(u128::from)
            }
        }
    }
}

/// Returns the search of a board with one more queen or blocked square; none if the queen attacks a given queen or the
/// literal contradicts the given and blocked squares.
fn assuming(board: &Board, literal: Literal) -> Option<Backtrack> {
    let square = [board.square(literal.candidate())];
    let board = if literal.is_negated() {
        board.clone().with_blocked(board.blocked().iter().copied().chain(square))
    } else {
        board.clone().with_placed(board.placed().iter().copied().chain(square))
    };
    Backtrack::new(&board.ok()?)
}
