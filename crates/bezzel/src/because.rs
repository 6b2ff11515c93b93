//! Verdicts in words.

use bezzel_experiment::{Evidence, Verdict};

/// The verdict and its evidence, in a few words.
pub(crate) fn because(verdict: Verdict, evidence: Option<&Evidence>) -> String {
    match evidence {
        Some(evidence) => format!("{}: {}", word(verdict), evidence.source),
        None => word(verdict).to_owned(),
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Verified => "verified",
        Verdict::Wrong => "WRONG",
        Verdict::Unchecked => "unchecked",
        Verdict::Imported => "imported, not verified here",
    }
}
