//! Where we may make control groups, and what they can do there.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::process::{Pid, getpid};

use super::job::{enable, remove};
use super::{JobCgroup, Level, VARIABLE, end, join, write};
use crate::process::Process;

/// What the names of our own groups begin with.
const PREFIX: &str = "bezzel-";

/// The control groups of this program's jobs. Dropped, they end. A program has one of these: who
/// asks for another begins where the first one may have moved it.
#[derive(Debug)]
pub struct Cgroups {
    /// The group below which each job has one; that in which this process began, and whether it had
    /// to be changed.
    place: Option<Place>,
    level: Level,
    note: Option<String>,
    jobs: AtomicU64,
}

#[derive(Debug)]
struct Place {
    base: PathBuf,
    top: PathBuf,
    /// Whether this process left its group for one below the top, so that the kernel would count
    /// the memory of others there: no group may have processes and counted groups both.
    moved: bool,
}

impl Cgroups {
    /// The best that can be had on this machine, up to the level that the environment variable
    /// [`VARIABLE`] names. Nothing that is missing keeps a run from running;
    /// [`note`](Self::note) tells it.
    ///
    /// Groups are made below the one that this process is in, where a system has given it to us (as
    /// `systemd-run --scope -p Delegate=yes` does, or a container) or we are root. What a run that
    /// was killed has left there is removed.
    pub fn detect() -> Self {
        let name = env::var(VARIABLE).unwrap_or_else(|_| Level::CgroupV2.id().to_owned());
        let Some(most) = Level::ALL.into_iter().find(|level| level.id() == name) else {
            let known = Level::ALL.map(Level::id).join(", ");
            return Self::none(format!("{VARIABLE} is `{name}`; it may be {known}"));
        };
        if most == Level::Rlimits {
            return Self::none(format!("{VARIABLE} asks for no more"));
        }
        let read = |file: &str| fs::read_to_string(file).unwrap_or_default();
        match own_folder(&read("/proc/self/mountinfo"), &read("/proc/self/cgroup")) {
            Some(base) => Self::below(&base, most),
            None => Self::none("control groups of version 2 are not mounted here".to_owned()),
        }
    }

    fn none(note: String) -> Self {
        Self { place: None, level: Level::Rlimits, note: Some(note), jobs: AtomicU64::new(0) }
    }

    /// The best up to `most` that can be had in the folder `base`, the group of this process.
    pub fn below(base: &Path, most: Level) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        if most == Level::Rlimits {
            return Self::none("no more was asked for".to_owned());
        }
        tidy(base);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let top = base.join(format!("{PREFIX}{}-{count}", Runner::own()));
        if let Err(error) = fs::create_dir(&top) {
            return Self::none(format!("no control group can be made: {error}"));
        }
        let mut place = Place { base: base.to_path_buf(), top, moved: false };
        if let Err(reason) = place.probe() {
            place.leave();
            return Self::none(reason);
        }
        let (level, note) = match most {
            Level::CgroupV2 => match place.count() {
                Ok(()) => (Level::CgroupV2, None),
                Err(reason) => (Level::CgroupV2NoMemory, Some(reason)),
            },
            lower => (lower, Some(format!("{VARIABLE} asks for no more"))),
        };
        Self { place: Some(place), level, note, jobs: AtomicU64::new(0) }
    }

    /// What jobs can have.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Why they cannot have more, in a sentence; `None` at the highest level.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// A group for a job with this limit of memory, or less than that where none can be made: it
    /// tells its own level.
    pub fn job(&self, memory_bytes: u64) -> JobCgroup {
        let Some(place) = &self.place else { return JobCgroup::none() };
        let number = self.jobs.fetch_add(1, Ordering::Relaxed);
        JobCgroup::new(place.top.join(format!("job-{number}")), self.level, memory_bytes)
    }
}

impl Drop for Cgroups {
    fn drop(&mut self) {
        if let Some(place) = &self.place {
            place.leave();
        }
    }
}

impl Place {
    /// Tries whether a process can be put into a group and be killed by it.
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

    /// Has the memory of jobs counted.
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

    /// Takes this process out of its group, if it is alone there.
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

    /// Removes everything, and goes back to where this process began.
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

/// A runner that has groups: its number is another's one day, but not with the same beginning, and
/// means nothing in another name space of processes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Runner {
    space: String,
    pid: Pid,
    began: u64,
}

impl Runner {
    fn own() -> Self {
        let pid = getpid();
        let began = Process::see(pid).map_or(0, |process| process.began);
        Self { space: space(), pid, began }
    }

    fn parse(name: &str) -> Option<Self> {
        let mut parts = name.strip_prefix(PREFIX)?.split('-');
        let (space, pid, began) = (parts.next()?, parts.next()?, parts.next()?);
        let pid = Pid::from_raw(pid.parse().ok()?)?;
        Some(Self { space: space.to_owned(), pid, began: began.parse().ok()? })
    }

    /// Whether it surely is there no more.
    fn is_gone(&self) -> bool {
        self.space == space()
            && Process::see(self.pid).is_none_or(|process| process.began != self.began)
    }
}

impl std::fmt::Display for Runner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}-{}", self.space, self.pid.as_raw_nonzero(), self.began)
    }
}

/// The name space of this process's number: what is in brackets in `pid:[4026531836]`.
fn space() -> String {
    let link = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    link.to_string_lossy().chars().filter(char::is_ascii_digit).collect()
}

/// Ends and removes what runners have left that are there no more.
fn tidy(base: &Path) {
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        let stale = entry.file_name().to_str().and_then(Runner::parse);
        if stale.is_some_and(|runner| runner.is_gone()) {
            let _ = end(&entry.path());
            remove(&entry.path());
        }
    }
}

/// The folder of the group that this process is in, by the texts of `/proc/self/mountinfo` and
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
        // A mount may show a part only.
        let within = Path::new(own).strip_prefix(root).ok()?;
        let climbs = within.components().any(|part| part.as_os_str() == "..");
        (!climbs).then(|| Path::new(&at).join(within))
    })
}

/// A path as it is written in `mountinfo`: blanks and the like as backslash and octal number.
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
        // Beyond the root of this name space of groups.
        assert_eq!(own("0::/../x\n"), None);
        assert_eq!(own("4:memory:/x\n"), None);
        assert_eq!(own_folder("", "0::/\n"), None);
        let part = "31 24 0:27 /user /groups rw - cgroup2 cgroup2 rw";
        assert_eq!(own_folder(part, "0::/user/1"), Some("/groups/1".into()));
        assert_eq!(own_folder(part, "0::/other"), None);
    }

    #[test]
    fn names_tell_whose_groups_they_are() {
        let own = Runner::own();
        assert_eq!(Runner::parse(&format!("{PREFIX}{own}-7")), Some(own.clone()));
        assert!(!own.is_gone());
        assert!(Runner { began: own.began + 1, ..own.clone() }.is_gone());
        let elsewhere = Runner { space: "1".to_owned(), began: own.began + 1, ..own };
        assert!(!elsewhere.is_gone());
        for other in ["job-1", "bezzel-", "bezzel-1-2", "bezzel-1-x-3", "system.slice"] {
            assert_eq!(Runner::parse(other), None, "{other}");
        }
    }
}
