//! A process of this machine, as `/proc` shows it.

use std::fs::{self, File};
use std::io::Read;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// The state of a process at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: Pid,
    pub(crate) parent: Option<Pid>,
    /// The start time in ticks since boot; together with the number it identifies a process.
    pub(crate) began: u64,
    /// CPU time in ticks, including the children that it waited for.
    pub(crate) cpu_ticks: u64,
    /// Resident memory in pages.
    pub(crate) resident_pages: u64,
    /// The number of its threads.
    pub(crate) threads: u64,
    /// True if it has ended and waits to be reaped.
    pub(crate) zombie: bool,
}

impl Process {
    /// Reads the process with this number, if there is one.
    pub(crate) fn read(pid: Pid) -> Option<Self> {
        let mut file = File::open(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
        // The kernel returns all of it in one read; asking for size and end would double the time.
        let mut stat = [0; 1024];
        let length = file.read(&mut stat).ok()?;
        Self::parse(pid, &stat[..length])
    }

    /// Parses the text of `/proc/PID/stat`. The name in it may contain any character, brackets included.
    fn parse(pid: Pid, stat: &[u8]) -> Option<Self> {
        let name_end = stat.iter().rposition(|&byte| byte == b')')?;
        let rest = std::str::from_utf8(&stat[name_end + 1..]).ok()?;
        // The manual page of proc counts from 1, and the name is 2.
        let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
        let field = |number: usize| fields.get(number - 3).copied();
        let number = |at: usize| field(at)?.parse::<u64>().ok();
        Some(Self {
            pid,
            parent: field(4)?.parse().ok().and_then(Pid::from_raw),
            began: number(22)?,
            cpu_ticks: number(14)? + number(15)? + number(16)? + number(17)?,
            resident_pages: number(24)?,
            threads: number(20)?,
            zombie: matches!(field(3)?, "Z" | "X"),
        })
    }

    /// Returns the memory of the process in bytes, with shared pages divided among their sharers. The kernel needs
    /// milliseconds for a gigabyte.
    pub(crate) fn proportional_bytes(&self) -> Option<u64> {
        if self.zombie {
            return Some(0);
        }
        let file = format!("/proc/{}/smaps_rollup", self.pid.as_raw_nonzero());
        let text = fs::read_to_string(file).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        // The kernel writes kB for KiB.
        Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
    }

    /// Sends a signal, if the number still belongs to the same process: it may have been reused.
    pub(crate) fn signal(&self, signal: Signal) {
        let Ok(handle) = pidfd_open(self.pid, PidfdFlags::empty()) else { return };
        if Self::read(self.pid).is_some_and(|now| now.began == self.began) {
            // The process may have ended, which is harmless.
            let _ = pidfd_send_signal(&handle, signal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read_from_its_line_whatever_its_name_is() {
        let line = b"7 (a) b (S) ) S 5 7 7 0 -1 4194304 1 2 3 4 10 20 300 4000 20 0 1 0 99 8192 \
            12 18446744073709551615";
        let process = Process::parse(Pid::from_raw(7).unwrap(), line).unwrap();
        assert_eq!(process.parent, Pid::from_raw(5));
        assert_eq!((process.cpu_ticks, process.resident_pages), (4330, 12));
        assert_eq!((process.began, process.threads, process.zombie), (99, 1, false));
        assert_eq!(Process::parse(Pid::from_raw(7).unwrap(), b"7 (x) S 5"), None);
    }

    #[test]
    fn this_process_has_a_parent_and_memory_of_its_own() {
        let before = rustix::process::getppid();
        let own = Process::read(rustix::process::getpid()).unwrap();
        // The parent may end meanwhile.
        assert!([before, rustix::process::getppid()].contains(&own.parent));
        assert!(own.resident_pages > 100 && !own.zombie && own.proportional_bytes() > Some(4096));
    }
}
