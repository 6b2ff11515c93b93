//! Checking a proof: the formula is generated again, and the proof is checked against it.

use bezzel_encode::{ClauseSink, Encoding};

use super::{WorkError, peak_bytes};
use crate::backend::PreparedFormula;
use crate::model::job::Job;
use crate::model::message::Message;
use crate::model::row::Termination;
use crate::worker::proof::{self, ProofCheckResult, WrittenProof};

/// Checks the proof and reports the finding. The digest of the generated clauses must be `clause_digest`, which is that
/// of the clauses that the solver received.
pub(super) fn check(
    job: &Job,
    encoding: &dyn Encoding,
    proof: WrittenProof<'_>,
    clause_digest: &str,
    send: &mut dyn FnMut(&Message) -> Result<(), WorkError>,
) -> Result<(), WorkError> {
    let problem = job.instance.problem();
    let prepared = PreparedFormula::new(encoding, &problem, &job.numbering);
    let write = |out: &mut dyn ClauseSink| prepared.formula().write(out);
    let ProofCheckResult { finding, steps, note } =
        proof::examine(proof, job.limits.memory_bytes, Some(clause_digest), &write);
    send(&Message::ProofChecked { finding, steps, note })?;
    send(&Message::Ended { stop: Termination::Finished, memory_peak_bytes: peak_bytes() })
}
