//! What all requests share.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bezzel_encode::Registry;
use bezzel_problem::Board;
use serde::Serialize;

use super::Maker;
use super::compiler::{Compiler, Made, State};
use super::hosts::Hosts;
use super::limits::Limits;
use super::refusal::Refusal;
use super::sending::Sending;
use super::tasks::Tasks;
use crate::question::{Question, QuestionError};

/// So many compiled boards are read at a time, of the small ones and of the others.
pub(super) const READERS: usize = 2;

/// The diagram of a small board has at most so many nodes: it is read in less than a millisecond.
const SMALL_NODES: usize = 10_000;

/// What all requests share. It does not change, but for what is compiled.
pub(super) struct Shared {
    pub(super) limits: Limits,
    pub(super) hosts: Hosts,
    pub(super) encodings: Registry,
    /// The encodings that can be looked through.
    pub(super) listed: Vec<Listed>,
    /// The folder of the reports, if there is one.
    pub(super) reports: Option<PathBuf>,
    /// Makes pages of reports.
    pub(super) maker: Option<Maker>,
    /// The pages that are being made.
    pub(super) making: Tasks,
    pub(super) compiler: Arc<Compiler>,
    /// Work of which a request may ask for seconds.
    pub(super) tasks: Tasks,
    /// What is read off a compiled board, in milliseconds: of small boards and of all others, so that the
    /// former never wait for the latter.
    read_small: Tasks,
    read_large: Tasks,
    /// Room for the answers that are being sent.
    pub(super) sending: Sending,
}

/// An encoding by id, with what it is in a few words.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Listed {
    id: String,
    title: String,
}

/// How a board is known.
pub(super) enum Known {
    /// By its diagram.
    Diagram(Arc<Made>),
    /// Not yet.
    Making { seconds: f64, nodes: u64 },
    /// By searching, for this reason.
    Search(String),
}

impl Shared {
    pub(super) fn new(
        limits: Limits,
        hosts: Hosts,
        encodings: Registry,
        reports: Option<PathBuf>,
        maker: Option<Maker>,
    ) -> Self {
        // Those that state at-most-one constraints whole have no clauses to look through.
        let cards = encodings.cards().into_iter().filter(|card| !card.cardinality);
        let listed = cards.map(|card| Listed { id: card.id, title: card.title }).collect();
        Self {
            hosts,
            encodings,
            listed,
            reports,
            maker,
            making: Tasks::new(limits.pages, limits.page, limits.requests),
            compiler: Arc::new(Compiler::new(&limits)),
            tasks: Tasks::new(limits.tasks, limits.time, limits.requests),
            read_small: Tasks::new(READERS, limits.time, limits.connections),
            read_large: Tasks::new(READERS, limits.time, limits.requests),
            sending: Sending::new(limits.sending_bytes),
            limits,
        }
    }

    /// The question of a query string.
    pub(super) fn question(
        &self,
        query: Option<&str>,
        more: &[&'static str],
    ) -> Result<Question, QuestionError> {
        Question::read(query.unwrap_or_default(), self.limits.sides, more)
    }

    /// How the board is known within this time.
    pub(super) async fn know(&self, board: &Board, patience: Duration) -> Result<Known, Refusal> {
        let side = board.rows();
        if !self.limits.compilable.has(board) {
            return Ok(Known::Search(format!(
                "N = {side} is searched by SAT, square by square: its diagram would take too long, so \
                 the number of solutions is not known"
            )));
        }
        Ok(match self.compiler.ask(board, patience).await? {
            State::Made(made) => Known::Diagram(made),
            State::Making { seconds, nodes } => Known::Making { seconds, nodes },
            State::Refused(why) => Known::Search(format!(
                "this board is searched by SAT, square by square, since its diagram does not compile \
                 within the limits of this server ({why}): the number of solutions is not known"
            )),
        })
    }

    /// Where a compiled board is read.
    pub(super) fn readers(&self, made: &Made) -> &Tasks {
        if is_small(made) { &self.read_small } else { &self.read_large }
    }

    /// Where a compiled board is asked many questions.
    pub(super) fn askers(&self, made: &Made) -> &Tasks {
        if is_small(made) { &self.read_small } else { &self.tasks }
    }

    /// The diagram of the board, however long that takes within the limits; `None` if it is to be
    /// searched.
    pub(super) async fn diagram(&self, board: &Board) -> Result<Option<Arc<Made>>, Refusal> {
        // What is late is stopped, and soon after it is known that it was.
        let patience = self.limits.time + Duration::from_secs(2);
        match self.know(board, patience).await? {
            Known::Diagram(made) => Ok(Some(made)),
            Known::Making { .. } => Err(Refusal::later("the board is still being compiled")),
            Known::Search(_) => Ok(None),
        }
    }
}

fn is_small(made: &Made) -> bool {
    made.compiled.nodes() <= SMALL_NODES
}
