//! Detection of the control groups that this process may make, and of their controllers.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::process::{Pid, getpid};

use crate::cgroup::{IsolationLevel, JobCgroup, VARIABLE, enable, end, join, remove, write};
use crate::tree::Process;

/// The prefix of the names of our own groups.
const PREFIX: &str = "bezzel-";

/// The control groups of this program's jobs. Dropping the value ends them. A program has one such value: a second
/// one would begin in the group to which the first one may have moved the process.
#[derive(Debug)]
pub struct Cgroups {
    /// The group below which each job has one, the original group of this process, and a flag for changes of that
    /// group.
    folders: Option<CgroupFolders>,
    level: IsolationLevel,
    note: Option<String>,
    jobs: AtomicU64,
}

#[derive(Debug)]
struct CgroupFolders {
    base: PathBuf,
    top: PathBuf,
    /// True if this process left its group for one below the top, so that the kernel can count the memory of others
    /// there: a group may not have both processes and groups with controllers.
    moved: bool,
}

impl Cgroups {
    /// Returns the best level that this machine offers, up to the level that the environment variable [`VARIABLE`]
    /// names. A missing level does not prevent a run; [`note`](Self::note) reports it.
    ///
    /// Groups are made below the one of this process, if the system has delegated it (as
    /// `systemd-run --scope -p Delegate=yes` does, or a container) or this process is root. Groups that a killed
    /// run has left there are removed.
    pub fn detect() -> Self {
        let name = env::var(VARIABLE).unwrap_or_else(|_| IsolationLevel::CgroupV2.id().to_owned());
        let Some(strongest) = IsolationLevel::ALL.into_iter().find(|level| level.id() == name)
        else {
            let known = IsolationLevel::ALL.map(IsolationLevel::id).join(", ");
            return Self::none(format!("{VARIABLE} is `{name}`; it may be {known}"));
        };
        if strongest == IsolationLevel::Rlimits {
            return Self::none(format!("{VARIABLE} asks for no more"));
        }
        let read = |file: &str| fs::read_to_string(file).unwrap_or_default();
        match own_folder(&read("/proc/self/mountinfo"), &read("/proc/self/cgroup")) {
            Some(base) => Self::below(&base, strongest),
            None => Self::none("control groups of version 2 are not mounted here".to_owned()),
        }
    }

    fn none(note: String) -> Self {
        Self {
            folders: None,
            level: IsolationLevel::Rlimits,
            note: Some(note),
            jobs: AtomicU64::new(0),
        }
    }

    /// Returns the best level up to `strongest` that the folder `base`, the group of this process, offers.
    pub fn below(base: &Path, strongest: IsolationLevel) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        if strongest == IsolationLevel::Rlimits {
            return Self::none("no more was asked for".to_owned());
        }
        remove_stale(base);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let top = base.join(format!("{PREFIX}{}-{count}", RunnerId::own()));
        if let Err(error) = fs::create_dir(&top) {
            return Self::none(format!("no control group can be made: {error}"));
        }
        let mut folders = CgroupFolders { base: base.to_path_buf(), top, moved: false };
        if let Err(reason) = folders.probe() {
            folders.leave();
            return Self::none(reason);
        }
        let (level, note) = match strongest {
            IsolationLevel::CgroupV2 => match folders.count() {
                Ok(()) => (IsolationLevel::CgroupV2, None),
                Err(reason) => (IsolationLevel::CgroupV2NoMemory, Some(reason)),
            },
            lower => (lower, Some(format!("{VARIABLE} asks for no more"))),
        };
        Self { folders: Some(folders), level, note, jobs: AtomicU64::new(0) }
    }

    /// Returns the level of the jobs.
    pub fn level(&self) -> IsolationLevel {
        self.level
    }

    /// Returns the reason why jobs have no higher level, in a sentence; `None` at the highest level.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Returns a group for a job with this memory limit, or a lower level if no group can be made: the result's
    /// `level` returns it.
    pub fn job(&self, memory_bytes: u64) -> JobCgroup {
        let Some(folders) = &self.folders else { return JobCgroup::none() };
        let number = self.jobs.fetch_add(1, Ordering::Relaxed);
        JobCgroup::new(folders.top.join(format!("job-{number}")), self.level, memory_bytes)
    }
}

impl Drop for Cgroups {
    fn drop(&mut self) {
        if let Some(folders) = &self.folders {
            folders.leave();
        }
    }
}

impl CgroupFolders {
    /// Tests that a process can be put into a group and be killed through it.
    fn probe(&self) -> Result<(), String> {
        let probe = self.top.join("probe");
        fs::create_dir(&probe).map_err(|error| format!("no control group can be made: {error}"))?;
        let joins = Command::new("/bin/sh")
            .args(["-c", "echo 0 > \"$0\"/cgroup.procs"])
            .arg(&probe)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let kills = write(&probe, "cgroup.kill", "1");
        remove(&probe);
        match (joins, kills) {
            (Ok(status), Ok(())) if status.success() => Ok(()),
            (Ok(status), Err(error)) if status.success() => {
                Err(format!("the kernel cannot kill by control groups: {error}"))
            }
            _ => Err("no process can be put into a control group here".to_owned()),
        }
    }

    /// Enables the memory controller for jobs.
    fn count(&mut self) -> Result<(), String> {
        let words = |file| fs::read_to_string(self.base.join(file)).unwrap_or_default();
        let has = |file| words(file).split_whitespace().any(|word| word == "memory");
        if !has("cgroup.controllers") {
            return Err("there is no memory controller for control groups here".to_owned());
        }
        if !has("cgroup.subtree_control") && enable(&self.base).is_none() {
            self.step_aside()?;
            if enable(&self.base).is_none() {
                return Err("memory cannot be counted in control groups here".to_owned());
            }
        }
        enable(&self.top).ok_or_else(|| "memory cannot be counted in control groups here".into())
    }

