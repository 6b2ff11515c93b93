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
pub struct ArchiveEntry {
    /// Its path within the archive's folder, with slashes.
    pub path: String,
    /// True if it may be run.
    pub executable: bool,
    /// Its content.
    pub content: FileContent,
}

/// A file that does not go into an archive, since it is no regular file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExcludedFile {
    /// Its path within the archive's folder, with slashes.
    pub path: String,
    /// The kind of file, with an article: `a link`.
    pub kind: &'static str,
}

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileContent {
    /// These bytes.
    Bytes(Vec<u8>),
    /// The content of that file.
    File(PathBuf),
}

impl ArchiveEntry {
    /// A file with this text.
    pub(super) fn text(path: &str, text: String) -> Self {
        let content = FileContent::Bytes(text.into_bytes());
        Self { path: path.to_owned(), executable: false, content }
    }

    /// Returns a file of the disk, at `path` in the archive.
    pub(super) fn file(file: PathBuf, path: String) -> Result<Self, StoreError> {
        let mode = fs::metadata(&file).map_err(failed("read", &file))?.permissions().mode();
        Ok(Self { path, executable: mode & 0o111 != 0, content: FileContent::File(file) })
    }

    /// The content of the file.
    pub(super) fn bytes(&self) -> Result<Cow<'_, [u8]>, StoreError> {
        Ok(match &self.content {
            FileContent::Bytes(bytes) => Cow::Borrowed(bytes),
            FileContent::File(path) => {
                Cow::Owned(input::read(path, u64::MAX).map_err(failed("read", path))?)
            }
        })
    }

    /// Returns true if a list of digests can contain its name unchanged.
    pub(super) fn is_plain(&self) -> bool {
        !self.path.chars().any(|c| c == '\\' || c.is_control())
    }
}

/// Returns the regular files below a folder of the disk, with paths below `path`. Entries of the folder itself whose
/// name is in `except` are left out. Other files, such as links, are added to `left_out`.
pub(super) fn below(
    folder: &Path,
    path: &str,
    except: &[&str],
    left_out: &mut Vec<ExcludedFile>,
) -> Result<Vec<ArchiveEntry>, StoreError> {
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
            entries.push(ArchiveEntry::file(file, path)?);
        } else {
            left_out.push(ExcludedFile { path, kind: input::special(kind) });
        }
    }
    Ok(entries)
}

/// Returns the digests of files in the format of `sha256sum -c`.
pub(super) fn manifest(entries: &[ArchiveEntry]) -> Result<String, StoreError> {
    let mut manifest = String::new();
    for entry in entries {
        for byte in Sha256::digest(entry.bytes()?) {
            write!(manifest, "{byte:02x}").expect("text takes what is written");
        }
        writeln!(manifest, "  {}", entry.path).expect("text takes what is written");
    }
    Ok(manifest)
}
