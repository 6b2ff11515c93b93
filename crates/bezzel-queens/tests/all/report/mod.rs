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
mod recorded;
pub(crate) mod sample;
mod tasks;

/// Records with data for every kind of figure.
fn records() -> [bezzel_experiment::ExperimentRecord; 6] {
    [
        sample::small(),
        counting::record(),
        sample::wide(),
        tasks::record(),
        sample::refuted(),
        sample::ranked(),
    ]
}
