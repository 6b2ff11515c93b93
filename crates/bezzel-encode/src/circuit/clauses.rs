//! The clauses of gates, one gate after the other: the common part of both translations.

use rustsat::types::Lit;

use super::polarity::Polarity;
use super::{Circuit, Node, Operator, Wire};
use crate::sink::{ClauseSink, VarRange};

/// Makes the inputs, then a variable for each gate, and writes the clauses that its polarity needs; then the
/// requirements. Sections keep their names.
pub(super) fn write(
    circuit: &Circuit,
    polarity: impl Fn(usize) -> Polarity,
    out: &mut dyn ClauseSink,
) -> VarRange {
    let mut inputs = None;
    let mut variables: Vec<u32> = Vec::with_capacity(circuit.gates().len());
    let mut clause = Vec::new();
    for (name, gates, requirements) in circuit.sections() {
        out.section(name);
        let inputs = *inputs.get_or_insert_with(|| out.fresh(circuit.inputs()));
        let first = if gates.is_empty() { 0 } else { out.fresh(gates.len() as u32).start() };
        for (variable, place) in (first..).zip(gates) {
            variables.push(variable);
            let gate = circuit.gates()[place];
            let [left, right] = [gate.left, gate.right]
                .map(|wire| literal(circuit, wire, inputs, &variables).expect("never constant"));
            define(gate.operator, Lit::positive(variable), left, right, polarity(place), out);
        }
        for requirement in requirements {
            if requirement.contains(&Wire::TRUE) {
                continue;
            }
            clause.clear();
            let literals = requirement.iter();
            clause.extend(literals.filter_map(|&wire| literal(circuit, wire, inputs, &variables)));
            out.clause(&clause);
        }
    }
    inputs.expect("a circuit has a section")
}

/// The literal of a wire; none for a constant.
fn literal(circuit: &Circuit, wire: Wire, inputs: VarRange, variables: &[u32]) -> Option<Lit> {
    let literal = match circuit.node(wire) {
        Node::Constant => return None,
        Node::Input(number) => inputs.lit(number),
        Node::Gate(gate) => Lit::positive(variables[gate]),
    };
    Some(if wire.is_complement() { !literal } else { literal })
}

/// The clauses of one gate, in the directions that its polarity needs.
#[inline]
fn define(
    operator: Operator,
    gate: Lit,
    left: Lit,
    right: Lit,
    polarity: Polarity,
    out: &mut dyn ClauseSink,
) {
    match operator {
        Operator::And => {
            if polarity.positive {
                // g → a, g → b
                out.clause(&[!gate, left]);
                out.clause(&[!gate, right]);
            }
            if polarity.negative {
                // a ∧ b → g
                out.clause(&[gate, !left, !right]);
            }
        }
        Operator::Or => {
            if polarity.positive {
                // g → a ∨ b
                out.clause(&[!gate, left, right]);
            }
            if polarity.negative {
                // a → g, b → g
                out.clause(&[gate, !left]);
                out.clause(&[gate, !right]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;
    use crate::circuit::plaisted_greenbaum::plaisted_greenbaum;
    use crate::circuit::tseitin::tseitin;
    use crate::formula::Formula;

    const INPUTS: u32 = 3;

    /// A circuit of up to eight gates over three inputs and constants, and a few requirements.
    fn random(seed: u64) -> Circuit {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        let mut circuit = Circuit::new(INPUTS, "first");
        let mut wires: Vec<Wire> = (0..INPUTS).map(|number| circuit.input(number)).collect();
        wires.push(Wire::TRUE);
        let mut pick = |wires: &[Wire]| {
            let wire = wires[generator.random_range(0..wires.len())];
            if generator.random() { wire } else { !wire }
        };
        for index in 0..8 {
            let (left, right) = (pick(&wires), pick(&wires));
            // An operator at random: by the complement of a picked constant.
            let and = pick(&[Wire::TRUE]) == Wire::TRUE;
            let wire = if and { circuit.and(left, right) } else { circuit.or(left, right) };
            wires.push(wire);
            if index == 3 {
                circuit.require([pick(&wires), pick(&wires)]);
                circuit.section("second");
            }
        }
        circuit.require([pick(&wires[4..])]);
        circuit.require([pick(&wires[4..]), pick(&wires), pick(&wires)]);
        circuit
    }

    fn bits(pattern: u32, count: u32) -> Vec<bool> {
        (0..count).map(|bit| pattern >> bit & 1 == 1).collect()
    }

    /// The number of ways to choose the gates' variables for these inputs.
    fn extensions(formula: &Formula, inputs: &[bool]) -> usize {
        let gates = formula.variables() - INPUTS;
        let satisfied = |pattern: &u32| {
            let values = [inputs, &bits(*pattern, gates)].concat();
            formula
                .clauses()
                .all(|clause| clause.iter().any(|lit| values[lit.vidx()] == lit.is_pos()))
        };
        (0..1_u32 << gates).filter(satisfied).count()
    }

    #[test]
    fn clauses_allow_the_inputs_that_evaluation_accepts_and_tseitins_just_one_value_of_each_gate() {
        let mut accepted = 0;
        for circuit in (0..60).map(random) {
            let formulas = [tseitin, plaisted_greenbaum].map(|translation| {
                let mut formula = Formula::new();
                assert_eq!(translation(&circuit, &mut formula).len(), INPUTS);
                formula
            });
            for inputs in (0..1 << INPUTS).map(|pattern| bits(pattern, INPUTS)) {
                let holds = circuit.evaluate(&inputs).accepted();
                accepted += usize::from(holds);
                let [tseitin, needed] =
                    formulas.each_ref().map(|formula| extensions(formula, &inputs));
                assert_eq!((tseitin, needed > 0), (usize::from(holds), holds), "{circuit:?}");
            }
        }
        // Otherwise the circuits would prove little.
        assert!((50..430).contains(&accepted), "{accepted} of 480 inputs accepted");
    }

    #[test]
    fn a_requirement_of_constants_has_no_clause_or_the_empty_one() {
        let mut circuit = Circuit::new(1, "all");
        let x = circuit.input(0);
        circuit.require([Wire::TRUE]);
        circuit.require([x, Wire::TRUE]);
        circuit.require([x, Wire::FALSE]);
        let mut formula = Formula::new();
        let inputs = tseitin(&circuit, &mut formula);
        assert_eq!(formula.clauses().collect::<Vec<_>>(), [[inputs.lit(0)]]);
        circuit.require([Wire::FALSE]);
        let mut formula = Formula::new();
        tseitin(&circuit, &mut formula);
        assert!(formula.clauses().any(<[Lit]>::is_empty));
    }
}
