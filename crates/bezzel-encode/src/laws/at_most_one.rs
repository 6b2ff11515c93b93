//! The laws of an at-most-one encoding, each tried on every number of inputs up to a bound, as at
//! most one and as exactly one.

use std::ops::ControlFlow;

use rustsat::types::Lit;

use super::inputs::{Form, Inputs};
use super::inspector::Inspector;
use super::{Breach, Law, seen, words};
use crate::amo::AtMostOne;
use crate::card::{Auxiliaries, Propagation};
use crate::digest::Digest;
use crate::draw;
use crate::formula::Formula;
use crate::models;
use crate::propagate::Propagator;
use crate::sink::{ClauseSink, Tee};
use crate::size::Size;
use crate::tally::Tally;

/// A law: the encoding, and the largest number of inputs to try it on.
pub type Check = fn(&dyn AtMostOne, u32) -> Result<(), Breach>;

/// The laws in the order in which they are tried: a later one takes the earlier ones for granted.
pub const LAWS: [(Law, Check); 6] = [
    (Law::WellFormed, well_formed),
    (Law::Determinism, determinism),
    (Law::Size, size),
    (Law::Meaning, meaning),
    (Law::Auxiliaries, auxiliaries),
    (Law::Propagation, propagation),
];

/// The number of inputs up to which [`check`] tries every assignment.
pub const INPUTS: u32 = 8;

/// The number of inputs up to which [`check`] propagates from each input and each pair: beyond
/// where every assignment can be tried, that is what shows that no two may hold, and each alone.
pub const PAIRED_INPUTS: u32 = 40;

/// The number of inputs up to which [`check`] looks at clauses without searching.
pub const MANY_INPUTS: u32 = 150;

/// So many steps may the search for a model of two inputs take.
const PAIR_STEPS: u64 = 20_000;

/// The number of inputs up to which closed forms are asked whether auxiliary variables are made.
const LONGEST: u32 = 30_000;

/// Every law, on as many inputs as take a moment.
///
/// # Errors
///
/// The first breach found.
pub fn check(at_most_one: &dyn AtMostOne) -> Result<(), Breach> {
    LAWS.iter().try_for_each(|&(law, check)| {
        let most = match law {
            Law::Meaning | Law::Auxiliaries => INPUTS,
            Law::Propagation => PAIRED_INPUTS,
            _ => MANY_INPUTS,
        };
        check(at_most_one, most)
    })
}

fn breach(
    amo: &dyn AtMostOne,
    law: Law,
    form: Form,
    n: u32,
    what: impl std::fmt::Display,
) -> Breach {
    let place = if n == 1 { "1 input".into() } else { format!("{n} inputs") };
    let place = match form {
        Form::AtMostOne => place,
        Form::ExactlyOne => format!("{place}, as {form}"),
    };
    Breach::new(amo.card().id, law, place, what)
}

/// Every number of inputs up to `most`, in both forms and both ways of making them.
fn cases(most: u32) -> impl Iterator<Item = (u32, Form, Inputs)> {
    (0..=most).flat_map(|n| {
        Form::ALL.into_iter().flat_map(move |form| Inputs::ALL.map(|inputs| (n, form, inputs)))
    })
}

/// See [`Law::WellFormed`].
///
/// # Errors
///
/// The first breach found.
pub fn well_formed(amo: &dyn AtMostOne, most: u32) -> Result<(), Breach> {
    cases(most).try_for_each(|(n, form, inputs)| {
        let (_, inspector) = inputs.encode(amo, form, n, Inspector::default());
        inspector.finish().map_err(|fault| breach(amo, Law::WellFormed, form, n, fault))
    })
}

/// See [`Law::Determinism`].
///
/// # Errors
///
/// The first breach found.
pub fn determinism(amo: &dyn AtMostOne, most: u32) -> Result<(), Breach> {
    for (n, form) in (0..=most).flat_map(|n| Form::ALL.map(|form| (n, form))) {
        let [first, second] = [(); 2].map(|()| {
            let (_, Tee(digest, tally)) =
                Inputs::Plain.encode(amo, form, n, Tee(Digest::new(), Tally::new()));
            (digest.finish(), tally.variables())
        });
        if first != second {
            let what = "encoding twice gives two different streams";
            return Err(breach(amo, Law::Determinism, form, n, what));
        }
    }
    Ok(())
}

