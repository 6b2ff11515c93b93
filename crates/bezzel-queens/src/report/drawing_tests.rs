//! The drawings of boards in the figure of instances.

use crate::Board;
use bezzel_encode::Registry;
use bezzel_experiment::{ExperimentRecord, Row};
use bezzel_problem::{Cell, CellLook, Drawing, Square};
use bezzel_solve::Answer;

use super::tests::{of_size, propagated, solved, unchecked};
use bezzel_report::analysis::Analysis;
use bezzel_report::chart::{Chart, Facet, FacetBody, SignKind};

fn drawn(rows: Vec<Row>) -> Option<Chart> {
    let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
    let kind = bezzel_report::figure::ALL.iter().find(|kind| kind.id == "instances").unwrap();
    (kind.draw)(&Analysis::new(&record, &Registry::new()))
}

/// The squares of a panel with this look.
fn squares(facet: &Facet, look: CellLook) -> Vec<Square> {
    let FacetBody::Drawing(Drawing::Grid { rows, chequered: true, .. }) = &facet.body else {
        panic!("a board is drawn")
    };
    let each = (0..).zip(rows).flat_map(|(row, cells)| {
        (0..).zip(cells).map(move |(column, cell)| (Square::new(row, column), cell))
    });
    let has = |cell: &Cell| cell.look == look && !cell.text.is_empty();
    each.filter(|(_, cell)| has(cell)).map(|(square, _)| square).collect()
}

fn placed(mut row: Row, queens: &[(u32, u32)]) -> Row {
    row.places = Some(queens.iter().copied().map(Square::from).collect());
    row
}

/// A solution of N = 4.
const FOUR: [(u32, u32); 4] = [(1, 2), (2, 4), (3, 1), (4, 3)];
/// One of N = 8, the first in the order of the alphabet.
const EIGHT: [(u32, u32); 8] = [(1, 1), (2, 5), (3, 8), (4, 6), (5, 3), (6, 7), (7, 2), (8, 4)];

fn titles(chart: &Chart) -> Vec<&str> {
    chart.facets.iter().map(|facet| facet.title.as_str()).collect()
}

#[test]
fn the_classic_board_is_shown_before_smaller_ones_and_else_the_smallest() {
    let four = placed(of_size(4, solved(1.0)), &FOUR);
    let chart = drawn(vec![four.clone(), placed(solved(1.0), &EIGHT)]).unwrap();
    assert_eq!(titles(&chart), ["N = 8"]);
    let found = squares(&chart.facets[0], CellLook::Found);
    assert_eq!(found, EIGHT.map(Square::from));
    assert_eq!(titles(&drawn(vec![of_size(5, solved(1.0)), four]).unwrap()), ["N = 4"]);
}

#[test]
fn given_and_blocked_squares_are_distinguished_from_queens_that_were_found() {
    let board = Board::new(4).unwrap();
    let given = board.with_placed([Square::from(FOUR[0])]).unwrap();
    let given = given.with_blocked([Square::from((1, 1))]).unwrap();
    let mut row = placed(solved(1.0), &FOUR);
    row.job.instance = given.into();
    let chart = drawn(vec![row]).unwrap();
    assert_eq!(titles(&chart), ["N = 4, 1 given, 1 blocked"]);
    let of = |look| squares(&chart.facets[0], look);
    assert_eq!(of(CellLook::Blocked), [Square::new(0, 0)]);
    assert_eq!(of(CellLook::Given), [Square::from(FOUR[0])]);
    assert_eq!(of(CellLook::Found), [FOUR[1], FOUR[2], FOUR[3]].map(Square::from));
    assert_eq!(chart.signs.len(), 3);
}

#[test]
fn a_blocked_board_without_a_solution_shows_its_squares() {
    let mut refuted = solved(1.0);
    refuted.status = Answer::Unsat;
    refuted.job.instance =
        Board::new(4).unwrap().with_blocked(FOUR.map(Square::from)).unwrap().into();
    let chart = drawn(vec![refuted.clone(), placed(solved(1.0), &EIGHT)]).unwrap();
    assert_eq!(titles(&chart), ["N = 4, 4 blocked", "N = 8"]);
    assert!(chart.caption.contains("Verified as unsatisfiable: N = 4, 4 blocked."));
    assert_eq!(drawn(vec![refuted]), None);
}

