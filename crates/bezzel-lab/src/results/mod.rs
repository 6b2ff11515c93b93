//! Evidence on disk: files that are opened safely, the append-only store, and all measurements of a folder.

pub mod input;
pub mod measured;
pub mod packing;
pub mod store;
