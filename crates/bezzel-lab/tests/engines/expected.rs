//! What there is to find, and whether an engine finds it.

use std::collections::BTreeSet;

use bezzel_count::Backtrack;
use bezzel_lab::backend::{Backend, Capabilities, Observer, Query};
use bezzel_problem::{Board, Candidate};

use crate::asking::{Given, Notes, ask};
use crate::subjects::Named;

/// What there is to find on a board.
pub(crate) struct Expected {
    pub(crate) count: u64,
    pub(crate) fundamental: u64,
    pub(crate) digest: String,
}

impl Expected {
    pub(crate) fn of(board: &Board) -> Self {
        let mut notes = Notes::default();
        let search = Backtrack::new(board).unwrap();
        search.each(u64::MAX, |placement| notes.found(placement.solution(board).chosen())).unwrap();
        let all = notes.seen(board, false);
        let fundamental = notes.seen(board, true).count;
        Self { count: all.count, fundamental, digest: all.digest }
    }
}

/// Asks everything that the engine can be asked, and holds it against what there is.
pub(crate) fn examine(
    engine: &dyn Backend,
    board: &Board,
    encoding: Option<&Named>,
    given: &Given,
    expected: &Expected,
) {
    let id = engine.info().id;
    let name = encoding.map_or("no encoding", |(name, _)| name);
    let what = format!("{id} with {name} on {board}");
    let Capabilities { lists, counts, classes, .. } = engine.capabilities();
    assert!(lists || counts || classes, "{id} can do nothing");
    let told = |wish, notes: &mut Notes| {
        let outcome = ask(engine, board, encoding, wish, given, notes);
        let outcome = outcome.unwrap_or_else(|error| panic!("{what}: {wish:?}: {error}"));
        assert_eq!(notes.loaded.len(), 1, "{what}: {wish:?}: told once that all is read");
        outcome
    };
    if lists {
        let mut notes = Notes::default();
        told(Query::List, &mut notes);
        let seen = notes.seen(board, false);
        assert_eq!(seen.violation, None, "{what}");
        let sorted = |chosen: &Vec<Candidate>| chosen.iter().copied().collect::<BTreeSet<_>>();
        let set: BTreeSet<_> = notes.shown.iter().map(sorted).collect();
        assert_eq!(set.len(), notes.shown.len(), "{what}: each is shown once");
        assert_eq!((seen.count, &seen.digest), (expected.count, &expected.digest), "{what}");
        assert_eq!(notes.seen(board, true).count, expected.fundamental, "{what}");
    }
    for (can, wish, count) in
        [(counts, Query::Count, expected.count), (classes, Query::Classes, expected.fundamental)]
    {
        if can {
            let mut notes = Notes::default();
            let found = told(wish, &mut notes).count;
            assert_eq!(found, Some(count.into()), "{what}: {wish:?}");
            assert!(notes.shown.is_empty(), "{what}: {wish:?}: nothing is shown");
        }
    }
}
