//! `bezzel solve FILE` with an objective: better and better solutions, and the optimum.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use bezzel_experiment::judge::{Case, Judge};
use bezzel_experiment::message::Message;
use bezzel_experiment::worker::{JobObserver, Step, WorkError};
use bezzel_experiment::{
    Catalog, CheckedShapes, Evidence, Job, ObjectiveValue, Row, Task, Termination, Verdict,
};
use bezzel_problem::{Instance, ProblemFile, Solution};
use bezzel_solve::{Answer, SessionOptions};
use serde::Serialize;

use super::one::{self, SolutionOutput};
use super::request::Request;
use super::veripb::FromFile;
use super::{begin, denial, ends, print_json, refuse_wrong};
use crate::arguments::SolveArguments;
use crate::failure::{CommandResult, Failure};
use crate::interrupt::{self, AnswerSoFar};
use crate::limited;
use crate::phase::{self, Phase};

/// The exit code of an optimum in the pseudo-Boolean competitions.
const OPTIMUM: u8 = 30;

/// The answer as JSON.
#[derive(Serialize)]
struct OptimumOutput<'a> {
    #[serde(flatten)]
    instance: &'a Instance,
    encoding: &'a str,
    solver: &'a str,
    /// `optimum`, `unsat`, or `unknown` at a limit.
    answer: &'static str,
    /// The best value, in digits: it has any size.
    value: Option<&'a str>,
    verdict: Verdict,
    evidence: Option<&'a Evidence>,
    #[serde(flatten)]
    chosen: SolutionOutput,
    /// Each value with the CPU time of the search until it was found.
    values: Vec<(&'a str, f64)>,
    solve_cpu_s: f64,
}

/// The form of the output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Competition,
    Json,
}

/// The answer that is printed: at the end, or at a limit before it.
struct Report<'a> {
    form: Form,
    instance: &'a Instance,
    file: &'a ProblemFile,
    job: &'a Job,
    /// The best solution, and all values.
    best: Option<&'a Solution>,
    values: &'a [ObjectiveValue],
    /// True if it is known that no solution is better than the best, or that there is none.
    is_final: bool,
    solve_cpu_s: f64,
    verdict: Verdict,
    evidence: Option<&'a Evidence>,
    reason: &'a str,
}

/// Finds the optimum, judges it and prints it.
pub(super) fn run(
    (instance, file): (&Instance, &ProblemFile),
    arguments: &SolveArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let request = Request::of_solver(Task::Optimise, instance, arguments, catalog)?;
    refuse_proof(arguments, file)?;
    let is_file =
        |path: &&Path| path.metadata().is_ok_and(|there| there.is_file()) || !path.exists();
    if let Some(path) = arguments.veripb.as_deref().filter(is_file) {
        // Clauses without a proof are refused before the search: with a bound like that of the end.
        let some: Solution = (0..instance.problem().candidates()).step_by(2).collect();
        FromFile::begin(path, &with_better(&request, file, Some(&some))?, Some(&some))?;
    }
    let form = match (arguments.is_competition(), arguments.json) {
        (true, _) => Form::Competition,
        (_, true) => Form::Json,
        _ => Form::Text,
    };
    let mut observer = Observer {
        form,
        instance,
        file,
        job: &request.job,
        out: &mut *out,
        judge: Judge::new(),
        best: None,
        values: Vec::new(),
        failure: None,
    };
    observer.keep_answer()?;
    let session_options = SessionOptions::from(interrupt::listing_begins());
    let output = request.run(session_options, &mut observer);
    let Observer { mut judge, best, failure, .. } = observer;
    if let Some(failure) = failure {
        return Err(failure);
    }
    let mut output = output.map_err(Failure::input)?;
    let row = &output.row;
    let is_stopped = interrupt::stop_reason().is_some();
    // The search for better values failed before the solver answered: the best solution so far is printed.
    let refused = row.note.clone().filter(|_| row.solve_cpu_s.is_none() && !is_stopped);
    if let (Some(note), None) = (&refused, &best) {
        return Err(Failure::Input(note.clone()));
    }
    if refused.is_none() && !is_stopped && row.termination != Termination::Finished {
        return Err(ends::ended(row, &String::new).expect("it did not finish"));
    }
    phase::begin(Phase::Checking);
    let is_final = row.status != Answer::Unknown && refused.is_none();
    let veripb = arguments.veripb.as_deref();
    let proof = if is_final && (form != Form::Competition || veripb.is_some()) {
        proof_of_optimum(&request, row, (best.as_ref(), veripb), &mut judge)?
    } else {
        None
    };
    // With a proof, the judge checks the values and the best solution alone, and searches no better one.
    let status = output.row.status;
    if proof.is_some() {
        output.row.status = Answer::Unknown;
    }
    let mut row = Row { status, ..output.judged(&mut judge, None) };
    let mut shapes = None;
    if !is_final {
        row = of_solution(row, best.as_ref(), &mut judge);
    } else if let Some((proved, checked)) = proof.filter(|_| row.verdict != Verdict::Wrong) {
        (row.verdict, row.checked_by, row.note) = (proved.verdict, proved.checked_by, proved.note);
        shapes = checked;
    }
    let reason = denial::reason(row.verdict, row.checked_by.as_ref(), shapes.as_ref());
    if refused.is_some() || form == Form::Competition {
        refuse_wrong(&row)?;
    }
    phase::begin(Phase::Writing);
    interrupt::keep_answer(None);
    let last_s = row.values.as_ref().and_then(|values| Some(values.last()?.solve_cpu_s));
    let report = Report {
        form,
        instance,
        file,
        job: &row.job,
        best: best.as_ref(),
        values: row.values.as_deref().unwrap_or_default(),
        is_final,
        solve_cpu_s: row.solve_cpu_s.or(last_s).unwrap_or(0.0),
        verdict: row.verdict,
        evidence: row.checked_by.as_ref(),
        reason: &reason,
    };
    report.print(out)?;
    refuse_wrong(&row)?;
    if let Some(note) = refused {
        return Err(Failure::Input(note));
    }
    if !is_final && form != Form::Competition {
        return Err(match interrupt::stop_reason() {
            Some(reason) => {
                limited::stopped_while(Phase::Searching, reason, &best_in_message(report.values))
            }
            None => Failure::Spent("the solver did not decide".to_owned()),
        });
    }
    Ok(report.exit_code())
}

