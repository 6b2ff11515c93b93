//! The orders of variables on boards.

use bezzel_count::apply::Order;
use bezzel_encode::{FormulaStats, Registry, Settings, Var};
use bezzel_queens::Board;

/// The numbers of the variables of an encoding in this order.
fn numbers(id: &str, board: &Board, order: Order) -> Vec<u32> {
    let encoding = bezzel_queens::register(Registry::standard())
        .find(id)
        .unwrap()
        .with_settings(Settings::default());
    let map = encoding.rules(&board.problem(), &mut FormulaStats::new());
    order.variables(board.problem().grid().unwrap(), &map).into_iter().map(Var::idx32).collect()
}

#[test]
fn squares_are_ordered_by_rows_columns_rings_and_rows_from_the_middle() {
    let board = Board::new(3).unwrap();
    for (order, expected) in [
        (Order::Row, [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        (Order::Column, [0, 3, 6, 1, 4, 7, 2, 5, 8]),
        (Order::InsideOut, [4, 0, 1, 2, 3, 5, 6, 7, 8]),
        (Order::Interleaved, [3, 4, 5, 6, 7, 8, 0, 1, 2]),
    ] {
        assert_eq!(numbers("pairwise", &board, order), expected, "{order}");
    }
    let board = Board::new(4).unwrap();
    let rings = [5, 6, 9, 10, 0, 1, 2, 3, 4, 7, 8, 11, 12, 13, 14, 15];
    assert_eq!(numbers("bryant-circuit", &board, Order::InsideOut), rings);
    let rows = [4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 12, 13, 14, 15];
    assert_eq!(numbers("bryant-circuit", &board, Order::Interleaved), rows);
}

#[test]
fn codes_are_ordered_from_their_most_significant_bits() {
    let board = Board::new(5).unwrap();
    // Three bits in each row, the least significant one first.
    for id in ["binary", "bryant-circuit:binary"] {
        for (order, expected) in [
            (Order::Row, [2, 1, 0, 5, 4, 3, 8, 7, 6, 11, 10, 9, 14, 13, 12]),
            (Order::Column, [2, 5, 8, 11, 14, 1, 4, 7, 10, 13, 0, 3, 6, 9, 12]),
            (Order::InsideOut, [8, 7, 6, 5, 4, 3, 11, 10, 9, 2, 1, 0, 14, 13, 12]),
            (Order::Interleaved, [8, 7, 6, 11, 10, 9, 5, 4, 3, 14, 13, 12, 2, 1, 0]),
        ] {
            assert_eq!(numbers(id, &board, order), expected, "{id}, {order}");
        }
    }
}
