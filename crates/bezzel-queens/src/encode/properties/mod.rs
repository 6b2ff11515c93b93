//! The properties of encodings on boards: those that an encoding declares, and its computed profile.
//!
//! A declared property tries an encoding on [small boards](board::boards) completely: every placement, every pair of
//! squares. The search over rows and columns that it is compared with shares no code with the encodings.

use bezzel_encode::properties::{PropertyViolation, WholeProperties};
use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::size::grouped;
use bezzel_encode::{Encoding, Size};
use bezzel_problem::Problem;

use crate::Board;

pub mod board;
mod case;
mod correct;
mod meaning;
mod profile;
mod text;

pub use profile::{BoardProfile, Profile, SIDES, Sections, ids_with_same_clauses};

/// The side of the board whose size is shown for an encoding that declares bounds alone.
const SIDE: u32 = 8;

/// The properties of encodings, tried on boards.
pub struct OnBoards;

impl WholeProperties for OnBoards {
    fn problems(&self) -> Vec<Problem> {
        board::boards().iter().map(Board::problem).collect()
    }

    fn violations(&self, encoding: &dyn Encoding) -> Vec<PropertyViolation> {
        board::violations(encoding)
    }

    fn verdicts(&self, found: &NamedEncoding) -> (String, bool) {
        let board = Board::new(SIDE).expect("a small board");
        let profile = Profile::of(found, Vec::new(), &board);
        (line(&profile), profile.is_right())
    }
}

/// The verdicts in a line.
fn line(profile: &Profile) -> String {
    let mut words = Vec::new();
    match profile.wrong() {
        Some(wrong) => words.push(format!("WRONG: {}", wrong.what)),
        None => words
            .push(format!("satisfies every property; computed: {}", profile.verdict("correct"))),
    }
    if let Some(line) = &profile.line {
        let finds = if line.is_complete() { "complete" } else { "incomplete" };
        words.push(format!("propagation on one line {finds}"));
    }
    if let Some(board) = &profile.board {
        words.push(format!("propagation {}", board.one_queen));
        words.push(format!("auxiliary variables {}", board.auxiliaries));
    }
    let side = |(side, _): &&(u32, Size)| *side == SIDE;
    if let Some((side, size)) = profile.sizes.iter().find(side) {
        let [variables, clauses, literals] =
            [size.variables, size.clauses, size.literals].map(grouped);
        words.push(format!(
            "{side} × {side}: {variables} variables, {clauses} clauses, {literals} literals"
        ));
    }
    words.join("; ")
}
