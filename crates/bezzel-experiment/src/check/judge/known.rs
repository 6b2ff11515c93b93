//! Known facts on instances: the existence, the number and the set of solutions.
//!
//! A number is published, or an exhaustive search finds it. Only the search finds the set. Results are stored, so that
//! each instance is searched once for all its rows.

use std::collections::HashMap;
use std::ops::ControlFlow;

use bezzel_problem::Instance;
use num_bigint::BigUint;

use super::exhaustive::exhaustive;
use super::implied;
use crate::check::solution_collector::SolutionCollector;
use crate::model::measure::Truth;

/// The number of nodes that the search for one solution may visit, about some seconds.
const FIRST_BUDGET: u64 = 100_000_000;
/// The same for a row whose evidence is a finished search. Older searches had another budget.
const PATIENT_BUDGET: u64 = 32 * FIRST_BUDGET;
/// The same for the search for all solutions, or for their number: about a second or two.
const ALL_BUDGET: u64 = 20_000_000;
/// The largest number of solutions that are listed to find their set, which takes about a second.
const MAX_LISTED: u64 = 400_000;

/// The source of verdicts by an exhaustive search.
pub(super) const SEARCH: &str = "exhaustive search";

/// The nodes that a search visits in a second of CPU time, about. A step of the search of files takes 3 to 15 ns.
const NODES_PER_S: f64 = 20_000_000.0;
/// The part of the time of solving that a search takes beside a proof.
const SHARE: f64 = 0.1;
/// The nodes that a search beside a proof may always visit, about a twentieth of a second.
const LEAST_SHARE: u64 = 1_000_000;

/// The effort of the search for a first solution of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SearchEffort {
    /// No search. Stored results are used.
    Recall,
    /// The effort beside a proof, which may be short: at most this number of nodes.
    Share(u64),
    /// The effort of a run.
    Run,
    /// The effort of the searches that older rows rest on.
    Patient,
}

impl SearchEffort {
    /// A tenth of the time of solving, in nodes, so that the bound does not depend on the speed of the search.
    pub(super) fn share(solve_cpu_s: f64) -> Self {
        // A negative time or one that is no number gives no node.
        let nodes = (solve_cpu_s * SHARE * NODES_PER_S) as u64;
        Self::Share(nodes.clamp(LEAST_SHARE, FIRST_BUDGET))
    }

    fn budget(self) -> u64 {
        match self {
            Self::Recall => 0,
            Self::Share(nodes) => nodes,
            Self::Run => FIRST_BUDGET,
            Self::Patient => PATIENT_BUDGET,
        }
    }
}

/// The facts that are known and stored.
#[derive(Debug, Default)]
pub(super) struct KnownFacts {
    solvable: HashMap<Instance, (bool, String)>,
    /// The instances whose search did not end, with its effort.
    undecided: HashMap<Instance, SearchEffort>,
    lists: HashMap<Instance, ListResult>,
    counts: HashMap<Instance, Option<BigUint>>,
    truths: HashMap<Instance, Option<Truth>>,
}

/// The result of listing the solutions of an instance.
#[derive(Clone, Debug)]
enum ListResult {
    /// The number of solutions, and the digest of their set.
    Whole(BigUint, String),
    /// The number of solutions is too large.
    Long,
    /// The search takes too long.
    Late,
}

/// A number of solutions, and its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KnownTotal {
    pub(super) count: BigUint,
    pub(super) source: String,
}

impl KnownFacts {
    /// Stores that the instance has a solution.
    pub(super) fn remember_solution(&mut self, instance: &Instance) {
        if !matches!(self.solvable.get(instance), Some((true, _))) {
            let source = format!("a verified solution of the same {}", instance.noun());
            self.solvable.insert(instance.clone(), (true, source));
        }
    }

    /// Returns true if the instance has a solution and false if it has none, with the source; none if it is unknown
    /// after a search with this effort.
    pub(super) fn solvable(
        &mut self,
        instance: &Instance,
        effort: SearchEffort,
    ) -> Option<(bool, String)> {
        if let Some(known) = self.solvable.get(instance) {
            return Some(known.clone());
        }
        if self.undecided.get(instance).is_some_and(|&spent| spent >= effort) {
            return None;
        }
        let known = solvable(instance, effort.budget());
        match &known {
            Some(known) => {
                self.solvable.insert(instance.clone(), known.clone());
            }
            None => {
                self.undecided.insert(instance.clone(), effort);
            }
        }
        known
    }

