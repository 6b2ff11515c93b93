//! Reasons: they are valid, and nothing of them can be left out.

use std::collections::BTreeMap;

use bezzel_queens::knowledge::position;
use bezzel_queens::knowledge::propagation::PropagationStep;
use bezzel_queens::knowledge::solutions::Search;
use bezzel_queens::knowledge::solutions::{Mark, Squares};
use bezzel_queens::knowledge::why::{Why, WhyError, why};
use bezzel_queens::search::clash;
use bezzel_queens::{Board, Geometry, Square};
use bezzel_solve::Interrupt;

use crate::knowledge::brute::{self, Case};
use crate::knowledge::solutions::compiled;

fn reason(board: &Board, square: Square) -> Result<Why, WhyError> {
    why(board, square, &mut Search::new(board, &Interrupt::default()))
}

/// Returns true if no solution has pieces on all of these squares.
fn rules_out(case: &Case, queens: &[Square], square: Square) -> bool {
    case.with(&[queens, &[square]].concat()).is_empty()
}

/// A literal: a square, and true if a piece stands there.
type Literal = (Square, bool);

/// Reads the name of a literal: `x(3,4)` or `¬x(3,4)`.
fn literal(name: &str) -> Literal {
    let (name, holds) = name.strip_prefix('¬').map_or((name, true), |rest| (rest, false));
    let place = name.strip_prefix("x(").and_then(|rest| rest.strip_suffix(')')).unwrap();
    let (row, column) = place.split_once(',').unwrap();
    (Square::from((row.parse().unwrap(), column.parse().unwrap())), holds)
}

fn literals(steps: &[PropagationStep]) -> Vec<Vec<Literal>> {
    steps.iter().map(|step| step.clause.iter().map(|name| literal(name)).collect()).collect()
}

/// Returns true if unit propagation of the clauses and a piece on the square ends in a conflict.
fn refutes(clauses: &[&Vec<Literal>], square: Square) -> bool {
    let mut values = BTreeMap::from([(square, true)]);
    loop {
        let before = values.len();
        for clause in clauses {
            let is_true = |(at, holds): &Literal| values.get(at) == Some(holds);
            let mut open = clause.iter().filter(|(at, _)| !values.contains_key(at));
            if clause.iter().any(is_true) {
                continue;
            }
            match (open.next().copied(), open.next()) {
                (None, _) => return true,
                (Some((at, holds)), None) => drop(values.insert(at, holds)),
                _ => {}
            }
        }
        if values.len() == before {
            return false;
        }
    }
}

/// Returns true if a clause is a rule of the board: a whole row or column has a piece; two pieces that attack each
/// other do not stand together; or a square is given.
fn is_rule(board: &Board, queens: &[Square], clause: &[Literal]) -> bool {
    match clause {
        [(square, holds)] => {
            board.rows() == 1
                || if *holds { queens.contains(square) } else { board.blocked().contains(square) }
        }
        [(one, false), (other, false)] => clash(board, *one, *other),
        line => {
            let (first, _) = line[0];
            let is_line = line.iter().all(|(square, _)| square.row == first.row)
                || line.iter().all(|(square, _)| square.column == first.column);
            is_line && line.len() == board.rows() as usize && line.iter().all(|&(_, holds)| holds)
        }
    }
}

fn check(case: &Case, square: Square, why: &Why) {
    let board = &case.board;
    let context = format!("{board}: {square}: {why:?}");
    assert_eq!(why.square, square);
    assert!(why.queens.iter().all(|queen| board.placed().contains(queen)), "{context}");
    assert!(rules_out(case, &why.queens, square) || board.blocked().contains(&square), "{context}");
    for left_out in &why.queens {
        let fewer: Vec<_> = why.queens.iter().copied().filter(|queen| queen != left_out).collect();
        assert!(!rules_out(case, &fewer, square), "{context}: without {left_out}");
    }
    assert_eq!(why.attack.is_some(), case.is_attacked(square), "{context}");
    if let Some(attack) = &why.attack {
        // From a piece to the square, and each next to the one before, around the edges of a torus.
        let line = &attack.squares;
        assert!(board.placed().contains(&line[0]) && line.last() == Some(&square), "{context}");
        let is_near = |one: u32, other: u32| {
            let apart = one.abs_diff(other);
            apart <= 1 || (board.geometry() == Geometry::Torus && apart == board.rows() - 1)
        };
        for pair in line.windows(2) {
            let [one, other] = [pair[0], pair[1]];
            assert!(
                one != other && is_near(one.row, other.row) && is_near(one.column, other.column),
                "{context}"
            );
        }
    }
    assert!(why.text.ends_with('.') && why.text.contains(&position(square)), "{context}");
    let Some(steps) = &why.clauses else { return };
    let clauses = literals(steps);
    assert!(clauses.iter().all(|clause| is_rule(board, &why.queens, clause)), "{context}");
    let all: Vec<_> = clauses.iter().collect();
    assert!(refutes(&all, square), "{context}");
    for left_out in 0..clauses.len() {
        let fewer = [&all[..left_out], &all[left_out + 1..]].concat();
        assert!(!refutes(&fewer, square), "{context}: {left_out}");
    }
}

