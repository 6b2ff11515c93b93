//! Checks all properties of one encoding, and states the result in words.

use bezzel_problem::Board;
use thiserror::Error;

use super::PropertyViolation;
use super::declared::at_most_one::{self, begins_beyond};
use super::declared::board;
use super::profile::Profile;
use crate::constraints::Constraints;
use crate::registry::NamedEncoding;
use crate::settings::Settings;
use crate::size::{Size, grouped};

/// The side of the board whose size is shown for an encoding that declares bounds alone.
const SIDE: u32 = 8;

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckResult {
    /// The encoding's id and the result; for a violation also the smallest case that was found, drawn.
    pub text: String,
    /// True if every property holds and the meaning is right.
    pub is_right: bool,
}

/// The encoding takes none of the boards on which properties are tried, so a check has no result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no property could be tested, since it takes no test board: {0}")]
pub struct Untried(String);

/// Tries every property, and computes the verdicts too if the encoding declares bounds alone, as that of a program does.
///
/// # Errors
///
/// When the encoding takes none of the boards on which properties are tried.
pub fn check(found: &NamedEncoding) -> Result<CheckResult, Untried> {
    refuse_untried(found)?;
    let info = found.info();
    let (outcome, is_right) = match first_violation(found) {
        Err(violation) => {
            let drawing = violation.drawing.lines().map(|line| format!("\n    {line}"));
            (format!("VIOLATES A PROPERTY: {violation}{}", drawing.collect::<String>()), false)
        }
        Ok(()) if info.bounds => {
            let board = Board::new(SIDE).expect("a small board");
            let profile = Profile::of(found, Vec::new(), &board);
            (line(&profile), profile.is_right())
        }
        Ok(()) => {
            let begins = match found {
                NamedEncoding::AtMostOne(at_most_one) => begins_beyond(&**at_most_one),
                NamedEncoding::Mixture(_) | NamedEncoding::Board(_) => None,
            };
            let untried = begins
                .map_or(String::new(), |n| format!(": not tried, since they begin at {n} inputs"));
            let (propagation, auxiliaries) = (info.propagation, info.auxiliaries);
            let kept = format!(
                "satisfies every property (propagation {propagation}, auxiliary variables \
                 {auxiliaries}{untried})"
            );
            (kept, true)
        }
    };
    Ok(CheckResult { text: format!("{}: {outcome}", info.id), is_right })
}

fn refuse_untried(found: &NamedEncoding) -> Result<(), Untried> {
    let encoding = found.on_board(Settings::default());
    let mut first = None;
    for board in board::boards() {
        match encoding.fits(&board.problem()) {
            Ok(()) => return Ok(()),
            Err(unsupported) => first = first.or(Some(unsupported)),
        }
    }
    Err(Untried(first.map_or_else(String::new, |unsupported| unsupported.to_string())))
}

/// The first violation: as an at-most-one if it is one, then on boards under every set of constraints that it takes.
fn first_violation(found: &NamedEncoding) -> Result<(), PropertyViolation> {
    if let NamedEncoding::AtMostOne(at_most_one) = found {
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
        None => words.push("satisfies every property; computed: correct".to_owned()),
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
