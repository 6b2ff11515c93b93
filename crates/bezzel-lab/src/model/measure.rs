//! What is measured where nothing is solved: the operations of a circuit, and what unit propagation
//! finds on a board.
//!
//! *Marks* are a text with one character for each candidate: `Q` chosen, `x` not chosen, `.` unknown. On boards
//! a `/` separates the rows. Given and excluded candidates are marked too.

use std::fmt;

use bezzel_encode::circuit::Operations;
use bezzel_problem::queens::draw::{EMPTY, OPEN, QUEEN};
use bezzel_problem::{Board, Candidate, Instance, Problem};
use serde::{Deserialize, Serialize};

use super::fields::{Kind, always, maybe, recorded};

/// What a job without solver has for the solver's version: which revision of the measurement it was.
pub const MEASUREMENT: &str = "1";

recorded! {
    /// The operations of one section of a circuit.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct SectionOperations {
        /// The section's name, as in the source: `SELECT`, `UNIQUE`, `CONFLICT`, `ROW`, `OVERALL`.
        pub name: String = always("", Kind::Text),
        /// Operations that the source writes down, those with constants included.
        pub written: u64 = always("", Kind::Count),
        /// Gates that were built: the written ones without those that folded away, were omitted, or
        /// were there already.
        pub built: u64 = always("", Kind::Count),
        /// Built gates on which some requirement depends.
        pub reachable: u64 = always("", Kind::Count),
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
        pub conflict: bool = always("propagation_conflict", Kind::Flag),
        /// The marks of the squares that it decides: a queen where all literals of the square's cube hold, empty
        /// where one of them is false. Nothing after a conflict, since the order would decide how far
        /// it came.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub found: Option<Marks> = maybe("propagation_found", Kind::Marks),
        /// CPU time of closing the formula under unit propagation, in seconds, the making of its lists
        /// of clauses included.
        pub propagate_cpu_s: f64 = always("propagate_cpu_s", Kind::Seconds),
        /// The facts about the board, from the judge.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub truth: Option<Truth> = maybe("", Kind::Map(Truth::FIELDS)),
    }
}

recorded! {
    /// The facts about a board with given queens.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Truth {
        /// True if it has a solution.
        pub solvable: bool = always("truth_solvable", Kind::Flag),
        /// The squares on which all solutions agree, where there is a solution.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub implied: Option<Marks> = maybe("truth_implied", Kind::Marks),
    }
}

/// The facts that are known of the candidates of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Marks(String);