#[test]
fn a_reason_rules_the_square_out_and_nothing_of_it_can_be_left_out() {
    let (mut derived, mut sets, mut alone) = (0, [0; 9], 0);
    for case in brute::every().iter().step_by(7).chain(&brute::random(4, 4)) {
        let found = Squares::by_diagram(&case.board, &compiled(case));
        for (square, mark) in case.board.each_square().zip(&found.marks) {
            let answer = reason(&case.board, square);
            match mark {
                Mark::Queen => assert_eq!(answer, Err(WhyError::Taken(square))),
                Mark::Free => assert_eq!(answer, Err(WhyError::Open(square))),
                Mark::Blocked | Mark::Attacked | Mark::Dead | Mark::Unknown => {
                    let answer = answer.unwrap();
                    check(case, square, &answer);
                    derived += usize::from(answer.clauses.is_some_and(|steps| steps.len() > 2));
                    alone += usize::from(answer.queens.is_empty());
                    sets[answer.queens.len().min(8)] += 1;
                }
            }
        }
    }
    assert!(derived > 100 && alone > 100, "{derived} by propagation, {alone} by the board alone");
    assert!(sets[1] > 100 && sets[2] > 10, "sets by their size: {sets:?}");
}

#[test]
fn a_square_that_propagation_leaves_open_has_no_clauses() {
    // The corner of the board of side 6 is in no solution, and propagation does not show it.
    let board = Board::new(6).unwrap();
    let corner = reason(&board, Square::new(0, 0)).unwrap();
    assert_eq!((corner.queens, corner.clauses), (Vec::new(), None));
    assert_eq!(corner.text, "No solution of this board uses (1, 1), whatever is placed.");
}

#[test]
fn a_stopped_search_is_reported() {
    let interrupt = Interrupt::default();
    interrupt.raise();
    let board = Board::new(8).unwrap().with_placed([Square::new(0, 0)]).unwrap();
    let answer = why(&board, Square::new(1, 1), &mut Search::new(&board, &interrupt));
    assert!(matches!(answer, Err(WhyError::Stopped(_))), "{answer:?}");
}

#[test]
fn reasons_have_a_text() {
    let queens = |side: u32, queens: &[(u32, u32)]| {
        let queens = queens.iter().copied().map(Square::from);
        Board::new(side).unwrap().with_placed(queens).unwrap()
    };
    let blocked = Board::new(8).unwrap().with_blocked([Square::new(2, 2)]).unwrap();
    let torus = Board::new(8).unwrap().with_geometry(Geometry::Torus);
    for (board, square, text) in [
        (queens(8, &[(2, 5)]), (2, 7), "The queen on (2, 5) attacks (2, 7) along row 2."),
        (
            queens(8, &[(2, 5)]),
            (4, 3),
            "The queen on (2, 5) attacks (4, 3) along the diagonal down to the left from (1, 6).",
        ),
        (blocked, (3, 3), "The square (3, 3) is blocked."),
        (
            torus,
            (1, 1),
            "No solution uses (1, 1), since this board has none: N queens on the torus have a solution \
             if and only if neither 2 nor 3 divides N (Pólya 1918).",
        ),
    ] {
        assert_eq!(reason(&board, Square::from(square)).unwrap().text, text);
    }
    let text = reason(&queens(5, &[(1, 1)]), Square::from((3, 4))).unwrap().text;
    assert!(
        text.starts_with("A queen on (3, 4) beside the queen on (1, 1) breaks the rules: unit"),
        "{text}"
    );
}
