//! The verdicts on an at-most-one encoding.

use serde::Serialize;

use super::correct::{self, Correct};
use super::gap::{self, Gap, Searched};
use super::models::{self, Models};
use super::subject::{Solutions, Subject};
use super::{Finding, closed};
use crate::amo::AtMostOne;
use crate::card::Auxiliaries;
use crate::draw;
use crate::laws::Form;
use crate::laws::at_most_one::INPUTS;
use crate::size::Size;

/// The numbers of inputs whose sizes are shown.
pub const SHOWN: [u64; 3] = [8, 32, 100];

/// What was found out about an at-most-one encoding, by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineVerdict {
    /// Whether it means what it should, as at most one and as exactly one.
    pub correct: Correct,
    /// As at most one, then as exactly one.
    pub forms: [FormVerdict; 2],
}

/// What was found out about one of the two forms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FormVerdict {
    /// `at most one` or `exactly one`.
    pub form: String,
    /// Auxiliary variables, clauses and literals as expressions in n, each where one was found.
    pub closed: [Option<String>; 3],
    /// The numbers of [`SHOWN`] inputs.
    pub sizes: Vec<(u64, Size)>,
    /// The number of inputs up to which every partial assignment was tried.
    pub tried: u32,
    /// The smallest partial assignment of which unit propagation misses a consequence.
    pub gap: Option<Finding>,
    /// What the auxiliary variables do to the number of models.
    pub auxiliaries: Auxiliaries,
    /// Models at 2 to 8 inputs.
    pub models: Vec<Models>,
}

impl LineVerdict {
    /// Finds out.
    pub fn of(amo: &dyn AtMostOne) -> Self {
        Self {
            correct: correct::line(amo),
            forms: Form::ALL.map(|form| FormVerdict::of(amo, form)),
        }
    }

    /// Whether unit propagation finds every consequence and every conflict, in both forms.
    pub fn is_complete(&self) -> bool {
        self.forms.iter().all(|form| form.gap.is_none())
    }
}

impl FormVerdict {
    fn of(amo: &dyn AtMostOne, form: Form) -> Self {
        let counts: Vec<Models> = (0..=INPUTS).map(|n| count(amo, form, n)).collect();
        let size = |part: fn(Size) -> u128| closed::form("n", |n| Some(part(form.size(amo, n)?)));
        Self {
            form: form.to_string(),
            closed: [
                size(|size| size.variables),
                size(|size| size.clauses),
                size(|size| size.literals),
            ],
            sizes: SHOWN.iter().filter_map(|&n| Some((n, form.size(amo, n)?))).collect(),
            tried: INPUTS,
            gap: (1..=INPUTS).find_map(|n| smallest_gap(amo, form, n)),
            auxiliaries: models::verdict(&counts),
            models: counts.into_iter().filter(|count| count.n > 1).collect(),
        }
    }
}

fn count(amo: &dyn AtMostOne, form: Form, n: u32) -> Models {
    let (xs, formula) = form.formula(amo, n);
    let primary: Vec<_> = xs.iter().map(|lit| lit.var()).collect();
    Models::of(&formula, &primary, n)
}

/// The smallest gap over so many inputs.
fn smallest_gap(amo: &dyn AtMostOne, form: Form, n: u32) -> Option<Finding> {
    let (xs, formula) = form.formula(amo, n);
    let mut subject = Subject::new(&formula, xs.chunks(1));
    let singles = (0..n).map(|x| 1 << x);
    let none = (form == Form::AtMostOne).then_some(0);
    let solutions = Solutions(singles.chain(none).collect());
    match gap::smallest(&mut subject, |given| solutions.implied(given, n), usize::MAX) {
        Searched::Gap(gap) => Some(describe(form, n, gap)),
        Searched::Complete | Searched::Unfinished(_) => None,
    }
}

fn describe(form: Form, n: u32, Gap { given, missed }: Gap) -> Finding {
    let marks: Vec<char> = (0..n)
        .map(|x| match missed {
            Some((missed, _)) if missed == x => draw::POINT,
            _ if given.on >> x & 1 == 1 => '1',
            _ if given.off >> x & 1 == 1 => '0',
            _ => draw::OPEN,
        })
        .collect();
    let what = match missed {
        Some((x, true)) => {
            format!("input {} must hold, and unit propagation does not find it", x + 1)
        }
        Some((x, false)) => {
            format!("input {} cannot hold, and unit propagation does not find it", x + 1)
        }
        None => "that cannot be, and unit propagation finds no conflict".into(),
    };
    Finding { what: format!("{form} of {n} inputs: {what}"), drawing: draw::inputs(&marks) }
}
