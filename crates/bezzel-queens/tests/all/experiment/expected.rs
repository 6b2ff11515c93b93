//! The expected results on a board, and the check of an engine against them.

use std::collections::BTreeSet;

use bezzel_experiment::backend::{Backend, Capabilities, Observer, Query};
use bezzel_problem::Candidate;
use bezzel_queens::Backtrack;
use bezzel_queens::Board;

use crate::experiment::running::{RecordingObserver, RunConditions, run_engine};
use crate::experiment::subjects::NamedEncoding;

/// The expected results on a board.
pub(crate) struct ExpectedResults {
    pub(crate) count: u64,
    pub(crate) digest: String,
}

impl ExpectedResults {
    pub(crate) fn of(board: &Board) -> Self {
        let mut notes = RecordingObserver::default();
        let search = Backtrack::new(board).unwrap();
        search.each(u64::MAX, |placement| notes.found(placement.solution(board).chosen())).unwrap();
        let all = notes.collected(board);
        Self { count: all.count, digest: all.digest }
    }
}

/// Runs every query that the engine supports, and compares the results with the expected ones.
pub(crate) fn examine(
    engine: &dyn Backend,
    board: &Board,
    encoding: Option<&NamedEncoding>,
    given: &RunConditions,
    expected: &ExpectedResults,
) {
    let id = engine.info().id;
    let name = encoding.map_or("no encoding", |(name, _)| name);
    let what = format!("{id} with {name} on {board}");
    let Capabilities { lists, counts, .. } = engine.capabilities();
    assert!(lists || counts, "{id} can do nothing");
    let run = |query, notes: &mut RecordingObserver| {
        let outcome = run_engine(engine, board, encoding, query, given, notes);
        let outcome = outcome.unwrap_or_else(|error| panic!("{what}: {query:?}: {error}"));
        assert_eq!(notes.loaded.len(), 1, "{what}: {query:?}: reported once that all is read");
        outcome
    };
    if lists {
        let mut notes = RecordingObserver::default();
        run(Query::List, &mut notes);
        let collected = notes.collected(board);
        assert_eq!(collected.violation, None, "{what}");
        let sorted = |chosen: &Vec<Candidate>| chosen.iter().copied().collect::<BTreeSet<_>>();
        let set: BTreeSet<_> = notes.shown.iter().map(sorted).collect();
        assert_eq!(set.len(), notes.shown.len(), "{what}: each is shown once");
        assert_eq!(
            (collected.count, &collected.digest),
            (expected.count, &expected.digest),
            "{what}"
        );
    }
    if counts {
        let mut notes = RecordingObserver::default();
        let found = run(Query::Count, &mut notes).count;
        assert_eq!(found, Some(expected.count.into()), "{what}");
        assert!(notes.shown.is_empty(), "{what}: nothing is shown");
    }
}
