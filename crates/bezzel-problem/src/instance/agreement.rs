//! The groups of an instance, compared with its rules: a test for authors of kinds.

use std::ops::ControlFlow;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::Instance;
use crate::search::Search;
use crate::solution::Solution;

/// The most candidates of which every assignment is tried.
const MAX_TRIED: u32 = 16;

/// The most steps of the search for solutions of larger instances.
const STEPS: u64 = 1_000_000;

/// The most assignments that are tried for larger instances.
const ASSIGNMENTS: usize = 2_000;

impl Instance {
    /// The first assignment that only one of the groups and the rules accepts, or a fact that the solutions contradict, in
    /// words. None if they agree. An instance of up to 16 candidates is tried on all assignments; a larger one on its
    /// solutions and on assignments that differ from a solution in one candidate or two. Of a large instance only the
    /// first solutions are tried.
    pub fn disagreement(&self) -> Option<String> {
        let (problem, mut accepted) = (self.problem(), 0_u128);
        for solution in self.assignments() {
            let [by_groups, by_rules] = [
                problem.check(&solution).map_err(|fault| fault.to_string()),
                self.check(&solution),
            ];
            if by_groups.is_ok() != by_rules.is_ok() {
                let words = |result: Result<(), String>| match result {
                    Ok(()) => "accept it".to_owned(),
                    Err(fault) => format!("refuse it ({fault})"),
                };
                let labels: Vec<_> =
                    solution.chosen().iter().map(|&candidate| self.label(candidate)).collect();
                return Some(format!(
                    "{self}: {{{}}}: the groups {}, the rules {}",
                    labels.join(", "),
                    words(by_groups),
                    words(by_rules)
                ));
            }
            accepted += u128::from(by_rules.is_ok());
        }
        if problem.candidates() > MAX_TRIED {
            accepted = u128::from(Search::new(&problem).count(STEPS).ok()?);
        }
        let facts = self.known();
        if let Some((known, source)) = facts.count.filter(|(known, _)| *known != accepted) {
            return Some(format!("{self}: {accepted} solutions, and {known} are known ({source})"));
        }
        let (known, source) = facts.solvable.filter(|(known, _)| *known != (accepted > 0))?;
        let known = if known { "one is known to exist" } else { "none is known to exist" };
        Some(format!("{self}: {accepted} solutions, and {known} ({source})"))
    }

    /// Solutions, near solutions, and assignments that are no solutions.
    fn assignments(&self) -> Vec<Solution> {
        let candidates = self.problem().candidates();
        if candidates <= MAX_TRIED {
            let of =
                |bits: u32| (0..candidates).filter(move |candidate| bits >> candidate & 1 == 1);
            return (0..1_u32 << candidates).map(|bits| of(bits).collect()).collect();
        }
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut all = vec![Solution::default()];
        let end = Search::new(&self.problem()).each(STEPS, |solution| {
            // One candidate more, one less, and one in place of another.
            let chosen = solution.chosen();
            let other = random.random_range(0..candidates);
            if chosen.is_empty() {
                all.extend([solution.clone(), Solution::from_iter([other])]);
                return ControlFlow::Continue(());
            }
            let left = chosen[random.random_range(0..chosen.len() as u32) as usize];
            let without = || chosen.iter().copied().filter(|&candidate| candidate != left);
            all.push(solution.clone());
            all.push(chosen.iter().copied().chain([other]).collect());
            all.push(without().collect());
            all.push(without().chain([other]).collect());
            if all.len() < ASSIGNMENTS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        // A search that takes long has tried some.
        let _ = end;
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::Drawing;
    use crate::group::{Bounds, GroupFamily, Lists};
    use crate::kind::Kind;
    use crate::literal::{Candidate, Literal};
    use crate::problem::Problem;

    /// One of two, as the rules state it, with groups that allow this number of both.
    #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
    struct OneOfTwo {
        at_most: u64,
        known: Option<u128>,
    }

    impl std::fmt::Display for OneOfTwo {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("one of two")
        }
    }

    impl Kind for OneOfTwo {
        const ID: &'static str = "one-of-two";
        const TITLE: &'static str = "one of two";
        const FAMILIES: &'static [&'static str] = &["pair"];
        const SIZE: &'static str = "Candidates";

        fn constraints(&self) -> Problem {
            let pair = Lists::from_iter([[0, 1].map(Literal::chosen)]);
            let bounds = Bounds { at_least: Some(1), at_most: Some(self.at_most) };
            Problem::new(2).with_family(GroupFamily::new("pair", bounds, pair))
        }

        fn size(&self) -> u32 {
            2
        }

        fn label(&self, candidate: Candidate) -> String {
            format!("c{candidate}")
        }

        fn draw(&self, _: &Solution) -> String {
            String::new()
        }

        fn drawing(&self, _: Option<&Solution>) -> Option<Drawing> {
            None
        }

        fn check(&self, solution: &Solution) -> Result<(), String> {
            if solution.chosen() == [0] || solution.chosen() == [1] {
                return Ok(());
            }
            Err("not one".into())
        }

        fn known_count(&self) -> Option<u128> {
            self.known
        }
    }

    #[test]
    fn groups_that_allow_too_much_and_a_wrong_number_are_found() {
        let found = |at_most, known| Instance::from(OneOfTwo { at_most, known }).disagreement();
        assert_eq!(found(1, None), None);
        assert_eq!(found(1, Some(2)), None);
        let both = "one of two: {c0, c1}: the groups accept it, the rules refuse it (not one)";
        assert_eq!(found(2, None).as_deref(), Some(both));
        let number = found(1, Some(3)).unwrap();
        assert!(number.starts_with("one of two: 2 solutions, and 3 are known"), "{number}");
    }
}
