//! Revisions and their files, as git prints them. `bezzel-process` starts git without the variables that select
//! another repository.
//!
//! A repository may come with evidence from any source, and its config may name programs: filters, monitors of the file
//! system, hooks, transports. Therefore this module requests only objects, which git prints without filters, and starts
//! git with options that disable the other programs.

use std::collections::HashMap;
use std::env;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use bezzel_process::{Exit, ExternalError, Program};
use thiserror::Error;

/// The largest output of git, in bytes: the files of a revision.
const MAX_BYTES: usize = 1 << 30;

/// The time limit of git.
const WALL: Duration = Duration::from_mins(2);

/// The variables that programs which manage sources need.
pub(crate) const ENVIRONMENT: [&str; 4] = ["PATH", "HOME", "CARGO_HOME", "RUSTUP_HOME"];

/// An error of a call of git.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GitError {
    /// It cannot be run.
    #[error(transparent)]
    Start(#[from] ExternalError),
    /// Git refused the command.
    #[error("`git {command}` in `{}` failed: {message}", folder.display())]
    Refused {
        /// The command.
        command: String,
        /// The folder.
        folder: PathBuf,
        /// The message of git.
        message: String,
    },
    /// The output of git cannot be parsed.
    #[error("what `git {0}` printed cannot be understood")]
    Garbled(&'static str),
}

/// A file of a revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackedFile {
    /// Its path, from the top of the repository.
    pub path: String,
    /// True if it may be run.
    pub executable: bool,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The options that keep git from starting programs that a repository's config names.
const SAFE_OPTIONS: [&str; 6] =
    ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "protocol.allow=never"];

/// Runs git in a folder, and returns its output.
fn run_git(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
    ask_of(folder, arguments, Vec::new())
}

/// Runs git with a standard input, and returns its output.
fn ask_of(folder: &Path, arguments: &[&str], stdin: Vec<u8>) -> Result<Vec<u8>, GitError> {
    // `env` looks the program up in `PATH`.
    let given = |name: &&str| Some(((*name).into(), env::var_os(name)?));
    // A repository's own config can override `-c protocol.allow`, but not these variables.
    let alone =
        [("GIT_ALLOW_PROTOCOL".into(), "".into()), ("GIT_NO_LAZY_FETCH".into(), "1".into())];
    let program = Program {
        args: ["git"].iter().chain(&SAFE_OPTIONS).chain(arguments).map(Into::into).collect(),
        stdin,
        environment: ENVIRONMENT.iter().filter_map(given).chain(alone).collect(),
        directory: Some(folder.to_owned()).filter(|folder| !folder.as_os_str().is_empty()),
        keep_bytes: MAX_BYTES,
        output_bytes: MAX_BYTES as u64,
        ..Program::new("/usr/bin/env", WALL)
    };
    let outcome = program.run(None)?;
    if outcome.exit == Exit::Code(0) && outcome.killed_by.is_none() {
        return Ok(outcome.stdout.tail);
    }
    let message = outcome.stderr.text();
    let message =
        message.lines().find(|line| !line.trim().is_empty()).unwrap_or("it printed nothing");
    let command = arguments.iter().take(2).copied().collect::<Vec<_>>().join(" ");
    Err(GitError::Refused { command, folder: folder.to_owned(), message: message.to_owned() })
}

/// Returns the commit that is checked out in this folder; none outside a repository, or without git.
pub fn head(folder: &Path) -> Option<String> {
    commit(folder, "HEAD")
}

/// Returns the commit of that name; none if there is none.
pub fn commit(folder: &Path, revision: &str) -> Option<String> {
    let name = format!("{revision}^{{commit}}");
    let message =
        run_git(folder, &["rev-parse", "--verify", "--quiet", "--end-of-options", &name]).ok()?;
    Some(String::from_utf8(message).ok()?.trim().to_owned()).filter(|commit| !commit.is_empty())
}

/// Returns true if a commit has this file.
pub fn has(folder: &Path, commit: &str, path: &str) -> bool {
    run_git(folder, &["cat-file", "-e", &format!("{commit}:{path}")]).is_ok()
}

