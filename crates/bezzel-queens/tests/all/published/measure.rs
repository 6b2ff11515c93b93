//! The counts of the registered encodings, with which the golden numbers are compared.

use std::ops::ControlFlow;
use std::sync::Arc;

use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{
    AtMostOne, ClauseSink, Constraints, Formula, FormulaStats, Lit, Registry, Var, models,
};
use bezzel_queens::Board;
use bezzel_queens::register;

/// The at-most-one encoding of this id.
pub(crate) fn at_most_one(id: &str) -> Arc<dyn AtMostOne> {
    match register(Registry::standard()).find(id) {
        Ok(NamedEncoding::AtMostOne(found)) => found,
        _ => panic!("`{id}` encodes lines"),
    }
}

/// Variables and clauses on the plane under the full constraints, counted.
pub(crate) fn on_board(id: &str, side: u32) -> (u128, u128) {
    let mut stats = FormulaStats::new();
    let encoding =
        register(Registry::standard()).find(id).unwrap().with_settings(Constraints::Full);
    encoding.encode(&Board::new(side).unwrap().problem(), &mut stats);
    (stats.size().variables, stats.size().clauses)
}

/// The models of the formula of the empty board under the full constraints, counted.
pub(crate) fn models_on_board(id: &str, side: u32) -> u128 {
    let mut formula = Formula::new();
    let encoding =
        register(Registry::standard()).find(id).unwrap().with_settings(Constraints::Full);
    let map = encoding.encode(&Board::new(side).unwrap().problem(), &mut formula);
    models::count(&formula, &map)
}

/// The inputs of a line, and its formula of at most one or of exactly one.
pub(crate) fn line(id: &str, n: u32, exactly: bool) -> (Vec<Lit>, Formula) {
    let mut formula = Formula::new();
    let xs: Vec<Lit> = formula.fresh(n).lits().collect();
    if exactly {
        at_most_one(id).exactly_one(&xs, &mut formula);
    } else {
        at_most_one(id).encode(&xs, &mut formula);
    }
    (xs, formula)
}

/// Auxiliary variables and clauses of at most one of `n` inputs, counted.
pub(crate) fn cost(id: &str, n: u32) -> (u128, u128) {
    let (_, formula) = line(id, n, false);
    (u128::from(formula.variables() - n), formula.len() as u128)
}

/// The number of all models of a formula over `n` inputs, auxiliary variables included.
pub(crate) fn raw_models(formula: &Formula, n: u32) -> u128 {
    let inputs: Vec<Var> = (0..n).map(Var::new).collect();
    let mut sum = 0;
    let end: ControlFlow<()> = models::each(formula, &inputs, u128::MAX, |_, models| {
        sum += models;
        ControlFlow::Continue(())
    });
    assert!(end.is_continue());
    sum
}

/// The number of pairs of `n` inputs.
pub(crate) fn pairs(n: u128) -> u128 {
    n * n.saturating_sub(1) / 2
}

/// The number of bits of a number below `n`.
pub(crate) fn bits(n: u128) -> u128 {
    (0..=64).find(|&bits| 1 << bits >= n).unwrap()
}
