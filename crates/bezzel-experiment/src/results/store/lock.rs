//! The lock of an experiment, and the name of its holder.
//!
//! The operating system locks the open `rows.jsonl`. The lock ends with the process, so that no lock is ever stale. The
//! file `runner.json` only names the holder, for messages to a second runner.

use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::thread;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::disk::{Disk, OpenMode, RealDisk};
use crate::results::input;

/// A runner that works.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockHolder {
    /// The id of its process.
    pub pid: u32,
    /// The name of its machine.
    pub host: String,
}

impl LockHolder {
    /// This process.
    pub(crate) fn here() -> Self {
        let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        Self { pid: std::process::id(), host: host.trim().to_owned() }
    }

    /// Returns true if it may still run. For another machine the answer is always true.
    fn is_alive(&self) -> bool {
        self.host != Self::here().host || Path::new(&format!("/proc/{}", self.pid)).exists()
    }
}

impl fmt::Display for LockHolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = self.host.escape_debug();
        write!(f, "process {} on {host}", self.pid)
    }
}

/// The number of attempts to read the holder, and the delay between them: a holder takes the lock first and writes the
/// file a moment later.
const TRIES: u32 = 5;
const RETRY_DELAY: Duration = Duration::from_millis(20);

/// Returns the holder of the lock, as the file at `path` names it, if it does.
pub(super) fn holder(disk: &dyn Disk, path: &Path) -> Option<LockHolder> {
    for _ in 0..TRIES {
        let holder = holder_in_file(disk, path);
        if holder.is_some() {
            return holder;
        }
        thread::sleep(RETRY_DELAY);
    }
    None
}

/// Returns the holder that the file names now; none if that process has ended.
pub(super) fn holder_in_file(disk: &dyn Disk, path: &Path) -> Option<LockHolder> {
    read(disk, path).ok().flatten().filter(LockHolder::is_alive)
}

/// Returns the holder of the lock on a file of rows, if the lock is held and the file beside it names the holder.
pub(super) fn at_work(runner: &Path, rows: &Path) -> Option<LockHolder> {
    let holder = read(&RealDisk, runner).ok().flatten()?;
    let file = input::open(rows).ok()?;
    match flock(&file, FlockOperation::NonBlockingLockShared) {
        // The holder has ended without removing its file.
        Ok(()) => None,
        Err(Errno::WOULDBLOCK) => Some(holder),
        // Without locks, the file is the only evidence.
        Err(_) => Some(holder).filter(LockHolder::is_alive),
    }
}

fn read(disk: &dyn Disk, path: &Path) -> io::Result<Option<LockHolder>> {
    let mut text = Vec::new();
    disk.open(path, OpenMode::Read)?.take(1 << 16).read_to_end(&mut text)?;
    Ok(serde_json::from_slice(&text).ok())
}

/// Writes the name of this process as the holder. A failure is ignored, since only the lock counts.
pub(super) fn announce(disk: &dyn Disk, path: &Path) {
    let text = serde_json::to_vec(&LockHolder::here()).expect("plain data");
    let file = disk.open(path, OpenMode::New);
    let _ = file.and_then(|mut file| file.write_all(&text));
}

/// Removes the name of the holder, while the lock is held.
pub(super) fn withdraw(disk: &dyn Disk, path: &Path) {
    // A file that cannot be removed names a process that has ended, and does no harm.
    let _ = disk.remove(path);
}
