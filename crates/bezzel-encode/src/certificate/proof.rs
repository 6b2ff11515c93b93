//! The text of a proof, step by step.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::mem;

use rustsat::types::{Lit, Var};

use super::{Lemma, Refute, Uncertified};
use crate::formula::Formula;
use crate::propagate::Propagator;
use crate::sink::ClauseSink;

/// A proof, and the number of its last line.
pub struct Proof {
    text: String,
    last: u64,
    /// The literals that the first variables stand for; without them each stands for itself.
    images: Vec<Lit>,
    /// The number of the variable that follows those with an image.
    next: u32,
}

/// Writes a clause as a constraint: `1 x1 1 ~x2 >= 1`.
pub(super) fn constraint(text: &mut String, clause: &[Lit]) {
    at_least(text, clause.iter().map(|&lit| (lit, 1)), 1);
}

/// Writes that literals with these weights have at least a weight: `3 x1 5 ~x2 >= 4`.
pub fn at_least(text: &mut String, terms: impl IntoIterator<Item = (Lit, i128)>, degree: i128) {
    for (lit, weight) in terms {
        let sign = if lit.is_neg() { "~" } else { "" };
        let _ = write!(text, "{weight} {sign}x{} ", lit.vidx32() + 1);
    }
    let _ = write!(text, ">= {degree}");
}

/// The clauses of the database, each with its line.
#[derive(Clone, Default)]
pub(super) struct Known {
    pub(super) formula: Formula,
    ids: Vec<u64>,
}

impl Known {
    /// No clauses, of this number of variables.
    pub(super) fn new(variables: u32) -> Self {
        let mut known = Self::default();
        known.formula.fresh(variables);
        known
    }

    pub(super) fn fresh(&mut self) -> Lit {
        self.formula.fresh(1).lit(0)
    }

    pub(super) fn clause(&mut self, clause: &[Lit], id: u64) {
        self.formula.clause(clause);
        self.ids.push(id);
    }

    /// Adds a clause to the proof by reverse unit propagation.
    pub(super) fn rup(&mut self, proof: &mut Proof, clause: &[Lit]) {
        let id = proof.rup(clause);
        self.clause(clause, id);
    }

    /// Adds a clause to the proof by a redundance step that makes `witness` true.
    pub(super) fn red(&mut self, proof: &mut Proof, clause: &[Lit], witness: Lit) -> u64 {
        let id = proof.define(clause, witness);
        self.clause(clause, id);
        id
    }
}

impl Proof {
    /// The beginning of a proof from a formula with `constraints` constraints.
    pub fn new(constraints: u64) -> Self {
        let text = format!("pseudo-Boolean proof version 3.0\nf {constraints};\n");
        Self { text, last: constraints, images: Vec::new(), next: 0 }
    }

    /// The number of the last line.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// Takes the text since the last call if it is longer than this number of bytes.
    pub fn take(&mut self, bytes: usize) -> Option<String> {
        (self.text.len() > bytes).then(|| mem::take(&mut self.text))
    }

    /// The end of the proof so far, which [`reset`](Self::reset) returns to.
    pub(super) fn mark(&self) -> (usize, u64) {
        (self.text.len(), self.last)
    }

    /// Takes back the steps after a mark. Nothing may have been [taken](Self::take) since.
    pub(super) fn reset(&mut self, (length, last): (usize, u64)) {
        self.text.truncate(length);
        self.last = last;
    }

