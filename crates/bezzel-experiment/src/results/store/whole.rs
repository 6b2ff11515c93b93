//! Files that are written completely or not at all, and folders with durable names.

use std::io::{self, Write};
use std::path::Path;

use super::disk::{Disk, OpenMode};
use super::error::{StoreError, failed};

/// The number of innermost folders that are synced again even if they exist: the process that created them may have
/// ended before its sync.
const YOUNG: usize = 2;

/// Creates a folder and those above it, so that their names survive a power failure.
pub(super) fn make_folder(disk: &dyn Disk, path: &Path) -> Result<(), StoreError> {
    let mut folders = Vec::new();
    for (depth, folder) in path.ancestors().enumerate() {
        let is_there = folder.as_os_str().is_empty() || disk.identity(folder).is_ok();
        if folder.parent().is_none() || (is_there && depth >= YOUNG) {
            break;
        }
        folders.push((folder, is_there));
    }
    for (folder, was_there) in folders.into_iter().rev() {
        // The call is needed even if the name exists: it may not be a folder.
        disk.make_folder(folder).map_err(failed("make the folder", folder))?;
        let above = above(folder);
        match disk.sync_folder(above) {
            // The folder above belongs to another user and is not new.
            Err(error) if was_there && error.kind() == io::ErrorKind::PermissionDenied => {}
            synced => synced.map_err(failed("keep the folder in", above))?,
        }
    }
    Ok(())
}

/// Returns the folder that contains a name.
pub(super) fn above(path: &Path) -> &Path {
    let above = path.parent().filter(|above| !above.as_os_str().is_empty());
    above.unwrap_or(Path::new(if path.has_root() { "/" } else { "." }))
}

/// Writes a file completely or not at all, under the name `new` until it is complete, in the same folder or one above.
/// It survives a power failure after this returns.
pub(super) fn write(
    disk: &dyn Disk,
    new: &Path,
    path: &Path,
    bytes: &[u8],
) -> Result<(), StoreError> {
    let folder = above(new);
    let write = || -> io::Result<()> {
        let mut file = disk.open(new, OpenMode::New)?;
        file.write_all(bytes)?;
        file.sync()?;
        disk.rename(new, path)?;
        disk.sync_folder(folder)?;
        if above(path) == folder { Ok(()) } else { disk.sync_folder(above(path)) }
    };
    write().map_err(failed("write", path))
}
