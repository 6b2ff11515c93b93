//! Processes as `/proc` shows them, and the descendants of one: search, measurement and reaping.
//!
//! The supervisor is a subreaper: a descendant that loses its parent becomes its child. The process tree is
//! therefore always complete, and when the supervisor has no child any more, no descendant is left.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, WaitStatus, pidfd_open, pidfd_send_signal, wait,
};

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

/// The method to find descendants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finder {
    /// The kernel's lists of children.
    Lists,
    /// A search of all processes of the machine by parent, on kernels without such lists.
    All,
}

impl Finder {
    /// Returns the method that this kernel supports.
    pub(crate) fn new() -> Self {
        let id = std::process::id();
        let listed = fs::exists(format!("/proc/self/task/{id}/children")).unwrap_or(false);
        if listed { Self::Lists } else { Self::All }
    }

    /// Returns all living descendants of the process, and those that wait to be reaped; each before its children,
    /// and read before them, so that no CPU time is counted twice.
    ///
    /// A process that starts meanwhile may be missing, and so may one whose parent dies and that is reaped
    /// meanwhile.
    pub(crate) fn descendants(self, root: Pid) -> Vec<Process> {
        match self {
            Self::Lists => by_lists(root),
            Self::All => by_parents(root, all_processes()),
        }
    }
}

fn by_lists(root: Pid) -> Vec<Process> {
    let mut found: Vec<Process> = Vec::new();
    let mut next = Process::read(root).map(|root| children(&root)).unwrap_or_default();
    while let Some(pid) = next.pop() {
        // A list that changes while it is read may contain a process twice.
        let Some(process) = Process::read(pid).filter(|_| found.iter().all(|one| one.pid != pid))
        else {
            continue;
        };
        next.extend(children(&process));
        found.push(process);
    }
    found
}

/// Returns the children of all threads of a process.
fn children(process: &Process) -> Vec<Pid> {
    let folder = format!("/proc/{}/task", process.pid.as_raw_nonzero());
    if process.threads <= 1 {
        let mut found = Vec::new();
        list(format!("{folder}/{}/children", process.pid.as_raw_nonzero()), &mut found);
        return found;
    }
    let mut found = Vec::new();
    for thread in fs::read_dir(folder).into_iter().flatten().flatten() {
        list(thread.path().join("children"), &mut found);
    }
    found
}

/// Adds the numbers in a list of children.
fn list(file: impl AsRef<Path>, found: &mut Vec<Pid>) {
    let Ok(mut file) = File::open(file) else { return };
    // The file has no size. Asking for it, or for the end of a short list, would double the time.
    let mut text = Vec::new();
    let mut block = [0; 1024];
    while let Ok(length) = file.read(&mut block) {
        text.extend_from_slice(&block[..length]);
        if length == 0 || text.len() < block.len() / 2 {
            break;
        }
    }
    let words = text.split(u8::is_ascii_whitespace);
    let numbers = words.filter_map(|word| std::str::from_utf8(word).ok()?.parse().ok());
    found.extend(numbers.filter_map(Pid::from_raw));
}

fn all_processes() -> Vec<Process> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter_map(Pid::from_raw).filter_map(Process::read).collect()
}

fn by_parents(root: Pid, mut others: Vec<Process>) -> Vec<Process> {
    let mut found: Vec<Process> = Vec::new();
    let mut parents = vec![root];
    while let Some(parent) = parents.pop() {
        let (children, rest) = others.into_iter().partition(|one| one.parent == Some(parent));
        others = rest;
        parents.extend(children.iter().map(|one: &Process| one.pid));
        found.extend(children);
    }
    found
}

/// Reaps every child that has ended, and passes each to `see`. Returns true if a child is left.
pub(crate) fn reap(mut on_exit: impl FnMut(Pid, WaitStatus)) -> io::Result<bool> {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) => on_exit(pid, status),
            Ok(None) => return Ok(true),
            Err(Errno::CHILD) => return Ok(false),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::process::{Command, Stdio};

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

    #[test]
    fn both_ways_to_find_a_family_find_the_same() {
        let script = "sleep 60 & (sleep 60 & wait) & echo begun; wait";
        let mut shell = Command::new("/bin/sh")
            .args(["-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        shell.stdout.take().unwrap().read_exact(&mut [0; 6]).unwrap();
        let root = Pid::from_child(&shell);
        let find = |finder: Finder| {
            let mut found: Vec<_> =
                finder.descendants(root).iter().map(|one| one.pid.as_raw_pid()).collect();
            found.sort_unstable();
            found
        };
        // The inner shell may not have started its own child yet.
        while find(Finder::All).len() < 3 {
            std::thread::yield_now();
        }
        assert_eq!(find(Finder::All).len(), 3);
        if Finder::new() == Finder::Lists {
            assert_eq!(find(Finder::Lists), find(Finder::All));
        }
        for member in Finder::All.descendants(root) {
            member.signal(rustix::process::Signal::KILL);
        }
        shell.wait().unwrap();
        assert!(find(Finder::All).is_empty());
    }
}
