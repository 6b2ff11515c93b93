//! The supervisor: a small process that runs one external program.
//!
//! It reads one line from its standard input and answers by one line on its standard output. In between, its input
//! stays open. The end of the input means that the caller has ended or does not want the answer any more; the
//! supervisor then kills all processes. The signal at a parent's end would be worse: it could only kill the
//! supervisor.
//!
//! No part of the program runs outside of its limits: it is a shell that waits at its standard input until the supervisor
//! has set them.

use std::collections::HashSet;
use std::env;
use std::ffi::{CString, OsStr};
use std::fs::{self, File};
use std::io::{self, BufRead, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::thread;
use std::time::{Duration, Instant};

use nix::spawn::{PosixSpawnAttr, PosixSpawnFileActions, PosixSpawnFlags, posix_spawn};
use nix::sys::signal::SigSet;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, PidfdFlags, Resource, Signal, WaitStatus, getpid, pidfd_open, set_child_subreaper,
};

use crate::capture::Stream;
use crate::cgroup;
use crate::error::Exit;
use crate::limits::{HardLimits, PERIOD, set_limit};
use crate::meter::Meter;
use crate::outcome::{StopReason, SupervisedOutcome, host_oom_kills};
use crate::supervised::{Report, Supervised};
use crate::tree::reap;

/// The first pause between two measurements; each is twice as long as the one before, up to [`PERIOD`], so that
/// short programs are measured at all.
const FIRST_REST: Duration = Duration::from_micros(500);

/// The time that killed processes may take to end. They end at once unless the kernel holds them in a device.
const END_TIMEOUT: Duration = Duration::from_secs(5);

/// The largest number of rounds in which all processes are stopped before they are killed. A stopped process starts
/// no others, so few rounds suffice.
const MAX_ROUNDS: usize = 64;

const START: &str = "start /bin/sh";
const WATCH: &str = "watch it";

/// The beginning of every command line: the shell waits until its limits are set, and ends if the supervisor does before.
const GATE: &str = "read -r _ || exit; exec < /dev/null; ";

/// Implements the hidden command `supervise`: reads a request of [`Supervised::run`](crate::Supervised::run), and
/// answers it on `out`, which is the standard output. No part of the standard input may have been read before.
///
/// # Errors
///
/// The input is no request, or the answer cannot be written.
pub fn serve(out: &mut dyn Write) -> io::Result<()> {
    let mut line = Vec::new();
    io::stdin().lock().read_until(b'\n', &mut line)?;
    let request: Supervised = serde_json::from_slice(&line)?;
    let report = run(&request).map_or_else(Report::Failed, Report::Ended);
    let mut answer = serde_json::to_vec(&report)?;
    answer.push(b'\n');
    out.write_all(&answer)?;
    out.flush()
}

/// Runs the program to its end.
fn run(request: &Supervised) -> Result<SupervisedOutcome, String> {
    let path = &request.output;
    let file = File::create(path)
        .map_err(|error| format!("cannot write its output to {}: {error}", path.display()))?;
    set_child_subreaper(Some(getpid())).map_err(|error| cannot(WATCH)(error.into()))?;
    let cgroup = request.cgroup.as_deref();
    let before = cgroup.map(|path| cgroup::usage(path).map(|used| (path, used)));
    let before = before.transpose().map_err(|error| error.to_string())?;
    let mut run = Run { meter: Meter::new(request, before), request, exit: None, leader: None };
    let killed_before = host_oom_kills();
    let done = run.run(file);
    // After any error, no process is left.
    let ended = run.end();
    let mut outcome = done?;
    ended.map_err(cannot(WATCH))?;
    outcome.host_oom_kills = host_oom_kills().saturating_sub(killed_before);
    Ok(outcome)
}

struct Run<'a> {
    request: &'a Supervised,
    meter: Meter<'a>,
    /// The program's own process.
    leader: Option<Pid>,
    exit: Option<Exit>,
}

