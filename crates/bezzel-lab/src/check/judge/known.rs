//! What is known of boards: whether they have a solution, how many, and which.
//!
//! A number is published, or an exhaustive search finds it; which solutions there are only the
//! search tells. What was found out about a board is remembered, so that no board is searched
//! twice, however many rows are about it.

use std::collections::HashMap;
use std::ops::ControlFlow;

use bezzel_count::published;
use bezzel_problem::{Geometry, Instance, Piece};
use num_bigint::BigUint;

use super::exhaustive::Exhaustive;
use super::implied;
use crate::check::counted::Counted;
use crate::check::witness::Witness;
use crate::model::measure::Truth;

/// How many nodes the search for one solution may visit before it gives up: some seconds' worth.
const FIRST_BUDGET: u64 = 100_000_000;
/// The same where a row says that the search came to its end. Older searches had another budget.
const PATIENT_BUDGET: u64 = 32 * FIRST_BUDGET;
/// The same for the search for all, or for their number: a second or two.
const ALL_BUDGET: u64 = 20_000_000;
/// So many solutions are looked at in turn to find out which there are, in about a second. The empty
/// board of side 14 has 365,596.
const MOST_LISTED: u64 = 400_000;

/// What an exhaustive search calls itself.
pub(super) const SEARCH: &str = "exhaustive search";

/// How long an instance may be searched for a first solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SearchEffort {
    /// It is not searched. What is known already counts.
    Recall,
    /// As long as in a run.
    #[default]
    Run,
    /// As long as the searches that older rows rest on.
    Patient,
}

impl SearchEffort {
    fn budget(self) -> u64 {
        match self {
            Self::Recall => 0,
            Self::Run => FIRST_BUDGET,
            Self::Patient => PATIENT_BUDGET,
        }
    }
}

/// What is known, and remembered.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// How long an instance may be searched from now on.
    pub(super) effort: SearchEffort,
    solvable: HashMap<Instance, (bool, String)>,
    /// The instances of which a search came to no end, with its effort.
    undecided: HashMap<Instance, SearchEffort>,
    lists: HashMap<(Instance, Counted), List>,
    /// Boards of which no list came to an end: it would be no shorter if images were left out.
    endless: HashMap<Instance, List>,
    counts: HashMap<Instance, Option<BigUint>>,
    truths: HashMap<Instance, Option<Truth>>,
}

/// What came of listing the solutions of a board.
#[derive(Clone, Debug)]
enum List {
    /// The number of those that count, and the digest of their set.
    Whole(BigUint, String),
    /// There are too many.
    Long,
    /// The search takes too long.
    Late,
}

/// A number of solutions, and who says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Total {
    pub(super) count: BigUint,
    pub(super) source: String,
}

impl Known {
    /// Notes that a solution was seen.
    pub(super) fn remember_solution(&mut self, instance: &Instance) {
        if !matches!(self.solvable.get(instance), Some((true, _))) {
            let source = format!("a verified solution of the same {}", instance.noun());
            self.solvable.insert(instance.clone(), (true, source));
        }
    }

    /// Whether the instance has a solution, and who says so.
    pub(super) fn solvable(&mut self, instance: &Instance) -> Option<(bool, String)> {
        if let Some(known) = self.solvable.get(instance) {
            return Some(known.clone());
        }
        if self.undecided.get(instance).is_some_and(|&effort| effort >= self.effort) {
            return None;
        }
        let known = solvable(instance, self.effort.budget());
        match &known {
            Some(known) => {
                self.solvable.insert(instance.clone(), known.clone());
            }
            None => {
                self.undecided.insert(instance.clone(), self.effort);
            }
        }
        known
    }

    /// What is true of the squares in all solutions, if the search finds it out.
    pub(super) fn truth(&mut self, instance: &Instance) -> Option<Truth> {
        if !self.truths.contains_key(instance) {
            self.truths.insert(instance.clone(), implied::truth(instance));
        }
        self.truths.get(instance).cloned().flatten()
    }

    /// How many solutions there are. Of models, which are a formula's, no board tells.
    pub(super) fn total(&mut self, instance: &Instance, counted: Counted) -> Option<Total> {
        if counted == Counted::Models {
            return None;
        }
        if let Some(total) = published_total(instance, counted) {
            return Some(total);
        }
        let found = |count| Total { count, source: SEARCH.into() };
        match (self.list(instance, counted), counted) {
            (List::Whole(count, _), _) => Some(found(count)),
            (List::Long, Counted::All) => self.count(instance).map(found),
            (List::Long, Counted::Halves) => self.count(instance).map(|count| found(half(count))),
            // Of how many an image is another one, no number tells.
            (List::Long, Counted::Orbits | Counted::Models) | (List::Late, _) => None,
        }
    }

    /// The digest of the set of all solutions that count, where they can be listed.
    pub(super) fn set(&mut self, instance: &Instance, counted: Counted) -> Option<String> {
        let too_many = published_total(instance, Counted::All)
            .is_some_and(|all| all.count > MOST_LISTED.into());
        match (too_many, counted) {
            (true, _) => None,
            (false, _) => match self.list(instance, counted) {
                List::Whole(_, digest) => Some(digest),
                List::Long | List::Late => None,
            },
        }
    }

