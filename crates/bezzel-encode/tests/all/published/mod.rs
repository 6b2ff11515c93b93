//! Golden numbers: what others have published, or what two independent programs agree on.

mod boards;
mod counters;
mod groups;
mod measure;
mod trees;
