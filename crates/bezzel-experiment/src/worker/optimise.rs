//! Solution-improving search: each solution adds the constraint that the objective is better, by the encoding under test,
//! until there is none.
//!
//! A linked solver goes on with the clauses of the bound added, if every candidate is a literal in the formula and in the
//! bound's. Other solvers and encodings get the formula of the file with the bound in a new session.

use std::sync::Arc;
use std::time::Instant;

use bezzel_encode::{ClauseSink, Encoding, FormulaStats, Lit, Unsupported, VarMap, VarRange};
use bezzel_problem::{FileError, Instance, ObjectiveBound, Problem, ProblemFile};
use bezzel_process::usage;
use bezzel_solve::{Answer, Budget, Effort, OptionError, Session, SessionOptions, SolverError};
use num_bigint::BigInt;
use thiserror::Error;

use super::solve::left;
use super::{JobObserver, JobWatch, ResolvedJob, Step, WorkError, peak_bytes};
use crate::backend::{Backend, PreparedFormula};
use crate::model::job::Job;
use crate::model::message::Message;
use crate::model::row::{FormulaSize, ObjectiveValue, Termination};

/// A search for the best value of a file's objective. Bounds are encoded as the constraints of the file are, with variables
/// behind those of its formula.
struct Optimiser<'a> {
    resolved: &'a ResolvedJob<'a>,
    file: &'a ProblemFile,
    encoding: &'a dyn Encoding,
    solver: &'a dyn Backend,
    session_options: &'a SessionOptions,
}

/// The end of the search.
struct OptimiserEnd {
    /// `Unsat` if there is no better solution, `Unknown` at a limit. Never `Sat`.
    answer: Answer,
    /// True if a solution was found.
    found: bool,
    /// The failure of a solver program.
    error: Option<SolverError>,
    /// The effort of the solver in the last session.
    effort: Effort,
    /// The CPU time of the search, in seconds, that of encoding bounds included.
    solve_cpu_s: f64,
}

