//! Golden numbers: published numbers, or numbers of two independent programs that agree.

pub(crate) mod boards;
mod counters;
mod groups;
mod lines;
mod measure;
mod trees;
