//! Limits of engines: interrupts, numbers of solutions and numbers of nodes. Reproducibility of runs.

use std::sync::Arc;

use bezzel_count::Halt;
use bezzel_experiment::backend::{Backend, BackendResult, InputKind, Query};
use bezzel_queens::Board;

use crate::experiment::running::{RecordingObserver, RunConditions, run_engine};
use crate::experiment::subjects::{each_of, each_with_one, encodings, engines, readable};

#[test]
fn an_enumerator_that_is_stopped_beforehand_finds_nothing_and_reports_it() {
    each_with_one(8, |engine, board, encoding, query| {
        let given = RunConditions::default();
        given.interrupt.raise();
        let mut notes = RecordingObserver::default();
        let outcome = run_engine(engine, board, encoding, query, &given, &mut notes);
        let id = engine.info().id;
        assert_eq!(outcome, Err(Halt::Stopped.into()), "{id}: {query:?}");
        assert!(notes.shown.is_empty(), "{id}: {query:?}");
    });
}

#[test]
#[ignore = "second tier: boards up to side 10"]
fn an_enumerator_that_is_stopped_between_solutions_reports_that_there_may_be_more() {
    // A fast search of the board alone checks the interrupt rarely. A diagram of a large board takes long.
    let small = Board::new(4).unwrap();
    let makes_diagram = |engine: &Arc<dyn Backend>| {
        let read = readable(engine.as_ref(), &small, &encodings()).swap_remove(0);
        let (query, given, mut notes) =
            (Query::List, RunConditions::default(), RecordingObserver::default());
        let outcome = run_engine(engine.as_ref(), &small, read.as_ref(), query, &given, &mut notes);
        outcome.unwrap().diagram.is_some()
    };
    let listing = engines().into_iter().filter(|engine| engine.capabilities().lists);
    let (solvers, others): (Vec<_>, Vec<_>) =
        listing.partition(|engine| engine.reads() == InputKind::Clauses);
    let (diagrams, quick): (Vec<_>, Vec<_>) = others.into_iter().partition(makes_diagram);
    for (engines, side, solutions) in [(quick, 10, 724), (diagrams, 6, 4), (solvers, 8, 92)] {
        each_of(&engines, side, |engine, board, encoding, query| {
            if query != Query::List {
                return;
            }
            let given = RunConditions::default();
            let raise = Some(given.interrupt.clone());
            let mut notes = RecordingObserver { raise, ..RecordingObserver::default() };
            let outcome = run_engine(engine, board, encoding, query, &given, &mut notes);
            let id = engine.info().id;
            assert_eq!(outcome, Err(Halt::Stopped.into()), "{id}");
            assert!((1..solutions).contains(&notes.shown.len()), "{id}: {}", notes.shown.len());
            // An engine that reads clauses is a solver, which counts its effort so far.
            if engine.reads() == InputKind::Clauses {
                let spent = notes.spent.and_then(|effort| effort.propagations);
                assert!(spent.is_some_and(|spent| spent > 0), "{id}: {spent:?}");
            }
        });
    }
}

#[test]
#[ignore = "second tier: every engine on side 6"]
fn an_observer_with_enough_solutions_gets_no_more() {
    each_with_one(6, |engine, board, encoding, query| {
        for enough in [1, 3, 4] {
            if query == Query::List {
                let mut notes =
                    RecordingObserver { enough: Some(enough), ..RecordingObserver::default() };
                let outcome = run_engine(
                    engine,
                    board,
                    encoding,
                    query,
                    &RunConditions::default(),
                    &mut notes,
                );
                assert!(outcome.is_ok(), "{}: {outcome:?}", engine.info().id);
                assert_eq!(notes.shown.len(), enough, "{}", engine.info().id);
            }
        }
    });
}

fn check_nodes(side: u32) {
    let mut keepers = 0;
    each_with_one(side, |engine, board, encoding, query| {
        let id = engine.info().id;
        let run_with = |nodes| {
            let given = RunConditions { nodes, ..RunConditions::default() };
            run_engine(engine, board, encoding, query, &given, &mut RecordingObserver::default())
        };
        let diagram = run_with(None).unwrap().diagram;
        if let Some(size) = diagram {
            let max = [size.nodes, size.peak_nodes, size.peak_states].into_iter().flatten().max();
            // On a small board few states are kept, since the last rows are searched again.
            let few = max.unwrap().min(3) - 1;
            assert_eq!(run_with(Some(few)), Err(Halt::Nodes(few).into()), "{id}: {query:?}");
            let enough = run_with(Some(1 << 20)).map(|outcome| outcome.diagram);
            assert_eq!(enough, Ok(diagram), "{id}: a budget that is not spent changes nothing");
            keepers += 1;
        }
    });
    let diagrams = |engine: &Arc<dyn Backend>| engine.reads() == InputKind::Circuit;
    assert!(keepers > 0 || !engines().iter().any(diagrams));
}

#[test]
fn an_engine_that_keeps_nodes_ends_at_its_limit_of_nodes() {
    check_nodes(4);
}

#[test]
#[ignore = "second tier: side 6"]
fn an_engine_that_keeps_nodes_on_side_6_ends_at_its_limit_of_nodes() {
    check_nodes(6);
}

fn check_effort(side: u32) {
    each_with_one(side, |engine, board, encoding, query| {
        let run = || {
            let mut notes = RecordingObserver::default();
            let outcome =
                run_engine(engine, board, encoding, query, &RunConditions::default(), &mut notes);
            let BackendResult { count, diagram, effort, .. } = outcome.unwrap();
            (count, diagram, effort, notes.shown)
        };
        assert_eq!(run(), run(), "{}: {query:?}", engine.info().id);
    });
}

#[test]
fn the_same_question_takes_the_same_effort_and_nodes_every_time() {
    check_effort(4);
}

#[test]
#[ignore = "second tier: side 6"]
fn the_same_question_on_side_6_takes_the_same_effort_and_nodes_every_time() {
    check_effort(6);
}
