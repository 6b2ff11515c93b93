//! Files that commands write.

use std::fs::{self, File, OpenOptions};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::failure::Failure;

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

/// Writes a file under a temporary name first, so that the named file is whole or untouched. Writes directly to a path
/// that exists and is no regular file, such as a device or a pipe.
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
    // An earlier part is replaced. A link in its place may lead to any file.
    let _ = fs::remove_file(&part);
    let mut file = File::create_new(&part).map_err(refused)?;
    *unfinished() = Some(part.clone());
    let written = write(&mut file);
    *unfinished() = None;
    let whole = written.and_then(|value| fs::rename(&part, path).map(|()| value).map_err(refused));
    if whole.is_err() {
        // A file that cannot be removed does no harm.
        let _ = fs::remove_file(&part);
    }
    whole
}
