//! Requirements on every solver, tested on all solvers.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use bezzel_encode::numbering::{AuxiliaryPlace, SquareOrder};
use bezzel_encode::{
    ClauseSink, Constraints, Formula, FormulaStats, Lit, Numbering, Registry, VarMap, VarRange,
};
use bezzel_queens::{Board, Geometry, Placement};
use bezzel_solve::{
    Answer, Interrupt, OptionError, OptionValue, Options, Session, SessionOptions, Solver,
};

fn solvers() -> Vec<(String, Arc<dyn Solver>)> {
    bezzel_solve::solvers().into_iter().map(|solver| (solver.info().id, solver)).collect()
}

fn open(solver: &dyn Solver) -> Box<dyn Session> {
    solver.open(&Options::new(), &SessionOptions::default()).unwrap()
}

fn option(name: &str, value: OptionValue) -> Options {
    Options::from([(name.to_owned(), value)])
}

/// Writes the pairwise encoding of the board.
fn encode(board: &Board, out: &mut dyn ClauseSink) -> VarMap {
    let pairwise = bezzel_queens::register(Registry::standard()).find("pairwise").unwrap();
    pairwise.with_settings(Constraints::Full).encode(&board.problem(), out)
}

fn torus(side: u32) -> Board {
    Board::new(side).unwrap().with_geometry(Geometry::Torus)
}

fn placement(board: &Board, map: &VarMap, session: &mut dyn Session) -> Placement {
    Placement::of(board, &map.decode(|lit| session.holds(lit)))
}

/// Writes that `pigeons` pigeons are in one hole fewer, each hole with one pigeon. The formula is unsatisfiable and
/// hard for resolution.
fn pigeons(pigeons: u32, out: &mut dyn ClauseSink) {
    let holes = pigeons - 1;
    let sits = out.fresh(pigeons * holes);
    let sits = |pigeon: u32, hole: u32| sits.lit(pigeon * holes + hole);
    for pigeon in 0..pigeons {
        out.clause(&(0..holes).map(|hole| sits(pigeon, hole)).collect::<Vec<_>>());
        for other in 0..pigeon {
            for hole in 0..holes {
                out.clause(&[!sits(other, hole), !sits(pigeon, hole)]);
            }
        }
    }
}

/// Returns random clauses of three different variables, the same on every machine.
fn random_clauses(variables: VarRange, count: usize, seed: u32) -> Vec<[Lit; 3]> {
    let mut state = seed;
    let mut next = move |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    let mut clause = || {
        let first = next(variables.len());
        let second = (first + 1 + next(variables.len() - 1)) % variables.len();
        let third = loop {
            let third = next(variables.len());
            if third != first && third != second {
                break third;
            }
        };
        [first, second, third].map(|variable| {
            let lit = variables.lit(variable);
            if next(2) == 0 { lit } else { !lit }
        })
    };
    (0..count).map(|_| clause()).collect()
}

#[test]
fn answers_agree_with_trying_all_assignments() {
    const VARIABLES: u32 = 6;
    for (id, solver) in solvers() {
        let mut answers = [0, 0];
        for seed in 0..150 {
            let mut session = open(&*solver);
            let variables = session.fresh(VARIABLES);
            let clauses = random_clauses(variables, 32, seed);
            let satisfied = |holds: &mut dyn FnMut(Lit) -> bool| {
                clauses.iter().all(|clause| clause.iter().any(|&lit| holds(lit)))
            };
            let satisfiable = (0..1_u32 << VARIABLES).any(|assignment| {
                satisfied(&mut |lit| (assignment >> lit.vidx32()) & 1 == u32::from(lit.is_pos()))
            });
            for clause in &clauses {
                session.clause(clause);
            }
            let expected = if satisfiable { Answer::Sat } else { Answer::Unsat };
            assert_eq!(session.solve(), expected, "{id}, seed {seed}");
            answers[usize::from(satisfiable)] += 1;
            if satisfiable {
                assert!(satisfied(&mut |lit| session.holds(lit)), "{id}, seed {seed}");
                let both =
                    variables.lits().filter(|&lit| session.holds(lit) == session.holds(!lit));
                assert_eq!(both.count(), 0, "{id}, seed {seed}");
            }
        }
        assert!(answers.iter().all(|&answers| answers > 20), "both kinds are tried: {answers:?}");
    }
}

