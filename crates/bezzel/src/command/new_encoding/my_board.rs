//! The my-board encoding of whole problems: REPLACE by its effect, in one sentence.
//!
//! *Idea.* REPLACE: the meaning of the variables, and the way in which two candidates of a group come to
//! contradict each other.
//!
//! *Clauses.* Every group with at least one: its literals. ¬x ∨ ¬y for each two literals x and y of a group
//! with at most one. The clauses of the problem. REPLACE by yours, as implications.
//!
//! *Size.* One variable for each candidate; n(n − 1)/2 clauses for each group of n literals with at most one,
//! one for each group with at least one, and those of the problem. REPLACE.
//!
//! *Propagation.* Complete: REPLACE by the reason.
//!
//! *Models.* No auxiliary variable. REPLACE: the solution determines yours or does not, and the reason.
//!
//! *Source.* REPLACE: authors, title, place and year, down to the section.
//!
//! *Departures.* REPLACE: the differences from the source. None, if there is no difference.

use bezzel_problem::{GroupFamily, Literal, Problem};

use super::Encoding;
use crate::constraints::Unsupported;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::var_map::VarMap;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct MyBoard;

impl Encoding for MyBoard {
    fn info(&self) -> EncodingInfo {
        EncodingInfo {
            id: "my-board".into(),
            title: "my-board".into(),
            idea: "REPLACE: the idea in a sentence.".into(),
            citation: "REPLACE: authors and year".into(),
            // The checks confirm or refute both. Guess, and read the output of `bezzel check`.
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::None,
            constraints: "REPLACE: rows and columns exactly one, diagonals at most one".into(),
            ..EncodingInfo::default()
        }
    }

    // REPLACE. The problems that you can state.
    fn fits(&self, problem: &Problem) -> Result<(), Unsupported> {
        let is_one = |bound: Option<u64>| bound.is_none_or(|bound| bound == 1);
        let is_stated = |family: &GroupFamily| {
            let bounds = family.bounds();
            let has_one = is_one(bounds.at_least) && is_one(bounds.at_most);
            has_one && family.weights().is_none() && family.conditions().is_empty()
        };
        if problem.families().iter().all(is_stated) {
            return Ok(());
        }
        let why = "it has other bounds than at least one and at most one";
        Err(Unsupported::new(format!("`{}`", self.info().id), problem, why, "take another"))
    }

    // REPLACE. The numbers of all variables, clauses and literals; `None` if you do not know.
    fn size(&self, _: &Problem) -> Option<Size> {
        None
    }

    // REPLACE. The first `out.fresh(k)` makes the variables of the candidates, later ones make auxiliary
    // variables; `out.clause(&[…])` states a clause. The map gives the meaning of the first ones.
    fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        let candidates = out.fresh(problem.candidates());
        let lit = |literal: &Literal| {
            let x = candidates.lit(literal.candidate());
            if literal.is_negated() { !x } else { x }
        };
        for family in problem.families() {
            out.section(family.name());
            family.for_each(|group| {
                let xs: Vec<_> = group.iter().map(lit).collect();
                if family.bounds().at_least.is_some() {
                    out.clause(&xs);
                }
                if family.bounds().at_most.is_some() {
                    for (index, &first) in xs.iter().enumerate() {
                        for &second in &xs[index + 1..] {
                            // x → ¬y
                            out.clause(&[!first, !second]);
                        }
                    }
                }
            });
        }
        if !problem.clauses().is_empty() {
            out.section("clauses");
        }
        for clause in problem.clauses().iter() {
            let xs: Vec<_> = clause.iter().map(lit).collect();
            out.clause(&xs);
        }
        VarMap::one_per_candidate(candidates).with_nested_solutions(problem.has_nested_solutions())
    }
}
