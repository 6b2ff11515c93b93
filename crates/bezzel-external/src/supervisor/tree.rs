//! The descendants of a process: found, measured, asked to end, and killed.
//!
//! The supervisor is a subreaper: whoever of its descendants loses its parent becomes its child.
//! So the family tree is complete, whatever its members do, and when the supervisor has no child
//! any more there is nobody.

use std::fs;
use std::io;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// A process as it was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) pid: Pid,
    pub(super) parent: Option<Pid>,
    /// When it began, in ticks since the machine did; with the number it names a process for good.
    pub(super) began: u64,
    /// CPU time in ticks, with that of the children that it waited for.
    pub(super) cpu_ticks: u64,
    /// Resident memory in pages.
    pub(super) resident_pages: u64,
    /// Whether it has ended and waits to be reaped.
    pub(super) zombie: bool,
}

impl Member {
    /// Sees the process with this number, if there is one.
    fn see(pid: Pid) -> Option<Self> {
        let stat = fs::read(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
        Self::parse(pid, &stat)
    }

    /// Reads the text of `/proc/PID/stat`. The name in it may hold anything, brackets included.
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
            zombie: matches!(field(3)?, "Z" | "X"),
        })
    }

    /// What the process would have if each page that several share were divided among them, in
    /// bytes. It takes the kernel milliseconds for a gigabyte.
    pub(super) fn proportional_bytes(&self) -> Option<u64> {
        if self.zombie {
            return Some(0);
        }
        let file = format!("/proc/{}/smaps_rollup", self.pid.as_raw_nonzero());
        let text = fs::read_to_string(file).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        // The kernel writes kB and means KiB.
        Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
    }

    /// Sends a signal, if the process still is the one that was seen: its number may be another's
    /// by now.
    pub(super) fn signal(&self, signal: Signal) {
        let Ok(handle) = pidfd_open(self.pid, PidfdFlags::empty()) else { return };
        if Self::see(self.pid).is_some_and(|now| now.began == self.began) {
            // Who is not there any more does not mind.
            let _ = pidfd_send_signal(&handle, signal);
        }
    }
}

/// How the members of a family are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finder {
    /// By the lists of children that the kernel keeps.
    Lists,
    /// By asking every process of the machine for its parent, where there are no such lists.
    All,
}

impl Finder {
    /// What this kernel has.
    pub(super) fn new() -> Self {
        let id = std::process::id();
        let listed = fs::exists(format!("/proc/self/task/{id}/children")).unwrap_or(false);
        if listed { Self::Lists } else { Self::All }
    }

    /// All living descendants of the process, and those that wait to be reaped; each before its
    /// children, and seen before them, so that no CPU time is counted twice.
    ///
    /// Who is born meanwhile may be missing, and while its parent dies, who is reaped then.
    pub(super) fn descendants(self, root: Pid) -> Vec<Member> {
        match self {
            Self::Lists => by_lists(root),
            Self::All => by_parents(root, everybody()),
        }
    }
}

fn by_lists(root: Pid) -> Vec<Member> {
    let mut found: Vec<Member> = Vec::new();
    let mut next = children(root);
    while let Some(pid) = next.pop() {
        // A list that changes while it is read may name somebody twice.
        let Some(member) = Member::see(pid).filter(|_| found.iter().all(|one| one.pid != pid))
        else {
            continue;
        };
        found.push(member);
        next.extend(children(pid));
    }
    found
}

/// The children of all threads of a process.
fn children(pid: Pid) -> Vec<Pid> {
    let mut found = Vec::new();
    let threads = fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero()));
    for thread in threads.into_iter().flatten().flatten() {
        let list = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        let numbers = list.split_ascii_whitespace().filter_map(|word| word.parse().ok());
        found.extend(numbers.filter_map(Pid::from_raw));
    }
    found
}

fn everybody() -> Vec<Member> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter_map(Pid::from_raw).filter_map(Member::see).collect()
}

fn by_parents(root: Pid, mut others: Vec<Member>) -> Vec<Member> {
    let mut found: Vec<Member> = Vec::new();
    let mut parents = vec![root];
    while let Some(parent) = parents.pop() {
        let (born, rest) = others.into_iter().partition(|one| one.parent == Some(parent));
        others = rest;
        parents.extend(born.iter().map(|one: &Member| one.pid));
        found.extend(born);
    }
    found
}

/// Reaps every child that has ended, and shows each to `see`. Returns whether a child is left.
pub(super) fn reap(mut see: impl FnMut(Pid, rustix::process::WaitStatus)) -> io::Result<bool> {
    use rustix::process::{WaitOptions, wait};
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) => see(pid, status),
            Ok(None) => return Ok(true),
            Err(rustix::io::Errno::CHILD) => return Ok(false),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
