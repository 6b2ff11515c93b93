//! All properties tried on one encoding, and the outcome in words.

use bezzel_problem::Board;
use thiserror::Error;

use super::PropertyViolation;
use super::declared::at_most_one::{self, begins_beyond};
use super::declared::board;
use super::profile::Profile;
use crate::constraints::Constraints;
use crate::registry::Found;
use crate::settings::Settings;
use crate::size::{Size, grouped};

/// The side of the board whose size is shown of an encoding whose card promises bounds alone.
const SIDE: u32 = 8;

/// The outcome of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The encoding's id and the outcome; of a violation the smallest case that was found, drawn.
    pub text: String,
    /// True if every property is kept and the meaning is right.
    pub is_right: bool,
}

/// The encoding takes none of the boards on which properties are tried, so a check would find nothing out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no law could be tried, since no board is taken: {0}")]
pub struct Untried(String);

/// Tries every property, and computes the verdicts too if the card promises bounds alone, as that of a program
/// does.
///
/// # Errors
///
/// When the encoding takes none of the boards on which properties are tried.
pub fn check(found: &Found) -> Result<Checked, Untried> {
    refuse_untried(found)?;
    let card = found.card();
    let (outcome, is_right) = match first_violation(found) {
        Err(violation) => {
            let drawing = violation.drawing.lines().map(|line| format!("\n    {line}"));
            (format!("BREAKS A LAW: {violation}{}", drawing.collect::<String>()), false)
        }
        Ok(()) if card.bounds => {
            let board = Board::new(SIDE).expect("a small board");
            let profile = Profile::of(found, Vec::new(), &board);
            (line(&profile), profile.is_right())
        }
        Ok(()) => {
            let begins = match found {
                Found::AtMostOne(at_most_one) => begins_beyond(&**at_most_one),
                Found::Mixture(_) | Found::Board(_) => None,
            };
            let untried = begins
                .map_or(String::new(), |n| format!(": not tried, since they begin at {n} inputs"));
            let (propagation, auxiliaries) = (card.propagation, card.auxiliaries);
            let kept = format!(
                "keeps every law (propagation {propagation}, auxiliary variables {auxiliaries}{untried})"
            );
            (kept, true)
        }
    };
    Ok(Checked { text: format!("{}: {outcome}", card.id), is_right })
}

fn refuse_untried(found: &Found) -> Result<(), Untried> {
    let encoding = found.on_board(Settings::default());
    let mut first = None;
    for board in board::boards() {
        match encoding.fits(&board.problem()) {
            Ok(()) => return Ok(()),
            Err(misfit) => first = first.or(Some(misfit)),
        }
    }
    Err(Untried(first.map_or_else(String::new, |misfit| misfit.to_string())))
}

/// The first violation: as an at-most-one if it is one, then on boards under every set of constraints
/// that it takes.
fn first_violation(found: &Found) -> Result<(), PropertyViolation> {
    if let Found::AtMostOne(at_most_one) = found {
        at_most_one::check(&**at_most_one)?;
    }
    let sets = if found.has_lines() { &Constraints::ALL[..] } else { &Constraints::ALL[..1] };
    sets.iter().try_for_each(|&set| board::check(found.on_board(set).as_ref()))
}

/// The verdicts in a line.
fn line(profile: &Profile) -> String {
    let mut words = Vec::new();
    match profile.wrong() {
        Some(wrong) => words.push(format!("WRONG: {}", wrong.what)),
        None => words.push("keeps every law; computed: correct".to_owned()),
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
