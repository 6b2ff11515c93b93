//! Files that verbs write.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

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
    let whole =
        write(&mut file).and_then(|told| fs::rename(&part, path).map(|()| told).map_err(refused));
    if whole.is_err() {
        // What cannot be removed does no harm.
        let _ = fs::remove_file(&part);
    }
    whole
}
