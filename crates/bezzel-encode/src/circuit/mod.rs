//! Circuits: gates as data.
//!
//! A [`Circuit`] is an arena of AND and OR gates of two inputs each. A [`Wire`] refers to a constant, an input or a
//! gate, and may complement it; a NOT therefore costs nothing. Gates refer only to gates built before them: in the
//! order of the arena every operand comes before its users.
//!
//! Constants are folded while building, always: no gate ever has a constant operand. There is no other simplification,
//! so x ∧ ¬x stays a gate, and every other operation is a gate of its own.
//!
//! Requirements define what must hold: clauses over wires. The same data becomes clauses by
//! [`tseitin`](tseitin::tseitin) or [`plaisted_greenbaum`](plaisted_greenbaum::plaisted_greenbaum), and truth values by
//! [`evaluate`](Circuit::evaluate).

use std::ops::{Not, Range};

use rustsat::types::Lit;

use crate::sink::MAX_VARIABLES;

mod clauses;
pub mod evaluate;
pub mod plaisted_greenbaum;
pub mod polarity;
pub mod tseitin;

/// A reference to a node of a circuit, complemented or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wire(u32);

impl Wire {
    /// The constant 1.
    pub const TRUE: Self = Self(0);
    /// The constant 0.
    pub const FALSE: Self = Self(1);

    fn to(node: usize) -> Self {
        assert!(node <= MAX_VARIABLES as usize, "a circuit has at most {MAX_VARIABLES} nodes");
        Self((node as u32) << 1)
    }

    /// True if the node's value is complemented.
    #[inline]
    pub fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }

    fn number(self) -> usize {
        (self.0 >> 1) as usize
    }
}

impl Not for Wire {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// The node of a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// The constant 1.
    Constant,
    /// The input of this number, counted from 0.
    Input(u32),
    /// The gate at this place of [`Circuit::gates`].
    Gate(usize),
}

/// The operator of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// Both operands hold.
    And,
    /// Some operand holds.
    Or,
}

/// A gate: an operator and its two operands, neither of them constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gate {
    /// The operator.
    pub operator: Operator,
    /// The first operand.
    pub left: Wire,
    /// The second operand.
    pub right: Wire,
}

/// A part of a circuit, with its name in the paper and in the formula.
#[derive(Clone, Debug)]
struct CircuitSection {
    name: &'static str,
    start: usize,
    written: u64,
    requirements: Vec<Vec<Wire>>,
}

/// The numbers of operations of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operations {
    /// The section's name.
    pub section: &'static str,
    /// Operations in the source, those with constants included.
    pub written: u64,
    /// Gates that were built: the operations of the source without those that folded away or were omitted.
    pub built: u64,
    /// Built gates on which some requirement depends.
    pub reachable: u64,
}

/// Gates, section by section, and their requirements.
#[derive(Clone, Debug)]
pub struct Circuit {
    inputs: u32,
    gates: Vec<Gate>,
    sections: Vec<CircuitSection>,
}

impl Circuit {
    /// A circuit without gates over `inputs` inputs, beginning with the section `first`.
    pub fn new(inputs: u32, first: &'static str) -> Self {
        let mut circuit = Self { inputs, gates: Vec::new(), sections: Vec::new() };
        circuit.section(first);
        circuit
    }

    /// Begins a section: later gates and requirements belong to it.
    pub fn section(&mut self, name: &'static str) {
        let start = self.gates.len();
        self.sections.push(CircuitSection { name, start, written: 0, requirements: Vec::new() });
    }

    fn current(&mut self) -> &mut CircuitSection {
        self.sections.last_mut().expect("a circuit begins with a section")
    }

    /// The input of this number, counted from 0.
    pub fn input(&self, number: u32) -> Wire {
        assert!(number < self.inputs, "input {number} of {}", self.inputs);
        Wire::to(1 + number as usize)
    }

    /// The input that is this variable, complemented if the literal is negative.
    pub fn literal(&self, lit: Lit) -> Wire {
        let input = self.input(lit.vidx32());
        if lit.is_neg() { !input } else { input }
    }

    /// Both hold.
    pub fn and(&mut self, left: Wire, right: Wire) -> Wire {
        self.operation(Operator::And, left, right)
    }

    /// Some of the two holds.
    pub fn or(&mut self, left: Wire, right: Wire) -> Wire {
        self.operation(Operator::Or, left, right)
    }

