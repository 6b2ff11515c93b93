//! Reasons why a formula is wrong, in terms of the board: attacking pairs that it allows, and rows or columns that it
//! leaves empty.

use std::collections::BTreeSet;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use bezzel_encode::propagate::Propagator;
use bezzel_encode::{Formula, Lit, VarMap};
use bezzel_experiment::quantity::grouped;
use bezzel_queens::{Board, Family, Geometry, Square};
use bezzel_solve::{Answer, Interrupt, Session};

use super::proof::load;

/// The time limit of the search for reasons.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// Two squares of a line.
type Pair = (Square, Square);

/// The number of the row or column at an edge of the board, if the square is on that edge.
type EdgeOf = fn(Square, &Board) -> Option<u32>;

/// An end of a line.
type EndOf = fn(&[Square]) -> Square;

/// The reasons why the formula allows assignments that are no solutions, the most specific first. Empty if each queen
/// and each line obeys its rules.
pub(super) fn reasons(formula: &Formula, map: &VarMap, board: &Board) -> Vec<String> {
    let interrupt = Interrupt::default();
    let (done, waiting) = mpsc::channel::<()>();
    let raised = interrupt.clone();
    let watch = thread::Builder::new().spawn(move || {
        if waiting.recv_timeout(TIME_LIMIT) == Err(mpsc::RecvTimeoutError::Timeout) {
            raised.raise();
        }
    });
    let mut session = load(formula, &interrupt);
    let mut reasons = pairs(formula, map, board, session.as_mut());
    reasons.extend(empty_lines(map, board, session.as_mut()));
    drop(done);
    // A watch that fails, or does not start, has no effect on the result.
    let _ = watch.map(JoinHandle::join);
    reasons
}

/// True if every square has one literal, and the formula has no other variable.
fn is_direct(formula: &Formula, map: &VarMap) -> bool {
    map.cubes().all(|cube| cube.len() == 1) && map.variables().len() == formula.variables() as usize
}

/// The attacking pairs that are allowed, a sentence for each family of lines.
fn pairs(formula: &Formula, map: &VarMap, board: &Board, session: &mut dyn Session) -> Vec<String> {
    let missed = missed(formula, map, board);
    // Auxiliary variables together may exclude a pair that no single propagation excludes.
    let (allowed, what) = if is_direct(formula, map) {
        (missed, ["has no clause", "have no clause"])
    } else {
        let both = |&(first, second): &Pair| {
            [map.cube(board.candidate(first)), map.cube(board.candidate(second))].concat()
        };
        let allowed = |pair: &Pair| session.solve_under(&both(pair)) == Answer::Sat;
        (missed.into_iter().filter(allowed).collect(), ["is allowed", "are allowed"])
    };
    let families = board.families().iter();
    let sentences = families.filter_map(|&family| {
        let lines: Vec<Vec<Square>> = board.lines(family).map(Iterator::collect).collect();
        let of_line = |line: &Vec<Square>| -> Vec<Pair> {
            let on = |(first, second): &&Pair| line.contains(first) && line.contains(second);
            allowed.iter().filter(on).copied().collect()
        };
        let found: Vec<(usize, Vec<Pair>)> =
            lines.iter().map(of_line).enumerate().filter(|(_, pairs)| !pairs.is_empty()).collect();
        (!found.is_empty()).then(|| sentence(board, family, &lines, &found, what))
    });
    sentences.collect()
}

/// The attacking pairs of which a queen on one square does not exclude the other square by unit propagation.
fn missed(formula: &Formula, map: &VarMap, board: &Board) -> Vec<Pair> {
    let mut propagator = Propagator::new(formula);
    let mut missed = Vec::new();
    for first in board.each_square() {
        let before = propagator.trail().len();
        let queen =
            map.cube(board.candidate(first)).iter().try_for_each(|&lit| propagator.assume(lit));
        if queen.is_ok() {
            let attacked = board.each_square().filter(|&second| {
                let is_out =
                    || map.cube(board.candidate(second)).iter().any(|&lit| propagator.fails(lit));
                first < second && board.attacks(first, second) && !is_out()
            });
            missed.extend(attacked.map(|second| (first, second)));
        }
        propagator.undo(before);
    }
    missed
}

