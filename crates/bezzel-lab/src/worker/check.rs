//! Checking a proof: the formula is made anew, and the proof is read against it.

use std::path::Path;

use bezzel_encode::{ClauseSink, Encoding};
use bezzel_solve::ProofFormat;

use super::{WorkError, peak_bytes};
use crate::backend::Prepared;
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
    let problem = job.instance.problem();
    let prepared = Prepared::new(encoding, &problem, &job.numbering);
    let write = |out: &mut dyn ClauseSink| prepared.formula().write(out);
    let Examined { finding, steps, note } =
        proof::examine(proof, format, job.limits.memory_bytes, Some(clause_digest), write);
    tell(&Message::ProofChecked { finding, steps, note })?;
    tell(&Message::Ended { stop: Stop::Finished, memory_peak_bytes: peak_bytes() })
}
