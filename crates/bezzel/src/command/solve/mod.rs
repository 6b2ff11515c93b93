//! `bezzel solve`: one instance, one encoding, one solver, one answer; or solutions in a list, or their number.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bezzel_encode::format::solutions::SolutionForm;
use bezzel_encode::{ClauseSink, FormulaStats, Lit};
use bezzel_experiment::judge::{Case, Judge, Judgement};
use bezzel_experiment::model_check::{ClauseCheck, VariableValues};
use bezzel_experiment::proof::WrittenProof;
use bezzel_experiment::{Backend, Catalog, Permission, ProofRecord, Task, Verdict, fit};
use bezzel_problem::{
    Candidate, Goal, Instance, Kind as _, Placement, ProblemFile, Solution, Square,
};
use bezzel_process::usage;
use bezzel_solve::{Answer, Budget, OptionValue, Options, ProofFormat, Session, SessionOptions};
use serde::Serialize;

use crate::all::program_failure;
use crate::arguments::{LimitArguments, SolveArguments};
use crate::failure::{CommandResult, Failure};
use crate::output::Unfinished;
use crate::phase::{self, Phase};

mod choice;
mod count;
mod denial;
mod fundamental;
mod list;
mod listing;
mod optimise;
mod pick;

use choice::Choice;

/// The answer as JSON.
#[derive(Serialize)]
struct SolveOutput<'a> {
    #[serde(flatten)]
    instance: &'a Instance,
    encoding: String,
    solver: &'a str,
    answer: Answer,
    verdict: Verdict,
    evidence: Option<bezzel_experiment::Evidence>,
    /// The shapes at which the encoder was checked, if a proof of its clauses is the evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    encoder_checked: Option<String>,
    #[serde(flatten)]
    chosen: SolutionOutput,
    effort: bezzel_solve::Effort,
}

/// The solution as JSON, as rows of evidence have it.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum SolutionOutput {
    Queens(Option<Vec<Square>>),
    /// The numbers of the chosen candidates, from 1.
    Chosen(Option<Vec<u32>>),
}

impl SolutionOutput {
    fn of(instance: &Instance, solution: Option<&Solution>) -> Self {
        if let Some(board) = instance.board() {
            let placement = solution.map(|solution| Placement::of(board, solution));
            return Self::Queens(placement.map(|placement| placement.squares().collect()));
        }
        Self::Chosen(solution.map(|it| numbers(stated(instance, it.chosen())).collect()))
    }
}

/// The chosen candidates without the products of a file, which come last.
fn stated<'a>(instance: &Instance, chosen: &'a [Candidate]) -> &'a [Candidate] {
    let count = instance.file().map_or(u32::MAX, ProblemFile::stated_variables);
    &chosen[..chosen.partition_point(|&candidate| candidate < count)]
}

/// The numbers of candidates, from 1.
fn numbers(chosen: &[Candidate]) -> impl Iterator<Item = u32> {
    chosen.iter().map(|candidate| candidate + 1)
}

pub(crate) fn run(
    arguments: &SolveArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    if arguments.listing.is_requested() {
        if let Some(solver) = &arguments.solver {
            return Err(Failure::Input(listed_by_engines(solver, catalog)));
        }
        let run = if arguments.listing.count { count::run } else { list::run };
        return run(arguments, catalog, out);
    }
    if let Some(option) = arguments.listing.misplaced() {
        return Err(Failure::Input(format!(
            "{option} is for listing or counting solutions: add --all or --count, or leave it away to find \
             one"
        )));
    }
    solve(arguments, catalog, out)
}

/// The instance; with an objective, the optimum is asked for.
fn instance(arguments: &SolveArguments) -> Result<Instance, Failure> {
    let instance = arguments.problem.optimised_instance()?;
    if arguments.listing.format == SolutionForm::Pb && arguments.json {
        return Err(Failure::Input("--format pb and --json are two forms: give one".to_owned()));
    }
    if arguments.listing.format == SolutionForm::Pb && instance.file().is_none() {
        return Err(Failure::Input(format!(
            "--format pb is for files of constraints, and `{instance}` is none: take --dimacs-output"
        )));
    }
    Ok(instance)
}

