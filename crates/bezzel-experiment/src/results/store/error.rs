//! Errors of reading and storing evidence.

use std::io;
use std::path::{Path, PathBuf};

use bezzel_problem::harmless_line;
use thiserror::Error;

use super::name::LockHolder;

/// An error of reading or storing evidence.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The operating system refused.
    #[error("cannot {doing} `{}`: {source}", shown(path))]
    Io {
        /// The operation.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A line could not be stored.
    #[error(
        "cannot keep a line in `{}`: {source}; the lines before it are kept, and the same command \
         continues when the cause is removed",
        shown(path)
    )]
    Append {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A line could not be stored before, and nothing is appended after a gap.
    #[error("`{}` is not written to any more after a failure", shown(.0))]
    Closed(PathBuf),
    /// The file was moved or removed while a session wrote it.
    #[error(
        "`{}` was moved or removed while rows were added to it: put it back, or run the command \
         again",
        shown(.0)
    )]
    Gone(PathBuf),
    /// There is no such experiment.
    #[error("there is no session in `{}`: run a config first", shown(.0))]
    Missing(PathBuf),
    /// Another session of the experiment is running.
    #[error(
        "another session is running in `{}`{}: let it finish, or stop it; `--shard 1/1` runs beside it",
        shown(folder), holder.as_ref().map(|holder| format!(", {holder}")).unwrap_or_default()
    )]
    Busy {
        /// The experiment's folder.
        folder: PathBuf,
        /// Its process, if it is known.
        holder: Option<LockHolder>,
    },
    /// A session was written by a newer version.
    #[error(
        "`{}` is a session of format {format}, and this version reads formats up to {}: use a newer version of \
         Bezzel",
        shown(path),
        super::FORMAT
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The format.
        format: u32,
    },
    /// No file has a readable first line.
    #[error(
        "no session in `{}` can be read: the first line of {} is damaged, or not that of a session of this version; bring the file back from a copy",
        shown(folder), .files.join(", ")
    )]
    NoStart {
        /// The experiment's folder.
        folder: PathBuf,
        /// The names of the files.
        files: Vec<String>,
    },
}

/// Returns a function that makes the error of an operation, `doing`, from that of the operating system.
pub(crate) fn failed<'a>(
    doing: &'static str,
    path: &'a Path,
) -> impl FnOnce(io::Error) -> StoreError + 'a {
    move |source| StoreError::Io { doing, path: path.to_owned(), source }
}

/// Returns a path on one line, with control characters escaped.
fn shown(path: &Path) -> String {
    harmless_line(&path.to_string_lossy())
}