/// A search that cannot go on.
#[derive(Debug, Error)]
enum OptimiseError {
    /// The file has no objective, or was not read.
    #[error("the file has no objective")]
    NoObjective,
    /// The weights of the objective are too large.
    #[error("the objective: {0}")]
    File(#[from] FileError),
    /// The encoding does not take a bound of the objective.
    #[error("the bound {bound} on the objective: {error}")]
    Encoding {
        /// The bound.
        bound: ObjectiveBound,
        /// The reason.
        error: Box<Unsupported>,
    },
    /// The solver does not start.
    #[error(transparent)]
    Open(#[from] OptionError),
    /// The results are not read.
    #[error(transparent)]
    Observer(#[from] WorkError),
    /// A solution has a value that is no improvement: the encoding or the solver is wrong.
    #[error(
        "a solution has the value {value}, and only {bound} is better: the encoding or the solver is wrong"
    )]
    NoImprovement {
        /// The value.
        value: BigInt,
        /// The bound.
        bound: ObjectiveBound,
    },
}

impl Optimiser<'_> {
    /// Searches until there is no better solution, or until a limit, and reports each solution.
    fn run(&self, observer: &mut dyn JobObserver) -> Result<OptimiserEnd, OptimiseError> {
        let Job { numbering, options, .. } = self.resolved.job;
        let objective = self.file.objective().ok_or(OptimiseError::NoObjective)?;
        let (start, start_cpu_s) = (Instant::now(), usage::thread_cpu_s());
        let mut program_cpu_s = 0.0;
        let mut bound: Option<ObjectiveBound> = None;
        loop {
            // A session of the constraints, with the bound of the best solution so far.
            let bounded = bound.as_ref().map(|bound| self.file.with_bound(bound)).transpose()?;
            let problem = Instance::from(bounded.unwrap_or_else(|| self.file.clone())).problem();
            let problem = Arc::new(problem);
            if let Some(bound) = &bound {
                self.refuse(&problem, bound)?;
            }
            let prepared = PreparedFormula::new(self.encoding, &problem, numbering);
            if bound.is_none() {
                observer.begins(Step::Searching);
                let formula = FormulaSize::of(prepared.stats().clone());
                let generate_cpu_s = prepared.generate_cpu_s();
                observer.message(Message::Measured { formula, generate_cpu_s })?;
                if self.session_options.interrupt.is_raised() {
                    return Ok(OptimiserEnd {
                        answer: Answer::Unknown,
                        found: false,
                        error: None,
                        effort: Effort::default(),
                        solve_cpu_s: 0.0,
                    });
                }
            }
            let formula = prepared.formula();
            let own_cpu_s = usage::thread_cpu_s() - start_cpu_s;
            let left = |budget: Budget| Budget {
                cpu_s: budget.cpu_s - own_cpu_s - program_cpu_s,
                wall_s: budget.wall_s - start.elapsed().as_secs_f64(),
                ..budget
            };
            let budget = self.session_options.budget.map(left);
            let session_options = SessionOptions { budget, ..self.session_options.clone() };
            let mut session =
                self.solver.open(options, &session_options, self.resolved.permission)?;
            session.expect(formula.variables, formula.clauses);
            session.set_primary(&mut formula.images.range(0..formula.primary));
            formula.write(session.as_mut());
            loop {
                let answer = session.solve();
                let used = session.usage().map_or(0.0, |used| used.cpu_s);
                let solve_cpu_s = usage::thread_cpu_s() - start_cpu_s + program_cpu_s + used;
                let is_over = answer != Answer::Sat;
                let solution = (!is_over)
                    .then(|| formula.map.decode(|lit| session.holds(formula.images.of(lit))));
                let value = solution.as_ref().and_then(|solution| self.file.value(solution));
                let end = |answer, found, session: &dyn Session| OptimiserEnd {
                    answer,
                    found,
                    error: session.error(),
                    effort: session.effort(),
                    solve_cpu_s,
                };
                let (Some(solution), Some(value)) = (solution, value) else {
                    return Ok(end(answer, bound.is_some(), session.as_ref()));
                };
                let better = objective.better(&value);
                let improved = ObjectiveValue { value: value.to_string(), solve_cpu_s };
                let chosen = solution.chosen().to_vec();
                observer.message(Message::Improved { value: improved, chosen })?;
                if let Some(bound) = bound.filter(|bound| !bound.is_met(&value)) {
                    return Err(OptimiseError::NoImprovement { value, bound });
                }
                bound = Some(better.clone());
                if self.session_options.interrupt.is_raised() {
                    return Ok(end(Answer::Unknown, true, session.as_ref()));
                }
                let literal = |cube: &[Lit]| match cube {
                    [lit] => Some(formula.images.of(*lit)),
                    _ => None,
                };
                let literals: Option<Vec<Lit>> = formula.map.cubes().map(literal).collect();
                let added = match literals.filter(|_| self.solver.program().is_none()) {
                    Some(literals) => self.add(&better, &problem, &literals, session.as_mut())?,
                    None => false,
                };
                if !added {
                    program_cpu_s += used;
                    break;
                }
            }
        }
    }

    fn refuse(&self, problem: &Problem, bound: &ObjectiveBound) -> Result<(), OptimiseError> {
        let refused =
            |error| OptimiseError::Encoding { bound: bound.clone(), error: Box::new(error) };
        self.encoding.fits(problem).map_err(refused)
    }

