//! Measurements without solving: the operations of a circuit, and the result of unit propagation on an instance.
//!
//! *Marks* are a text with one character for each candidate: `Q` chosen, `x` not chosen, `.` unknown. In a grid
//! a `/` separates the rows. Given and excluded candidates are marked too.

use std::fmt;

use bezzel_encode::circuit::Operations;
use bezzel_problem::{Candidate, GroupFamily, Instance, Problem};
use serde::{Deserialize, Serialize};

use super::fields::{always, map, maybe, recorded};

/// The solver version of a job without a solver: the revision of the measurement.
pub const MEASUREMENT: &str = "1";

/// The mark of a chosen candidate.
const CHOSEN: char = 'Q';
/// The mark of a candidate that is not chosen.
const EMPTY: char = 'x';
/// The mark of a candidate of which nothing is known.
const OPEN: char = '.';

/// The operations of one section of a circuit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionOperations {
    /// The section's name, as in the source: `SELECT`, `UNIQUE`, `CONFLICT`, `ROW`, `OVERALL`.
    pub name: String,
    /// Operations that the source writes down, including those with constants.
    pub written: u64,
    /// Gates that were built: the written ones without those that were folded, omitted, or built before.
    pub built: u64,
    /// Built gates on which a requirement depends.
    pub reachable: u64,
}

impl From<Operations> for SectionOperations {
    fn from(operations: Operations) -> Self {
        let Operations { section, written, built, reachable } = operations;
        Self { name: section.to_owned(), written, built, reachable }
    }
}

recorded! {
    /// The finding of unit propagation on an instance, which may have given candidates.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Propagation {
        /// True after a conflict: the formula has no model.
        pub conflict: bool = always("propagation_conflict"),
        /// The marks of the candidates that propagation decides: chosen if all literals of the candidate's cube are true,
        /// empty if one of them is false. Absent after a conflict, since the set of literals then depends on the order.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub found: Option<Marks> = maybe("propagation_found"),
        /// CPU time of closing the formula under unit propagation, in seconds, including the construction of its clause
        /// lists.
        pub propagate_cpu_s: f64 = always("propagate_cpu_s"),
        /// The facts about the instance, as the judge found them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub truth: Option<Truth> = map(Truth::FIELDS),
    }
}

recorded! {
    /// The facts about an instance, which may have given candidates.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Truth {
        /// True if it has a solution.
        pub solvable: bool = always("truth_solvable"),
        /// The candidates on which all solutions agree, if there is a solution.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub implied: Option<Marks> = maybe("truth_implied"),
    }
}

/// The facts that are known of the candidates of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Marks(String);

/// The fact that is known of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CandidateFact {
    /// It is chosen.
    Chosen,
    /// It is not chosen.
    Empty,
}

impl Marks {
    /// The marks of all candidates of an instance, in order.
    pub fn of(
        instance: &Instance,
        candidates: u32,
        mut known: impl FnMut(Candidate) -> Option<CandidateFact>,
    ) -> Self {
        let columns = instance.grid().map_or(candidates.max(1), |grid| grid.columns);
        let mut text = String::with_capacity((candidates + candidates / columns) as usize);
        for candidate in 0..candidates {
            if candidate > 0 && candidate % columns == 0 {
                text.push('/');
            }
            text.push(match known(candidate) {
                Some(CandidateFact::Chosen) => CHOSEN,
                Some(CandidateFact::Empty) => EMPTY,
                None => OPEN,
            });
        }
        Self(text)
    }

    /// The fact on each candidate; none if these are not the marks of such an instance. The number of candidates is
    /// checked in grids alone.
    pub fn read(&self, instance: &Instance) -> Option<Vec<Option<CandidateFact>>> {
        let grid = instance.grid();
        let mut known = Vec::with_capacity(self.0.len());
        let mut rows = 0;
        for row in self.0.split('/') {
            rows += 1;
            let before = known.len();
            for mark in row.chars() {
                known.push(match mark {
                    CHOSEN => Some(CandidateFact::Chosen),
                    EMPTY => Some(CandidateFact::Empty),
                    OPEN => None,
                    _ => return None,
                });
            }
            if grid.is_some_and(|grid| known.len() - before != grid.columns as usize) {
                return None;
            }
        }
        (rows == grid.map_or(1, |grid| grid.rows)).then_some(known)
    }
}

impl fmt::Display for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The share of the facts on open candidates that propagation found. A candidate is open if it is
/// neither given nor excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PropagationShare {
    /// Open candidates that are chosen in no solution.
    pub empty: u32,
    /// The number of them that were found.
    pub empty_found: u32,
    /// Open candidates that are chosen in every solution.
    pub chosen: u32,
    /// The number of them that were found.
    pub chosen_found: u32,
    /// The empty ones that a given candidate excludes: both are in a group of at most one.
    pub attacked: u32,
    /// The number of them that were found.
    pub attacked_found: u32,
    /// Open candidates with a finding that contradicts the facts. If there is one, the row is wrong.
    pub false_finds: u32,
}

