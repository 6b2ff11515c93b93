//! Verdicts in words.

use bezzel_experiment::Verdict;
use bezzel_experiment::judge::Judgement;

/// The verdict and its evidence, in a few words.
pub(crate) fn because(judgement: &Judgement) -> String {
    match &judgement.evidence {
        Some(evidence) => format!("{}: {}", verdict(judgement.verdict), evidence.source),
        None => verdict(judgement.verdict).to_owned(),
    }
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Verified => "verified",
        Verdict::Wrong => "WRONG",
        Verdict::Unchecked => "unchecked",
    }
}
