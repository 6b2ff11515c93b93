//! Gates: the full and half adders and the comparators of which the clauses of a group define its variables.
//!
//! A gate has two or three inputs and two outputs, each defined by the clauses in which it is the newest variable. The
//! outputs of an adder are a carry, which holds if two of the inputs do, and the sum that is left. Those of a comparator
//! hold if one of the inputs does, and if both do. Redundance steps introduce the outputs as reified sums, and the outputs
//! together weigh no more than the inputs: this is one step of cutting planes.

use std::collections::BTreeMap;

use rustsat::types::Lit;

use super::group::Group;
use super::proof::Proof;

/// A gate with the lines of its proof.
pub(super) struct Gate {
    pub(super) inputs: Vec<Lit>,
    /// The outputs with their weights: a carry and a sum, or the greater and the smaller.
    pub(super) outputs: [(Lit, i128); 2],
    /// The lines of the definitions, and those on the weights of the outputs.
    pub(super) lines: Vec<u64>,
}

/// The gates of which a group consists, in their order; none if there is a variable of another kind.
pub(super) fn find(group: &Group<'_>) -> Option<Vec<Gate>> {
    let inputs = group.inputs as usize;
    let mut variables = group.formula.variables();
    // The sets of literals that make each variable hold.
    let mut reasons: Vec<Vec<Vec<Lit>>> = vec![Vec::new(); variables as usize - inputs];
    for clause in group.formula.clauses() {
        let newest = clause.iter().max_by_key(|lit| lit.vidx())?;
        if newest.vidx() >= inputs && newest.is_pos() {
            let others = clause.iter().filter(|&lit| lit != newest && Some(*lit) != group.guard);
            let reason: Vec<Lit> = others.map(|&lit| !lit).collect();
            // A literal alone is no part of a gate.
            if !reason.is_empty() {
                reasons[newest.vidx() - inputs].push(reason);
            }
        }
    }
    // The variables with their tables, by the variables on which they depend.
    let mut tables: BTreeMap<Vec<u32>, Vec<(Lit, u8)>> = BTreeMap::new();
    for (variable, reasons) in (group.inputs..).zip(&reasons) {
        let mut read: Vec<u32> = reasons.iter().flatten().map(|lit| lit.vidx32()).collect();
        read.sort_unstable();
        read.dedup();
        if !(2..=3).contains(&read.len()) {
            return None;
        }
        let holds = |case: usize, lit: Lit| {
            let place = read.iter().position(|&other| other == lit.vidx32());
            place.is_some_and(|place| (case >> place & 1 == 1) == lit.is_pos())
        };
        let is_on =
            |case: usize| reasons.iter().any(|reason| reason.iter().all(|&lit| holds(case, lit)));
        let table = (0..1 << read.len()).filter(|&case| is_on(case)).map(|case| 1 << case).sum();
        tables.entry(read).or_default().push((Lit::positive(variable), table));
    }
    let mut gates = Vec::new();
    for (read, mut outputs) in tables {
        // Pairs first. An output that no clause needs is a new variable.
        for (is_single, signs) in [false, true]
            .into_iter()
            .flat_map(|it| (0..1 << read.len()).map(move |signs| (it, signs)))
        {
            let place = |outputs: &[(Lit, u8)], is_on: fn(u32) -> bool| {
                let cases = 0..1_usize << read.len();
                let on = cases.filter(|case| is_on((case ^ signs).count_ones()));
                let table: u8 = on.map(|case| 1 << case).sum();
                outputs.iter().position(|(_, other)| *other == table)
            };
            loop {
                let carry = place(&outputs, |count| count > 1);
                let sum = place(&outputs, |count| count % 2 == 1);
                let low =
                    sum.or_else(|| place(&outputs, |count| count > 0).filter(|_| read.len() == 2));
                let found = if is_single { carry.or(low) } else { carry.and(low) };
                if found.is_none() {
                    break;
                }
                let mut output = |place: Option<usize>| {
                    place.map_or_else(
                        || {
                            variables += 1;
                            Lit::positive(variables - 1)
                        },
                        |place| outputs[place].0,
                    )
                };
                let weight = if low.is_some() && sum.is_none() { 1 } else { 2 };
                let pair = [(output(carry), weight), (output(low), 1)];
                outputs.retain(|(lit, _)| pair.iter().all(|(output, _)| output != lit));
                let lits = read.iter().enumerate();
                let inputs = lits.map(|(at, &var)| Lit::new(var, signs >> at & 1 == 1)).collect();
                gates.push(Gate { inputs, outputs: pair, lines: Vec::new() });
            }
        }
        if !outputs.is_empty() {
            return None;
        }
    }
    let is_made = |lit: &Lit| lit.vidx32() < group.formula.variables();
    gates.sort_by_key(|gate: &Gate| {
        gate.outputs.map(|(lit, _)| lit).into_iter().filter(is_made).max()
    });
    Some(gates)
}

impl Gate {
    pub(super) fn is_comparator(&self) -> bool {
        self.outputs[0].1 == 1
    }

    /// Writes the definitions.
    pub(super) fn define(&mut self, proof: &mut Proof) {
        let m = self.inputs.len() as i128;
        let [(carry, _), (low, _)] = self.outputs;
        let mut reify = |own: &[(Lit, i128)], is_negated: bool, degree: i128| {
            let inputs = self.inputs.iter().map(|&lit| (if is_negated { !lit } else { lit }, 1));
            let terms: Vec<(Lit, i128)> = own.iter().copied().chain(inputs).collect();
            proof.red(&terms, degree, own[0].0)
        };
        // The carry, or the smaller one of two, holds if two inputs do.
        let mut lines =
            vec![reify(&[(!carry, 2)], false, 2), reify(&[(carry, m - 1)], true, m - 1)];
        if self.is_comparator() {
            lines.extend([reify(&[(!low, 1)], false, 1), reify(&[(low, 2)], true, 2)]);
            for first in [0, 1] {
                lines.push(proof.pol(&format!("{} {} + 2 d", lines[first], lines[first + 2])));
            }
        } else {
            lines.push(reify(&[(!low, 3), (!carry, 2)], false, 3));
            lines.push(reify(&[(low, m), (carry, 2)], true, m));
            lines.push(proof.pol(&format!("{} 2 * {} + 3 d", lines[0], lines[2])));
        }
        self.lines = lines;
    }

    /// True if a clause is on this gate alone and follows from its definition.
    pub(super) fn implies(&self, clause: &[Lit]) -> bool {
        let [(carry, weight), (low, _)] = self.outputs;
        (0..1_usize << self.inputs.len()).all(|case| {
            let count = case.count_ones();
            let is_low = if weight == 2 { count % 2 == 1 } else { count > 0 };
            let inputs =
                self.inputs.iter().enumerate().map(|(at, &lit)| (lit, case >> at & 1 == 1));
            let mut values = inputs.chain([(carry, count > 1), (low, is_low)]);
            values.any(|(lit, value)| clause.contains(&if value { lit } else { !lit }))
        })
    }

    /// The line that the outputs weigh no more than the inputs. Of a comparator the next one is that they weigh no less.
    pub(super) fn kept(&self) -> &[u64] {
        &self.lines[4..]
    }
}
