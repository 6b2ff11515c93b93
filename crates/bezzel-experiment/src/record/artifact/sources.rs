//! The sources that go into an archive.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::ArtifactError;
use super::entry::{ArchiveEntry, FileContent, below};
use crate::model::environment::Environment;
use crate::record::git::{self, TrackedFile};

/// The file whose presence marks the folder of the sources: that of the program.
const SIGN: &str = "crates/bezzel/Cargo.toml";

/// A file that the sources must contain to run the script of an archive.
pub(super) const NEEDED: &str = "crates/bezzel-experiment/src/run/experiment/sample.rs";

/// Entries of the sources' folder that are not sources: evidence and reports, of which an archive has its own, and
/// build products.
const NO_SOURCES: [&str; 4] = [".git", "target", "experiments", "reports"];

/// Sources and their revision.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The files, by their paths from the top.
    pub files: Vec<ArchiveEntry>,
    /// Their commit, if there is one.
    pub commit: Option<String>,
    /// A phrase that names their revision.
    pub revision_text: String,
    /// True if the folder has changes that the sources do not contain.
    pub left_out_changes: bool,
    /// True if the folder lies in a repository whose commit git cannot read.
    pub is_unread: bool,
}

/// Finds the sources in a folder or above it. In a repository they are those of the commit with which the evidence was
/// measured, if that commit is known, without changes, present, and able to run a sample; else those of the commit that
/// is checked out. Outside a repository they are the current files.
///
/// # Errors
///
/// When there are none, or they cannot be read.
pub fn find(folder: &Path, sessions: &[Environment]) -> Result<Sources, ArtifactError> {
    let top = top(folder).ok_or_else(|| {
        // An empty path is the current folder.
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        ArtifactError::NoSources { folder: folder.to_owned() }
    })?;
    // The folder may lie in a repository that does not track it.
    let is_tracked = |head: &String| git::has(&top, head, &format!("./{SIGN}"));
    let Some(head) = git::head(&top).filter(is_tracked) else {
        let mut files = below(&top, "", &NO_SOURCES, &mut Vec::new())?;
        files.retain(|file| !is_archive(&file.path));
        let is_repository = top.ancestors().any(|folder| folder.join(".git").exists());
        let is_unread = is_repository && git::is_changed(&top).is_err();
        let place = if is_unread { "a repository that git cannot read" } else { "no repository" };
        let revision_text = format!("as they were in a folder that is {place}");
        return Ok(Sources {
            files,
            commit: None,
            revision_text,
            left_out_changes: false,
            is_unread,
        });
    };
    let measured = measured_with(sessions)
        .and_then(|revision| git::commit(&top, &revision))
        .filter(|commit| git::has(&top, commit, &format!("./{NEEDED}")));
    let revision_text = match &measured {
        Some(commit) => format!("commit {commit}, with which the evidence was measured"),
        None => format!("commit {head}; the rows say what they were measured with"),
    };
    let commit = measured.unwrap_or(head);
    let files = git::files(&top, &commit, ".", &NO_SOURCES)?;
    let entry = |TrackedFile { path, executable, bytes }| ArchiveEntry {
        path,
        executable,
        content: FileContent::Bytes(bytes),
    };
    Ok(Sources {
        files: files.into_iter().map(entry).collect(),
        left_out_changes: git::is_changed(&top)?,
        commit: Some(commit),
        revision_text,
        is_unread: false,
    })
}

/// Returns true if a file at the top is an archive, for example one from an earlier run.
fn is_archive(path: &str) -> bool {
    !path.contains('/') && [".tar.gz", ".tar.xz"].iter().any(|ending| path.ends_with(ending))
}

/// Returns the folder of the sources: this one, or the nearest one above it that contains them.
fn top(folder: &Path) -> Option<PathBuf> {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let whole = here.canonicalize().ok()?;
    whole.ancestors().find(|folder| folder.join(SIGN).is_file()).map(Path::to_owned)
}

/// Returns the revision of all sessions, if they have the same one, without changes.
fn measured_with(sessions: &[Environment]) -> Option<String> {
    let of = |session: &Environment| {
        let build = &session.build;
        build.git_revision.clone().filter(|_| build.git_dirty == Some(false))
    };
    let revisions: BTreeSet<Option<String>> = sessions.iter().map(of).collect();
    match revisions.into_iter().collect::<Vec<_>>().as_slice() {
        [Some(revision)] => Some(revision.clone()),
        _ => None,
    }
}
