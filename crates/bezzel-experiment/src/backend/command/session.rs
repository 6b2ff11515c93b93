//! The runs of programs: sessions of a solver, converters of its proofs, and counters.
//!
//! Clauses are written to a file, the program reads it, and its output is read strictly. A converter need not be right: its
//! LRAT is checked like that of any solver.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Instant;

use bezzel_count::Halt;
use bezzel_encode::format::dimacs::{Preamble, Writer};
use bezzel_encode::format::read::{AnswerForm, ProgramAnswer, ReadModel};
use bezzel_encode::format::{Format, mcc};
use bezzel_encode::{ClauseSink, FormulaStats, Lit, VarRange};
use bezzel_solve::{Answer, Effort, Session, SessionOptions, SolverError, SolverErrorKind, Usage};
use num_bigint::BigUint;

use super::invocation::Invocation;
use super::run::{ProgramRun, Scratch};
use super::{CommandBackend, answer, identity};
use crate::backend::{
    BackendError, BackendResult, Conditions, NumberedFormula, Observer, Query, QueryInput,
};
use crate::model::permission::Permission;
use crate::results::input;

/// The largest size of the output besides the values of a model, in bytes: comments, mostly.
const MAX_COMMENTS: u64 = 64 << 20;

/// The largest size of a value of a model, in bytes.
const MAX_PER_VALUE: u64 = 16;

/// A session of a solver that is a program.
pub(super) struct ProgramSession {
    run: ProgramRun,
    /// The folder of its files, or the reason that there is none.
    scratch: Result<Scratch, String>,
    /// The writer of the formula, until it is solved.
    formula: Option<Writer<Out>>,
    expected: Option<(u32, u64)>,
    variables: u32,
    model: Option<ReadModel>,
    effort: Effort,
    usage: Option<Usage>,
    solver_error: Option<SolverError>,
}

/// The file of the formula; a sink if it cannot be written.
type Out = Box<dyn Write>;

impl ProgramSession {
    pub(super) fn new(
        call: Invocation,
        permission: Permission,
        seed: Option<i64>,
        session_options: &SessionOptions,
    ) -> Self {
        let scratch = Scratch::new(session_options.scratch.as_deref())
            .map_err(|error| format!("no folder for the solver's files can be made: {error}"));
        Self {
            run: ProgramRun {
                call,
                permission,
                seed,
                session_options: session_options.clone(),
                begun: Instant::now(),
            },
            scratch,
            formula: None,
            expected: None,
            variables: 0,
            model: None,
            effort: Effort::default(),
            usage: None,
            solver_error: None,
        }
    }

    /// Opens the file and writes its header.
    fn begin(&mut self, variables: u32, clauses: u64) -> Out {
        let begun = self.scratch.as_ref().map_err(Clone::clone).and_then(|scratch| {
            scratch.clear();
            let begin = || -> io::Result<File> {
                let mut file = File::create(scratch.formula())?;
                writeln!(file, "p cnf {variables} {clauses}")?;
                Ok(file)
            };
            begin().map_err(|error| format!("the formula cannot be written to a file: {error}"))
        });
        match begun {
            Ok(file) => Box::new(file),
            Err(reason) => {
                self.scratch = Err(reason);
                Box::new(io::sink())
            }
        }
    }

    fn writer(&mut self) -> &mut Writer<Out> {
        self.formula.as_mut().expect("it knows the size of the formula, and solves once")
    }

