//! Submissions: jobs cut into shards and frozen, for tasks of a batch system to run.
//!
//! A submission is a folder `experiments/<name>/shards/<number>/`. Its `manifest.jsonl` has a job in
//! each line, shard after shard; `submission.json` says where each shard begins, and has digests of
//! everything. Neither is changed again: a task reads its lines of the manifest and runs them, whatever
//! became of the config, and refuses to if they are not what was frozen, or if it could not measure
//! what was planned. What tasks found lies beside them, in a file of each attempt.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::model::job::Key;
use crate::model::job::Planned;
use crate::results::input::{self, LARGEST_DOCUMENT};
use crate::results::store::{self, AttemptFiles, CONFIG, SHARDS, StoreError, failed};
use crate::run::shard::Shard;

mod current;
mod freeze;

pub use current::Outdated;
pub use freeze::{Request, freeze};

/// The jobs, a line each.
pub const MANIFEST: &str = "manifest.jsonl";
/// What was submitted.
pub const SUBMISSION: &str = "submission.json";
/// The format of submissions that is written now, and read.
const FORMAT: u32 = 1;

/// Why a submission cannot be made or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SubmissionError {
    /// It is no submission, or one of another version.
    #[error("`{}` is no submission that this version reads: {reason}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// Something was changed since it was frozen.
    #[error(
        "`{}` is not what was submitted any more: put it back, or submit again", path.display()
    )]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// There is no shard of this number.
    #[error("there is no shard {shard}: `{}` has shards 1/{most} to {most}/{most}", folder.display())]
    NoShard {
        /// The shard.
        shard: Shard,
        /// The number of shards.
        most: usize,
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
    told: Told,
}

/// What `submission.json` tells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    format: u32,
    /// The experiment's name.
    name: String,
    /// What no other submission has: the jobs that a batch system is given bear it in their names.
    token: String,
    /// The BLAKE3 of the frozen config.
    config_digest: String,
    /// The BLAKE3 of the manifest, as `b3sum` tells it; tasks check that of their own lines.
    manifest_digest: String,
    /// The digests of the programs that solve, by what they are called.
    programs: BTreeMap<String, String>,
    /// Jobs in the manifest.
    jobs: usize,
    /// When it was made, in seconds since 1970.
    created_unix_s: u64,
    shards: Vec<Frozen>,
}

/// A shard of a submission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frozen {
    /// Its number, counted from 1.
    pub number: u32,
    /// Its jobs.
    pub jobs: usize,
    /// The place of its first line in the manifest, in bytes.
    pub begin: u64,
    /// Its length, in bytes.
    pub bytes: u64,
    /// The BLAKE3 of its lines.
    pub digest: String,
    /// How long it may take, in seconds of one job after the other.
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
        let told: Told =
            serde_json::from_slice(&text).map_err(|error| foreign(error.to_string()))?;
        if told.format != FORMAT {
            return Err(foreign(format!("its format is {}, not {FORMAT}", told.format)));
        }
        Ok(Self { folder: folder.to_owned(), told })
    }

    /// All that were made of an experiment in this folder, the first first. Folders in which none was
    /// finished are passed over.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn all(experiment: &Path) -> Result<Vec<Self>, SubmissionError> {
        let folders = shard_folders(experiment)?;
        let begun = folders.iter().filter(|folder| folder.join(SUBMISSION).exists());
        begun.map(|folder| Self::open(folder)).collect()
    }

    /// Where it is.
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
        &self.told.name
    }

    /// What no other submission has.
    pub fn token(&self) -> &str {
        &self.told.token
    }

    /// How many jobs it has.
    pub fn jobs(&self) -> usize {
        self.told.jobs
    }

    /// Its shards.
    pub fn shards(&self) -> &[Frozen] {
        &self.told.shards
    }

    /// The jobs of a shard.
    ///
    /// # Errors
    ///
    /// When there is no such shard, or its lines of the manifest are not those that were frozen.
    pub fn jobs_of(&self, number: u32) -> Result<Vec<Planned>, SubmissionError> {
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
        let shard = (number as usize).checked_sub(1).and_then(|place| self.told.shards.get(place));
        let Some(shard) = shard else {
            let (most, folder) = (self.told.shards.len(), self.folder.clone());
            let shard = Shard { number, of: most as u32 };
            return Err(SubmissionError::NoShard { shard, most, folder });
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

    /// The config that was submitted: the present one of the experiment, or an earlier version.
    ///
    /// # Errors
    ///
    /// When the folder has no longer a config with this digest.
    pub fn config(&self) -> Result<PathBuf, SubmissionError> {
        let present = self.experiment().join(CONFIG);
        let mut all = store::kept_versions(self.experiment());
        all.insert(0, present.clone());
        let is_own = |path: &PathBuf| {
            input::read(path, LARGEST_DOCUMENT)
                .is_ok_and(|text| digest(&text) == self.told.config_digest)
        };
        all.into_iter().find(is_own).ok_or(SubmissionError::Changed { path: present })
    }
}

/// The folders in which attempts at the shards of an experiment are, in the order of their names; none
/// if it was never cut.
///
/// # Errors
///
/// When they cannot be looked for.
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
