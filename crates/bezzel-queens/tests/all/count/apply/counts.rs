//! Diagrams have the counts of other methods, and their models are solutions.

use std::collections::BTreeSet;

use bezzel_count::apply::{Method, Order, OxiddKind, Rules, RulesError, Schedule};
use bezzel_count::diagram::Decoder;
use bezzel_encode::{Auxiliaries, Encoding, FormulaStats, Registry, Settings};
use bezzel_queens::{Backtrack, published};
use bezzel_queens::{Board, Geometry, Placement, Square};
use num_bigint::BigUint;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{build, encoding, reading};
use crate::count::bitmask::random_board;

fn expected(board: &Board) -> BigUint {
    Backtrack::new(board).unwrap().count(u64::MAX).unwrap().into()
}

fn check_published(last: u32) {
    for side in 1..=last {
        for geometry in [Geometry::Plane, Geometry::Torus] {
            let board = Board::new(side).unwrap().with_geometry(geometry);
            let published = published::solutions(&board).unwrap().count;
            for id in ["bryant-circuit", "bryant-circuit:binary"] {
                let reading = reading(id, &board);
                for kind in OxiddKind::ALL {
                    for schedule in Schedule::ALL {
                        let built = build(Method { schedule, ..Method::new(kind) }, &reading);
                        let count = built.diagram.count();
                        assert_eq!(count, published.into(), "{id}, {kind}, {schedule}, {board}");
                    }
                }
            }
        }
    }
}

#[test]
fn counts_are_the_published_ones_on_plane_and_torus() {
    check_published(6);
}

#[test]
#[ignore = "second tier: up to side 9"]
fn counts_are_the_published_ones_up_to_side_9() {
    check_published(9);
}

fn check_random_boards(boards: u32) {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..boards {
        let board = random_board(&mut random, 6);
        let expected = expected(&board);
        let mut readings = vec![("rules", bezzel_queens::count::by_square::rules(&board).unwrap())];
        let ids = ["bryant-circuit", "bryant-circuit:binary", "order", "support", "binary"];
        for id in ids {
            let encoding = encoding(id);
            if encoding.fits(&board.problem()).is_ok() {
                readings.push((id, Rules::encoding(&*encoding, &board.problem()).unwrap()));
            }
        }
        for (id, reading) in readings {
            for kind in OxiddKind::ALL {
                let order = Order::ALL[random.random_range(0..4)];
                let schedule = Schedule::ALL[random.random_range(0..2)];
                let built = build(Method { kind, order, schedule }, &reading);
                assert_eq!(built.diagram.count(), expected, "{id}, {kind}, {order}, {board:?}");
            }
        }
    }
}

#[test]
fn on_random_boards_every_way_finds_as_many_solutions_as_a_search() {
    check_random_boards(3);
}

#[test]
#[ignore = "second tier: 60 boards"]
fn on_many_random_boards_every_way_finds_as_many_solutions_as_a_search() {
    check_random_boards(60);
}

fn check_readings(last: u32) {
    let registry = bezzel_queens::register(Registry::standard());
    let mut found: Vec<(String, std::sync::Arc<dyn Encoding>)> = Vec::new();
    for encoding in registry.whole_encodings() {
        found.push((encoding.info().id, encoding.clone()));
    }
    for at_most_one in registry.at_most_ones() {
        let id = at_most_one.info().id;
        found.push((id.clone(), registry.find(&id).unwrap().with_settings(Settings::default())));
    }
    let mut read = 0;
    for (id, encoding) in found {
        for side in 4..=last {
            let board = Board::new(side).unwrap();
            let variables = {
                let mut stats = FormulaStats::new();
                let map = encoding.rules(&board.problem(), &mut stats);
                stats.size().variables - map.variables().len() as u128
            };
            match Rules::encoding(&*encoding, &board.problem()) {
                Ok(reading) => {
                    read += 1;
                    assert!(variables == 0 || encoding.circuit(&board.problem()).is_some(), "{id}");
                    let built = build(Method::new(OxiddKind::Zbdd), &reading);
                    let published = published::solutions(&board).unwrap().count;
                    assert_eq!(built.diagram.count(), published.into(), "{id} on {side}");
                }
                Err(RulesError::Auxiliary { auxiliary, .. }) => {
                    assert_eq!(u128::from(auxiliary), variables, "{id}");
                    assert_ne!(encoding.info().auxiliaries, Auxiliaries::None, "{id}");
                }
                Err(other) => panic!("{id}: {other}"),
            }
        }
    }
    assert!(read >= (last - 3) * 20, "all circuits and some more, not {read}");
}

#[test]
fn every_encoding_without_auxiliary_variables_or_with_a_circuit_can_be_read() {
    check_readings(4);
}

#[test]
#[ignore = "second tier: up to side 6"]
fn every_encoding_with_a_circuit_can_be_read_up_to_side_6() {
    check_readings(6);
}

fn check_models(side: u32) {
    let square = Square::new(2, 3);
    let board = Board::new(side).unwrap().with_blocked([square]).unwrap();
    for id in ["bryant-circuit", "bryant-circuit:binary", "order"] {
        for kind in OxiddKind::ALL {
            for order in Order::ALL {
                let reading = reading(id, &board);
                let built = build(Method { order, ..Method::new(kind) }, &reading);
                let mut decoder = Decoder::new(reading.map());
                let mut models = built.diagram.models();
                let mut found = BTreeSet::new();
                while let Some(model) = models.next_model() {
                    let placement = Placement::of(&board, &decoder.solution(model));
                    assert_eq!(placement.judge(&board), Ok(()), "{id}, {kind}, {order}");
                    assert!(found.insert(placement), "found twice");
                }
                assert_eq!(BigUint::from(found.len()), expected(&board), "{id}, {kind}, {order}");
            }
        }
    }
}

#[test]
fn the_models_are_the_solutions_each_once() {
    check_models(5);
}

#[test]
#[ignore = "second tier: side 7"]
fn the_models_on_side_7_are_the_solutions_each_once() {
    check_models(7);
}

fn check_deep(divisor: u32) {
    // One queen in one row: any of its squares.
    for (kind, columns) in
        [(OxiddKind::Bdd, 1500_u32), (OxiddKind::Bcdd, 1000), (OxiddKind::Zbdd, 250)]
    {
        let columns = columns / divisor;
        let reading = reading("order", &Board::rectangle(1, columns).unwrap());
        assert_eq!(build(Method::new(kind), &reading).diagram.count(), columns.into(), "{kind}");
    }
}

#[test]
fn a_diagram_may_be_deep() {
    check_deep(10);
}

#[test]
#[ignore = "second tier: up to 1,500 levels"]
fn a_diagram_may_be_very_deep() {
    check_deep(1);
}

#[test]
fn more_variables_than_levels_are_refused() {
    let error = bezzel_queens::count::by_square::rules(&Board::new(256).unwrap()).unwrap_err();
    assert_eq!(error, RulesError::Variables(65536));
    assert_eq!(
        error.to_string(),
        "a diagram has at most 65535 variables, the instance needs 65536"
    );
}
