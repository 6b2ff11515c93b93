//! Known facts on boards: the existence, the number and the set of solutions.
//!
//! A number is published, or an exhaustive search finds it. Only the search finds the set. Results are stored, so that
//! each board is searched once for all its rows.

use std::collections::HashMap;
use std::ops::ControlFlow;

use bezzel_count::published;
use bezzel_problem::{Geometry, Instance, Piece};
use num_bigint::BigUint;

use super::exhaustive::Exhaustive;
use super::implied;
use crate::check::counted::CountedSet;
use crate::check::solution_collector::SolutionCollector;
use crate::model::measure::Truth;

/// The number of nodes that the search for one solution may visit, about some seconds.
const FIRST_BUDGET: u64 = 100_000_000;
/// The same for a row whose evidence is a finished search. Older searches had another budget.
const PATIENT_BUDGET: u64 = 32 * FIRST_BUDGET;
/// The same for the search for all solutions, or for their number: about a second or two.
const ALL_BUDGET: u64 = 20_000_000;
/// The largest number of solutions that are listed to find their set, which takes about a second. The empty board of
/// side 14 has 365,596.
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
    lists: HashMap<(Instance, CountedSet), ListResult>,
    /// Boards whose list did not end. The search without images would not be shorter.
    endless: HashMap<Instance, ListResult>,
    counts: HashMap<Instance, Option<BigUint>>,
    truths: HashMap<Instance, Option<Truth>>,
}

/// The result of listing the solutions of a board.
#[derive(Clone, Debug)]
enum ListResult {
    /// The number of counted solutions, and the digest of their set.
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

    /// Returns the number of solutions. The number of models depends on the formula, so it is not known.
    pub(super) fn total(&mut self, instance: &Instance, counted: CountedSet) -> Option<KnownTotal> {
        if counted == CountedSet::Models {
            return None;
        }
        if let Some(total) = published_total(instance, counted) {
            return Some(total);
        }
        let found = |count| KnownTotal { count, source: SEARCH.into() };
        match (self.list(instance, counted), counted) {
            (ListResult::Whole(count, _), _) => Some(found(count)),
            (ListResult::Long, CountedSet::All) => self.count(instance).map(found),
            (ListResult::Long, CountedSet::Halves) => {
                self.count(instance).map(|count| found(half(count)))
            }
            // The number of orbits does not follow from the number of solutions.
            (ListResult::Long, CountedSet::Orbits | CountedSet::Models) | (ListResult::Late, _) => {
                None
            }
        }
    }

    /// Returns the digest of the set of all counted solutions, if they can be listed.
    pub(super) fn set(&mut self, instance: &Instance, counted: CountedSet) -> Option<String> {
        let too_many = published_total(instance, CountedSet::All)
            .is_some_and(|all| all.count > MAX_LISTED.into());
        match (too_many, counted) {
            (true, _) => None,
            (false, _) => match self.list(instance, counted) {
                ListResult::Whole(_, digest) => Some(digest),
                ListResult::Long | ListResult::Late => None,
            },
        }
    }

    fn list(&mut self, instance: &Instance, counted: CountedSet) -> ListResult {
        let key = (instance.clone(), counted);
        let known = self.endless.get(instance).or_else(|| self.lists.get(&key));
        if let Some(known) = known {
            return known.clone();
        }
        let found = list(instance, counted);
        match found {
            ListResult::Whole(..) => self.lists.insert(key, found.clone()),
            ListResult::Long | ListResult::Late => {
                self.endless.insert(instance.clone(), found.clone())
            }
        };
        found
    }

    fn count(&mut self, instance: &Instance) -> Option<BigUint> {
        let count = || Exhaustive::new(instance)?.count(ALL_BUDGET).map(BigUint::from);
        self.counts.entry(instance.clone()).or_insert_with(count).clone()
    }
}

fn solvable(instance: &Instance, budget: u64) -> Option<(bool, String)> {
    let published = match instance.board() {
        Some(board) => published::solvable(board),
        None => instance.known_count().map(|count| (count > 0, KNOWN)),
    };
    if let Some((solvable, source)) = published {
        return Some((solvable, format!("published: {source}")));
    }
    if budget == 0 {
        return None;
    }
    let first = Exhaustive::new(instance)?.first(None, budget).ok()?;
    Some((first.is_some(), SEARCH.into()))
}

/// The source of the known numbers of kinds other than queens.
const KNOWN: &str = "the number of solutions that the kind of the instance cites";

