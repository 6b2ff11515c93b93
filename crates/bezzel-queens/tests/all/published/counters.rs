//! Golden numbers of counters and ladders: published closed forms, counted on lines of every length to 149 and on
//! boards, and known facts about their propagation.

use std::ops::ControlFlow;

use bezzel_encode::propagate::Propagator;
use bezzel_encode::{ClauseSink, Formula, Lit, Size, Var, models};

use crate::published::measure::{at_most_one, models_on_board, on_board};

/// The clauses of `id` over `n` inputs, stated as exactly one or as at most one.
fn formula(id: &str, n: u32, exactly: bool) -> (Vec<Lit>, Formula) {
    let mut formula = Formula::new();
    let xs: Vec<Lit> = formula.fresh(n).lits().collect();
    if exactly {
        at_most_one(id).exactly_one(&xs, &mut formula);
    } else {
        at_most_one(id).encode(&xs, &mut formula);
    }
    (xs, formula)
}

/// The cost of `id` for `n` inputs, counted.
fn cost(id: &str, n: u32, exactly: bool) -> Size {
    let (_, formula) = formula(id, n, exactly);
    let size = formula.size();
    Size { variables: size.variables - u128::from(n), ..size }
}

/// The number of all models over inputs and auxiliary variables.
fn raw_models(formula: &Formula) -> u128 {
    let mut sum = 0;
    let end: ControlFlow<()> = models::each(formula, &[], u128::MAX, |_, count| {
        sum += count;
        ControlFlow::Continue(())
    });
    assert!(end.is_continue());
    sum
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
        for (id, size) in expected {
            assert_eq!(cost(id, n, false), size, "{id}, n = {n}");
        }
        let exactly = Size::new(m - 1, 4 * m - 4, 9 * m - 10);
        assert_eq!(cost("ladder:regular", n, true), exactly, "exactly one, n = {n}");
    }
}

#[test]
fn raw_models_of_one_line_are_the_known_numbers() {
    for n in 2..=8 {
        let m = u128::from(n);
        let expected = [
            ("sequential-counter", 2 * m),
            ("sequential-counter:simplified", if n < 4 { m + 1 } else { 2 * m - 2 }),
            ("sequential-counter+defined", m + 1),
            ("ladder:relaxed", 2 * m),
            ("ladder:at-most-one", m + 1),
            ("ladder:regular", m + 1),
            ("ladder:slack", m + 1),
        ];
        for (id, models) in expected {
            assert_eq!(raw_models(&formula(id, n, false).1), models, "{id}, n = {n}");
            // One model for each input: even free variables are determined where one input holds.
            assert_eq!(raw_models(&formula(id, n, true).1), m, "{id}, exactly one, n = {n}");
        }
    }
}

#[test]
fn a_regular_ladder_without_its_validity_clauses_lets_several_inputs_hold() {
    for n in 3..=10 {
        let (xs, whole) = formula("ladder:regular", n, true);
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
        assert_eq!(raw_models(&broken), 1 << (n - 1), "n = {n}");
        // The first input and the third at once.
        broken.clause(&[xs[0]]);
        broken.clause(&[xs[2]]);
        assert!(raw_models(&broken) > 0, "n = {n}");
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
        assert!(propagates_everything(&formula(id, 4, false).1), "{id}, at most one");
        assert!(!propagates_everything(&formula(id, 4, true).1), "{id}, exactly one");
    }
    for n in 2..=6 {
        assert!(propagates_everything(&formula("ladder:regular", n, true).1), "n = {n}");
    }
}

#[test]
fn boards_cost_what_two_programs_counted() {
    let defined = [
        (4, 58, 158),
        (8, 274, 814),
        (16, 1186, 3662),
        (32, 4930, 15502),
        (64, 20098, 63758),
        (100, 49402, 157_214),
    ];
    for (side, variables, clauses) in defined {
        assert_eq!(on_board("sequential-counter+defined", side), (variables, clauses));
    }
    assert_eq!(on_board("ladder:regular", 8), (300, 892));
}

#[test]
fn boards_have_the_closed_forms_that_the_documents_state() {
    for side in 3..=64 {
        let n = u128::from(side);
        let counter = (5 * n * n + 2 - 6 * n, 16 * n * n + 14 - 28 * n);
        assert_eq!(on_board("sequential-counter+defined", side), counter, "n = {side}");
        let simplified = (5 * n * n + 18 - 18 * n, 12 * n * n + 28 - 34 * n);
        assert_eq!(on_board("sequential-counter:simplified", side), simplified, "n = {side}");
    }
}

#[test]
fn raw_model_counts_of_sides_4_to_8_are_the_known_ones() {
    let solutions = [2, 10, 4, 40, 92];
    let table = [
        ("sequential-counter+defined", solutions),
        ("ladder:regular", solutions),
        ("ladder:at-most-one", solutions),
        ("ladder:slack", solutions),
        ("ladder:relaxed", [32, 930, 5184, 678_528, 32_760_320]),
    ];
    for (id, counts) in table {
        for (side, count) in (4..).zip(counts) {
            assert_eq!(models_on_board(id, side), count, "{id} at n = {side}");
        }
    }
}