#[test]
fn pigeons_do_not_fit() {
    for (id, solver) in solvers() {
        let mut session = open(&*solver);
        pigeons(7, &mut *session);
        assert_eq!(session.solve(), Answer::Unsat, "{id}");
        assert!(session.effort().conflicts.unwrap() > 0, "{id}");
    }
}

#[test]
fn eight_queens_are_placed_by_the_rules() {
    for (id, solver) in solvers() {
        let board = Board::new(8).unwrap();
        let mut session = open(&*solver);
        let map = encode(&board, &mut *session);
        assert_eq!(session.solve(), Answer::Sat, "{id}");
        assert_eq!(placement(&board, &map, &mut *session).judge(&board), Ok(()), "{id}");
    }
}

#[test]
fn a_torus_of_side_ten_has_no_solution() {
    for (id, solver) in solvers() {
        let mut session = open(&*solver);
        encode(&torus(10), &mut *session);
        assert_eq!(session.solve(), Answer::Unsat, "{id}");
    }
}

#[test]
fn a_session_goes_on_after_its_answer() {
    for (id, solver) in solvers() {
        let board = Board::new(6).unwrap();
        let mut session = open(&*solver);
        let map = encode(&board, &mut *session);
        let mut found = Vec::new();
        while session.solve() == Answer::Sat {
            let placement = placement(&board, &map, &mut *session);
            assert_eq!(placement.judge(&board), Ok(()), "{id}");
            session.clause(&map.block(&placement.solution(&board)));
            found.push(placement);
        }
        found.sort();
        found.dedup();
        assert_eq!(found.len(), 4, "{id}");
        assert_eq!(session.solve(), Answer::Unsat, "{id}: and it stays so");
    }
}

#[test]
fn variables_may_be_made_after_an_answer() {
    for (id, solver) in solvers() {
        let mut session = open(&*solver);
        let first = session.fresh(1).lit(0);
        session.clause(&[first]);
        assert_eq!(session.solve(), Answer::Sat, "{id}");
        let second = session.fresh(1).lit(0);
        assert_ne!(first.var(), second.var());
        session.clause(&[!first, !second]);
        assert_eq!(session.solve(), Answer::Sat, "{id}");
        assert!(session.holds(first) && !session.holds(second), "{id}");
    }
}

#[test]
fn an_empty_clause_cannot_be_satisfied() {
    for (id, solver) in solvers() {
        let mut session = open(&*solver);
        session.clause(&[]);
        assert_eq!(session.solve(), Answer::Unsat, "{id}");
        let mut session = open(&*solver);
        session.fresh(3);
        session.clause(&[]);
        assert_eq!(session.solve(), Answer::Unsat, "{id}");
    }
}

#[test]
fn a_formula_without_clauses_has_a_model_of_all_its_variables() {
    for (id, solver) in solvers() {
        assert_eq!(open(&*solver).solve(), Answer::Sat, "{id}: without variables");
        let mut session = open(&*solver);
        let variables = session.fresh(5);
        assert_eq!(session.solve(), Answer::Sat, "{id}");
        for lit in variables.lits() {
            assert_ne!(session.holds(lit), session.holds(!lit), "{id}");
        }
    }
}

#[test]
fn repeated_literals_tautologies_and_contradicting_units_are_understood() {
    for (id, solver) in solvers() {
        let mut session = open(&*solver);
        let [x, y] = [session.fresh(1).lit(0), session.fresh(1).lit(0)];
        session.clause(&[x, x, !y]);
        session.clause(&[y, !y]);
        session.clause(&[y]);
        assert_eq!(session.solve(), Answer::Sat, "{id}");
        assert!(session.holds(x) && session.holds(y), "{id}");
        session.clause(&[!x]);
        assert_eq!(session.solve(), Answer::Unsat, "{id}");
    }
}

