//! DRAT: proofs by hand, proofs by CaDiCaL, and mutants of proofs.

#![expect(clippy::print_stdout, reason = "what became of a million mutants is worth a line")]

use std::collections::BTreeSet;
use std::fmt::Write;

use bezzel_proof::{Limits, Notation, ProofStats, Reason, Refusal, drat};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::cadical::{self, Form};
use crate::formulas::{Formula, random, rooks};
use crate::judge::Judge;
use crate::mutants::{Fates, LIMITS, gave_up, mutants, originals};
use crate::proof;

pub(crate) fn check(
    limits: Limits,
    formula: &[Vec<i32>],
    proof: impl AsRef<[u8]>,
) -> Result<ProofStats, Refusal> {
    let mut checker = drat::DratChecker::new(limits);
    for clause in formula {
        checker.clause(clause);
    }
    checker.check(proof.as_ref())
}

fn by_hand(formula: &[&[i32]], proof: impl AsRef<[u8]>) -> Result<ProofStats, Refusal> {
    let formula: Formula = formula.iter().map(|clause| clause.to_vec()).collect();
    check(Limits::default(), &formula, proof)
}

/// Every clause of two variables.
const SQUARE: &[&[i32]] = &[&[1, 2], &[-1, 2], &[1, -2], &[-1, -2]];

#[test]
fn one_unit_refutes_what_unit_propagation_does_the_rest_of() {
    let result = by_hand(SQUARE, "2 0\n0\n").unwrap();
    assert_eq!((result.steps, result.additions, result.rat), (1, 1, 0));
    // No step is needed if unit propagation refutes the formula.
    assert_eq!(by_hand(&[&[1], &[-1]], "nonsense").unwrap().steps, 0);
    assert_eq!(by_hand(&[&[1, 2], &[]], "nonsense").unwrap().steps, 0);
}

#[test]
fn a_clause_that_does_not_follow_is_refused_with_its_place() {
    let refusal =
        by_hand(&[&[1, 2], &[-1, 3]], "o proof DRUP\nc so\nd 1 2 0\n -3 0\n").unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "step 2 (line 4, byte 27): clause [-3]: it follows neither by unit propagation nor by its \
         first literal"
    );
    let torn = by_hand(SQUARE, "2").unwrap_err();
    assert!(matches!(torn, Refusal::Incomplete { torn: true, .. }), "{torn}");
    let incomplete = by_hand(SQUARE, "c 2 0\n").unwrap_err();
    assert!(matches!(incomplete, Refusal::Incomplete { torn: false, .. }), "{incomplete}");
}

#[test]
fn the_pivot_is_the_first_literal() {
    let formula: &[&[i32]] = &[&[1, 2], &[-1, 3], &[-1, -2, -3]];
    // 4 occurs nowhere else; 1 does, and the resolvents of [1 4] on it do not follow.
    assert!(matches!(by_hand(formula, "4 1 0\n"), Err(Refusal::Incomplete { .. })));
    let refused = by_hand(formula, "1 4 0\n");
    assert!(matches!(refused, Err(Refusal::Wrong { reason: Reason::DoesNotFollow, .. })));
    // After their deletion, the clauses with −1 have no resolvents.
    assert!(matches!(
        by_hand(formula, "d 3 -1 0\nd -1 -2 -3 0\n1 4 0\n"),
        Err(Refusal::Incomplete { place, .. }) if place.step == 4
    ));
}

#[test]
fn deletions_go_by_content_and_leave_what_propagates() {
    let formula: &[&[i32]] = &[&[1], &[-1, 2, 2], &[3, 4], &[4, 3], &[5, 5]];
    let result = |proof: &str| {
        let mut whole: Vec<&[i32]> = formula.to_vec();
        let rest: [&[i32]; 4] = [&[7, 8], &[-7, 8], &[7, -8], &[-7, -8]];
        whole.extend(rest);
        by_hand(&whole, format!("{proof}8 0\n")).unwrap()
    };
    let counts =
        |result: ProofStats| (result.deletions, result.kept_deletions, result.unknown_deletions);
    assert_eq!(counts(result("d 1 0\nd 2 -1 0\nd 5 0\n")), (0, 3, 0));
    assert_eq!(counts(result("d 3 4 0\nd 4 3 3 0\nd 3 4 0\n")), (2, 0, 1));
    assert_eq!(counts(result("d 9 -9 0\n9 -9 0\nd -9 9 0\n")), (1, 0, 1));
}

#[test]
fn text_and_binary_are_distinguished_also_where_they_begin_with_a_deletion() {
    let text = "d 1 2 0\n2 0\n";
    let refusal = by_hand(SQUARE, text).unwrap_err();
    assert!(matches!(refusal, Refusal::Wrong { place, .. } if place.line == Some(2)), "{refusal}");
    // The blank of text is variable 16 here.
    let result = by_hand(SQUARE, b"d\x20\x00a\x04\x00").unwrap();
    assert_eq!((result.notation, result.unknown_deletions), (Some(Notation::Binary), 1));
    let result = by_hand(SQUARE, b"a\x04\x00").unwrap();
    assert_eq!((result.notation, result.bytes), (Some(Notation::Binary), 3));
}