    /// Adds the clauses of the bound to a session in which the candidates are these literals and the constraints of
    /// `problem` hold. False if the encoding has no literal for a candidate.
    fn add(
        &self,
        bound: &ObjectiveBound,
        problem: &Arc<Problem>,
        literals: &[Lit],
        session: &mut dyn Session,
    ) -> Result<bool, OptimiseError> {
        let bounded = self.file.bounded(bound)?.ok_or(OptimiseError::NoObjective)?;
        let problem = bounded.with_side_constraints(Arc::clone(problem));
        self.refuse(&problem, bound)?;
        let mut stats = FormulaStats::new();
        let map = self.encoding.encode(&problem, &mut stats);
        let Some(images) = images(&map, literals, stats.variables(), session) else {
            return Ok(false);
        };
        self.encoding.encode(
            &problem,
            &mut Joined { images: &images, made: 0, clause: Vec::new(), session },
        );
        Ok(true)
    }
}

/// The literal of the session for each variable of a bound's formula: those of the candidates, and new ones. None if a
/// candidate has no literal of its own.
fn images(
    map: &VarMap,
    literals: &[Lit],
    variables: u32,
    session: &mut dyn Session,
) -> Option<Vec<Lit>> {
    let mut images: Vec<Option<Lit>> = vec![None; variables as usize];
    for (cube, &literal) in map.cubes().zip(literals) {
        let &[lit] = cube else { return None };
        let image = if lit.is_neg() { !literal } else { literal };
        if images[lit.vidx()].replace(image).is_some() {
            return None;
        }
    }
    let missing = images.iter().filter(|image| image.is_none()).count() as u32;
    let mut new = session.fresh(missing).lits();
    images.into_iter().map(|image| image.or_else(|| new.next())).collect()
}

/// A sink that passes the clauses of a bound on to the session of the formula.
struct Joined<'a> {
    images: &'a [Lit],
    made: u32,
    clause: Vec<Lit>,
    session: &'a mut dyn Session,
}

impl ClauseSink for Joined<'_> {
    fn fresh(&mut self, count: u32) -> VarRange {
        VarRange::next(&mut self.made, count)
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.clause.clear();
        let images = self.images;
        self.clause.extend(lits.iter().map(|lit| {
            let image = images[lit.vidx()];
            if lit.is_neg() { !image } else { image }
        }));
        self.session.clause(&self.clause);
    }
}

/// Searches the optimum, and reports each better solution.
pub(super) fn optimise(
    resolved: &ResolvedJob<'_>,
    (solver, encoding): (&dyn Backend, &dyn Encoding),
    session_options: SessionOptions,
    observer: &mut dyn JobObserver,
) -> Result<(), WorkError> {
    let job = resolved.job;
    let file = job.instance.file().ok_or(WorkError::NothingToSolve)?;
    let start_of_all = Instant::now();
    let watch = JobWatch::arm(resolved, solver, &session_options.interrupt)?;
    let budget = Some(left(&job.limits, start_of_all));
    let session_options = &SessionOptions { budget, proof: None, ..session_options };
    let optimiser = Optimiser { resolved, file, encoding, solver, session_options };
    let end = optimiser.run(observer);
    observer.begins(Step::Checking);
    let stop = watch.disarm_or(Termination::Finished);
    let memory_peak_bytes = peak_bytes();
    let (end, stop) = match end {
        Ok(end) => (end, stop),
        Err(OptimiseError::Observer(error)) => return Err(error),
        Err(error) => {
            let stop = Termination::Crashed;
            observer.message(Message::Failed { stop, note: error.to_string() })?;
            return observer.message(Message::Ended { stop, memory_peak_bytes });
        }
    };
    let answer = match end.answer {
        Answer::Unsat if stop == Termination::Finished && end.found => Answer::Sat,
        Answer::Unsat if stop == Termination::Finished => Answer::Unsat,
        _ => Answer::Unknown,
    };
    observer.message(Message::Solved {
        answer,
        solve_cpu_s: end.solve_cpu_s,
        effort: end.effort,
    })?;
    if let Some(SolverError { kind, note }) = end.error {
        let stop: Termination = kind.into();
        observer.message(Message::Failed { stop, note })?;
        return observer.message(Message::Ended { stop, memory_peak_bytes });
    }
    observer.message(Message::Ended { stop, memory_peak_bytes })
}
