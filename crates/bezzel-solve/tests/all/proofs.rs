//! Proofs of solvers, checked against the formula by an independent checker, and the size of a formula after
//! preprocessing.

use std::fs::File;
use std::io::{BufReader, Read};

use bezzel_encode::{ClauseSink, Constraints, Formula, FormulaStats, Lit, Numbering, Registry};
use bezzel_proof::{Limits, LratChecker, ProofStats, Refusal};
use bezzel_queens::{Board, Geometry, Piece};
use bezzel_solve::{Answer, OptionValue, Options, SessionOptions, Solver};

/// Returns the formula of a board under an encoding, renamed at random.
fn formula(encoding: &str, board: &Board) -> Formula {
    let encoding = bezzel_queens::register(Registry::standard())
        .find(encoding)
        .unwrap()
        .with_settings(Constraints::Full);
    let mut stats = FormulaStats::new();
    let map = encoding.encode(&board.problem(), &mut stats);
    let numbering = Numbering::random(1);
    let images = numbering.images(&board.problem(), stats.variables(), &map);
    let mut formula = Formula::new();
    numbering.encode(encoding.as_ref(), &board.problem(), &images, &mut formula);
    formula
}

fn torus(side: u32) -> Board {
    Board::new(side).unwrap().with_geometry(Geometry::Torus)
}

/// Solves the formula, with its proof in memory.
fn stored(
    solver: &dyn Solver,
    options: &Options,
    formula: &Formula,
    max_bytes: u64,
) -> Option<Vec<u8>> {
    let session_options =
        SessionOptions { stored_proof_bytes: Some(max_bytes), ..SessionOptions::default() };
    let mut session = solver.open(options, &session_options).unwrap();
    session.fresh(formula.variables());
    formula.clauses().for_each(|clause| session.clause(clause));
    session.solve();
    session.stored_proof()
}

/// Solves the formula and checks the proof against `premises`, that of the file and that in memory.
fn proved(
    solver: &dyn Solver,
    options: &Options,
    formula: &Formula,
    premises: &Formula,
) -> (Answer, Result<ProofStats, Refusal>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proof");
    let session_options = SessionOptions { proof: Some(path.clone()), ..SessionOptions::default() };
    let mut session = solver.open(options, &session_options).unwrap();
    session.fresh(formula.variables());
    formula.clauses().for_each(|clause| session.clause(clause));
    let answer = session.solve();
    session.end_proof();
    let proof = stored(solver, options, formula, u64::MAX);
    assert_eq!(proof.is_some(), answer == Answer::Unsat);
    let checked = checked(premises, File::open(path).unwrap());
    if let Some(proof) = proof {
        let in_memory = self::checked(premises, &proof[..]);
        assert_eq!(in_memory.is_ok(), checked.is_ok(), "{in_memory:?}");
    }
    (answer, checked)
}

fn checked(premises: &Formula, proof: impl Read) -> Result<ProofStats, Refusal> {
    let mut checker = LratChecker::with_interleaved_ids(Limits::default());
    for clause in premises.clauses() {
        let clause: Vec<i32> = clause.iter().map(|lit| lit.to_ipasir()).collect();
        checker.clause(&clause);
    }
    checker.check(BufReader::new(proof))
}

fn provers() -> Vec<std::sync::Arc<dyn Solver>> {
    let solvers = bezzel_solve::solvers().into_iter();
    solvers.filter(|solver| solver.proof_format().is_some()).collect()
}

fn on(names: &[&str]) -> Options {
    names.iter().map(|&name| (name.to_owned(), OptionValue::Integer(1))).collect()
}

/// Checks the proofs on these boards. Returns the number of steps that do not follow by propagation.
fn check_proofs(boards: &[Board]) -> u64 {
    let mut rat = 0;
    assert!(!provers().is_empty());
    for solver in provers() {
        let id = solver.info().id;
        for encoding in ["pairwise", "sequential-counter", "product", "binary", "bryant-circuit"] {
            for board in boards {
                let formula = formula(encoding, board);
                for options in [on(&[]), on(&["factor"]), on(&["block", "cover", "condition"])] {
                    let (answer, checked) = proved(&*solver, &options, &formula, &formula);
                    let case = format!("{id} {options:?}, {encoding} on {board}");
                    assert_eq!(answer, Answer::Unsat, "{case}");
                    let accepted = checked.unwrap_or_else(|refusal| panic!("{case}: {refusal}"));
                    assert!(accepted.steps > 0, "{case}");
                    rat += accepted.rat;
                }
            }
        }
    }
    rat
}

#[test]
fn every_proof_is_accepted_whatever_the_encoding_and_the_options() {
    check_proofs(&[torus(8), Board::new(3).unwrap()]);
}

