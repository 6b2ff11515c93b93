//! The clauses of a group of gates: adders of its literals, and networks that sort them.
//!
//! Clauses of single gates follow from their definitions. From a bound on the inputs the outputs that no gate reads have
//! the same bound, since no gate makes weights larger. The clauses that compare the number of an adder follow from this.
//!
//! Of a network, they follow once the outputs are known to be sorted. A sequence of variables, each of which holds if a
//! number of inputs in a set do, is found by samples. It is sorted if two sequences for the halves of the set are: with
//! aᵢ and bⱼ unit propagation gives cᵢ₊ⱼ, and without aᵢ and b₍ⱼ₊₁₋ᵢ₎ it gives not cⱼ. This is what a totalizer states,
//! and cⱼ₊₁ → cⱼ follows from it by unit propagation, too.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

use rustsat::types::Lit;

use super::gates::{self, Gate};
use super::group::Group;
use super::proof::{Known, Proof};
use crate::propagate::Propagator;

/// The words of samples, each of 64 assignments.
const WORDS: usize = 32;

/// The lines of the clauses; none if there are others than gates, or a clause does not follow.
pub(super) fn derive(group: &Group<'_>, proof: &mut Proof) -> Option<Vec<u64>> {
    let mut gates = gates::find(group)?;
    let mut of_output = HashMap::new();
    for (number, gate) in gates.iter_mut().enumerate() {
        gate.define(proof);
        of_output.extend(gate.outputs.map(|(lit, _)| (lit.var(), number)));
    }
    let sums = sums(group, &gates, proof);
    let mut sorted = None;
    let line = |clause: &[Lit]| {
        let newest = clause.iter().max_by_key(|lit| lit.vidx())?;
        let gate = of_output.get(&newest.var()).map(|&number| &gates[number]);
        if let Some(gate) = gate.filter(|gate| gate.implies(clause)) {
            return Some(proof.rup_by(clause, &gate.lines));
        }
        if let Some(sum) = sums.iter().find(|sum| sum.excludes(clause.iter().map(|&lit| !lit))) {
            return Some(proof.rup_by(clause, &[sum.line]));
        }
        if !gates.iter().all(Gate::is_comparator) {
            return None;
        }
        let known = sorted.get_or_insert_with(|| sort(group, &gates, proof));
        let before = known.trail().len();
        let mut follows = clause.iter().any(|&lit| known.assume(!lit).is_err());
        follows |= sums.iter().any(|sum| sum.excludes(known.trail().iter().copied()));
        known.undo(before);
        follows.then(|| proof.rup(clause))
    };
    group.formula.clauses().map(line).collect()
}

/// A bound on the outputs of gates, as a line of the proof.
struct OutputSum {
    weights: HashMap<Lit, i128>,
    bound: i128,
    line: u64,
}

impl OutputSum {
    /// True if these literals are too heavy.
    fn excludes(&self, lits: impl Iterator<Item = Lit>) -> bool {
        lits.filter_map(|lit| self.weights.get(&lit)).sum::<i128>() > self.bound
    }
}

/// The bounds on inputs, passed on to outputs. A gate whose inputs have several weights takes the lowest bit that all have.
fn sums(group: &Group<'_>, gates: &[Gate], proof: &mut Proof) -> Vec<OutputSum> {
    let of_premise = |premise: &super::Premise| {
        let own = premise.terms.iter().filter(|(lit, _)| Some(*lit) != group.guard);
        let mut weights: HashMap<Lit, i128> =
            own.map(|&(lit, weight)| (!lit, i128::from(weight))).collect();
        let bound = weights.values().sum::<i128>() - i128::from(premise.degree);
        let mut steps = premise.id.to_string();
        for gate in gates {
            for (kept, is_negated) in gate.kept().iter().zip([false, true]) {
                let own = |lit: Lit| if is_negated { !lit } else { lit };
                let of_input = |&lit: &Lit| weights.get(&own(lit)).copied().unwrap_or(0);
                let common = gate.inputs.iter().map(of_input).fold(-1, |all, weight| all & weight);
                let times = common & -common;
                if times > 0 {
                    let inputs = gate.inputs.iter().map(|&lit| (lit, -1));
                    for (lit, weight) in inputs.chain(gate.outputs) {
                        *weights.entry(own(lit)).or_default() += times * weight;
                    }
                    let _ = write!(steps, " {kept} {times} * +");
                }
            }
        }
        OutputSum { weights, bound, line: proof.pol(&steps) }
    };
    group.premises.iter().map(of_premise).collect()
}

/// A set of literals of inputs, by the numbers of the literals.
type Cone = BTreeSet<usize>;

/// Variables that hold if a number of literals of a cone do, by these numbers.
type Sequence = BTreeMap<usize, Lit>;

