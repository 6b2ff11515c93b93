//! The properties of an at-most-one encoding, each tried on every number of inputs up to a bound, as at
//! most one and as exactly one.

use std::ops::ControlFlow;

use rustsat::types::Lit;

use super::form::{Form, Inputs, Inspector, words};
use super::gap::seen;
use super::meaning::{EnumerationBounds, INPUTS, Meaning, drawn_inputs, wrong_inputs};
use super::{Property, PropertyFinding, PropertyViolation};
use crate::amo::AtMostOne;
use crate::clause_hash::ClauseHash;
use crate::formula::Formula;
use crate::formula_stats::FormulaStats;
use crate::info::{Auxiliaries, Propagation};
use crate::models;
use crate::propagate::Propagator;
use crate::sink::{ClauseSink, Tee};
use crate::size::Size;

/// A property: a check of the encoding, up to the largest number of inputs.
pub type AtMostOneCheck = fn(&dyn AtMostOne, u32) -> Result<(), PropertyViolation>;

/// The properties in the order in which they are tried: a later one assumes the earlier ones.
pub const PROPERTIES: [(Property, AtMostOneCheck); 6] = [
    (Property::WellFormed, well_formed),
    (Property::Determinism, determinism),
    (Property::Size, size),
    (Property::Meaning, meaning),
    (Property::Auxiliaries, auxiliaries),
    (Property::Propagation, propagation),
];

/// The number of inputs up to which [`check`] propagates from each input and each pair. Beyond the sizes at which every
/// assignment can be tried, this shows that no two inputs may hold, and each alone may.
pub const PAIRED_INPUTS: u32 = 40;

/// The number of inputs up to which [`check`] tests clauses without searching.
pub const MANY_INPUTS: u32 = 150;

/// The most steps for the search for a model of two inputs.
const PAIR_STEPS: u64 = 20_000;

/// The number of inputs up to which the closed form is searched for auxiliary variables.
const MAX_SEARCHED: u32 = 30_000;

/// Checks every property, on as many inputs as take a moment.
///
/// # Errors
///
/// The first violation found.
pub fn check(at_most_one: &dyn AtMostOne) -> Result<(), PropertyViolation> {
    violations(at_most_one).into_iter().next().map_or(Ok(()), Err)
}

/// The first violation of each property, at most one for a property; that of [`Property::WellFormed`] alone if there is
/// one, since the other properties assume it.
pub(super) fn violations(at_most_one: &dyn AtMostOne) -> Vec<PropertyViolation> {
    let mut found: Vec<PropertyViolation> = Vec::new();
    for (property, check) in PROPERTIES {
        let max = match property {
            Property::Meaning | Property::Auxiliaries => INPUTS,
            Property::Propagation => PAIRED_INPUTS,
            _ => MANY_INPUTS,
        };
        let Err(violation) = check(at_most_one, max) else { continue };
        // A wrong meaning may be found by unit propagation, too.
        if found.iter().all(|known| known.property != violation.property) {
            found.push(violation);
        }
        if property == Property::WellFormed {
            break;
        }
    }
    found
}

fn violation(
    amo: &dyn AtMostOne,
    property: Property,
    form: Form,
    n: u32,
    found: impl Into<PropertyFinding>,
) -> PropertyViolation {
    let place = if n == 1 { "1 input".into() } else { format!("{n} inputs") };
    let place = match form {
        _ if amo.of_bounds().is_some() => format!("{} of {place}", form.id().replace("one", "1")),
        Form::AtMostOne => place,
        Form::ExactlyOne => format!("{place}, as {form}"),
    };
    PropertyViolation::new(amo.info().id, property, place, found)
}

/// Every number of inputs up to `max`, in both forms and both ways of making them.
fn cases(max: u32) -> impl Iterator<Item = (u32, Form, Inputs)> {
    (0..=max).flat_map(|n| {
        Form::ALL.into_iter().flat_map(move |form| Inputs::ALL.map(|inputs| (n, form, inputs)))
    })
}

/// See [`Property::WellFormed`].
///
/// # Errors
///
/// The first violation found.
pub fn well_formed(amo: &dyn AtMostOne, max: u32) -> Result<(), PropertyViolation> {
    cases(max).try_for_each(|(n, form, inputs)| {
        let (_, inspector) = inputs.encode(amo, form, n, Inspector::default());
        inspector.finish().map_err(|fault| violation(amo, Property::WellFormed, form, n, fault))
    })
}

/// See [`Property::Determinism`].
///
/// # Errors
///
/// The first violation found.
pub fn determinism(amo: &dyn AtMostOne, max: u32) -> Result<(), PropertyViolation> {
    for (n, form) in (0..=max).flat_map(|n| Form::ALL.map(|form| (n, form))) {
        let [first, second] = [(); 2].map(|()| {
            let (_, Tee(digest, stats)) =
                Inputs::Plain.encode(amo, form, n, Tee(ClauseHash::new(), FormulaStats::new()));
            (digest.finish(), stats.variables())
        });
        if first != second {
            let what = "encoding twice gives two different streams";
            return Err(violation(amo, Property::Determinism, form, n, what));
        }
    }
    Ok(())
}