    /// Counts an operation of the source that is not built, because its result is not used.
    pub fn omit(&mut self) {
        self.current().written += 1;
    }

    fn operation(&mut self, operator: Operator, left: Wire, right: Wire) -> Wire {
        self.current().written += 1;
        let neutral = match operator {
            Operator::And => Wire::TRUE,
            Operator::Or => Wire::FALSE,
        };
        match (left, right) {
            _ if left == !neutral || right == !neutral => !neutral,
            (other, constant) | (constant, other) if constant == neutral => other,
            _ => self.gate(Gate { operator, left, right }),
        }
    }

    fn gate(&mut self, gate: Gate) -> Wire {
        let wire = Wire::to(1 + self.inputs as usize + self.gates.len());
        self.gates.push(gate);
        wire
    }

    /// Requires that some of the wires hold; a single wire must hold.
    pub fn require(&mut self, wires: impl IntoIterator<Item = Wire>) {
        let wires = wires.into_iter().collect();
        self.current().requirements.push(wires);
    }

    /// The number of inputs.
    pub fn inputs(&self) -> u32 {
        self.inputs
    }

    /// The gates, operands before their users.
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// The node of a wire of this circuit, complemented or not.
    pub fn node(&self, wire: Wire) -> Node {
        let inputs = self.inputs as usize;
        match wire.number() {
            0 => Node::Constant,
            number if number <= inputs => Node::Input(number as u32 - 1),
            number => Node::Gate(number - 1 - inputs),
        }
    }

    /// The sections in order: name, places of their gates, requirements.
    pub fn sections(
        &self,
    ) -> impl Iterator<Item = (&'static str, Range<usize>, &[Vec<Wire>])> + '_ {
        let ends = self.sections[1..].iter().map(|next| next.start).chain([self.gates.len()]);
        self.sections.iter().zip(ends).map(|(section, end)| {
            (section.name, section.start..end, section.requirements.as_slice())
        })
    }

    /// All requirements: in each, some wire must hold.
    pub fn requirements(&self) -> impl Iterator<Item = &[Wire]> + '_ {
        self.sections.iter().flat_map(|section| section.requirements.iter().map(Vec::as_slice))
    }

    /// The numbers of operations of each section, in order.
    pub fn operations(&self) -> Vec<Operations> {
        let used = polarity::polarities(self);
        let written = self.sections.iter().map(|section| section.written);
        self.sections()
            .zip(written)
            .map(|((section, gates, _), written)| Operations {
                section,
                written,
                built: gates.len() as u64,
                reachable: used[gates].iter().filter(|polarity| polarity.is_used()).count() as u64,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_fold_away_and_are_counted_as_written() {
        let mut circuit = Circuit::new(1, "all");
        let x = circuit.input(0);
        for (left, right) in [(x, Wire::TRUE), (Wire::TRUE, x)] {
            assert_eq!(circuit.and(left, right), x);
            assert_eq!(circuit.or(left, right), Wire::TRUE);
            assert_eq!(circuit.and(!left, !right), Wire::FALSE);
            assert_eq!(circuit.or(!left, !right), !x);
        }
        assert_eq!(circuit.and(Wire::TRUE, Wire::TRUE), Wire::TRUE);
        assert_eq!(circuit.or(Wire::FALSE, Wire::FALSE), Wire::FALSE);
        let [all] = circuit.operations()[..] else { panic!("one section") };
        assert_eq!((all.written, all.built), (10, 0));
    }

    #[test]
    fn every_operation_is_a_gate_of_its_own() {
        let mut circuit = Circuit::new(2, "all");
        let (x, y) = (circuit.input(0), circuit.input(1));
        assert_ne!(circuit.and(x, y), circuit.and(x, y));
    }

    #[test]
    fn a_gate_is_reachable_when_a_requirement_depends_on_it() {
        let mut circuit = Circuit::new(2, "first");
        let (x, y) = (circuit.input(0), circuit.input(1));
        let below = circuit.and(x, y);
        circuit.and(!x, y);
        circuit.section("second");
        let above = circuit.or(!below, y);
        circuit.omit();
        circuit.require([above]);
        let counts: Vec<_> = circuit
            .operations()
            .iter()
            .map(|section| (section.section, section.written, section.built, section.reachable))
            .collect();
        assert_eq!(counts, [("first", 2, 2, 1), ("second", 2, 1, 1)]);
    }
}
