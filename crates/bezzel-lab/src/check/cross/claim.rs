//! What a row claims, and two claims that cannot both be right.

use std::fmt;

use bezzel_problem::Instance;

use crate::check::said::Said;
use crate::model::job::{Job, Key, NO_ENCODING};
use crate::model::row::{Evidence, Row, Verdict};

/// Two rows of which at most one can be right: an encoding, a solver, an engine, a checker or the
/// rules that Bezzel applies are wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The instance that both are about.
    pub instance: Instance,
    /// What one says; where only one says that there is a solution, it is this.
    pub one: Claim,
    /// What the other says.
    pub other: Claim,
}

/// What a row claims, and why it should be believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The row's key.
    pub key: Key,
    /// What it says.
    pub said: Said,
    /// Its solver, or engine, with its encoding and settings, as in `batsat with binary`.
    pub by: String,
    /// Its own verdict.
    pub verdict: Verdict,
    /// What its verdict rested on, if it was verified.
    pub evidence: Option<Evidence>,
}

impl Claim {
    pub(super) fn of(row: &Row) -> Self {
        Self {
            key: row.key.clone(),
            said: Said::of(row),
            by: by(&row.job),
            verdict: row.verdict,
            evidence: row.evidence.clone().filter(|_| row.verdict == Verdict::Verified),
        }
    }
}

/// Who did a job: its solver or engine, with the encoding, if there is one.
pub(super) fn by(job: &Job) -> String {
    let Job { solver, encoding, .. } = job;
    if encoding == NO_ENCODING {
        solver.clone()
    } else {
        format!("{solver} with {}", job.encoding_label())
    }
}

/// As in `batsat with binary (row 00af…, unchecked)`.
impl fmt::Display for Claim {
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

/// As in `board 6: sat says …, unsat says …`.
impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { instance, one, other } = self;
        let noun = instance.noun();
        write!(f, "{noun} {instance}: {} says {one}, {} says {other}", one.said, other.said)
    }
}
