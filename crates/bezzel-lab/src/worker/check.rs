//! Checking a proof: the formula is made anew, and the proof is read against it.

use std::fs::File;
use std::path::Path;

use bezzel_encode::{ClauseSink, Digest, Encoding, Lit, Tally, Tee, VarRange};
use bezzel_external::usage;
use bezzel_proof::{Checker, Limits, Refusal};
use bezzel_solve::ProofFormat;

use super::WorkError;
use crate::job::Job;
use crate::message::Message;
use crate::row::{Finding, Stop};

/// Checks the proof and tells what came of it. Its clauses must be those of this digest, which the
/// solver received.
pub(super) fn check(
    job: &Job,
    encoding: &dyn Encoding,
    proof: &Path,
    format: ProofFormat,
    clause_digest: &str,
    tell: &mut dyn FnMut(&Message) -> Result<(), WorkError>,
) -> Result<(), WorkError> {
    let mut tally = Tally::new();
    let layout = encoding.encode(&job.board, &mut tally);
    let images = job.numbering.images(tally.variables(), &layout);
    let limits = Limits { memory_bytes: job.limits.memory_bytes, steps: None };
    // CaDiCaL derives clauses while it is still given others, and numbers all as they come.
    let checker = Checker::with_interleaved_ids(limits);
    let mut sink = Tee(Digest::new(), Premises { checker, variables: 0, clause: Vec::new() });
    job.numbering.encode(encoding, &job.board, &images, &mut sink);
    let Tee(digest, Premises { checker, .. }) = sink;

    let unchecked = |note: String| Message::ProofChecked {
        finding: Finding::Unchecked,
        steps: None,
        note: Some(note),
    };
    tell(&if format == ProofFormat::Drat {
        unchecked("DRAT proofs are not checked".into())
    } else if digest.finish() == clause_digest {
        match File::open(proof) {
            Ok(file) => found(checker.check(file)),
            Err(error) => unchecked(format!("the proof cannot be opened: {error}")),
        }
    } else {
        unchecked("the clauses are not those that the solver received".into())
    })?;
    let memory_peak_bytes = usage::memory().ok().map(|memory| memory.peak_bytes);
    tell(&Message::Ended { stop: Stop::Finished, memory_peak_bytes })
}

/// What the checker found, as it is told.
fn found(checked: Result<bezzel_proof::Accepted, Refusal>) -> Message {
    let refused = |finding, steps, refusal: &Refusal| Message::ProofChecked {
        finding,
        steps: Some(steps),
        note: Some(refusal.to_string()),
    };
    match checked {
        Ok(accepted) => Message::ProofChecked {
            finding: Finding::Accepted,
            steps: Some(accepted.steps),
            note: None,
        },
        Err(refusal @ Refusal::Wrong { place, .. }) => {
            refused(Finding::Refused, place.step, &refusal)
        }
        Err(refusal @ (Refusal::Incomplete { place, .. } | Refusal::GaveUp { place, .. })) => {
            refused(Finding::Unchecked, place.step, &refusal)
        }
    }
}

/// Hands the clauses of the formula to a checker.
struct Premises {
    checker: Checker,
    variables: u32,
    /// One clause as the checker reads it; kept for its memory.
    clause: Vec<i32>,
}

impl ClauseSink for Premises {
    fn fresh(&mut self, count: u32) -> VarRange {
        VarRange::next(&mut self.variables, count)
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.clause.clear();
        self.clause.extend(lits.iter().map(|lit| lit.to_ipasir()));
        self.checker.clause(&self.clause);
    }
}
