//! A check by a solver that a formula allows only solutions, for boards with too many solutions to list.

use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use bezzel_encode::properties::violation;
use bezzel_encode::{Formula, VarMap};
use bezzel_problem::{Board, Placement};
use bezzel_solve::cadical::Cadical;
use bezzel_solve::{Answer, Interrupt, Options, Session, Solver};

/// The time limit of the solver.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// The result of the solver.
pub(super) enum Proof {
    /// Only solutions are allowed.
    Proved,
    /// A placement that is wrongly allowed.
    Refuted(Placement),
    /// No result within the time limit.
    GaveUp,
}

/// The formula in a solver.
pub(super) fn load(formula: &Formula, interrupt: &Interrupt) -> Box<dyn Session> {
    let solver = Cadical::Default;
    let mut session =
        solver.open(&Options::default(), &interrupt.clone().into()).expect("no options");
    // A formula of any origin may name more variables than its header.
    let named = formula.clauses().flatten().map(|lit| lit.vidx32() + 1).max().unwrap_or(0);
    session.fresh(formula.variables().max(named));
    for clause in formula.clauses() {
        session.clause(clause);
    }
    session
}

/// Looks for a model of the formula that breaks a rule of the board.
pub(super) fn prove(formula: &Formula, map: &VarMap, board: &Board) -> Proof {
    let interrupt = Interrupt::default();
    let mut session = load(formula, &interrupt);
    violation(board, map, session.as_mut());
    let (done, waiting) = mpsc::channel::<()>();
    let watch = thread::Builder::new().spawn(move || {
        // The channel is closed once the answer is found. Otherwise the time limit is reached.
        if waiting.recv_timeout(TIME_LIMIT) == Err(mpsc::RecvTimeoutError::Timeout) {
            interrupt.raise();
        }
    });
    let answer = session.solve();
    drop(done);
    // A watch that fails, or does not start, has no effect on the result.
    let _ = watch.map(JoinHandle::join);
    match answer {
        Answer::Sat => {
            let solution = map.decode(|lit| session.holds(lit));
            Proof::Refuted(Placement::of(board, &solution))
        }
        Answer::Unsat => Proof::Proved,
        Answer::Unknown => Proof::GaveUp,
    }
}
