//! Evidence on disk: reading of files, the append-only store, and all measurements of a folder.

pub mod input;
pub mod packing;
pub mod scratch;
pub mod store;
pub mod stored_results;
