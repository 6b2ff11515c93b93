//! The data of an experiment: jobs, rows, limits, environments and the messages of workers. The module contains data
//! only.

pub mod all_solutions;
pub mod environment;
pub mod fields;
pub mod job;
pub mod measure;
pub mod message;
pub mod permission;
pub mod quantity;
pub mod row;
