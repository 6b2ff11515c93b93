//! The encoding, the numbering and the solver by which one solution is looked for: those that are named,
//! and for the others what is fast on boards of every size.

use std::io::{self, Write};
use std::sync::Arc;

use bezzel_encode::{Encoding, Numbering};
use bezzel_lab::{Backend, Workbench, this_machine};
use bezzel_problem::{Geometry, Instance};

use crate::arguments::SolveArguments;
use crate::failure::Failure;

/// The encoding that is picked; its formulas grow by little more than the number of squares.
const ENCODING: &str = "product";
/// The seed of the renaming that is picked with it.
const SEED: u64 = 1;
/// The solver that is picked; on boards with a solution it is the faster of the two.
const SOLVER: &str = "batsat";
/// The solver that is picked where there may be no solution, or where a proof is wanted.
const REFUTER: &str = "cadical";

/// The encoding, the numbering and the solver for an instance.
pub(super) struct Choice {
    pub(super) encoding: Arc<dyn Encoding>,
    pub(super) numbering: Numbering,
    pub(super) solver: Arc<dyn Backend>,
}

impl Choice {
    /// Takes what is named, and picks the rest, which stderr names. An encoding and a numbering are
    /// picked together, where neither is named and where nobody reads the numbers of variables.
    pub(super) fn of(
        arguments: &SolveArguments,
        instance: &Instance,
        workbench: &Workbench,
    ) -> Result<Self, Failure> {
        let formula = &arguments.encoding;
        let mut picked = Vec::new();
        let memory_bytes = this_machine::memory_bytes();
        let (encoding, numbering) = if formula.is_open() && !arguments.dimacs_output {
            picked.push(format!("--encoding {ENCODING} --shuffle {SEED}"));
            let encoding = formula.find_by(ENCODING, workbench, instance, memory_bytes)?;
            (encoding, Numbering::random(SEED))
        } else {
            (formula.find(workbench, instance, memory_bytes)?, formula.numbering())
        };
        let solver = arguments.solver.as_deref().unwrap_or_else(|| {
            let refutes = arguments.proof.is_some() || may_have_none(instance);
            let solver = if refutes { REFUTER } else { SOLVER };
            picked.push(format!("--solver {solver}"));
            solver
        });
        let solver = workbench.solver(solver).map_err(Failure::input)?;
        if !picked.is_empty() {
            // Nobody is left to be told when stderr is closed.
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
