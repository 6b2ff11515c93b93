//! Submissions: jobs cut into shards and frozen, for tasks of a batch system to run.
//!
//! A submission is a folder `experiments/<name>/shards/<number>/`. Its `manifest.jsonl` has a job in each line, shard
//! after shard; `submission.json` contains the place of each shard, and digests of everything. Neither is changed
//! later. A task reads its lines of the manifest and runs them, independent of the current config. It refuses to run
//! them if they differ from the frozen ones, or if it cannot measure the planned versions. The rows of tasks lie beside
//! these files, in one file for each attempt.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::model::job::Key;
use crate::model::job::PlannedJob;
use crate::results::input::{self, LARGEST_DOCUMENT};
use crate::results::store::{self, AttemptFiles, CONFIG, SHARDS, StoreError, failed};
use crate::run::shard::Shard;

mod current;
mod freeze;

pub use current::Outdated;
pub use freeze::{NewSubmission, freeze};

/// The file of the jobs, one a line.
pub const MANIFEST: &str = "manifest.jsonl";
/// The file that describes the submission.
pub const SUBMISSION: &str = "submission.json";
/// The format of submissions.
const FORMAT: u32 = 1;

/// An error of making or reading a submission.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SubmissionError {
    /// The file is not a submission, or one of another version.
    #[error("`{}` is not a submission that this version reads: {reason}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// A file was changed after it was frozen.
    #[error(
        "`{}` is not what was submitted any more: put it back, or submit again", path.display()
    )]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// There is no shard of this number.
    #[error("there is no shard {shard}: `{}` has shards 1/{max} to {max}/{max}", folder.display())]
    NoShard {
        /// The shard.
        shard: Shard,
        /// The number of shards.
        max: usize,
        /// The submission's folder.
        folder: PathBuf,
    },
    /// Its files cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A submission.
#[derive(Clone, Debug)]
pub struct Submission {
    folder: PathBuf,
    content: SubmissionFile,
}

/// The content of `submission.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SubmissionFile {
    format: u32,
    /// The experiment's name.
    name: String,
    /// A unique token of the submission, which is part of the names of its jobs in the batch system.
    token: String,
    /// The BLAKE3 of the frozen config.
    config_digest: String,
    /// The BLAKE3 of the manifest, as `b3sum` prints it. Tasks check the digest of their own lines.
    manifest_digest: String,
    /// The digests of the programs that solve, by their names.
    programs: BTreeMap<String, String>,
    /// The number of jobs in the manifest.
    jobs: usize,
    /// The time of its creation, in seconds since 1970.
    created_unix_s: u64,
    shards: Vec<FrozenShard>,
}

/// A shard of a submission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrozenShard {
    /// Its number, counted from 1.
    pub number: u32,
    /// The number of its jobs.
    pub jobs: usize,
    /// The place of its first line in the manifest, in bytes.
    pub begin: u64,
    /// Its length, in bytes.
    pub bytes: u64,
    /// The BLAKE3 of its lines.
    pub digest: String,
    /// The expected time of its jobs, one after the other, in seconds.
    pub expected_s: f64,
}

impl Submission {
    /// Reads the submission in a folder.
    ///
    /// # Errors
    ///
    /// When there is none, or it is of another version.
    pub fn open(folder: &Path) -> Result<Self, SubmissionError> {
        let path = folder.join(SUBMISSION);
        let text = input::read(&path, LARGEST_DOCUMENT).map_err(failed("read", &path))?;
        let foreign = |reason: String| SubmissionError::Foreign { path: path.clone(), reason };
        let content: SubmissionFile =
            serde_json::from_slice(&text).map_err(|error| foreign(error.to_string()))?;
        if content.format != FORMAT {
            return Err(foreign(format!("its format is {}, not {FORMAT}", content.format)));
        }
        Ok(Self { folder: folder.to_owned(), content })
    }

