//! Experiments and their evidence: from a YAML question to verified rows.
//!
//! A config is read into an experiment, the experiment is planned into jobs, each job runs in a
//! process of its own, and what came of it is judged and appended as a row. No other crate writes
//! evidence.

pub mod all_solutions;
pub mod artifact;
pub mod assignment;
pub mod backend;
pub mod board_file;
pub mod calibration;
mod combine;
pub mod config;
mod consistent;
mod counted;
pub mod cross;
pub mod environment;
pub mod evidence;
pub mod experiment;
pub mod fit;
pub mod git;
pub mod input;
pub mod job;
mod json_schema;
pub mod judge;
pub mod measure;
pub mod measured;
pub mod merge;
pub mod message;
pub mod model;
mod named_programs;
pub mod permission;
pub mod plan;
pub mod program;
pub mod proof;
pub mod quantity;
mod replaced;
pub mod row;
pub mod runner;
pub mod said;
pub mod shard;
mod stale;
pub mod status;
pub mod store;
pub mod submission;
mod supervised;
pub mod this_machine;
pub mod transcript;
pub mod verify;
pub mod witness;
pub mod workbench;
pub mod worker;

pub use all_solutions::{AllSolutions, Count, DiagramSize};
pub use assignment::{Assignment, Part, Place};
pub use backend::{Backend, Backends};
pub use config::{Config, ConfigError};
pub use environment::{ClusterTask, Environment};
pub use evidence::ExperimentRecord;
pub use experiment::{Experiment, PlannedExperiment};
pub use job::{BackendKind, Job, Key, Limits, MeasuredBy, NO_ENCODING, NO_SOLVER, Planned, Task};
pub use json_schema::row_schema;
pub use measure::{Marks, Propagation, SectionOperations, Truth};
pub use measured::Measured;
pub use permission::{NotPermitted, Permission};
pub use plan::Plan;
pub use program::{FindError, ProgramError, Programs};
pub use row::{
    Additions, Evidence, EvidenceKind, Finding, FormulaSize, Isolation, ProofRecord, Row, Stop,
    Verdict,
};
pub use workbench::Workbench;
