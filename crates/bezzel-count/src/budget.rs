//! What a count may use, and why it ends before its end.

use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

/// What a count may use.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// The most nodes of a diagram, or states, that may be kept at a time.
    pub nodes: u64,
    /// The most memory that these and the tables to find them by may take, in bytes.
    pub bytes: u64,
    /// Whoever sets it makes the count end soon.
    pub stop: &'a AtomicBool,
}

impl<'a> Budget<'a> {
    /// Nothing but the flag.
    pub fn unlimited(stop: &'a AtomicBool) -> Self {
        Self { nodes: u64::MAX, bytes: u64::MAX, stop }
    }

    /// Whether the flag is set.
    ///
    /// # Errors
    ///
    /// When it is.
    #[inline]
    pub fn go_on(&self) -> Result<(), Halt> {
        if self.stop.load(Ordering::Relaxed) { Err(Halt::Stopped) } else { Ok(()) }
    }
}

/// Why a count ended before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Halt {
    /// It was told to stop.
    #[error("the count was stopped")]
    Stopped,
    /// More nodes would be needed than it may keep.
    #[error("more than {0} nodes would have to be kept")]
    Nodes(u64),
    /// More memory would be needed than it may take.
    #[error("more than {0} bytes would be needed")]
    Bytes(u64),
}
