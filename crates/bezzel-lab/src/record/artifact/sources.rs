//! The sources that go into an archive.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::ArtifactError;
use super::entry::{Content, Entry, below};
use crate::model::environment::Environment;
use crate::record::git::{self, Tracked};

/// What tells that a folder has the sources: the file of the program.
const SIGN: &str = "crates/bezzel/Cargo.toml";

/// A file of all sources that can run the script of an archive.
pub(super) const NEEDED: &str = "crates/bezzel-lab/src/run/experiment/sample.rs";

/// What is in the folder of the sources and none of them: evidence and reports, of which an archive has
/// its own, and what was built.
const NO_SOURCES: [&str; 4] = [".git", "target", "experiments", "reports"];

/// Sources, and which ones they are.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The files, by their paths from the top.
    pub files: Vec<Entry>,
    /// The commit that they are of, where there is one.
    pub commit: Option<String>,
    /// Which they are, in a sentence for people.
    pub told: String,
    /// Whether the folder has changes that are not in them.
    pub left_out_changes: bool,
    /// True if the folder lies in a repository of which git reads no commit.
    pub is_unread: bool,
}

/// Finds the sources in a folder or above it. In a repository they are those of the commit that the
/// evidence was measured with, if that is known, without changes, there, and able to run a sample; else
/// of the commit that is checked out. Elsewhere they are the files as they are.
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
    // The folder may lie in a repository that knows nothing of it.
    let is_tracked = |head: &String| git::has(&top, head, &format!("./{SIGN}"));
    let Some(head) = git::head(&top).filter(is_tracked) else {
        let mut files = below(&top, "", &NO_SOURCES, &mut Vec::new())?;
        files.retain(|file| !is_archive(&file.path));
        let is_repository = top.ancestors().any(|folder| folder.join(".git").exists());
        let is_unread = is_repository && git::is_changed(&top).is_err();
        let place = if is_unread { "a repository that git cannot read" } else { "no repository" };
        let told = format!("as they were in a folder that is {place}");
        return Ok(Sources { files, commit: None, told, left_out_changes: false, is_unread });
    };
    let measured = measured_with(sessions)
        .and_then(|revision| git::commit(&top, &revision))
        .filter(|commit| git::has(&top, commit, &format!("./{NEEDED}")));
    let told = match &measured {
        Some(commit) => format!("commit {commit}, with which the evidence was measured"),
        None => format!("commit {head}; the rows say what they were measured with"),
    };
    let commit = measured.unwrap_or(head);
    let files = git::files(&top, &commit, ".", &NO_SOURCES)?;
    let entry = |Tracked { path, executable, bytes }| Entry {
        path,
        executable,
        content: Content::Bytes(bytes),
    };
    Ok(Sources {
        files: files.into_iter().map(entry).collect(),
        left_out_changes: git::is_changed(&top)?,
        commit: Some(commit),
        told,
        is_unread: false,
    })
}

/// Whether a file at the top is an archive, as one that was packed here before.
fn is_archive(path: &str) -> bool {
    !path.contains('/') && [".tar.gz", ".tar.xz"].iter().any(|ending| path.ends_with(ending))
}

/// The folder of the sources: this one, or the nearest above it that has them.
fn top(folder: &Path) -> Option<PathBuf> {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let whole = here.canonicalize().ok()?;
    whole.ancestors().find(|folder| folder.join(SIGN).is_file()).map(Path::to_owned)
}

/// The revision of all sessions, if they are of one, and without changes.
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
