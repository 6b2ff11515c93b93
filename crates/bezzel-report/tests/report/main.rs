//! Reports from end to end: golden files, broken and hostile records, pictures that open.

mod edges;
mod golden;
mod hostile;
mod pictures;
mod sample;
