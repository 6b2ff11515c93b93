//! Whole runs that are killed, starved and contradicted: what was recorded stays, and what is
//! missing is run.

mod disks;
mod kills;
mod outputs;
mod place;
mod refusals;
mod runners;
mod signals;
