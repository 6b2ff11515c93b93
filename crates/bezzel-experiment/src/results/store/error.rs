//! Errors of reading and storing evidence.

use std::io;
use std::path::{Path, PathBuf};

use bezzel_problem::harmless_line;
use thiserror::Error;

use super::lock::LockHolder;

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
    /// A row could not be stored.
    #[error(
        "cannot keep a row in `{}`: {source}; the rows before it are kept, and the same command \
         continues when the cause is removed",
        shown(path)
    )]
    Append {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A row could not be stored before, and nothing is appended after a gap.
    #[error("`{}` is not written to any more after a failure", shown(.0))]
    Closed(PathBuf),
    /// The file was moved or removed while a runner added rows to it.
    #[error(
        "`{}` was moved or removed while rows were added to it: put it back, or run the command \
         again",
        shown(.0)
    )]
    Gone(PathBuf),
    /// There is no such experiment.
    #[error("there is no experiment in `{}`: run its config first", shown(.0))]
    Missing(PathBuf),
    /// Another runner works on the same experiment.
    #[error(
        "another run is in progress in `{}`{}: let it finish, or stop it",
        shown(folder), holder.as_ref().map(|holder| format!(", {holder}")).unwrap_or_default()
    )]
    Busy {
        /// The experiment's folder.
        folder: PathBuf,
        /// The runner, if its name is known.
        holder: Option<LockHolder>,
    },
    /// The list of sessions cannot be parsed.
    #[error(
        "cannot understand `{}`: {source}; rows name their sessions in it, so bring it back from a \
         copy, or give the experiment another name",
        shown(path)
    )]
    Environment {
        /// The file.
        path: PathBuf,
        /// The parse error.
        source: serde_json::Error,
    },
    /// The rows were written by a newer version.
    #[error(
        "line {line} of `{}` is a row of format {format}, and this version reads formats up to \
         {}: use a newer version of Bezzel",
        shown(path),
        super::FORMAT
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// The row's format.
        format: u32,
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
