//! Programs that count. The formula is written to a file of the Model Counting Competition with the variables that
//! are projected onto (`c p show`), and an exact count is read. For the task `models` these are all variables. The
//! output is read strictly, and the count is judged as any count.

use std::fs::File;
use std::io::Read;
use std::time::Instant;

use bezzel_count::Halt;
use bezzel_encode::format::dimacs::Preamble;
use bezzel_encode::format::{Format, mcc};
use bezzel_solve::{SolverError, SolverErrorKind, Usage};
use num_bigint::BigUint;

use super::super::{
    BackendError, BackendResult, Conditions, NumberedFormula, Observer, Query, QueryInput,
};
use super::invocation::Invocation;
use super::run::ProgramRun;
use super::scratch::Scratch;
use crate::results::input;

/// The largest output of a counter, in bytes.
const MAX_OUTPUT: u64 = 64 << 20;

/// Runs the program and returns its count.
pub(super) fn run(
    call: &Invocation,
    question: &QueryInput<'_>,
    conditions: &Conditions<'_>,
    observer: &mut dyn Observer,
) -> Result<BackendResult, BackendError> {
    let formula = question.formula.expect("an engine that reads clauses is given a formula");
    observer.loaded(Some(formula.digest()));
    let (call, permission) = (call.clone(), conditions.permission.clone());
    let session_options = conditions.session_options.clone();
    let run = ProgramRun { call, permission, seed: None, session_options, begun: Instant::now() };
    let scratch = Scratch::new(run.session_options.scratch.as_deref()).map_err(|error| {
        let note = format!("no folder for the counter's files can be made: {error}");
        BackendError::Program(SolverError { kind: SolverErrorKind::Host, note })
    })?;
    let counted = count(&run, &scratch, question);
    scratch.clear();
    match counted {
        Ok((count, usage)) => {
            Ok(BackendResult { count: Some(count), usage, ..BackendResult::default() })
        }
        Err(Some(found)) => Err(BackendError::Program(found)),
        Err(None) => Err(Halt::Stopped.into()),
    }
}

/// Writes the formula to a file, runs the program, and reads its output.
fn count(
    run: &ProgramRun,
    scratch: &Scratch,
    question: &QueryInput<'_>,
) -> Result<(BigUint, Option<Usage>), Option<SolverError>> {
    let host = |note: String| Some(SolverError { kind: SolverErrorKind::Host, note });
    let formula = question.formula.expect("an engine that reads clauses is given a formula");
    scratch.clear();
    File::create(scratch.formula())
        .map_err(|error| error.to_string())
        .and_then(|mut file| {
            let NumberedFormula { encoding, problem, numbering, .. } = formula;
            let written = match question.query {
                Query::Models => mcc::write_for_models(encoding, problem, numbering, &mut file),
                _ => Format::Mcc.write(encoding, problem, numbering, Preamble::None, &mut file),
            };
            written.map_err(|error| error.to_string())
        })
        .map_err(|error| host(format!("the formula cannot be written to a file: {error}")))?;
    let mut usage = None;
    run.run_program("counter", scratch, MAX_OUTPUT, &mut usage)?;
    let output = input::open(&scratch.output())
        .map_err(|error| host(format!("its output cannot be read: {error}")))?;
    let count = super::answer::count(&mut output.take(MAX_OUTPUT));
    let count = count.map_err(|fault| {
        let note = format!("the counter printed no valid count: {fault}");
        Some(SolverError { kind: SolverErrorKind::Fault, note })
    })?;
    Ok((count, usage))
}
