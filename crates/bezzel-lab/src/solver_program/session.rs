//! One formula and one program: clauses go into a file, the program reads it, and what it writes is
//! read back.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::time::Instant;

use bezzel_encode::format::dimacs::Writer;
use bezzel_encode::{ClauseSink, Lit, VarRange};
use bezzel_external::{SoftLimits, Supervised, usage};
use bezzel_solve::{Answer, Budget, Effort, Session, Terms, Trouble, TroubleKind, Usage};

use super::answer::{self, Model, NoAnswer, Said};
use super::ending;
use super::invocation::Invocation;
use super::scratch::Scratch;
use super::template::Placeholder;

/// What an answer may have beside its values, in bytes: comments, mostly.
const MOST_COMMENTS: u64 = 64 << 20;

/// The longest that a value of a model can be, in bytes.
const MOST_PER_VALUE: u64 = 16;

/// The largest file that a solver may write, so that no proof fills the disk.
const MOST_FILE_BYTES: u64 = 16 << 30;

/// What stands for a limit where there is none, in seconds and in MiB.
const NO_LIMIT: &str = "1000000";

/// A session of a solver that is a program.
pub(super) struct ProgramSession {
    call: Invocation,
    seed: Option<i64>,
    terms: Terms,
    begun: Instant,
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
    pub(super) fn new(call: Invocation, seed: Option<i64>, terms: &Terms) -> Self {
        let scratch = Scratch::new(terms.scratch.as_deref())
            .map_err(|error| format!("no folder for the solver's files can be made: {error}"));
        Self {
            call,
            seed,
            terms: terms.clone(),
            begun: Instant::now(),
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
        let asked = self.supervised(scratch).map_err(host)?;
        let account = asked
            .run(Some(self.terms.interrupt.flag()))
            .map_err(|error| host(format!("the solver cannot be run: {error}")))?;
        self.usage = Some(Usage {
            cpu_s: account.cpu_s,
            memory_peak_bytes: Some(account.memory_peak_bytes),
        });
        let mut effort = Effort::default();
        let ended = ending::code(&account, &asked.limits, asked.file_bytes);
        let answered =
            ended.map_err(|trouble| trouble.map(|told| without(told, scratch))).map(|code| {
                let said = self.read(scratch, asked.output_bytes, &mut effort);
                said.and_then(|said| answer::agreed(said, code))
            });
        if answered.is_err() {
            // What it did until then is worth knowing.
            let output = File::open(scratch.output()).map(BufReader::new);
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

    /// The program within what is left of the job's limits.
    fn supervised(&self, scratch: &Scratch) -> Result<Supervised, String> {
        let most_output = MOST_COMMENTS + u64::from(self.variables) * MOST_PER_VALUE;
        let command = self.command(scratch)?;
        let limits = self.left();
        let directory = std::env::current_dir()
            .map_err(|error| format!("the working directory cannot be found: {error}"))?;
        Ok(Supervised {
            output_bytes: most_output,
            file_bytes: if self.terms.proof.is_some() { MOST_FILE_BYTES } else { most_output },
            cgroup: self.terms.cgroup.clone(),
            ..Supervised::new(command, directory, limits, scratch.output())
        })
    }

    /// What the job may still use: this process has used some of it.
    fn left(&self) -> SoftLimits {
        /// Who is at the limit already is stopped by it soon.
        const LEAST_S: f64 = 0.01;
        let Some(Budget { cpu_s, wall_s, memory_bytes }) = self.terms.budget else {
            return SoftLimits { cpu_s: f64::MAX, wall_s: f64::MAX, memory_bytes: u64::MAX };
        };
        let own_bytes = usage::memory().map_or(0, |memory| memory.resident_bytes);
        SoftLimits {
            cpu_s: (cpu_s - usage::cpu_s()).max(LEAST_S),
            wall_s: (wall_s - self.begun.elapsed().as_secs_f64()).max(LEAST_S),
            memory_bytes: memory_bytes.saturating_sub(own_bytes).max(1),
        }
    }

    /// The command line, with everything in its place.
    fn command(&self, scratch: &Scratch) -> Result<String, String> {
        let text = |path: &Path| {
            let path =
                path.to_str().ok_or("the name of the folder for the solver's files is no text")?;
            Ok::<_, String>(path.to_owned())
        };
        let folder = std::path::absolute(scratch.folder()).map_err(|error| {
            format!("the folder for the solver's files cannot be found: {error}")
        })?;
        let of = |path: &Path| text(&folder.join(path.file_name().unwrap_or_default()));
        let (formula, answer) = (of(&scratch.formula())?, of(&scratch.answer())?);
        let proof = self.terms.proof.as_deref().map(std::path::absolute).transpose();
        let proof =
            proof.map_err(|error| format!("the place of the proof cannot be found: {error}"))?;
        let proof = proof.as_deref().map(text).transpose()?;
        let budget = self.terms.budget.as_ref();
        let whole = |value: Option<f64>| {
            Some(value.map_or_else(
                || NO_LIMIT.to_owned(),
                |value| format!("{:.0}", value.ceil().max(1.0)),
            ))
        };
        let line = self.call.template.line(&|wanted| match wanted {
            Placeholder::Cnf => Some(formula.clone()),
            Placeholder::Answer => Some(answer.clone()),
            Placeholder::Proof => proof.clone(),
            Placeholder::Seed => self.seed.map(|seed| seed.to_string()),
            Placeholder::Cpu => whole(budget.map(|budget| budget.cpu_s)),
            Placeholder::Wall => whole(budget.map(|budget| budget.wall_s)),
            Placeholder::Memory => {
                whole(budget.map(|budget| (budget.memory_bytes / (1 << 20)) as f64))
            }
        });
        let by_stdin = self.call.template.place(Placeholder::Cnf).is_none();
        // For the shell and everything that it starts.
        Ok(if by_stdin {
            format!("exec < {}\n{line}", super::template::word(&formula))
        } else {
            line
        })
    }

    /// What the program wrote, and its statistics.
    fn read(&self, scratch: &Scratch, most: u64, effort: &mut Effort) -> Result<Said, NoAnswer> {
        let output = File::open(scratch.output())?;
        let mut output = BufReader::with_capacity(1 << 16, output);
        if !self.call.answers_in_file() {
            return answer::competition(&mut output, self.variables, effort);
        }
        answer::statistics(&mut output, effort)?;
        match File::open(scratch.answer()) {
            Ok(file) => {
                let mut file = BufReader::with_capacity(1 << 16, file.take(most));
                answer::result_file(&mut file, self.variables)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Said::default()),
            Err(error) => Err(error.into()),
        }
    }
}

/// Trouble in which files are told by their names: folders differ from one machine to the next.
fn without(trouble: Trouble, scratch: &Scratch) -> Trouble {
    let Ok(folder) = std::path::absolute(scratch.folder()) else { return trouble };
    Trouble { note: trouble.note.replace(&format!("{}/", folder.display()), ""), ..trouble }
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
