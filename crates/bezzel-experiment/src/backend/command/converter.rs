//! Converters of proofs: a program turns the proof of a solver into LRAT, which Bezzel checks.
//!
//! A converter need not be right: its LRAT is checked like that of any solver.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use bezzel_encode::format::dimacs::Writer;
use bezzel_encode::{ClauseSink, FormulaStats};
use bezzel_solve::SessionOptions;

use super::run::ProgramRun;
use super::scratch::Scratch;
use super::{CommandBackend, identity};
use crate::model::permission::Permission;
use crate::results::input;

/// The most bytes that a converter may print.
const MAX_OUTPUT: u64 = 64 << 20;

/// A proof in LRAT by a converter, in a file that is deleted afterwards.
pub struct LratProof(Scratch);

impl LratProof {
    /// Opens the proof.
    ///
    /// # Errors
    ///
    /// When the converter wrote no file.
    pub fn open(&self) -> io::Result<File> {
        input::open(&self.0.lrat())
    }
}

impl CommandBackend {
    /// Turns a proof of the solver into LRAT. `formula` writes the clauses as the solver received them;
    /// `session_options` have the limits of the converter and the folder of its files.
    ///
    /// # Errors
    ///
    /// The reason that there is no proof in LRAT: the converter is not installed, may not be started, or failed.
    pub fn convert(
        &self,
        proof: &Path,
        formula: &dyn Fn(&mut dyn ClauseSink),
        permission: &Permission,
        session_options: SessionOptions,
    ) -> Result<LratProof, String> {
        let call = self.call.converter.as_deref().ok_or("the solver has no converter")?;
        if let Some(absence) = identity::absence(call) {
            return Err(format!("its converter to LRAT is not installed: {absence}"));
        }
        let run = ProgramRun {
            call: call.clone(),
            permission: permission.clone(),
            seed: None,
            session_options: SessionOptions { proof: Some(proof.to_owned()), ..session_options },
            begun: Instant::now(),
        };
        let written = |error: io::Error| format!("its converter cannot be given files: {error}");
        let scratch = Scratch::new(run.session_options.scratch.as_deref()).map_err(written)?;
        scratch.clear();
        write(&scratch.formula(), formula).map_err(written)?;
        let ended = run.run_program("converter to LRAT", &scratch, MAX_OUTPUT, &mut None);
        ended
            .map_err(|error| error.map_or_else(|| "it was cancelled".into(), |error| error.note))?;
        if !scratch.lrat().is_file() {
            return Err(format!("`{}` wrote no proof in LRAT", call.command));
        }
        Ok(LratProof(scratch))
    }
}

/// Writes a formula to a file in DIMACS.
fn write(path: &Path, formula: &dyn Fn(&mut dyn ClauseSink)) -> io::Result<()> {
    let mut stats = FormulaStats::new();
    formula(&mut stats);
    let mut file = File::create(path)?;
    writeln!(file, "p cnf {} {}", stats.variables(), stats.size().clauses)?;
    let mut writer = Writer::new(file);
    formula(&mut writer);
    writer.finish().map(drop)
}
