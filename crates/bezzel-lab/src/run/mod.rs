//! Running: calibration, processes of workers, shards, submissions, merges; [`experiment`] puts them together.

pub mod calibration;
pub mod experiment;
pub mod merge;
pub(crate) mod replaced;
pub mod runner;
pub mod shard;
pub mod submission;
pub mod this_machine;
pub mod transcript;
