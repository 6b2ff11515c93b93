//! One formula and one program: clauses go into a file, the program reads it, and what it writes is
//! read back.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::time::Instant;

use bezzel_encode::format::dimacs::Writer;
use bezzel_encode::{ClauseSink, Lit, VarRange};
use bezzel_solve::{Answer, Effort, Session, Terms, Trouble, TroubleKind, Usage};

use super::answer::{self, Model, NoAnswer, Said};
use super::invocation::Invocation;
use super::run::Run;
use super::scratch::Scratch;
use crate::model::permission::Permission;
use crate::results::input;

/// What an answer may have beside its values, in bytes: comments, mostly.
const MOST_COMMENTS: u64 = 64 << 20;

/// The longest that a value of a model can be, in bytes.
const MOST_PER_VALUE: u64 = 16;

/// A session of a solver that is a program.
pub(super) struct ProgramSession {
    run: Run,
    /// Where its files are, or why they cannot be.
    scratch: Result<Scratch, String>,
    /// What the formula goes into until it is solved.
    formula: Option<Writer<Out>>,
    expected: Option<(u32, u64)>,
    variables: u32,
    model: Option<Model>,
    effort: Effort,
    usage: Option<Usage>,
    trouble: Option<Trouble>,
}

/// The formula's file, shared by who writes the header; nothing where it cannot be written.
type Out = Box<dyn Write>;

impl ProgramSession {
    pub(super) fn new(
        call: Invocation,
        permission: Permission,
        seed: Option<i64>,
        terms: &Terms,
    ) -> Self {
        let scratch = Scratch::new(terms.scratch.as_deref())
            .map_err(|error| format!("no folder for the solver's files can be made: {error}"));
        Self {
            run: Run { call, permission, seed, terms: terms.clone(), begun: Instant::now() },
            scratch,
            formula: None,
            expected: None,
            variables: 0,
            model: None,
            effort: Effort::default(),
            usage: None,
            trouble: None,
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
        self.formula.as_mut().expect("it is told how large the formula is, and solves once")
    }

    /// Ends the file, has the program run, and reads what it answers.
    fn ask(&mut self) -> Result<Answer, Option<Trouble>> {
        let host = |note: String| Some(Trouble { kind: TroubleKind::Host, note });
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
            return Err(Some(Trouble { kind: TroubleKind::Fault, note }));
        }
        self.variables = variables;
        let most_output = MOST_COMMENTS + u64::from(self.variables) * MOST_PER_VALUE;
        let mut effort = Effort::default();
        let answered = self.run.ask("solver", scratch, most_output, &mut self.usage).map(|code| {
            let said = self.read(scratch, most_output, &mut effort);
            said.and_then(|said| answer::agreed(said, code))
        });
        if answered.is_err() {
            // What it did until then is worth knowing.
            let output = input::open(&scratch.output()).map(BufReader::new);
            let _ = output.and_then(|mut output| answer::statistics(&mut output, &mut effort));
        }
        self.effort = effort;
        let (answer, model) = answered?.map_err(|fault| {
            let note = format!("the solver gave no answer that makes sense: {fault}");
            Some(Trouble { kind: TroubleKind::Fault, note })
        })?;
        self.model = model;
        Ok(answer)
    }

    /// What the program wrote, and its statistics.
    fn read(&self, scratch: &Scratch, most: u64, effort: &mut Effort) -> Result<Said, NoAnswer> {
        let output = input::open(&scratch.output())?;
        let mut output = BufReader::with_capacity(1 << 16, output);
        if !self.run.call.answers_in_file() {
            return answer::competition(&mut output, self.variables, effort);
        }
        answer::statistics(&mut output, effort)?;
        match input::open(&scratch.answer()) {
            Ok(file) => {
                let mut file = BufReader::with_capacity(1 << 16, file.take(most));
                answer::result_file(&mut file, self.variables)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Said::default()),
            Err(error) => Err(error.into()),
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
        let answered = self.ask();
        // Sessions may be forgotten in place of being dropped.
        if let Ok(scratch) = &self.scratch {
            scratch.clear();
        }
        answered.unwrap_or_else(|trouble| {
            self.trouble = trouble;
            Answer::Unknown
        })
    }

    fn holds(&mut self, lit: Lit) -> bool {
        self.model.as_ref().is_some_and(|model| model.holds(lit))
    }

    fn effort(&self) -> Effort {
        self.effort
    }

    fn trouble(&self) -> Option<Trouble> {
        self.trouble.clone()
    }

    fn usage(&self) -> Option<Usage> {
        self.usage
    }
}
