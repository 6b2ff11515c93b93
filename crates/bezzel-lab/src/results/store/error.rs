//! Why evidence could not be read or kept.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::lock::Holder;

/// Why evidence could not be read or kept.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The operating system refused.
    #[error("cannot {doing} `{}`: {source}", shown(path))]
    Io {
        /// What was being done.
        doing: &'static str,
        /// To which file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A row could not be kept.
    #[error(
        "cannot keep a row in `{}`: {source}; the rows before it are kept, and the same command goes \
         on from there when the cause is mended",
        shown(path)
    )]
    Append {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A row could not be kept before, and nothing is added behind a gap.
    #[error("`{}` is not written to any more after a failure", shown(.0))]
    Closed(PathBuf),
    /// The file was moved or removed while a runner added rows to it.
    #[error(
        "`{}` was moved or removed while rows were added to it: put it back, or begin anew",
        shown(.0)
    )]
    Gone(PathBuf),
    /// There is no such experiment.
    #[error("there is no experiment in `{}`: run its config first", shown(.0))]
    Missing(PathBuf),
    /// Another runner works on the same experiment.
    #[error(
        "another runner is at work on `{}`{}: let it finish, or stop it",
        shown(folder), holder.as_ref().map(|holder| format!(", {holder}")).unwrap_or_default()
    )]
    Busy {
        /// The experiment's folder.
        folder: PathBuf,
        /// Who has it, if it said so.
        holder: Option<Holder>,
    },
    /// The list of sessions cannot be understood.
    #[error(
        "cannot understand `{}`: {source}; rows name their sessions in it, so bring it back from a \
         copy, or give the experiment another name",
        shown(path)
    )]
    Environment {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The rows were written by a newer version.
    #[error(
        "line {line} of `{}` is a row of format {format}, and this version reads formats up to \
         {}: it takes a newer Bezzel to go on",
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

/// What was doing when the operating system refused.
pub(crate) fn failed<'a>(
    doing: &'static str,
    path: &'a Path,
) -> impl FnOnce(io::Error) -> StoreError + 'a {
    move |source| StoreError::Io { doing, path: path.to_owned(), source }
}

/// A path on one line, whatever is in it.
fn shown(path: &Path) -> String {
    let mut shown = String::new();
    for c in path.to_string_lossy().chars() {
        if c.is_control() {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}
