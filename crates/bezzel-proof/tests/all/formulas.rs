//! Formulas without a model.

use std::fmt::Write;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A formula, in DIMACS's numbers.
pub(crate) type Formula = Vec<Vec<i32>>;

/// A rook on every row of a board, no two of which attack each other: more rows than columns.
pub(crate) fn rooks(rows: i32, columns: i32) -> Formula {
    let square = |row: i32, column: i32| row * columns + column + 1;
    let mut formula: Formula =
        (0..rows).map(|row| (0..columns).map(|column| square(row, column)).collect()).collect();
    for column in 0..columns {
        for row in 0..rows {
            formula
                .extend((0..row).map(|other| vec![-square(other, column), -square(row, column)]));
        }
    }
    for row in 0..rows {
        for column in 0..columns {
            formula
                .extend((0..column).map(|other| vec![-square(row, other), -square(row, column)]));
        }
    }
    formula
}

/// Random clauses of three literals; with enough of them, a model is very improbable.
pub(crate) fn random(seed: u64, variables: i32, clauses: usize) -> Formula {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut clause = || {
        let mut clause: Vec<i32> = Vec::new();
        while clause.len() < 3 {
            let variable = rng.random_range(1..=variables);
            if clause.iter().all(|lit| lit.abs() != variable) {
                clause.push(if rng.random() { variable } else { -variable });
            }
        }
        clause
    };
    (0..clauses).map(|_| clause()).collect()
}

/// The number of variables of a formula.
pub(crate) fn variables(formula: &Formula) -> i32 {
    formula.iter().flatten().map(|lit| lit.abs()).max().unwrap_or(0)
}

/// The formula as a DIMACS file.
pub(crate) fn dimacs(formula: &Formula) -> String {
    let mut text = format!("p cnf {} {}\n", variables(formula), formula.len());
    for clause in formula {
        for lit in clause {
            write!(text, "{lit} ").unwrap();
        }
        text += "0\n";
    }
    text
}
