//! The profile of an at-most-one encoding by itself: sizes, correctness, unit propagation and models of one group of
//! inputs.

use std::collections::BTreeSet;

use rustsat::types::Lit;
use serde::Serialize;

use super::PropertyFinding;
use super::correct::{self, Correct};
use super::form::{Form, Inputs};
use super::gap::{self, ExaminedFormula, Gap, SolutionSet};
use super::meaning::{self, INPUTS, Meaning, ModelCounts, OPEN, POINT, inputs};
use crate::amo::AtMostOne;
use crate::clause_hash::ClauseHash;
use crate::formula::Formula;
use crate::info::Auxiliaries;
use crate::sink::ClauseSink;
use crate::size::Size;

/// The numbers of inputs whose sizes are shown.
pub const SHOWN: [u64; 3] = [8, 32, 100];

/// The computed profile of an at-most-one encoding, by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineProfile {
    /// The comparison of its models with the right assignments, in both forms.
    pub correct: Correct,
    /// As at most one, then as exactly one.
    pub forms: [FormProfile; 2],
}

/// The computed profile of one of the two forms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FormProfile {
    /// `at most one` or `exactly one`.
    pub form: String,
    /// The numbers of [`SHOWN`] inputs.
    pub sizes: Vec<(u64, Size)>,
    /// The number of inputs up to which every partial assignment was tried.
    pub tried: u32,
    /// The smallest partial assignment of which unit propagation misses a consequence.
    pub gap: Option<PropertyFinding>,
    /// The effect of the auxiliary variables on the number of models.
    pub auxiliaries: Auxiliaries,
    /// Models at 2 to 8 inputs.
    pub models: Vec<ModelCounts>,
}

impl LineProfile {
    /// Computes the profile.
    pub fn of(amo: &dyn AtMostOne) -> Self {
        let listed = Form::ALL.map(|form| (0..=INPUTS).map(|n| list(amo, form, n)).collect());
        let wrong = first_wrong(&listed);
        let [at_most_one, exactly_one] = listed;
        Self {
            correct: correct::line(amo, wrong),
            forms: [
                FormProfile::of(amo, Form::AtMostOne, at_most_one),
                FormProfile::of(amo, Form::ExactlyOne, exactly_one),
            ],
        }
    }

    /// True if unit propagation finds every consequence and every conflict, in both forms.
    pub fn is_complete(&self) -> bool {
        self.forms.iter().all(|form| form.gap.is_none())
    }
}

impl FormProfile {
    fn of(amo: &dyn AtMostOne, form: Form, listed: Vec<ListedModels>) -> Self {
        let counts: Vec<ModelCounts> = listed.into_iter().map(|(models, _)| models).collect();
        Self {
            form: form.to_string(),
            sizes: SHOWN.iter().filter_map(|&n| Some((n, form.size(amo, n)?))).collect(),
            tried: INPUTS,
            gap: (1..=INPUTS).find_map(|n| smallest_gap(amo, form, n)),
            auxiliaries: meaning::auxiliaries(&counts),
            models: counts.into_iter().filter(|count| count.n > 1).collect(),
        }
    }
}

/// The models over some inputs, and their meaning.
type ListedModels = (ModelCounts, Meaning<Vec<usize>>);

/// Lists the assignments of `n` inputs.
fn list(amo: &dyn AtMostOne, form: Form, n: u32) -> ListedModels {
    ModelCounts::of(n, u64::MAX, |bounds| Meaning::of_line(amo, form, Inputs::Plain, n, bounds))
}

/// The first assignment that is wrongly allowed or forbidden, of the fewest inputs.
fn first_wrong(listed: &[Vec<ListedModels>; 2]) -> Option<PropertyFinding> {
    (0..=INPUTS).find_map(|n| {
        Form::ALL.iter().zip(listed).find_map(|(&form, listed)| {
            let held = listed[n as usize].1.fault()?;
            Some(correct::on_line(form, n, held))
        })
    })
}

/// The smallest gap over `n` inputs.
fn smallest_gap(amo: &dyn AtMostOne, form: Form, n: u32) -> Option<PropertyFinding> {
    let (xs, formula) = form.formula(amo, n);
    let mut subject = ExaminedFormula::new(&formula, xs.chunks(1));
    let singles = (0..n).map(|x| 1 << x);
    let none = (form == Form::AtMostOne).then_some(0);
    let solutions = SolutionSet(singles.chain(none).collect());
    gap::smallest(&mut subject, &solutions).map(|gap| describe(form, n, gap))
}

fn describe(form: Form, n: u32, Gap { given, missed }: Gap) -> PropertyFinding {
    let marks: Vec<char> = (0..n)
        .map(|x| match missed {
            Some((missed, _)) if missed == x => POINT,
            _ if given.on >> x & 1 == 1 => '1',
            _ if given.off >> x & 1 == 1 => '0',
            _ => OPEN,
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
    PropertyFinding { what: format!("{form} of {n} inputs: {what}"), drawing: inputs(&marks) }
}

/// The digest of an at-most-one encoding, as at most one and as exactly one of 9 and of 40 inputs. Encodings with equal
/// digests have the same clauses.
pub fn clauses_digest(amo: &dyn AtMostOne) -> String {
    let cases = [9, 40].into_iter().flat_map(|n| Form::ALL.map(|form| form.formula(amo, n).1));
    sets_digest(cases)
}

/// One digest of formulas as sets of clauses, independent of the order of their clauses and literals.
pub fn sets_digest(formulas: impl Iterator<Item = Formula>) -> String {
    let mut digest = ClauseHash::new();
    for formula in formulas {
        let sorted = |clause: &[Lit]| clause.iter().copied().collect::<BTreeSet<_>>();
        let clauses: BTreeSet<BTreeSet<Lit>> = formula.clauses().map(sorted).collect();
        for clause in clauses {
            digest.clause(&clause.into_iter().collect::<Vec<_>>());
        }
    }
    digest.finish()
}
