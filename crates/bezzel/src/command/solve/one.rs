//! `bezzel solve` for one solution: the answer, its verdict and their forms.

use std::io::Write;
use std::path::Path;

use bezzel_encode::{ClauseSink, Lit};
use bezzel_experiment::backend::{Backend, NumberedFormula};
use bezzel_experiment::judge::Judge;
use bezzel_experiment::message::Message;
use bezzel_experiment::proof::WrittenProof;
use bezzel_experiment::worker::{JobObserver, Step, WorkError};
use bezzel_experiment::{Catalog, Evidence, ProofRecord, Row, Task, Verdict};
use bezzel_problem::{Instance, Kind as _, ProblemFile, Solution};
use bezzel_queens::encode::solutions::SolutionForm;
use bezzel_queens::{Board, Placement, Square};
use bezzel_solve::{Answer, Effort, ProofFormat, Session, SessionOptions};
use serde::Serialize;

use super::request::Request;
use super::veripb::FromFile;
use super::{begin, denial, ends, exit_code, listing, print_json, refuse_wrong};
use crate::arguments::SolveArguments;
use crate::failure::{CommandResult, Failure};
use crate::output::{Unfinished, refuse_replacing};

/// The answer as JSON.
#[derive(Serialize)]
struct SolveOutput<'a> {
    #[serde(flatten)]
    instance: &'a Instance,
    encoding: &'a str,
    solver: &'a str,
    answer: Answer,
    verdict: Verdict,
    evidence: Option<&'a Evidence>,
    /// The shapes at which the encoder was checked, if a proof of its clauses is the evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    encoder_checked: Option<String>,
    #[serde(flatten)]
    chosen: SolutionOutput,
    effort: &'a Effort,
}

/// The solution as JSON, as rows of evidence have it.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum SolutionOutput {
    Places(Option<Vec<Square>>),
    /// The numbers of the chosen candidates, from 1.
    Chosen(Option<Vec<u32>>),
}

impl SolutionOutput {
    pub(super) fn new(instance: &Instance, solution: Option<&Solution>) -> Self {
        if let Some(board) = Board::of(instance) {
            let placement = solution.map(|solution| Placement::of(board, solution));
            return Self::Places(placement.map(|placement| placement.squares().collect()));
        }
        Self::Chosen(
            solution.map(|it| listing::numbers(listing::stated(instance, it.chosen())).collect()),
        )
    }
}

/// Finds one solution, judges the answer and prints it.
pub(super) fn run(
    instance: &Instance,
    arguments: &SolveArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let request = Request::of_solver(Task::Solve, instance, arguments, catalog)?;
    refuse_proof(arguments, request.backend.as_ref())?;
    if let Some(proof) = &arguments.proof {
        refuse_replacing(instance.file(), proof)?;
    }
    let from_file = arguments.veripb.as_deref();
    let from_file = from_file.map(|path| FromFile::begin(path, &request, None)).transpose()?;
    let lrat = from_file.as_ref().map(FromFile::lrat);
    // A proof is a file as soon as it is whole.
    let path = arguments.proof.as_deref().or(lrat.as_deref());
    let named = arguments.proof.as_deref();
    let unfinished = named.map(Unfinished::create).transpose()?.flatten().map(|(file, _)| file);
    let proof = unfinished.as_ref().map(Unfinished::part).or(path).map(Path::to_owned);
    let stored_proof_bytes = denial::stored_proof_bytes(instance).filter(|_| proof.is_none());
    let session_options = SessionOptions { proof, stored_proof_bytes, ..SessionOptions::default() };
    let mut observer = Observer {
        reports_steps: true,
        keeps_values: arguments.dimacs_output,
        unfinished,
        ..Observer::new(&request, path, from_file)
    };
    let (row, mut judge) = judged(&request, session_options, &mut observer)?;
    let shapes = denial::checked_shapes(&row, &mut judge, &request)?;
    let solution = row.solution();
    if let Some((from_file, solution)) = observer.from_file.take().zip(solution.as_ref()) {
        from_file.satisfy(solution)?;
    }
    if arguments.is_competition() {
        // A program that reads this form sees no wrong answer.
        refuse_wrong(&row)?;
    }
    if arguments.dimacs_output {
        write_dimacs_answer(row.status, &observer.values, out)?;
    } else if arguments.is_competition() {
        write_pb_answer(instance, row.status, solution.as_ref(), out)?;
    } else if arguments.json {
        let output = SolveOutput {
            instance,
            encoding: &row.job.encoding,
            solver: &row.job.solver,
            answer: row.status,
            verdict: row.verdict,
            evidence: row.checked_by.as_ref(),
            encoder_checked: shapes.map(|shapes| shapes.to_string()),
            chosen: SolutionOutput::new(instance, solution.as_ref()),
            effort: &row.solver_stats,
        };
        print_json(&output, out)?;
    } else {
        let reason = denial::reason(row.verdict, row.checked_by.as_ref(), shapes.as_ref());
        print_answer(instance, (row.status, row.verdict), solution.as_ref(), &reason, out)?;
    }
    refuse_wrong(&row)?;
    Ok(exit_code(row.status))
}

