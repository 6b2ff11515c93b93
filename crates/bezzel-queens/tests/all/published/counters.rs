//! Golden numbers of counters and ladders: published closed forms, counted on lines of every length to 149,
//! and known facts about their propagation.

use bezzel_encode::propagate::Propagator;
use bezzel_encode::{ClauseSink, Formula, Lit, Size, Var};

use crate::published::measure::{line, raw_models};

/// The size of a line without the variables of its inputs.
fn size(id: &str, n: u32, exactly: bool) -> Size {
    let size = line(id, n, exactly).1.size();
    Size { variables: size.variables - u128::from(n), ..size }
}

#[test]
fn lines_cost_what_the_literature_says() {
    for n in 4..=149 {
        let m = u128::from(n);
        let expected = [
            ("sequential-counter", Size::new(m - 1, 3 * m - 4, 6 * m - 8)),
            ("sequential-counter:simplified", Size::new(m - 3, 3 * m - 6, 6 * m - 12)),
            ("sequential-counter+defined", Size::new(m - 1, 4 * m - 5, 9 * m - 12)),
            ("ladder:relaxed", Size::new(m - 1, 3 * m - 4, 6 * m - 8)),
            ("ladder:at-most-one", Size::new(m, 4 * m - 2, 9 * m - 5)),
            ("ladder:regular", Size::new(m, 4 * m - 2, 9 * m - 5)),
            ("ladder:slack", Size::new(m + 1, 4 * m, 9 * m - 1)),
        ];
        for (id, expected) in expected {
            assert_eq!(size(id, n, false), expected, "{id}, n = {n}");
        }
        let exactly = Size::new(m - 1, 4 * m - 4, 9 * m - 10);
        assert_eq!(size("ladder:regular", n, true), exactly, "exactly one, n = {n}");
    }
}

#[test]
fn a_regular_ladder_without_its_validity_clauses_lets_several_inputs_hold() {
    for n in 3..=10 {
        let (xs, whole) = line("ladder:regular", n, true);
        let mut broken = Formula::new();
        broken.fresh(whole.variables());
        let is_input = |lit: &Lit| lit.vidx32() < n;
        let mut left_out = 0;
        for clause in whole.clauses() {
            if clause.iter().any(is_input) {
                broken.clause(clause);
            } else {
                left_out += 1;
            }
        }
        assert_eq!(left_out, n - 2);
        assert_eq!(raw_models(&broken, n), 1 << (n - 1), "n = {n}");
        // The first input and the third at once.
        broken.clause(&[xs[0]]);
        broken.clause(&[xs[2]]);
        assert!(raw_models(&broken, n) > 0, "n = {n}");
    }
}

/// True if unit propagation finds every literal that follows, and every contradiction, from every partial assignment of
/// all variables, auxiliary ones included.
fn propagates_everything(formula: &Formula) -> bool {
    let variables = formula.variables();
    let models: Vec<u32> = (0..1_u32 << variables)
        .filter(|model| {
            let holds = |lit: &Lit| (model >> lit.vidx32() & 1 == 1) == lit.is_pos();
            formula.clauses().all(|clause| clause.iter().any(holds))
        })
        .collect();
    let mut propagator = Propagator::new(formula);
    let start = propagator.trail().len();
    (0..3_u32.pow(variables)).all(|mut code| {
        // Each variable is true, false or open; `care` marks those that are not open.
        let (mut care, mut values) = (0, 0);
        let mut assumed = Ok(());
        for variable in 0..variables {
            if !code.is_multiple_of(3) {
                let value = code % 3 == 1;
                care |= 1 << variable;
                values |= u32::from(value) << variable;
                assumed = assumed.and_then(|()| propagator.assume(Lit::new(variable, !value)));
            }
            code /= 3;
        }
        let extending = || models.iter().filter(|&&model| model & care == values);
        let always = extending().fold(!0, |all, model| all & model);
        let ever = extending().fold(0, |some, model| some | model);
        let found = match assumed {
            Err(_) => extending().next().is_none(),
            Ok(()) => {
                extending().next().is_some()
                    && (0..variables).all(|variable| {
                        let implied = always >> variable & 1 == 1 || ever >> variable & 1 == 0;
                        implied == propagator.value(Var::new(variable)).is_some()
                    })
            }
        };
        propagator.undo(start);
        found
    })
}

#[test]
fn of_exactly_one_of_four_inputs_only_the_ladder_propagates_auxiliary_variables_too() {
    let known = [
        "sequential-counter",
        "sequential-counter+defined",
        "bitwise",
        "commander:2",
        "bimander:2",
        "split:3",
    ];
    for id in known {
        assert!(propagates_everything(&line(id, 4, false).1), "{id}, at most one");
        assert!(!propagates_everything(&line(id, 4, true).1), "{id}, exactly one");
    }
    for n in 2..=6 {
        assert!(propagates_everything(&line("ladder:regular", n, true).1), "n = {n}");
    }
}