#[test]
fn the_same_formula_takes_the_same_effort_every_time() {
    for (id, solver) in solvers() {
        let effort = || {
            let mut session = open(&*solver);
            encode(&torus(8), &mut *session);
            assert_eq!(session.solve(), Answer::Unsat);
            session.effort()
        };
        let first = effort();
        assert!(first.conflicts.unwrap() > 0, "{id}");
        assert_eq!(first, effort(), "{id}");
    }
}

#[test]
fn an_interrupt_that_is_raised_beforehand_keeps_the_statistics() {
    for (id, solver) in solvers() {
        let interrupt = Interrupt::default();
        let mut session = solver.open(&Options::new(), &interrupt.clone().into()).unwrap();
        encode(&torus(8), &mut *session);
        assert_eq!(session.solve(), Answer::Unsat, "{id}");
        let effort = session.effort();
        interrupt.raise();
        assert_eq!(session.solve(), Answer::Unknown, "{id}");
        assert_eq!(session.effort(), effort, "{id}");
        assert!(effort.propagations.unwrap() > 0, "{id}");

        let mut unused = solver.open(&Options::new(), &interrupt.into()).unwrap();
        assert_eq!(unused.solve(), Answer::Unknown, "{id}");
        assert_eq!(unused.effort().conflicts, Some(0), "{id}");
    }
}

#[test]
#[ignore = "second tier: it waits 0.2 s"]
fn an_interrupt_stops_a_running_solver_and_keeps_its_effort() {
    for (id, solver) in solvers() {
        // On a slow machine the interrupt may come before the first conflict: then a longer delay is tried.
        let conflicts = [200, 2_000, 20_000].into_iter().find_map(|milliseconds| {
            let interrupt = Interrupt::default();
            let mut session = solver.open(&Options::new(), &interrupt.clone().into()).unwrap();
            // Too hard for resolution.
            pigeons(20, &mut *session);
            let alarm = thread::spawn(move || {
                thread::sleep(Duration::from_millis(milliseconds));
                interrupt.raise();
            });
            assert_eq!(session.solve(), Answer::Unknown, "{id}");
            alarm.join().unwrap();
            session.effort().conflicts.filter(|conflicts| *conflicts > 0)
        });
        assert!(conflicts.is_some(), "{id}");
    }
}

#[test]
fn settings_reproduce_themselves_and_the_effort() {
    for (id, solver) in solvers() {
        let effort = |options: &Options| {
            let mut session = solver.open(options, &SessionOptions::default()).unwrap();
            encode(&torus(8), &mut *session);
            session.solve();
            session.effort()
        };
        let settings = solver.settings(&Options::new()).unwrap();
        assert!(!settings.is_empty(), "{id}");
        assert_eq!(solver.settings(&settings).unwrap(), settings, "{id}");
        assert_eq!(effort(&Options::new()), effort(&settings), "{id}");
    }
}

fn check_options(most: u32) {
    // Enough pigeons for CaDiCaL to begin with inprocessing, and few enough for the others.
    let changes = [
        (9, "cadical", "elim", OptionValue::Integer(0)),
        (9, "cadical", "factor", OptionValue::Flag(true)),
        (7, "cadical:plain", "phase", OptionValue::Flag(false)),
        (7, "batsat", "var_decay", OptionValue::Number(0.8)),
        (7, "batsat", "rnd_pol", OptionValue::Flag(true)),
    ];
    for (birds, id, name, value) in changes.into_iter().filter(|(birds, ..)| *birds <= most) {
        let solver = crate::solver(id);
        let effort = |options: &Options| {
            let mut session = solver.open(options, &SessionOptions::default()).unwrap();
            pigeons(birds, &mut *session);
            assert_eq!(session.solve(), Answer::Unsat, "{id} {name}");
            session.effort()
        };
        let options = option(name, value);
        let settings = solver.settings(&options).unwrap();
        assert!(settings.contains_key(name), "{id} {name}");
        assert_eq!(solver.settings(&settings).unwrap(), settings, "{id} {name}");
        let changed = effort(&options);
        assert_ne!(changed, effort(&Options::new()), "{id} {name}");
        assert_eq!(changed, effort(&settings), "{id} {name}");
    }
}