fn refuse_proof(arguments: &SolveArguments, file: &ProblemFile) -> Result<(), Failure> {
    if arguments.proof.is_none() {
        return Ok(());
    }
    Err(Failure::Input(format!(
        "--proof is for one formula, and an optimum needs several: name the bound in a config, as in `problems: \
         [{{file: {}, objective: at most 41}}]` with `proofs: on`",
        file.name()
    )))
}

/// The row of a solution that may not be the best: it is judged by the constraints.
fn of_solution(row: Row, best: Option<&Solution>, judge: &mut Judge) -> Row {
    if row.verdict == Verdict::Wrong || best.is_none() {
        return row;
    }
    let judgement = judge.judge(&Case::new(&row.job.instance, Answer::Sat, best));
    Row { verdict: judgement.verdict, checked_by: judgement.evidence, note: judgement.note, ..row }
}

/// The proof that no value is better, where the judge needs one and the solver writes it: the job of the file with the bound
/// that only better values meet. Returns its row, and the shapes at which the encoder was checked. A proof from the file is
/// written to `veripb`, if it is given.
fn proof_of_optimum(
    request: &Request,
    row: &Row,
    (best, veripb): (Option<&Solution>, Option<&Path>),
    judge: &mut Judge,
) -> Result<Option<(Row, Option<CheckedShapes>)>, Failure> {
    let Some(file) = request.job.instance.file() else { return Ok(None) };
    let request = with_better(request, file, best)?;
    let instance = request.job.instance.clone();
    let solve_cpu_s = row.solve_cpu_s.unwrap_or(0.0);
    // A program stores no proof.
    let stores = request.backend.proof_format().is_some() && request.backend.program().is_none();
    if veripb.is_none() && (!stores || judge.decides(&instance, solve_cpu_s)) {
        return Ok(None);
    }
    let from_file = veripb.map(|path| FromFile::begin(path, &request, best)).transpose()?;
    let lrat = from_file.as_ref().map(FromFile::lrat);
    let stored_proof_bytes = denial::stored_proof_bytes(&request.job.instance);
    let session_options = SessionOptions {
        stored_proof_bytes: stored_proof_bytes.filter(|_| lrat.is_none()),
        proof: lrat.clone(),
        ..SessionOptions::from(interrupt::listing_begins())
    };
    let mut observer = one::Observer::new(&request, lrat.as_deref(), from_file);
    observer.judge = std::mem::take(judge);
    let (proved, known) = one::judged(&request, session_options, &mut observer)?;
    *judge = known;
    if proved.status != Answer::Unsat {
        return Ok(None);
    }
    let shapes = denial::checked_shapes(&proved, judge, &request)?;
    Ok(Some((proved, shapes)))
}

/// The job of finding a better value than that of a solution; without one, any solution.
fn with_better(
    request: &Request,
    file: &ProblemFile,
    best: Option<&Solution>,
) -> Result<Request, Failure> {
    let value = best.and_then(|best| file.value(best));
    let bound = file.objective().zip(value).map(|(objective, value)| objective.better(&value));
    let bounded = bound.map(|bound| file.with_bound(&bound)).transpose();
    let bounded = bounded.map_err(Failure::input)?.unwrap_or_else(|| file.clone());
    let instance = Instance::from(bounded);
    let job = Job { instance, task: Task::Solve, ..request.job.clone() };
    Ok(Request { job, ..request.clone() })
}

/// Observes the search: prints each value, and keeps the answer so far for a limit.
struct Observer<'a> {
    form: Form,
    instance: &'a Instance,
    file: &'a ProblemFile,
    job: &'a Job,
    out: &'a mut dyn Write,
    judge: Judge,
    best: Option<Solution>,
    values: Vec<ObjectiveValue>,
    failure: Option<Failure>,
}