/// Finds one solution, judges the answer and prints it.
fn solve(arguments: &SolveArguments, catalog: &Catalog, out: &mut dyn Write) -> CommandResult {
    let options = options(&arguments.options)?;
    let instance = instance(arguments)?;
    phase::begin(Phase::Generating);
    let catalog =
        &catalog.with_permission(Permission::of_names(arguments.solver.iter().map(String::as_str)));
    let choice = Choice::of(arguments, options, &instance, catalog)?;
    if let Some(file) = instance.file().filter(|file| *file.goal() == Goal::Optimum) {
        return optimise::run((&instance, file), arguments, (&choice, catalog), out);
    }
    let Choice { encoding, numbering, solver, options } = choice;
    refuse_absent(solver.as_ref(), &catalog.permission)?;
    fit::stated(&encoding.info(), Some(solver.as_ref()), Task::Solve).map_err(Failure::input)?;

    let (mut stats, problem) = (FormulaStats::new(), instance.problem());
    let map = encoding.encode(&problem, &mut stats);
    let variables = stats.variables();
    refuse_proof(arguments, solver.as_ref())?;
    // A proof is a file as soon as it is whole.
    let path = arguments.proof.as_deref();
    let unfinished = path.map(Unfinished::create).transpose()?.flatten().map(|(file, _)| file);
    let proof = unfinished.as_ref().map(Unfinished::part).or(path).map(Path::to_owned);
    let budget = Some(budget(&arguments.limits));
    let stored_proof_bytes = denial::stored_proof_bytes(&instance).filter(|_| proof.is_none());
    let session_options =
        SessionOptions { proof, budget, stored_proof_bytes, ..SessionOptions::default() };
    phase::begin(Phase::Loading);
    let mut session =
        solver.open(&options, &session_options, &catalog.permission).map_err(Failure::input)?;
    let images = numbering.images(&problem, variables, &map);
    session.expect(variables, stats.size().clauses as u64);
    session.set_primary(&mut images.range(0..stats.primary()));
    numbering.encode(encoding.as_ref(), &problem, &images, session.as_mut());

    phase::begin(Phase::Searching);
    let start_cpu_s = usage::thread_cpu_s();
    let answer = session.solve();
    let solve_cpu_s =
        usage::thread_cpu_s() - start_cpu_s + session.usage().map_or(0.0, |used| used.cpu_s);
    phase::begin(Phase::Checking);
    if let Some(error) = session.error() {
        return Err(program_failure(&solver.name(), &error));
    }
    let solution = (answer == Answer::Sat).then(|| map.decode(|lit| session.holds(images.of(lit))));
    let formula = |out: &mut dyn ClauseSink| {
        numbering.encode(encoding.as_ref(), &problem, &images, out);
    };
    let is_model = answer == Answer::Sat && session.is_whole();
    let violated = is_model.then(|| violation(variables, session.as_mut(), formula));
    let mut judge = Judge::new();
    let proof = match (session_options.proof, solver.proof_format()) {
        (Some(path), Some(format)) if answer == Answer::Unsat => {
            session.end_proof();
            // The proof is whole. It is kept if the check ends at a limit.
            unfinished.map(Unfinished::finish).transpose()?;
            let path = arguments.proof.as_deref().unwrap_or(&path);
            let bytes = denial::check_bytes(arguments.limits.memory);
            let session_options = SessionOptions { budget, ..SessionOptions::default() };
            let (solver, permission) = (solver.as_ref(), &catalog.permission);
            let proof = WrittenProof { path, format, solver, permission, session_options };
            Some(ProofRecord::of_file(proof, bytes, &formula))
        }
        (None, Some(_)) if answer == Answer::Unsat => {
            let solved = (&instance, solve_cpu_s, arguments.limits.memory);
            denial::stored_proof(solved, &mut judge, session.as_mut(), &formula)
        }
        _ => None,
    };
    let judgement = judge.judge(&Case {
        violated: violated.flatten().as_deref(),
        proof: proof.as_ref(),
        solve_cpu_s: Some(solve_cpu_s),
        ..Case::new(&instance, answer, solution.as_ref())
    });
    let checked_shapes = denial::checked_shapes(
        &judgement,
        (&instance, solve_cpu_s),
        &mut judge,
        encoding.as_ref(),
        &problem,
    )?;

    if arguments.dimacs_output {
        write_dimacs_answer(answer, variables, session.as_mut(), out)?;
    } else if arguments.is_competition() {
        write_pb_answer(&instance, answer, solution.as_ref(), out)?;
    } else if arguments.json {
        let solved = SolveOutput {
            instance: &instance,
            encoding: encoding.info().id,
            solver: &solver.name(),
            answer,
            verdict: judgement.verdict,
            evidence: judgement.evidence.clone(),
            encoder_checked: checked_shapes.map(|shapes| shapes.to_string()),
            chosen: SolutionOutput::of(&instance, solution.as_ref()),
            effort: session.effort(),
        };
        let text = serde_json::to_string(&solved).map_err(Failure::work)?;
        writeln!(out, "{text}")?;
    } else {
        let reason = denial::reason(&judgement, checked_shapes.as_ref());
        print_answer(&instance, (answer, judgement.verdict), solution.as_ref(), &reason, out)?;
    }
    refuse_wrong(judgement, &encoding.info().id, &solver.name())?;
    Ok(exit_code(answer))
}

