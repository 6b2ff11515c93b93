//! Checking a proof: the formula is made anew, and the proof is read against it.

use std::path::Path;

use bezzel_encode::{Encoding, Tally};
use bezzel_external::usage;
use bezzel_solve::ProofFormat;

use super::WorkError;
use crate::model::job::Job;
use crate::model::message::Message;
use crate::model::row::Stop;
use crate::worker::proof::{self, Examined};

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
    let memory_bytes = job.limits.memory_bytes;
    let Examined { finding, steps, note } =
        proof::examine(proof, format, memory_bytes, Some(clause_digest), |out| {
            job.numbering.encode(encoding, &job.board, &images, out);
        });
    tell(&Message::ProofChecked { finding, steps, note })?;
    let memory_peak_bytes = usage::memory().ok().map(|memory| memory.peak_bytes);
    tell(&Message::Ended { stop: Stop::Finished, memory_peak_bytes })
}