impl Run<'_> {
    fn run(&mut self, file: File) -> Result<SupervisedOutcome, String> {
        let Pipes { gate, stdout, stderr } = self.start()?;
        let leader = self.leader.expect("it was started");
        let mut sources = EventSources {
            leader: pidfd_open(leader, PidfdFlags::empty())
                .map_err(|error| cannot(WATCH)(error.into()))?,
            leader_ended: false,
            stdout: Stream::into_file(stdout, file, self.request.output_bytes)
                .map_err(cannot(WATCH))?,
            stderr: Stream::new(stderr, self.request.keep_bytes).map_err(cannot(WATCH))?,
        };
        self.limit(leader)?;
        let start = Instant::now();
        // A shell that has ended is seen as such.
        let _ = File::from(gate).write_all(b"\n");
        let mut block = vec![0; 1 << 16];
        let mut stopped = self.watch(&mut sources, start, &mut block)?;
        let wall_s = start.elapsed().as_secs_f64();
        // CPU time that the other processes use from here on is not the program's any more, but counts.
        self.end().map_err(cannot(WATCH))?;
        let (passed, oom_kills) = self.meter.conclude().map_err(cannot(WATCH))?;
        let output = sources.stdout.finish(&mut block).map_err(cannot("write its output"))?;
        let output_bytes = output.written;
        let late = [
            passed,
            (wall_s >= self.request.limits.wall_s).then_some(StopReason::Wall),
            (output_bytes > self.request.output_bytes).then_some(StopReason::Output),
        ];
        stopped = late.into_iter().fold(stopped, Option::or);
        let exit = self.exit.ok_or("the program's end went unseen")?;
        if exit.is_cpu_limit() {
            stopped = stopped.or(Some(StopReason::Cpu));
        }
        Ok(SupervisedOutcome {
            exit,
            stopped,
            cpu_s: self.meter.cpu_s,
            wall_s,
            memory_peak_bytes: self.meter.memory_peak_bytes,
            output_bytes,
            stderr: sources.stderr.finish(&mut block).map_err(cannot(WATCH))?,
            processes: self.meter.processes,
            oom_kills,
            host_oom_kills: 0,
        })
    }

    /// Starts the shell in a session of its own. It waits at the gate.
    fn start(&mut self) -> Result<Pipes, String> {
        let directory = &self.request.directory;
        env::set_current_dir(directory)
            .map_err(|error| format!("cannot run in {}: {error}", directory.display()))?;
        let text = |bytes: &[u8]| CString::new(bytes).map_err(|error| cannot(START)(error.into()));
        let line = [GATE, &self.request.command].concat();
        let arguments = [text(b"/bin/sh")?, text(b"-c")?, text(line.as_bytes())?];
        let variables = self.request.environment.iter();
        let variables: Vec<CString> = variables
            .map(|(name, value)| {
                text(&[name, OsStr::new("="), value].map(OsStr::as_bytes).concat())
            })
            .collect::<Result<_, _>>()?;
        let spawn = || -> io::Result<(Pid, Pipes)> {
            let pipe = || pipe_with(PipeFlags::CLOEXEC);
            let ((gate_end, gate), (stdout, stdout_end), (stderr, stderr_end)) =
                (pipe()?, pipe()?, pipe()?);
            let mut files = PosixSpawnFileActions::init()?;
            let ends = [gate_end, stdout_end, stderr_end];
            for (number, end) in ends.iter().enumerate() {
                files.add_dup2(end.as_raw_fd(), number as i32)?;
            }
            let mut attributes = PosixSpawnAttr::init()?;
            // No signal is ignored or blocked: this process ignores PIPE.
            attributes.set_sigdefault(&SigSet::all())?;
            attributes.set_sigmask(&SigSet::empty())?;
            attributes.set_flags(
                PosixSpawnFlags::POSIX_SPAWN_SETSIGDEF
                    | PosixSpawnFlags::POSIX_SPAWN_SETSIGMASK
                    | PosixSpawnFlags::from_bits_retain(nix::libc::POSIX_SPAWN_SETSID.into()),
            )?;
            let shell = arguments[0].as_c_str();
            let pid = posix_spawn(shell, &files, &attributes, &arguments, &variables)?;
            let pid = Pid::from_raw(pid.as_raw()).expect("the number of a process");
            Ok((pid, Pipes { gate, stdout, stderr }))
        };
        let (pid, pipes) = spawn().map_err(cannot(START))?;
        self.leader = Some(pid);
        Ok(pipes)
    }

    /// Puts the shell into its control group and limits it and all processes that it will start.
    fn limit(&self, shell: Pid) -> Result<(), String> {
        let Supervised { limits, file_bytes, cgroup, .. } = self.request;
        let hard = HardLimits::beyond(limits.cpu_s, limits.memory_bytes);
        let set = || {
            cgroup.as_deref().map_or(Ok(()), |cgroup| cgroup::add(cgroup, Some(shell)))?;
            hard.set(Some(shell))?;
            let files = (*file_bytes, *file_bytes);
            set_limit(Some(shell), "the file size limit", Resource::Fsize, files)
        };
        set().map_err(|error| error.to_string())?;
        raise_oom_score(shell);
        Ok(())
    }

    /// Watches the program until it has ended, and ends it at a limit. Returns the limit, if one was passed.
    fn watch(
        &mut self,
        sources: &mut EventSources,
        start: Instant,
        block: &mut [u8],
    ) -> Result<Option<StopReason>, String> {
        let control = io::stdin();
        let mut stopped = None;
        let mut kill: Option<Instant> = None;
        let mut rest = FIRST_REST;
        let mut next_measurement = start;
        loop {
            let now = Instant::now();
            if now >= next_measurement {
                let passed = self.meter.measure().map_err(cannot(WATCH))?;
                let wall = now.duration_since(start).as_secs_f64() >= self.request.limits.wall_s;
                stopped = stopped.or(passed).or(wall.then_some(StopReason::Wall));
                next_measurement = now + rest;
                rest = (rest * 2).min(PERIOD);
            }
            if sources.stdout.written() > self.request.output_bytes
                || sources.stderr.written() > self.request.error_bytes
            {
                stopped = stopped.or(Some(StopReason::Output));
            }
            if stopped.is_some() {
                match kill {
                    None if !self.request.grace.is_zero() => {
                        for member in self.meter.family() {
                            member.signal(Signal::TERM);
                        }
                        kill = Some(now + self.request.grace);
                    }
                    Some(kill) if now < kill => {}
                    _ => {
                        self.end().map_err(cannot(WATCH))?;
                    }
                }
            }
            let is_left = self.reap().map_err(cannot(WATCH))?;
            // The leader may be a shell, which ends at TERM before and without the program that it waits for.
            if self.exit.is_some() && (stopped.is_none() || !is_left) {
                return Ok(stopped);
            }
            sources.leader_ended = self.exit.is_some();
            let wait = next_measurement.saturating_duration_since(Instant::now());
            match sources.wait(control.as_fd(), wait).map_err(cannot(WATCH))? {
                Event::None => {}
                Event::HungUp => {
                    // The caller has ended, or wants no answer.
                    self.end().map_err(cannot(WATCH))?;
                    return Ok(Some(StopReason::Cancelled));
                }
                Event::Other => {
                    sources.stdout.read(block).map_err(cannot("write its output"))?;
                    sources.stderr.read(block).map_err(cannot(WATCH))?;
                }
            }
        }
    }

    /// Reaps the processes that have ended. Returns true if any process is left.
    fn reap(&mut self) -> io::Result<bool> {
        let Self { leader, exit, .. } = self;
        reap(|pid, status| {
            if Some(pid) == *leader {
                *exit = exit_of(status);
            }
        })
    }

    /// Kills all processes, until none is left.
    ///
    /// All are stopped first, repeatedly until no new one is found, since a stopped process cannot start others
    /// while they are killed.
    fn end(&mut self) -> io::Result<()> {
        if !self.reap()? {
            return Ok(());
        }
        let start = Instant::now();
        let mut seen = HashSet::new();
        for _ in 0..MAX_ROUNDS {
            let family = self.meter.family();
            let living = family.iter().filter(|member| !member.zombie);
            let new: Vec<_> =
                living.filter(|member| seen.insert((member.pid, member.began))).collect();
            if new.is_empty() {
                break;
            }
            for member in new {
                member.signal(Signal::STOP);
            }
        }
        if let Some(path) = &self.request.cgroup {
            // The process tree is complete without it.
            let _ = cgroup::kill(path);
        }
        loop {
            for member in self.meter.family() {
                member.signal(Signal::KILL);
            }
            if !self.reap()? {
                return Ok(());
            }
            if start.elapsed() > END_TIMEOUT {
                return Err(io::Error::other("processes of it cannot be killed"));
            }
            thread::sleep(Duration::from_micros(200));
        }
    }
}

