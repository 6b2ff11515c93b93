//! Whole runs that are killed, starved and contradicted: recorded rows stay, and missing jobs are run.

mod damage;
mod disks;
mod kills;
mod leftovers;
mod outputs;
mod refusals;
mod runners;
mod signals;
pub(crate) mod workspace;
