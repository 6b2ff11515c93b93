//! One run of a program: it reads all requests and prints all answers, within limits.

use std::collections::{BTreeMap, BTreeSet};

use bezzel_encode::registry::Command;
use bezzel_process::SoftLimits;
use bezzel_solve::SolverError;

use super::ProgramError;
use super::answer::{self, EncoderAnswer};
use super::request::{EncodeRequest, GREETING};
use crate::backend::supervised;
use crate::model::job::Limits;
use crate::model::permission::{Permission, RULE};
use crate::model::row::Termination;

/// The largest number of bytes on stdout, and on stderr.
const MAX_BYTES: u64 = 256 << 20;

/// The variables of the environment that a program inherits. Other values must be in its command line.
pub(crate) const ENVIRONMENT: [&str; 3] = ["PATH", "HOME", "LD_LIBRARY_PATH"];

/// Runs the program with these requests, and parses its answers.
pub(super) fn run(
    command: &Command,
    requests: &BTreeSet<EncodeRequest>,
    limits: &Limits,
    permission: &Permission,
) -> Result<BTreeMap<EncodeRequest, EncoderAnswer>, ProgramError> {
    let who = format!("encoder `{}`", command.line);
    let failed = |what: String| ProgramError::new(command, &what);
    let line = permission.permit(&command.line);
    let line = line.map_err(|_| failed(format!("is not started: {RULE}")))?;
    let input = input(requests);
    let program = supervised::SupervisedCommand {
        line,
        environment: &ENVIRONMENT,
        input: input.as_bytes(),
        limits: SoftLimits {
            cpu_s: limits.cpu_s,
            wall_s: limits.wall_s,
            memory_bytes: limits.memory_bytes,
        },
        output_bytes: MAX_BYTES,
    };
    let (account, stdout) =
        program.run().map_err(|error| failed(format!("cannot be run: {error}")))?;
    let is_of_limits = account.stopped.is_some();
    match supervised::exit_code(&who, &account, &program.limits, u64::MAX, |code| code == 0) {
        Ok(_) => answer::read(&stdout, requests).map_err(failed),
        Err(None) => Err(failed("was cancelled".to_owned())),
        Err(Some(SolverError { kind, note })) => {
            let termination = Termination::from(kind);
            let is_of_limits = is_of_limits || termination.is_limit();
            Err(ProgramError { message: note, termination, is_of_limits })
        }
    }
}

/// Returns all requests, in the form that the program reads.
fn input(requests: &BTreeSet<EncodeRequest>) -> String {
    let mut stdin = format!("{GREETING}\n");
    for request in requests {
        stdin.push_str(&request.to_string());
        stdin.push('\n');
    }
    stdin
}