    /// Repeats clauses, which have these lines, and deletes all lines from `first` to the last one before.
    pub(super) fn keep<'c>(
        &mut self,
        first: u64,
        clauses: impl Iterator<Item = &'c [Lit]>,
        lines: &[u64],
    ) -> Vec<u64> {
        let end = self.last + 1;
        let kept = clauses.zip(lines).map(|(clause, &line)| self.rup_by(clause, &[line])).collect();
        if first < end {
            let _ = writeln!(self.text, "del range {first} {end};");
        }
        kept
    }

    /// From here on the first variables stand for these literals, and the others follow `made` variables of the proof.
    pub fn set_images(&mut self, images: Vec<Lit>, made: u32) {
        (self.images, self.next) = (images, made);
    }

    /// The literal in the proof.
    fn image(&self, lit: Lit) -> Lit {
        match self.images.get(lit.vidx()) {
            Some(&image) => {
                if lit.is_neg() {
                    !image
                } else {
                    image
                }
            }
            None => Lit::new(lit.vidx32() - self.images.len() as u32 + self.next, lit.is_neg()),
        }
    }

    /// The literal as cutting planes name it.
    pub(super) fn name(&self, lit: Lit) -> String {
        let lit = self.image(lit);
        format!("{}x{}", if lit.is_neg() { "~" } else { "" }, lit.vidx32() + 1)
    }

    /// Writes a constraint.
    fn state(&mut self, terms: impl IntoIterator<Item = (Lit, i128)>, degree: i128) {
        let mut text = mem::take(&mut self.text);
        let terms = terms.into_iter().map(|(lit, weight)| (self.image(lit), weight));
        at_least(&mut text, terms, degree);
        self.text = text;
    }

    /// Adds a constraint by a redundance step that makes `defined` true.
    pub(super) fn red(&mut self, terms: &[(Lit, i128)], degree: i128, defined: Lit) -> u64 {
        self.text.push_str("red ");
        self.state(terms.iter().copied(), degree);
        let defined = self.image(defined);
        let value = u32::from(defined.is_pos());
        let _ = writeln!(self.text, " : x{} -> {value};", defined.vidx32() + 1);
        self.last += 1;
        self.last
    }

    /// Introduces a clause of a definition.
    pub(super) fn define(&mut self, clause: &[Lit], defined: Lit) -> u64 {
        let terms: Vec<(Lit, i128)> = clause.iter().map(|&lit| (lit, 1)).collect();
        self.red(&terms, 1, defined)
    }

    /// Adds a clause by reverse unit propagation.
    pub fn rup(&mut self, clause: &[Lit]) -> u64 {
        self.rup_by(clause, &[])
    }

    /// The same with the lines that propagate.
    pub fn rup_by(&mut self, clause: &[Lit], hints: &[u64]) -> u64 {
        self.text.push_str("rup ");
        self.state(clause.iter().map(|&lit| (lit, 1)), 1);
        if !hints.is_empty() {
            self.text.push_str(" :");
            for id in hints {
                let _ = write!(self.text, " {id}");
            }
        }
        self.text.push_str(";\n");
        self.last += 1;
        self.last
    }

    /// Adds a constraint by cutting planes.
    pub fn pol(&mut self, steps: &str) -> u64 {
        let _ = writeln!(self.text, "pol {steps};");
        self.last += 1;
        self.last
    }

    /// Derives a literal from the known clauses: `refute` refutes these and its negation.
    pub(super) fn prove(
        &mut self,
        known: &Known,
        goal: Lit,
        refute: &mut Refute<'_>,
    ) -> Result<u64, Uncertified> {
        let mut formula = known.formula.clone();
        formula.clause(&[!goal]);
        let lemmas = refute(&formula).ok_or(Uncertified::Unproved)?;
        let count = known.ids.len() as u64;
        let mut ids: HashMap<u64, u64> = (1..).zip(known.ids.iter().copied()).collect();
        for Lemma { number, mut clause, hints } in lemmas {
            clause.push(goal);
            let negated = count + 1;
            let hints = hints.iter().filter(|&&hint| hint != negated).map(|hint| ids[hint]);
            let id = self.rup_by(&clause, &hints.collect::<Vec<u64>>());
            ids.insert(number, id);
        }
        let last = self.last;
        let mut used: Vec<u64> =
            ids.into_iter().filter(|(of, _)| *of > count).map(|(_, id)| id).collect();
        used.retain(|&id| id != last);
        used.sort_unstable();
        self.delete(&used);
        Ok(last)
    }

    /// Derives a clause: by unit propagation, or by cases over the variables `branched`, in this order. Returns the number
    /// of the clause; none if some assignment of these variables violates it. The propagator has the constraints of the
    /// database.
    pub(super) fn derive(
        &mut self,
        propagator: &mut Propagator,
        clause: &[Lit],
        branched: &[u32],
        steps: &mut u64,
    ) -> Result<Option<u64>, Uncertified> {
        let before = propagator.trail().len();
        let derived = self.derive_from(propagator, &mut clause.to_vec(), 0, branched, steps);
        propagator.undo(before);
        derived
    }

    /// The same where the literals of the clause before `assumed` are assumed not to hold.
    fn derive_from(
        &mut self,
        propagator: &mut Propagator,
        clause: &mut Vec<Lit>,
        assumed: usize,
        mut branched: &[u32],
        steps: &mut u64,
    ) -> Result<Option<u64>, Uncertified> {
        let mut is_refuted = clause[assumed..].iter().any(|&lit| propagator.assume(!lit).is_err());
        let mut lemmas = Vec::new();
        while !is_refuted {
            *steps = steps.checked_sub(1).ok_or(Uncertified::TooHard)?;
            let open = |number: &u32| propagator.value(Var::new(*number)).is_none();
            let Some(at) = branched.iter().position(open) else {
                return Ok(None);
            };
            let branch = Lit::positive(branched[at]);
            branched = &branched[at + 1..];
            let before = propagator.trail().len();
            clause.push(!branch);
            let length = clause.len();
            let lemma = self.derive_from(propagator, clause, length - 1, branched, steps)?;
            clause.pop();
            propagator.undo(before);
            let Some(lemma) = lemma else { return Ok(None) };
            lemmas.push(lemma);
            // By the lemma.
            is_refuted = propagator.assume(!branch).is_err();
        }
        let derived = self.rup(clause);
        self.delete(&lemmas);
        Ok(Some(derived))
    }

    /// States a solution by its literals, with the bound on the objective that only better ones meet.
    pub fn improve(&mut self, solution: &str) -> u64 {
        let _ = writeln!(self.text, "soli{solution};");
        self.last += 1;
        self.last
    }

    /// Deletes lines.
    pub fn delete(&mut self, ids: &[u64]) {
        if !ids.is_empty() {
            self.text.push_str("del id");
            self.list(ids);
        }
    }

    fn list(&mut self, ids: &[u64]) {
        for id in ids {
            let _ = write!(self.text, " {id}");
        }
        self.text.push_str(";\n");
    }

    /// Derives that at most one of the inputs holds from the pairs.
    pub(super) fn ladder(&mut self, inputs: u32, pairs: &HashMap<u64, u64>) -> u64 {
        let mut bound = pairs[&0b11];
        for next in 2..inputs {
            // The bound for the first `next` inputs, next − 1 times, and the pairs with the next input.
            let _ = write!(self.text, "pol {bound}");
            if next > 2 {
                let _ = write!(self.text, " {} *", next - 1);
            }
            for first in 0..next {
                let _ = write!(self.text, " {} +", pairs[&(1 << first | 1 << next)]);
            }
            let _ = writeln!(self.text, " {next} d;");
            self.last += 1;
            bound = self.last;
        }
        bound
    }

    /// Derives that at most k of the inputs hold from the bounds for sets of k + 1 inputs.
    pub(super) fn by_subsets(&mut self, inputs: u32, k: u32, mut known: HashMap<u64, u64>) -> u64 {
        for size in k + 2..=inputs {
            let mut larger = HashMap::new();
            for set in super::subsets(inputs, size) {
                let bits = super::bits(&set);
                // Each input is in all but one of the sets with one input less.
                for (place, number) in set.iter().enumerate() {
                    let smaller = known[&(bits & !(1 << number))];
                    let start = if place == 0 { "pol" } else { "" };
                    let end = if place == 0 { "" } else { " +" };
                    let _ = write!(self.text, "{start} {smaller}{end}");
                }
                let _ = writeln!(self.text, " {} d;", size - 1);
                self.last += 1;
                larger.insert(bits, self.last);
            }
            known = larger;
        }
        known[&((1 << inputs) - 1)]
    }

    /// Ends the proof with a conclusion, as `UNSAT : 7`, and takes its text.
    pub fn conclude(mut self, conclusion: &str) -> String {
        let _ = writeln!(
            self.text,
            "output NONE;\nconclusion {conclusion};\nend pseudo-Boolean proof;"
        );
        self.text
    }

    /// Ends the proof: the derived constraints are the output, and the first `constraints`, the input, are deleted.
    pub(super) fn finish(mut self, derived: &[u64], constraints: u64) -> String {
        self.text.push_str("core id");
        self.list(derived);
        self.text.push_str("delc");
        self.list(&(1..=constraints).collect::<Vec<_>>());
        self.text.push_str("output DERIVABLE FILE;\nconclusion NONE;\nend pseudo-Boolean proof;\n");
        self.text
    }
}