#[test]
fn neither_large_boards_nor_unchecked_solutions_are_shown() {
    let large = placed(of_size(21, solved(1.0)), &EIGHT);
    assert_eq!(drawn(vec![large, placed(unchecked(1.0), &EIGHT)]), None);
}

/// Side 5 with a queen in the second square of the first row: the squares that it attacks, and the squares that are
/// equal in both solutions.
const ATTACKED: &str = "xQxxx/xxx../.x.x./.x..x/.x...";
const IMPLIED: &str = "xQxxx/xxx../.x.xx/.x.xx/xxx..";
/// These solutions, as the column in each row.
const SOLUTIONS: [[u32; 5]; 2] = [[1, 3, 0, 2, 4], [1, 4, 2, 0, 3]];
const GIVEN: Square = Square::new(0, 1);

fn on_five(encoding: &str, found: &str) -> Row {
    let mut row = propagated(encoding, Some(found), Some(IMPLIED));
    row.job.instance = Board::new(5).unwrap().with_placed([GIVEN]).unwrap().into();
    row
}

#[test]
fn excluded_squares_are_crossed_for_the_weakest_and_the_strongest_encoding() {
    let rows = vec![
        // A smaller board without a solution. A conflict on it determines no square.
        propagated("pairwise", None, None),
        on_five("order", IMPLIED),
        on_five("pairwise", ATTACKED),
        on_five("support", ATTACKED),
    ];
    let board = rows[1].job.instance.clone();
    let chart = drawn(rows).unwrap();
    assert_eq!(titles(&chart), ["pairwise", "order"]);
    let those = |is: &dyn Fn(Square) -> bool| -> Vec<Square> {
        Board::of(&board).unwrap().each_square().filter(|&square| is(square)).collect()
    };
    let attacked = those(&|square| Board::of(&board).unwrap().attacks(GIVEN, square));
    let never = those(&|square| {
        SOLUTIONS.iter().all(|columns| columns[square.row as usize] != square.column)
    });
    for (facet, crossed) in chart.facets.iter().zip([attacked, never]) {
        assert_eq!(squares(facet, CellLook::RuledOut), crossed);
        assert_eq!(squares(facet, CellLook::Given), [GIVEN]);
        assert!(squares(facet, CellLook::Found).is_empty());
    }
    let look = |sign: SignKind| match sign {
        SignKind::Cell(of) => of.look,
        other => panic!("{other:?}"),
    };
    let signs: Vec<_> = chart.signs.iter().map(|sign| look(sign.sign)).collect();
    assert_eq!(signs, [CellLook::Given, CellLook::RuledOut]);
    let expected = "Of 16 implied values, pairwise finds 12, and order finds 16, the fewest and the most of \
                    all encodings.";
    assert!(chart.caption.ends_with(expected), "{}", chart.caption);
}

#[test]
fn encodings_that_find_the_same_are_one_board_and_found_queens_stand_on_it() {
    // The one solution of side 4 follows from the queen alone.
    let whole = "xQxx/xxxQ/Qxxx/xxQx";
    let rows = vec![
        propagated("pairwise", Some(whole), Some(whole)),
        propagated("order", Some(whole), Some(whole)),
    ];
    let chart = drawn(rows).unwrap();
    assert_eq!(titles(&chart), ["pairwise"]);
    let queens = [(2, 4), (3, 1), (4, 3)].map(Square::from);
    assert_eq!(squares(&chart.facets[0], CellLook::Found), queens);
    assert_eq!(squares(&chart.facets[0], CellLook::RuledOut).len(), 12);
    assert!(chart.caption.ends_with("pairwise finds 15."), "{}", chart.caption);
}

#[test]
fn a_board_on_which_encodings_differ_is_shown_before_one_on_which_they_do_not() {
    // All implied squares are found: the other squares of the row.
    let marks = "xxQxx/...../...../...../.....";
    let elsewhere = |encoding: &str| {
        let mut row = propagated(encoding, Some(marks), Some(marks));
        row.job.instance = Board::new(5).unwrap().with_placed([Square::new(0, 2)]).unwrap().into();
        row
    };
    let rows = vec![
        elsewhere("pairwise"),
        elsewhere("order"),
        on_five("pairwise", ATTACKED),
        on_five("order", IMPLIED),
    ];
    let chart = drawn(rows).unwrap();
    assert_eq!(titles(&chart), ["pairwise", "order"]);
    assert_eq!(squares(&chart.facets[0], CellLook::Given), [GIVEN]);
}
