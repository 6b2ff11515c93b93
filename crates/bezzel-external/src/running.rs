//! The process groups that run now, so that who is interrupted leaves none behind.

use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

/// The groups, each from its start until it is reaped, so that no number is another's.
static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

pub(crate) fn begun(group: Pid) {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).push(group);
}

pub(crate) fn about_to_be_reaped(group: Pid) {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).retain(|&known| known != group);
}

/// Kills all programs that this process runs now, with their process groups: what somebody does
/// who is interrupted and ends at once.
pub fn end_all() {
    for &group in RUNNING.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        // Who is not there any more does not mind.
        let _ = kill_process_group(group, Signal::KILL);
    }
}
