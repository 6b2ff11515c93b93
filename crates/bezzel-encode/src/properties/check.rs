//! Checks all properties of one encoding, and states the result in words.

use bezzel_queens::Board;
use thiserror::Error;

use super::at_most_one::{self, begins_beyond};
use super::profile::Profile;
use super::shapes::Counterexample;
use super::{Property, PropertyViolation, board};
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
/// All violated properties are reported, a wrong meaning first. `found_wrong` is a wrong assignment that is known.
///
/// # Errors
///
/// When the encoding takes none of the boards on which properties are tried.
pub fn check(
    found: &NamedEncoding,
    found_wrong: Option<&Counterexample>,
) -> Result<CheckResult, Untried> {
    refuse_untried(found)?;
    let info = found.info();
    let violations = violations(found, found_wrong);
    if !violations.is_empty() {
        let texts = violations.iter().map(|violation| {
            let drawing = violation.drawing.lines().map(|line| format!("\n    {line}"));
            let drawing = drawing.collect::<String>();
            format!("{}: VIOLATES A PROPERTY: {violation}{drawing}", info.id)
        });
        let text = texts.collect::<Vec<_>>().join("\n");
        return Ok(CheckResult { text, is_right: false });
    }
    let (outcome, is_right) = if info.bounds {
        let board = Board::new(SIDE).expect("a small board");
        let profile = Profile::of(found, Vec::new(), &board);
        (line(&profile), profile.is_right())
    } else {
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

/// The violated properties, each once, a wrong meaning first: those of an at-most-one, if it is one; if there are none,
/// those on boards under every set of constraints that it takes.
fn violations(
    found: &NamedEncoding,
    found_wrong: Option<&Counterexample>,
) -> Vec<PropertyViolation> {
    let mut all = Vec::new();
    if let NamedEncoding::AtMostOne(at_most_one) = found {
        all = at_most_one::violations(&**at_most_one);
    }
    if let Some(wrong) = found_wrong {
        // An assignment of fewer inputs may be known.
        let is_known = all.iter().any(|violation| violation.property == Property::Meaning);
        if !wrong.shape.is_of_one() || !is_known {
            all.push(wrong.violation());
        }
    }
    let sets = if found.has_lines() { &Constraints::ALL[..] } else { &Constraints::ALL[..1] };
    for &set in sets {
        if all.is_empty() {
            all = board::violations(found.on_board(set).as_ref());
        }
    }
    let is_of_meaning = |violation: &PropertyViolation| {
        matches!(violation.property, Property::Meaning | Property::Solutions)
    };
    all.sort_by_key(|violation| !is_of_meaning(violation));
    all
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
