//! The encoding, the numbering and the solver with its options for a search of one solution: the given ones, and otherwise
//! a choice that is fast on boards of every size and on files.

use std::sync::Arc;

use bezzel_encode::{Encoding, Numbering};
use bezzel_experiment::{Backend, Catalog};
use bezzel_problem::{Geometry, Instance};
use bezzel_solve::{OptionValue, Options};

use crate::arguments::SolveArguments;
use crate::failure::Failure;
use crate::output::print_picked;

/// The default solver. On boards with a solution it is the faster of the two.
const SOLVER: &str = "batsat";
/// The solver where there may be no solution, or where a proof is wanted.
const REFUTER: &str = "cadical";

/// The options of the default solver under the default encoding, as the experiment `first-solution` found them: squares
/// alone are decided, a queen is tried first, and activities begin at random.
const OPTIONS: [(&str, OptionValue); 3] = [
    ("upol", OptionValue::Integer(1)),
    ("decide_auxiliary", OptionValue::Flag(false)),
    ("rnd_init_act", OptionValue::Flag(true)),
];

/// The encoding, the numbering and the solver for an instance.
pub(super) struct Choice {
    pub(super) encoding: Arc<dyn Encoding>,
    pub(super) numbering: Numbering,
    pub(super) solver: Arc<dyn Backend>,
    pub(super) options: Options,
}

impl Choice {
    /// Takes the given names and options, picks the rest, and prints the picked ones to stderr. Options are picked only
    /// if neither an encoding nor a numbering nor a solver is given, and the values of all variables are not printed.
    pub(super) fn of(
        arguments: &SolveArguments,
        given: Options,
        instance: &Instance,
        catalog: &Catalog,
    ) -> Result<Self, Failure> {
        let formula = &arguments.encoding;
        let mut picked = Vec::new();
        let encoding =
            formula.find(catalog, instance, Some(arguments.limits.memory), &mut picked)?;
        let mut options = given;
        let name = arguments.solver.as_deref().unwrap_or_else(|| {
            let refutes = arguments.proof.is_some() || may_have_none(instance);
            let name = if refutes { REFUTER } else { SOLVER };
            picked.push(format!("--solver {name}"));
            // Without decisions on auxiliary variables, a model may leave some of them open.
            let is_default = formula.is_open() && !formula.numbers() && !arguments.dimacs_output;
            if name == SOLVER && is_default {
                for (option, value) in OPTIONS {
                    if !options.contains_key(option) {
                        picked.push(format!("--option {option}={value}"));
                        options.insert(option.to_owned(), value);
                    }
                }
            }
            name
        });
        let solver = catalog.solver(name).map_err(Failure::input)?;
        print_picked(&picked);
        Ok(Self { encoding, numbering: formula.numbering(), solver, options })
    }
}

/// True for instances that often have no solution: half of all tori, all boards of more rows than columns, and
/// files.
fn may_have_none(instance: &Instance) -> bool {
    instance
        .board()
        .is_none_or(|board| board.geometry() == Geometry::Torus || board.rows() > board.columns())
}
