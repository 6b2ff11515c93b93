//! What became of a supervised program.

use serde::{Deserialize, Serialize};

use crate::capture::Captured;
use crate::exit::Exit;

/// Why the supervisor ended a program and everything that it had started, or would have.
///
/// What passes a limit between two looks, or just before its end, has passed it too: an answer
/// that comes after a limit is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stopped {
    /// CPU time of all its processes together.
    Cpu,
    /// Wall time.
    Wall,
    /// Memory of all its processes together.
    Memory,
    /// It wrote more to its standard output or its standard error than it may.
    Output,
    /// It had more processes at a time than it may.
    Processes,
    /// The run was cancelled, or who had asked for it ended.
    Cancelled,
}

/// What a program and everything that it started used, and how it ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Account {
    /// How the program ended. A shell that stays in front of a program tells a signal *n* that
    /// ended it as the code 128 + *n*.
    pub exit: Exit,
    /// Why the supervisor ended it, if it did. A program that is asked to end may still end by
    /// itself, with whatever code it likes.
    pub stopped: Option<Stopped>,
    /// CPU time of all its processes in seconds, as the kernel accounts for those that are reaped;
    /// none is left when this is told. Of children that nobody waited for since their parent
    /// ignores `CHLD`, only what was seen while they lived is in it, unless it ran in a control
    /// group.
    pub cpu_s: f64,
    /// Wall time in seconds, from the program's beginning to its end.
    pub wall_s: f64,
    /// The most memory in bytes that all its processes had at a time, in looks 10 ms apart; or the
    /// peak of the largest one by the kernel's account, if that is more. Where a control group with
    /// the memory controller tells its peak, that.
    ///
    /// Pages that several processes share are counted for each, but not against the limit. A
    /// program that ended before the first look may have had less than this says, and then it is
    /// less than the supervisor has itself, some megabytes.
    pub memory_peak_bytes: u64,
    /// How many bytes it wrote to its standard output.
    pub output_bytes: u64,
    /// The end of what it wrote to its standard error.
    pub stderr: Captured,
    /// The most processes that were seen at a time.
    pub processes: usize,
    /// How many processes it had left behind that had to be killed after its own end.
    pub stragglers: usize,
    /// How many of its processes the kernel killed since its control group was out of memory;
    /// `None` where it had no control group that tells.
    pub oom_kills: Option<u64>,
    /// How many processes of the whole machine the kernel killed meanwhile since memory was out,
    /// its own included.
    pub host_oom_kills: u64,
}
