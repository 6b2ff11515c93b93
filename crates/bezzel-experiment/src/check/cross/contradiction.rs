//! The claim of a row, and pairs of claims that cannot both be right.

use std::fmt;

use bezzel_problem::Instance;

use crate::check::claim::ClaimedAnswer;
use crate::model::job::{Job, Key, NO_ENCODING};
use crate::model::row::{Evidence, Row, Verdict};

/// Two rows of which at most one can be right: an encoding, a solver, an engine, a checker or the rules in Bezzel are
/// wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The instance that both are about.
    pub instance: Instance,
    /// One claim. If only one of the two claims a solution, it is this one.
    pub one: RowClaim,
    /// The other claim.
    pub other: RowClaim,
}

/// The claim of a row, with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowClaim {
    /// The row's key.
    pub key: Key,
    /// The claim.
    pub claim: ClaimedAnswer,
    /// Its solver, or engine, with its encoding and settings, as in `batsat with binary`.
    pub by: String,
    /// Its own verdict.
    pub verdict: Verdict,
    /// The evidence of its verdict, if it was verified.
    pub evidence: Option<Evidence>,
}

impl RowClaim {
    pub(super) fn of(row: &Row) -> Self {
        Self {
            key: row.key.clone(),
            claim: ClaimedAnswer::of(row),
            by: by(&row.job),
            verdict: row.verdict,
            evidence: row.checked_by.clone().filter(|_| row.verdict == Verdict::Verified),
        }
    }
}

/// Returns the solver or engine of a job, with its encoding, if there is one.
pub(super) fn by(job: &Job) -> String {
    let Job { solver, encoding, .. } = job;
    if encoding == NO_ENCODING {
        solver.clone()
    } else {
        format!("{solver} with {}", job.encoding_label())
    }
}

/// As in `batsat with binary (row 00af…, unchecked)`.
impl fmt::Display for RowClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, by, verdict, evidence, .. } = self;
        write!(f, "{by} (row {key}, ")?;
        match (evidence, verdict) {
            (Some(evidence), _) => write!(f, "{})", evidence.source),
            (None, Verdict::Wrong) => f.write_str("wrong)"),
            (None, _) => f.write_str("unchecked)"),
        }
    }
}

/// As in `instance pigeonhole-6: sat says …, unsat says …`.
impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { instance, one, other } = self;
        let noun = instance.noun();
        write!(f, "{noun} {instance}: {} says {one}, {} says {other}", one.claim, other.claim)
    }
}
