//! Proofs from the constraints of a job's instance: written from the solver's, and checked by VeriPB in its own process.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use bezzel_encode::Encoding;
use bezzel_problem::ProblemFile;
use bezzel_solve::{Budget, ProofFormat};

use crate::backend::PreparedFormula;
use crate::backend::command::check_by_veripb;
use crate::config::PROOF_BYTES;
use crate::file_proof::{FileProof, FileProofError};
use crate::model::job::Job;
use crate::model::row::ProofRecord;

/// Writes the proof beside the solver's proof `lrat`, and has it checked by VeriPB within the budget.
pub(super) fn check(
    of_job: (&Job, &dyn Encoding),
    lrat: &Path,
    budget: (Budget, Instant),
    cgroup: Option<&Path>,
) -> ProofRecord {
    written_and_checked(of_job, lrat, budget, cgroup).unwrap_or_else(|error| {
        let bytes = fs::metadata(lrat).ok().map(|metadata| metadata.len());
        ProofRecord::unchecked(ProofFormat::Veripb, bytes, error.to_string())
    })
}

fn written_and_checked(
    (job, encoding): (&Job, &dyn Encoding),
    lrat: &Path,
    budget: (Budget, Instant),
    cgroup: Option<&Path>,
) -> Result<ProofRecord, FileProofError> {
    let path = std::path::absolute(lrat)?.with_extension("pbp");
    let translation = path.with_extension("opb");
    let file = job.instance.file().and_then(ProblemFile::path);
    // The problem and the map of its variables need their memory no more when VeriPB runs.
    let (steps, translated) = {
        let problem = job.instance.problem();
        let text = file.as_ref().map(fs::read).transpose()?;
        let out = Limited { out: File::create(&path)?, left: PROOF_BYTES };
        let proof = FileProof::begin(&problem, encoding, (text.as_deref(), None), out, || {
            File::create(&translation)
        })?;
        drop(text);
        let translated = proof.is_translated;
        let prepared = PreparedFormula::new(encoding, &problem, &job.numbering);
        let formula = prepared.formula();
        let proof = proof.numbered(&job.numbering);
        (proof.refute(formula.images, formula.variables, File::open(lrat)?)?, translated)
    };
    let start = file.filter(|_| !translated).unwrap_or(translation);
    let bytes = fs::metadata(&path)?.len();
    let checked = check_by_veripb(&std::path::absolute(start)?, (&path, bytes), budget, cgroup);
    Ok(ProofRecord { steps: Some(steps), translated, ..checked })
}

/// A file that does not fill the disk.
struct Limited {
    out: File,
    left: u64,
}

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let fits = self.left.checked_sub(bytes.len() as u64);
        self.left =
            fits.ok_or_else(|| io::Error::other("it is longer than the longest that is checked"))?;
        self.out.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