#[test]
fn an_option_reaches_its_solver() {
    check_options(7);
}

#[test]
#[ignore = "second tier: nine pigeons"]
fn an_option_of_inprocessing_reaches_its_solver() {
    check_options(9);
}

#[test]
fn factor_is_always_stated_and_yes_is_one() {
    for id in ["cadical", "cadical:plain"] {
        let solver = crate::solver(id);
        let factor = |options: &Options| solver.settings(options).unwrap()["factor"];
        assert_eq!(factor(&Options::new()), OptionValue::Integer(0), "{id}");
        let yes = option("factor", OptionValue::Flag(true));
        assert_eq!(factor(&yes), OptionValue::Integer(1), "{id}");
    }
}

#[track_caller]
fn refused(id: &str, name: &str, value: OptionValue, message: &str) {
    let solver = crate::solver(id);
    let options = option(name, value);
    let error = solver.settings(&options).unwrap_err();
    assert_eq!(error.to_string(), message);
    let opened = solver.open(&options, &SessionOptions::default());
    assert_eq!(opened.err(), Some(error));
}

#[test]
fn an_unknown_option_is_refused_with_the_nearest_name() {
    let one = OptionValue::Integer(1);
    let message = "cadical has no option `factr`; did you mean `factor`?";
    refused("cadical", "factr", one, message);
    refused(
        "batsat",
        "Var-Decay",
        one,
        "batsat has no option `Var-Decay`; did you mean `var_decay`?",
    );
    for (id, solver) in solvers() {
        let error = solver.settings(&option("utter nonsense", one)).unwrap_err();
        let near_none = matches!(error, OptionError::Unknown { near: None, .. });
        assert!(near_none, "{id}: {error}");
    }
}

#[test]
fn an_impossible_value_is_refused_with_the_possible_ones() {
    let range = "cadical: option `factor` cannot be 2: it is a whole number from 0 to 1";
    refused("cadical", "factor", OptionValue::Integer(2), range);
    let range = "cadical:plain: option `elevate` cannot be -2: it is a whole number from -1 to 3";
    refused("cadical:plain", "elevate", OptionValue::Integer(-2), range);
    let range = "cadical: option `seed` cannot be 9000000000: \
                 it is a whole number from 0 to 2000000000";
    refused("cadical", "seed", OptionValue::Integer(9_000_000_000), range);
    let range = "cadical: option `seed` cannot be 0.5: it is a whole number from 0 to 2000000000";
    refused("cadical", "seed", OptionValue::Number(0.5), range);

    let decay = "batsat: option `var_decay` cannot be 1: it is a number above 0 and below 1";
    refused("batsat", "var_decay", OptionValue::Integer(1), decay);
    let nan = "batsat: option `learntsize_inc` cannot be NaN: it is a number above 0";
    refused("batsat", "learntsize_inc", OptionValue::Number(f64::NAN), nan);
    let flag = "batsat: option `rnd_pol` cannot be 2: it is true or false";
    refused("batsat", "rnd_pol", OptionValue::Integer(2), flag);
    let level = "batsat: option `ccmin_mode` cannot be 3: it is 0, 1 or 2";
    refused("batsat", "ccmin_mode", OptionValue::Integer(3), level);
}

#[test]
fn solvers_have_permanent_ids_and_the_versions_that_are_linked() {
    let infos: Vec<_> = solvers().into_iter().map(|(_, solver)| solver.info()).collect();
    let ids: Vec<_> = infos.iter().map(|info| info.id.as_str()).collect();
    assert_eq!(ids, ["cadical", "cadical:plain", "batsat"]);
    let versions: Vec<_> = infos.iter().map(|info| info.version.as_str()).collect();
    assert_eq!(versions, ["3.0.1", "3.0.1", "0.6.0"]);
}

