//! All integration tests of the crate, in one program.

mod apply;
mod bitmask;
mod counts;
mod diagrams;
mod direct;
mod fundamental;
mod instances;
mod pool;
mod versions;
