//! Who ended a process: itself, a limit of ours, or somebody else.

use std::fs;

/// How many processes the kernel of this machine has killed since it began, since memory was out;
/// 0 where it does not tell.
pub fn host_oom_kills() -> u64 {
    let text = fs::read_to_string("/proc/vmstat").unwrap_or_default();
    let count = text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok());
    count.unwrap_or(0)
}