/// The sequences of a network, by the sizes of their cones.
fn sequences(group: &Group<'_>, gates: &[Gate]) -> Vec<(Cone, Sequence)> {
    let mut random = 1_u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    let densities: Vec<u64> = (0..64 * WORDS).map(|_| next() >> 33).collect();
    let word = |densities: &[u64], next: &mut dyn FnMut() -> u64| {
        let bits = densities.iter().enumerate();
        bits.map(|(at, density)| u64::from(next() >> 33 < *density) << at).sum::<u64>()
    };
    // The values of each variable in all samples, and the cones.
    let mut values: Vec<Vec<u64>> = (0..group.inputs)
        .map(|_| densities.chunks(64).map(|densities| word(densities, &mut next)).collect())
        .collect();
    let outputs = gates.iter().flat_map(|gate| gate.outputs.map(|(lit, _)| lit.vidx() + 1));
    values.resize(outputs.max().unwrap_or(0).max(values.len()), vec![0; WORDS]);
    let value = |values: &[Vec<u64>], lit: Lit, at: usize| {
        if lit.is_neg() { !values[lit.vidx()][at] } else { values[lit.vidx()][at] }
    };
    let mut cones: HashMap<Lit, Cone> = HashMap::new();
    let mut counts: HashMap<Cone, Vec<usize>> = HashMap::new();
    let mut found: BTreeMap<(usize, Vec<usize>), (Cone, Sequence)> = BTreeMap::new();
    let mut add = |cone: &Cone, count: usize, lit: Lit| {
        let key = (cone.len(), cone.iter().copied().collect());
        found.entry(key).or_insert_with(|| (cone.clone(), Sequence::new())).1.insert(count, lit);
    };
    for gate in gates {
        let own = |lit: &Lit| Cone::from([lit.lidx()]);
        let inputs = [gate.inputs[0], gate.inputs[1]];
        let [a, b] = inputs.map(|lit| cones.get(&lit).cloned().unwrap_or_else(|| own(&lit)));
        inputs
            .iter()
            .filter(|lit| lit.vidx32() < group.inputs)
            .for_each(|lit| add(&own(lit), 1, *lit));
        let cone: Cone = a.union(&b).copied().collect();
        // The literals of the cone that hold in each sample.
        let counts = counts.entry(cone.clone()).or_insert_with(|| {
            let of_sample = |sample: usize| {
                let lits = cone.iter().map(|&number| Lit::new(number as u32 / 2, number % 2 == 1));
                lits.filter(|&lit| value(&values, lit, sample / 64) >> (sample % 64) & 1 == 1)
                    .count()
            };
            (0..64 * WORDS).map(of_sample).collect()
        });
        for (output, is_smaller) in [(gate.outputs[1].0, false), (gate.outputs[0].0, true)] {
            for at in 0..WORDS {
                let [a, b] = inputs.map(|lit| value(&values, lit, at));
                values[output.vidx()][at] = if is_smaller { a & b } else { a | b };
            }
            cones.insert(output, cone.clone());
            let (mut least, mut most) = (usize::MAX, 0);
            for (sample, &count) in counts.iter().enumerate() {
                if values[output.vidx()][sample / 64] >> (sample % 64) & 1 == 1 {
                    least = least.min(count);
                } else {
                    most = most.max(count);
                }
            }
            if least == most + 1 {
                add(&cone, least, output);
            }
        }
    }
    found.into_values().collect()
}

/// Derives that the sequences are sorted. Returns the clauses of the gates and of the order.
fn sort(group: &Group<'_>, gates: &[Gate], proof: &mut Proof) -> Propagator {
    let mut known = Known::new(group.formula.variables());
    for gate in gates {
        let [(smaller, _), (greater, _)] = gate.outputs;
        for (clause, line) in [
            ([!greater, gate.inputs[0], gate.inputs[1]].as_slice(), 2),
            (&[greater, !gate.inputs[0]], 3),
            (&[greater, !gate.inputs[1]], 3),
            (&[smaller, !gate.inputs[0], !gate.inputs[1]], 1),
            (&[!smaller, gate.inputs[0]], 0),
            (&[!smaller, gate.inputs[1]], 0),
        ] {
            known.clause(clause, gate.lines[line]);
        }
    }
    let all = sequences(group, gates);
    for (number, (cone, sequence)) in all.iter().enumerate() {
        let half = |wanted: &Cone| all[..number].iter().find(|(cone, _)| cone == wanted);
        let halves = all[..number].iter().rev().find_map(|(first, a)| {
            let rest: Cone =
                first.is_subset(cone).then(|| cone.difference(first).copied().collect())?;
            half(&rest).map(|(rest, b)| ((first.len(), a), (rest.len(), b)))
        });
        let Some((a, b)) = halves else { continue };
        // The literal for a count: one that is always reached or never is left out.
        let of = |(size, sequence): (usize, &Sequence), count: usize| {
            if count == 0 || count > size {
                Some(None)
            } else {
                sequence.get(&count).copied().map(Some)
            }
        };
        let mut clauses = Vec::new();
        for (&count, &c) in sequence {
            for of_first in 0..=count {
                let pair = of(a, of_first).zip(of(b, count - of_first));
                if let Some((a, b)) = pair.filter(|_| of_first <= a.0 && count - of_first <= b.0) {
                    clauses.push(
                        [c].into_iter()
                            .chain([a, b].into_iter().flatten().map(|lit| !lit))
                            .collect(),
                    );
                }
                let pair = of(a, of_first).zip(of(b, count + 1 - of_first));
                if let Some((a, b)) = pair.filter(|_| of_first > 0) {
                    clauses.push(
                        [!c].into_iter().chain([a, b].into_iter().flatten()).collect::<Vec<Lit>>(),
                    );
                }
            }
        }
        let mut local = known.clone();
        let first = proof.last() + 1;
        let mut propagator = Propagator::new(&known.formula);
        for clause in clauses.iter().filter(|clause| follows(&mut propagator, clause)) {
            local.rup(proof, clause);
        }
        let helpers: Vec<u64> = (first..=proof.last()).collect();
        let mut propagator = Propagator::new(&local.formula);
        for ((_, &c), (_, &next)) in sequence.iter().zip(sequence.iter().skip(1)) {
            let clause = [!next, c];
            if follows(&mut propagator, &clause) {
                known.rup(proof, &clause);
            }
        }
        proof.delete(&helpers);
    }
    Propagator::new(&known.formula)
}

/// True if a clause follows by unit propagation.
fn follows(propagator: &mut Propagator, clause: &[Lit]) -> bool {
    let before = propagator.trail().len();
    let follows = clause.iter().any(|&lit| propagator.assume(!lit).is_err());
    propagator.undo(before);
    follows
}
