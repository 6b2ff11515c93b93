//! Builds the function of a circuit, gate by gate.
//!
//! The requirement of a circuit is a conjunction: for Bryant's, V(1) ∧ … ∧ V(N), one term for each row. The terms are
//! taken from the last one on, as the paper builds them from the last row up. Each is built from the gates that
//! it needs, and conjoined to those before. A gate is dropped after its last use, so that of a row only L, D and R are
//! left for the row above.

use std::ops::Range;

use bezzel_encode::circuit::{Circuit, Gate, Node, Operator, Wire};

use super::kind::Dd;
use super::store::Store;
use crate::budget::Halt;

/// A circuit that is being built.
pub(super) struct Gates<'c, D> {
    circuit: &'c Circuit,
    /// For each input, its level.
    levels: &'c [u32],
    /// For each gate, its function, if that is built and still needed.
    built: Vec<Option<D>>,
    /// For each gate, the number of uses that are left.
    uses: Vec<u32>,
}

impl<'c, D: Dd> Gates<'c, D> {
    /// Counts the uses of each gate in these terms. No gate is built yet.
    pub(super) fn new(circuit: &'c Circuit, levels: &'c [u32], terms: &[Vec<Wire>]) -> Self {
        let gates = circuit.gates();
        let mut uses = vec![0; gates.len()];
        let mut used = |wire: Wire| match circuit.node(wire) {
            Node::Gate(gate) => {
                uses[gate] += 1;
                uses[gate] == 1
            }
            Node::Constant | Node::Input(_) => false,
        };
        // From the terms downward; a gate counts its operands once.
        let mut open: Vec<Wire> = Vec::new();
        for &wire in terms.iter().flatten() {
            open.push(wire);
            while let Some(wire) = open.pop() {
                if used(wire) {
                    open.extend(operands(circuit, wire));
                }
            }
        }
        Self { circuit, levels, built: vec![None; gates.len()], uses }
    }

    /// The function of a term: some of its wires hold.
    pub(super) fn term(&mut self, store: &mut Store<'_, D>, term: &[Wire]) -> Result<D, Halt> {
        for gate in self.missing(term) {
            let Gate { operator, left, right } = self.circuit.gates()[gate];
            let value = {
                let left = self.take(store, left)?;
                let right = self.take(store, right)?;
                match operator {
                    Operator::And => store.and(&left, &right)?,
                    Operator::Or => store.or(&left, &right)?,
                }
            };
            self.built[gate] = Some(value);
        }
        let mut some = None;
        for &wire in term {
            let value = self.take(store, wire)?;
            some = Some(match some {
                None => value,
                Some(before) => store.or(&before, &value)?,
            });
        }
        Ok(some.unwrap_or_else(|| store.constant(false)))
    }

    /// The gates that are still to be built for a term, operands before their users.
    fn missing(&self, term: &[Wire]) -> Vec<usize> {
        let mut missing = Vec::new();
        let mut met = std::collections::HashSet::new();
        let mut open = term.to_vec();
        while let Some(wire) = open.pop() {
            if let Node::Gate(gate) = self.circuit.node(wire)
                && self.built[gate].is_none()
                && met.insert(gate)
            {
                missing.push(gate);
                open.extend(operands(self.circuit, wire));
            }
        }
        missing.sort_unstable();
        missing
    }

    /// The function of a wire, for one of its uses.
    fn take(&mut self, store: &mut Store<'_, D>, wire: Wire) -> Result<D, Halt> {
        match self.circuit.node(wire) {
            Node::Constant => Ok(store.constant(!wire.is_complement())),
            Node::Input(input) => store.literal(self.levels[input as usize], !wire.is_complement()),
            Node::Gate(gate) => {
                self.uses[gate] -= 1;
                let built = &mut self.built[gate];
                let value = if self.uses[gate] == 0 { built.take() } else { built.clone() };
                let value = value.expect("operands are built before");
                if wire.is_complement() { store.not(&value) } else { Ok(value) }
            }
        }
    }
}

/// The operands of the gate that a wire leads to.
fn operands(circuit: &Circuit, wire: Wire) -> impl Iterator<Item = Wire> + use<> {
    let gate = match circuit.node(wire) {
        Node::Gate(gate) => Some(circuit.gates()[gate]),
        Node::Constant | Node::Input(_) => None,
    };
    gate.into_iter().flat_map(|gate| [gate.left, gate.right])
}

/// The terms of the requirements, in the order in which they are conjoined.
///
/// A requirement of one wire is split into the terms of its conjunction, as far as gates of its own section join them.
/// These terms are reversed.
pub(super) fn terms(circuit: &Circuit) -> Vec<Vec<Wire>> {
    let mut terms = Vec::new();
    for (_, gates, requirements) in circuit.sections() {
        for requirement in requirements {
            if let [wire] = requirement[..] {
                conjuncts(circuit, &gates, wire, &mut terms);
            } else {
                terms.push(requirement.clone());
            }
        }
    }
    terms
}

/// Adds the terms of a conjunction, the last one first.
fn conjuncts(circuit: &Circuit, section: &Range<usize>, wire: Wire, terms: &mut Vec<Vec<Wire>>) {
    let mut open = vec![wire];
    while let Some(wire) = open.pop() {
        match circuit.node(wire) {
            Node::Gate(gate)
                if section.contains(&gate)
                    && !wire.is_complement()
                    && circuit.gates()[gate].operator == Operator::And =>
            {
                let Gate { left, right, .. } = circuit.gates()[gate];
                open.extend([left, right]);
            }
            _ => terms.push(vec![wire]),
        }
    }
}
