//! Reading ahead: lines are read and their seals checked in a thread of their own, while whoever asked for
//! them writes others.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use super::StoreError;
use super::disk::{Disk, How};
use super::error::failed;
use super::lines::{Line, Lines};
use super::seal::OfRow;

/// So many lines are handed over at once, and so many portions wait at most: some MB.
const PORTION: usize = 256;
const PORTIONS: usize = 8;

/// What is read of the file at a place of the list.
enum Read<T> {
    Lines(Vec<Line<T>>),
    /// It ends in a torn line.
    Torn,
    Failed(StoreError),
}

/// Shows the lines of these files, one file after the other, each with its file's place in the list; and
/// returns the places of the files that end in a torn line. One with zeros is shown as a damaged line.
///
/// # Errors
///
/// When a file cannot be read, or `take` fails.
pub(super) fn each_line<T: OfRow + Send>(
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
                    // Nobody takes what is read any more.
                    Ok(false) => break,
                    Err(error) => {
                        let _ = send.send((place, Read::Failed(error)));
                        break;
                    }
                }
            }
        });
        let mut torn = Vec::new();
        for (place, read) in receive {
            match read {
                Read::Lines(lines) => {
                    for line in lines {
                        take(place, line)?;
                    }
                }
                Read::Torn => torn.push(place),
                Read::Failed(error) => return Err(error),
            }
        }
        Ok(torn)
    })
}

/// Hands over what is in a file; false if nobody takes it.
fn read<T: OfRow>(
    disk: &dyn Disk,
    path: &Path,
    place: usize,
    send: &SyncSender<(usize, Read<T>)>,
) -> Result<bool, StoreError> {
    let file = disk.open(path, How::Read).map_err(failed("read", path))?;
    let mut lines = Lines::<_, T>::new(file, path);
    loop {
        let portion = lines.by_ref().take(PORTION).collect::<Result<Vec<_>, _>>()?;
        if portion.is_empty() {
            break;
        }
        if send.send((place, Read::Lines(portion))).is_err() {
            return Ok(false);
        }
    }
    let last = match lines.zeroed() {
        Some(line) => Read::Lines(vec![line]),
        None if lines.torn() > 0 => Read::Torn,
        None => return Ok(true),
    };
    Ok(send.send((place, last)).is_ok())
}
