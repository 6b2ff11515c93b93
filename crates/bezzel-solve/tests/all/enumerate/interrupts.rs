//! Callers may stop or interrupt an enumeration; enumerators are found by name.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use bezzel_queens::Board;
use bezzel_solve::{EnumerationEnd, Interrupt, SessionOptions};

use crate::enumerate::{enumerators, queens, set, shown};

#[test]
fn an_observer_with_enough_solutions_gets_no_more() {
    let board = Board::new(8).unwrap();
    for (id, enumerator) in enumerators() {
        for enough in [1, 2, 50, 92] {
            let mut enumeration = queens(&*enumerator, &board, &SessionOptions::default());
            let mut seen = 0;
            let reach = enumeration.each(&mut |model| {
                assert_eq!(model.iter().filter(|&&queen| queen).count(), 8, "{id}");
                seen += 1;
                if seen == enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!((seen, reach), (enough, EnumerationEnd::Enough), "{id}");
        }
        let mut enumeration = queens(&*enumerator, &board, &SessionOptions::default());
        assert_eq!(set(&mut *enumeration, &id).len(), 92, "{id}");
    }
}

/// `propagator` decides in an order of its own, which finds no model on some boards: on this one it must begin again.
#[test]
#[ignore = "second tier: side 60"]
fn a_large_board_has_models_that_are_found() {
    let board = Board::new(60).unwrap();
    let enumerator = crate::enumerator("propagator");
    let mut enumeration = queens(&*enumerator, &board, &SessionOptions::default());
    let mut models = BTreeSet::new();
    let reach = enumeration.each(&mut |model| {
        assert_eq!(model.iter().filter(|&&queen| queen).count(), 60);
        assert!(models.insert(model.to_vec()));
        if models.len() == 20 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((models.len(), reach), (20, EnumerationEnd::Enough));
}

#[test]
fn an_interrupt_stops_it_before_the_first_model_and_between_models() {
    let board = Board::new(8).unwrap();
    for (id, enumerator) in enumerators() {
        let interrupt = Interrupt::default();
        let mut enumeration = queens(&*enumerator, &board, &interrupt.clone().into());
        let mut seen = 0;
        let reach = enumeration.each(&mut |_| {
            seen += 1;
            interrupt.raise();
            ControlFlow::Continue(())
        });
        assert_eq!(reach, EnumerationEnd::Interrupted, "{id}");
        assert!((1..92).contains(&seen), "{id}: {seen}");

        let mut enumeration = queens(&*enumerator, &board, &interrupt.into());
        assert_eq!(shown(&mut *enumeration), (Vec::new(), EnumerationEnd::Interrupted), "{id}");
    }
}

#[test]
fn the_ids_of_enumerators_differ_and_stay() {
    let ids: Vec<String> = super::enumerators().into_iter().map(|(id, _)| id).collect();
    assert_eq!(ids, ["blocking", "blocking:cadical:plain", "blocking:batsat", "propagator"]);
}
