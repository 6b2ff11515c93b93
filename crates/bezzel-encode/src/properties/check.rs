//! Checks all properties of one encoding, and states the result in words.

use thiserror::Error;

use super::at_most_one::{self, begins_beyond};
use super::bounds;
use super::examples::Examples;
use super::shapes::Counterexample;
use super::{Property, PropertyViolation, WholeProperties};
use crate::constraints::Constraints;
use crate::registry::NamedEncoding;
use crate::settings::Settings;

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckResult {
    /// The encoding's id and the result; for a violation also the smallest case that was found, drawn.
    pub text: String,
    /// True if every property holds and the meaning is right.
    pub is_right: bool,
}

/// The encoding takes none of the instances on which properties are tried, so a check has no result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no property could be tested, since it takes no test instance: {0}")]
pub struct Untried(String);

/// Tries every property, and computes the verdicts too if the encoding declares bounds alone, as that of a program does.
/// All violated properties are reported, a wrong meaning first. `found_wrong` is a wrong assignment that is known.
/// `whole` has the properties of encodings of whole problems; if there are none, the examples of all kinds are tried.
///
/// # Errors
///
/// When the encoding takes none of the instances on which properties are tried.
pub fn check(
    found: &NamedEncoding,
    found_wrong: Option<&Counterexample>,
    whole: Option<&dyn WholeProperties>,
) -> Result<CheckResult, Untried> {
    let encoding = found.with_settings(Settings::default());
    // An encoding for another kind is tried on the examples of that kind.
    let mut first_refusal = None;
    let fits = |whole: &&dyn WholeProperties| match whole.fits_some(&*encoding) {
        Ok(()) => true,
        Err(unsupported) => {
            first_refusal.get_or_insert(unsupported);
            false
        }
    };
    let found_whole = whole.into_iter().chain([&Examples as &dyn WholeProperties]).find(fits);
    let Some(whole) = found_whole else {
        let why = first_refusal.map_or(String::new(), |unsupported| unsupported.to_string());
        return Err(Untried(why));
    };
    let info = found.info();
    let violations = violations(found, found_wrong, whole);
    if !violations.is_empty() {
        let texts = violations.iter().map(|violation| {
            let drawing = violation.drawing.lines().map(|line| format!("\n    {line}"));
            let drawing = drawing.collect::<String>();
            let PropertyViolation { property, place, what, .. } = violation;
            format!(
                "{}: VIOLATES A PROPERTY: {place}: {what} (property `{property}`){drawing}",
                info.id
            )
        });
        let text = texts.collect::<Vec<_>>().join("\n");
        return Ok(CheckResult { text, is_right: false });
    }
    let (outcome, is_right) = if info.bounds {
        whole.verdicts(found)
    } else {
        let begins = match found {
            NamedEncoding::AtMostOne(at_most_one) => begins_beyond(&**at_most_one),
            NamedEncoding::Mixture(_) | NamedEncoding::Whole(_) => None,
        };
        let untried = begins
            .map_or(String::new(), |n| format!(": not tried, since they begin at {n} inputs"));
        let (propagation, auxiliaries) = (info.propagation, info.auxiliaries);
        let larger = match found {
            NamedEncoding::AtMostOne(encoder) => {
                let sums = encoder.of_sums().map(|sums| (sums.about(), "weighted sums"));
                sums.or(encoder.of_bounds().map(|bounds| (bounds.about(), "larger k")))
            }
            NamedEncoding::Mixture(_) | NamedEncoding::Whole(_) => None,
        };
        let larger = larger.map_or(String::new(), |(about, of)| {
            format!(" for k = 1 and {} for {of}", about.propagation)
        });
        let kept = format!(
            "satisfies every property (propagation {propagation}{larger}, auxiliary variables \
             {auxiliaries}{untried})"
        );
        (kept, true)
    };
    Ok(CheckResult { text: format!("{}: {outcome}", info.id), is_right })
}

/// The violated properties, each once, a wrong meaning first: those of an at-most-one, of larger bounds and of sums; if
/// there are none, those on instances under every set of constraints that it takes.
fn violations(
    found: &NamedEncoding,
    found_wrong: Option<&Counterexample>,
    whole: &dyn WholeProperties,
) -> Vec<PropertyViolation> {
    let mut all = Vec::new();
    if let NamedEncoding::AtMostOne(at_most_one) = found {
        let wrong = found_wrong.map(Counterexample::violation);
        let found = at_most_one::violations(&**at_most_one).into_iter();
        // An assignment of fewer inputs may be known before that of the caller.
        for violation in found.chain(bounds::violations(&**at_most_one)).chain(wrong) {
            if all.iter().all(|known: &PropertyViolation| known.property != violation.property) {
                all.push(violation);
            }
        }
    }
    let sets = if found.has_lines() { &Constraints::ALL[..] } else { &Constraints::ALL[..1] };
    for &set in sets {
        if all.is_empty() {
            all = whole.violations(found.with_settings(set).as_ref());
        }
    }
    let is_of_meaning = |violation: &PropertyViolation| {
        matches!(violation.property, Property::Meaning | Property::Solutions)
    };
    all.sort_by_key(|violation| !is_of_meaning(violation));
    all
}
