//! What the files of evidence are called: those of an experiment, and those of an attempt at one of
//! its shards, which lie beside those of other attempts.

use std::fmt::Display;

use super::{CALIBRATION, ENVIRONMENT, NEW, ROWS, RUNNER, TORN};

/// The names of the files that a store writes.
#[derive(Clone, Debug)]
pub(super) struct Names {
    pub(super) rows: String,
    pub(super) environment: String,
    pub(super) calibration: String,
    pub(super) torn: String,
    pub(super) runner: String,
    /// What a file is called until it is whole.
    pub(super) new: String,
}

impl Names {
    /// Those of an experiment.
    pub(super) fn of_experiment() -> Self {
        Self::by(str::to_owned)
    }

    /// Those of an attempt: `rows-<attempt>.jsonl`, and so on.
    pub(super) fn of_attempt(attempt: &impl Display) -> Self {
        Self::by(|name| {
            let (stem, ending) = name.split_once('.').expect("every name has an ending");
            format!("{stem}-{attempt}.{ending}")
        })
    }

    fn by(name: impl Fn(&str) -> String) -> Self {
        Self {
            rows: name(ROWS),
            environment: name(ENVIRONMENT),
            calibration: name(CALIBRATION),
            torn: name(TORN),
            runner: name(RUNNER),
            new: name(NEW),
        }
    }
}
