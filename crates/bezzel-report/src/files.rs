//! Files that exist either as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::error::ReportError;

fn fault(path: &Path, source: std::io::Error) -> ReportError {
    ReportError::Write { path: path.to_owned(), source }
}

/// The number of times that a folder is made before it fails.
const TRIES: usize = 100;

/// Makes the folder, and those above it, if it does not exist. Another process may remove an empty folder above it
/// meanwhile; then it is made again.
///
/// # Errors
///
/// When the folder cannot be made.
pub fn make_folder(path: &Path) -> io::Result<()> {
    make_with(path, |path| fs::create_dir_all(path))
}

fn make_with(path: &Path, make: impl Fn(&Path) -> io::Result<()>) -> io::Result<()> {
    let is_gone = |made: &io::Result<()>| {
        made.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    };
    (1..TRIES).map(|_| make(path)).find(|made| !is_gone(made)).unwrap_or_else(|| make(path))
}

/// Makes the folder of a report if it does not exist.
pub(crate) fn folder(path: &Path) -> Result<(), ReportError> {
    make_folder(path).map_err(|source| fault(path, source))
}

/// Writes a file of the folder under a temporary name first, and then replaces an older one.
pub(crate) fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, ReportError> {
    let path = folder.join(name);
    let beside = folder.join(format!(".{name}.{}.part", std::process::id()));
    // A killed process of this number may have left the file, and another user a link.
    let _ = fs::remove_file(&beside);
    let written = File::create_new(&beside).and_then(|mut file| file.write_all(bytes));
    let outcome = written.and_then(|()| fs::rename(&beside, &path));
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
    fn a_folder_whose_parent_another_process_removes_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("reports/k");
        let removals = std::cell::Cell::new(3);
        make_with(&path, |path| {
            fs::create_dir_all(path.parent().unwrap())?;
            if removals.get() > 0 {
                removals.set(removals.get() - 1);
                fs::remove_dir(path.parent().unwrap())?;
            }
            fs::create_dir(path)
        })
        .unwrap();
        assert!(path.is_dir() && removals.get() == 0);
        // A folder that can never be made is an error in the end.
        let error = make_with(&path, |_| fs::create_dir(folder.path().join("no/where")));
        assert_eq!(error.unwrap_err().kind(), io::ErrorKind::NotFound);
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
