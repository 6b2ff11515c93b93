//! Stand-ins for programs: they encode nothing, and note what they are called for.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use bezzel_encode::registry::Command;
use bezzel_encode::{AtMostOne, Card, ClauseSink, Encoding, VarMap, Lit, Registry, Size};
use bezzel_problem::Board;

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

    fn size(&self, _board: &Board) -> Option<Size> {
        None
    }

    fn rules(&self, board: &Board, out: &mut dyn ClauseSink) -> VarMap {
        self.note(Request::board(board));
        let squares = out.fresh(board.squares());
        VarMap::one_per_square(board, squares)
    }
}
