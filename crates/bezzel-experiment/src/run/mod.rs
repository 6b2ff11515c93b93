//! Running: calibration, worker processes, shards, submissions and merges; [`experiment`] combines them.

pub mod calibration;
pub mod experiment;
pub mod merge;
pub(crate) mod replaced;
pub mod runner;
pub mod shard;
pub mod submission;
pub mod this_machine;
pub mod transcript;
