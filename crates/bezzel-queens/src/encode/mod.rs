//! Boards and encodings: the encodings of whole boards, the properties of encodings on boards, and boards in texts and
//! formulas.
//!
//! # Sizes of encodings on boards
//!
//! The closed forms of encodings of any problem, for boards of side n.
//!
//! Encodings of lines, with an at-most-one of cost f and the full constraints: n² variables, 2n clauses of n literals, and
//! (2n + 2)·f(n) + 4·(f(2) + … + f(n − 1)) on the plane; on the torus 4n·f(n) in place of the latter. For `pairwise` these
//! are n(n − 1)(5n − 1)/3 + 2n clauses. `product` has 196 variables at n = 8, 132 of them auxiliary, and 632 clauses.
//!
//! `implication`, where A is the number of ordered pairs of attacking squares:
//! 2n(n − 1)(5n − 1)/3 on the plane; 4n²(n − 1) on the torus, n² fewer if n is even and squares
//! shared by two lines count once; 2n²(n − 1) for rooks.
//!
//! | id | variables | clauses | literals |
//! |---|---|---|---|
//! | `implication` | n² | A + 2n | 2A + 2n² |
//! | `implication:later` | n² | A/2 + 2n | A + 2n² |
//! | `implication:auxiliary` | 2n² | A + 2n² + 2n | 3A + 5n² |
//! | `implication:auxiliary+plaisted-greenbaum` | 2n² | A + n² + 2n | 2A + 4n² |
//!
//! On R rows and C columns, of which m is the smaller number and M the larger, the plane has
//! A = RC(R + C − 2) + 2m(m − 1)(3M − m − 1)/3, without the last term for rooks; where R ≠ C the
//! columns' C clauses and RC literals of "at least one" are missing.
//!
//! On a torus of even side the two diagonals through a square meet again half-way round. Plain
//! `implication` states that pair once for each of the two lines, as its rule goes line by line
//! and as pairwise does, so its A is the full 4n²(n − 1), also in `implication:later`. The auxiliary
//! variants state an implication for each attacking square, and count it once. At n = 8 on the plane:
//! 1,472, 744, 1,600 and 1,536 clauses.
//!
//! `binary`: n·k variables and n(2ᵏ − n) + p clauses, of n(2ᵏ − n)·k + 2pk
//! literals, for p pairs of squares on lines across rows: n(n − 1)(7n − 2)/6 on the plane,
//! 3n²(n − 1)/2 on the torus, n²(n − 1)/2 for rooks. On a torus of even side n²/2 pairs lie on two
//! lines and are stated twice, as pairwise does. At n = 8 on the plane: 24 variables, 504 clauses.
//! On R rows and C columns, of which m is the smaller number and M the larger, k = ⌈log₂ C⌉, and
//! there are R·k variables, R(2ᵏ − C) codes excluded, and CR(R − 1)/2 + m(m − 1)(3M − m − 1)/3
//! pairs, without the last term for rooks.
//! At n = 1 there is no variable and no clause: its queen is there in any case.
//!
//! `binary+selectors`: n(n + k) variables, n²(k + 1) + n + p clauses and n²(3k + 2) + 2p literals, for p
//! pairs of squares on lines across rows, counted as for `binary`: n(n − 1)(7n − 2)/6 on the plane. At n = 8 on the
//! plane: 88 variables, 768 clauses and 1,712 literals. `+bits` adds 2kn clauses and kn(n + 2) literals. On R rows and
//! C columns, k = ⌈log₂ C⌉, n² is RC, there are R clauses for rows, and `+bits` adds 2kR clauses and kR(C + 2)
//! literals. On one column k is 0, and selectors are unit clauses: queens stand there in any case.
//!
//! `order`, n ≥ 2: n(n − 1) variables and n(n − 2) + p clauses, where p is the
//! number of pairs of squares on lines across rows:
//!
//! | | p | literals |
//! |---|---|---|
//! | plane | n(n − 1)(7n − 2)/6 | 2n(n − 2) + 2n(n − 1)(7n − 8)/3 |
//! | torus | 3n²(n − 1)/2 | 2n(n − 2) + 6n(n − 1)² |
//! | rooks | n²(n − 1)/2 | 2n(n − 2) + 2n(n − 1)² |
//!
//! On a torus of even side n²/2 pairs lie on two lines and are stated twice, as pairwise does. At n = 8 on the plane:
//! 56 variables, 552 clauses and 1,888 literals. On R rows and C ≥ 2 columns, of which m is the smaller number and M
//! the larger, there are R(C − 1) variables, R(C − 2) + p clauses and 2R(C − 2) + 4p − e literals, with
//! p = CR(R − 1)/2 + m(m − 1)(3M − m − 1)/3, and e = 2R(R − 1) + 4·(min(0, C − 1) + min(1, C − 1) + … +
//! min(R − 1, C − 1)) for the squares at the edges; rooks have neither last term. On one column there is no variable:
//! one queen is there in any case, and two are the empty clause, once for each pair.
//!
//! `support`: n² variables, n + n²(n − 1)/2 + n²(n − 1) clauses, and
//! n² + n²(n − 1) + n²(n − 1)(n + 1) − 2p literals, where p is the number of pairs of squares that
//! attack each other across rows: n(n − 1)(7n − 2)/6 on the plane, 3n²(n − 1)/2 on the torus, n²/2
//! fewer if n is even, n²(n − 1)/2 for rooks. At n = 8 on the plane: 64 variables, 680 clauses,
//! 3,536 literals. `+columns` adds n + n²(n − 1) clauses and n² + n²(n − 1)(n + 1) − 2p literals. On R
//! rows and C columns: RC variables, R + RC(C − 1)/2 + RC(R − 1) clauses and
//! RC + RC(C − 1) + RC(R − 1)(C + 1) − 2p literals; of m, the smaller number, and M, the larger,
//! p = CR(R − 1)/2 + m(m − 1)(3M − m − 1)/3, without the last term for rooks.
//!
//! The literals grow as n⁴, where those of pairwise grow as n³: at n = 100 there are 98 million.
//! Over 400 boards of side 8 with one to four queens, of the squares that no queen attacks and no solution uses,
//! propagation excludes 12 in 100, with `+columns` 18, and 7 under pairwise.

use bezzel_encode::{Formula, Registry, VarMap, models};

use crate::{Board, Placement, add_kinds};

pub mod accounting;
pub mod board_text;
pub mod bryant;
pub mod bryant_circuit;
pub mod comments;
pub mod gate_counts;
pub mod properties;
pub mod solutions;

/// This registry with the encodings of boards, whose encodings of whole problems are tried on boards. The kind of boards
/// can then be read.
#[must_use]
pub fn register(registry: Registry) -> Registry {
    add_kinds();
    registry.with_all(bryant_circuit::BryantCircuit::all()).with_properties(properties::OnBoards)
}

/// The placements of the models of a board's formula, as [`models::solutions`] gives them.
pub fn placements(
    formula: &Formula,
    board: &Board,
    map: &VarMap,
    limit: u128,
) -> Vec<(Placement, u128)> {
    let solutions = models::solutions(formula, map, limit).into_iter();
    solutions.map(|(solution, models)| (Placement::of(board, &solution), models)).collect()
}
