//! `bezzel solve --veripb`: a proof from the constraints of the file to the answer.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use bezzel_encode::Encoding;
use bezzel_experiment::backend::NumberedFormula;
use bezzel_experiment::check_at_shapes;
use bezzel_experiment::file_proof::{FileProof, FileProofError};
use bezzel_experiment::scratch::ScratchFolder;
use bezzel_problem::{Problem, ProblemFile, Solution};
use bezzel_solve::ProofFormat;

use super::request::Request;
use crate::failure::{Failure, cannot, shown};
use crate::output::{Unfinished, refuse_replacing};
use crate::{scratch, terminal};

/// A proof that has derived the clauses.
pub(super) struct FromFile<'a> {
    path: &'a Path,
    unfinished: Option<Unfinished<'a>>,
    proof: FileProof,
    /// The file from which it starts.
    start: PathBuf,
    /// The folder of the solver's proof.
    folder: ScratchFolder,
}

/// The refusal of clauses that cannot be derived. A counterexample distinguishes wrong clauses from those without a proof.
fn underivable(why: &str, encoding: &dyn Encoding, problem: &Problem) -> Failure {
    Failure::Input(match check_at_shapes(encoding, problem) {
        Err(wrong) => format!(
            "--veripb: the clauses of `{}` are wrong: {wrong}; `bezzel check` examines it",
            wrong.encoder
        ),
        Ok(_) => format!("--veripb: {why}"),
    })
}

fn failure(path: &Path, error: FileProofError) -> Failure {
    match error {
        FileProofError::Underivable(why) => Failure::Input(format!("--veripb: {why}")),
        error => Failure::Work(format!("{}: {error}", shown(path))),
    }
}

impl<'a> FromFile<'a> {
    /// Derives the clauses of the job from the constraints of its instance; with a solution, from these and the bound that
    /// only better ones meet.
    pub(super) fn begin(
        path: &'a Path,
        request: &Request,
        best: Option<&Solution>,
    ) -> Result<Self, Failure> {
        let (instance, solver) = (&request.job.instance, request.backend.as_ref());
        if solver.proof_format() != Some(ProofFormat::Lrat) {
            let name = solver.name();
            return Err(Failure::Input(format!(
                "--veripb: the solver `{name}` writes no proofs in LRAT; `cadical` does"
            )));
        }
        let encoding = request.encoding.as_ref().expect("solvers read an encoding");
        // Standard input is a file here, too, and none for VeriPB.
        let file = instance.file().and_then(ProblemFile::path);
        let file = file.filter(|file| file.is_file() && !file.starts_with("/dev"));
        let text = file.as_ref().and_then(|file| fs::read(file).ok());
        let mut translation = path.as_os_str().to_owned();
        translation.push(".opb");
        let translation = PathBuf::from(translation);
        for written in [path, &*translation] {
            refuse_replacing(instance.file(), written)?;
        }
        let (unfinished, out) = match Unfinished::create(path)? {
            Some((unfinished, file)) => (Some(unfinished), Ok(file)),
            None => (None, OpenOptions::new().write(true).open(path)),
        };
        let out = out.map_err(cannot("write", path))?;
        let problem = instance.problem();
        let proof =
            FileProof::begin(&problem, encoding.as_ref(), (text.as_deref(), best), out, || {
                File::create(&translation)
            });
        let proof = proof.map_err(|error| match error {
            FileProofError::Underivable(why) => underivable(&why, encoding.as_ref(), &problem),
            error => failure(path, error),
        })?;
        let proof = proof.numbered(&request.job.numbering);
        let start = file.filter(|_| !proof.is_translated).unwrap_or(translation);
        Ok(Self { path, unfinished, proof, start, folder: scratch::new("veripb")? })
    }

    /// The path of the solver's proof.
    pub(super) fn lrat(&self) -> PathBuf {
        self.folder.path().join("proof.lrat")
    }

    /// Ends the proof with the solver's refutation of the formula.
    pub(super) fn refute(self, formula: &NumberedFormula<'_>) -> Result<(), Failure> {
        let lrat = self.lrat();
        self.end(|proof| {
            proof.refute(formula.images, formula.variables, File::open(lrat)?).map(drop)
        })
    }

    /// Ends the proof with a solution.
    pub(super) fn satisfy(self, solution: &Solution) -> Result<(), Failure> {
        self.end(|proof| proof.satisfy(solution))
    }

    /// Writes the end, and prints the command that checks the proof.
    fn end(self, end: impl FnOnce(FileProof) -> Result<(), FileProofError>) -> Result<(), Failure> {
        let Self { path, unfinished, proof, start, folder: _folder } = self;
        let is_translated = proof.is_translated;
        end(proof).map_err(|error| failure(path, error))?;
        unfinished.map(Unfinished::finish).transpose()?;
        let trust = if is_translated {
            "; trusted: that this file states the instance, from which Bezzel wrote it"
        } else {
            ""
        };
        // A closed stderr has no reader.
        let _ = writeln!(
            terminal::stderr(),
            "the proof is checked by `veripb {} {}`{trust}",
            shown(&start),
            shown(path)
        );
        Ok(())
    }
}
