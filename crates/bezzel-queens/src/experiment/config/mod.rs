//! Boards in configs and in files.

pub mod board_file;
mod entry;
mod generate;

pub(super) use entry::Queens;
