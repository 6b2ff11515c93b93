//! The models shown, compared with those of a test of all assignments and with published numbers of solutions.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use bezzel_encode::{Constraints, Lit, Registry};
use bezzel_problem::Board;

use super::Chronological;
use crate::answer::Effort;
use crate::enumerate::{Enumeration, EnumerationEnd, Enumerator, Projection};
use crate::options::{OptionError, OptionValue, Options};
use crate::solver::SessionOptions;

/// A random generator with the same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as u32) % bound
    }

    fn lit(&mut self, variables: u32) -> Lit {
        Lit::new(self.below(variables), self.below(2) == 1)
    }
}

/// Clauses of all lengths, in which literals occur repeatedly and with both signs, and a projection.
struct Case {
    variables: u32,
    clauses: Vec<Vec<Lit>>,
    projection: Vec<Lit>,
}

impl Case {
    fn random(seed: u64) -> Self {
        let mut random = Random(seed);
        let variables = 3 + random.below(10);
        let max = 1 + random.below(4 * variables);
        // Most clauses have two or three literals; few are shorter, or there would be no models.
        let clause = |random: &mut Random| {
            let length = match random.below(200) {
                0 => 0,
                1..=3 => 1,
                4..=90 => 2,
                91..=160 => 3,
                _ => 4 + random.below(4),
            };
            (0..length).map(|_| random.lit(variables)).collect()
        };
        let clauses = (0..max).map(|_| clause(&mut random)).collect();
        let projected = random.below(variables + 2);
        let projection = (0..projected).map(|_| random.lit(variables)).collect();
        Self { variables, clauses, projection }
    }

    /// Numbers of two or three bits, all projected, and clauses that exclude some of their values, alone or
    /// together.
    fn of_numbers(seed: u64) -> Self {
        let mut random = Random(seed);
        let (numbers, bits) = (2 + random.below(3), 2 + random.below(2));
        let variables = numbers * bits + 1;
        let clause = |random: &mut Random| {
            let mut clause = Vec::new();
            for number in 0..numbers {
                if random.below(2) == 0 {
                    let bit = |bit| Lit::new(number * bits + bit, random.below(2) == 1);
                    clause.extend((0..bits).map(bit));
                }
            }
            // Any literal, so that in some cases a clause contains only part of a number.
            match random.below(40) {
                0 => clause.push(random.lit(variables)),
                1..5 => clause.push(Lit::new(variables - 1, random.below(2) == 1)),
                _ => {}
            }
            clause
        };
        let max = 10 + random.below(60);
        let clauses = (0..max).map(|_| clause(&mut random));
        let clauses = clauses.filter(|clause| clause.len() > bits as usize).collect();
        let projection =
            (0..numbers * bits).map(|bit| Lit::new(bit, random.below(2) == 1)).collect();
        Self { variables, clauses, projection }
    }

    /// Returns the values of the projected literals in every model.
    fn tried(&self) -> BTreeSet<Vec<bool>> {
        let holds = |values: u32, lit: Lit| (values >> lit.vidx32()) & 1 == u32::from(lit.is_pos());
        let is_model = |&values: &u32| {
            self.clauses.iter().all(|clause| clause.iter().any(|&lit| holds(values, lit)))
        };
        let models = (0..1 << self.variables).filter(is_model);
        models
            .map(|values| self.projection.iter().map(|&lit| holds(values, lit)).collect())
            .collect()
    }

    fn open(&self, options: &Options) -> Box<dyn Enumeration> {
        let mut enumeration = Chronological.open(options, &SessionOptions::default()).unwrap();
        let projection =
            Projection { lits: self.projection.clone(), trues_identify: false, ..<_>::default() };
        enumeration.set_projection(projection);
        enumeration.fresh(self.variables);
        for clause in &self.clauses {
            enumeration.clause(clause);
        }
        enumeration
    }

    fn shown(&self, options: &Options) -> (Vec<Vec<bool>>, Effort) {
        let mut enumeration = self.open(options);
        (all(&mut *enumeration), enumeration.effort())
    }
}

/// Returns all models that are shown.
fn all(enumeration: &mut dyn Enumeration) -> Vec<Vec<bool>> {
    let mut models = Vec::new();
    let reach = enumeration.each(&mut |model| {
        models.push(model.to_vec());
        ControlFlow::Continue(())
    });
    assert_eq!(reach, EnumerationEnd::All);
    models
}

