//! An encoding with some of its board's symmetry broken.

use std::sync::Arc;

use bezzel_problem::queens::dihedral::stabilizer;
use bezzel_problem::{Board, Dihedral, Problem};

use super::{EncoderShapes, Encoding};
use crate::circuit::{Circuit, Wire};
use crate::constraints::{Unsupported, board_of};
use crate::formula::Formula;
use crate::formula_stats::FormulaStats;
use crate::info::{Auxiliaries, EncodingInfo};
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::symmetry::selectors::Selectors;
use crate::symmetry::{Symmetry, half_board, lex_leader};
use crate::var_map::VarMap;

/// The revision of the rules: a number that grows whenever the clauses of a rule change.
const REVISION: u32 = 1;

/// The section of the clauses that a rule adds.
const SECTION: &str = "symmetry";

/// An encoding with some of its board's symmetry broken, by clauses in a section `symmetry` after
/// its own.
#[derive(Clone)]
pub struct Broken {
    inner: Arc<dyn Encoding>,
    symmetry: Symmetry,
    one_literal_per_square: bool,
}

impl Broken {
    /// Adds the rule to an encoding. With `one_literal_per_square`, for encodings with a variable for each square, the
    /// size is known in closed form.
    pub fn new(inner: Arc<dyn Encoding>, symmetry: Symmetry, one_literal_per_square: bool) -> Self {
        Self { inner, symmetry, one_literal_per_square }
    }
}

/// The maps under which placements are compared.
fn moving(board: &Board) -> Vec<Dihedral> {
    let moves = |map: &Dihedral| *map != Dihedral::Identity;
    stabilizer(board).into_iter().filter(moves).collect()
}

impl Encoding for Broken {
    fn info(&self) -> EncodingInfo {
        let info = self.inner.info();
        let auxiliaries = match (self.symmetry, info.auxiliaries) {
            (Symmetry::Full, Auxiliaries::None) => Auxiliaries::Defined,
            (_, own) => own,
        };
        EncodingInfo {
            revision: info.revision.wrapping_add(REVISION - 1),
            auxiliaries,
            constraints: info.constraints + self.symmetry.describe(),
            ..info
        }
    }

    fn fits(&self, problem: &Problem) -> Result<(), Unsupported> {
        self.inner.fits(problem)?;
        self.symmetry.fits(problem)
    }

    fn shapes(&self, problem: &Problem) -> EncoderShapes {
        self.inner.shapes(problem)
    }

    fn size(&self, problem: &Problem) -> Option<Size> {
        let size = self.inner.size(problem)?;
        let Some(board) = problem.board() else { return Some(size) };
        match self.symmetry {
            Symmetry::None => Some(size),
            // The lengths of cubes are unknown before they are made.
            _ if !self.one_literal_per_square => None,
            Symmetry::HalfBoard => Some(size + half_board::size(board)),
            Symmetry::Full => {
                let maps = moving(board).into_iter();
                Some(size + maps.map(|map| lex_leader::size(board, map)).sum())
            }
        }
    }

    /// The circuit of the encoding, with the clauses of the rule as requirements. A rule with variables of its own has
    /// no circuit, since inputs are the primary variables.
    fn circuit(&self, problem: &Problem) -> Option<Circuit> {
        match self.symmetry {
            Symmetry::None => self.inner.circuit(problem),
            Symmetry::Full => None,
            Symmetry::HalfBoard => {
                let mut circuit = self.inner.circuit(problem)?;
                let map = self.inner.rules(problem, &mut FormulaStats::new());
                let mut added = Formula::new();
                half_board::state(board_of(problem), &map, &mut added);
                circuit.section(SECTION);
                for clause in added.clauses() {
                    let wires: Vec<Wire> = clause.iter().map(|&lit| circuit.literal(lit)).collect();
                    circuit.require(wires);
                }
                Some(circuit)
            }
        }
    }

    fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        let map = self.inner.rules(problem, out);
        match self.symmetry {
            Symmetry::None => {}
            Symmetry::HalfBoard => {
                out.section(SECTION);
                half_board::state(board_of(problem), &map, out);
            }
            Symmetry::Full => {
                out.section(SECTION);
                let board = board_of(problem);
                let moves = moving(board);
                let selectors = Selectors::new(board, &moves, &map, out);
                for moved in moves {
                    lex_leader::state(board, moved, |square| selectors.lit(square), out);
                }
            }
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Registry;
    use crate::settings::Settings;

    #[test]
    fn the_circuit_of_half_a_board_accepts_what_its_clauses_do() {
        let registry = Registry::standard();
        let settings = Settings { symmetry: Symmetry::HalfBoard, ..Settings::default() };
        for (id, side, solutions) in [
            ("bryant-circuit", 4, 1),
            ("bryant-circuit:binary+columns", 4, 1),
            ("bryant-circuit:binary", 5, 5),
        ] {
            let encoding = registry.find(id).unwrap().on_board(settings);
            let circuit = encoding.circuit(&Board::new(side).unwrap().problem()).unwrap();
            let inputs = circuit.inputs();
            let accepts = |bits: u32| {
                let values: Vec<bool> = (0..inputs).map(|input| bits >> input & 1 == 1).collect();
                circuit.evaluate(&values).accepted()
            };
            let accepted = (0..1_u32 << inputs).filter(|&bits| accepts(bits)).count();
            assert_eq!(accepted, solutions, "{id} on {side}");
        }
    }

    #[test]
    fn a_rule_with_variables_of_its_own_has_no_circuit() {
        let settings = Settings { symmetry: Symmetry::Full, ..Settings::default() };
        let encoding = Registry::standard().find("bryant-circuit").unwrap().on_board(settings);
        assert!(encoding.circuit(&Board::new(4).unwrap().problem()).is_none());
    }
}
