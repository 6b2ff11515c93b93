//! Boards under every encoding have the right solutions.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use bezzel_encode::{
    Auxiliaries, Encoding, Formula, FormulaStats, Lit, Numbering, VarMap, VarRange, models,
};
use bezzel_queens::{Board, Placement, Square};
use bezzel_solve::cadical::Cadical;
use bezzel_solve::{Answer, Enumerator, Options, SessionOptions, Solver};

use crate::enumerate::{encoding, encodings, enumerators, open, projection, set};

/// Returns the models of the board that the enumerator shows under this numbering.
fn board_models(
    enumerator: &dyn Enumerator,
    encoding: &dyn Encoding,
    board: &Board,
    numbering: Numbering,
    what: &str,
) -> BTreeSet<Vec<bool>> {
    let mut stats = FormulaStats::new();
    let map = encoding.encode(&board.problem(), &mut stats);
    let images = numbering.images(&board.problem(), stats.variables(), &map);
    let mut enumeration = open(enumerator);
    enumeration.set_projection(projection(&map, |lit| images.of(lit)));
    numbering.encode(encoding, &board.problem(), &images, &mut *enumeration);
    set(&mut *enumeration, what)
}

/// Returns the values of the primary variables in every assignment of them that extends to a model, by the search
/// of the encoding crate.
fn searched(formula: &Formula, map: &VarMap) -> BTreeSet<Vec<bool>> {
    let primary = map.variables();
    let mut found = BTreeSet::new();
    let _: ControlFlow<()> = models::each(formula, &primary, 1, |model, _| {
        found.insert(primary.iter().map(|var| model.holds(var.pos_lit())).collect());
        ControlFlow::Continue(())
    });
    found
}

/// Returns the placements of the models.
fn placements(models: &BTreeSet<Vec<bool>>, board: &Board, map: &VarMap) -> BTreeSet<Placement> {
    let primary = map.variables();
    let holds = |model: &[bool], lit: Lit| {
        let index = primary.iter().position(|&var| var == lit.var()).unwrap();
        model[index] == lit.is_pos()
    };
    let solutions = models.iter().map(|model| map.decode(|lit| holds(model, lit)));
    solutions.map(|solution| Placement::of(board, &solution)).collect()
}

/// Returns all solutions, found by testing every column in every row.
fn tried(side: u32) -> BTreeSet<Placement> {
    fn extend(side: u32, columns: &mut Vec<u32>, found: &mut BTreeSet<Placement>) {
        if columns.len() as u32 == side {
            let squares = (0..).zip(columns.iter());
            found.insert(squares.map(|(row, &column)| Square::new(row, column)).collect());
            return;
        }
        for column in 0..side {
            let free = columns.iter().rev().zip(1..).all(|(&other, down)| {
                let across = other.abs_diff(column);
                across != 0 && across != down
            });
            if free {
                columns.push(column);
                extend(side, columns, found);
                columns.pop();
            }
        }
    }
    let mut found = BTreeSet::new();
    extend(side, &mut Vec::new(), &mut found);
    found
}

fn check_solutions(last: u32) {
    for side in 4..=last {
        let board = Board::new(side).unwrap();
        let solutions = tried(side);
        for (name, encoding) in encodings() {
            let mut formula = Formula::new();
            let map = encoding.encode(&board.problem(), &mut formula);
            let searched = searched(&formula, &map);
            assert_eq!(placements(&searched, &board, &map), solutions, "{name}");
            for (id, enumerator) in enumerators() {
                let what = format!("{id}: {name} on {board}");
                let models =
                    board_models(&*enumerator, &*encoding, &board, Numbering::AS_GENERATED, &what);
                assert_eq!(models, searched, "{what}");
            }
        }
    }
}

#[test]
fn every_encoding_has_the_solutions_that_there_are_each_shown_once() {
    check_solutions(4);
}

#[test]
#[ignore = "second tier: up to side 6"]
fn every_encoding_has_the_solutions_up_to_side_6_each_shown_once() {
    check_solutions(6);
}

/// Renaming and polarity: models are reported in literals of the projection, for any variables.
fn check_numberings(side: u32) {
    let negated = Numbering { polarity: Some(11), ..Numbering::random(11) };
    let board = Board::new(side).unwrap();
    for (name, encoding) in encodings() {
        let mut formula = Formula::new();
        let map = encoding.encode(&board.problem(), &mut formula);
        let searched = searched(&formula, &map);
        for (id, enumerator) in enumerators() {
            for numbering in [Numbering::random(3), negated] {
                let what = format!("{id}: {name} on {board}, {}", numbering.id());
                let models = board_models(&*enumerator, &*encoding, &board, numbering, &what);
                assert_eq!(models, searched, "{what}");
            }
        }
    }
}

#[test]
fn renaming_and_negating_variables_changes_no_set_of_models() {
    check_numberings(4);
}

#[test]
#[ignore = "second tier: side 5"]
fn renaming_and_negating_variables_on_side_5_changes_no_set_of_models() {
    check_numberings(5);
}

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
        let models = board_models(&*enumerator, &*free, &board, Numbering::AS_GENERATED, &id);
        assert_eq!(models.len(), 4, "{id}");
    }
    // A method that blocks these variables as well finds far more models than solutions.
    assert_eq!(blocking_all_variables(&*free, &board, 100), 100);
    assert_eq!(blocking_all_variables(&*encoding("pairwise"), &board, 100), 4);
}
