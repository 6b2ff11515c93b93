//! The data of an experiment: jobs, rows, limits, environments, and what workers report. Nothing here acts.

pub mod all_solutions;
pub mod environment;
pub mod fields;
pub mod job;
pub(crate) mod json_schema;
pub mod measure;
pub mod message;
mod names;
pub mod permission;
pub mod quantity;
pub mod row;
