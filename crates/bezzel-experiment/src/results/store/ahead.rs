//! Reading ahead: a separate thread reads lines and checks their checksums, while the caller writes other lines.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use super::StoreError;
use super::checksum::RowView;
use super::disk::{Disk, OpenMode};
use super::error::failed;
use super::lines::{Line, Lines};

/// The number of lines in a message, and the number of messages in the queue: some MB.
const PORTION: usize = 256;
const PORTIONS: usize = 8;

/// The result of reading from the file at a place of the list.
enum ReadAhead<T> {
    Lines(Vec<Line<T>>),
    /// It ends in a torn line.
    Torn,
    Failed(StoreError),
}

/// Passes the lines of these files to `take`, one file after the other, each with its file's place in the list. Returns
/// the places of the files that end in a torn line. A torn line with zeros is passed as a damaged line.
///
/// # Errors
///
/// When a file cannot be read, or `take` fails.
pub(super) fn each_line<T: RowView + Send>(
    disk: &dyn Disk,
    paths: &[PathBuf],
    mut take: impl FnMut(usize, Line<T>) -> Result<(), StoreError>,
) -> Result<Vec<usize>, StoreError> {
    let (send, receive) = sync_channel(PORTIONS);
    thread::scope(|scope| {
        scope.spawn(move || {
            for (place, path) in paths.iter().enumerate() {
                match read(disk, path, place, &send) {
                    Ok(true) => {}
                    // The receiver has ended.
                    Ok(false) => break,
                    Err(error) => {
                        let _ = send.send((place, ReadAhead::Failed(error)));
                        break;
                    }
                }
            }
        });
        let mut torn = Vec::new();
        for (place, read) in receive {
            match read {
                ReadAhead::Lines(lines) => {
                    for line in lines {
                        take(place, line)?;
                    }
                }
                ReadAhead::Torn => torn.push(place),
                ReadAhead::Failed(error) => return Err(error),
            }
        }
        Ok(torn)
    })
}

/// Sends the lines of a file; returns false if the receiver has ended.
fn read<T: RowView>(
    disk: &dyn Disk,
    path: &Path,
    place: usize,
    send: &SyncSender<(usize, ReadAhead<T>)>,
) -> Result<bool, StoreError> {
    let file = disk.open(path, OpenMode::Read).map_err(failed("read", path))?;
    let mut lines = Lines::<_, T>::new(file, path);
    loop {
        let portion = lines.by_ref().take(PORTION).collect::<Result<Vec<_>, _>>()?;
        if portion.is_empty() {
            break;
        }
        if send.send((place, ReadAhead::Lines(portion))).is_err() {
            return Ok(false);
        }
    }
    let last = match lines.zeroed() {
        Some(line) => ReadAhead::Lines(vec![line]),
        None if lines.torn() > 0 => ReadAhead::Torn,
        None => return Ok(true),
    };
    Ok(send.send((place, last)).is_ok())
}
