//! Files that exist either as a whole or not at all.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::ReportError;

fn fault(path: &Path, source: std::io::Error) -> ReportError {
    ReportError::Write { path: path.to_owned(), source }
}

/// Makes the folder if it does not exist.
pub(crate) fn folder(path: &Path) -> Result<(), ReportError> {
    fs::create_dir_all(path).map_err(|source| fault(path, source))
}

/// Writes a file of the folder under a temporary name first, and then replaces an older one.
pub(crate) fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, ReportError> {
    let path = folder.join(name);
    let beside = folder.join(format!(".{name}.{}.part", std::process::id()));
    let outcome = fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, &path));
    if let Err(source) = outcome {
        // The unfinished file is useless, and a failure to remove it is no second error.
        let _ = fs::remove_file(&beside);
        return Err(fault(&path, source));
    }
    Ok(path)
}

/// Writes files of one kind, whose names have a common beginning and ending, and removes those of an earlier report.
pub(crate) fn write_all(
    folder: &Path,
    (begin, end): (&str, &str),
    files: impl Iterator<Item = (String, String)>,
) -> Result<Vec<PathBuf>, ReportError> {
    let mut paths = Vec::new();
    for (name, text) in files {
        paths.push(write(folder, &name, text.as_bytes())?);
    }
    for entry in fs::read_dir(folder).map_err(|source| fault(folder, source))? {
        let path = entry.map_err(|source| fault(folder, source))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with(begin) && name.ends_with(end) && !paths.contains(&path) {
            remove(folder, name)?;
        }
    }
    Ok(paths)
}

/// Removes a file of an earlier report, if there is one.
pub(crate) fn remove(folder: &Path, name: &str) -> Result<(), ReportError> {
    let path = folder.join(name);
    match fs::remove_file(&path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(fault(&path, source)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "a.txt", b"one").unwrap();
        write(folder.path(), "a.txt", b"two").unwrap();
        assert_eq!(fs::read(folder.path().join("a.txt")).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        remove(folder.path(), "a.txt").unwrap();
        remove(folder.path(), "a.txt").unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("index.html")).unwrap();
        let error = write(folder.path(), "index.html", b"x").unwrap_err();
        assert!(error.to_string().contains("index.html"), "{error}");
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }
}