fn flags(eliminate: bool, values: bool) -> Options {
    let flags = [("eliminate", eliminate), ("values", values)];
    flags.map(|(name, flag)| (name.to_owned(), OptionValue::Flag(flag))).into()
}

/// Returns all combinations of the options.
fn option_sets() -> [Options; 4] {
    [(true, true), (true, false), (false, true), (false, false)]
        .map(|(eliminate, values)| flags(eliminate, values))
}

/// Compares the models that are shown with `expected`. Returns true if the search had conflicts.
fn check(case: &Case, options: &Options, expected: &BTreeSet<Vec<bool>>, what: &str) -> bool {
    let (models, effort) = case.shown(options);
    assert_eq!(models.len(), expected.len(), "{what}, {options:?}");
    assert_eq!(&models.into_iter().collect::<BTreeSet<_>>(), expected, "{what}, {options:?}");
    effort.conflicts > Some(0)
}

#[test]
fn random_formulas_have_the_models_that_trying_all_assignments_finds_each_shown_once() {
    let (mut none, mut several, mut searched) = (0, 0, 0);
    for seed in 0..4000 {
        let case = Case::random(seed);
        let expected = case.tried();
        for options in option_sets() {
            searched += usize::from(check(&case, &options, &expected, &format!("seed {seed}")));
        }
        none += usize::from(expected.is_empty());
        several += usize::from(expected.len() > 1);
    }
    assert!(none > 400 && several > 1500 && searched > 1000, "{none}, {several}, {searched}");
}

#[test]
fn numbers_in_binary_have_the_values_that_trying_all_assignments_finds() {
    let (mut several, mut otherwise) = (0, 0);
    for seed in 0..1500 {
        let case = Case::of_numbers(seed);
        let expected = case.tried();
        for options in option_sets() {
            check(&case, &options, &expected, &format!("seed {seed}"));
        }
        several += usize::from(expected.len() > 1);
        let effort = |values| case.shown(&flags(true, values)).1;
        otherwise += usize::from(effort(true) != effort(false));
    }
    assert!(several > 1000 && otherwise > 500, "{several}, {otherwise}");
}