#[test]
#[ignore = "second tier: the torus of side 10"]
fn every_proof_on_larger_boards_is_accepted() {
    // Bounded variable addition makes steps that do not follow by propagation.
    assert!(check_proofs(&[torus(8), torus(10), Board::new(3).unwrap()]) > 0);
}

#[test]
fn a_proof_of_one_formula_is_none_of_another() {
    let (eight, nine) = (formula("pairwise", &torus(8)), formula("pairwise", &torus(9)));
    for solver in provers() {
        for (formula, premises) in [(&eight, &nine), (&nine, &eight)] {
            let (_, checked) = proved(&*solver, &Options::new(), formula, premises);
            assert!(matches!(checked, Err(Refusal::Wrong { .. })), "{checked:?}");
        }
    }
}

#[test]
fn a_proof_is_stored_up_to_its_limit() {
    let formula = formula("pairwise", &torus(8));
    for solver in provers() {
        let length = |max_bytes| {
            stored(&*solver, &Options::new(), &formula, max_bytes).map(|proof| proof.len() as u64)
        };
        let whole = length(u64::MAX).unwrap();
        assert_eq!(length(whole), Some(whole));
        assert_eq!((length(whole - 1), length(0)), (None, None));
    }
}

#[test]
fn a_proof_in_memory_has_the_searches_under_assumptions() {
    // Each selector implies that all rows of a board have a rook. The search under one eliminates auxiliary variables, and
    // the next one needs their clauses again.
    let board = Board::rectangle(9, 8).unwrap().with_piece(Piece::Rook);
    let (rules, mut formula) = (self::formula("sequential-counter", &board), Formula::new());
    formula.fresh(rules.variables());
    let selectors: Vec<Lit> = formula.fresh(4).lits().collect();
    for clause in rules.clauses() {
        if clause.iter().any(|lit| lit.is_neg()) {
            formula.clause(clause);
            continue;
        }
        for &selector in &selectors {
            formula.clause(&[clause, &[!selector]].concat());
        }
    }
    formula.clause(&selectors);
    for solver in provers() {
        let options =
            SessionOptions { stored_proof_bytes: Some(1 << 30), ..SessionOptions::default() };
        let mut session = solver.open(&Options::new(), &options).unwrap();
        session.fresh(formula.variables());
        formula.clauses().for_each(|clause| session.clause(clause));
        for assumption in selectors.chunks(1).chain([&[][..]]) {
            assert_eq!(session.solve_under(assumption), Answer::Unsat);
        }
        checked(&formula, &session.stored_proof().unwrap()[..]).unwrap();
    }
}

#[test]
fn of_what_has_a_model_no_proof_is_accepted() {
    let formula = formula("pairwise", &Board::new(8).unwrap());
    for solver in provers() {
        let (answer, checked) = proved(&*solver, &Options::new(), &formula, &formula);
        assert_eq!(answer, Answer::Sat);
        assert!(matches!(checked, Err(Refusal::Incomplete { .. })), "{checked:?}");
    }
}

#[test]
fn a_proof_that_cannot_be_written_is_refused_beforehand() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = Some(folder.path().join("missing").join("proof"));
    for solver in provers() {
        let session_options =
            SessionOptions { proof: nowhere.clone(), ..SessionOptions::default() };
        let error = solver.open(&Options::new(), &session_options).err().unwrap();
        assert!(error.to_string().contains("cannot write a proof"), "{error}");
    }
}

#[test]
fn preprocessing_leaves_less_and_changes_no_answer() {
    for (board, answer) in [(Board::new(8).unwrap(), Answer::Sat), (torus(8), Answer::Unsat)] {
        let formula = formula("sequential-counter", &board);
        let simplified = |id: &str, options: &Options| {
            let solver = crate::solver(id);
            let mut session = solver.open(options, &SessionOptions::default()).unwrap();
            session.fresh(formula.variables());
            formula.clauses().for_each(|clause| session.clause(clause));
            let simplified = session.simplify(&mut |_| {});
            assert_eq!(session.solve(), answer, "{id}");
            simplified
        };
        let variables = |id, options| simplified(id, options).unwrap().variables;
        let (none, all) = (Options::new(), u64::from(formula.variables()));
        assert!(variables("cadical", &none) < all);
        let off = Options::from([("elim".to_owned(), OptionValue::Integer(0))]);
        assert!(variables("cadical", &none) < variables("cadical", &off));
        let plain = simplified("cadical:plain", &none).unwrap();
        assert!(plain.variables <= all && plain.clauses <= formula.clauses().count() as u64);
        assert_eq!(simplified("batsat", &none), None);
    }
}
