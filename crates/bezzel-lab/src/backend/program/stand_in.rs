//! Stand-ins for programs: they encode nothing, and note the requests that a program would get.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use bezzel_encode::amk::{AtMostK, Limit};
use bezzel_encode::registry::{Command, CommandKind};
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

    /// The requests.
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
        match stand_in.command.kind {
            CommandKind::Board => registry.with(stand_in),
            CommandKind::AtMostOne | CommandKind::AtMostK => registry.with_at_most_one(stand_in),
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

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        match self.of_bounds() {
            Some(encoder) => Limit::AtMost.encode(encoder, xs, 1, out),
            None => self.note(Request::AtMostOne(xs.len() as u64)),
        }
    }

    fn of_bounds(&self) -> Option<&dyn AtMostK> {
        (self.command.kind == CommandKind::AtMostK).then_some(self as _)
    }
}

impl AtMostK for StandIn {
    fn about(&self) -> Card {
        super::card(&self.command)
    }

    fn at_most_size(&self, _n: u64, _k: u64) -> Option<Size> {
        None
    }

    fn at_most(&self, xs: &[Lit], k: u64, _out: &mut dyn ClauseSink) {
        self.note(Request::AtMostK { inputs: xs.len() as u64, k });
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
