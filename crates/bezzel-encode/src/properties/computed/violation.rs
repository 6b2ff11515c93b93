//! The opposite of a board's rules: some rule is broken.
//!
//! Together with a formula of the board, these clauses leave the models that represent no solution. If there is none,
//! the formula allows only solutions: a proof where there are too many to be listed.
//!
//! Each way to break a rule has a variable that implies it: a row without a queen; a line with two, found by a second
//! queen after a first; a given queen that is missing; a queen on a blocked square. One of these variables holds. The
//! opposite direction is not stated, because it is not needed.

use bezzel_problem::{Board, Family};
use rustsat::types::Lit;

use crate::sink::ClauseSink;
use crate::var_map::VarMap;

/// Writes to `out`, after the formula with this map, that some rule of the board is broken.
pub fn violation(board: &Board, map: &VarMap, out: &mut dyn ClauseSink) {
    let mut ways: Vec<Lit> = Vec::new();
    for family in board.families() {
        for line in board.lines(*family) {
            let squares: Vec<_> = line.collect();
            if *family == Family::Rows {
                let none = fresh(out);
                for &square in &squares {
                    without(none, map.cube(board.candidate(square)), out);
                }
                ways.push(none);
            }
            // True if a queen stands on the line up to here.
            let mut before: Option<Lit> = None;
            for &square in &squares {
                let here = fresh(out);
                with(here, map.cube(board.candidate(square)), out);
                let until = fresh(out);
                match before {
                    None => out.clause(&[!until, here]),
                    Some(before) => {
                        let second = fresh(out);
                        out.clause(&[!second, here]);
                        out.clause(&[!second, before]);
                        ways.push(second);
                        out.clause(&[!until, here, before]);
                    }
                }
                before = Some(until);
            }
        }
    }
    for &square in board.placed() {
        let missing = fresh(out);
        without(missing, map.cube(board.candidate(square)), out);
        ways.push(missing);
    }
    for &square in board.blocked() {
        let there = fresh(out);
        with(there, map.cube(board.candidate(square)), out);
        ways.push(there);
    }
    out.clause(&ways);
}

fn fresh(out: &mut dyn ClauseSink) -> Lit {
    out.fresh(1).lit(0)
}

/// `way` implies that a queen stands on the square of this cube.
fn with(way: Lit, cube: &[Lit], out: &mut dyn ClauseSink) {
    for &lit in cube {
        out.clause(&[!way, lit]);
    }
}

/// `way` implies that no queen stands on the square of this cube.
fn without(way: Lit, cube: &[Lit], out: &mut dyn ClauseSink) {
    let clause: Vec<Lit> = std::iter::once(!way).chain(cube.iter().map(|&lit| !lit)).collect();
    out.clause(&clause);
}

#[cfg(test)]
mod tests {
    use bezzel_problem::{Geometry, Square};

    use super::*;
    use crate::formula::Formula;
    use crate::models;
    use crate::{Constraints, Registry};

    /// The formula of an encoding without one of its clauses, and the meaning of its variables.
    fn cut(board: &Board, id: &str, leave_out: Option<usize>) -> (Formula, VarMap) {
        let encoding = Registry::standard().find(id).unwrap().on_board(Constraints::NoColumnAlo);
        let mut whole = Formula::new();
        let map = encoding.encode(&board.problem(), &mut whole);
        let mut formula = Formula::new();
        formula.fresh(whole.variables());
        for (number, clause) in whole.clauses().enumerate() {
            if Some(number) != leave_out {
                formula.clause(clause);
            }
        }
        (formula, map)
    }

    /// The number of placements that break a rule, and of wrong ones that are allowed.
    fn left(board: &Board, id: &str, leave_out: Option<usize>) -> (usize, usize) {
        let (mut formula, map) = cut(board, id, leave_out);
        let allowed = models::placements(&formula, board, &map, 1);
        let wrong = allowed.iter().filter(|(placement, _)| placement.judge(board).is_err()).count();
        violation(board, &map, &mut formula);
        (models::placements(&formula, board, &map, 1).len(), wrong)
    }

    #[test]
    fn exactly_the_wrongly_allowed_placements_break_a_rule() {
        let boards = [
            Board::new(4).unwrap(),
            Board::new(3).unwrap().with_geometry(Geometry::Torus),
            Board::new(4).unwrap().with_placed([Square::new(0, 1)]).unwrap(),
            Board::new(4).unwrap().with_blocked([Square::new(0, 2)]).unwrap(),
        ];
        for id in ["pairwise", "binary", "order"] {
            let mut max = 0;
            for board in &boards {
                assert_eq!(left(board, id, None), (0, 0), "{id} on {board}");
                let (whole, _) = cut(board, id, None);
                for number in 0..whole.len() {
                    let (left, wrong) = left(board, id, Some(number));
                    assert_eq!(left, wrong, "{id} on {board} without clause {number}");
                    max = max.max(wrong);
                }
            }
            assert!(max > 0, "{id}: some clause is needed somewhere");
        }
    }
}
