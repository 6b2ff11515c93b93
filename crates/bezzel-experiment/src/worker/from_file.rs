//! Proofs from the constraints of a job's instance: written from the solver's, and checked by VeriPB in its own process.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use bezzel_encode::Encoding;
use bezzel_problem::ProblemFile;
use bezzel_solve::Budget;

use crate::backend::PreparedFormula;
use crate::backend::command::{VeripbResult, check_by_veripb};
use crate::config::PROOF_BYTES;
use crate::file_proof::{FileProof, FileProofError};
use crate::model::job::Job;
use crate::model::message::{FromFile, Message};

/// A proof that was written.
struct Written {
    path: PathBuf,
    /// The file in OPB that it starts from.
    start: PathBuf,
    /// The constraints that it derives.
    steps: u64,
    bytes: u64,
    translated: bool,
}

/// Writes the proof beside the solver's proof `lrat`, and has it checked within the budget. Returns the finding, and the
/// peak of the memory of VeriPB in bytes.
pub(super) fn check(
    (job, encoding): (&Job, &dyn Encoding),
    lrat: &Path,
    (budget, begun): (Budget, Instant),
    cgroup: Option<&Path>,
) -> (Message, Option<u64>) {
    let (written, result) = match write(job, encoding, lrat) {
        Ok(written) => {
            let result = check_by_veripb(&written.start, &written.path, (budget, begun), cgroup);
            (Some(written), result)
        }
        Err(error) => (None, VeripbResult::unchecked(error.to_string())),
    };
    let VeripbResult { finding, note, memory_peak_bytes, version } = result;
    let found =
        |Written { steps, bytes, translated, .. }| (steps, FromFile { bytes, translated, version });
    let (steps, from_file) = written.map(found).unzip();
    (Message::ProofChecked { finding, steps, note, from_file }, memory_peak_bytes)
}

fn write(job: &Job, encoding: &dyn Encoding, lrat: &Path) -> Result<Written, FileProofError> {
    let path = std::path::absolute(lrat)?.with_extension("pbp");
    let translation = path.with_extension("opb");
    let problem = job.instance.problem();
    let file = job.instance.file().and_then(ProblemFile::path);
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
    let steps = proof.refute(formula.images, formula.variables, File::open(lrat)?)?;
    let start = file.filter(|_| !translated).unwrap_or(translation);
    let bytes = fs::metadata(&path)?.len();
    Ok(Written { path, start: std::path::absolute(start)?, steps, bytes, translated })
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
