//! Reasons: they are valid, and none is smaller.

use bezzel_problem::{Board, Geometry, Placement, Square};
use bezzel_serve::knowledge::search::Search;
use bezzel_serve::knowledge::squares::{Mark, Squares};
use bezzel_serve::knowledge::why::{ChainStep, Why, WhyError, why};
use bezzel_serve::knowledge::{Oracle, Stopped, position};
use bezzel_solve::Interrupt;

use crate::knowledge::brute::{self, Case, clash};
use crate::knowledge::squares::compiled;

/// Returns every subset with `size` of the squares.
fn subsets(squares: &[Square], size: usize) -> Vec<Vec<Square>> {
    let all = (0_u32..1 << squares.len()).filter(|set| set.count_ones() as usize == size);
    let chosen = |set: u32| {
        let places = (0..squares.len()).filter(|place| set >> place & 1 == 1);
        places.map(|place| squares[place]).collect()
    };
    all.map(chosen).collect()
}

/// Returns true if no solution has pieces on all of these squares.
fn rules_out(case: &Case, queens: &[Square], square: Square) -> bool {
    let held = [queens, &[square]].concat();
    case.with(&held).is_empty()
}

fn check(case: &Case, square: Square, why: &Why) {
    let board = &case.board;
    let context = format!("{board}: {square}: {why:?}");
    assert_eq!(why.square, square);
    assert!(why.queens.iter().all(|queen| board.placed().contains(queen)), "{context}");
    assert!(rules_out(case, &why.queens, square), "{context}");
    for size in 0..why.queens.len() {
        for smaller in subsets(board.placed(), size) {
            assert!(!rules_out(case, &smaller, square), "{context}: {smaller:?}");
        }
    }
    assert_eq!(why.attack.is_some(), case.is_attacked(square), "{context}");
    if let Some(attack) = &why.attack {
        // From a piece to the square, and each next to the one before, around the edges of a torus.
        let line = &attack.squares;
        assert!(board.placed().contains(&line[0]) && line.last() == Some(&square), "{context}");
        let side = board.rows();
        let is_near = |one: u32, other: u32| {
            let apart = one.abs_diff(other);
            apart <= 1 || (board.geometry() == Geometry::Torus && apart == side - 1)
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
    if let Some(chain) = &why.chain {
        follow(board, &why.queens, square, chain);
    }
}

/// Follows a chain by coordinates only: each step has one square left, the end none.
fn follow(board: &Board, queens: &[Square], square: Square, chain: &[ChainStep]) {
    let mut pieces = [queens, &[square]].concat();
    let (end, steps) = chain.split_last().unwrap();
    let open = |pieces: &[Square], line: &str| -> Vec<Square> {
        let (family, number) = line.split_once(' ').unwrap();
        let number: u32 = number.parse().unwrap();
        let on = |square: &Square| match family {
            "row" => square.row + 1 == number,
            "column" => square.column + 1 == number,
            _ => panic!("{line}"),
        };
        assert!(!pieces.iter().any(on), "{line} has its piece");
        let free = |square: &Square| {
            !board.blocked().contains(square)
                && !pieces.iter().any(|&piece| clash(board, piece, *square))
        };
        board.each_square().filter(on).filter(free).collect()
    };
    for step in steps {
        assert_eq!(open(&pieces, &step.line), [step.square.unwrap()], "{board}: {chain:?}");
        pieces.extend(step.square);
    }
    assert_eq!(end.square, None);
    assert_eq!(open(&pieces, &end.line), [], "{board}: {chain:?}");
}

#[test]
fn the_set_rules_the_square_out_and_no_smaller_one_does() {
    let never = Interrupt::default();
    let (mut chains, mut sets, mut alone) = (0, [0; 9], 0);
    for case in brute::every().iter().step_by(2).chain(&brute::random(8, 4)) {
        let compiled = compiled(case);
        let found = Squares::by_diagram(&case.board, &compiled);
        for (square, mark) in case.board.each_square().zip(&found.marks) {
            let solutions = found.solutions.clone();
            let answer = why(&case.board, square, solutions, &mut compiled.until(&never));
            match mark {
                Mark::Queen => assert_eq!(answer, Err(WhyError::Taken(square))),
                Mark::Free => assert_eq!(answer, Err(WhyError::Open(square))),
                Mark::Blocked => {
                    let answer = answer.unwrap();
                    assert_eq!((answer.queens, answer.chain), (Vec::new(), None));
                }
                Mark::Attacked | Mark::Dead | Mark::Unknown => {
                    let answer = answer.unwrap();
                    check(case, square, &answer);
                    chains += usize::from(answer.chain.is_some());
                    alone += usize::from(answer.queens.is_empty());
                    sets[answer.queens.len().min(8)] += 1;
                }
            }
        }
    }
    assert!(chains > 500 && alone > 500, "{chains} chains, {alone} by the board alone");
    assert!(sets[1] > 500 && sets[2] > 50 && sets[3] > 0, "sets by their size: {sets:?}");
}

#[test]
fn a_search_finds_sets_of_the_same_size() {
    for case in brute::random(3, 5) {
        let compiled = compiled(&case);
        let never = Interrupt::default();
        let mut search = Search::new(&case.board, &never);
        for square in case.board.each_square() {
            let one = why(&case.board, square, None, &mut compiled.until(&never));
            let other = why(&case.board, square, None, &mut search);
            let size = |why: Result<Why, WhyError>| why.map(|why| why.queens.len());
            if let Ok(other) = &other {
                assert!(rules_out(&case, &other.queens, square), "{}: {square}", case.board);
            }
            assert_eq!(size(one), size(other), "{}: {square}", case.board);
        }
    }
}

#[test]
fn a_stopped_search_is_reported() {
    let interrupt = Interrupt::default();
    interrupt.raise();
    let board = Board::new(8).unwrap().with_placed([Square::new(0, 0)]).unwrap();
    let mut search = Search::new(&board, &interrupt);
    let answer = why(&board, Square::new(1, 1), None, &mut search);
    assert!(matches!(answer, Err(WhyError::Stopped(_))), "{answer:?}");
}

/// An oracle that raises the interrupt after `left` solutions were requested.
struct Counting<'a, O> {
    oracle: O,
    left: u32,
    interrupt: &'a Interrupt,
}

impl<O: Oracle> Oracle for Counting<'_, O> {
    fn solution(&mut self, held: &[Square]) -> Result<Option<Placement>, Stopped> {
        if self.left == 0 {
            self.interrupt.raise();
        }
        self.left = self.left.saturating_sub(1);
        self.oracle.solution(held)
    }
}