/// Returns a function that prefixes an error with the failed operation.
fn cannot(what: &'static str) -> impl Fn(io::Error) -> String {
    move |error| format!("cannot {what}: {error}")
}

fn exit_of(status: WaitStatus) -> Option<Exit> {
    let signal = status.terminating_signal().map(Exit::Signal);
    status.exit_status().map(Exit::Code).or(signal)
}

/// Makes the kernel kill the program before the measuring process when the machine is out of memory. A failure is
/// harmless.
fn raise_oom_score(process: Pid) {
    let now = fs::read_to_string("/proc/self/oom_score_adj").unwrap_or_default();
    let score = now.trim().parse().map_or(500, |now: i32| now.max(500));
    let file = format!("/proc/{}/oom_score_adj", process.as_raw_nonzero());
    let _ = fs::write(file, score.to_string());
}

/// The supervisor's ends of the pipes of the program.
struct Pipes {
    gate: OwnedFd,
    stdout: OwnedFd,
    stderr: OwnedFd,
}

/// The event sources of a supervisor.
struct EventSources {
    leader: OwnedFd,
    /// True if the end of the program was seen; its event would be reported again and again.
    leader_ended: bool,
    stdout: Stream,
    stderr: Stream,
}

/// An event.
enum Event {
    None,
    /// No process holds the other end of the control any more.
    HungUp,
    /// The program wrote output, or has ended.
    Other,
}

