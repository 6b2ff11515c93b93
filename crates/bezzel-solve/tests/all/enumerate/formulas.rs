//! Formulas that are no boards, and formulas of which preprocessing leaves little.

use std::collections::BTreeSet;

use bezzel_encode::{Lit, VarRange};
use bezzel_queens::{Board, Geometry};
use bezzel_solve::{EnumerationEnd, Projection, SessionOptions};

use crate::enumerate::{enumerators, open, queens, set, shown};

/// Returns random clauses of three different variables, the same on every machine.
fn random_clauses(variables: VarRange, count: u32, seed: u32) -> Vec<[Lit; 3]> {
    let mut state = seed;
    let mut next = move |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    let mut clause = || {
        let first = next(variables.len() - 2);
        let second = first + 1 + next(variables.len() - first - 2);
        let third = second + 1 + next(variables.len() - second - 1);
        [first, second, third].map(|variable| {
            let lit = variables.lit(variable);
            if next(2) == 0 { lit } else { !lit }
        })
    };
    (0..count).map(|_| clause()).collect()
}

/// Returns true if a literal is true under the values of all variables, one bit each.
fn holds(values: u32, lit: Lit) -> bool {
    (values >> lit.vidx32()) & 1 == u32::from(lit.is_pos())
}

/// Properties of boards do not hold for these formulas: projections are any literals of any variables, and a model
/// may have all true literals of another one and more.
#[test]
fn random_formulas_have_the_projected_models_that_trying_all_assignments_finds() {
    const VARIABLES: u32 = 8;
    for (id, enumerator) in enumerators() {
        let mut several = 0;
        for seed in 0..120 {
            let what = format!("{id}, seed {seed}");
            let mut enumeration = open(&*enumerator);
            let all = VarRange::after(0, VARIABLES);
            // About every second variable, some of them negated.
            let chosen = all.lits().filter(|lit| (seed * 37 + 11) >> lit.vidx32() & 1 == 1);
            let lits: Vec<Lit> =
                chosen.map(|lit| if (seed + lit.vidx32()) % 3 == 0 { !lit } else { lit }).collect();
            let projection =
                Projection { lits: lits.clone(), trues_identify: false, ..<_>::default() };
            enumeration.set_projection(projection);
            assert_eq!(enumeration.fresh(VARIABLES), all, "{what}");
            let clauses = random_clauses(all, 14 + seed % 20, seed);
            for clause in &clauses {
                enumeration.clause(clause);
            }
            let model = |&values: &u32| {
                clauses.iter().all(|clause| clause.iter().any(|&lit| holds(values, lit)))
            };
            let project = |values| lits.iter().map(|&lit| holds(values, lit)).collect();
            let expected: BTreeSet<Vec<bool>> =
                (0..1_u32 << VARIABLES).filter(model).map(project).collect();
            assert_eq!(set(&mut *enumeration, &what), expected, "{what}");
            several += usize::from(expected.len() > 1);
        }
        assert!(several > 60, "{id}: {several} with more than one");
    }
}

#[test]
fn an_unsatisfiable_formula_has_no_solution_to_list() {
    let torus = Board::new(8).unwrap().with_geometry(Geometry::Torus);
    for (id, enumerator) in enumerators() {
        for board in [Board::new(3).unwrap(), torus.clone()] {
            let mut enumeration = queens(&*enumerator, &board, &SessionOptions::default());
            assert_eq!(
                shown(&mut *enumeration),
                (Vec::new(), EnumerationEnd::All),
                "{id}: {board}"
            );
        }
        let mut enumeration = open(&*enumerator);
        enumeration.set_projection(Projection::default());
        enumeration.clause(&[]);
        assert_eq!(
            shown(&mut *enumeration),
            (Vec::new(), EnumerationEnd::All),
            "{id}: empty clause"
        );
        let mut enumeration = open(&*enumerator);
        let range = VarRange::after(0, 2);
        enumeration.set_projection(Projection { lits: range.lits().collect(), ..<_>::default() });
        enumeration.fresh(2);
        enumeration.clause(&[range.lit(0)]);
        enumeration.clause(&[!range.lit(0)]);
        assert_eq!(shown(&mut *enumeration), (Vec::new(), EnumerationEnd::All), "{id}: units");
    }
}

#[test]
fn without_anything_that_tells_models_apart_all_are_one() {
    for (id, enumerator) in enumerators() {
        for variables in [0, 4] {
            let mut enumeration = open(&*enumerator);
            enumeration.set_projection(Projection::default());
            enumeration.fresh(variables);
            let one = (vec![Vec::new()], EnumerationEnd::All);
            assert_eq!(shown(&mut *enumeration), one, "{id}: {variables} variables");
        }
    }
}

#[test]
fn without_clauses_everything_is_a_model() {
    for (id, enumerator) in enumerators() {
        let mut enumeration = open(&*enumerator);
        // Two of four variables, the second one negated.
        let lits = vec![VarRange::after(0, 4).lit(1), !VarRange::after(0, 4).lit(3)];
        enumeration.set_projection(Projection { lits, trues_identify: false, ..<_>::default() });
        enumeration.fresh(4);
        let all = [[false, false], [false, true], [true, false], [true, true]];
        let all = all.iter().map(|model| model.to_vec()).collect();
        assert_eq!(set(&mut *enumeration, &id), all, "{id}");
    }
}

#[test]
fn repeated_literals_tautologies_and_units_are_understood() {
    for (id, enumerator) in enumerators() {
        let mut enumeration = open(&*enumerator);
        let lits: Vec<Lit> = VarRange::after(0, 3).lits().collect();
        let [x, y, z] = [lits[0], lits[1], lits[2]];
        enumeration.set_projection(Projection { lits, trues_identify: false, ..<_>::default() });
        enumeration.fresh(3);
        enumeration.clause(&[x, x, !y, !y]);
        enumeration.clause(&[z, !z]);
        enumeration.clause(&[z]);
        let all = [[false, false, true], [true, false, true], [true, true, true]];
        let all = all.iter().map(|model| model.to_vec()).collect();
        assert_eq!(set(&mut *enumeration, &id), all, "{id}");
    }
}