#[test]
fn a_diagram_is_asked_no_further_once_it_is_to_stop() {
    // Two queens together rule the square out, which needs a few solutions.
    let queens = [(0, 0), (1, 4)].map(|(row, column)| Square::new(row, column));
    let board = Board::new(8).unwrap().with_placed(queens).unwrap();
    let case = Case { all: brute::solutions(&board), board };
    let compiled = compiled(&case);
    let after = |left: u32, square: Square| {
        let interrupt = &Interrupt::default();
        let mut oracle = Counting { oracle: compiled.until(interrupt), left, interrupt };
        let answer = why(&case.board, square, None, &mut oracle);
        (answer, interrupt.is_raised())
    };
    let mut stopped = 0;
    for square in case.board.each_square() {
        let (whole, _) = after(u32::MAX, square);
        for left in 0.. {
            let (answer, is_raised) = after(left, square);
            if !is_raised {
                assert_eq!(answer, whole, "{square}");
                break;
            }
            assert_eq!(answer, Err(WhyError::Stopped(Stopped)), "{square} after {left}");
            stopped += u32::from(left > 1);
        }
    }
    assert!(stopped > 20, "{stopped} were stopped after two solutions or more");
}

#[test]
fn reasons_have_a_text() {
    let queens = |queens: &[(u32, u32)]| {
        let queens = queens.iter().copied().map(Square::from);
        Board::new(8).unwrap().with_placed(queens).unwrap()
    };
    let text_of = |board: Board, square: (u32, u32)| {
        let case = Case { all: brute::solutions(&board), board };
        let compiled = compiled(&case);
        let solutions = Squares::by_diagram(&case.board, &compiled).solutions;
        let never = Interrupt::default();
        let oracle = &mut compiled.until(&never);
        why(&case.board, Square::from(square), solutions, oracle).unwrap().text
    };
    assert_eq!(
        text_of(queens(&[(2, 5)]), (2, 7)),
        "The queen on (2, 5) attacks (2, 7) along row 2."
    );
    assert_eq!(
        text_of(queens(&[(2, 5)]), (4, 3)),
        "The queen on (2, 5) attacks (4, 3) along the diagonal down to the left from (1, 6)."
    );
    let blocked = Board::new(8).unwrap().with_blocked([Square::new(2, 2)]).unwrap();
    assert_eq!(text_of(blocked, (3, 3)), "The square (3, 3) is blocked.");
    let torus = Board::new(8).unwrap().with_geometry(bezzel_problem::Geometry::Torus);
    assert_eq!(
        text_of(torus, (1, 1)),
        "No solution uses (1, 1), since this board has none: N queens on the torus have a solution \
         if and only if neither 2 nor 3 divides N (Pólya 1918)."
    );
}
