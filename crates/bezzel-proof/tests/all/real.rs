//! Proofs of CaDiCaL are accepted.

use bezzel_proof::{Limits, LratChecker, Notation, ProofStats, Refusal};

use crate::cadical::{Form, Route, proof};
use crate::formulas::{Formula, random, rooks};

/// A checker that has the formula.
pub(crate) fn checker(formula: &Formula, route: Route) -> LratChecker {
    let limits = Limits::default();
    let mut checker = match route {
        Route::File => LratChecker::new(limits),
        Route::Clauses => LratChecker::with_interleaved_ids(limits),
    };
    for clause in formula {
        checker.clause(clause);
    }
    checker
}

#[track_caller]
fn accept(formula: &Formula, route: Route, options: &[(&str, i32)]) -> ProofStats {
    let check = |form| {
        let proof = proof(formula, route, form, options);
        let result = checker(formula, route).check(proof.as_slice());
        let result =
            result.unwrap_or_else(|refusal| panic!("{route:?} {form:?} {options:?}: {refusal}"));
        assert!(result.bytes <= proof.len() as u64);
        result
    };
    let (text, binary) = (check(Form::Text), check(Form::Binary));
    assert_eq!((text.notation, binary.notation), (Some(Notation::Text), Some(Notation::Binary)));
    assert_eq!((text.steps, text.propagations), (binary.steps, binary.propagations));
    assert_eq!(
        ProofStats { bytes: 0, notation: None, ..text },
        ProofStats { bytes: 0, notation: None, ..binary }
    );
    assert_eq!(text.unknown_deletions, 0);
    text
}

#[test]
fn proofs_of_rook_boards_are_accepted_however_the_formula_is_given() {
    for (rows, columns) in [(2, 1), (3, 2), (5, 4), (7, 6)] {
        for route in [Route::File, Route::Clauses] {
            let result = accept(&rooks(rows, columns), route, &[]);
            assert_eq!(result.rat, 0);
        }
    }
}

fn check_random_formulas(seeds: u64) {
    for seed in 0..seeds {
        let formula = random(seed, 40, 260);
        for route in [Route::File, Route::Clauses] {
            accept(&formula, route, &[]);
            accept(&formula, route, &[("factor", 1), ("factorcheck", 0)]);
        }
    }
}

#[test]
fn proofs_of_random_formulas_are_accepted() {
    check_random_formulas(4);
}

#[test]
#[ignore = "second tier: 20 formulas"]
fn proofs_of_more_random_formulas_are_accepted() {
    check_random_formulas(20);
}

fn check_variable_addition(boards: &[(i32, i32)]) {
    let mut rat = 0;
    for &(rows, columns) in boards {
        for route in [Route::File, Route::Clauses] {
            let result = accept(&rooks(rows, columns), route, &[("factor", 1)]);
            rat += result.rat;
        }
    }
    assert!(rat > 0);
}

#[test]
fn bounded_variable_addition_makes_rat_steps_that_are_accepted() {
    check_variable_addition(&[(6, 5), (7, 6)]);
}

#[test]
#[ignore = "second tier: larger boards"]
fn bounded_variable_addition_on_larger_boards_makes_rat_steps_that_are_accepted() {
    check_variable_addition(&[(8, 7), (9, 8)]);
}

/// Given queens are units, by which CaDiCaL shortens the clauses that come after them.
fn check_numbers(seeds: u64) {
    for seed in 0..seeds {
        let mut formula = random(seed, 30, 200);
        let units = [seed as i32 % 30 + 1, -(seed as i32 * 7 % 30 + 1)];
        for (i, unit) in units.into_iter().enumerate() {
            formula.insert(i * 50, vec![unit]);
        }
        // A literal twice, a tautology, and a clause that is satisfied.
        formula.insert(20, vec![3, 3, -5]);
        formula.insert(30, vec![4, 6, -4]);
        formula.insert(60, vec![units[0], 9]);
        let result = accept(&formula, Route::Clauses, &[]);
        accept(&formula, Route::File, &[]);
        let proof = proof(&formula, Route::Clauses, Form::Text, &[]);
        let plain = checker(&formula, Route::File).check(proof.as_slice());
        assert!(matches!(plain, Err(Refusal::Wrong { .. })), "{result:?}");
    }
}

#[test]
fn clauses_that_are_derived_while_the_formula_is_added_are_numbered_in_between() {
    check_numbers(5);
}

#[test]
#[ignore = "second tier: 40 formulas"]
fn clauses_of_more_formulas_are_numbered_in_between() {
    check_numbers(40);
}
