//! Experiments and their evidence: from a YAML question to verified rows.
//!
//! A config is read into an experiment, the experiment is planned into jobs, each job runs in a
//! process of its own, and what came of it is judged and appended as a row. No other crate writes
//! evidence.

pub mod backend;
pub mod check;
pub mod config;
pub mod model;
pub mod plan;
pub mod record;
pub mod results;
pub mod run;
pub mod worker;

pub use backend::program::{FindError, ProgramError, Programs};
pub use backend::workbench::Workbench;
pub use backend::{Backend, Backends};
pub use backend::{fit, program, workbench};
pub use check::{cross, judge, model_check, said, witness};
pub use config::board_file;
pub use config::{Config, ConfigError, ReportFile, ReportSpec};
pub use config::{Hypothesis, HypothesisOutcome, Passage, ReportAnswer, Source, Written};
pub use model::all_solutions::{AllSolutions, Count, DiagramSize};
pub use model::environment::{ClusterTask, Environment};
pub use model::fields::{BOARD, Field, Kind, Presence};
pub use model::job::{
    BackendKind, Job, Key, Limits, MeasuredBy, NO_ENCODING, NO_SOLVER, Planned, Task,
};
pub use model::json_schema::row_schema;
pub use model::measure::{Marks, Propagation, SectionOperations, Truth};
pub use model::permission::{NotPermitted, Permission};
pub use model::row::{
    Additions, Evidence, EvidenceKind, Finding, FormulaSize, Isolation, ProofRecord, Row, Stop,
    Verdict,
};
pub use model::{all_solutions, environment, job, measure, message, permission, quantity, row};
pub use plan::Plan;
pub use record::evidence::ExperimentRecord;
pub use record::{artifact, evidence, git, status, verify};
pub use results::measured::Measured;
pub use results::{input, measured, packing, store};
pub use run::experiment::{Experiment, PlannedExperiment};
pub use run::{
    calibration, experiment, merge, runner, shard, submission, this_machine, transcript,
};
pub use worker::assignment::{Assignment, Part, Place};
pub use worker::{assignment, proof};
