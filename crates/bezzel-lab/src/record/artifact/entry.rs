//! The files of an archive, and the list of their digests.

use std::borrow::Cow;
use std::fmt::Write;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::names;
use crate::results::input;
use crate::results::store::{StoreError, failed};

/// A file of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path within the archive's folder, with slashes.
    pub path: String,
    /// Whether it may be run.
    pub executable: bool,
    /// What is in it.
    pub content: Content,
}

/// A file that does not go into an archive, since it is no regular file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its path within the archive's folder, with slashes.
    pub path: String,
    /// What it is, with an article: `a link`.
    pub kind: &'static str,
}

/// What is in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// These bytes.
    Bytes(Vec<u8>),
    /// What is in that file.
    File(PathBuf),
}

impl Entry {
    /// A file with this text.
    pub(super) fn text(path: &str, text: String) -> Self {
        let content = Content::Bytes(text.into_bytes());
        Self { path: path.to_owned(), executable: false, content }
    }

    /// A file of the disk under this path.
    pub(super) fn file(file: PathBuf, path: String) -> Result<Self, StoreError> {
        let mode = fs::metadata(&file).map_err(failed("read", &file))?.permissions().mode();
        Ok(Self { path, executable: mode & 0o111 != 0, content: Content::File(file) })
    }

    /// The content of the file.
    pub(super) fn bytes(&self) -> Result<Cow<'_, [u8]>, StoreError> {
        Ok(match &self.content {
            Content::Bytes(bytes) => Cow::Borrowed(bytes),
            Content::File(path) => {
                Cow::Owned(input::read(path, u64::MAX).map_err(failed("read", path))?)
            }
        })
    }

    /// Whether a list of digests can hold its name as it is.
    pub(super) fn is_plain(&self) -> bool {
        !self.path.chars().any(|c| c == '\\' || c.is_control())
    }
}

/// The regular files below a folder of the disk, without those called as one of `except` at its top; each
/// under `path`. All other files, such as links, are noted in `left_out`.
pub(super) fn below(
    folder: &Path,
    path: &str,
    except: &[&str],
    left_out: &mut Vec<LeftOut>,
) -> Result<Vec<Entry>, StoreError> {
    let mut entries = Vec::new();
    for file in names(folder)? {
        let Some(name) = file.file_name().map(|name| name.to_string_lossy().into_owned()) else {
            continue;
        };
        if except.contains(&name.as_str()) {
            continue;
        }
        let path = if path.is_empty() { name } else { format!("{path}/{name}") };
        let kind = fs::symlink_metadata(&file).map_err(failed("read", &file))?.file_type();
        if kind.is_dir() {
            entries.extend(below(&file, &path, &[], left_out)?);
        } else if kind.is_file() {
            entries.push(Entry::file(file, path)?);
        } else {
            left_out.push(LeftOut { path, kind: input::special(kind) });
        }
    }
    Ok(entries)
}

/// The digests of files, as `sha256sum -c` reads them.
pub(super) fn manifest(entries: &[Entry]) -> Result<String, StoreError> {
    let mut manifest = String::new();
    for entry in entries {
        for byte in Sha256::digest(entry.bytes()?) {
            write!(manifest, "{byte:02x}").expect("text takes what is written");
        }
        writeln!(manifest, "  {}", entry.path).expect("text takes what is written");
    }
    Ok(manifest)
}
