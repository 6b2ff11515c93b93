//! Files that commands write.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bezzel_problem::ProblemFile;

use crate::failure::{Failure, cannot, shown};
use crate::terminal;

/// The temporary name of the file that is being written.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the unfinished file, before the process ends after an interrupt. A thread that completes a file from now on
/// waits until this process ends.
pub(crate) fn give_up() {
    let mut unfinished = unfinished();
    if let Some(part) = unfinished.take() {
        // A file that cannot be removed does no harm.
        let _ = fs::remove_file(part);
    }
    mem::forget(unfinished);
}

/// A file under a temporary name, which becomes the named file when it is whole. Otherwise it is removed.
pub(crate) struct Unfinished<'a> {
    path: &'a Path,
    part: PathBuf,
}

impl<'a> Unfinished<'a> {
    /// Makes an empty file for this path. None for a path that exists and is no regular file, such as a device or a
    /// pipe: it is written directly.
    pub(crate) fn create(path: &'a Path) -> Result<Option<(Self, File)>, Failure> {
        if path.metadata().is_ok_and(|there| !there.is_file()) {
            return Ok(None);
        }
        let mut name = path.as_os_str().to_owned();
        name.push(".part");
        let part = PathBuf::from(name);
        // The file is removed when the process ends after an interrupt. After that no file is made.
        let mut unfinished = unfinished();
        // An earlier part is replaced. A link in its place may lead to any file.
        let _ = fs::remove_file(&part);
        let file = File::create_new(&part).map_err(cannot("write", path))?;
        *unfinished = Some(part.clone());
        Ok(Some((Self { path, part }, file)))
    }

    /// The temporary name.
    pub(crate) fn part(&self) -> &Path {
        &self.part
    }

    /// Gives the whole file its name.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let mut unfinished = unfinished();
        fs::rename(&self.part, self.path).map_err(cannot("write", self.path))?;
        *unfinished = None;
        Ok(())
    }
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        let mut unfinished = unfinished();
        if unfinished.take_if(|part| *part == self.part).is_some() {
            // A file that cannot be removed does no harm.
            let _ = fs::remove_file(&self.part);
        }
    }
}

/// Writes a file under a temporary name first, so that the named file is whole or untouched. Writes directly to a path
/// that exists and is no regular file, such as a device or a pipe.
pub(crate) fn write_file<T>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let Some((unfinished, mut file)) = Unfinished::create(path)? else {
        let file = OpenOptions::new().write(true).open(path);
        return write(&mut file.map_err(cannot("write", path))?);
    };
    let value = write(&mut file)?;
    unfinished.finish()?;
    Ok(value)
}

/// Refuses to write a file in the place of the one that states the problem.
pub(crate) fn refuse_replacing(
    stated: Option<&ProblemFile>,
    written: &Path,
) -> Result<(), Failure> {
    let file = stated.and_then(ProblemFile::path);
    let is_same =
        |file: PathBuf| written.exists() && file.canonicalize().ok() == written.canonicalize().ok();
    if !file.is_some_and(is_same) {
        return Ok(());
    }
    Err(Failure::Input(format!(
        "`{}` is the file that is read, and would be replaced: write to another file",
        shown(written)
    )))
}

/// Prints the options that a command picked, since they were not given, to stderr.
pub(crate) fn print_picked(picked: &[String]) {
    if !picked.is_empty() {
        // A closed stderr has no reader.
        let _ = writeln!(terminal::stderr(), "picked: {}", picked.join(" "));
    }
}
