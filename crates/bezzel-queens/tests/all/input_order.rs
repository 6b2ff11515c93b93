//! The order in which lines are encoded changes neither their meaning nor their size.

use std::collections::BTreeSet;

use bezzel_encode::{
    ClauseHash, Constraints, Encoding, Formula, FormulaStats, InputOrder, Registry, Settings,
};
use bezzel_queens::register;
use bezzel_queens::{Board, Placement, Square};

use crate::tiers::Tier;

/// The names of all encodings of lines, with a mixture.
fn lifted() -> Vec<String> {
    let registry = register(Registry::standard());
    let ids = registry.at_most_ones().iter().map(|at_most_one| at_most_one.info().id);
    ids.chain(["{rows: product, columns: pairwise, diagonals: sequential-counter}".into()])
        .collect()
}

fn ordered(id: &str, input_order: InputOrder, settings: Settings) -> std::sync::Arc<dyn Encoding> {
    register(Registry::standard())
        .find(id)
        .unwrap()
        .with_settings(Settings { input_order, ..settings })
}

/// Every order but the stated one.
fn others(seed: u64) -> [InputOrder; 5] {
    [
        InputOrder::Reversed,
        InputOrder::Random(seed),
        InputOrder::Common(seed),
        InputOrder::ReversedAlternate,
        InputOrder::Proximity,
    ]
}

fn placements(encoding: &dyn Encoding, board: &Board) -> BTreeSet<Placement> {
    let mut formula = Formula::new();
    let map = encoding.encode(&board.problem(), &mut formula);
    bezzel_queens::encode::placements(&formula, board, &map, u128::MAX)
        .into_iter()
        .map(|(placement, _)| placement)
        .collect()
}

fn check_orders(tier: Tier) {
    for (side, constraints) in (1..=tier.pick(3_u32, 4))
        .flat_map(|side| Constraints::ALL.map(|constraints| (side, constraints)))
        .chain([(5, Constraints::Full)])
    {
        let empty = Board::new(side).unwrap();
        let board = empty.clone().with_blocked([Square::new(side / 2, side / 3)]).unwrap();
        let settings = Settings::from(constraints);
        let known = [1, 0, 0, 2, 10][side as usize - 1];
        for id in tier.encodings(lifted(), String::clone) {
            let stated = ordered(&id, InputOrder::AsStated, settings);
            let of_board = placements(&*stated, &board);
            let size = |encoding: &dyn Encoding| {
                let mut stats = FormulaStats::new();
                encoding.rules(&board.problem(), &mut stats);
                (stats.size(), encoding.size(&board.problem()))
            };
            for order in others(side.into()) {
                let other = ordered(&id, order, settings);
                assert_eq!(placements(&*other, &empty).len(), known, "{id} {order} {constraints}");
                assert_eq!(placements(&*other, &board), of_board, "{id} {order} {constraints}");
                assert_eq!(size(&*other), size(&*stated), "{id} {order} {constraints}");
            }
        }
    }
}

#[test]
fn every_order_has_the_solutions_and_the_size_of_the_stated_one() {
    check_orders(Tier::Default);
}

#[test]
#[ignore = "second tier: all encodings"]
fn all_orders_have_the_solutions_and_the_size_of_the_stated_one() {
    check_orders(Tier::Second);
}

#[test]
fn variables_keep_their_numbers_and_pairs_stay_the_same() {
    let board = Board::new(6).unwrap();
    let clauses = |order| {
        let mut formula = Formula::new();
        let map =
            ordered("pairwise", order, Settings::default()).encode(&board.problem(), &mut formula);
        let mut clauses: Vec<Vec<_>> = formula.clauses().map(<[_]>::to_vec).collect();
        for clause in &mut clauses {
            clause.sort_unstable();
        }
        clauses.sort_unstable();
        (map, clauses)
    };
    let stated = clauses(InputOrder::AsStated);
    for order in others(3) {
        assert_eq!(clauses(order), stated, "{order}");
    }
}

#[test]
fn clauses_of_an_order_change_only_with_the_revision() {
    let digest = |id, order| {
        let encoding = ordered(id, order, Settings::default());
        let mut digest = ClauseHash::new();
        encoding.encode(&Board::new(7).unwrap().problem(), &mut digest);
        digest.finish()
    };
    let present = [InputOrder::AsStated, InputOrder::Reversed, InputOrder::Random(1)]
        .map(|order| digest("commander:3", order));
    assert_eq!(
        present,
        [
            "836d6d52f32fd1a5e1b30235a001b930",
            "51ffda85b880f34e2660615c724e962f",
            "c846d6e2eedec320c7eae07174edcb7b"
        ],
        "the clauses that rows were measured with have changed"
    );
    // An encoding of whole boards does not have the setting.
    let whole = |order| digest("binary", order);
    assert_eq!(whole(InputOrder::AsStated), whole(InputOrder::Reversed));
}
