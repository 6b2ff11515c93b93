//! The start of a program inside its limits.

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
use crate::limits::{HardLimits, set_limit};
use crate::{cgroup, usage};

/// The data that the child process needs before it executes the program.
#[derive(Debug, Serialize, Deserialize)]
struct StartRequest {
    supervisor: u32,
    command: String,
    directory: OsString,
    cpu_s: u64,
    memory_bytes: u64,
    file_bytes: u64,
    cgroup: Option<OsString>,
}

/// A message of the child process before it executes the program.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum StartMessage {
    /// The CPU time and the memory that it has used so far, which do not count as the program's.
    Ready(StartUsage),
    Failed(String),
}

/// The usage of the child process before it executed the program.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct StartUsage {
    /// CPU time in seconds.
    pub(super) cpu_s: f64,
    /// Its peak of memory in bytes.
    pub(super) memory_bytes: u64,
    /// The time at which it executed the program, in seconds of the monotonic clock.
    began_s: f64,
}

impl StartUsage {
    pub(super) const NONE: Self = Self { cpu_s: 0.0, memory_bytes: 0, began_s: 0.0 };

    /// Returns the start time of the program. The supervisor may have been delayed since.
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

/// Starts the program, and waits until it is executed. Its outputs are pipes.
pub(super) fn start(request: &Request) -> Result<(Child, StartUsage), String> {
    let start = || -> io::Result<(Child, Vec<u8>)> {
        let (mut ours, theirs) = UnixStream::pair()?;
        let child = Command::new("/proc/self/exe")
            .args(["supervise", "--enter"])
            .env_clear()
            .envs(request.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::from(std::os::fd::OwnedFd::from(theirs)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let hard_limits = HardLimits::beyond(request.limits.cpu_s, request.limits.memory_bytes);
        let start_request = StartRequest {
            supervisor: std::process::id(),
            command: request.command.clone(),
            directory: request.directory.clone(),
            cpu_s: hard_limits.cpu_s,
            memory_bytes: hard_limits.memory_bytes,
            file_bytes: request.file_bytes,
            cgroup: request.cgroup.clone(),
        };
        // A child that does not read has ended, and its missing message is the error.
        let _ = ours.write_all(&serde_json::to_vec(&start_request)?);
        let _ = ours.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        ours.read_to_end(&mut answer)?;
        Ok((child, answer))
    };
    let (child, answer) = start().map_err(|error| format!("cannot begin: {error}"))?;
    // The last message counts: after `Ready` the execution may still fail.
    let message = answer.split(|&byte| byte == b'\n').rfind(|line| !line.is_empty());
    match message.map(serde_json::from_slice) {
        Some(Ok(StartMessage::Ready(usage_before))) => Ok((child, usage_before)),
        Some(Ok(StartMessage::Failed(reason))) => Err(reason),
        _ => Err("the program's process ended before it became the program".to_owned()),
    }
}

/// Executes the program; returns only if that fails, after the reason has been sent.
pub(super) fn enter() -> io::Result<()> {
    // A copy that closes when the program is executed, by which the supervisor detects the start.
    let mut socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut request = Vec::new();
    socket.read_to_end(&mut request)?;
    let request: StartRequest = serde_json::from_slice(&request)?;
    let usage_before = match prepare(&request) {
        Ok(usage_before) => usage_before,
        Err(reason) => return send(&mut socket, &StartMessage::Failed(reason)),
    };
    send(&mut socket, &StartMessage::Ready(usage_before))?;
    let error = Command::new("/bin/sh").arg("-c").arg(&request.command).stdin(Stdio::null()).exec();
    send(&mut socket, &StartMessage::Failed(format!("cannot start /bin/sh: {error}")))
}

fn send(socket: &mut UnixStream, message: &StartMessage) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    socket.write_all(&line)
}

/// Prepares this process: session, limits, control group and directory.
fn prepare(request: &StartRequest) -> Result<StartUsage, String> {
    setsid().map_err(|error| format!("cannot make a session: {error}"))?;
    set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|error| format!("cannot ask for the signal at the supervisor's end: {error}"))?;
    // A supervisor that ended before the line above sends no signal any more.
    let supervisor = i32::try_from(request.supervisor).ok().and_then(Pid::from_raw);
    if getppid() != supervisor {
        return Err("the supervisor has ended".to_owned());
    }
    if let Some(cgroup) = &request.cgroup {
        cgroup::join(Path::new(cgroup)).map_err(|error| error.to_string())?;
    }
    set_limit("the core dump limit", Resource::Core, 0, 0)
        .and_then(|()| {
            let bytes = request.memory_bytes;
            set_limit("the memory limit", Resource::Data, bytes, bytes)
        })
        .and_then(|()| {
            let bytes = request.file_bytes;
            set_limit("the file size limit", Resource::Fsize, bytes, bytes)
        })
        .and_then(|()| {
            set_limit(
                "the CPU limit",
                Resource::Cpu,
                request.cpu_s,
                request.cpu_s.saturating_add(1),
            )
        })
        .map_err(|error| error.to_string())?;
    env::set_current_dir(&request.directory).map_err(|error| {
        format!("cannot run in {}: {error}", Path::new(&request.directory).display())
    })?;
    raise_oom_score();
    let memory = usage::memory().map_err(|error| error.to_string())?;
    let began_s = monotonic_s();
    Ok(StartUsage { cpu_s: usage::cpu_s(), memory_bytes: memory.peak_bytes, began_s })
}

/// Makes the kernel kill the program before the measuring process when the machine is out of memory. A failure is
/// harmless.
fn raise_oom_score() {
    let file = File::options().write(true).open("/proc/self/oom_score_adj");
    let now = fs::read_to_string("/proc/self/oom_score_adj").unwrap_or_default();
    if let (Ok(mut file), Ok(now)) = (file, now.trim().parse::<i32>()) {
        let _ = write!(file, "{}", now.max(500));
    }
}
