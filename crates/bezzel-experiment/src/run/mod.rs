//! Running: calibration, worker processes and shards; [`experiment`] combines them.

pub mod calibration;
pub mod experiment;
pub mod local;
pub mod remaining;
pub(crate) mod replaced;
pub mod runner;
pub mod shard;
pub mod this_machine;
pub mod transcript;
