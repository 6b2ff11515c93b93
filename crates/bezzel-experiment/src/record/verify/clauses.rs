//! Sizes of formulas and digests of their clauses, by encoding again.
//!
//! Each instance under each encoding with its settings is encoded once for its size and once for each numbering. Small
//! formulas come first, so that few formulas are left out when the time is over.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use bezzel_encode::{ClauseHash, FormulaStats, Size};

use super::VerifyOptions;
use crate::backend::catalog::Catalog;
use crate::backend::program::EncoderPrograms;
use crate::backend::{self, fit};
use crate::check::report::{NumberedRow, Verification, VerificationStep};
use crate::model::row::{FormulaSize, Row};

/// The rows of one formula, by numbering.
type Numbered<'a> = BTreeMap<String, Vec<&'a NumberedRow>>;

/// The approximate number of literals that a fast machine encodes twice in a second. A formula with more literals than
/// the remaining time allows is not started, since encoding cannot be interrupted and rows may name any instance.
const LITERALS_PER_S: f64 = 5e8;

/// The result of checking a formula.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FormulaCheck {
    StepSummary,
    /// The remaining time is too short.
    Late,
    /// It cannot be encoded here.
    Unknown,
}

pub(super) fn check(
    found: &[NumberedRow],
    catalog: &Catalog,
    options: &VerifyOptions,
    verification: &mut Verification<'_>,
) {
    let start = Instant::now();
    let formulas = formulas(found);
    let (all, mut late) = (formulas.len(), 0);
    for (done, numbered) in formulas.into_iter().enumerate() {
        if verification.is_cancelled() {
            return;
        }
        (verification.observe)(VerificationStep::Sizes, done, all);
        let result = match options.encode_for.checked_sub(start.elapsed()) {
            Some(left) => check_one(&numbered, catalog, left, verification),
            None => FormulaCheck::Late,
        };
        late += usize::from(result == FormulaCheck::Late);
        if result != FormulaCheck::StepSummary {
            verification.leave_out(VerificationStep::Sizes, 1);
            verification.leave_out(VerificationStep::Digests, numbered.len());
        }
    }
    let seconds = options.encode_for.as_secs_f64();
    verification.remark_on(
        late,
        "formula",
        &format!("not encoded again within {seconds} s: raise --encode-for"),
    );
}

/// Returns the rows that have a formula, grouped by instance, encoding, settings and revision; small formulas first.
fn formulas(found: &[NumberedRow]) -> Vec<Numbered<'_>> {
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

/// Encodes one formula again, if the remaining time suffices.
fn check_one(
    numbered: &Numbered<'_>,
    catalog: &Catalog,
    left: Duration,
    verification: &mut Verification<'_>,
) -> FormulaCheck {
    let rows = || numbered.values().flatten();
    let Some(NumberedRow { row, .. }) = rows().next() else { return FormulaCheck::Unknown };
    let job = &row.job;
    let instance = backend::instance_of_formula(job);
    if !instance.has_problem() {
        return FormulaCheck::Unknown;
    }
    let Catalog { encodings, permission, .. } = catalog;
    let mut programs = EncoderPrograms::new(encodings, job.limits, permission);
    let Ok(found) = programs.find(&job.encoding, job.settings, &instance) else {
        return FormulaCheck::Unknown;
    };
    let encoding = found.with_settings(job.settings);
    let problem = instance.problem();
    if encoding.info().revision != row.encoding_revision || encoding.fits(&problem).is_err() {
        return FormulaCheck::Unknown;
    }
    if let Some(size) = fit::size(encoding.as_ref(), &instance) {
        if size.literals as f64 > left.as_secs_f64() * LITERALS_PER_S {
            return FormulaCheck::Late;
        }
        if fit::numbered(&instance, &job.encoding, size).is_err() {
            return FormulaCheck::Unknown;
        }
    }
    let mut stats = FormulaStats::new();
    let map = encoding.encode(&problem, &mut stats);
    let formula = FormulaSize::of(stats);
    let variables = formula.variables as u32;
    verification.count(VerificationStep::Sizes, 1);
    for found in rows() {
        if found.row.formula.as_ref() != Some(&formula) {
            let (now, then) = (formula.size(), found.row.formula.as_ref().map(FormulaSize::size));
            let what = match then.filter(|&then| then != now) {
                Some(then) => {
                    format!(
                        "its formula has {}, and encoded again {}",
                        size_text(then),
                        size_text(now)
                    )
                }
                None => "its formula has other sections when it is encoded again".into(),
            };
            verification.fault(VerificationStep::Sizes, found, what);
        }
    }
    for rows in numbered.values() {
        let numbering = &rows[0].row.job.numbering;
        let images = numbering.images(&problem, variables, &map);
        let mut digest = ClauseHash::new();
        numbering.encode(encoding.as_ref(), &problem, &images, &mut digest);
        let digest = digest.finish();
        verification.count(VerificationStep::Digests, 1);
        for found in rows {
            let recorded = found.row.clause_digest.as_ref();
            if let Some(recorded) = recorded.filter(|recorded| **recorded != digest) {
                let what =
                    format!("its clauses have the digest {recorded}, and encoded again {digest}");
                verification.fault(VerificationStep::Digests, found, what);
            }
        }
    }
    FormulaCheck::StepSummary
}

/// Returns a text that identifies a value.
fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data")
}

fn size_text(size: Size) -> String {
    let Size { variables, clauses, literals } = size;
    format!("{variables} variables, {clauses} clauses and {literals} literals")
}
