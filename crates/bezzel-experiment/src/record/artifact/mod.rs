//! An archive for artifact evaluation: evidence with its report, the sources, and a script that checks both.
//!
//! Everything is in one folder: `README.md`, `MANIFEST` with the SHA-256 of every other file, the
//! script `reproduce`, the licences, `experiments/`, `reports/` and `sources/`. The same inputs give
//! the same bytes: names are sorted, and every file has the time at which the last session of the
//! evidence began, no owner, and one of two modes.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::record::evidence::ExperimentRecord;
use crate::record::git::GitError;
use crate::results::store::{NOT_EVIDENCE, StoreError, failed};

mod entry;
mod programs;
mod sources;
mod texts;
mod vendor;

pub use entry::{ArchiveEntry, ExcludedFile, FileContent};
pub use programs::ArtifactPrograms;
pub use sources::{Sources, find as find_sources};
pub use vendor::vendor;

/// The file with the digests of all others.
pub const MANIFEST: &str = "MANIFEST";
/// The script that checks everything.
pub const SCRIPT: &str = "reproduce";

/// An error that prevents an archive.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ArtifactError {
    /// Git does not list the files of a revision.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A file or folder cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There are no sources.
    #[error(
        "the sources of Bezzel are neither in `{}` nor above it: --sources names their folder",
        folder.display()
    )]
    NoSources {
        /// The folder where the search for them began.
        folder: PathBuf,
    },
    /// A list of digests cannot contain the name of a file.
    #[error("`{0}` cannot go into an archive: its name has a backslash or a control character")]
    Name(String),
    /// The archive cannot be written.
    #[error("cannot write the archive: {0}")]
    Write(io::Error),
    /// Dependencies cannot be added.
    #[error("`cargo vendor` failed: {0}")]
    Vendor(String),
}

/// The content of an archive.
#[derive(Clone, Debug)]
pub struct Artifact {
    /// The name of the top folder.
    pub folder: String,
    entries: Vec<ArchiveEntry>,
    left_out: Vec<ExcludedFile>,
    /// The modification time of every file, in seconds since 1970.
    time: u64,
}

impl Artifact {
    /// Gathers an archive of the record in `evidence`, whose report is in `report`. `programs` are those that its rows
    /// name, and `vendored` the dependencies, if the archive is to contain them.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, or has a name that a list of digests cannot contain.
    pub fn gather(
        record: &ExperimentRecord,
        evidence: &Path,
        report: &Path,
        sources: &Sources,
        programs: &ArtifactPrograms,
        vendored: Option<Vec<ArchiveEntry>>,
    ) -> Result<Self, ArtifactError> {
        let name = &record.name;
        let is_vendored = vendored.is_some();
        // Of two files with one path the first stays: a vendored file replaces one of the sources.
        let mut entries: Vec<ArchiveEntry> = vendored.into_iter().flatten().collect();
        for file in &sources.files {
            let path = format!("sources/{}", file.path);
            if file.path.starts_with("LICENSE") && !file.path.contains('/') {
                entries.push(ArchiveEntry { path: file.path.clone(), ..file.clone() });
            }
            entries.push(ArchiveEntry { path, ..file.clone() });
        }
        let mut left_out = Vec::new();
        let inside = format!("experiments/{name}");
        entries.extend(entry::below(evidence, &inside, &NOT_EVIDENCE, &mut left_out)?);
        entries.extend(entry::below(report, &format!("reports/{name}"), &[], &mut left_out)?);
        entries.push(ArchiveEntry::text(
            "README.md",
            texts::readme(record, sources, programs, is_vendored),
        ));
        entries.push(ArchiveEntry {
            executable: true,
            ..ArchiveEntry::text(SCRIPT, texts::script(name, is_vendored))
        });
        // The archive's own file under such a path stays.
        let own = |path: &str| Path::new(path).components().collect::<PathBuf>();
        for file in &programs.files {
            let path = own(&file.path).to_string_lossy().into_owned();
            if !entries.iter().any(|entry| entry.path == path) {
                entries.push(ArchiveEntry { path, ..file.clone() });
            }
        }
        if let Some(entry) = entries.iter().find(|entry| !entry.is_plain()) {
            return Err(ArtifactError::Name(entry.path.clone()));
        }
        entries.sort_by(|one, other| one.path.cmp(&other.path));
        entries.dedup_by(|one, other| one.path == other.path);
        let manifest = entry::manifest(&entries)?;
        entries.push(ArchiveEntry::text(MANIFEST, manifest));
        entries.sort_by(|one, other| one.path.cmp(&other.path));
        let time = record.environments.iter().map(|session| session.started_unix_s).max();
        Ok(Self { folder: format!("{name}-artifact"), entries, left_out, time: time.unwrap_or(0) })
    }

    /// The files, in order.
    pub fn entries(&self) -> &[ArchiveEntry] {
        &self.entries
    }

    /// Returns the files of the evidence that are not regular files and are left out of the archive.
    pub fn left_out(&self) -> &[ExcludedFile] {
        &self.left_out
    }

    /// Writes the archive, uncompressed.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, or `out` fails.
    pub fn write(&self, out: impl Write) -> Result<(), ArtifactError> {
        let mut builder = tar::Builder::new(out);
        for entry in &self.entries {
            let bytes = entry.bytes()?;
            let mut header = tar::Header::new_gnu();
            header.set_entry_type(tar::EntryType::Regular);
            header.set_mode(if entry.executable { 0o755 } else { 0o644 });
            header.set_mtime(self.time);
            header.set_uid(0);
            header.set_gid(0);
            header.set_size(bytes.len() as u64);
            let path = format!("{}/{}", self.folder, entry.path);
            builder.append_data(&mut header, path, bytes.as_ref()).map_err(ArtifactError::Write)?;
        }
        builder.into_inner().and_then(|mut out| out.flush()).map_err(ArtifactError::Write)
    }
}

/// Returns the paths in a folder, in order.
fn names(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let listed = fs::read_dir(folder).map_err(failed("read", folder))?;
    let paths = listed.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<Result<Vec<_>, _>>().map_err(failed("read", folder))?;
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests;
