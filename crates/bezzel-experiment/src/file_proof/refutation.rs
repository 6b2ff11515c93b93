//! Lemmas by which CaDiCaL refutes a formula, for proofs that derive a clause. They are steps of these proofs, so CaDiCaL
//! need not be trusted.

use std::collections::{HashMap, HashSet};

use bezzel_encode::certificate::Lemma;
use bezzel_encode::{Formula, Lit};
use bezzel_proof::{Derivation, Limits, ProofStep, Refusal, each_step};
use bezzel_solve::cadical::Cadical;
use bezzel_solve::{Answer, Options, SessionOptions, Solver};

/// The most bytes of a proof of the solver.
const MAX_PROOF_BYTES: u64 = 1 << 29;

/// The conflicts after which the search for a proof of a group is given up.
const MAX_CONFLICTS: u32 = 50_000;

/// The lemmas by which CaDiCaL refutes a formula, without those that are not needed; none if it finds no refutation with
/// this many conflicts.
pub fn refute(formula: &Formula, max_conflicts: u32) -> Option<Vec<Lemma>> {
    let options =
        SessionOptions { stored_proof_bytes: Some(MAX_PROOF_BYTES), ..SessionOptions::default() };
    let mut session = Cadical::Plain.open(&Options::new(), &options).ok()?;
    session.fresh(formula.variables());
    for clause in formula.clauses() {
        session.clause(clause);
    }
    if session.solve_within(&[], max_conflicts) != Answer::Unsat {
        return None;
    }
    let mut derived: Vec<Derivation> = Vec::new();
    each_step(&*session.stored_proof()?, Limits::default(), |step| {
        if let ProofStep::Addition(derivation) = step {
            derived.push(derivation);
        }
        Ok::<(), Refusal>(())
    })
    .ok()?;
    let mut lemmas: Vec<Lemma> = derived.into_iter().map(lemma).collect::<Option<_>>()?;
    // CaDiCaL may derive clauses before it has all of the formula: the numbers without a derivation are the formula's.
    let derived: HashSet<u64> = lemmas.iter().map(|lemma| lemma.number).collect();
    let given = (1..).filter(|number| !derived.contains(number)).take(formula.len());
    let given: HashMap<u64, u64> = given.zip(1..).collect();
    let number = |number: u64| given.get(&number).copied().unwrap_or(number + formula.len() as u64);
    for lemma in &mut lemmas {
        lemma.number = number(lemma.number);
        lemma.hints.iter_mut().for_each(|hint| *hint = number(*hint));
    }
    let mut needed = HashSet::from([lemmas.last()?.number]);
    for lemma in lemmas.iter().rev() {
        if needed.contains(&lemma.number) {
            needed.extend(&lemma.hints);
        }
    }
    lemmas.retain(|lemma| needed.contains(&lemma.number));
    Some(lemmas)
}

/// A derivation of CaDiCaL as a lemma.
fn lemma(derivation: Derivation) -> Option<Lemma> {
    let Derivation { id, literals, hints } = derivation;
    let literal = |lit: i64| Lit::from_ipasir(i32::try_from(lit).ok()?).ok();
    Some(Lemma {
        number: id,
        clause: literals.into_iter().map(literal).collect::<Option<_>>()?,
        hints: hints.into_iter().map(|hint| u64::try_from(hint).ok()).collect::<Option<_>>()?,
    })
}

/// The lemmas for the groups of a file. Groups of one shape have the same ones, so the last are kept.
#[derive(Default)]
pub(super) struct Refutations {
    last: Option<(Formula, Option<Vec<Lemma>>)>,
}

impl Refutations {
    pub(super) fn refute(&mut self, formula: &Formula) -> Option<Vec<Lemma>> {
        if self.last.as_ref().is_none_or(|(last, _)| last != formula) {
            self.last = Some((formula.clone(), refute(formula, MAX_CONFLICTS)));
        }
        self.last.as_ref().and_then(|(_, lemmas)| lemmas.clone())
    }
}
