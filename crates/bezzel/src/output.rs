//! Files that verbs write.

use std::fs::{self, File, OpenOptions};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::failure::Failure;

/// What is written now, under another name than its own.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes what is not written to its end: what somebody does who is interrupted and ends at once.
/// Whoever comes to the end of a file from now on waits until this process ends.
pub(crate) fn give_up() {
    let mut unfinished = unfinished();
    if let Some(part) = unfinished.take() {
        // What cannot be removed does no harm.
        let _ = fs::remove_file(part);
    }
    mem::forget(unfinished);
}

/// Writes a file under another name first, so that a file of this name is whole or untouched.
/// What is there and is no file, a device or a pipe, is written to as it is.
pub(crate) fn write_file<T>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let refused = |error: std::io::Error| {
        Failure::input(format!("cannot write `{}`: {error}", path.display()))
    };
    let is_special = path.metadata().is_ok_and(|there| !there.is_file());
    if is_special {
        return write(&mut OpenOptions::new().write(true).open(path).map_err(refused)?);
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    let mut file = File::create(&part).map_err(refused)?;
    *unfinished() = Some(part.clone());
    let written = write(&mut file);
    *unfinished() = None;
    let whole = written.and_then(|told| fs::rename(&part, path).map(|()| told).map_err(refused));
    if whole.is_err() {
        // What cannot be removed does no harm.
        let _ = fs::remove_file(&part);
    }
    whole
}