impl Observer<'_> {
    /// Prints the last value, unless its solution is wrong.
    fn print_value(&mut self, is_wrong: bool) -> Result<(), Failure> {
        let Some(ObjectiveValue { value, solve_cpu_s }) = self.values.last().filter(|_| !is_wrong)
        else {
            return Ok(());
        };
        match self.form {
            Form::Text => writeln!(self.out, "value {value} after {solve_cpu_s:.3} s")?,
            Form::Competition => writeln!(self.out, "o {value}")?,
            Form::Json => return Ok(()),
        }
        Ok(self.out.flush()?)
    }

    /// Keeps the answer so far for a limit: a bound is encoded without pause, and the process may be ended then. Returns true
    /// if the best solution is wrong.
    fn keep_answer(&mut self) -> Result<bool, Failure> {
        let answer = if self.best.is_some() { Answer::Sat } else { Answer::Unknown };
        let case = Case::new(self.instance, answer, self.best.as_ref());
        let judgement = self.judge.judge(&case);
        let is_competition = self.form == Form::Competition;
        let mut text = Vec::new();
        if judgement.verdict != Verdict::Wrong && (is_competition || self.best.is_some()) {
            let (verdict, evidence) = (judgement.verdict, judgement.evidence.as_ref());
            let report = Report {
                form: self.form,
                instance: self.instance,
                file: self.file,
                job: self.job,
                best: self.best.as_ref(),
                values: &self.values,
                is_final: false,
                solve_cpu_s: self.values.last().map_or(0.0, |last| last.solve_cpu_s),
                verdict,
                evidence,
                reason: &denial::reason(verdict, evidence, None),
            };
            report.print(&mut text)?;
        }
        let code = if self.best.is_some() { 10 } else { 0 };
        interrupt::keep_answer(Some(AnswerSoFar {
            text,
            in_message: best_in_message(&self.values),
            code: is_competition.then_some(code),
        }));
        Ok(judgement.verdict == Verdict::Wrong)
    }
}

impl JobObserver for Observer<'_> {
    fn message(&mut self, message: Message) -> Result<(), WorkError> {
        let Message::Improved { value, chosen } = message else { return Ok(()) };
        self.values.push(value);
        self.best = Some(chosen.into_iter().collect());
        match self.keep_answer().and_then(|is_wrong| self.print_value(is_wrong)) {
            Ok(()) => Ok(()),
            Err(failure) => {
                self.failure = Some(failure);
                Err(ends::observer_failed())
            }
        }
    }

    fn begins(&mut self, step: Step) {
        begin(step);
    }
}

/// The best value, as an addition to the message at a limit.
fn best_in_message(values: &[ObjectiveValue]) -> String {
    values.last().map(|best| format!("; the best value is {}", best.value)).unwrap_or_default()
}

impl Report<'_> {
    fn print(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let best = self.best.zip(self.values.last());
        let reason = self.reason;
        match self.form {
            Form::Text => {
                if let Some((solution, _)) = best {
                    writeln!(out, "{}", self.instance.draw(solution))?;
                }
                match (self.is_final, best) {
                    (true, Some((_, ObjectiveValue { value, .. }))) => {
                        writeln!(out, "{value} is the optimum (no better value: {reason})")?;
                    }
                    (true, None) => writeln!(out, "there is no solution ({reason})")?,
                    (false, Some((_, ObjectiveValue { value, .. }))) => writeln!(
                        out,
                        "a solution of value {value} ({reason}); a better one was not searched to the end"
                    )?,
                    (false, None) => writeln!(out, "the solver did not decide")?,
                }
            }
            Form::Competition => {
                let word = match (self.is_final, best.is_some()) {
                    (true, true) => "OPTIMUM FOUND",
                    (true, false) => "UNSATISFIABLE",
                    (false, true) => "SATISFIABLE",
                    (false, false) => "UNKNOWN",
                };
                writeln!(out, "s {word}")?;
                if let Some((solution, _)) = best {
                    one::write_values(self.file, solution, out)?;
                }
            }
            Form::Json => {
                let answer = match (self.is_final, best.is_some()) {
                    (true, true) => "optimum",
                    (true, false) => "unsat",
                    (false, _) => "unknown",
                };
                let output = OptimumOutput {
                    instance: self.instance,
                    encoding: &self.job.encoding,
                    solver: &self.job.solver,
                    answer,
                    value: best.map(|(_, best)| &*best.value),
                    verdict: self.verdict,
                    evidence: self.evidence,
                    chosen: SolutionOutput::new(self.instance, self.best),
                    values: self.values.iter().map(|it| (&*it.value, it.solve_cpu_s)).collect(),
                    solve_cpu_s: self.solve_cpu_s,
                };
                print_json(&output, out)?;
            }
        }
        Ok(())
    }

    fn exit_code(&self) -> ExitCode {
        match (self.is_final, self.best.is_some()) {
            (true, true) => ExitCode::from(OPTIMUM),
            (true, false) => ExitCode::from(20),
            (false, true) => ExitCode::from(10),
            (false, false) => ExitCode::SUCCESS,
        }
    }
}