#[test]
fn proofs_of_cadical_are_accepted() {
    let mut formulas = vec![rooks(5, 4), rooks(8, 7)];
    formulas.extend((0..20).map(|seed| random(seed, 40, 260)));
    let (mut rat, mut deletions) = (0, 0);
    for formula in &formulas {
        for factor in [0, 1] {
            let result = [Form::Text, Form::Binary].map(|form| {
                let proof = cadical::drat(formula, form, &[("factor", factor)]);
                check(Limits::default(), formula, proof).unwrap()
            });
            assert_eq!(
                ProofStats { bytes: 0, notation: None, ..result[0] },
                ProofStats { bytes: 0, notation: None, ..result[1] }
            );
            assert_eq!(result[0].unknown_deletions, 0);
            rat += result[0].rat;
            deletions += result[0].deletions;
        }
    }
    assert!(rat > 0 && deletions > 1000, "{rat} {deletions}");
}

#[test]
fn a_check_that_needs_more_memory_gives_up_without_a_verdict() {
    let formula = rooks(5, 4);
    let proof = cadical::drat(&formula, Form::Binary, &[]);
    let needed = check(Limits::default(), &formula, &proof).unwrap().peak_memory_bytes;
    let mut gave = 0;
    for memory_bytes in (0..needed).step_by(53) {
        match check(Limits { memory_bytes, steps: None }, &formula, &proof) {
            Ok(result) => assert!(result.peak_memory_bytes <= memory_bytes),
            Err(Refusal::GaveUp { .. }) => gave += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert!(gave > 50, "{gave}");
    let few = check(Limits { steps: Some(0), ..Limits::default() }, &formula, &proof);
    assert!(matches!(few, Err(Refusal::GaveUp { .. })));
}

/// A step of DRAT.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) deletion: bool,
    pub(crate) literals: Vec<i64>,
}

pub(crate) fn text(steps: &[Step]) -> Vec<u8> {
    let mut text = String::new();
    for step in steps {
        if step.deletion {
            text += "d ";
        }
        for literal in &step.literals {
            write!(text, "{literal} ").unwrap();
        }
        text += "0\n";
    }
    text.into_bytes()
}

/// The steps of an LRAT proof, without numbers and hints.
pub(crate) fn plain(formula: &Formula, steps: &[proof::Step]) -> Vec<Step> {
    let wide = |clause: &Vec<i32>| clause.iter().map(|lit| i64::from(*lit)).collect();
    let mut clauses: std::collections::BTreeMap<i64, Vec<i64>> =
        (1..).zip(formula.iter().map(wide)).collect();
    let mut plain = Vec::new();
    for step in steps {
        match step {
            proof::Step::Add { id, literals, .. } => {
                clauses.insert(*id, literals.clone());
                plain.push(Step { deletion: false, literals: literals.clone() });
            }
            proof::Step::Delete { ids, .. } => plain.extend(
                ids.iter().map(|id| Step { deletion: true, literals: clauses[id].clone() }),
            ),
        }
    }
    plain
}

/// Changes a proof once.
pub(crate) fn forge(steps: &mut Vec<Step>, formula: &Formula, rng: &mut ChaCha8Rng) {
    if steps.is_empty() {
        return;
    }
    let at = rng.random_range(0..steps.len());
    let other = rng.random_range(0..steps.len());
    let literal = if rng.random() { 1 } else { -1 } * rng.random_range(1..=9);
    let literals = &mut steps[at].literals;
    let any = rng.random_range(0..literals.len().max(1));
    match rng.random_range(0..14) {
        0 => drop(steps.remove(at)),
        1 => steps.swap(at, other),
        2 => steps.insert(other, steps[at].clone()),
        3 => steps.truncate(at),
        4 => steps[at].deletion ^= true,
        5 => {
            let clause = &formula[rng.random_range(0..formula.len())];
            let literals = clause.iter().map(|lit| i64::from(*lit)).collect();
            steps.insert(at, Step { deletion: true, literals });
        }
        6 | 7 => literals.insert(any, literal),
        8 => literals.clear(),
        9 => literals.reverse(),
        10 if rng.random() => literals.push(literal.signum() * i64::from(i32::MAX)),
        _ if literals.is_empty() => {}
        10 | 11 => drop(literals.remove(any)),
        12 => literals[any] = -literals[any],
        _ => literals[any] = literal,
    }
}

type Clause = BTreeSet<i64>;

/// A simple checker: clauses in a list, and every propagation by exhaustive search.
struct Plain(Vec<Clause>);

impl Plain {
    fn new(formula: &Formula) -> Self {
        let set = |clause: &Vec<i32>| clause.iter().map(|lit| i64::from(*lit)).collect();
        Self(formula.iter().map(set).collect())
    }

    /// The false literals after propagation from these, or `None` if it ends in a conflict.
    fn propagate(&self, mut falsified: Clause) -> Option<Clause> {
        loop {
            let mut found = None;
            for clause in &self.0 {
                let mut left = clause.difference(&falsified);
                match (left.next(), left.next()) {
                    (None, _) => return None,
                    (Some(lit), None) if !falsified.contains(&-lit) => found = Some(-lit),
                    _ => {}
                }
            }
            let Some(lit) = found else { return Some(falsified) };
            falsified.insert(lit);
        }
    }

    fn implies(&self, clause: &Clause) -> bool {
        clause.iter().any(|lit| clause.contains(&-lit)) || self.propagate(clause.clone()).is_none()
    }

    /// Processes a step. False if it does not follow.
    fn take(&mut self, step: &Step) -> bool {
        let clause: Clause = step.literals.iter().copied().collect();
        if step.deletion {
            let Some(found) = self.0.iter().position(|other| *other == clause) else { return true };
            let top = self.propagate(Clause::new()).expect("nothing is refuted yet");
            let left: Vec<i64> = clause.difference(&top).copied().collect();
            if !matches!(left[..], [lit] if top.contains(&-lit)) {
                self.0.remove(found);
            }
            return true;
        }
        let follows = self.implies(&clause)
            || step.literals.first().is_some_and(|pivot| {
                let says = |other: &Clause| !other.iter().any(|lit| other.contains(&-lit));
                let with = self.0.iter().filter(|other| says(other) && other.contains(&-pivot));
                with.map(|other| other.iter().filter(|lit| **lit != -pivot)).all(|rest| {
                    let resolvent: Clause = clause.iter().chain(rest).copied().collect();
                    self.implies(&resolvent)
                })
            });
        self.0.push(clause);
        follows
    }

    fn accepts(mut self, steps: &[Step]) -> bool {
        for step in steps {
            if self.propagate(Clause::new()).is_none() {
                return true;
            }
            if !self.take(step) {
                return false;
            }
        }
        self.propagate(Clause::new()).is_none()
    }
}

#[test]
fn a_mutant_is_accepted_where_a_plain_judge_accepts_it_and_nowhere_else() {
    let originals = originals();
    let originals: Vec<_> =
        originals.iter().map(|(formula, steps)| (formula, plain(formula, steps))).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut fates = Fates::default();
    for _ in 0..mutants() {
        let (formula, steps) = &originals[rng.random_range(0..originals.len())];
        let mut steps = steps.clone();
        for _ in 0..rng.random_range(0..=4) {
            forge(&mut steps, formula, &mut rng);
        }
        let text = text(&steps);
        let result = check(LIMITS, formula, &text).map(|result| result.additions);
        fates.count(&result);
        let right = Plain::new(formula).accepts(&steps);
        let as_expected = result.is_ok() == right || gave_up(&result);
        assert!(as_expected, "{result:?}\n{}", String::from_utf8_lossy(&text));
    }
    println!("{fates:?}");
    assert!(fates.accepted > 0 && fates.wrong > 0);
}

#[test]
fn nothing_proves_a_formula_unsatisfiable_that_has_a_model() {
    let mut satisfiable = Vec::new();
    for (formula, steps) in originals() {
        let steps = plain(&formula, &steps);
        for i in 0..formula.len() {
            let mut with_model = formula.clone();
            with_model.remove(i);
            if Judge::new(&with_model).has_model() {
                satisfiable.push((with_model, steps.clone()));
            }
        }
    }
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let mut fates = Fates::default();
    for _ in 0..mutants() {
        let (formula, steps) = &satisfiable[rng.random_range(0..satisfiable.len())];
        let mut steps = steps.clone();
        for _ in 0..rng.random_range(0..=3) {
            forge(&mut steps, formula, &mut rng);
        }
        let result = check(LIMITS, formula, text(&steps)).map(|result| result.additions);
        fates.count(&result);
        assert!(result.is_err(), "a proof of what is not so:\n{steps:?}");
    }
    println!("{fates:?}");
    assert!(fates.wrong > 0);
}

#[test]
fn any_bytes_are_refused() {
    let formula = random(1, 20, 30);
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let bytes = b"001122345678d- \n\nco\0\0a\x02\x04\x07\x81\xff";
    for _ in 0..20_000 {
        let length = rng.random_range(0..200);
        let proof: Vec<u8> = (0..length).map(|_| bytes[rng.random_range(0..bytes.len())]).collect();
        let result = check(Limits { memory_bytes: 1 << 16, steps: None }, &formula, &proof);
        assert!(result.is_err(), "{proof:?}");
    }
}
