//! The descendants of a process: found, measured, asked to end, and killed.
//!
//! The supervisor is a subreaper: whoever of its descendants loses its parent becomes its child.
//! So the family tree is complete, whatever its members do, and when the supervisor has no child
//! any more there is nobody.

use std::fs;
use std::io;

use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions, WaitStatus, wait};

use crate::process::Process;

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
    pub(super) fn descendants(self, root: Pid) -> Vec<Process> {
        match self {
            Self::Lists => by_lists(root),
            Self::All => by_parents(root, everybody()),
        }
    }
}

fn by_lists(root: Pid) -> Vec<Process> {
    let mut found: Vec<Process> = Vec::new();
    let mut next = children(root);
    while let Some(pid) = next.pop() {
        // A list that changes while it is read may name somebody twice.
        let Some(member) = Process::see(pid).filter(|_| found.iter().all(|one| one.pid != pid))
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

fn everybody() -> Vec<Process> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter_map(Pid::from_raw).filter_map(Process::see).collect()
}

fn by_parents(root: Pid, mut others: Vec<Process>) -> Vec<Process> {
    let mut found: Vec<Process> = Vec::new();
    let mut parents = vec![root];
    while let Some(parent) = parents.pop() {
        let (born, rest) = others.into_iter().partition(|one| one.parent == Some(parent));
        others = rest;
        parents.extend(born.iter().map(|one: &Process| one.pid));
        found.extend(born);
    }
    found
}

/// Reaps every child that has ended, and shows each to `see`. Returns whether a child is left.
pub(super) fn reap(mut see: impl FnMut(Pid, WaitStatus)) -> io::Result<bool> {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) => see(pid, status),
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
        // The inner shell may not have started its own yet.
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
