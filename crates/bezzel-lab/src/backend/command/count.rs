//! Programs that count: the formula goes to a file of the Model Counting Competition with the variables
//! that are projected onto (`c p show`), and an exact count comes back. For the task `models` these are
//! all variables. The output is read strictly, and the count judged as any count.

use std::fs::File;
use std::io::{BufReader, Read};
use std::time::Instant;

use bezzel_count::Halt;
use bezzel_encode::format::dimacs::Preamble;
use bezzel_encode::format::{Format, mcc};
use bezzel_solve::{Trouble, TroubleKind, Usage};
use num_bigint::BigUint;

use super::super::{BackendError, Conditions, Formula, Observer, Outcome, Query, Question};
use super::invocation::Invocation;
use super::run::Run;
use super::scratch::Scratch;
use crate::results::input;

/// The most that a counter may print, in bytes.
const MOST_OUTPUT: u64 = 64 << 20;

/// Has the program count.
pub(super) fn run(
    call: &Invocation,
    question: &Question<'_>,
    conditions: &Conditions<'_>,
    observer: &mut dyn Observer,
) -> Result<Outcome, BackendError> {
    let formula = question.formula.expect("an engine that reads clauses is given a formula");
    observer.loaded(Some(formula.digest()));
    let (call, permission) = (call.clone(), conditions.permission.clone());
    let terms = conditions.terms.clone();
    let run = Run { call, permission, seed: None, terms, begun: Instant::now() };
    let scratch = Scratch::new(run.terms.scratch.as_deref()).map_err(|error| {
        let note = format!("no folder for the counter's files can be made: {error}");
        BackendError::Program(Trouble { kind: TroubleKind::Host, note })
    })?;
    let counted = count(&run, &scratch, question);
    scratch.clear();
    match counted {
        Ok((count, usage)) => Ok(Outcome { count: Some(count), usage, ..Outcome::default() }),
        Err(Some(found)) => Err(BackendError::Program(found)),
        Err(None) => Err(Halt::Stopped.into()),
    }
}

/// Writes the formula to a file, has the program count, and reads what it prints.
fn count(
    run: &Run,
    scratch: &Scratch,
    question: &Question<'_>,
) -> Result<(BigUint, Option<Usage>), Option<Trouble>> {
    let host = |note: String| Some(Trouble { kind: TroubleKind::Host, note });
    let formula = question.formula.expect("an engine that reads clauses is given a formula");
    scratch.clear();
    File::create(scratch.formula())
        .map_err(|error| error.to_string())
        .and_then(|file| {
            let Formula { encoding, problem, numbering, .. } = formula;
            let written = match question.query {
                Query::Models => mcc::write_for_models(encoding, problem, numbering, file),
                _ => Format::Mcc.write(encoding, problem, numbering, Preamble::None, file),
            };
            written.map_err(|error| error.to_string())
        })
        .map_err(|error| host(format!("the formula cannot be written to a file: {error}")))?;
    let mut usage = None;
    run.ask("counter", scratch, MOST_OUTPUT, &mut usage)?;
    let output = input::open(&scratch.output())
        .map_err(|error| host(format!("its output cannot be read: {error}")))?;
    let count = super::answer::count::read(&mut BufReader::new(output.take(MOST_OUTPUT)));
    let count = count.map_err(|fault| {
        let note = format!("the counter gave no count that makes sense: {fault}");
        Some(Trouble { kind: TroubleKind::Fault, note })
    })?;
    Ok((count, usage))
}