    fn list(&mut self, instance: &Instance, counted: Counted) -> List {
        let key = (instance.clone(), counted);
        let known = self.endless.get(instance).or_else(|| self.lists.get(&key));
        if let Some(known) = known {
            return known.clone();
        }
        let found = list(instance, counted);
        match found {
            List::Whole(..) => self.lists.insert(key, found.clone()),
            List::Long | List::Late => self.endless.insert(instance.clone(), found.clone()),
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

fn published_total(instance: &Instance, counted: Counted) -> Option<Total> {
    let Some(board) = instance.board() else {
        let count = instance.known_count().filter(|_| counted == Counted::All)?;
        return Some(Total { count: count.into(), source: format!("published: {KNOWN}") });
    };
    let all = published::solutions(board)?;
    let (count, source) = match counted {
        Counted::Models => return None,
        Counted::All => (all.count.into(), all.source.to_owned()),
        Counted::Halves => (half(all.count.into()), format!("{}, halved", all.source)),
        Counted::Orbits if all.count == 0 => (all.count.into(), all.source.to_owned()),
        Counted::Orbits => {
            let plane = board.geometry() == Geometry::Plane && board.piece() == Piece::Queen;
            let fundamental = published::fundamental(board.rows()).filter(|_| plane)?;
            (fundamental.count.into(), fundamental.source.to_owned())
        }
    };
    Some(Total { count, source: format!("published: {source}") })
}

/// How many are left of so many solutions if of each two mirror images one is. Two queens cannot both
/// stand in the middle column, so no solution is its own mirror image; but for one queen in a single
/// row.
fn half(count: BigUint) -> BigUint {
    (count + 1_u8) >> 1
}

fn list(instance: &Instance, counted: Counted) -> List {
    let Some(search) = Exhaustive::new(instance) else { return List::Late };
    let group = instance.board().and_then(|board| counted.group(board));
    let mut witness = Witness::new(instance, group);
    let is_done = search.each(ALL_BUDGET, |chosen| {
        witness.add(chosen);
        if witness.shown() > MOST_LISTED {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    let long = witness.shown() > MOST_LISTED;
    let seen = witness.finish();
    // The search is judged as well: a list that breaks the rules is no measure of others.
    if !is_done || seen.violation.is_some() {
        List::Late
    } else if long {
        List::Long
    } else {
        List::Whole(seen.count.into(), seen.digest)
    }
}

#[cfg(test)]
mod tests {
    use bezzel_problem::{Board, Square};

    use super::*;

    fn total(board: &Instance, counted: Counted) -> Option<(u64, String)> {
        let total = Known::default().total(board, counted)?;
        Some((u64::try_from(&total.count).unwrap(), total.source))
    }

    #[test]
    fn what_is_published_is_what_the_search_finds_and_half_of_it_and_the_fundamental_ones() {
        for side in 1..=8 {
            for geometry in [Geometry::Plane, Geometry::Torus] {
                let board = Board::new(side).unwrap().with_geometry(geometry).into();
                for counted in [Counted::All, Counted::Halves, Counted::Orbits] {
                    let List::Whole(found, _) = list(&board, counted) else { panic!("{board}") };
                    let (known, source) = total(&board, counted).unwrap();
                    assert_eq!(found, known.into(), "{counted:?} of {board}, {source}");
                }
            }
        }
        let board = Board::new(8).unwrap();
        let source = |counted| total(&board.clone().into(), counted).unwrap().1;
        assert_eq!(source(Counted::All), "published: OEIS A000170");
        assert_eq!(source(Counted::Halves), "published: OEIS A000170, halved");
        assert_eq!(source(Counted::Orbits), "published: OEIS A002562");
        let torus = board.clone().with_geometry(Geometry::Torus).into();
        assert_eq!(total(&torus, Counted::Orbits).unwrap().0, 0);
    }

    #[test]
    fn a_single_row_has_one_more_than_half_if_its_middle_is_free() {
        for (columns, halves) in [(4, 2), (5, 3)] {
            let board = Board::rectangle(1, columns).unwrap().into();
            assert_eq!(total(&board, Counted::Halves), Some((halves, SEARCH.into())), "{columns}");
            assert_eq!(half(columns.into()), halves.into());
        }
        let board = Board::rectangle(1, 5).unwrap().with_blocked([Square::new(0, 2)]).unwrap();
        assert_eq!(total(&board.into(), Counted::Halves), Some((2, SEARCH.into())));
    }

    #[test]
    fn of_many_solutions_the_number_is_known_and_not_the_set() {
        // 10! ways, of which none is its own mirror image.
        let rooks = Board::new(10).unwrap().with_piece(Piece::Rook).into();
        let mut known = Known::default();
        let mut total = |counted| known.total(&rooks, counted).map(|total| total.count);
        assert_eq!(total(Counted::All), Some(3_628_800_u32.into()));
        assert_eq!(total(Counted::Halves), Some(1_814_400_u32.into()));
        assert_eq!(total(Counted::Orbits), None);
        assert_eq!(known.set(&rooks, Counted::All), None);
    }
}
