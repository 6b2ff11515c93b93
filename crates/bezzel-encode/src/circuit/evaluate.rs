//! The values of a circuit, with which every translation is compared.

use super::{Circuit, Node, Operator, Wire};

/// The value of every node of a circuit under one assignment of its inputs.
#[derive(Clone, Debug)]
pub struct Values<'a> {
    circuit: &'a Circuit,
    inputs: &'a [bool],
    gates: Vec<bool>,
}

impl Circuit {
    /// Computes every gate.
    ///
    /// # Panics
    ///
    /// When there is not one value for each input.
    pub fn evaluate<'a>(&'a self, inputs: &'a [bool]) -> Values<'a> {
        assert_eq!(inputs.len(), self.inputs() as usize, "one value for each input");
        let gates = Vec::with_capacity(self.gates().len());
        let mut values = Values { circuit: self, inputs, gates };
        for gate in self.gates() {
            let (left, right) = (values.of(gate.left), values.of(gate.right));
            values.gates.push(match gate.operator {
                Operator::And => left && right,
                Operator::Or => left || right,
            });
        }
        values
    }
}

impl Values<'_> {
    /// The value of a wire.
    pub fn of(&self, wire: Wire) -> bool {
        let value = match self.circuit.node(wire) {
            Node::Constant => true,
            Node::Input(number) => self.inputs[number as usize],
            Node::Gate(gate) => self.gates[gate],
        };
        value != wire.is_complement()
    }

    /// The values of the gates, in the order of [`Circuit::gates`].
    pub fn gates(&self) -> &[bool] {
        &self.gates
    }

    /// True if every requirement of the circuit is met.
    pub fn accepted(&self) -> bool {
        self.circuit.requirements().all(|wires| wires.iter().any(|&wire| self.of(wire)))
    }
}