/// Runs the job of finding one solution, and returns its row with its verdict, and the judge with the facts that it knows.
pub(super) fn judged(
    request: &Request,
    session_options: SessionOptions,
    observer: &mut Observer<'_>,
) -> Result<(Row, Judge), Failure> {
    let output = request.run(session_options, observer);
    if let Some(failure) = observer.failure.take() {
        return Err(failure);
    }
    let mut output = output.map_err(Failure::input)?;
    if let Some(failure) = ends::ended(&output.row, &String::new) {
        return Err(failure);
    }
    output.row.proof = observer.proof.take();
    let mut judge = std::mem::take(&mut observer.judge);
    Ok((output.judged(&mut judge, None), judge))
}

/// Observes the search for one solution: keeps the values of all variables, and checks the proof that there is none.
pub(super) struct Observer<'a> {
    request: &'a Request,
    reports_steps: bool,
    /// True if the values of all variables are printed.
    keeps_values: bool,
    /// The values of the variables of a model, as DIMACS literals.
    values: Vec<i32>,
    /// The file of the proof, and its unfinished form.
    proof_file: Option<&'a Path>,
    unfinished: Option<Unfinished<'a>>,
    /// The proof from the file, which goes on with that of the clauses.
    from_file: Option<FromFile<'a>>,
    pub(super) judge: Judge,
    solve_cpu_s: f64,
    proof: Option<ProofRecord>,
    failure: Option<Failure>,
}

impl<'a> Observer<'a> {
    /// Observes a job whose proof is written to this file, if to any.
    pub(super) fn new(
        request: &'a Request,
        proof_file: Option<&'a Path>,
        from_file: Option<FromFile<'a>>,
    ) -> Self {
        Self {
            request,
            reports_steps: false,
            keeps_values: false,
            values: Vec::new(),
            proof_file,
            unfinished: None,
            from_file,
            judge: Judge::new(),
            solve_cpu_s: 0.0,
            proof: None,
            failure: None,
        }
    }

    /// Checks the written proof, or the stored one where the judge needs it.
    fn check_proof(
        &mut self,
        formula: &NumberedFormula<'_>,
        session: &mut dyn Session,
    ) -> Result<(), Failure> {
        let Request { job, backend, permission, .. } = self.request;
        let Some(format) = backend.proof_format() else { return Ok(()) };
        let (solver, write) = (backend.as_ref(), |out: &mut dyn ClauseSink| formula.write(out));
        self.proof = if let Some(path) = self.proof_file {
            // The proof is whole. It is kept if the check ends at a limit.
            self.unfinished.take().map(Unfinished::finish).transpose()?;
            let session_options = SessionOptions {
                budget: Some(denial::converter_budget(&job.limits)),
                ..SessionOptions::default()
            };
            let proof = WrittenProof { path, format, solver, permission, session_options };
            Some(ProofRecord::of_file(proof, denial::check_bytes(job.limits.memory_bytes), &write))
        } else if self.judge.decides(&job.instance, self.solve_cpu_s) {
            None
        } else {
            let bytes = denial::check_bytes(job.limits.memory_bytes);
            session.stored_proof().map(|proof| ProofRecord::of_lrat(&proof, bytes, &write))
        };
        self.from_file.take().map_or(Ok(()), |from_file| from_file.refute(formula))?;
        Ok(())
    }
}