/// Returns true if tracked files in this folder were changed since the last commit.
///
/// # Errors
///
/// When git fails.
pub fn is_changed(folder: &Path) -> Result<bool, GitError> {
    let mut blobs = blobs(folder, "HEAD", ".")?;
    // Links, modules, and names with a line break, which `--stdin-paths` does not support, are left out.
    blobs.retain(|blob| blob.is_file && !blob.path.contains('\n'));
    let is_there = |blob: &Blob| folder.join(&blob.path).is_file();
    if !blobs.iter().all(is_there) {
        return Ok(true);
    }
    let paths: String = blobs.iter().flat_map(|blob| [&*blob.path, "\n"]).collect();
    let arguments = ["hash-object", "--no-filters", "--stdin-paths"];
    let hashes = ask_of(folder, &arguments, paths.into_bytes())?;
    let hashes = String::from_utf8_lossy(&hashes);
    Ok(!hashes.lines().eq(blobs.iter().map(|blob| blob.id.as_str())))
}

/// Returns the files of a commit below a path, relative to the folder, without those in the folders `except`.
///
/// # Errors
///
/// When git fails, or there is no such file.
pub fn files(
    folder: &Path,
    commit: &str,
    path: &str,
    except: &[&str],
) -> Result<Vec<TrackedFile>, GitError> {
    let mut blobs = blobs(folder, commit, path)?;
    let is_left_out = |path: &str| path.split('/').next().is_some_and(|top| except.contains(&top));
    blobs.retain(|blob| blob.is_file && !is_left_out(&blob.path));
    if blobs.is_empty() {
        let message = format!("{commit} has no file `{path}`");
        let (command, folder) = ("ls-tree".to_owned(), folder.to_owned());
        return Err(GitError::Refused { command, folder, message });
    }
    let ids: String = blobs.iter().flat_map(|blob| [&*blob.id, "\n"]).collect();
    let printed = ask_of(folder, &["cat-file", "--batch"], ids.into_bytes())?;
    let mut contents: HashMap<String, Vec<u8>> = HashMap::new();
    let mut rest = printed.as_slice();
    while !rest.is_empty() {
        let (id, bytes, after) = object(rest).ok_or(GitError::Garbled("cat-file"))?;
        contents.insert(id.to_owned(), bytes.to_owned());
        rest = after;
    }
    let tracked = |Blob { id, path, executable, .. }: Blob| {
        let bytes = contents.get(&id).cloned().ok_or(GitError::Garbled("cat-file"))?;
        Ok(TrackedFile { path, executable, bytes })
    };
    blobs.into_iter().map(tracked).collect()
}

/// Returns the id and the bytes of the first object in the output of `git cat-file --batch`, and the rest of the
/// output.
fn object(printed: &[u8]) -> Option<(&str, &[u8], &[u8])> {
    let end = printed.iter().position(|&byte| byte == b'\n')?;
    let mut words = std::str::from_utf8(&printed[..end]).ok()?.split(' ');
    let (id, _, size) = (words.next()?, words.next()?, words.next()?.parse().ok()?);
    let (bytes, rest) = printed[end + 1..].split_at_checked(size)?;
    Some((id, bytes, rest.strip_prefix(b"\n")?))
}

/// An entry of a commit.
struct Blob {
    id: String,
    path: String,
    is_file: bool,
    executable: bool,
}

/// The entries of a commit below a path.
fn blobs(folder: &Path, commit: &str, path: &str) -> Result<Vec<Blob>, GitError> {
    let printed = run_git(folder, &["ls-tree", "-r", "-z", commit, "--", path])?;
    let entries = printed.split(|&byte| byte == 0).filter(|entry| !entry.is_empty());
    let blob = |entry: &[u8]| {
        let entry = String::from_utf8_lossy(entry).into_owned();
        let (facts, path) = entry.split_once('\t')?;
        let mut facts = facts.split(' ');
        let (mode, _, id) = (facts.next()?, facts.next()?, facts.next()?);
        // A tree may contain any names, and the caller writes files under these names.
        let is_below =
            Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        if !is_below {
            return None;
        }
        Some(Blob {
            id: id.to_owned(),
            path: path.to_owned(),
            is_file: matches!(mode, "100644" | "100755"),
            executable: mode == "100755",
        })
    };
    entries.map(|entry| blob(entry).ok_or(GitError::Garbled("ls-tree"))).collect()
}
