//! The laws of an at-most-one encoding, each tried on every number of inputs up to a bound.

use std::ops::ControlFlow;

use rustsat::types::Lit;

use super::inspector::Inspector;
use super::{Breach, Law, seen, words};
use crate::amo::AtMostOne;
use crate::card::{Auxiliaries, Propagation};
use crate::digest::Digest;
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

/// The inputs on which an encoding is tried: fresh variables as they come, and the same ones in
/// opposite order with every other one negated.
#[derive(Clone, Copy)]
enum Inputs {
    Plain,
    Mixed,
}

impl Inputs {
    const ALL: [Self; 2] = [Self::Plain, Self::Mixed];

    /// Makes `n` inputs.
    fn make(self, n: u32, out: &mut dyn ClauseSink) -> Vec<Lit> {
        let plain = out.fresh(n).lits();
        match self {
            Self::Plain => plain.collect(),
            Self::Mixed => {
                let mut mixed: Vec<Lit> =
                    plain.map(|lit| if lit.vidx32() % 2 == 1 { !lit } else { lit }).collect();
                mixed.reverse();
                mixed
            }
        }
    }

    /// Encodes over `n` inputs into a new sink, and returns both.
    fn encode<S: ClauseSink>(self, amo: &dyn AtMostOne, n: u32, mut sink: S) -> (Vec<Lit>, S) {
        let xs = self.make(n, &mut sink);
        amo.encode(&xs, &mut sink);
        (xs, sink)
    }
}

fn breach(amo: &dyn AtMostOne, law: Law, n: u32, what: impl std::fmt::Display) -> Breach {
    let place = if n == 1 { "1 input".into() } else { format!("{n} inputs") };
    Breach::new(amo.card().id, law, place, what)
}

/// See [`Law::WellFormed`].
///
/// # Errors
///
/// The first breach found.
pub fn well_formed(amo: &dyn AtMostOne, most: u32) -> Result<(), Breach> {
    for n in 0..=most {
        for inputs in Inputs::ALL {
            let (_, inspector) = inputs.encode(amo, n, Inspector::default());
            inspector.finish().map_err(|fault| breach(amo, Law::WellFormed, n, fault))?;
        }
    }
    Ok(())
}

