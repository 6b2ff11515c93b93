//! What git knows: revisions, and the files of one. Git itself is asked; it is started by
//! `bezzel-external`, with none of the variables that would point it elsewhere.

use std::env;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bezzel_external::{Exit, ExternalError, Program};
use thiserror::Error;

/// The most that git may print: the files of a revision.
const MOST_BYTES: usize = 1 << 30;

/// How long git may take.
const WALL: Duration = Duration::from_mins(2);

/// The variables that programs which manage sources need.
pub(crate) const ENVIRONMENT: [&str; 4] = ["PATH", "HOME", "CARGO_HOME", "RUSTUP_HOME"];

/// Why git does not tell.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GitError {
    /// It cannot be run.
    #[error(transparent)]
    Start(#[from] ExternalError),
    /// It refused.
    #[error("`git {command}` in `{}` failed: {said}", folder.display())]
    Refused {
        /// What was asked.
        command: String,
        /// Where.
        folder: PathBuf,
        /// What it said.
        said: String,
    },
    /// What it printed is no archive.
    #[error("what `git archive` printed cannot be read: {0}")]
    Archive(io::Error),
}

/// A file of a revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tracked {
    /// Its path, from the top of the repository.
    pub path: String,
    /// Whether it may be run.
    pub executable: bool,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Asks git in a folder, and returns what it prints.
fn ask(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
    // It looks the program up.
    let given = |name: &&str| Some(((*name).into(), env::var_os(name)?));
    let program = Program {
        args: ["git"].iter().chain(arguments).map(Into::into).collect(),
        environment: ENVIRONMENT.iter().filter_map(given).collect(),
        directory: Some(folder.to_owned()).filter(|folder| !folder.as_os_str().is_empty()),
        keep_bytes: MOST_BYTES,
        output_bytes: MOST_BYTES as u64,
        ..Program::new("/usr/bin/env", WALL)
    };
    let outcome = program.run(None)?;
    if outcome.exit == Exit::Code(0) && outcome.killed_by.is_none() {
        return Ok(outcome.stdout.tail);
    }
    let said = outcome.stderr.text();
    let said = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
    let command = arguments.iter().take(2).copied().collect::<Vec<_>>().join(" ");
    Err(GitError::Refused { command, folder: folder.to_owned(), said: said.to_owned() })
}

/// The commit that is checked out where this folder is; nothing outside a repository, or without git.
pub fn head(folder: &Path) -> Option<String> {
    commit(folder, "HEAD")
}

/// The commit of that name; nothing if there is none.
pub fn commit(folder: &Path, revision: &str) -> Option<String> {
    let name = format!("{revision}^{{commit}}");
    let said =
        ask(folder, &["rev-parse", "--verify", "--quiet", "--end-of-options", &name]).ok()?;
    Some(String::from_utf8(said).ok()?.trim().to_owned()).filter(|commit| !commit.is_empty())
}

/// Whether a commit has this file.
pub fn has(folder: &Path, commit: &str, path: &str) -> bool {
    ask(folder, &["cat-file", "-e", &format!("{commit}:{path}")]).is_ok()
}

/// Whether tracked files were changed since the last commit.
///
/// # Errors
///
/// When git does not tell.
pub fn is_changed(folder: &Path) -> Result<bool, GitError> {
    let arguments = ["--no-optional-locks", "status", "--porcelain", "--untracked-files=no", "."];
    Ok(!ask(folder, &arguments)?.is_empty())
}

/// The files of a commit that `paths` name from the folder on, without what they exclude.
///
/// # Errors
///
/// When git does not tell, as where no file is named so.
pub fn files(folder: &Path, commit: &str, paths: &[&str]) -> Result<Vec<Tracked>, GitError> {
    let arguments = [&["archive", "--format=tar", commit, "--"], paths].concat();
    let bytes = ask(folder, &arguments)?;
    let mut archive = tar::Archive::new(bytes.as_slice());
    let mut files = Vec::new();
    for entry in archive.entries().map_err(GitError::Archive)? {
        let mut entry = entry.map_err(GitError::Archive)?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let executable = entry.header().mode().map_err(GitError::Archive)? & 0o111 != 0;
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(GitError::Archive)?;
        files.push(Tracked { path, executable, bytes });
    }
    Ok(files)
}
