//! Auxiliary variables do not count. `bezzel-queens` compares the solutions by every engine, with every encoding and numbering.

use bezzel_encode::{Auxiliaries, Encoding, FormulaStats, Lit, VarRange};
use bezzel_queens::Board;
use bezzel_solve::cadical::Cadical;
use bezzel_solve::{Answer, Options, SessionOptions, Solver};

use crate::enumerate::{encoding, enumerators, open, projection, set};

/// An incorrect method: a clause over all variables excludes each model, up to `limit` times.
fn blocking_all_variables(encoding: &dyn Encoding, board: &Board, limit: usize) -> usize {
    let mut stats = FormulaStats::new();
    encoding.encode(&board.problem(), &mut stats);
    let mut session = Cadical::Default.open(&Options::new(), &SessionOptions::default()).unwrap();
    encoding.encode(&board.problem(), &mut *session);
    let mut found = 0;
    while found < limit && session.solve() == Answer::Sat {
        let variables = VarRange::after(0, stats.variables());
        let against = |lit| if session.holds(lit) { !lit } else { lit };
        let clause: Vec<Lit> = variables.lits().map(against).collect();
        session.clause(&clause);
        found += 1;
    }
    found
}

#[test]
fn free_auxiliary_variables_make_no_enumerator_count_too_much() {
    let board = Board::new(6).unwrap();
    let free = encoding("sequential-counter");
    assert_eq!(free.info().auxiliaries, Auxiliaries::Free);
    for (id, enumerator) in enumerators() {
        let map = free.encode(&board.problem(), &mut FormulaStats::new());
        let mut enumeration = open(&*enumerator);
        enumeration.set_projection(projection(&map));
        free.encode(&board.problem(), &mut *enumeration);
        assert_eq!(set(&mut *enumeration, &id).len(), 4, "{id}");
    }
    // A method that blocks these variables as well finds far more models than solutions.
    assert_eq!(blocking_all_variables(&*free, &board, 100), 100);
    assert_eq!(blocking_all_variables(&*encoding("pairwise"), &board, 100), 4);
}
