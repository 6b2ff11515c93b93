//! Measurements without solving: the operations of a circuit, and the result of unit propagation on a board.
//!
//! *Marks* are a text with one character for each candidate: `Q` chosen, `x` not chosen, `.` unknown. On boards
//! a `/` separates the rows. Given and excluded candidates are marked too.

use std::fmt;

use bezzel_encode::circuit::Operations;
use bezzel_problem::{Candidate, GroupFamily, Instance, Problem};
use bezzel_queens::Board;
use bezzel_queens::draw::{EMPTY, OPEN, QUEEN};
use serde::{Deserialize, Serialize};

use super::fields::{FieldKind, always, maybe, recorded};

/// The solver version of a job without a solver: the revision of the measurement.
pub const MEASUREMENT: &str = "1";

recorded! {
    /// The operations of one section of a circuit.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct SectionOperations {
        /// The section's name, as in the source: `SELECT`, `UNIQUE`, `CONFLICT`, `ROW`, `OVERALL`.
        pub name: String = always("", FieldKind::Text),
        /// Operations that the source writes down, including those with constants.
        pub written: u64 = always("", FieldKind::Count),
        /// Gates that were built: the written ones without those that were folded, omitted, or built before.
        pub built: u64 = always("", FieldKind::Count),
        /// Built gates on which a requirement depends.
        pub reachable: u64 = always("", FieldKind::Count),
    }
}

impl From<Operations> for SectionOperations {
    fn from(operations: Operations) -> Self {
        let Operations { section, written, built, reachable } = operations;
        Self { name: section.to_owned(), written, built, reachable }
    }
}

recorded! {
    /// The finding of unit propagation on a board with given queens.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Propagation {
        /// True after a conflict: the formula has no model.
        pub conflict: bool = always("propagation_conflict", FieldKind::Flag),
        /// The marks of the squares that propagation decides: a queen if all literals of the square's cube are true,
        /// empty if one of them is false. Absent after a conflict, since the set of literals then depends on the order.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub found: Option<Marks> = maybe("propagation_found", FieldKind::Marks),
        /// CPU time of closing the formula under unit propagation, in seconds, including the construction of its clause
        /// lists.
        pub propagate_cpu_s: f64 = always("propagate_cpu_s", FieldKind::Seconds),
        /// The facts about the board, as the judge found them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub truth: Option<Truth> = maybe("", FieldKind::Map(Truth::FIELDS)),
    }
}

recorded! {
    /// The facts about a board with given queens.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Truth {
        /// True if it has a solution.
        pub solvable: bool = always("truth_solvable", FieldKind::Flag),
        /// The squares on which all solutions agree, if there is a solution.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub implied: Option<Marks> = maybe("truth_implied", FieldKind::Marks),
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
    Queen,
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
        let columns = Board::of(instance).map_or(candidates.max(1), Board::columns);
        let mut text = String::with_capacity((candidates + candidates / columns) as usize);
        for candidate in 0..candidates {
            if candidate > 0 && candidate % columns == 0 {
                text.push('/');
            }
            text.push(match known(candidate) {
                Some(CandidateFact::Queen) => QUEEN,
                Some(CandidateFact::Empty) => EMPTY,
                None => OPEN,
            });
        }
        Self(text)
    }

    /// The fact on each candidate; none if these are not the marks of such an instance. The number of candidates is
    /// checked on boards alone.
    pub fn read(&self, instance: &Instance) -> Option<Vec<Option<CandidateFact>>> {
        let board = Board::of(instance);
        let mut known = Vec::with_capacity(self.0.len());
        let mut rows = 0;
        for row in self.0.split('/') {
            rows += 1;
            let before = known.len();
            for mark in row.chars() {
                known.push(match mark {
                    QUEEN => Some(CandidateFact::Queen),
                    EMPTY => Some(CandidateFact::Empty),
                    OPEN => None,
                    _ => return None,
                });
            }
            if board.is_some_and(|board| known.len() - before != board.columns() as usize) {
                return None;
            }
        }
        (rows == board.map_or(1, Board::rows)).then_some(known)
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
    /// Open squares that are empty in every solution.
    pub empty: u32,
    /// The number of them that were found.
    pub empty_found: u32,
    /// Open squares that hold a queen in every solution.
    pub queens: u32,
    /// The number of them that were found.
    pub queens_found: u32,
    /// The empty ones that a given queen attacks.
    pub attacked: u32,
    /// The number of them that were found.
    pub attacked_found: u32,
    /// Open squares with a finding that contradicts the facts. If there is one, the row is wrong.
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
                Some(CandidateFact::Queen) => {
                    share.queens += 1;
                    share.queens_found += is_found;
                }
                None => {}
            }
            share.false_finds += u32::from(found[place].is_some() && is_found == 0);
        }
        Some(share)
    }

    /// Returns the number of squares with an implied fact.
    pub fn implied(&self) -> u32 {
        self.empty + self.queens
    }

    /// Returns the number of implied facts that were found.
    pub fn found(&self) -> u32 {
        self.empty_found + self.queens_found
    }

    /// Returns the number of implied squares that no given queen attacks, whose fact does not follow from one line.
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
    use bezzel_queens::Square;

    use super::*;

    fn board() -> Instance {
        Board::new(4).unwrap().with_placed([Square::new(0, 1)]).unwrap().into()
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
    fn marks_are_read_as_they_are_written_and_not_on_another_board() {
        let board = board();
        let marks = Marks::of(&board, 16, |candidate| match candidate {
            1 => Some(CandidateFact::Queen),
            4..=6 => Some(CandidateFact::Empty),
            _ => None,
        });
        assert_eq!(marks.to_string(), ".Q../xxx./..../....");
        let known = marks.read(&board).unwrap();
        assert_eq!(known[1], Some(CandidateFact::Queen));
        assert_eq!(known.iter().flatten().count(), 4);
        assert_eq!(marks.read(&Board::new(5).unwrap().into()), None);
        assert_eq!(marks.read(&Board::rectangle(3, 4).unwrap().into()), None);
        assert_eq!(Marks(".Q.?/..../..../....".into()).read(&board), None);
    }

    #[test]
    fn only_open_squares_count_and_attacked_ones_are_distinguished() {
        // The only solution of side 4 with this queen: .Q../...Q/Q.../..Q.
        let truth = "xQxx/xxxQ/Qxxx/xxQx";
        let all = PropagationShare::of(&board(), &propagation(truth, truth)).unwrap();
        // 15 open squares: 12 empty, of which the queen attacks 3 in its row, 3 in its column and 2 + 1 on its
        // diagonals.
        assert_eq!((all.empty, all.queens, all.attacked), (12, 3, 9));
        assert_eq!((all.found(), all.implied(), all.beyond(), all.beyond_found()), (15, 15, 6, 6));
        let some =
            PropagationShare::of(&board(), &propagation("xQxx/x.../..../....", truth)).unwrap();
        assert_eq!((some.found(), some.attacked_found, some.beyond_found()), (4, 4, 0));
        assert_eq!(some.false_finds, 0);
    }

    #[test]
    fn a_found_square_that_is_not_implied_is_a_false_find() {
        let share = PropagationShare::of(
            &board(),
            &propagation("xQxx/xxxx/..../...Q", "xQxx/x..Q/..../...."),
        )
        .unwrap();
        assert_eq!(share.false_finds, 4);
        assert_eq!(share.found(), 4);
    }
}
