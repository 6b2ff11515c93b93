//! Polarity: the values of a gate that the requirements need: true, false, or either.

use super::{Circuit, Node, Wire};

/// The way in which the requirements depend on a gate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Polarity {
    /// Somewhere the gate is needed to hold: it occurs under an even number of complements.
    pub positive: bool,
    /// Somewhere the gate is needed not to hold: it occurs under an odd number of complements.
    pub negative: bool,
}

impl Polarity {
    /// Both ways.
    pub const BOTH: Self = Self { positive: true, negative: true };

    /// True if a requirement depends on the gate.
    pub fn is_used(self) -> bool {
        self.positive || self.negative
    }

    fn complement(self) -> Self {
        Self { positive: self.negative, negative: self.positive }
    }

    fn add(&mut self, other: Self) {
        self.positive |= other.positive;
        self.negative |= other.negative;
    }
}

/// The polarity of every gate, in the order of [`Circuit::gates`].
pub fn polarities(circuit: &Circuit) -> Vec<Polarity> {
    let mut polarities = vec![Polarity::default(); circuit.gates().len()];
    let uses = |polarities: &mut [Polarity], wire: Wire, polarity: Polarity| {
        if let Node::Gate(gate) = circuit.node(wire) {
            let polarity = if wire.is_complement() { polarity.complement() } else { polarity };
            polarities[gate].add(polarity);
        }
    };
    let needed = Polarity { positive: true, negative: false };
    for &wire in circuit.requirements().flatten() {
        uses(&mut polarities, wire, needed);
    }
    // Users come after their operands, so in reverse order a gate's polarity is final when it is read.
    for (place, gate) in circuit.gates().iter().enumerate().rev() {
        let polarity = polarities[place];
        uses(&mut polarities, gate.left, polarity);
        uses(&mut polarities, gate.right, polarity);
    }
    polarities
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complement_turns_the_polarity_of_everything_below_it() {
        let mut circuit = Circuit::new(2, "all");
        let (x, y) = (circuit.input(0), circuit.input(1));
        let deep = circuit.and(x, y);
        let shared = circuit.or(deep, y);
        let turned = circuit.and(x, !shared);
        let unused = circuit.or(turned, x);
        let top = circuit.or(turned, !x);
        circuit.require([top]);
        let (yes, no) = (
            Polarity { positive: true, negative: false },
            Polarity { positive: false, negative: true },
        );
        assert_eq!(polarities(&circuit), [no, no, yes, Polarity::default(), yes]);
        circuit.require([shared, unused]);
        let both = Polarity::BOTH;
        assert_eq!(polarities(&circuit), [both, both, yes, yes, yes]);
    }
}
