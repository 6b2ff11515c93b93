//! The state that all requests share.

use std::path::PathBuf;

use bezzel_encode::Registry;
use bezzel_problem::Board;
use serde::Serialize;

use super::limits::Limits;
use super::tasks::Tasks;
use super::{Options, PageMaker};
use crate::question::{Question, QuestionError};

/// The largest side of small boards. They are answered in milliseconds and never wait for others.
const SMALL_SIDE: u32 = 8;

/// The largest number of files of reports that are made or found at a time.
const MAX_PAGES: usize = 64;

/// The state that all requests share. No request changes it.
pub(super) struct Shared {
    pub(super) limits: Limits,
    pub(super) encodings: Registry,
    /// The encodings for questions.
    pub(super) listed: Vec<ListedEncoding>,
    /// The folder of the reports, if there is one.
    pub(super) reports: Option<PathBuf>,
    /// The function that makes pages of reports.
    pub(super) maker: Option<PageMaker>,
    /// The pages that are being made.
    pub(super) pages: Tasks,
    /// Questions about small boards.
    small: Tasks,
    /// All other questions.
    pub(super) large: Tasks,
}

/// An encoding by id, with its title and the name that it shares with its variants.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ListedEncoding {
    id: String,
    title: String,
    family: String,
}

impl Shared {
    pub(super) fn new(options: Options) -> Self {
        let Options { reports, maker, encodings, limits, .. } = options;
        // Encodings with at-most-one constraints beside clauses cannot be propagated.
        let infos = encodings.infos().into_iter().filter(|info| !info.cardinality);
        let listed = infos.map(|info| ListedEncoding {
            family: info.name().to_owned(),
            id: info.id,
            title: info.title,
        });
        Self {
            listed: listed.collect(),
            encodings,
            reports,
            maker,
            pages: Tasks::new(MAX_PAGES, limits.page),
            small: Tasks::new(limits.tasks, limits.time),
            large: Tasks::new(limits.tasks, limits.time),
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

    /// Returns the tasks for questions about a board.
    pub(super) fn tasks(&self, board: &Board) -> &Tasks {
        if board.rows() <= SMALL_SIDE { &self.small } else { &self.large }
    }
}
