//! Sizes of formulas and digests of their clauses, by encoding anew.
//!
//! Each board under each encoding with its settings is encoded once for its size and once for each
//! numbering; small formulas come first, so that what is left out when time is up is counted in
//! formulas and not in hours.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use bezzel_encode::{Digest, Size, Tally};

use super::Wanted;
use crate::backend::program::Programs;
use crate::backend::workbench::Workbench;
use crate::backend::{self, fit};
use crate::check::report::{Checking, Found, Step};
use crate::model::row::{FormulaSize, Row};

/// The rows of one formula, by numbering.
type Numbered<'a> = BTreeMap<String, Vec<&'a Found>>;

/// About so many literals are encoded in a second, twice, on a fast machine: a formula that has more than
/// there is time for is not begun, since encoding cannot be broken off and rows may name any board.
const LITERALS_PER_S: f64 = 5e8;

/// What came of checking a formula.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Came {
    Checked,
    /// There is no time for it.
    Late,
    /// It cannot be encoded here.
    Unknown,
}

pub(super) fn check(
    found: &[Found],
    workbench: &Workbench,
    wanted: &Wanted,
    checking: &mut Checking<'_>,
) {
    let start = Instant::now();
    let formulas = formulas(found);
    let (all, mut late) = (formulas.len(), 0);
    for (done, numbered) in formulas.into_iter().enumerate() {
        if checking.is_cancelled() {
            return;
        }
        (checking.observe)(Step::Sizes, done, all);
        let came = match wanted.encode_for.checked_sub(start.elapsed()) {
            Some(left) => check_one(&numbered, workbench, left, checking),
            None => Came::Late,
        };
        late += usize::from(came == Came::Late);
        if came != Came::Checked {
            checking.leave_out(Step::Sizes, 1);
            checking.leave_out(Step::Digests, numbered.len());
        }
    }
    let seconds = wanted.encode_for.as_secs_f64();
    checking.remark_on(
        late,
        "formula",
        &format!("not encoded anew within {seconds} s: raise --encode-for"),
    );
}

/// The rows that have a formula, by board, encoding, settings and revision; small ones first.
fn formulas(found: &[Found]) -> Vec<Numbered<'_>> {
    let mut formulas: BTreeMap<(u64, String), Numbered<'_>> = BTreeMap::new();
    for found in found {
        let Row { job, formula: Some(formula), encoding_revision, .. } = &found.row else {
            continue;
        };
        let instance = backend::instance_of_formula(job);
        let same = (instance.as_ref(), &job.encoding, job.settings);
        let of = (formula.literals, json(&(same, encoding_revision)));
        let numbered = formulas.entry(of).or_default();
        numbered.entry(json(&job.numbering)).or_default().push(found);
    }
    formulas.into_values().collect()
}

/// Encodes one formula anew, if that can be done in the time that is left.
fn check_one(
    numbered: &Numbered<'_>,
    workbench: &Workbench,
    left: Duration,
    checking: &mut Checking<'_>,
) -> Came {
    let rows = || numbered.values().flatten();
    let Some(Found { row, .. }) = rows().next() else { return Came::Unknown };
    let job = &row.job;
    let instance = backend::instance_of_formula(job);
    if !instance.has_problem() {
        return Came::Unknown;
    }
    let Workbench { encodings, permission, .. } = workbench;
    let mut programs = Programs::new(encodings, job.limits, permission);
    let Ok(found) = programs.find(&job.encoding, job.settings, &instance) else {
        return Came::Unknown;
    };
    let encoding = found.on_board(job.settings);
    let problem = instance.problem();
    if encoding.card().revision != row.encoding_revision || encoding.fits(&problem).is_err() {
        return Came::Unknown;
    }
    if let Some(size) = fit::size(encoding.as_ref(), &instance) {
        if size.literals as f64 > left.as_secs_f64() * LITERALS_PER_S {
            return Came::Late;
        }
        if fit::numbered(&instance, &job.encoding, size).is_err() {
            return Came::Unknown;
        }
    }
    let mut tally = Tally::new();
    let map = encoding.encode(&problem, &mut tally);
    let formula = FormulaSize::of(tally);
    let variables = formula.variables as u32;
    checking.count(Step::Sizes, 1);
    for found in rows() {
        if found.row.formula.as_ref() != Some(&formula) {
            let (now, then) = (formula.size(), found.row.formula.as_ref().map(FormulaSize::size));
            let what = match then.filter(|&then| then != now) {
                Some(then) => {
                    format!("its formula has {}, and encoded anew {}", told(then), told(now))
                }
                None => "the sections of its formula are others when it is encoded anew".into(),
            };
            checking.fault(Step::Sizes, found, what);
        }
    }
    for rows in numbered.values() {
        let numbering = &rows[0].row.job.numbering;
        let images = numbering.images(&problem, variables, &map);
        let mut digest = Digest::new();
        numbering.encode(encoding.as_ref(), &problem, &images, &mut digest);
        let digest = digest.finish();
        checking.count(Step::Digests, 1);
        for found in rows {
            let recorded = found.row.clause_digest.as_ref();
            if let Some(recorded) = recorded.filter(|recorded| **recorded != digest) {
                let what = format!("its clauses have the digest {recorded}, and anew {digest}");
                checking.fault(Step::Digests, found, what);
            }
        }
    }
    Came::Checked
}

/// What tells a value from every other.
fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data")
}

fn told(size: Size) -> String {
    let Size { variables, clauses, literals } = size;
    format!("{variables} variables, {clauses} clauses and {literals} literals")
}