fn published_total(instance: &Instance, counted: CountedSet) -> Option<KnownTotal> {
    let Some(board) = instance.board() else {
        let count = instance.known_count().filter(|_| counted == CountedSet::All)?;
        return Some(KnownTotal { count: count.into(), source: format!("published: {KNOWN}") });
    };
    let all = published::solutions(board)?;
    let (count, source) = match counted {
        CountedSet::Models => return None,
        CountedSet::All => (all.count.into(), all.source.to_owned()),
        CountedSet::Halves => (half(all.count.into()), format!("{}, halved", all.source)),
        CountedSet::Orbits if all.count == 0 => (all.count.into(), all.source.to_owned()),
        CountedSet::Orbits => {
            let plane = board.geometry() == Geometry::Plane && board.piece() == Piece::Queen;
            let fundamental = published::fundamental(board.rows()).filter(|_| plane)?;
            (fundamental.count.into(), fundamental.source.to_owned())
        }
    };
    Some(KnownTotal { count, source: format!("published: {source}") })
}

/// Returns the number of solutions up to mirror images, for `count` solutions in all. Two queens cannot both stand in
/// the middle column, so no solution is its own mirror image, except one queen in a single row.
fn half(count: BigUint) -> BigUint {
    (count + 1_u8) >> 1
}

fn list(instance: &Instance, counted: CountedSet) -> ListResult {
    let Some(search) = Exhaustive::new(instance) else { return ListResult::Late };
    let group = instance.board().and_then(|board| counted.group(board));
    let mut collector = SolutionCollector::new(instance, group);
    let is_done = search.each(ALL_BUDGET, |chosen| {
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
    if !is_done || collected.violation.is_some() {
        ListResult::Late
    } else if long {
        ListResult::Long
    } else {
        ListResult::Whole(collected.count.into(), collected.digest)
    }
}

#[cfg(test)]
mod tests {
    use bezzel_problem::{Board, Square};

    use super::*;

    fn total(board: &Instance, counted: CountedSet) -> Option<(u64, String)> {
        let total = KnownFacts::default().total(board, counted)?;
        Some((u64::try_from(&total.count).unwrap(), total.source))
    }

    #[test]
    fn published_counts_of_all_halves_and_orbits_equal_those_of_the_search() {
        for side in 1..=8 {
            for geometry in [Geometry::Plane, Geometry::Torus] {
                let board = Board::new(side).unwrap().with_geometry(geometry).into();
                for counted in [CountedSet::All, CountedSet::Halves, CountedSet::Orbits] {
                    let ListResult::Whole(found, _) = list(&board, counted) else {
                        panic!("{board}")
                    };
                    let (known, source) = total(&board, counted).unwrap();
                    assert_eq!(found, known.into(), "{counted:?} of {board}, {source}");
                }
            }
        }
        let board = Board::new(8).unwrap();
        let source = |counted| total(&board.clone().into(), counted).unwrap().1;
        assert_eq!(source(CountedSet::All), "published: OEIS A000170");
        assert_eq!(source(CountedSet::Halves), "published: OEIS A000170, halved");
        assert_eq!(source(CountedSet::Orbits), "published: OEIS A002562");
        let torus = board.clone().with_geometry(Geometry::Torus).into();
        assert_eq!(total(&torus, CountedSet::Orbits).unwrap().0, 0);
    }

    #[test]
    fn a_single_row_has_one_more_than_half_if_its_middle_is_free() {
        for (columns, halves) in [(4, 2), (5, 3)] {
            let board = Board::rectangle(1, columns).unwrap().into();
            assert_eq!(
                total(&board, CountedSet::Halves),
                Some((halves, SEARCH.into())),
                "{columns}"
            );
            assert_eq!(half(columns.into()), halves.into());
        }
        let board = Board::rectangle(1, 5).unwrap().with_blocked([Square::new(0, 2)]).unwrap();
        assert_eq!(total(&board.into(), CountedSet::Halves), Some((2, SEARCH.into())));
    }

    #[test]
    fn of_many_solutions_the_number_is_known_and_not_the_set() {
        // There are 10! solutions, none of which is its own mirror image.
        let rooks = Board::new(10).unwrap().with_piece(Piece::Rook).into();
        let mut known = KnownFacts::default();
        let mut total = |counted| known.total(&rooks, counted).map(|total| total.count);
        assert_eq!(total(CountedSet::All), Some(3_628_800_u32.into()));
        assert_eq!(total(CountedSet::Halves), Some(1_814_400_u32.into()));
        assert_eq!(total(CountedSet::Orbits), None);
        assert_eq!(known.set(&rooks, CountedSet::All), None);
    }
}