/// Returns the number of solutions of the board in this encoding.
fn count(id: &str, board: &Board, options: &Options) -> usize {
    let encoding = Registry::standard().find(id).unwrap().on_board(Constraints::Full);
    let map = encoding.encode(&board.problem(), &mut bezzel_encode::FormulaStats::new());
    let mut enumeration = Chronological.open(options, &SessionOptions::default()).unwrap();
    let lits = map.variables().iter().map(|var| var.pos_lit()).collect();
    enumeration.set_projection(Projection { lits, trues_identify: false, ..<_>::default() });
    encoding.encode(&board.problem(), &mut *enumeration);
    let mut count = 0;
    let reach = enumeration.each(&mut |_| {
        count += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(reach, EnumerationEnd::All);
    count
}

#[test]
fn boards_have_as_many_solutions_as_published() {
    for options in option_sets() {
        for (side, solutions) in [(1, 1), (2, 0), (3, 0), (4, 2), (7, 40), (8, 92), (9, 352)] {
            for id in ["pairwise", "sequential-counter", "product", "bryant-circuit", "binary"] {
                let board = Board::new(side).unwrap();
                assert_eq!(count(id, &board, &options), solutions, "{id}, {side}, {options:?}");
            }
        }
        let board = Board::new(11).unwrap();
        assert_eq!(count("pairwise", &board, &options), 2680, "{options:?}");
    }
}

/// A deep search: every solution needs decisions in many rows.
#[test]
fn a_wide_board_is_searched_to_any_depth() {
    let board = Board::new(40).unwrap().with_placed((0..32).map(|row| {
        // Knight's moves, which make a solution of forty queens.
        bezzel_problem::Square::new(row, if row < 20 { 2 * row + 1 } else { 2 * (row - 20) })
    }));
    assert!(count("pairwise", &board.unwrap(), &Options::new()) > 0);
}

#[test]
fn free_auxiliary_variables_multiply_nothing() {
    // x or y, and a chain of a hundred variables above x that are free from some position on.
    let lit = Lit::positive;
    let mut clauses = vec![vec![lit(0), lit(1)]];
    clauses.extend((2..100).map(|above| vec![!lit(above - 1), lit(above)]));
    clauses.push(vec![!lit(0), lit(50), lit(51), lit(60)]);
    let case = Case { variables: 120, clauses, projection: vec![lit(0), !lit(1)] };
    for options in option_sets() {
        let (mut models, _) = case.shown(&options);
        models.sort();
        assert_eq!(models, [[false, false], [true, false], [true, true]], "{options:?}");
    }
}

/// More true literals than fit beside their codes in 32 bits.
#[test]
fn a_clause_of_many_literals_all_of_which_hold_is_satisfied() {
    let lit = Lit::positive;
    let many = 2..1002;
    let mut clauses: Vec<Vec<Lit>> = many.clone().map(|var| vec![!lit(0), lit(var)]).collect();
    clauses.push(many.map(lit).chain([lit(1)]).collect());
    let case = Case { variables: 1002, clauses, projection: (0..1002).map(lit).collect() };
    for options in option_sets() {
        let mut enumeration = case.open(&options);
        let mut models = Vec::new();
        let reach = enumeration.each(&mut |model| {
            models.push(model.to_vec());
            if models.len() < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert_eq!(reach, EnumerationEnd::Enough, "{options:?}");
        for model in &models {
            let holds = |lit: &Lit| model[lit.vidx()] == lit.is_pos();
            assert!(case.clauses.iter().all(|clause| clause.iter().any(holds)), "{options:?}");
        }
        let all = models.iter().filter(|model| model[0]).count();
        assert!(all > 0, "{options:?}: all of them held at once");
    }
}

#[test]
fn auxiliary_variables_that_have_no_values_hide_a_model() {
    // If x, then three pigeons are in two holes.
    let lit = Lit::positive;
    let (x, sits) = (lit(0), |pigeon: u32, hole: u32| lit(1 + 2 * pigeon + hole));
    let mut clauses = Vec::new();
    for pigeon in 0..3 {
        clauses.push(vec![!x, sits(pigeon, 0), sits(pigeon, 1)]);
        for other in 0..pigeon {
            clauses.extend([0, 1].map(|hole| vec![!x, !sits(pigeon, hole), !sits(other, hole)]));
        }
    }
    let case = Case { variables: 7, clauses, projection: vec![x] };
    for options in option_sets() {
        assert_eq!(case.shown(&options).0, [[false]], "{options:?}");
    }
}

#[test]
fn elimination_leaves_the_search_of_pairwise() {
    let effort = |id: &str| {
        let board = Board::new(8).unwrap();
        let encoding = Registry::standard().find(id).unwrap().on_board(Constraints::Full);
        let map = encoding.encode(&board.problem(), &mut bezzel_encode::FormulaStats::new());
        let mut enumeration =
            Chronological.open(&Options::new(), &SessionOptions::default()).unwrap();
        let lits = map.variables().iter().map(|var| var.pos_lit()).collect();
        enumeration.set_projection(Projection { lits, trues_identify: true, ..<_>::default() });
        encoding.encode(&board.problem(), &mut *enumeration);
        assert_eq!(all(&mut *enumeration).len(), 92, "{id}");
        (enumeration.effort().decisions, enumeration.effort().conflicts)
    };
    for id in ["sequential-counter", "product", "commander:3", "totalizer:full", "bdd:ite"] {
        assert_eq!(effort(id), effort("pairwise"), "{id}");
    }
}

#[test]
fn options_are_read_by_name_and_refused_by_name() {
    let settings = Chronological.settings(&Options::new()).unwrap();
    assert_eq!(settings, flags(true, true));
    let off = Options::from([("eliminate".to_owned(), OptionValue::Integer(0))]);
    assert_eq!(Chronological.settings(&off).unwrap(), flags(false, true));
    let error = |name: &str, value| {
        Chronological.settings(&Options::from([(name.to_owned(), value)])).unwrap_err()
    };
    let unknown = error("eliminat", OptionValue::Flag(true));
    let message = "chronological has no option `eliminat`; did you mean `eliminate`?";
    assert_eq!(unknown.to_string(), message);
    let two = error("eliminate", OptionValue::Integer(2));
    assert!(matches!(two, OptionError::Value { .. }), "{two}");
}
