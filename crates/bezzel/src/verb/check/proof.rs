//! Whether a formula allows anything but solutions: asked of a solver, where there are too many to be
//! listed.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use bezzel_encode::properties::violation;
use bezzel_encode::{Formula, VarMap};
use bezzel_problem::{Board, Placement};
use bezzel_solve::cadical::Cadical;
use bezzel_solve::{Answer, Interrupt, Options, Session, Solver};

/// So long the solver may look.
const PATIENCE: Duration = Duration::from_secs(30);

/// What the solver found.
pub(super) enum Proof {
    /// Nothing but solutions is allowed.
    Proved,
    /// A placement that is wrongly allowed.
    Refuted(Placement),
    /// Nothing, in the time that it had.
    GaveUp,
}

/// The formula in a solver.
pub(super) fn load(formula: &Formula, interrupt: &Interrupt) -> Box<dyn Session> {
    let solver = Cadical::Default;
    let mut session =
        solver.open(&Options::default(), &interrupt.clone().into()).expect("no options");
    // A formula from anywhere may name more variables than its header has.
    let named = formula.clauses().flatten().map(|lit| lit.vidx32() + 1).max().unwrap_or(0);
    session.fresh(formula.variables().max(named));
    for clause in formula.clauses() {
        session.clause(clause);
    }
    session
}

/// Looks for a model of the formula in which some rule of the board is broken.
pub(super) fn prove(formula: &Formula, map: &VarMap, board: &Board) -> Proof {
    let interrupt = Interrupt::default();
    let mut session = load(formula, &interrupt);
    violation(board, map, session.as_mut());
    let (done, waiting) = mpsc::channel::<()>();
    let watch = thread::spawn(move || {
        // Either the answer is there and the sender gone, or it is time to stop.
        if waiting.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
            interrupt.raise();
        }
    });
    let answer = session.solve();
    drop(done);
    // A watch that fails has nothing more to interrupt.
    let _ = watch.join();
    match answer {
        Answer::Sat => {
            let solution = map.decode(|lit| session.holds(lit));
            Proof::Refuted(Placement::of(board, &solution))
        }
        Answer::Unsat => Proof::Proved,
        Answer::Unknown => Proof::GaveUp,
    }
}
