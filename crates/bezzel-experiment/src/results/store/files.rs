//! The paths of files of evidence: those of an experiment, and those of an attempt at one of its shards, which lie
//! beside those of other attempts.

use std::path::{Path, PathBuf};

use super::Attempt;

/// The files that a store writes.
#[derive(Clone, Debug)]
pub(super) struct Files {
    pub(super) folder: PathBuf,
    /// The attempt; `None` for the files of an experiment.
    pub(super) attempt: Option<Attempt>,
}

impl Files {
    pub(super) fn new(folder: &Path, attempt: Option<Attempt>) -> Self {
        Self { folder: folder.to_owned(), attempt }
    }

    /// The path of the file `name`; an attempt has `rows-<attempt>.jsonl` instead of `rows.jsonl`, and so on.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        let Some(attempt) = &self.attempt else { return self.folder.join(name) };
        let (stem, ending) = name.split_once('.').expect("every name has an ending");
        self.folder.join(format!("{stem}-{attempt}.{ending}"))
    }
}
