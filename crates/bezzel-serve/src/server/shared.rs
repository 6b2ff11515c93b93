//! The state that all requests share.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bezzel_encode::Registry;
use bezzel_problem::Board;
use serde::Serialize;

use super::PageMaker;
use super::compiler::{BoardState, CompiledBoard, Compiler};
use super::hosts::Hosts;
use super::limits::Limits;
use super::refusal::Refusal;
use super::sending::Sending;
use super::tasks::Tasks;
use crate::question::{Question, QuestionError};

/// The number of compiled boards that are read at a time: small ones, and again other ones.
pub(super) const MAX_READ_TASKS: usize = 2;

/// The largest number of nodes of the diagram of a small board: it is read in less than a millisecond.
const SMALL_NODES: usize = 10_000;

/// The state that all requests share. Only the compiled boards change.
pub(super) struct Shared {
    pub(super) limits: Limits,
    pub(super) hosts: Hosts,
    pub(super) encodings: Registry,
    /// The encodings for questions.
    pub(super) listed: Vec<ListedEncoding>,
    /// The folder of the reports, if there is one.
    pub(super) reports: Option<PathBuf>,
    /// The function that makes pages of reports.
    pub(super) maker: Option<PageMaker>,
    /// The pages that are being made.
    pub(super) page_tasks: Tasks,
    pub(super) compiler: Arc<Compiler>,
    /// Tasks that may take seconds.
    pub(super) tasks: Tasks,
    /// Tasks that read a compiled board, in milliseconds: small boards and all others, so that the former never
    /// wait for the latter.
    read_small: Tasks,
    read_large: Tasks,
    /// The memory for the answers that are being sent.
    pub(super) sending: Sending,
}

/// An encoding by id, with its title and the name that it shares with its variants.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ListedEncoding {
    id: String,
    title: String,
    family: String,
}

/// The method by which the squares of a board are known.
pub(super) enum SquaresSource {
    /// By its diagram.
    Diagram(Arc<CompiledBoard>),
    /// The diagram is being compiled.
    Compiling { seconds: f64, nodes: u64 },
    /// By a search, for this reason.
    Search(String),
}

impl Shared {
    pub(super) fn new(
        limits: Limits,
        hosts: Hosts,
        encodings: Registry,
        reports: Option<PathBuf>,
        maker: Option<PageMaker>,
    ) -> Self {
        // Encodings with at-most-one constraints beside clauses cannot be propagated.
        let infos = encodings.infos().into_iter().filter(|info| !info.cardinality);
        let listed = infos.map(|info| ListedEncoding {
            family: info.name().to_owned(),
            id: info.id,
            title: info.title,
        });
        Self {
            hosts,
            listed: listed.collect(),
            encodings,
            reports,
            maker,
            page_tasks: Tasks::new(limits.pages, limits.page, limits.requests),
            compiler: Arc::new(Compiler::new(&limits)),
            tasks: Tasks::new(limits.tasks, limits.time, limits.requests),
            read_small: Tasks::new(MAX_READ_TASKS, limits.time, limits.connections),
            read_large: Tasks::new(MAX_READ_TASKS, limits.time, limits.requests),
            sending: Sending::new(limits.sending_bytes),
            limits,
        }
    }

    /// Parses the question of a query string.
    pub(super) fn question(
        &self,
        query: Option<&str>,
        more: &[&'static str],
    ) -> Result<Question, QuestionError> {
        Question::read(query.unwrap_or_default(), self.limits.sides, more)
    }

    /// Returns the method for the board after at most `time_limit`.
    pub(super) async fn squares_source(
        &self,
        board: &Board,
        time_limit: Duration,
    ) -> Result<SquaresSource, Refusal> {
        let side = board.rows();
        if !self.limits.compilable.has(board) {
            return Ok(SquaresSource::Search(format!(
                "N = {side} is searched by SAT, square by square: its diagram would take too long, so \
                 solutions are not counted"
            )));
        }
        Ok(match self.compiler.board_state(board, time_limit).await? {
            BoardState::Compiled(compiled_board) => SquaresSource::Diagram(compiled_board),
            BoardState::Compiling { seconds, nodes } => SquaresSource::Compiling { seconds, nodes },
            BoardState::Refused(why) => SquaresSource::Search(format!(
                "this board is searched by SAT, square by square, since its diagram does not compile \
                 within the limits of this server ({why}): solutions are not counted"
            )),
        })
    }

    /// Returns the tasks that read a compiled board.
    pub(super) fn read_tasks(&self, compiled_board: &CompiledBoard) -> &Tasks {
        if is_small(compiled_board) { &self.read_small } else { &self.read_large }
    }

    /// Returns the tasks that ask a compiled board many questions.
    pub(super) fn query_tasks(&self, compiled_board: &CompiledBoard) -> &Tasks {
        if is_small(compiled_board) { &self.read_small } else { &self.tasks }
    }

    /// Returns the diagram of the board, after any time within the limits; `None` if the board is to be searched.
    pub(super) async fn diagram(
        &self,
        board: &Board,
    ) -> Result<Option<Arc<CompiledBoard>>, Refusal> {
        // A late compilation is stopped, and its end is reported soon afterwards.
        let time_limit = self.limits.time + Duration::from_secs(2);
        match self.squares_source(board, time_limit).await? {
            SquaresSource::Diagram(compiled_board) => Ok(Some(compiled_board)),
            SquaresSource::Compiling { .. } => {
                Err(Refusal::later("the board is still being compiled"))
            }
            SquaresSource::Search(_) => Ok(None),
        }
    }
}

fn is_small(compiled_board: &CompiledBoard) -> bool {
    compiled_board.compiled.nodes() <= SMALL_NODES
}