/// See [`Law::Size`]. An encoding without a closed form has nothing to breach.
///
/// # Errors
///
/// The first breach found.
pub fn size(amo: &dyn AtMostOne, most: u32) -> Result<(), Breach> {
    for (n, form) in (0..=most).flat_map(|n| Form::ALL.map(|form| (n, form))) {
        let Some(stated) = form.size(amo, n.into()) else { continue };
        let (_, tally) = Inputs::Plain.encode(amo, form, n, Tally::new());
        let counted = tally.size();
        let counted = Size { variables: counted.variables - u128::from(n), ..counted };
        if stated != counted {
            let what = format!("stated {}, counted {}", words(stated), words(counted));
            return Err(breach(amo, Law::Size, form, n, what));
        }
    }
    Ok(())
}

/// An assignment that is wrongly `allowed` or `forbidden`, told and drawn.
fn misjudged(amo: &dyn AtMostOne, form: Form, n: u32, verb: &str, held: &[usize]) -> Breach {
    let what = match held {
        [] => format!("{verb} is that no input holds"),
        held => {
            let numbers: Vec<_> = held.iter().map(|x| (x + 1).to_string()).collect();
            let numbers = numbers.join(", ");
            format!("{verb} is that of {n} inputs exactly those hold: {numbers}")
        }
    };
    let marks: Vec<char> =
        (0..n as usize).map(|x| if held.contains(&x) { '1' } else { '0' }).collect();
    let drawing = draw::inputs(&marks);
    Breach { drawing, ..breach(amo, Law::Meaning, form, n, what) }
}

/// See [`Law::Meaning`].
///
/// # Errors
///
/// The first breach found.
pub fn meaning(amo: &dyn AtMostOne, most: u32) -> Result<(), Breach> {
    for (n, form, inputs) in cases(most) {
        let wrong = |verb: &str, held: &[usize]| Err(misjudged(amo, form, n, verb, held));
        let mut allowed: Vec<Vec<usize>> = Vec::new();
        let broken = inputs.each(amo, form, n, 1, |held, _| {
            if !form.allows(held.len()) {
                return ControlFlow::Break(held);
            }
            allowed.push(held);
            ControlFlow::Continue(())
        });
        if let ControlFlow::Break(held) = broken {
            return wrong("allowed", &held);
        }
        let singles = (0..n as usize).map(|x| vec![x]);
        let mut right = std::iter::once(vec![]).chain(singles);
        if let Some(held) = right.find(|held| form.allows(held.len()) && !allowed.contains(held)) {
            return wrong("forbidden", &held);
        }
    }
    Ok(())
}

/// See [`Law::Auxiliaries`]. What is promised is promised of at most one; where exactly one is
/// encoded, the variables may be determined though they are free otherwise, but not the reverse.
///
/// # Errors
///
/// The first breach found.
pub fn auxiliaries(amo: &dyn AtMostOne, most: u32) -> Result<(), Breach> {
    let card = amo.card();
    let promised = card.auxiliaries;
    let mut made_any = false;
    let mut is_free = false;
    for (n, form) in (0..=most).flat_map(|n| Form::ALL.map(|form| (n, form))) {
        let (_, tally) = Inputs::Plain.encode(amo, form, n, Tally::new());
        let made = tally.variables() - n;
        made_any |= made > 0;
        if promised == Auxiliaries::None && made > 0 {
            let what = format!("promised is no auxiliary variable, made are {made}");
            return Err(breach(amo, Law::Auxiliaries, form, n, what));
        }
        let several = Inputs::Plain.each(amo, form, n, 2, |held, models| {
            if models > 1 { ControlFlow::Break(held) } else { ControlFlow::Continue(()) }
        });
        let ControlFlow::Break(held) = several else { continue };
        is_free |= form == Form::AtMostOne;
        if promised == Auxiliaries::Defined {
            let what = "promised are determined auxiliary variables, but an assignment of the \
                        inputs extends to several models";
            let marks: Vec<char> =
                (0..n as usize).map(|x| if held.contains(&x) { '1' } else { '0' }).collect();
            let drawing = draw::inputs(&marks);
            return Err(Breach { drawing, ..breach(amo, Law::Auxiliaries, form, n, what) });
        }
    }
    if !made_any && promised != Auxiliaries::None {
        match first_with_variables(amo, most) {
            Some(n) if n <= MANY_INPUTS => {
                made_any = true;
                is_free = is_open(amo, n);
                if promised == Auxiliaries::Defined && is_free {
                    let what = "promised are determined auxiliary variables, but where they \
                                begin, an assignment of the inputs extends to several models";
                    return Err(breach(amo, Law::Auxiliaries, Form::AtMostOne, n, what));
                }
            }
            // They begin where nothing can be tried, so nothing is refuted.
            Some(_) => return Ok(()),
            None => {}
        }
    }
    let what = match promised {
        _ if card.bounds => return Ok(()),
        Auxiliaries::Defined if !made_any => {
            "promised are determined auxiliary variables, but up to here there are none"
        }
        Auxiliaries::Free if !is_free => {
            "promised are free auxiliary variables, but up to here every assignment of the inputs \
             extends to one model at most"
        }
        _ => return Ok(()),
    };
    Err(breach(amo, Law::Auxiliaries, Form::AtMostOne, most, what))
}

