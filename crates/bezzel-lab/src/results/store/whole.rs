//! Files that are there whole or not at all, and folders whose names last.

use std::io::{self, Write};
use std::path::Path;

use super::disk::{Disk, How};
use super::error::{StoreError, failed};

/// How many of the innermost folders are kept once more though they are there: whoever made them may
/// have ended before that.
const YOUNG: usize = 2;

/// Makes a folder and those above it, so that their names survive a power cut.
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
        // Also where it is there: it may be no folder.
        disk.make_folder(folder).map_err(failed("make the folder", folder))?;
        let above = above(folder);
        match disk.sync_folder(above) {
            // Somebody else's, and not of today.
            Err(error) if was_there && error.kind() == io::ErrorKind::PermissionDenied => {}
            synced => synced.map_err(failed("keep the folder in", above))?,
        }
    }
    Ok(())
}

/// The folder that a name is in.
pub(super) fn above(path: &Path) -> &Path {
    let above = path.parent().filter(|above| !above.as_os_str().is_empty());
    above.unwrap_or(Path::new(if path.has_root() { "/" } else { "." }))
}

/// Writes a file whole or not at all, under the name `new` until it is whole, in the same folder or one
/// above. When this returns, it survives a power cut.
pub(super) fn write(
    disk: &dyn Disk,
    new: &Path,
    path: &Path,
    bytes: &[u8],
) -> Result<(), StoreError> {
    let folder = above(new);
    let write = || -> io::Result<()> {
        let mut file = disk.open(new, How::New)?;
        file.write_all(bytes)?;
        file.sync()?;
        disk.rename(new, path)?;
        disk.sync_folder(folder)?;
        if above(path) == folder { Ok(()) } else { disk.sync_folder(above(path)) }
    };
    write().map_err(failed("write", path))
}
