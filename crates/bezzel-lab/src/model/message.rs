//! What a worker tells its runner: one line of JSON for each step that is done.
//!
//! A worker that is killed has told what it knew until then: a formula too large to solve still
//! has its size in the row.

use bezzel_problem::Candidate;
use bezzel_solve::{Answer, Effort, Simplified};
use serde::{Deserialize, Serialize};

use crate::model::all_solutions::AllSolutions;
use crate::model::measure::{Propagation, SectionOperations};
use crate::model::row::Additions;
use crate::model::row::{Finding, FormulaSize, Stop};

/// One step that a worker has done.
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
    /// The formula is in the solver.
    Loaded {
        /// The digest of the clauses that the solver received.
        clause_digest: String,
        /// CPU time of the second pass, in seconds.
        load_cpu_s: f64,
    },
    /// The solver has come to an end.
    Solved {
        /// What it answered.
        answer: Answer,
        /// CPU time of solving, in seconds.
        solve_cpu_s: f64,
        /// What solving took.
        effort: Effort,
    },
    /// An engine has come to an end, or to a limit.
    Found {
        /// What it found until then.
        all: AllSolutions,
        /// What is wrong with the first solution that breaks the rules of the board, if one does.
        violation: Option<String>,
        /// CPU time of holding the solutions against the rules, in seconds, which is no part of the
        /// time of finding them; nothing where they were not listed.
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
    /// Every clause was held against the model.
    Checked {
        /// The first clause that the model does not satisfy, if there is one, as solvers number
        /// its literals.
        violated: Option<Vec<i32>>,
        /// CPU time of this pass, in seconds.
        check_cpu_s: f64,
    },
    /// The formula was measured after preprocessing.
    Simplified {
        /// What is left.
        simplified: Simplified,
        /// What re-encoding put in.
        additions: Option<Additions>,
    },
    /// A checker has come to an end with a proof.
    ProofChecked {
        /// What it found.
        finding: Finding,
        /// The clauses that the proof adds, as far as it was read.
        steps: Option<u64>,
        /// Why the proof is not accepted.
        note: Option<String>,
    },
    /// A program, the encoder or the solver, failed.
    Failed {
        /// How that ends the job.
        stop: Stop,
        /// What was wrong with the program.
        note: String,
    },
    /// The worker is about to end.
    Ended {
        /// Why: by itself, or by a limit that it kept itself.
        stop: Stop,
        /// The largest resident memory so far, in bytes.
        memory_peak_bytes: Option<u64>,
    },
}
