//! Mutants of proofs are refused, unless they are right by chance, which an independent checker decides.
//!
//! `BEZZEL_MUTANTS` sets the number of mutants in each test of the second tier:
//! `BEZZEL_MUTANTS=1000000 cargo test --release -p bezzel-proof --test all mutants -- --ignored --nocapture`.

#![expect(clippy::print_stdout, reason = "what became of a million mutants is worth a line")]

use bezzel_proof::{Cause, Limits, LratChecker, Refusal};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::cadical::{self, Form, Route};
use crate::forger::forge;
use crate::formulas::{Formula, random, rooks};
use crate::judge::Judge;
use crate::proof::{self, Step};

/// The number of mutants that each test of the second tier tries without the environment variable.
const MUTANTS: usize = 12_000;

/// The number of mutants that each test of the default tier tries.
const QUICK: usize = MUTANTS / 20;

/// A memory limit that is too small for huge literals.
const LIMITS: Limits = Limits { memory_bytes: 1 << 20, steps: None };

fn mutants() -> usize {
    let variable = std::env::var("BEZZEL_MUTANTS").ok();
    variable.map_or(MUTANTS, |count| count.parse().expect("BEZZEL_MUTANTS is a number"))
}

/// Formulas without a model, and right proofs of that.
fn originals() -> Vec<(Formula, Vec<Step>)> {
    let mut originals = vec![(
        // The example of the paper that defines LRAT.
        vec![
            vec![1, 2, -3],
            vec![-1, -2, 3],
            vec![2, 3, -4],
            vec![-2, -3, 4],
            vec![-1, -3, -4],
            vec![1, 3, 4],
            vec![-1, 2, 4],
            vec![1, -2, -4],
        ],
        proof::read(
            b"9 -1 0 -1 5 7 -6 2 7 -8 5 2 0\n9 d 7 5 2 0\n10 2 0 9 1 6 3 0\n11 0 9 10 8 4 6 0\n",
        ),
    )];
    let mut solved = |formula: Formula| {
        let text = cadical::proof(&formula, Route::File, Form::Text, &[]);
        let steps = proof::read(&text);
        originals.push((formula.clone(), defined(&formula, &steps)));
        originals.push((formula, steps));
    };
    solved(rooks(3, 2));
    solved(rooks(4, 3));
    for seed in 0..6 {
        solved(random(seed, 7, 60));
    }
    originals
}

/// The proof after three steps that define a variable and a fourth that uses the definition, so that it
/// begins with steps that follow by their first literals.
fn defined(formula: &Formula, steps: &[Step]) -> Vec<Step> {
    let clauses = formula.len() as i64;
    let fresh = i64::from(crate::formulas::variables(formula)) + 1;
    let add = |number: i64, literals: &[i64], hints: &[i64]| Step::Add {
        id: clauses + number,
        literals: literals.to_vec(),
        hints: hints.to_vec(),
    };
    let (first, second) = (i64::from(formula[0][0]), i64::from(formula[0][1]));
    let mut with = vec![
        add(1, &[fresh, -first, -second], &[]),
        add(2, &[-fresh, first], &[-(clauses + 1)]),
        add(3, &[-fresh, second], &[-(clauses + 1)]),
        add(4, &[-first, -second, fresh], &[clauses + 1]),
    ];
    let moved = |numbers: &[i64]| {
        numbers.iter().map(|id| if *id > clauses { *id + 4 } else { *id }).collect()
    };
    with.extend(steps.iter().map(|step| match step {
        Step::Add { id, literals, hints } => {
            Step::Add { id: id + 4, literals: literals.clone(), hints: moved(hints) }
        }
        Step::Delete { id, ids } => Step::Delete { id: id + 4, ids: moved(ids) },
    }));
    with
}

pub(crate) fn check(formula: &Formula, proof: &[u8]) -> Result<u64, Refusal> {
    let mut checker = LratChecker::new(LIMITS);
    for clause in formula {
        checker.clause(clause);
    }
    checker.check(proof).map(|result| result.additions)
}

/// The numbers of mutants by result.
#[derive(Debug, Default)]
struct Fates {
    accepted: usize,
    wrong: usize,
    incomplete: usize,
    gave_up: usize,
}

impl Fates {
    fn count(&mut self, result: &Result<u64, Refusal>) {
        *match result {
            Ok(_) => &mut self.accepted,
            Err(Refusal::Wrong { .. }) => &mut self.wrong,
            Err(Refusal::Incomplete { .. }) => &mut self.incomplete,
            Err(Refusal::GaveUp { .. }) => &mut self.gave_up,
        } += 1;
    }
}

/// True if the checker gave up at its memory limit, as it may where literals are huge.
pub(crate) fn gave_up(result: &Result<u64, Refusal>) -> bool {
    matches!(result, Err(Refusal::GaveUp { cause: Cause::Memory { .. }, .. }))
}