    /// Ends the file, runs the program, and reads its answer.
    fn run_program(&mut self) -> Result<Answer, Option<SolverError>> {
        let host = |note: String| Some(SolverError { kind: SolverErrorKind::Host, note });
        let formula = self.formula.take().expect("a formula of known size, solved once");
        let (variables, clauses) = (formula.variables(), formula.clauses());
        formula
            .finish()
            .map_err(|error| host(format!("the formula cannot be written to a file: {error}")))?;
        let scratch = self.scratch.as_ref().map_err(|reason| host(reason.clone()))?;
        if self.expected != Some((variables, clauses)) {
            let note = format!(
                "the formula has {clauses} clauses of {variables} variables, which is not what was \
                 announced"
            );
            return Err(Some(SolverError { kind: SolverErrorKind::Fault, note }));
        }
        self.variables = variables;
        let max_output = MAX_COMMENTS + u64::from(self.variables) * MAX_PER_VALUE;
        let mut effort = Effort::default();
        let answered =
            self.run.run_program("solver", scratch, max_output, &mut self.usage).map(|code| {
                let parsed = self.read(scratch, max_output, &mut effort);
                let any = self.run.call.any_exit;
                parsed.and_then(|parsed| {
                    let stated = answer::exit_code(&parsed).filter(|_| any);
                    answer::agreed(parsed, stated.unwrap_or(code))
                })
            });
        if answered.is_err() {
            // The effort until then is worth reporting.
            if let Ok(mut output) = input::open(&scratch.output()) {
                let _ = answer::statistics(&mut output, &mut effort);
            }
        }
        self.effort = effort;
        let (answer, model) = answered?.map_err(|fault| {
            let note = format!("the solver printed no valid answer: {fault}");
            Some(SolverError { kind: SolverErrorKind::Fault, note })
        })?;
        self.model = model;
        Ok(answer)
    }

    /// Reads the output of the program, and its statistics.
    fn read(
        &self,
        scratch: &Scratch,
        max: u64,
        effort: &mut Effort,
    ) -> Result<ProgramAnswer, String> {
        let unreadable = |error: io::Error| format!("its answer cannot be read: {error}");
        let mut output = input::open(&scratch.output()).map_err(unreadable)?;
        if !self.run.call.answers_in_file() {
            let advice = self.run.call.correction();
            let form = AnswerForm::Competition(&advice);
            return answer::read(&mut output, form, self.variables, effort);
        }
        answer::statistics(&mut output, effort).map_err(|error| error.to_string())?;
        match input::open(&scratch.answer()) {
            Ok(file) => {
                answer::read(&mut file.take(max), AnswerForm::MiniSat, self.variables, effort)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(ProgramAnswer::default()),
            Err(error) => Err(unreadable(error)),
        }
    }
}

impl ClauseSink for ProgramSession {
    fn fresh(&mut self, count: u32) -> VarRange {
        self.writer().fresh(count)
    }

    #[inline]
    fn clause(&mut self, lits: &[Lit]) {
        self.writer().clause(lits);
    }
}

impl Session for ProgramSession {
    fn expect(&mut self, variables: u32, clauses: u64) {
        let out = self.begin(variables, clauses);
        self.formula = Some(Writer::new(out));
        self.expected = Some((variables, clauses));
    }

    fn solve(&mut self) -> Answer {
        let answered = self.run_program();
        // Sessions may be forgotten instead of dropped.
        if let Ok(scratch) = &self.scratch {
            scratch.clear();
        }
        answered.unwrap_or_else(|solver_error| {
            self.solver_error = solver_error;
            Answer::Unknown
        })
    }

    fn holds(&mut self, lit: Lit) -> bool {
        self.model.as_ref().is_some_and(|model| model.holds(lit))
    }

    fn effort(&self) -> Effort {
        self.effort
    }

    fn error(&self) -> Option<SolverError> {
        self.solver_error.clone()
    }

    fn usage(&self) -> Option<Usage> {
        self.usage
    }
}

/// The most bytes that a converter or a counter may print.
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

/// Runs a counter and returns its count.
///
/// The formula is written to a file of the Model Counting Competition with the variables that are projected onto
/// (`c p show`), and an exact count is read. For the task `models` these are all variables.
pub(super) fn run_counter(
    call: &Invocation,
    question: &QueryInput<'_>,
    conditions: &Conditions<'_>,
    observer: &mut dyn Observer,
) -> Result<BackendResult, BackendError> {
    let formula = question.clauses();
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
    let formula = question.clauses();
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
    let count = answer::count(&mut output.take(MAX_OUTPUT));
    let count = count.map_err(|fault| {
        let note = format!("the counter printed no valid count: {fault}");
        Some(SolverError { kind: SolverErrorKind::Fault, note })
    })?;
    Ok((count, usage))
}
