//! A session of one formula and one program: clauses are written to a file, the program reads it, and its output is
//! read.

use std::fs::File;
use std::io::{self, Read, Write};
use std::time::Instant;

use bezzel_encode::format::dimacs::Writer;
use bezzel_encode::format::read::{AnswerForm, ProgramAnswer, ReadModel};
use bezzel_encode::{ClauseSink, Lit, VarRange};
use bezzel_solve::{Answer, Effort, Session, SessionOptions, SolverError, SolverErrorKind, Usage};

use super::answer;
use super::invocation::Invocation;
use super::run::ProgramRun;
use super::scratch::Scratch;
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
