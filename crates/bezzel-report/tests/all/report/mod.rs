//! Reports from end to end: golden files, broken and hostile records, pictures that open.

mod author;
pub(crate) mod counting;
mod edges;
mod golden;
mod hostile;
mod index;
mod kinds;
mod machines;
mod marks;
mod paper;
mod pictures;
pub(crate) mod sample;
mod tasks;