impl EventSources {
    /// Waits for an event, at most for `wait`.
    fn wait(&self, control: impl AsFd, wait: Duration) -> io::Result<Event> {
        let mut fds = Vec::with_capacity(4);
        fds.push(PollFd::new(&control, PollFlags::IN));
        fds.extend((!self.leader_ended).then(|| PollFd::new(&self.leader, PollFlags::IN)));
        let pipes = [self.stdout.pipe(), self.stderr.pipe()];
        let pipes = pipes.into_iter().flatten();
        fds.extend(pipes.map(|pipe| PollFd::from_borrowed_fd(pipe, PollFlags::IN)));
        let wait = Timespec::try_from(wait).ok();
        match poll(&mut fds, wait.as_ref()) {
            Ok(0) | Err(Errno::INTR) => Ok(Event::None),
            Ok(_) if !fds[0].revents().is_empty() => Ok(Event::HungUp),
            Ok(_) => Ok(Event::Other),
            Err(error) => Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_shell_runs_nothing_if_its_supervisor_ends_first_and_reads_nothing_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &format!("{GATE}touch begun; cat")]).current_dir(folder.path());
        let status = shell.stdin(Stdio::null()).status().unwrap();
        assert!(!status.success() && !folder.path().join("begun").exists());
        let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"\nmore\n").unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stdout.is_empty());
        assert!(folder.path().join("begun").exists());
    }
}