    /// Moves this process out of its group, if it is alone there.
    fn step_aside(&mut self) -> Result<(), String> {
        let members = fs::read_to_string(self.base.join("cgroup.procs")).unwrap_or_default();
        if members.trim() != getpid().as_raw_nonzero().to_string() {
            return Err("other processes share the control group in which this one began; one of \
                 its own can be had by `systemd-run --user --scope -p Delegate=yes`"
                .to_owned());
        }
        let aside = self.top.join("runner");
        fs::create_dir(&aside).map_err(|error| format!("no control group can be made: {error}"))?;
        join(&aside).map_err(|error| error.to_string())?;
        self.moved = true;
        Ok(())
    }

    /// Removes all groups, and returns this process to its original group.
    fn leave(&self) {
        for entry in fs::read_dir(&self.top).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && path.file_name() != Some("runner".as_ref()) {
                let _ = end(&path);
                remove(&path);
            }
        }
        if self.moved {
            for path in [&self.top, &self.base] {
                let _ = write(path, "cgroup.subtree_control", "-memory");
                let _ = write(path, "cgroup.subtree_control", "-pids");
            }
            if join(&self.base).is_err() {
                return;
            }
        }
        remove(&self.top);
    }
}

/// A runner that has groups. Its process number may be reused, but not with the same start time, and is valid only
/// in its own PID namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RunnerId {
    namespace: String,
    pid: Pid,
    began: u64,
}

impl RunnerId {
    fn own() -> Self {
        let pid = getpid();
        let began = Process::read(pid).map_or(0, |process| process.began);
        Self { namespace: namespace(), pid, began }
    }

    fn parse(name: &str) -> Option<Self> {
        let mut parts = name.strip_prefix(PREFIX)?.split('-');
        let (namespace, pid, began) = (parts.next()?, parts.next()?, parts.next()?);
        let pid = Pid::from_raw(pid.parse().ok()?)?;
        Some(Self { namespace: namespace.to_owned(), pid, began: began.parse().ok()? })
    }

    /// Returns true if the runner has certainly ended.
    fn is_gone(&self) -> bool {
        self.namespace == namespace()
            && Process::read(self.pid).is_none_or(|process| process.began != self.began)
    }
}

impl std::fmt::Display for RunnerId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}-{}", self.namespace, self.pid.as_raw_nonzero(), self.began)
    }
}

/// Returns the PID namespace of this process: the number in brackets in `pid:[4026531836]`.
fn namespace() -> String {
    let link = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    link.to_string_lossy().chars().filter(char::is_ascii_digit).collect()
}

/// Ends and removes the groups of runners that have ended.
fn remove_stale(base: &Path) {
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        let stale = entry.file_name().to_str().and_then(RunnerId::parse);
        if stale.is_some_and(|runner| runner.is_gone()) {
            let _ = end(&entry.path());
            remove(&entry.path());
        }
    }
}

/// Returns the folder of the group of this process, from the texts of `/proc/self/mountinfo` and
/// `/proc/self/cgroup`.
fn own_folder(mounts: &str, groups: &str) -> Option<PathBuf> {
    let own = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    mounts.lines().find_map(|line| {
        let (mount, system) = line.split_once(" - ")?;
        if system.split(' ').next() != Some("cgroup2") {
            return None;
        }
        let mut fields = mount.split(' ').skip(3);
        let (root, at) = (unescape(fields.next()?), unescape(fields.next()?));
        // A mount may show only a part of the hierarchy.
        let within = Path::new(own).strip_prefix(root).ok()?;
        let climbs = within.components().any(|part| part.as_os_str() == "..");
        (!climbs).then(|| Path::new(&at).join(within))
    })
}

/// Decodes a path of `mountinfo`, which contains blanks and the like as backslash and octal number.
fn unescape(text: &str) -> String {
    [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")]
        .into_iter()
        .fold(text.to_owned(), |text, (escaped, plain)| text.replace(escaped, plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_group_is_found_where_version_2_is_mounted() {
        let mounts = "24 1 0:22 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n\
            30 24 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
            31 24 0:27 / /sys/fs/a\\040b rw,relatime shared:9 - cgroup2 cgroup2 rw\n";
        let own = |groups| own_folder(mounts, groups);
        assert_eq!(own("4:memory:/x\n0::/user/1\n"), Some("/sys/fs/a b/user/1".into()));
        assert_eq!(own("0::/\n"), Some("/sys/fs/a b/".into()));
        // Outside the root of this cgroup namespace.
        assert_eq!(own("0::/../x\n"), None);
        assert_eq!(own("4:memory:/x\n"), None);
        assert_eq!(own_folder("", "0::/\n"), None);
        let part = "31 24 0:27 /user /groups rw - cgroup2 cgroup2 rw";
        assert_eq!(own_folder(part, "0::/user/1"), Some("/groups/1".into()));
        assert_eq!(own_folder(part, "0::/other"), None);
    }

    #[test]
    fn names_tell_whose_groups_they_are() {
        let own = RunnerId::own();
        assert_eq!(RunnerId::parse(&format!("{PREFIX}{own}-7")), Some(own.clone()));
        assert!(!own.is_gone());
        assert!(RunnerId { began: own.began + 1, ..own.clone() }.is_gone());
        let elsewhere = RunnerId { namespace: "1".to_owned(), began: own.began + 1, ..own };
        assert!(!elsewhere.is_gone());
        for other in ["job-1", "bezzel-", "bezzel-1-2", "bezzel-1-x-3", "system.slice"] {
            assert_eq!(RunnerId::parse(other), None, "{other}");
        }
    }
}
