//! Experiments and their evidence: from a YAML config to verified rows.
//!
//! A config is read into an experiment. The experiment is planned into jobs. Each job runs in a process of its own.
//! Its result is judged and appended as a row. No other crate writes evidence.

pub mod backend;
pub mod check;
pub mod config;
pub mod file_proof;
pub mod model;
pub mod plan;
pub mod record;
pub mod results;
pub mod run;
pub mod worker;

// The tests of plug-ins include some of these files, which name this crate.
#[cfg(test)]
extern crate self as bezzel_experiment;
#[cfg(test)]
mod tests;

pub use backend::catalog::Catalog;
pub use backend::program::{EncoderPrograms, FindError, ProgramError};
pub use backend::shape_check::{CheckedShapes, check_at_shapes};
pub use backend::{Backend, Backends};
pub use backend::{catalog, fit, program, shape_check};
pub use check::{claim, cross, judge, model_check, solution_collector};
pub use config::split_placeholder;
pub use config::{
    AnswerPart, Claim, ClaimCells, ClaimMeasure, ClaimRelation, Hypothesis, HypothesisTime,
    Passage, Primary, ReportAnswer, Simultaneous, Source,
};
pub use config::{Config, ConfigError, ReportFile, ReportSpec};
pub use model::all_solutions::{AllSolutions, Count, DiagramSize};
pub use model::environment::Environment;
pub use model::fields::{FieldsWithin, RowField};
pub use model::job::{BackendKind, Job, Key, Limits, NO_ENCODING, NO_SOLVER, PlannedJob, Task};
pub use model::measure::{Marks, Propagation, SectionOperations, Truth};
pub use model::permission::{NotPermitted, Permission};
pub use model::row::{
    Additions, Evidence, EvidenceKind, Finding, FormulaSize, Isolation, ObjectiveValue,
    ProofRecord, Row, Termination, Verdict,
};
pub use model::{all_solutions, environment, job, measure, message, permission, quantity, row};
pub use plan::Plan;
pub use record::evidence::{ExperimentRecord, RecordPart};
pub use record::{evidence, import, status, verify};
pub use results::stored_results::StoredResults;
pub use results::{input, packing, scratch, store, stored_results};
pub use run::experiment::{Experiment, PlannedExperiment};
pub use run::{calibration, experiment, local, remaining, runner, shard, this_machine, transcript};
pub use worker::process::{Assignment, JobPart, ProcessBinding};
pub use worker::{process, proof};