/// The first clause that the model violates.
fn violation(
    variables: u32,
    session: &mut dyn Session,
    formula: impl FnOnce(&mut dyn ClauseSink),
) -> Option<Vec<i32>> {
    let mut clause_check =
        ClauseCheck::new(VariableValues::of(variables, |lit| session.holds(lit)));
    formula(&mut clause_check);
    clause_check.finish()
}

/// The failure of an answer that is wrong.
fn refuse_wrong(judgement: Judgement, encoding: &str, solver: &str) -> Result<(), Failure> {
    if judgement.verdict != Verdict::Wrong {
        return Ok(());
    }
    let note = judgement.note.unwrap_or_default();
    Err(Failure::Work(format!(
        "the answer of `{solver}` under `{encoding}` is wrong: {note}; `bezzel check` shows if the \
         encoding is wrong"
    )))
}

/// The options of the solver, each given once.
fn options(given: &[(String, OptionValue)]) -> Result<Options, Failure> {
    let mut options = Options::new();
    for (name, value) in given {
        if options.insert(name.clone(), *value).is_some() {
            return Err(Failure::Input(format!("--option {name}: it is given twice")));
        }
    }
    Ok(options)
}

/// The limits of a solver that is a program.
fn budget(limits: &LimitArguments) -> Budget {
    let wall_s = limits.timeout.map_or(f64::MAX, |timeout| timeout.as_secs_f64());
    Budget { cpu_s: f64::MAX, wall_s, memory_bytes: limits.memory }
}

/// The message that engines list solutions and solvers do not, with the engine that uses this solver.
fn listed_by_engines(solver: &str, catalog: &Catalog) -> String {
    let by = format!("blocking:{solver}");
    let name = if solver == "cadical" { "blocking" } else { &by };
    let advice = if catalog.engine(name).is_ok() {
        format!("`--engine {name}` lists by this solver")
    } else {
        format!(
            "no engine lists by `{solver}`; `--engine blocking` lists by CaDiCaL, `--engine \
             blocking:batsat` by BatSat"
        )
    };
    format!("--solver is for finding one solution, and engines list and count all: {advice}")
}

/// Refuses a proof that the solver does not write.
fn refuse_proof(arguments: &SolveArguments, solver: &dyn Backend) -> Result<(), Failure> {
    if arguments.proof.is_some() && solver.proof_format().is_none() {
        let name = solver.name();
        return Err(Failure::Input(format!(
            "--proof: the solver `{name}` writes no proofs; `cadical` does"
        )));
    }
    let says_drat =
        |path: &PathBuf| path.extension().is_some_and(|end| end == "drat" || end == "drup");
    if solver.proof_format() == Some(ProofFormat::Lrat) && arguments.proof.iter().any(says_drat) {
        return Err(Failure::Input(
            "--proof: this solver writes LRAT, and the name says another format; take one that ends in \
             .lrat"
                .into(),
        ));
    }
    Ok(())
}

/// Refuses a program that is not installed, and names the folders that were searched.
fn refuse_absent(solver: &dyn Backend, permission: &Permission) -> Result<(), Failure> {
    let absence = solver.program().and_then(|program| program.absence(permission));
    let Some(absence) = absence else { return Ok(()) };
    let name = solver.name();
    let path = std::env::var("PATH").unwrap_or_default();
    let looked =
        if absence.program.contains('/') { String::new() } else { format!(" (PATH is {path})") };
    Err(Failure::Input(format!("the solver `{name}` is not installed: {absence}{looked}")))
}

/// The exit code of an answer in solver competitions.
pub(super) fn exit_code(answer: Answer) -> ExitCode {
    match answer {
        Answer::Sat => ExitCode::from(10),
        Answer::Unsat => ExitCode::from(20),
        Answer::Unknown => ExitCode::SUCCESS,
    }
}

/// Draws the solution, or prints that there is none, with the reason of the verdict.
pub(super) fn print_answer(
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
fn write_dimacs_answer(
    answer: Answer,
    variables: u32,
    session: &mut dyn Session,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    writeln!(out, "s {}", competition_word(answer))?;
    if answer != Answer::Sat {
        return Ok(());
    }
    let values = (0..variables).map(|index| {
        let lit = Lit::positive(index);
        if session.holds(lit) { lit.to_ipasir() } else { -lit.to_ipasir() }
    });
    write_lines(values.chain([0]).map(|value| value.to_string()), out)
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
fn write_values(
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