/// The common property of the pairs of one family.
fn sentence(
    board: &Board,
    family: Family,
    lines: &[Vec<Square>],
    found: &[(usize, Vec<Pair>)],
    what: [&str; 2],
) -> String {
    let pairs: Vec<Pair> = found.iter().flat_map(|(_, pairs)| pairs).copied().collect();
    let name = family.id();
    let number = grouped(pairs.len() as u128);
    let (first, second) = pairs[0];
    let begin = match pairs.len() {
        1 => return format!("1 attacking pair {}: {first} and {second}, on {name}", what[0]),
        _ => format!("{number} attacking pairs {}: ", what[1]),
    };
    let all: usize = lines.iter().map(|line| line.len() * (line.len() - 1) / 2).sum();
    if pairs.len() == all {
        return format!("{begin}every pair on {name}");
    }
    let place = match found {
        [(line, _)] => {
            let squares = &lines[*line];
            let (start, end) = (squares[0], squares[squares.len() - 1]);
            format!("all on the line from {start} to {end} of the {name}")
        }
        _ => match ends(board, lines, found) {
            Some(ends) => format!("all on {name} that {ends}"),
            None => format!("all on {name}, on {} of {} lines", found.len(), lines.len()),
        },
    };
    let shared =
        shared(&pairs).map_or(String::new(), |shared| format!(", each with a square in {shared}"));
    format!("{begin}{place}{shared}; the first is {first} and {second}")
}

/// The edge where all these lines start or end, if not all lines of the family do.
fn ends(board: &Board, lines: &[Vec<Square>], found: &[(usize, Vec<Pair>)]) -> Option<String> {
    if board.geometry() == Geometry::Torus {
        return None;
    }
    let edges: [(&str, EdgeOf); 4] = [
        ("row", |square, _| (square.row == 0).then_some(1)),
        ("row", |square, board| (square.row + 1 == board.rows()).then(|| board.rows())),
        ("column", |square, _| (square.column == 0).then_some(1)),
        ("column", |square, board| (square.column + 1 == board.columns()).then(|| board.columns())),
    ];
    let ends: [(&str, EndOf); 2] =
        [("end", |line| line[line.len() - 1]), ("start", |line| line[0])];
    let mut best: Option<(usize, String)> = None;
    for (verb, end) in ends {
        for (edge, number) in edges {
            let of = |line: &Vec<Square>| number(end(line), board);
            let having = lines.iter().filter(|line| of(line).is_some()).count();
            let shared = found.iter().all(|(line, _)| of(&lines[*line]).is_some());
            let number = found.first().and_then(|(line, _)| of(&lines[*line]));
            if let (true, Some(number)) = (shared && having < lines.len(), number)
                && best.as_ref().is_none_or(|(least, _)| having < *least)
            {
                best = Some((having, format!("{verb} in {edge} {number}")));
            }
        }
    }
    best.map(|(_, words)| words)
}

/// The row or column that contains a square of every pair.
fn shared(pairs: &[Pair]) -> Option<String> {
    let places = |of: fn(Square) -> u32| -> BTreeSet<u32> {
        let (first, second) = pairs[0];
        let both = [of(first), of(second)].into_iter();
        both.filter(|&place| pairs.iter().all(|&(a, b)| of(a) == place || of(b) == place)).collect()
    };
    let column = places(|square| square.column).first().map(|at| format!("column {}", at + 1));
    column.or_else(|| places(|square| square.row).first().map(|at| format!("row {}", at + 1)))
}

/// The rows that may stay empty; the columns too, where each must hold a queen.
fn empty_lines(map: &VarMap, board: &Board, session: &mut dyn Session) -> Vec<String> {
    let families = [(Family::Rows, "row", true), (Family::Columns, "column", board.is_square())];
    let sentences =
        families.into_iter().filter(|(.., needed)| *needed).filter_map(|(family, word, _)| {
            let empty = (1..).zip(board.lines(family)).filter_map(|(number, mut line)| {
                let off: Option<Vec<Lit>> = line
                    .by_ref()
                    .map(|square| match *map.cube(board.candidate(square)) {
                        [lit] => Some(!lit),
                        // The emptiness of such a square is a clause.
                        _ => None,
                    })
                    .collect();
                (session.solve_under(&off?) == Answer::Sat).then(|| number.to_string())
            });
            let empty: Vec<String> = empty.collect();
            match &empty[..] {
                [] => None,
                [one] => Some(format!("{word} {one} may stay empty")),
                _ => Some(format!("{} {word}s may stay empty: {}", empty.len(), empty.join(", "))),
            }
        });
    sentences.collect()
}
