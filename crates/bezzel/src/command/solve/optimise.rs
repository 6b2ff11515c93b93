//! `bezzel solve FILE` with an objective: better and better solutions, and the optimum.

use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;

use bezzel_encode::ClauseSink;
use bezzel_experiment::backend::PreparedFormula;
use bezzel_experiment::judge::{Case, Judge, Judgement};
use bezzel_experiment::optimise::{Improvement, OptimiseError, Optimiser, OptimiserEnd, Step};
use bezzel_experiment::{Evidence, Verdict};
use bezzel_problem::{Instance, ProblemFile};
use bezzel_solve::{Answer, SessionOptions};
use serde::Serialize;

use super::choice::Choice;
use super::{SolutionOutput, budget, denial, refuse_absent, refuse_wrong};
use crate::all::program_failure;
use crate::arguments::SolveArguments;
use crate::failure::{CommandResult, Failure};
use crate::interrupt::{self, AnswerSoFar};
use crate::limited;
use crate::phase::{self, Phase};
use bezzel_experiment::Catalog;

/// The exit code of an optimum in the pseudo-Boolean competitions.
const OPTIMUM: u8 = 30;

/// The answer as JSON.
#[derive(Serialize)]
struct OptimumOutput<'a> {
    #[serde(flatten)]
    instance: &'a Instance,
    encoding: String,
    solver: String,
    /// `optimum`, `unsat`, or `unknown` at a limit.
    answer: &'static str,
    /// The best value, in digits: it has any size.
    value: Option<String>,
    verdict: Verdict,
    evidence: Option<Evidence>,
    #[serde(flatten)]
    chosen: SolutionOutput,
    /// Each value with the CPU time of the search until it was found.
    values: Vec<(String, f64)>,
    solve_cpu_s: f64,
}

/// The form of the output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Competition,
    Json,
}

