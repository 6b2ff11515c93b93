//! Who is stopped, has seen enough, or keeps too much; and what is the same every time.

use std::sync::Arc;

use bezzel_count::Halt;
use bezzel_lab::backend::{Backend, Outcome, Query, Reads};
use bezzel_problem::Board;

use crate::asking::{Given, Notes, ask};
use crate::subjects::{each_of, each_with_one, encodings, engines, readable};

#[test]
fn whoever_is_stopped_beforehand_finds_nothing_and_says_so() {
    each_with_one(8, |engine, board, encoding, wish| {
        let given = Given::default();
        given.interrupt.raise();
        let mut notes = Notes::default();
        let outcome = ask(engine, board, encoding, wish, &given, &mut notes);
        let id = engine.info().id;
        assert_eq!(outcome, Err(Halt::Stopped.into()), "{id}: {wish:?}");
        assert!(notes.shown.is_empty(), "{id}: {wish:?}");
    });
}

#[test]
fn whoever_is_stopped_between_solutions_says_that_there_may_be_more() {
    // A search of the bare board is so quick that it looks up now and then only; the diagram of a large
    // board takes its time.
    let small = Board::new(4).unwrap();
    let makes_diagram = |engine: &Arc<dyn Backend>| {
        let read = readable(engine.as_ref(), &small, &encodings()).swap_remove(0);
        let (wish, given, mut notes) = (Query::List, Given::default(), Notes::default());
        let outcome = ask(engine.as_ref(), &small, read.as_ref(), wish, &given, &mut notes);
        outcome.unwrap().diagram.is_some()
    };
    let listing = engines().into_iter().filter(|engine| engine.capabilities().lists);
    let (solvers, others): (Vec<_>, Vec<_>) =
        listing.partition(|engine| engine.reads() == Reads::Clauses);
    let (diagrams, quick): (Vec<_>, Vec<_>) = others.into_iter().partition(makes_diagram);
    for (engines, side, solutions) in [(quick, 10, 724), (diagrams, 6, 4), (solvers, 8, 92)] {
        each_of(&engines, side, |engine, board, encoding, wish| {
            if wish != Query::List {
                return;
            }
            let given = Given::default();
            let raise = Some(given.interrupt.clone());
            let mut notes = Notes { raise, ..Notes::default() };
            let outcome = ask(engine, board, encoding, wish, &given, &mut notes);
            let id = engine.info().id;
            assert_eq!(outcome, Err(Halt::Stopped.into()), "{id}");
            assert!((1..solutions).contains(&notes.shown.len()), "{id}: {}", notes.shown.len());
            // Who reads clauses is a solver, and has counted what it did until then.
            if engine.reads() == Reads::Clauses {
                let spent = notes.spent.and_then(|effort| effort.propagations);
                assert!(spent.is_some_and(|spent| spent > 0), "{id}: {spent:?}");
            }
        });
    }
}

#[test]
fn whoever_has_seen_enough_is_shown_no_more() {
    each_with_one(6, |engine, board, encoding, wish| {
        for enough in [1, 3, 4] {
            if wish == Query::List {
                let mut notes = Notes { enough: Some(enough), ..Notes::default() };
                let outcome = ask(engine, board, encoding, wish, &Given::default(), &mut notes);
                assert!(outcome.is_ok(), "{}: {outcome:?}", engine.info().id);
                assert_eq!(notes.shown.len(), enough, "{}", engine.info().id);
            }
        }
    });
}

#[test]
fn whoever_keeps_nodes_ends_where_there_are_too_many() {
    let mut keepers = 0;
    each_with_one(6, |engine, board, encoding, wish| {
        let id = engine.info().id;
        let asked = |nodes| {
            let given = Given { nodes, ..Given::default() };
            ask(engine, board, encoding, wish, &given, &mut Notes::default())
        };
        let diagram = asked(None).unwrap().diagram;
        if let Some(size) = diagram {
            let most = [size.nodes, size.peak_nodes, size.peak_states].into_iter().flatten().max();
            // Of a small board few states are kept, since the last rows are gone through anew.
            let few = most.unwrap().min(3) - 1;
            assert_eq!(asked(Some(few)), Err(Halt::Nodes(few).into()), "{id}: {wish:?}");
            let enough = asked(Some(1 << 20)).map(|outcome| outcome.diagram);
            assert_eq!(enough, Ok(diagram), "{id}: a budget that is not spent changes nothing");
            keepers += 1;
        }
    });
    let diagrams = |engine: &Arc<dyn Backend>| engine.reads() == Reads::Circuit;
    assert!(keepers > 0 || !engines().iter().any(diagrams));
}

#[test]
fn the_same_question_takes_the_same_effort_and_nodes_every_time() {
    each_with_one(6, |engine, board, encoding, wish| {
        let run = || {
            let mut notes = Notes::default();
            let outcome = ask(engine, board, encoding, wish, &Given::default(), &mut notes);
            let Outcome { count, diagram, effort, .. } = outcome.unwrap();
            (count, diagram, effort, notes.shown)
        };
        assert_eq!(run(), run(), "{}: {wish:?}", engine.info().id);
    });
}
