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

/// The number of tries to take a lock whose holder is not named, and the delay between them.
const TRIES: u32 = 50;
const RETRY_DELAY: Duration = Duration::from_millis(20);

/// Waits before another try.
pub(super) fn pause() {
    thread::sleep(RETRY_DELAY);
}

/// Takes the lock; returns its holder if a runner has it.
///
/// A runner names itself a moment after it has taken the lock. Others hold it for a moment without a name: a reader that
/// looks for a runner, and a process that this one starts, until it executes its program.
pub(super) fn take(
    mut lock: impl FnMut() -> io::Result<bool>,
    named: impl Fn() -> Option<LockHolder>,
    pause: impl Fn(),
) -> io::Result<Result<(), Option<LockHolder>>> {
    for _ in 0..TRIES {
        if lock()? {
            return Ok(Ok(()));
        }
        if let Some(holder) = named() {
            return Ok(Err(Some(holder)));
        }
        pause();
    }
    Ok(Err(None))
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Takes a lock that is free at try `free`, of a holder that is named from try `named` on. Returns the number of
    /// tries too.
    fn taken(free: u32, named: u32) -> (Result<(), Option<u32>>, u32) {
        let tries = Cell::new(0);
        let lock = || {
            tries.set(tries.get() + 1);
            Ok(tries.get() >= free)
        };
        let holder = || (tries.get() >= named).then(|| LockHolder { pid: 7, host: "a".into() });
        let taken = take(lock, holder, || ()).unwrap();
        (taken.map_err(|holder| holder.map(|holder| holder.pid)), tries.get())
    }

    #[test]
    fn a_lock_of_nobody_is_waited_for_and_that_of_a_runner_is_not() {
        assert_eq!(taken(1, 1), (Ok(()), 1));
        assert_eq!(taken(4, 9), (Ok(()), 4));
        assert_eq!(taken(9, 1), (Err(Some(7)), 1));
        assert_eq!(taken(9, 4), (Err(Some(7)), 4));
        assert_eq!(taken(u32::MAX, u32::MAX), (Err(None), TRIES));
        let failed = take(|| Err(io::Error::other("no locks")), || None, || ());
        assert_eq!(failed.unwrap_err().to_string(), "no locks");
    }
}
