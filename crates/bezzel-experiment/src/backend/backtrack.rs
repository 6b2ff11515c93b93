//! `backtrack`: search row by row, with the lines as bits of a word.
//!
//! The option `threads` is the number of threads that count. A single thread lists solutions.

use std::num::NonZeroUsize;

use bezzel_count::bitmask::MAX_COLUMNS;
use bezzel_count::{Bitmask, Counted};
use bezzel_encode::{Encoding, Unsupported};
use bezzel_problem::{Board, Candidate, Instance, Square};
use bezzel_solve::{BackendInfo, Effort, OptionError, Options};
use num_bigint::BigUint;

use super::{
    Backend, BackendError, BackendResult, Capabilities, Conditions, InputKind, Observer, Query,
    QueryInput, THREADS, board_of, refuse_others, threads,
};

/// The largest number of threads that is accepted. A larger one is probably a mistake.
const MAX_THREADS: i64 = 1024;

/// See the [module](self).
pub(super) struct BacktrackEngine;

const ID: &str = "backtrack";

impl Backend for BacktrackEngine {
    fn info(&self) -> BackendInfo {
        BackendInfo {
            id: ID.into(),
            title: "Exhaustive search with lines as bits".into(),
            version: "1".into(),
            citation: "Qiu 2002, Bit-vector encoding of n-queen problem; Richards 1997".into(),
        }
    }

    fn reads(&self) -> InputKind {
        InputKind::Board
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { solves: false, lists: true, counts: true, models: false }
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        refuse_others(ID, options, Some(THREADS), &(1..=MAX_THREADS))?;
        Ok(options.clone())
    }

    fn fits(
        &self,
        instance: &Instance,
        _encoding: Option<&dyn Encoding>,
    ) -> Result<(), Unsupported> {
        refuse_wide(ID, board_of(ID, instance)?, MAX_COLUMNS)
    }

    fn run(
        &self,
        question: &QueryInput<'_>,
        conditions: &Conditions<'_>,
        observer: &mut dyn Observer,
    ) -> Result<BackendResult, BackendError> {
        observer.loaded(None);
        let board = question.instance.board().expect("a job that is planned fits its engine");
        let search = Bitmask::new(board).expect("a job that is planned fits its engine");
        let (budget, threads) = (conditions.budget(), threads(conditions.options));
        let threads = NonZeroUsize::new(threads as usize).unwrap_or(NonZeroUsize::MIN);
        let counted = match question.query {
            Query::Count => search.count(threads, budget)?,
            Query::List => {
                let mut queens: Vec<Candidate> = Vec::new();
                let nodes = search.each(budget, |columns| {
                    queens.clear();
                    let squares = columns.iter().zip(0..);
                    queens.extend(
                        squares.map(|(&column, row)| board.candidate(Square::new(row, column))),
                    );
                    observer.found(&queens)
                })?;
                return Ok(BackendResult { effort: effort(nodes), ..BackendResult::default() });
            }
            Query::Models => unreachable!("it has no such power"),
        };
        let Counted { solutions, nodes } = counted;
        Ok(BackendResult {
            count: Some(BigUint::from(solutions)),
            effort: effort(nodes),
            ..BackendResult::default()
        })
    }
}

/// Returns the effort: the nodes of the search are its decisions.
fn effort(nodes: u64) -> Effort {
    Effort { decisions: Some(nodes), ..Effort::default() }
}

/// Refuses a board with more than `max` columns.
pub(super) fn refuse_wide(id: &str, board: &Board, max: u32) -> Result<(), Unsupported> {
    if board.columns() <= max {
        return Ok(());
    }
    let why = format!("a row is a machine word of {max} bits");
    Err(Unsupported::new(format!("`{id}`"), &board.problem(), why, "take a smaller board"))
}