impl PropagationShare {
    /// Compares the finding with the facts. Returns none if there was a conflict, the instance has no solution, or the
    /// marks are not those of such an instance.
    pub fn of(instance: &Instance, propagation: &Propagation) -> Option<Self> {
        let found = propagation.found.as_ref()?.read(instance)?;
        let implied = propagation.truth.as_ref()?.implied.as_ref()?.read(instance)?;
        if !instance.has_problem() {
            return None;
        }
        let problem = instance.problem();
        let has_all =
            |marks: &[Option<CandidateFact>]| marks.len() == problem.candidates() as usize;
        if !has_all(&found) || !has_all(&implied) {
            return None;
        }
        let attacked = neighbours_of_given(&problem);
        let mut is_fixed = vec![false; problem.candidates() as usize];
        for &candidate in problem.given().iter().chain(problem.excluded()) {
            is_fixed[candidate as usize] = true;
        }
        let mut share = Self::default();
        for place in 0..found.len() {
            if is_fixed[place] {
                continue;
            }
            let is_found = u32::from(found[place].is_some() && found[place] == implied[place]);
            match implied[place] {
                Some(CandidateFact::Empty) => {
                    share.empty += 1;
                    share.empty_found += is_found;
                    if attacked[place] {
                        share.attacked += 1;
                        share.attacked_found += is_found;
                    }
                }
                Some(CandidateFact::Chosen) => {
                    share.chosen += 1;
                    share.chosen_found += is_found;
                }
                None => {}
            }
            share.false_finds += u32::from(found[place].is_some() && is_found == 0);
        }
        Some(share)
    }

    /// Returns the number of open candidates with an implied fact.
    pub fn implied(&self) -> u32 {
        self.empty + self.chosen
    }

    /// Returns the number of implied facts that were found.
    pub fn found(&self) -> u32 {
        self.empty_found + self.chosen_found
    }

    /// Returns the number of implied facts on candidates that no given candidate excludes. They do not follow from one
    /// group.
    pub fn beyond(&self) -> u32 {
        self.implied() - self.attacked
    }

    /// Returns the number of them that were found.
    pub fn beyond_found(&self) -> u32 {
        self.found() - self.attacked_found
    }
}

/// Returns for each candidate true if it shares a group of at most one with a given candidate.
fn neighbours_of_given(problem: &Problem) -> Vec<bool> {
    let mut is_given = vec![false; problem.candidates() as usize];
    for &given in problem.given() {
        is_given[given as usize] = true;
    }
    let mut is_near = vec![false; problem.candidates() as usize];
    let excludes = |family: &&GroupFamily| {
        family.bounds().at_most == Some(1) && family.conditions().is_empty()
    };
    for family in problem.families().iter().filter(excludes) {
        family.for_each(|group| {
            if group.iter().any(|literal| is_given[literal.candidate() as usize]) {
                for literal in group {
                    is_near[literal.candidate() as usize] = true;
                }
            }
        });
    }
    is_near
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::seating::Seating;

    fn seating() -> Instance {
        Seating::new(4, 4).with_given(&[(1, 2)]).into()
    }

    fn propagation(found: &str, implied: &str) -> Propagation {
        let marks = |text: &str| Some(Marks(text.to_owned()));
        let truth = Truth { solvable: true, implied: marks(implied) };
        Propagation {
            conflict: false,
            found: marks(found),
            truth: Some(truth),
            propagate_cpu_s: 0.0,
        }
    }

    #[test]
    fn marks_are_read_as_they_are_written_and_not_in_another_grid() {
        let seating = seating();
        let marks = Marks::of(&seating, 16, |candidate| match candidate {
            1 => Some(CandidateFact::Chosen),
            4..=6 => Some(CandidateFact::Empty),
            _ => None,
        });
        assert_eq!(marks.to_string(), ".Q../xxx./..../....");
        let known = marks.read(&seating).unwrap();
        assert_eq!(known[1], Some(CandidateFact::Chosen));
        assert_eq!(known.iter().flatten().count(), 4);
        assert_eq!(marks.read(&Seating::new(5, 5).into()), None);
        assert_eq!(marks.read(&Seating::new(3, 4).into()), None);
        assert_eq!(Marks(".Q.?/..../..../....".into()).read(&seating), None);
    }

    #[test]
    fn only_open_candidates_count_and_attacked_ones_are_distinguished() {
        let excluded = [(2, 1), (2, 3), (3, 1)];
        let seating = Seating::new(4, 4).with_given(&[(1, 2)]).with_excluded(&excluded).into();
        // The only solution with these seats: .Q../...Q/..Q./Q...
        let truth = "xQxx/xxxQ/xxQx/Qxxx";
        let all = PropagationShare::of(&seating, &propagation(truth, truth)).unwrap();
        // 12 open candidates: 9 empty, of which the given one attacks 3 in its row and 3 in its column.
        assert_eq!((all.empty, all.chosen, all.attacked), (9, 3, 6));
        assert_eq!((all.found(), all.implied(), all.beyond(), all.beyond_found()), (12, 12, 6, 6));
        let found = propagation("xQxx/xx../..../....", truth);
        let some = PropagationShare::of(&seating, &found).unwrap();
        assert_eq!((some.found(), some.attacked_found, some.beyond_found()), (4, 4, 0));
        assert_eq!(some.false_finds, 0);
    }

    #[test]
    fn a_found_candidate_that_is_not_implied_is_a_false_find() {
        let share = PropagationShare::of(
            &seating(),
            &propagation("xQxx/xxxx/..../...Q", "xQxx/x..Q/..../...."),
        )
        .unwrap();
        assert_eq!(share.false_finds, 4);
        assert_eq!(share.found(), 4);
    }
}
