//! The measurements of a process of itself: CPU time and memory.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use rustix::time::{ClockId, clock_gettime};

use crate::error::ExternalError;

/// Returns the CPU time that this process has used so far in all its threads, in seconds.
pub fn cpu_s() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Returns the CPU time that this process and its ended children have used so far, in seconds.
pub fn cpu_s_with_children() -> f64 {
    let Ok(used) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return cpu_s() };
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6;
    cpu_s() + seconds(used.user_time()) + seconds(used.system_time())
}

/// Returns the CPU time that the calling thread has used so far, in seconds.
///
/// It is exact to the microsecond, unlike [`cpu_s`]: in a process with a CPU limit the kernel sums up the threads
/// only at each tick, every few milliseconds.
pub fn thread_cpu_s() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// The resident memory of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The peak since the program began (`VmHWM`), in bytes.
    pub peak_bytes: u64,
    /// The current value (`VmRSS`), in bytes.
    pub resident_bytes: u64,
}

const STATUS: &str = "/proc/self/status";

/// Returns the resident memory of this process.
///
/// The peak is the process's own. `ru_maxrss`, which the kernel reports to the parent of a reaped child, starts at
/// the size of the parent instead.
///
/// # Errors
///
/// `/proc` cannot be read.
pub fn memory() -> Result<Memory, ExternalError> {
    let status = fs::read_to_string(STATUS);
    let memory = status.and_then(|status| {
        let missing = || io::Error::new(io::ErrorKind::InvalidData, "no line VmHWM or VmRSS");
        parse(&status).ok_or_else(missing)
    });
    memory.map_err(|reason| ExternalError::Usage { file: STATUS, reason })
}

/// Finds peak and resident memory in the text of `/proc/self/status`.
fn parse(status: &str) -> Option<Memory> {
    let bytes = |key: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
        // The kernel writes kB for KiB.
        Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
    };
    Some(Memory { peak_bytes: bytes("VmHWM")?, resident_bytes: bytes("VmRSS")? })
}

const STATM: &str = "/proc/self/statm";

/// Reads the resident memory repeatedly, at a tenth of the cost of [`memory`].
#[derive(Debug)]
pub(crate) struct ResidentMemory {
    statm: File,
    page_bytes: u64,
}

impl ResidentMemory {
    pub(crate) fn open() -> Result<Self, ExternalError> {
        let statm =
            File::open(STATM).map_err(|reason| ExternalError::Usage { file: STATM, reason })?;
        Ok(Self { statm, page_bytes: rustix::param::page_size() as u64 })
    }

    /// Returns the resident memory now, in bytes; `None` if the kernel did not report it.
    pub(crate) fn bytes(&self) -> Option<u64> {
        let mut text = [0; 128];
        let length = self.statm.read_at(&mut text, 0).ok()?;
        let text = std::str::from_utf8(&text[..length]).ok()?;
        // Size, resident, shared, … in pages.
        let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
        Some(pages * self.page_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_from_a_status_text() {
        let status = "Name:\tx\nVmPeak:\t  9000 kB\nVmHWM:\t    2048 kB\nVmRSS:\t      12 kB\n";
        let memory = Memory { peak_bytes: 2 << 20, resident_bytes: 12 << 10 };
        assert_eq!(parse(status), Some(memory));
        assert_eq!(parse("Name:\tx\n"), None);
        assert_eq!(parse("VmHWM:\tmany\nVmRSS:\t12 kB\n"), None);
    }

    #[test]
    fn a_large_allocation_shows_in_both_readings() {
        const BYTES: usize = 64 << 20;
        let meter = ResidentMemory::open().unwrap();
        let before = meter.bytes().unwrap();
        let block = vec![1_u8; BYTES];
        let (status, statm) = (memory().unwrap(), meter.bytes().unwrap());
        assert!(block.iter().all(|&byte| byte == 1));
        assert!(status.peak_bytes >= status.resident_bytes.max(BYTES as u64));
        assert!(statm >= before + BYTES as u64 * 9 / 10, "{before} {statm}");
    }

    #[test]
    fn cpu_time_grows_with_work() {
        let before = cpu_s();
        let mut x = 1_u64;
        while cpu_s() < before + 0.01 {
            x = std::hint::black_box(x.wrapping_mul(3));
        }
        assert!(cpu_s() >= before + 0.01);
    }
}