    /// Returns the facts that hold in all solutions, if the search finds them.
    pub(super) fn truth(&mut self, instance: &Instance) -> Option<Truth> {
        if !self.truths.contains_key(instance) {
            self.truths.insert(instance.clone(), implied::truth(instance));
        }
        self.truths.get(instance).cloned().flatten()
    }

    /// Returns the number of solutions.
    pub(super) fn total(&mut self, instance: &Instance) -> Option<KnownTotal> {
        if let Some(total) = published_total(instance) {
            return Some(total);
        }
        let found = |count| KnownTotal { count, source: SEARCH.into() };
        match self.list(instance) {
            ListResult::Whole(count, _) => Some(found(count)),
            ListResult::Long => self.count(instance).map(found),
            ListResult::Late => None,
        }
    }

    /// Returns the digest of the set of all solutions, if they can be listed.
    pub(super) fn set(&mut self, instance: &Instance) -> Option<String> {
        let is_long = published_total(instance).is_some_and(|all| all.count > MAX_LISTED.into());
        match if is_long { ListResult::Long } else { self.list(instance) } {
            ListResult::Whole(_, digest) => Some(digest),
            ListResult::Long | ListResult::Late => None,
        }
    }

    fn list(&mut self, instance: &Instance) -> ListResult {
        if let Some(known) = self.lists.get(instance) {
            return known.clone();
        }
        let found = list(instance);
        self.lists.insert(instance.clone(), found.clone());
        found
    }

    fn count(&mut self, instance: &Instance) -> Option<BigUint> {
        let count = || exhaustive(instance)?.count(ALL_BUDGET).ok().map(BigUint::from);
        self.counts.entry(instance.clone()).or_insert_with(count).clone()
    }
}

fn solvable(instance: &Instance, budget: u64) -> Option<(bool, String)> {
    if let Some((solvable, source)) = instance.known().solvable {
        return Some((solvable, format!("published: {source}")));
    }
    if budget == 0 {
        return None;
    }
    let first = exhaustive(instance)?.first(None, budget).ok()?;
    Some((first.is_some(), SEARCH.into()))
}

fn published_total(instance: &Instance) -> Option<KnownTotal> {
    let (count, source) = instance.known().count?;
    Some(KnownTotal { count: count.into(), source: format!("published: {source}") })
}

fn list(instance: &Instance) -> ListResult {
    let Some(search) = exhaustive(instance) else { return ListResult::Late };
    let mut collector = SolutionCollector::new(instance);
    let searched = search.each(ALL_BUDGET, &mut |chosen| {
        collector.add(chosen);
        if collector.shown() > MAX_LISTED {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    let long = collector.shown() > MAX_LISTED;
    let collected = collector.finish();
    // The search is checked too: a list that breaks the rules is not compared with others.
    if searched.is_err() || collected.violation.is_some() {
        ListResult::Late
    } else if long {
        ListResult::Long
    } else {
        ListResult::Whole(collected.count.into(), collected.digest)
    }
}

#[cfg(test)]
mod tests {
    use bezzel_problem::kind::latin_square::LatinSquare;
    use bezzel_problem::kind::pigeonhole::Pigeonhole;

    use super::*;
    use crate::tests::seating::Seating;

    #[test]
    fn published_counts_equal_those_of_the_search() {
        let pairs = (1..=5).flat_map(|one| (1..=5).map(move |other| (one, other)));
        let instances: Vec<Instance> = pairs
            .flat_map(|(one, other)| {
                let pigeons = Pigeonhole::new(one, other).unwrap();
                [Instance::from(pigeons), Seating::new(one, other).into()]
            })
            .chain((1..=4).map(|order| LatinSquare::new(order, None, 3).unwrap().into()))
            .collect();
        for instance in instances {
            let ListResult::Whole(found, _) = list(&instance) else { panic!("{instance}") };
            let known = KnownFacts::default().total(&instance).unwrap();
            assert_eq!(found, known.count, "{instance}, {}", known.source);
        }
        let known = KnownFacts::default().total(&Seating::new(8, 8).into()).unwrap();
        assert_eq!(known.source, "published: falling factorials");
    }

    #[test]
    fn of_many_solutions_the_number_is_known_and_not_the_set() {
        // There are 10! solutions.
        let seating = Seating::new(10, 10).into();
        let mut known = KnownFacts::default();
        assert_eq!(known.total(&seating).map(|total| total.count), Some(3_628_800_u32.into()));
        assert_eq!(known.set(&seating), None);
    }
}
