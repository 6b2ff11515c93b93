//! Stand-ins for programs: they encode nothing, and note what they are called for.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use bezzel_encode::registry::Command;
use bezzel_encode::{AtMostOne, Card, ClauseSink, Encoding, Lit, Registry, Size, VarMap};
use bezzel_problem::Problem;

use super::request::Request;

/// A stand-in, of which clones share the notes.
#[derive(Clone)]
pub(super) struct StandIn {
    command: Command,
    noted: Arc<Mutex<BTreeSet<Request>>>,
}

impl StandIn {
    pub(super) fn new(command: &Command) -> Self {
        Self { command: command.clone(), noted: Arc::default() }
    }

    /// What it was called for.
    pub(super) fn noted(&self) -> BTreeSet<Request> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, request: Request) {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner).insert(request);
    }
}

/// The registry with the stand-ins where the programs' records would be.
pub(super) fn registered(registry: &Registry, stand_ins: &[StandIn]) -> Registry {
    stand_ins.iter().cloned().fold(registry.clone(), |registry, stand_in| {
        if stand_in.command.board {
            registry.with(stand_in)
        } else {
            registry.with_at_most_one(stand_in)
        }
    })
}

impl AtMostOne for StandIn {
    fn card(&self) -> Card {
        super::card(&self.command)
    }

    fn size(&self, _n: u64) -> Option<Size> {
        None
    }

    fn encode(&self, xs: &[Lit], _out: &mut dyn ClauseSink) {
        self.note(Request::AtMostOne(xs.len() as u64));
    }
}

impl Encoding for StandIn {
    fn card(&self) -> Card {
        super::card(&self.command)
    }

    fn size(&self, _: &Problem) -> Option<Size> {
        None
    }

    fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        if let Some(board) = problem.board() {
            self.note(Request::board(board));
        }
        VarMap::one_per_candidate(out.fresh(problem.candidates()))
    }
}
