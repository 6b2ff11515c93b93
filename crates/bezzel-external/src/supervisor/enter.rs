//! How a program begins: inside its limits.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Signal, getppid, set_parent_process_death_signal, setsid};
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use super::Request;
use crate::limits::{Fences, limit};
use crate::{cgroup, marker, usage};

/// What the program's process must know before it becomes the program.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    supervisor: u32,
    command: String,
    directory: OsString,
    cpu_s: u64,
    memory_bytes: u64,
    file_bytes: u64,
    cgroup: Option<OsString>,
}

/// What it tells before it becomes the program.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Word {
    /// The CPU time and the memory that it has had so far, which are not the program's.
    Ready(Footing),
    Failed(String),
}

/// What a program's process had used before it became the program.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Footing {
    /// CPU time in seconds.
    pub(super) cpu_s: f64,
    /// Its peak of memory in bytes.
    pub(super) memory_bytes: u64,
    /// When it became the program, in seconds since some time that is the same for all processes.
    began_s: f64,
}

impl Footing {
    pub(super) const NONE: Self = Self { cpu_s: 0.0, memory_bytes: 0, began_s: 0.0 };

    /// When the program began. The supervisor may have been kept from looking for a while since.
    pub(super) fn began(&self) -> Instant {
        let now = Instant::now();
        let since = Duration::try_from_secs_f64(monotonic_s() - self.began_s);
        since.ok().and_then(|since| now.checked_sub(since)).unwrap_or(now)
    }
}

fn monotonic_s() -> f64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Starts the program, and waits until it is the program. Its outputs are pipes.
pub(super) fn start(request: &Request) -> Result<(Child, Footing), String> {
    let start = || -> io::Result<(Child, Vec<u8>)> {
        let (mut ours, theirs) = UnixStream::pair()?;
        let child = Command::new("/proc/self/exe")
            .args(["supervise", "--enter"])
            .env_clear()
            .envs(request.environment.iter().map(|(name, value)| (name, value)))
            .env(marker::VARIABLE, &request.mark)
            .stdin(Stdio::from(std::os::fd::OwnedFd::from(theirs)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let fences = Fences::beyond(request.limits.cpu_s, request.limits.memory_bytes);
        let entry = Entry {
            supervisor: std::process::id(),
            command: request.command.clone(),
            directory: request.directory.clone(),
            cpu_s: fences.cpu_s,
            memory_bytes: fences.memory_bytes,
            file_bytes: request.file_bytes,
            cgroup: request.cgroup.clone(),
        };
        // Who does not read has ended, and is told by saying nothing.
        let _ = ours.write_all(&serde_json::to_vec(&entry)?);
        let _ = ours.shutdown(Shutdown::Write);
        let mut told = Vec::new();
        ours.read_to_end(&mut told)?;
        Ok((child, told))
    };
    let (child, told) = start().map_err(|error| format!("cannot begin: {error}"))?;
    // The last word counts: what was ready may still fail to become the program.
    let word = told.split(|&byte| byte == b'\n').rfind(|line| !line.is_empty());
    match word.map(serde_json::from_slice) {
        Some(Ok(Word::Ready(footing))) => Ok((child, footing)),
        Some(Ok(Word::Failed(reason))) => Err(reason),
        _ => Err("the program's process ended before it became the program".to_owned()),
    }
}

/// Becomes the program; comes back only if that fails, and has told why then.
pub(super) fn enter() -> io::Result<()> {
    // A copy that closes when the program begins, which is how the supervisor sees that it did.
    let mut talk = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut entry = Vec::new();
    talk.read_to_end(&mut entry)?;
    let entry: Entry = serde_json::from_slice(&entry)?;
    let footing = match prepare(&entry) {
        Ok(footing) => footing,
        Err(reason) => return tell(&mut talk, &Word::Failed(reason)),
    };
    tell(&mut talk, &Word::Ready(footing))?;
    let error = Command::new("/bin/sh").arg("-c").arg(&entry.command).stdin(Stdio::null()).exec();
    tell(&mut talk, &Word::Failed(format!("cannot start /bin/sh: {error}")))
}

fn tell(talk: &mut UnixStream, word: &Word) -> io::Result<()> {
    let mut line = serde_json::to_vec(word)?;
    line.push(b'\n');
    talk.write_all(&line)
}

/// Puts this process where the program belongs.
fn prepare(entry: &Entry) -> Result<Footing, String> {
    setsid().map_err(|error| format!("cannot make a session: {error}"))?;
    set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|error| format!("cannot ask for the signal at the supervisor's end: {error}"))?;
    // Whoever ended before the line above sends no signal any more.
    let supervisor = i32::try_from(entry.supervisor).ok().and_then(Pid::from_raw);
    if getppid() != supervisor {
        return Err("the supervisor has ended".to_owned());
    }
    if let Some(cgroup) = &entry.cgroup {
        cgroup::join(Path::new(cgroup)).map_err(|error| error.to_string())?;
    }
    limit("the core dump limit", Resource::Core, 0, 0)
        .and_then(|()| {
            let bytes = entry.memory_bytes;
            limit("the memory limit", Resource::Data, bytes, bytes)
        })
        .and_then(|()| {
            let bytes = entry.file_bytes;
            limit("the file size limit", Resource::Fsize, bytes, bytes)
        })
        .and_then(|()| {
            limit("the CPU limit", Resource::Cpu, entry.cpu_s, entry.cpu_s.saturating_add(1))
        })
        .map_err(|error| error.to_string())?;
    env::set_current_dir(&entry.directory).map_err(|error| {
        format!("cannot run in {}: {error}", Path::new(&entry.directory).display())
    })?;
    prefer();
    let memory = usage::memory().map_err(|error| error.to_string())?;
    let began_s = monotonic_s();
    Ok(Footing { cpu_s: usage::cpu_s(), memory_bytes: memory.peak_bytes, began_s })
}

/// When the machine is out of memory, the kernel takes the program rather than whoever measures
/// it. Where that is not to be had, nothing is lost.
fn prefer() {
    let file = File::options().write(true).open("/proc/self/oom_score_adj");
    let now = fs::read_to_string("/proc/self/oom_score_adj").unwrap_or_default();
    if let (Ok(mut file), Ok(now)) = (file, now.trim().parse::<i32>()) {
        let _ = write!(file, "{}", now.max(500));
    }
}