/// The fact that is known of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Known {
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
        mut known: impl FnMut(Candidate) -> Option<Known>,
    ) -> Self {
        let columns = instance.board().map_or(candidates.max(1), Board::columns);
        let mut text = String::with_capacity((candidates + candidates / columns) as usize);
        for candidate in 0..candidates {
            if candidate > 0 && candidate % columns == 0 {
                text.push('/');
            }
            text.push(match known(candidate) {
                Some(Known::Queen) => QUEEN,
                Some(Known::Empty) => EMPTY,
                None => OPEN,
            });
        }
        Self(text)
    }

    /// The fact on each candidate; none if these are not the marks of such an instance. The number of candidates is
    /// checked on boards alone.
    pub fn read(&self, instance: &Instance) -> Option<Vec<Option<Known>>> {
        let board = instance.board();
        let mut known = Vec::with_capacity(self.0.len());
        let mut rows = 0;
        for row in self.0.split('/') {
            rows += 1;
            let before = known.len();
            for mark in row.chars() {
                known.push(match mark {
                    QUEEN => Some(Known::Queen),
                    EMPTY => Some(Known::Empty),
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
pub struct Share {
    /// Open squares that are empty in every solution.
    pub empty: u32,
    /// Of these, how many were found.
    pub empty_found: u32,
    /// Open squares that hold a queen in every solution.
    pub queens: u32,
    /// Of these, how many were found.
    pub queens_found: u32,
    /// Of the empty ones, those that a given queen attacks.
    pub attacked: u32,
    /// Of these, how many were found.
    pub attacked_found: u32,
    /// Open squares of which something was found that is not so: with one, the row is wrong.
    pub false_finds: u32,
}

impl Share {
    /// Compares the finding with the facts; none if there was a conflict, the instance has no solution, or the
    /// marks are not those of such an instance.
    pub fn of(instance: &Instance, propagation: &Propagation) -> Option<Self> {
        let found = propagation.found.as_ref()?.read(instance)?;
        let implied = propagation.truth.as_ref()?.implied.as_ref()?.read(instance)?;
        if !instance.has_problem() {
            return None;
        }
        let problem = instance.problem();
        let has_all = |marks: &[Option<Known>]| marks.len() == problem.candidates() as usize;
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
                Some(Known::Empty) => {
                    share.empty += 1;
                    share.empty_found += is_found;
                    if attacked[place] {
                        share.attacked += 1;
                        share.attacked_found += is_found;
                    }
                }
                Some(Known::Queen) => {
                    share.queens += 1;
                    share.queens_found += is_found;
                }
                None => {}
            }
            share.false_finds += u32::from(found[place].is_some() && is_found == 0);
        }
        Some(share)
    }

    /// Squares of which something is implied.
    pub fn implied(&self) -> u32 {
        self.empty + self.queens
    }

    /// Of these, how many were found.
    pub fn found(&self) -> u32 {
        self.empty_found + self.queens_found
    }

    /// Implied squares that no given queen attacks, so that more than one line must be looked at.
    pub fn beyond(&self) -> u32 {
        self.implied() - self.attacked
    }

    /// Of these, how many were found.
    pub fn beyond_found(&self) -> u32 {
        self.found() - self.attacked_found
    }
}

/// For each candidate, true if it shares a group of at most one with a given candidate.
fn neighbours_of_given(problem: &Problem) -> Vec<bool> {
    let mut is_given = vec![false; problem.candidates() as usize];
    for &given in problem.given() {
        is_given[given as usize] = true;
    }
    let mut is_near = vec![false; problem.candidates() as usize];
    for family in problem.families().iter().filter(|family| family.bounds().at_most == Some(1)) {
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
    use bezzel_problem::Square;

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
            1 => Some(Known::Queen),
            4..=6 => Some(Known::Empty),
            _ => None,
        });
        assert_eq!(marks.to_string(), ".Q../xxx./..../....");
        let known = marks.read(&board).unwrap();
        assert_eq!(known[1], Some(Known::Queen));
        assert_eq!(known.iter().flatten().count(), 4);
        assert_eq!(marks.read(&Board::new(5).unwrap().into()), None);
        assert_eq!(marks.read(&Board::rectangle(3, 4).unwrap().into()), None);
        assert_eq!(Marks(".Q.?/..../..../....".into()).read(&board), None);
    }

    #[test]
    fn only_open_squares_count_and_attacked_ones_are_told_apart() {
        // The one solution of side 4 with this queen: .Q../...Q/Q.../..Q.
        let truth = "xQxx/xxxQ/Qxxx/xxQx";
        let all = Share::of(&board(), &propagation(truth, truth)).unwrap();
        // 15 open squares: 12 empty, of which the queen attacks 3 in its row, 3 in its column, 2 + 1
        // on its diagonals.
        assert_eq!((all.empty, all.queens, all.attacked), (12, 3, 9));
        assert_eq!((all.found(), all.implied(), all.beyond(), all.beyond_found()), (15, 15, 6, 6));
        let some = Share::of(&board(), &propagation("xQxx/x.../..../....", truth)).unwrap();
        assert_eq!((some.found(), some.attacked_found, some.beyond_found()), (4, 4, 0));
        assert_eq!(some.false_finds, 0);
    }

    #[test]
    fn what_is_found_and_not_so_is_a_false_find() {
        let share = Share::of(&board(), &propagation("xQxx/xxxx/..../...Q", "xQxx/x..Q/..../...."))
            .unwrap();
        assert_eq!(share.false_finds, 4);
        assert_eq!(share.found(), 4);
    }
}
