//! The outcome of a supervised program: its end and its use of resources.

use serde::{Deserialize, Serialize};

use crate::capture::Captured;
use crate::exit::Exit;

/// The reason why the supervisor ended a program and all processes that it had started, or would have ended them.
///
/// A limit that is passed between two measurements, or just before the program's end, counts as passed: an answer
/// that comes after a limit is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// CPU time of all its processes together.
    Cpu,
    /// Wall time.
    Wall,
    /// Memory of all its processes together.
    Memory,
    /// Output: more bytes on standard output or standard error than allowed.
    Output,
    /// Processes: more at a time than allowed.
    Processes,
    /// The run was cancelled, or the process that requested it ended.
    Cancelled,
}

/// The resources that a program and all processes that it started used, and how the program ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SupervisedOutcome {
    /// The exit of the program. If a signal *n* ended a program that a shell waits for, the shell exits with the
    /// code 128 + *n*.
    pub exit: Exit,
    /// The reason why the supervisor ended it, if it did. A program that is asked to end may still exit by itself,
    /// with any code.
    pub stopped: Option<StopReason>,
    /// CPU time of all its processes in seconds, as the kernel accounts for reaped processes; none is left when the
    /// outcome is written. If a parent ignores `CHLD`, no process waits for its children. Their CPU time then
    /// contains only the part that was measured while they lived, unless the program ran in a control group.
    pub cpu_s: f64,
    /// Wall time in seconds, from the program's beginning to its end.
    pub wall_s: f64,
    /// The largest sum of memory of all its processes in bytes, measured every 10 ms; or the peak of the largest
    /// process by the kernel's account, if that is more. In a control group with the memory controller that reports
    /// a peak, that peak.
    ///
    /// Pages that several processes share are counted for each of them, but not for the limit. A program that ended
    /// before the first measurement may have had less memory than this value; the value is then below the
    /// supervisor's own memory, some megabytes.
    pub memory_peak_bytes: u64,
    /// The number of bytes that it wrote to its standard output.
    pub output_bytes: u64,
    /// The last part of its standard error.
    pub stderr: Captured,
    /// The largest number of processes that was seen at a time.
    pub processes: usize,
    /// The number of its processes that the kernel killed because its control group was out of memory; `None`
    /// without a control group that reports it.
    pub oom_kills: Option<u64>,
    /// The number of processes on the whole machine that the kernel killed meanwhile because memory was out, its
    /// own included.
    pub host_oom_kills: u64,
}