/// BatSat with `phase` 1 makes the same search as BatSat on the formula with every variable negated.
#[test]
fn batsat_with_true_tried_first_is_batsat_on_the_negated_formula() {
    // No permutation negates every variable, so the clauses are negated here.
    let registry = bezzel_queens::register(Registry::standard());
    let encoding = registry.find("sequential-counter").unwrap().with_settings(Constraints::Full);
    let board = Board::new(20).unwrap();
    let mut formula = Formula::new();
    let map = encoding.encode(&board.problem(), &mut formula);
    let variables = formula.variables();
    let solver = crate::solver("batsat");
    let solved = |phase: i64, upol: i64, negate: bool| {
        let options = Options::from([
            ("phase".to_owned(), OptionValue::Integer(phase)),
            ("upol".to_owned(), OptionValue::Integer(upol)),
        ]);
        let mut session = solver.open(&options, &SessionOptions::default()).unwrap();
        let flipped = |lit: Lit| if negate { !lit } else { lit };
        session.set_primary(&mut (0..400).map(|var| flipped(Lit::positive(var))));
        session.fresh(variables);
        for clause in formula.clauses() {
            let clause: Vec<Lit> = clause.iter().map(|&lit| flipped(lit)).collect();
            session.clause(&clause);
        }
        assert_eq!(session.solve(), Answer::Sat);
        let solution = map.decode(|lit| session.holds(flipped(lit)));
        let placement = Placement::of(&board, &solution);
        assert_eq!(placement.judge(&board), Ok(()));
        (session.effort(), placement)
    };
    // −1 uses the saved phase. 0 and 1 are the value that squares always get; it is negated with their literals.
    for upol in [-1, 0, 1] {
        assert_eq!(solved(1, upol, false), solved(0, upol, true), "upol {upol}");
    }
    assert_ne!(solved(1, -1, false), solved(0, -1, false));
    let settings = |phase| {
        let options = Options::from([("phase".to_owned(), OptionValue::Integer(phase))]);
        solver.settings(&options).unwrap()
    };
    assert_eq!(settings(0), solver.settings(&Options::new()).unwrap());
    assert_eq!(settings(1).get("phase"), Some(&OptionValue::Integer(1)));
}

/// Every encoding under a numbering that renames, in a BatSat that decides the squares only and tries a
/// queen first: solvable boards have a valid solution, unsolvable boards have none.
#[test]
fn batsat_deciding_squares_alone_finds_what_there_is_under_every_encoding_and_numbering() {
    let registry = bezzel_queens::register(Registry::standard());
    let solver = crate::solver("batsat");
    let options = Options::from([
        ("upol".to_owned(), OptionValue::Integer(1)),
        ("decide_auxiliary".to_owned(), OptionValue::Flag(false)),
    ]);
    let before = Numbering::ordered(SquareOrder::Spiral, AuxiliaryPlace::Before);
    let torus = Board::new(4).unwrap().with_geometry(Geometry::Torus);
    for (board, answer) in [(Board::new(7).unwrap(), Answer::Sat), (torus, Answer::Unsat)] {
        for info in registry.infos() {
            let encoding = registry.find(&info.id).unwrap().with_settings(Constraints::Full);
            for numbering in [Numbering::AS_GENERATED, Numbering::random(5), before] {
                let mut stats = FormulaStats::new();
                let map = encoding.encode(&board.problem(), &mut stats);
                let images = numbering.images(&board.problem(), stats.variables(), &map);
                let mut session = solver.open(&options, &SessionOptions::default()).unwrap();
                session.set_primary(&mut images.range(0..stats.primary()));
                numbering.encode(&*encoding, &board.problem(), &images, session.as_mut());
                let what = format!("{} on {board}, {}", info.id, numbering.id());
                assert_eq!(session.solve(), answer, "{what}");
                if answer == Answer::Sat {
                    let solution = map.decode(|lit| session.holds(images.of(lit)));
                    let placement = Placement::of(&board, &solution);
                    assert_eq!(placement.judge(&board), Ok(()), "{what}");
                }
            }
        }
    }
}
