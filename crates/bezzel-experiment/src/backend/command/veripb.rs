//! VeriPB, the program that checks proofs from files of constraints.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::time::Instant;

use bezzel_process::Supervised;
use bezzel_solve::{Budget, ProofFormat, SolverError};

use super::identity::{self, MissingProgram};
use super::preset::VERIPB;
use super::run::left;
use super::template::word;
use crate::backend::supervised::exit_code;
use crate::model::permission::Permitted;
use crate::model::row::{Finding, ProofRecord};

/// Its line after a proof that there is no solution: the second one if the file has an objective, which no solution
/// bounds.
const VERIFIED: [&str; 2] = ["s VERIFIED UNSATISFIABLE", "s VERIFIED BOUNDS INF <= obj <= INF"];

/// The beginning of its first line; its version follows.
const ANNOUNCEMENT: &str = "Running VeriPB version ";

/// The largest number of bytes that it may print.
const MAX_OUTPUT: u64 = 1 << 20;

/// The part of its errors that is kept, in characters.
const LONGEST_NOTE: usize = 400;

/// Returns the absence of VeriPB, if it is not installed.
pub fn veripb_absence() -> Option<MissingProgram> {
    identity::located(VERIPB).err()
}

/// Checks a proof of `bytes` bytes from a file in OPB, both by absolute paths, within the rest of a budget.
pub(crate) fn check_by_veripb(
    opb: &Path,
    (proof, bytes): (&Path, u64),
    (budget, begun): (Budget, Instant),
    cgroup: Option<&Path>,
) -> ProofRecord {
    let unchecked = |note| ProofRecord::unchecked(ProofFormat::Veripb, Some(bytes), note);
    let folder = proof.parent().unwrap_or(proof);
    let output = folder.join("output");
    let (Some(opb), Some(proof)) = (opb.to_str(), proof.file_name().and_then(OsStr::to_str)) else {
        return unchecked("the name of the file is no text".into());
    };
    let process = Supervised {
        output_bytes: MAX_OUTPUT,
        cgroup: cgroup.map(Path::to_owned),
        ..Permitted::VERIPB.supervised(
            format!("{VERIPB} --opb {} {}", word(opb), word(proof)),
            folder.to_owned(),
            left(budget, begun),
            output.clone(),
        )
    };
    let account = match process.run(None) {
        Ok(account) => account,
        Err(error) => return unchecked(format!("{VERIPB} cannot be run: {error}")),
    };
    let errors = account.stderr.text();
    let words = errors.split_whitespace().collect::<Vec<_>>().join(" ");
    let note = || words.chars().take(LONGEST_NOTE).collect::<String>();
    let printed = fs::read_to_string(output).unwrap_or_default();
    let (finding, note) =
        match exit_code("checker veripb", &account, &process.limits, u64::MAX, |code| code < 126) {
            Ok(0) if printed.lines().any(|line| VERIFIED.contains(&line)) => {
                (Finding::Accepted, None)
            }
            Ok(1) if errors.contains("Verification error") => (Finding::Refused, Some(note())),
            Ok(code) => {
                let note =
                    format!("{VERIPB} ended with exit code {code} and no verdict. {}", note());
                (Finding::Unchecked, Some(note.trim_end().to_owned()))
            }
            Err(error) => {
                let note = error
                    .map_or_else(|| "it was cancelled".into(), |SolverError { note, .. }| note);
                (Finding::Unchecked, Some(note))
            }
        };
    let version = printed.lines().find_map(|line| line.strip_prefix(ANNOUNCEMENT));
    ProofRecord {
        finding,
        note,
        check_memory_peak_bytes: Some(account.memory_peak_bytes),
        checker_version: version.map(str::to_owned),
        ..unchecked(String::new())
    }
}
