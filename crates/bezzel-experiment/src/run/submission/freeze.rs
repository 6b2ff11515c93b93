//! Creation of a submission.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{FORMAT, FrozenShard, MANIFEST, SUBMISSION, Submission, SubmissionFile, digest};
use crate::backend::command::{self, CommandBackend};
use crate::model::job::PlannedJob;
use crate::model::permission::Permission;
use crate::results::store::{self, SHARDS, StoreError, failed};
use crate::run::shard::Cut;

/// The largest number of submissions of an experiment: their names have four digits.
const MAX_SUBMISSIONS: u32 = 9_999;

/// The content of a submission.
#[derive(Clone, Copy, Debug)]
pub struct NewSubmission<'a> {
    /// The experiment's name.
    pub name: &'a str,
    /// The frozen config's text.
    pub config: &'a str,
    /// The jobs.
    pub jobs: &'a [PlannedJob],
    /// The programs that may be started: those of the config.
    pub permission: &'a Permission,
    /// The places of the jobs of each shard in `jobs`, and the expected time of each shard, in seconds.
    pub cut: &'a Cut,
}

/// Freezes jobs, cut into shards, in a new folder below the experiment's.
///
/// # Errors
///
/// When the folder cannot be written.
pub fn freeze(experiment: &Path, request: &NewSubmission<'_>) -> Result<Submission, StoreError> {
    let folder = new_folder(&experiment.join(SHARDS))?;
    let path = folder.join(MANIFEST);
    let (shards, manifest_digest) = write(&path, request).map_err(failed("write", &path))?;
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let own = format!("{manifest_digest} {} {}", since.as_nanos(), folder.display());
    let content = SubmissionFile {
        format: FORMAT,
        name: request.name.to_owned(),
        token: digest(own.as_bytes())[..8].to_owned(),
        config_digest: digest(request.config.as_bytes()),
        manifest_digest,
        programs: programs(request),
        jobs: request.cut.parts.iter().map(Vec::len).sum(),
        created_unix_s: since.as_secs(),
        shards,
    };
    let text = serde_json::to_string_pretty(&content).expect("plain data") + "\n";
    // This file is written last: if it exists, the submission is complete.
    let (path, new) = (folder.join(SUBMISSION), folder.join("submission.new"));
    store::write_whole(&new, &path, text.as_bytes())?;
    store::keep_names(&experiment.join(SHARDS))?;
    Ok(Submission { folder, content })
}

/// Creates a new folder, whose name is the first free number.
fn new_folder(shards: &Path) -> Result<PathBuf, StoreError> {
    fs::create_dir_all(shards).map_err(failed("make the folder", shards))?;
    for number in 1..=MAX_SUBMISSIONS {
        let folder = shards.join(format!("{number:04}"));
        match fs::create_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => {
                return made.map(|()| folder.clone()).map_err(failed("make the folder", &folder));
            }
        }
    }
    let full = io::Error::other("it has submissions of all numbers to 9999");
    Err(failed("make a folder in", shards)(full))
}

/// Writes the manifest, shard after shard.
fn write(path: &Path, request: &NewSubmission<'_>) -> io::Result<(Vec<FrozenShard>, String)> {
    let mut out = BufWriter::with_capacity(1 << 20, File::create_new(path)?);
    let (mut whole, mut line, mut begin) = (blake3::Hasher::new(), Vec::new(), 0);
    let mut shards = Vec::with_capacity(request.cut.parts.len());
    for ((number, part), weight) in (1..).zip(&request.cut.parts).zip(&request.cut.weights) {
        let (mut own, mut bytes) = (blake3::Hasher::new(), 0);
        for &place in part {
            line.clear();
            serde_json::to_writer(&mut line, &request.jobs[place])?;
            line.push(b'\n');
            out.write_all(&line)?;
            own.update(&line);
            whole.update(&line);
            bytes += line.len() as u64;
        }
        let digest = own.finalize().to_hex().to_string();
        shards.push(FrozenShard {
            number,
            jobs: part.len(),
            begin,
            bytes,
            digest,
            expected_s: *weight,
        });
        begin += bytes;
    }
    out.flush()?;
    out.get_ref().sync_all()?;
    Ok((shards, whole.finalize().to_hex().to_string()))
}

/// Returns the digests of the programs that run these jobs here.
fn programs(request: &NewSubmission<'_>) -> BTreeMap<String, String> {
    let programs = command::of_jobs(request.jobs.iter().map(|planned| &planned.job)).into_iter();
    let digest = |program: &CommandBackend| program.identity(request.permission)?.digest;
    programs.map(|(name, program)| (name, digest(&program).unwrap_or_default())).collect()
}