/// See [`Law::Determinism`].
///
/// # Errors
///
/// The first breach found.
pub fn determinism(amo: &dyn AtMostOne, most: u32) -> Result<(), Breach> {
    for n in 0..=most {
        let [first, second] = [(); 2].map(|()| {
            let (_, Tee(digest, tally)) =
                Inputs::Plain.encode(amo, n, Tee(Digest::new(), Tally::new()));
            (digest.finish(), tally.variables())
        });
        if first != second {
            let what = "encoding twice gives two different streams";
            return Err(breach(amo, Law::Determinism, n, what));
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
    for n in 0..=most {
        let Some(stated) = amo.size(n.into()) else { continue };
        let (_, tally) = Inputs::Plain.encode(amo, n, Tally::new());
        let counted = tally.size();
        let counted = Size { variables: counted.variables - u128::from(n), ..counted };
        if stated != counted {
            let what = format!("stated {}, counted {}", words(stated), words(counted));
            return Err(breach(amo, Law::Size, n, what));
        }
    }
    Ok(())
}

/// See [`Law::Meaning`].
///
/// # Errors
///
/// The first breach found.
pub fn meaning(amo: &dyn AtMostOne, most: u32) -> Result<(), Breach> {
    for n in 0..=most {
        for inputs in Inputs::ALL {
            let mut allowed: Vec<Vec<usize>> = Vec::new();
            let broken = each(amo, inputs, n, 1, |held, _| {
                if held.len() > 1 {
                    return ControlFlow::Break(held);
                }
                allowed.push(held);
                ControlFlow::Continue(())
            });
            let inputs = |held: &[usize]| match held {
                [] => "that no input holds".into(),
                held => {
                    let numbers: Vec<_> = held.iter().map(|x| (x + 1).to_string()).collect();
                    format!("that of {n} inputs exactly those hold: {}", numbers.join(", "))
                }
            };
            if let ControlFlow::Break(held) = broken {
                let what = format!("allowed is {}", inputs(&held));
                return Err(breach(amo, Law::Meaning, n, what));
            }
            let singles = (0..n as usize).map(|x| vec![x]);
            let forbidden =
                std::iter::once(vec![]).chain(singles).find(|held| !allowed.contains(held));
            if let Some(held) = forbidden {
                let what = format!("forbidden is {}", inputs(&held));
                return Err(breach(amo, Law::Meaning, n, what));
            }
        }
    }
    Ok(())
}

/// Visits the positions of the inputs that hold, for every assignment that extends to a model, and
/// the number of its models, exact below `limit`.
fn each<B>(
    amo: &dyn AtMostOne,
    inputs: Inputs,
    n: u32,
    limit: u128,
    mut visit: impl FnMut(Vec<usize>, u128) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let (xs, formula) = inputs.encode(amo, n, Formula::new());
    let primary: Vec<_> = xs.iter().map(|lit| lit.var()).collect();
    models::each(&formula, &primary, limit, |model, models| {
        let held = (0..xs.len()).filter(|&x| model.holds(xs[x])).collect();
        visit(held, models)
    })
}

/// See [`Law::Auxiliaries`].
///
/// # Errors
///
/// The first breach found.
pub fn auxiliaries(amo: &dyn AtMostOne, most: u32) -> Result<(), Breach> {
    let card = amo.card();
    let promised = card.auxiliaries;
    let mut made_any = false;
    let mut extends_to_several = None;
    for n in 0..=most {
        let (_, tally) = Inputs::Plain.encode(amo, n, Tally::new());
        let made = tally.variables() - n;
        made_any |= made > 0;
        if promised == Auxiliaries::None && made > 0 {
            let what = format!("promised is no auxiliary variable, made are {made}");
            return Err(breach(amo, Law::Auxiliaries, n, what));
        }
        let several = each(amo, Inputs::Plain, n, 2, |_, models| {
            if models > 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if several.is_break() {
            extends_to_several.get_or_insert(n);
        }
    }
    match (promised, extends_to_several) {
        (Auxiliaries::Defined, Some(n)) => {
            let what = "promised are determined auxiliary variables, but an assignment of the \
                        inputs extends to several models";
            Err(breach(amo, Law::Auxiliaries, n, what))
        }
        (Auxiliaries::Defined, None) if !made_any && !card.bounds => {
            let what = "promised are determined auxiliary variables, but up to here there are none";
            Err(breach(amo, Law::Auxiliaries, most, what))
        }
        (Auxiliaries::Free, None) if !card.bounds => {
            let what = "promised are free auxiliary variables, but up to here every assignment \
                        of the inputs extends to one model at most";
            Err(breach(amo, Law::Auxiliaries, most, what))
        }
        _ => Ok(()),
    }
}

/// See [`Law::Propagation`].
///
/// # Errors
///
/// The first breach found.
pub fn propagation(amo: &dyn AtMostOne, most: u32) -> Result<(), Breach> {
    let card = amo.card();
    let promised = card.propagation;
    let mut weakest = Propagation::Complete;
    for n in 0..=most {
        for inputs in Inputs::ALL {
            let (xs, formula) = inputs.encode(amo, n, Formula::new());
            let mut propagator = Propagator::new(&formula);
            for (first, &x) in xs.iter().enumerate() {
                let before = propagator.trail().len();
                let others = xs.iter().filter(|&&y| y != x).map(|&y| !y);
                let alone =
                    std::iter::once(x).chain(others).try_for_each(|lit| propagator.assume(lit));
                propagator.undo(before);
                if alone.is_err() {
                    let what = format!("input {} alone is refuted", first + 1);
                    return Err(breach(amo, Law::Propagation, n, what));
                }
                for (second, &y) in xs.iter().enumerate().filter(|&(second, _)| second != first) {
                    let found = seen(&mut propagator, &[x], &[y]);
                    if found > promised {
                        let what = format!(
                            "promised is {promised} propagation, but of inputs {} and {} it is {found}",
                            first + 1,
                            second + 1
                        );
                        return Err(breach(amo, Law::Propagation, n, what));
                    }
                    weakest = weakest.max(found);
                }
            }
        }
    }
    if weakest == promised || card.bounds {
        return Ok(());
    }
    let what = format!("promised is {promised} propagation, but up to here it is {weakest}");
    Err(breach(amo, Law::Propagation, most, what))
}
