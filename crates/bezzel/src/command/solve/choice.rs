//! The encoding, the numbering and the solver for a search of one solution: the given ones, and otherwise a choice that
//! is fast on boards of every size.

use std::io::{self, Write};
use std::sync::Arc;

use bezzel_encode::{Encoding, Numbering};
use bezzel_experiment::{Backend, Catalog};
use bezzel_problem::{Geometry, Instance};

use crate::arguments::SolveArguments;
use crate::failure::Failure;

/// The default encoding. Its formulas grow little faster than the number of squares.
const ENCODING: &str = "product";
/// The seed of the renaming that goes with the default encoding.
const SEED: u64 = 1;
/// The default solver. On boards with a solution it is the faster of the two.
const SOLVER: &str = "batsat";
/// The solver where there may be no solution, or where a proof is wanted.
const REFUTER: &str = "cadical";

/// The encoding, the numbering and the solver for an instance.
pub(super) struct Choice {
    pub(super) encoding: Arc<dyn Encoding>,
    pub(super) numbering: Numbering,
    pub(super) solver: Arc<dyn Backend>,
}

impl Choice {
    /// Takes the given names, picks the rest, and prints the picked names to stderr. The encoding and the numbering are
    /// picked together: only if neither is given and the output does not contain the numbers of variables.
    pub(super) fn of(
        arguments: &SolveArguments,
        instance: &Instance,
        catalog: &Catalog,
    ) -> Result<Self, Failure> {
        let formula = &arguments.encoding;
        let mut picked = Vec::new();
        let memory_bytes = Some(arguments.limits.memory);
        let (encoding, numbering) = if formula.is_open() && !arguments.dimacs_output {
            picked.push(format!("--encoding {ENCODING} --shuffle {SEED}"));
            let encoding = formula.find_by(ENCODING, catalog, instance, memory_bytes)?;
            (encoding, Numbering::random(SEED))
        } else {
            (formula.find(catalog, instance, memory_bytes)?, formula.numbering())
        };
        let solver = arguments.solver.as_deref().unwrap_or_else(|| {
            let refutes = arguments.proof.is_some() || may_have_none(instance);
            let solver = if refutes { REFUTER } else { SOLVER };
            picked.push(format!("--solver {solver}"));
            solver
        });
        let solver = catalog.solver(solver).map_err(Failure::input)?;
        if !picked.is_empty() {
            // A closed stderr has no reader.
            let _ = writeln!(io::stderr(), "picked: {}", picked.join(" "));
        }
        Ok(Self { encoding, numbering, solver })
    }
}

/// True for instances that often have no solution: half of all tori, all boards of more rows than columns, and
/// files.
fn may_have_none(instance: &Instance) -> bool {
    instance
        .board()
        .is_none_or(|board| board.geometry() == Geometry::Torus || board.rows() > board.columns())
}