/// See [`Property::Size`]. An encoding without a closed form has nothing to compare.
///
/// # Errors
///
/// The first violation found.
pub fn size(amo: &dyn AtMostOne, max: u32) -> Result<(), PropertyViolation> {
    for (n, form) in (0..=max).flat_map(|n| Form::ALL.map(|form| (n, form))) {
        let Some(stated) = form.size(amo, n.into()) else { continue };
        let (_, stats) = Inputs::Plain.encode(amo, form, n, FormulaStats::new());
        let counted = stats.size();
        let counted = Size { variables: counted.variables - u128::from(n), ..counted };
        if stated != counted {
            let what = format!("stated {}, counted {}", words(stated), words(counted));
            return Err(violation(amo, Property::Size, form, n, what));
        }
    }
    Ok(())
}

/// The violation that an assignment is wrongly allowed or forbidden.
fn misjudged(amo: &dyn AtMostOne, form: Form, n: u32, held: &[usize]) -> PropertyViolation {
    violation(amo, Property::Meaning, form, n, wrong_inputs(form.allows(held.len()), n, held))
}

/// See [`Property::Meaning`].
///
/// # Errors
///
/// The first violation found.
pub fn meaning(amo: &dyn AtMostOne, max: u32) -> Result<(), PropertyViolation> {
    cases(max).try_for_each(|(n, form, inputs)| {
        let meaning = Meaning::of_line(amo, form, inputs, n, EnumerationBounds::FIRST);
        meaning.fault().map_or(Ok(()), |held| Err(misjudged(amo, form, n, held)))
    })
}

/// See [`Property::Auxiliaries`]. The declaration is about at most one. Where exactly one is encoded, the variables may
/// be determined though they are free otherwise, but not the reverse.
///
/// # Errors
///
/// The first violation found.
pub fn auxiliaries(amo: &dyn AtMostOne, max: u32) -> Result<(), PropertyViolation> {
    let info = amo.info();
    let declared = info.auxiliaries;
    let mut made_any = false;
    let mut is_free = false;
    for (n, form) in (0..=max).flat_map(|n| Form::ALL.map(|form| (n, form))) {
        let (_, stats) = Inputs::Plain.encode(amo, form, n, FormulaStats::new());
        let made = stats.variables() - n;
        made_any |= made > 0;
        if declared == Auxiliaries::None && made > 0 {
            let what = format!("it declares no auxiliary variables, but makes {made}");
            return Err(violation(amo, Property::Auxiliaries, form, n, what));
        }
        let meaning = Meaning::of_line(amo, form, Inputs::Plain, n, EnumerationBounds::SEVERAL);
        let Some(held) = meaning.first_several else { continue };
        is_free |= form == Form::AtMostOne;
        if declared == Auxiliaries::Defined {
            let what = "it declares determined auxiliary variables, but an assignment of the \
                        inputs extends to several models";
            let found = PropertyFinding { what: what.into(), drawing: drawn_inputs(n, &held) };
            return Err(violation(amo, Property::Auxiliaries, form, n, found));
        }
    }
    if !made_any && declared != Auxiliaries::None {
        match first_with_variables(amo, max) {
            Some(n) if n <= MANY_INPUTS => {
                made_any = true;
                is_free = is_open(amo, n);
                if declared == Auxiliaries::Defined && is_free {
                    let what = "it declares determined auxiliary variables, but where they begin, \
                                an assignment of the inputs extends to several models";
                    return Err(violation(amo, Property::Auxiliaries, Form::AtMostOne, n, what));
                }
            }
            // They begin where no size can be tried, so nothing is refuted.
            Some(_) => return Ok(()),
            None => {}
        }
    }
    let what = match declared {
        _ if info.bounds => return Ok(()),
        Auxiliaries::Defined if !made_any => {
            "it declares determined auxiliary variables, but makes none up to this size"
        }
        Auxiliaries::Free if !is_free => {
            "it declares free auxiliary variables, but up to this size every assignment of the \
             inputs extends to at most one model"
        }
        _ => return Ok(()),
    };
    Err(violation(amo, Property::Auxiliaries, Form::AtMostOne, max, what))
}

/// The number of inputs at which auxiliary variables begin, where that is beyond the tried sizes: the
/// declaration about them is not tried then.
pub fn begins_beyond(amo: &dyn AtMostOne) -> Option<u32> {
    if amo.info().auxiliaries == Auxiliaries::None {
        return None;
    }
    first_with_variables(amo, 0).filter(|&n| n > MANY_INPUTS)
}