fn check_mutants(count: usize) {
    let originals = originals();
    for (formula, steps) in &originals {
        assert!(Judge::new(formula).accepts(steps));
        assert!(check(formula, &proof::text(steps)).is_ok());
    }
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut fates = Fates::default();
    for _ in 0..count {
        let (formula, steps) = &originals[rng.random_range(0..originals.len())];
        let mut steps = steps.clone();
        for _ in 0..rng.random_range(1..=3) {
            forge(&mut steps, formula.len(), &mut rng);
        }
        let (text, binary) = (proof::text(&steps), proof::binary(&steps));
        let result = [check(formula, &text), check(formula, &binary)];
        let right = Judge::new(formula).accepts(&steps);
        for result in &result {
            fates.count(result);
            let as_expected = result.is_ok() == right || gave_up(result);
            assert!(as_expected, "{result:?}\n{}", String::from_utf8_lossy(&text));
        }
    }
    println!("{fates:?}");
    assert!(fates.accepted > 0 && fates.wrong > fates.accepted && fates.incomplete > 0);
}

#[test]
fn a_mutant_is_accepted_where_a_plain_judge_accepts_it_and_nowhere_else() {
    check_mutants(QUICK);
}

#[test]
#[ignore = "second tier: 12,000 mutants"]
fn many_mutants_are_accepted_where_a_plain_judge_accepts_them() {
    check_mutants(mutants());
}

/// If the formula has a model without one of its clauses, no proof at all may be accepted. The steps before the refused
/// one leave a model as well.
fn check_formulas_with_a_model(count: usize) {
    let mut satisfiable = Vec::new();
    for (formula, steps) in originals() {
        for i in 0..formula.len() {
            // A tautology replaces the clause, so that all numbers stay.
            let mut with_model = formula.clone();
            with_model[i] = vec![1, -1];
            if Judge::new(&with_model).has_model() {
                satisfiable.push((with_model, steps.clone()));
            }
        }
    }
    assert!(satisfiable.len() > 20, "{}", satisfiable.len());
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut fates = Fates::default();
    for _ in 0..count {
        let (formula, steps) = &satisfiable[rng.random_range(0..satisfiable.len())];
        let mut steps = steps.clone();
        for _ in 0..rng.random_range(0..=3) {
            forge(&mut steps, formula.len(), &mut rng);
        }
        let text = proof::text(&steps);
        let mut interleaved = LratChecker::with_interleaved_ids(LIMITS);
        for clause in formula {
            interleaved.clause(clause);
        }
        assert!(interleaved.check(text.as_slice()).is_err(), "{steps:?}");
        let result = check(formula, &text);
        fates.count(&result);
        let place = match &result {
            Ok(_) => panic!("a proof of what is not so:\n{steps:?}"),
            Err(
                Refusal::Wrong { place, .. }
                | Refusal::Incomplete { place, .. }
                | Refusal::GaveUp { place, .. },
            ) => place.step as usize,
        };
        let mut judge = Judge::new(formula);
        steps[..place - 1].iter().for_each(|step| assert!(judge.take(step), "{step:?}"));
        assert!(judge.has_model(), "{place}: {steps:?}");
    }
    println!("{fates:?}");
    assert!(fates.wrong > 0 && fates.incomplete > 0);
}

#[test]
fn nothing_proves_a_formula_unsatisfiable_that_has_a_model() {
    check_formulas_with_a_model(QUICK);
}

#[test]
#[ignore = "second tier: 12,000 mutants"]
fn many_mutants_prove_no_formula_unsatisfiable_that_has_a_model() {
    check_formulas_with_a_model(mutants());
}

/// Text with changed bytes is read as another reader of text reads it.
fn check_changed_bytes(count: usize) {
    let originals = originals();
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut fates = Fates::default();
    for _ in 0..count {
        let (formula, steps) = &originals[rng.random_range(0..originals.len())];
        let mut text = proof::text(steps);
        for _ in 0..rng.random_range(1..=3) {
            if text.is_empty() {
                break;
            }
            let at = rng.random_range(0..text.len());
            let byte = b"0123456789- \t\n\rdc"[rng.random_range(0..17)];
            match rng.random_range(0..4) {
                0 => drop(text.remove(at)),
                1 => text[at] = byte,
                2 => text.insert(at, byte),
                _ => text.truncate(at + 1),
            }
        }
        let result = check(formula, &text);
        fates.count(&result);
        let right = Judge::new(formula).accepts(&proof::read(&text));
        // A text that begins with the byte of a binary step is read as binary.
        let right = right && !matches!(text.first(), Some(b'a' | b'd'));
        let as_expected = result.is_ok() == right || gave_up(&result);
        assert!(as_expected, "{result:?}\n{}", String::from_utf8_lossy(&text));
    }
    println!("{fates:?}");
    assert!(fates.accepted > 0 && fates.wrong > 0 && fates.incomplete > 0);
}

#[test]
fn a_proof_with_changed_bytes_is_accepted_where_it_is_right_still() {
    check_changed_bytes(QUICK);
}

#[test]
#[ignore = "second tier: 12,000 mutants"]
fn many_proofs_with_changed_bytes_are_accepted_where_they_are_right_still() {
    check_changed_bytes(mutants());
}

#[test]
fn the_proof_of_another_formula_is_refused() {
    let originals = originals();
    let mut pairs = 0;
    for (i, (formula, _)) in originals.iter().enumerate() {
        for (j, (other, steps)) in originals.iter().enumerate() {
            if formula != other {
                let result = check(formula, &proof::text(steps));
                assert_eq!(result.is_ok(), Judge::new(formula).accepts(steps), "{i} {j}");
                assert!(result.is_err(), "{i} {j}");
                pairs += 1;
            }
        }
    }
    assert!(pairs > 200, "{pairs}");
}
