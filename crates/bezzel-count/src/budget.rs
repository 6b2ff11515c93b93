//! The limits of a count, and the reasons why it ends early.

use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

/// The limits of a count.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// The most nodes of a diagram, or states, that may be kept at a time.
    pub nodes: u64,
    /// The most memory that these and the tables that find them may take, in bytes.
    pub bytes: u64,
    /// The stop flag: the count ends soon after it is set.
    pub stop: &'a AtomicBool,
}

impl<'a> Budget<'a> {
    /// No limit but the flag.
    pub fn unlimited(stop: &'a AtomicBool) -> Self {
        Self { nodes: u64::MAX, bytes: u64::MAX, stop }
    }

    /// Checks that the flag is not set.
    ///
    /// # Errors
    ///
    /// When it is.
    #[inline]
    pub fn go_on(&self) -> Result<(), Halt> {
        if self.stop.load(Ordering::Relaxed) { Err(Halt::Stopped) } else { Ok(()) }
    }
}

/// The reason why a count ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Halt {
    /// The stop flag was set.
    #[error("the count was stopped")]
    Stopped,
    /// More nodes would be needed than it may keep.
    #[error("more than {0} nodes would have to be kept")]
    Nodes(u64),
    /// More memory would be needed than it may take.
    #[error("more than {0} bytes would be needed")]
    Bytes(u64),
    /// The system started no thread, not even one that needs little memory.
    #[error("the system starts no further thread: allow more processes (`ulimit -u`)")]
    Thread,
}
