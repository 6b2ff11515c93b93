//! A check by a solver that a formula allows only solutions, for boards with too many solutions to list.

use bezzel_encode::{ClauseSink, Encoding, EncodingInfo, Formula, Size, VarMap};
use bezzel_experiment::local::run_here;
use bezzel_experiment::message::Message;
use bezzel_experiment::worker::{JobObserver, ResolvedJob, WorkError};
use bezzel_experiment::{Catalog, Job, Limits, Permission};
use bezzel_problem::Problem;
use bezzel_queens::encode::properties::violation;
use bezzel_queens::{Board, Placement};
use bezzel_solve::cadical::Cadical;
use bezzel_solve::{Answer, Interrupt, Options, Session, SessionOptions, Solver};

use crate::failure::Failure;

/// The time limit of the solver, in seconds.
const TIME_LIMIT_S: f64 = 30.0;

/// The solver.
const SOLVER: &str = "cadical";

/// The result of the solver.
pub(super) enum Proof {
    /// Only solutions are allowed.
    Proved,
    /// A placement that is wrongly allowed.
    Refuted(Placement),
    /// No result within the time limit.
    GaveUp,
}

/// Writes a formula of any origin, which may name more variables than its header.
fn write(formula: &Formula, out: &mut dyn ClauseSink) {
    let named = formula.clauses().flatten().map(|lit| lit.vidx32() + 1).max().unwrap_or(0);
    out.fresh(formula.variables().max(named));
    for clause in formula.clauses() {
        out.clause(clause);
    }
}

/// The formula in a solver.
pub(super) fn load(formula: &Formula, interrupt: &Interrupt) -> Box<dyn Session> {
    let solver = Cadical::Default;
    let mut session =
        solver.open(&Options::default(), &interrupt.clone().into()).expect("no options");
    write(formula, session.as_mut());
    session
}

/// The formula with the constraint that a rule of the board is broken.
struct BrokenRule<'a> {
    formula: &'a Formula,
    map: &'a VarMap,
    board: &'a Board,
}

impl Encoding for BrokenRule<'_> {
    fn info(&self) -> EncodingInfo {
        EncodingInfo { id: "formula".to_owned(), ..EncodingInfo::default() }
    }

    fn size(&self, _: &Problem) -> Option<Size> {
        None
    }

    fn rules(&self, _: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        write(self.formula, out);
        violation(self.board, self.map, out);
        self.map.clone()
    }
}

/// A job of which only the row is read.
struct Unobserved;

impl JobObserver for Unobserved {
    fn message(&mut self, _: Message) -> Result<(), WorkError> {
        Ok(())
    }
}

/// Searches a model of the formula that breaks a rule of the board.
pub(super) fn prove(
    formula: &Formula,
    map: &VarMap,
    board: &Board,
    catalog: &Catalog,
) -> Result<Proof, Failure> {
    let solver = catalog.solver(SOLVER).map_err(Failure::work)?;
    let bare = board.without_givens();
    let limits = Limits {
        cpu_s: Limits::LONGEST_S,
        wall_s: TIME_LIMIT_S,
        memory_bytes: Limits::MAX_BYTES,
        nodes: None,
    };
    let job = Job::solving(bare.into(), "formula", SOLVER, limits);
    let encoding = BrokenRule { formula, map, board };
    let permission = Permission::none();
    let resolved = ResolvedJob {
        job: &job,
        encoding: Some(&encoding),
        backend: Some(solver.as_ref()),
        permission: &permission,
        projection: None,
        is_watched: true,
        ends_process: false,
    };
    let output = run_here(&resolved, SessionOptions::default(), &mut Unobserved);
    let row = output.map_err(Failure::work)?.row;
    Ok(match (row.status, row.solution()) {
        (Answer::Sat, Some(solution)) => Proof::Refuted(Placement::of(board, &solution)),
        (Answer::Unsat, _) => Proof::Proved,
        _ => Proof::GaveUp,
    })
}