/// The number of inputs at which auxiliary variables begin, where that is beyond what the laws try:
/// what the card says of them is not tried then.
pub fn begins_beyond(amo: &dyn AtMostOne) -> Option<u32> {
    if amo.card().auxiliaries == Auxiliaries::None {
        return None;
    }
    first_with_variables(amo, 0).filter(|&n| n > MANY_INPUTS)
}

/// The least number of inputs above `most` that takes an auxiliary variable: groups of many inputs
/// take none before they are full.
fn first_with_variables(amo: &dyn AtMostOne, most: u32) -> Option<u32> {
    (most + 1..=LONGEST).find(|&n| amo.size(n.into()).is_some_and(|size| size.variables > 0))
}

/// Whether the auxiliary variables are left open where no input holds, or one of them. Only these
/// assignments are tried, so it is quick where all of them would take for ever.
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

/// Whether some model has these two inputs and no other, as far as a bounded search tells.
fn both_hold(formula: &Formula, xs: &[Lit], two: [Lit; 2]) -> bool {
    let fixed: Vec<Lit> = xs.iter().map(|&x| if two.contains(&x) { x } else { !x }).collect();
    let models = models::Decider::new(formula).models(&fixed, 1, PAIR_STEPS);
    models.is_ok_and(|models| models > 0)
}

/// See [`Law::Propagation`]. Exactly one propagates as at most one is promised to, or stronger, and
/// finds the last input once all others are false.
///
/// # Errors
///
/// The first breach found.
pub fn propagation(amo: &dyn AtMostOne, most: u32) -> Result<(), Breach> {
    let card = amo.card();
    let promised = card.propagation;
    let mut weakest = Propagation::Complete;
    // Groups of more inputs are tried where there are two of them, and where there are several.
    let first = first_with_variables(amo, 0).filter(|&n| n > most);
    let beyond = first.into_iter().flat_map(|n| [n, 2 * n]).filter(|&n| n <= MANY_INPUTS);
    let beyond = beyond.map(|n| (n, Form::AtMostOne, Inputs::Plain));
    for (n, form, inputs) in cases(most).chain(beyond) {
        // Beyond, exactly one is at most one and a clause; so much is tried of what is not.
        if form == Form::ExactlyOne && n > INPUTS {
            continue;
        }
        let breach = |what: String| Err(breach(amo, Law::Propagation, form, n, what));
        let (xs, formula) = inputs.encode(amo, form, n, Formula::new());
        let mut propagator = Propagator::new(&formula);
        for (first, &x) in xs.iter().enumerate() {
            let before = propagator.trail().len();
            let others = || xs.iter().filter(|&&y| y != x).map(|&y| !y);
            let alone = std::iter::once(x).chain(others()).try_for_each(|y| propagator.assume(y));
            propagator.undo(before);
            if alone.is_err() {
                return breach(format!("input {} alone is refuted", first + 1));
            }
            if form == Form::ExactlyOne {
                let last = others().try_for_each(|y| propagator.assume(y)).is_ok();
                let found = last && propagator.holds(x);
                propagator.undo(before);
                if !found {
                    return breach(format!(
                        "all inputs but {} are false, and it is not found to hold",
                        first + 1
                    ));
                }
            }
            for (second, &y) in xs.iter().enumerate().filter(|&(second, _)| second != first) {
                let found = seen(&mut propagator, &[x], &[y]);
                // What propagation does not refute may be no matter of propagation at all.
                if found == Propagation::Weak && n > INPUTS && both_hold(&formula, &xs, [x, y]) {
                    return Err(misjudged(amo, form, n, "allowed", &[first, second]));
                }
                if found > promised {
                    return breach(format!(
                        "promised is {promised} propagation, but of inputs {} and {} it is {found}",
                        first + 1,
                        second + 1
                    ));
                }
                if form == Form::AtMostOne {
                    weakest = weakest.max(found);
                }
            }
        }
    }
    if weakest == promised || card.bounds {
        return Ok(());
    }
    let what = format!("promised is {promised} propagation, but up to here it is {weakest}");
    Err(breach(amo, Law::Propagation, Form::AtMostOne, most, what))
}