/// Finds the optimum, judges it and prints it.
pub(super) fn run(
    (instance, file): (&Instance, &ProblemFile),
    arguments: &SolveArguments,
    (choice, catalog): (&Choice, &Catalog),
    out: &mut dyn Write,
) -> CommandResult {
    refuse_proof(arguments, file)?;
    let form = match (arguments.is_competition(), arguments.json) {
        (true, _) => Form::Competition,
        (_, true) => Form::Json,
        _ => Form::Text,
    };
    let Choice { encoding, numbering, solver, options } = choice;
    refuse_absent(solver.as_ref(), &catalog.permission)?;
    let session_options = SessionOptions {
        interrupt: interrupt::listing_begins(),
        budget: Some(budget(&arguments.limits)),
        ..SessionOptions::default()
    };
    let optimiser = Optimiser {
        file,
        encoding: encoding.as_ref(),
        numbering,
        solver: solver.as_ref(),
        options,
        session_options: &session_options,
        permission: &catalog.permission,
    };
    phase::begin(Phase::Searching);
    let mut judge = Judge::new();
    let (mut found, mut written): (Vec<Improvement>, Result<(), Failure>) = (Vec::new(), Ok(()));
    let mut keep = |found: &[Improvement]| {
        keep_answer(&optimiser, (instance, file), (found, &mut judge), arguments, (form, choice))
    };
    keep(&[])?;
    let end = optimiser.run(&mut |step| {
        let Step::Found(improvement) = step else { return ControlFlow::Continue(()) };
        written = (|| {
            let value = &improvement.value;
            match form {
                Form::Text => {
                    writeln!(out, "value {value} after {:.3} s", improvement.solve_cpu_s)?;
                }
                Form::Competition => writeln!(out, "o {value}")?,
                Form::Json => return Ok(()),
            }
            out.flush()?;
            Ok(())
        })();
        found.push(improvement);
        if written.is_ok() {
            written = keep(&found);
        }
        match (&written, interrupt::stop_reason()) {
            (Ok(()), None) => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    });
    written?;
    let (end, stopped) = match end {
        Ok(end) => (end, None),
        Err(error @ OptimiseError::NoImprovement { .. }) => {
            return Err(Failure::Work(format!(
                "{error}; `bezzel check` shows if the encoding `{}` is wrong",
                encoding.info().id
            )));
        }
        // The best solution so far is printed.
        Err(error) => {
            let best = found.last().ok_or_else(|| Failure::input(&error))?;
            (OptimiserEnd::unknown(true, best.solve_cpu_s), Some(Failure::input(error)))
        }
    };
    if let Some(error) = &end.error {
        return Err(program_failure(&solver.name(), error));
    }
    phase::begin(Phase::Checking);
    let judgement = judged(&optimiser, (instance, &found, &end), arguments, form, &mut judge)?;
    phase::begin(Phase::Writing);
    interrupt::keep_answer(None);
    print(
        form,
        (instance, file),
        (&found, &end, &judgement.0),
        (choice, judgement.1.as_str()),
        out,
    )?;
    let is_limit = end.answer == Answer::Unknown;
    let has_solution = !found.is_empty();
    refuse_wrong(judgement.0, &encoding.info().id, &solver.name())?;
    if let Some(stopped) = stopped {
        return Err(stopped);
    }
    if is_limit && form != Form::Competition {
        return Err(match interrupt::stop_reason() {
            Some(reason) => {
                limited::stopped_while(Phase::Searching, reason, &best_in_message(&found))
            }
            None => Failure::Spent("the solver did not decide".to_owned()),
        });
    }
    Ok(match (end.answer, has_solution) {
        (Answer::Unsat, true) => ExitCode::from(OPTIMUM),
        (Answer::Unsat, false) => ExitCode::from(20),
        (_, true) => ExitCode::from(10),
        (_, false) => ExitCode::SUCCESS,
    })
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

/// Keeps the answer so far for a limit: a bound is encoded without pause, and the process may be ended then.
fn keep_answer(
    optimiser: &Optimiser<'_>,
    (instance, file): (&Instance, &ProblemFile),
    (found, judge): (&[Improvement], &mut Judge),
    arguments: &SolveArguments,
    (form, choice): (Form, &Choice),
) -> Result<(), Failure> {
    let solve_cpu_s = found.last().map_or(0.0, |best| best.solve_cpu_s);
    let end = OptimiserEnd::unknown(!found.is_empty(), solve_cpu_s);
    let (judgement, reason) = judged(optimiser, (instance, found, &end), arguments, form, judge)?;
    let is_competition = form == Form::Competition;
    let mut text = Vec::new();
    if judgement.verdict != Verdict::Wrong && (is_competition || !found.is_empty()) {
        print(form, (instance, file), (found, &end, &judgement), (choice, &reason), &mut text)?;
    }
    let code = if found.is_empty() { 0 } else { 10 };
    interrupt::keep_answer(Some(AnswerSoFar {
        text,
        in_message: best_in_message(found),
        code: is_competition.then_some(code),
    }));
    Ok(())
}

/// The best value, as an addition to the message at a limit.
fn best_in_message(found: &[Improvement]) -> String {
    found.last().map(|best| format!("; the best value is {}", best.value)).unwrap_or_default()
}

/// The verdict, and its reason in words. The best solution is checked by the constraints. That none is better is judged
/// as "no solution" of the file with the bound.
fn judged(
    optimiser: &Optimiser<'_>,
    (instance, found, end): (&Instance, &[Improvement], &OptimiserEnd),
    arguments: &SolveArguments,
    form: Form,
    judge: &mut Judge,
) -> Result<(Judgement, String), Failure> {
    if let Some(best) = found.last() {
        let solution = judge.judge(&Case::new(instance, Answer::Sat, Some(&best.solution)));
        if solution.verdict == Verdict::Wrong || end.answer != Answer::Unsat {
            let reason = denial::reason(&solution, None);
            return Ok((solution, reason));
        }
    } else if end.answer != Answer::Unsat {
        let unknown = judge.judge(&Case::new(instance, Answer::Unknown, None));
        return Ok((unknown, String::new()));
    }
    let objective = optimiser.file.objective().zip(found.last());
    let bound = objective.map(|(it, best)| it.better(&best.value));
    let bounded = bound.map(|bound| optimiser.file.with_bound(&bound)).transpose();
    let bounded = bounded.map_err(Failure::input)?.unwrap_or_else(|| optimiser.file.clone());
    let bounded = Instance::from(bounded);
    let problem = bounded.problem();
    let (encoding, solver) = (optimiser.encoding, optimiser.solver);
    let mut proof = None;
    // A competition waits for no proof.
    if form != Form::Competition
        && solver.proof_format().is_some()
        && !judge.decides(&bounded, end.solve_cpu_s)
    {
        let options = SessionOptions {
            stored_proof_bytes: denial::stored_proof_bytes(&bounded),
            ..optimiser.session_options.clone()
        };
        let prepared = PreparedFormula::new(encoding, &problem, optimiser.numbering);
        let formula = prepared.formula();
        let opened = solver.open(optimiser.options, &options, optimiser.permission);
        let mut session = opened.map_err(Failure::input)?;
        session.expect(formula.variables, formula.clauses);
        formula.write(session.as_mut());
        if session.solve() == Answer::Unsat {
            let solved = (&bounded, end.solve_cpu_s, arguments.limits.memory);
            let write = |out: &mut dyn ClauseSink| formula.write(out);
            proof = denial::stored_proof(solved, judge, session.as_mut(), &write);
        }
    }
    let judgement = judge.judge(&Case {
        proof: proof.as_ref(),
        solve_cpu_s: Some(end.solve_cpu_s),
        ..Case::new(&bounded, Answer::Unsat, None)
    });
    let solved = (&bounded, end.solve_cpu_s);
    let shapes = denial::checked_shapes(&judgement, solved, judge, encoding, &problem)?;
    let reason = denial::reason(&judgement, shapes.as_ref());
    Ok((judgement, reason))
}

fn print(
    form: Form,
    (instance, file): (&Instance, &ProblemFile),
    (found, end, judgement): (&[Improvement], &OptimiserEnd, &Judgement),
    (choice, reason): (&Choice, &str),
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let best = found.last();
    let drawing = best.map(|best| instance.draw(&best.solution)).unwrap_or_default();
    match form {
        Form::Text => {
            if best.is_some() {
                writeln!(out, "{drawing}")?;
            }
            match (end.answer, best) {
                (Answer::Unsat, Some(best)) => {
                    writeln!(out, "{} is the optimum (no better value: {reason})", best.value)?;
                }
                (Answer::Unsat, None) => writeln!(out, "there is no solution ({reason})")?,
                (_, Some(best)) => writeln!(
                    out,
                    "a solution of value {} ({reason}); a better one was not searched to the end",
                    best.value
                )?,
                (_, None) => writeln!(out, "the solver did not decide")?,
            }
        }
        Form::Competition => {
            let word = match (end.answer, best.is_some()) {
                (Answer::Unsat, true) => "OPTIMUM FOUND",
                (Answer::Unsat, false) => "UNSATISFIABLE",
                (_, true) => "SATISFIABLE",
                (_, false) => "UNKNOWN",
            };
            writeln!(out, "s {word}")?;
            if let Some(best) = best {
                super::write_values(file, &best.solution, out)?;
            }
        }
        Form::Json => {
            let answer = match (end.answer, best.is_some()) {
                (Answer::Unsat, true) => "optimum",
                (Answer::Unsat, false) => "unsat",
                _ => "unknown",
            };
            let value = |it: &Improvement| (it.value.to_string(), it.solve_cpu_s);
            let output = OptimumOutput {
                instance,
                encoding: choice.encoding.info().id,
                solver: choice.solver.name(),
                answer,
                value: best.map(|best| best.value.to_string()),
                verdict: judgement.verdict,
                evidence: judgement.evidence.clone(),
                chosen: SolutionOutput::of(instance, best.map(|best| &best.solution)),
                values: found.iter().map(value).collect(),
                solve_cpu_s: end.solve_cpu_s,
            };
            let text = serde_json::to_string(&output).map_err(Failure::work)?;
            writeln!(out, "{text}")?;
        }
    }
    Ok(())
}