impl JobObserver for Observer<'_> {
    fn message(&mut self, message: Message) -> Result<(), WorkError> {
        if let Message::Solved { solve_cpu_s, .. } = message {
            self.solve_cpu_s = solve_cpu_s;
        }
        Ok(())
    }

    fn begins(&mut self, step: Step) {
        if self.reports_steps {
            begin(step);
        }
    }

    fn answered(
        &mut self,
        answer: Answer,
        formula: &NumberedFormula<'_>,
        session: &mut dyn Session,
    ) -> Result<(), WorkError> {
        match answer {
            Answer::Sat if self.keeps_values => {
                let lits = (0..formula.variables).map(Lit::positive);
                let value = |lit: Lit| {
                    if session.holds(lit) { lit.to_ipasir() } else { -lit.to_ipasir() }
                };
                self.values = lits.map(value).collect();
            }
            Answer::Unsat => {
                if let Err(failure) = self.check_proof(formula, session) {
                    self.failure = Some(failure);
                    return Err(ends::observer_failed());
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Refuses a proof that the solver does not write.
fn refuse_proof(arguments: &SolveArguments, solver: &dyn Backend) -> Result<(), Failure> {
    if arguments.proof.is_some() && solver.proof_format().is_none() {
        let name = solver.name();
        return Err(Failure::Input(format!(
            "--proof: the solver `{name}` writes no proofs; `cadical` does"
        )));
    }
    let ends = |of: [&str; 2]| {
        let end = arguments.proof.as_deref().and_then(Path::extension);
        end.is_some_and(|end| of.iter().any(|it| end == *it))
    };
    if ends(["gz", "xz"]) {
        return Err(Failure::Input(
            "--proof: proofs are written uncompressed, and this name ends as a compressed file; take one that ends in .lrat".into(),
        ));
    }
    if solver.proof_format() == Some(ProofFormat::Lrat) && ends(["drat", "drup"]) {
        return Err(Failure::Input(
            "--proof: this solver writes LRAT, and the name says another format; take one that ends in \
             .lrat"
                .into(),
        ));
    }
    Ok(())
}

/// Draws the solution, or prints that there is none, with the reason of the verdict.
pub(crate) fn print_answer(
    instance: &Instance,
    (answer, verdict): (Answer, Verdict),
    solution: Option<&Solution>,
    reason: &str,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    match (answer, solution) {
        (Answer::Sat, Some(solution)) => {
            listing::Writer::new(instance, SolutionForm::Boards, &mut *out)?
                .write(solution.chosen())?;
            let is_wrong = verdict == Verdict::Wrong;
            writeln!(out, "{} solution ({reason})", if is_wrong { "not a" } else { "a" })?;
        }
        (Answer::Unsat, _) => writeln!(out, "there is no solution ({reason})")?,
        _ => writeln!(out, "the solver did not decide")?,
    }
    Ok(())
}

/// The lines of solver competitions: `s` with the answer, `v` with the model.
fn write_dimacs_answer(answer: Answer, values: &[i32], out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "s {}", competition_word(answer))?;
    if answer != Answer::Sat {
        return Ok(());
    }
    write_lines(values.iter().chain([&0]).map(ToString::to_string), out)
}

/// The word of solver competitions for an answer.
fn competition_word(answer: Answer) -> &'static str {
    match answer {
        Answer::Sat => "SATISFIABLE",
        Answer::Unsat => "UNSATISFIABLE",
        Answer::Unknown => "UNKNOWN",
    }
}

/// The answer in the form of the pseudo-Boolean competitions.
fn write_pb_answer(
    instance: &Instance,
    answer: Answer,
    solution: Option<&Solution>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    writeln!(out, "s {}", competition_word(answer))?;
    match (instance.file(), solution) {
        (Some(file), Some(solution)) => write_values(file, solution, out),
        _ => Ok(()),
    }
}

/// The values of a file's variables in the form of the pseudo-Boolean competitions, by their names.
pub(super) fn write_values(
    file: &ProblemFile,
    solution: &Solution,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let value = |candidate| {
        let sign = if solution.chooses(candidate) { "" } else { "-" };
        format!("{sign}{}", file.label(candidate))
    };
    write_lines((0..file.stated_variables()).map(value), out)
}

/// Lines that begin with `v`, of at most 78 characters each.
fn write_lines(words: impl Iterator<Item = String>, out: &mut dyn Write) -> Result<(), Failure> {
    let mut line = String::from("v");
    for word in words {
        let word = format!(" {word}");
        if line.len() > 1 && line.len() + word.len() > 78 {
            writeln!(out, "{line}")?;
            line.truncate(1);
        }
        line.push_str(&word);
    }
    writeln!(out, "{line}")?;
    Ok(())
}
