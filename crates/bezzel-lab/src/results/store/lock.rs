//! Who works on an experiment: the lock, and the name of its holder.
//!
//! The lock is the system's, on the open `rows.jsonl`. It goes with the process, however that
//! ends, so that no lock is ever stale. The file `runner.json` only says who holds it, for whoever
//! comes second.

use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::thread;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::disk::{Disk, How, Real};
use crate::results::input;

/// A runner at work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Its process.
    pub pid: u32,
    /// The name of its machine.
    pub host: String,
}

impl Holder {
    /// This process.
    pub(crate) fn here() -> Self {
        let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        Self { pid: std::process::id(), host: host.trim().to_owned() }
    }

    /// Whether it may still be there: of another machine nobody knows.
    fn is_alive(&self) -> bool {
        self.host != Self::here().host || Path::new(&format!("/proc/{}", self.pid)).exists()
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = self.host.escape_debug();
        write!(f, "process {} on {host}", self.pid)
    }
}

/// How often and after which rest the holder is asked for again: it takes the lock first, and says
/// so a moment later.
const TRIES: u32 = 5;
const REST: Duration = Duration::from_millis(20);

/// Who holds the lock of which this file tells, if it does.
pub(super) fn holder(disk: &dyn Disk, path: &Path) -> Option<Holder> {
    for _ in 0..TRIES {
        let told = told(disk, path);
        if told.is_some() {
            return told;
        }
        thread::sleep(REST);
    }
    None
}

/// What the file tells now; nothing if whom it names has ended.
pub(super) fn told(disk: &dyn Disk, path: &Path) -> Option<Holder> {
    read(disk, path).ok().flatten().filter(Holder::is_alive)
}

/// Who has the lock on a file of rows, if somebody has; by what the file beside it tells, if it tells
/// anything.
pub(super) fn at_work(runner: &Path, rows: &Path) -> Option<Holder> {
    let holder = read(&Real, runner).ok().flatten()?;
    let file = input::open(rows).ok()?;
    match flock(&file, FlockOperation::NonBlockingLockShared) {
        // Whoever held it has ended, and could not take its word back.
        Ok(()) => None,
        Err(Errno::WOULDBLOCK) => Some(holder),
        // Where there are no locks, its word is all there is.
        Err(_) => Some(holder).filter(Holder::is_alive),
    }
}

fn read(disk: &dyn Disk, path: &Path) -> io::Result<Option<Holder>> {
    let mut text = Vec::new();
    disk.open(path, How::Read)?.take(1 << 16).read_to_end(&mut text)?;
    Ok(serde_json::from_slice(&text).ok())
}

/// Says that this process holds the lock. Whoever cannot say so goes on: the lock is what counts.
pub(super) fn announce(disk: &dyn Disk, path: &Path) {
    let text = serde_json::to_vec(&Holder::here()).expect("plain data");
    let said = disk.open(path, How::New);
    let _ = said.and_then(|mut file| file.write_all(&text));
}

/// Takes the word back, as long as the lock is held.
pub(super) fn withdraw(disk: &dyn Disk, path: &Path) {
    // What cannot be removed names a process that has ended, and does no harm.
    let _ = disk.remove(path);
}
