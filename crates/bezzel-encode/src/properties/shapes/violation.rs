//! The negation of a constraint, for solvers that search a wrong assignment.
//!
//! A counter defines, for i inputs and j ≤ t, that at least j of the first i inputs hold, in both directions. It shares
//! no code with encoders.

use std::collections::HashMap;

use rustsat::types::Lit;

use crate::bound::Limit;
use crate::shape::Shape;
use crate::sink::ClauseSink;

/// Defines in `out` the literals each of which states that the constraint on `xs` does not hold: together they cover all
/// assignments that it forbids.
pub fn violation(shape: Shape, xs: &[Lit], out: &mut dyn ClauseSink) -> Vec<Lit> {
    let mut beyond = Vec::new();
    if shape.limit != Limit::AtLeast && shape.k < shape.n {
        beyond.push(at_least(xs, shape.k + 1, out));
    }
    if shape.limit != Limit::AtMost && shape.k > 0 {
        beyond.push(!at_least(xs, shape.k, out));
    }
    beyond
}

/// The number of variables that [`violation`] makes for a shape, or a little more.
pub fn violation_variables(shape: Shape) -> u64 {
    let Shape { n, limit, k } = shape;
    let one = |t: u64| n.saturating_mul(t.min(n.saturating_sub(t)).saturating_add(1));
    match limit {
        Limit::AtMost => one(k + 1),
        Limit::AtLeast => one(k),
        Limit::Exactly => one(k + 1).saturating_add(one(k)),
    }
}

/// A literal that holds exactly if at least `t` of `xs` do, for 1 ≤ t ≤ n.
fn at_least(xs: &[Lit], t: u64, out: &mut dyn ClauseSink) -> Lit {
    let n = xs.len();
    let t = usize::try_from(t).expect("a threshold among literals");
    if t > n / 2 + 1 {
        // At least t hold unless at least n − t + 1 do not.
        let negations: Vec<Lit> = xs.iter().map(|&x| !x).collect();
        return !counter(&negations, n - t + 1, out);
    }
    counter(xs, t, out)
}

/// The counter: a cell (i, j) states that at least j of the first i literals hold.
fn counter(xs: &[Lit], t: usize, out: &mut dyn ClauseSink) -> Lit {
    let mut before: HashMap<usize, Lit> = HashMap::new();
    for (i, &x) in (1..).zip(xs) {
        let mut cells = HashMap::new();
        for j in 1..=t.min(i) {
            let cell = out.fresh(1).lit(0);
            // Without j = 0, which holds, and j > i − 1, which does not.
            let (stays, grows) = (before.get(&j).copied(), before.get(&(j - 1)).copied());
            // cell ← stays, and cell ← x ∧ grows
            if let Some(stays) = stays {
                out.clause(&[!stays, cell]);
            }
            let by_x: Vec<Lit> = [!x, cell].into_iter().chain(grows.map(|grows| !grows)).collect();
            out.clause(&by_x);
            // cell → stays ∨ x, and cell → stays ∨ grows
            let with = |lit: Lit| [!cell, lit].into_iter().chain(stays).collect::<Vec<Lit>>();
            out.clause(&with(x));
            if let Some(grows) = grows {
                out.clause(&with(grows));
            }
            cells.insert(j, cell);
        }
        before = cells;
    }
    before[&t]
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::formula::Formula;
    use crate::models;

    #[test]
    fn exactly_the_forbidden_assignments_violate_a_constraint() {
        for (n, limit) in (1..=7).flat_map(|n| Limit::ALL.map(|limit| (n, limit))) {
            for k in 0..=n {
                let shape = Shape { n, limit, k };
                let mut formula = Formula::new();
                let xs: Vec<Lit> = formula.fresh(n as u32).lits().collect();
                let beyond = violation(shape, &xs, &mut formula);
                let made = u64::from(formula.variables()) - n;
                assert!(made <= violation_variables(shape), "{shape}: {made}");
                let primary: Vec<_> = xs.iter().map(|lit| lit.var()).collect();
                let mut tried = 0;
                let _: ControlFlow<()> = models::each(&formula, &primary, 2, |model, count| {
                    let held = xs.iter().filter(|&&x| model.holds(x)).count() as u64;
                    let violated = beyond.iter().any(|&lit| model.holds(lit));
                    assert_eq!((violated, count), (!shape.allows(held), 1), "{shape}: {held}");
                    tried += 1;
                    ControlFlow::Continue(())
                });
                assert_eq!(tried, 1 << n, "{shape}");
            }
        }
    }
}
