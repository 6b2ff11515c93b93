//! The descendants of a process: found, measured, asked to end, and killed.
//!
//! The supervisor is a subreaper: whoever of its descendants loses its parent becomes its child.
//! So the family tree is complete, whatever its members do, and when the supervisor has no child
//! any more there is nobody.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

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
    let mut next = Process::see(root).map(|root| children(&root)).unwrap_or_default();
    while let Some(pid) = next.pop() {
        // A list that changes while it is read may name somebody twice.
        let Some(process) = Process::see(pid).filter(|_| found.iter().all(|one| one.pid != pid))
        else {
            continue;
        };
        next.extend(children(&process));
        found.push(process);
    }
    found
}

/// The children of all threads of a process.
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
    // Asking for the size of what has none would take as long again, and so would asking for the end
    // of a short list.
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