/// The least number of inputs above `max` that takes an auxiliary variable: groups of many inputs
/// take none before they are full.
fn first_with_variables(amo: &dyn AtMostOne, max: u32) -> Option<u32> {
    (max + 1..=MAX_SEARCHED).find(|&n| amo.size(n.into()).is_some_and(|size| size.variables > 0))
}

/// True if the auxiliary variables are left open where no input holds, or one of them. Only these assignments are
/// tried; all of them would take too long.
fn is_open(amo: &dyn AtMostOne, n: u32) -> bool {
    let (xs, formula) = Form::AtMostOne.formula(amo, n);
    let primary: Vec<_> = xs.iter().map(|lit| lit.var()).collect();
    std::iter::once(None).chain((0..xs.len()).map(Some)).any(|held| {
        let mut fixed = formula.clone();
        for (x, &lit) in xs.iter().enumerate() {
            fixed.clause(&[if held == Some(x) { lit } else { !lit }]);
        }
        let several = |_: &Propagator, models| {
            if models > 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        models::each(&fixed, &primary, 2, several).is_break()
    })
}

/// True if a bounded search finds a model with these two inputs and no other.
fn both_hold(formula: &Formula, xs: &[Lit], two: [Lit; 2]) -> bool {
    let fixed: Vec<Lit> = xs.iter().map(|&x| if two.contains(&x) { x } else { !x }).collect();
    let models = models::Decider::new(formula).models(&fixed, 1, PAIR_STEPS);
    models.is_ok_and(|models| models > 0)
}

/// See [`Property::Propagation`]. Exactly one propagates at least as strongly as at most one is declared to, and finds
/// the last input once all others are false.
///
/// # Errors
///
/// The first violation found.
pub fn propagation(amo: &dyn AtMostOne, max: u32) -> Result<(), PropertyViolation> {
    let info = amo.info();
    let declared = info.propagation;
    let mut weakest = Propagation::Complete;
    // Groups with more inputs are tried where there are two of them, and where there are several.
    let first = first_with_variables(amo, 0).filter(|&n| n > max);
    let beyond = first.into_iter().flat_map(|n| [n, 2 * n]).filter(|&n| n <= MANY_INPUTS);
    let beyond = beyond.map(|n| (n, Form::AtMostOne, Inputs::Plain));
    for (n, form, inputs) in cases(max).chain(beyond) {
        // Beyond that, exactly one is at most one and a clause, and is not tried.
        if form == Form::ExactlyOne && n > INPUTS {
            continue;
        }
        let violation = |what: String| Err(violation(amo, Property::Propagation, form, n, what));
        let (xs, formula) = inputs.encode(amo, form, n, Formula::new());
        let mut propagator = Propagator::new(&formula);
        for (first, &x) in xs.iter().enumerate() {
            let before = propagator.trail().len();
            let others = || xs.iter().filter(|&&y| y != x).map(|&y| !y);
            let alone = std::iter::once(x).chain(others()).try_for_each(|y| propagator.assume(y));
            propagator.undo(before);
            if alone.is_err() {
                return violation(format!("input {} alone is refuted", first + 1));
            }
            if form == Form::ExactlyOne {
                let last = others().try_for_each(|y| propagator.assume(y)).is_ok();
                let found = last && propagator.holds(x);
                propagator.undo(before);
                if !found {
                    return violation(format!(
                        "all inputs but {} are false, and it is not found to hold",
                        first + 1
                    ));
                }
            }
            for (second, &y) in xs.iter().enumerate().filter(|&(second, _)| second != first) {
                let found = seen(&mut propagator, &[x], &[y]);
                // A pair that propagation does not refute may be a fault of the meaning.
                if found == Propagation::Weak && n > INPUTS && both_hold(&formula, &xs, [x, y]) {
                    return Err(misjudged(amo, form, n, &[first, second]));
                }
                if found > declared {
                    return violation(format!(
                        "it declares {declared} propagation, but between inputs {} and {} it is {found}{}",
                        first + 1,
                        second + 1,
                        declared_by(amo)
                    ));
                }
                if form == Form::AtMostOne {
                    weakest = weakest.max(found);
                }
            }
        }
    }
    if weakest == declared || info.bounds {
        return Ok(());
    }
    let by = declared_by(amo);
    let what =
        format!("it declares {declared} propagation, but up to this size it is {weakest}{by}");
    Err(violation(amo, Property::Propagation, Form::AtMostOne, max, what))
}

/// The method that declares the propagation for k = 1 of an encoder of at most k, for a message.
pub(super) fn declared_by(amo: &dyn AtMostOne) -> &'static str {
    let bounds = amo.of_bounds().filter(|_| amo.of_sums().is_none());
    match bounds.filter(|it| it.propagation_of_one() == amo.info().propagation) {
        Some(_) => "; k = 1 has a declaration of its own (`propagation_of_one`)",
        None => "",
    }
}
