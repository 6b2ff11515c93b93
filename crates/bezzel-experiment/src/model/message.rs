//! Messages from a worker process to its runner: one line of JSON for each completed step.
//!
//! The messages of a killed worker remain valid: the row of a formula too large to solve still contains its size.

use bezzel_problem::Candidate;
use bezzel_solve::{Answer, Effort, Simplified};
use serde::{Deserialize, Serialize};

use crate::model::all_solutions::AllSolutions;
use crate::model::measure::{Propagation, SectionOperations};
use crate::model::row::{Additions, FormulaSize, ObjectiveValue, ProofRecord, Termination};

/// One step that a worker has completed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Message {
    /// The first pass is done.
    Measured {
        /// The formula's size.
        formula: FormulaSize,
        /// CPU time of the pass, in seconds.
        generate_cpu_s: f64,
    },
    /// The formula is loaded into the solver.
    Loaded {
        /// The digest of the clauses that the solver received.
        clause_digest: String,
        /// CPU time of the second pass, in seconds.
        load_cpu_s: f64,
    },
    /// A better solution is found; the search for the optimum goes on.
    Improved {
        /// The value of the objective, with the time of the search.
        value: ObjectiveValue,
        /// The chosen candidates.
        chosen: Vec<Candidate>,
    },
    /// The solver has ended.
    Solved {
        /// Its answer.
        answer: Answer,
        /// CPU time of solving, in seconds.
        solve_cpu_s: f64,
        /// The effort of solving.
        effort: Effort,
    },
    /// An engine has ended, by itself or at a limit.
    Found {
        /// Its finding until then.
        all: AllSolutions,
        /// The first violation of the instance's rules among the solutions, if there is one.
        violation: Option<String>,
        /// CPU time of checking the solutions by the rules, in seconds, which is not part of the time of finding them.
        /// Absent if the solutions were not listed.
        check_cpu_s: Option<f64>,
    },
    /// The circuit behind the formula was counted.
    Counted(Vec<SectionOperations>),
    /// The formula was closed under unit propagation.
    Propagated(Propagation),
    /// The model is decoded.
    Decoded {
        /// The chosen candidates of the answer.
        chosen: Vec<Candidate>,
        /// CPU time of decoding, in seconds.
        decode_cpu_s: f64,
    },
    /// Every clause was checked against the model.
    Checked {
        /// The first clause that the model does not satisfy, if there is one. Its literals are numbered as for solvers.
        violated: Option<Vec<i32>>,
        /// CPU time of this pass, in seconds.
        check_cpu_s: f64,
    },
    /// The formula was measured after preprocessing.
    Simplified {
        /// The size of the remaining formula.
        simplified: Simplified,
        /// The variables that re-encoding added.
        additions: Option<Additions>,
    },
    /// A proof checker has ended.
    ProofChecked(ProofRecord),
    /// A program failed: the encoder or the solver.
    Failed {
        /// The end of the job that follows.
        stop: Termination,
        /// A description of the fault.
        note: String,
    },
    /// The worker is about to exit.
    Ended {
        /// The reason: the end of its work, or a limit that it enforces itself.
        stop: Termination,
        /// The largest resident memory so far, in bytes.
        memory_peak_bytes: Option<u64>,
    },
}