    /// Returns all submissions of an experiment in this folder, the first one first. Folders with an incomplete
    /// submission are skipped.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn all(experiment: &Path) -> Result<Vec<Self>, SubmissionError> {
        let folders = shard_folders(experiment)?;
        let begun = folders.iter().filter(|folder| folder.join(SUBMISSION).exists());
        begun.map(|folder| Self::open(folder)).collect()
    }

    /// Returns its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of its experiment.
    pub fn experiment(&self) -> &Path {
        let experiment = self.folder.parent().and_then(Path::parent);
        experiment.unwrap_or(Path::new("."))
    }

    /// The experiment's name.
    pub fn name(&self) -> &str {
        &self.content.name
    }

    /// Returns the unique token of the submission.
    pub fn token(&self) -> &str {
        &self.content.token
    }

    /// Returns the number of its jobs.
    pub fn jobs(&self) -> usize {
        self.content.jobs
    }

    /// Its shards.
    pub fn shards(&self) -> &[FrozenShard] {
        &self.content.shards
    }

    /// The jobs of a shard.
    ///
    /// # Errors
    ///
    /// When there is no such shard, or its lines of the manifest differ from the frozen ones.
    pub fn jobs_of(&self, number: u32) -> Result<Vec<PlannedJob>, SubmissionError> {
        self.read(number)
    }

    /// The keys of the jobs of a shard.
    ///
    /// # Errors
    ///
    /// As [`jobs_of`](Self::jobs_of).
    pub fn keys_of(&self, number: u32) -> Result<HashSet<Key>, SubmissionError> {
        #[derive(Deserialize)]
        struct Keyed {
            key: Key,
        }
        Ok(self.read(number)?.into_iter().map(|Keyed { key }| key).collect())
    }

    /// Reads the lines of a shard.
    fn read<T: DeserializeOwned>(&self, number: u32) -> Result<Vec<T>, SubmissionError> {
        let shard =
            (number as usize).checked_sub(1).and_then(|place| self.content.shards.get(place));
        let Some(shard) = shard else {
            let (max, folder) = (self.content.shards.len(), self.folder.clone());
            let shard = Shard { number, of: max as u32 };
            return Err(SubmissionError::NoShard { shard, max, folder });
        };
        let path = self.folder.join(MANIFEST);
        let mut bytes = Vec::new();
        let mut read = || -> io::Result<()> {
            let mut file = input::open(&path)?;
            file.seek(SeekFrom::Start(shard.begin))?;
            file.take(shard.bytes).read_to_end(&mut bytes).map(drop)
        };
        read().map_err(failed("read", &path))?;
        if digest(&bytes) != shard.digest {
            return Err(SubmissionError::Changed { path });
        }
        let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let read: Result<_, _> = lines.map(serde_json::from_slice).collect();
        read.map_err(|_| SubmissionError::Changed { path })
    }

    /// The files of the attempts at its shards.
    ///
    /// # Errors
    ///
    /// When the folder cannot be read.
    pub fn attempts(&self) -> Result<Vec<AttemptFiles>, StoreError> {
        store::attempts(&self.folder)
    }

    /// Returns the path of the submitted config: the current one of the experiment, or an earlier version.
    ///
    /// # Errors
    ///
    /// When the folder no longer contains a config with this digest.
    pub fn config(&self) -> Result<PathBuf, SubmissionError> {
        let present = self.experiment().join(CONFIG);
        let mut all = store::kept_versions(self.experiment());
        all.insert(0, present.clone());
        let is_own = |path: &PathBuf| {
            input::read(path, LARGEST_DOCUMENT)
                .is_ok_and(|text| digest(&text) == self.content.config_digest)
        };
        all.into_iter().find(is_own).ok_or(SubmissionError::Changed { path: present })
    }
}

/// Returns the folders of the attempts at the shards of an experiment, in the order of their names; none if it was
/// never cut.
///
/// # Errors
///
/// When they cannot be listed.
pub fn shard_folders(experiment: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let shards = experiment.join(SHARDS);
    if !shards.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(&shards).map_err(failed("read", &shards))?;
    let mut folders = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed("read", &shards))?.path();
        if path.is_dir() {
            folders.push(path);
        }
    }
    folders.sort_unstable();
    Ok(folders)
}

fn digest(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

#[cfg(test)]
mod tests;
