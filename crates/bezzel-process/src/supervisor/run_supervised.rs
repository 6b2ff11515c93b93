//! A supervised run inside the supervisor.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitStatus, getpid, pidfd_open, set_child_subreaper,
};

use super::Request;
use super::enter;
use super::meter::Meter;
use crate::capture::Stream;
use crate::exit::Exit;
use crate::outcome::{StopReason, SupervisedOutcome};
use crate::tree::reap;
use crate::watch::PERIOD;
use crate::{cgroup, end_cause};

/// The first pause between two measurements; each is twice as long as the one before, up to [`PERIOD`], so that
/// short programs are measured at all.
const FIRST_REST: Duration = Duration::from_micros(500);

/// The time that killed processes may take to end. They end at once unless the kernel holds them in a device.
const END_TIMEOUT: Duration = Duration::from_secs(5);

/// The largest number of rounds in which all processes are stopped before they are killed. A stopped process starts
/// no others, so few rounds suffice.
const MAX_ROUNDS: usize = 64;

const WATCH: &str = "watch it";

/// Runs the program to its end.
pub(super) fn run(request: &Request) -> Result<SupervisedOutcome, String> {
    let path = Path::new(&request.output);
    let file = File::create(path)
        .map_err(|error| format!("cannot write its output to {}: {error}", path.display()))?;
    set_child_subreaper(Some(getpid())).map_err(|error| cannot(WATCH)(error.into()))?;
    let cgroup = request.cgroup.as_ref().map(Path::new);
    let before = cgroup.map(|path| cgroup::usage(path).map(|used| (path, used)));
    let before = before.transpose().map_err(|error| error.to_string())?;
    let mut run = Run { meter: Meter::new(request, before), request, exit: None, leader: None };
    let killed_before = end_cause::host_oom_kills();
    let done = run.run(file);
    // After any error, no process is left.
    let ended = run.end();
    let mut outcome = done?;
    ended.map_err(cannot(WATCH))?;
    outcome.host_oom_kills = end_cause::host_oom_kills().saturating_sub(killed_before);
    Ok(outcome)
}

struct Run<'a> {
    request: &'a Request,
    meter: Meter<'a>,
    /// The program's own process.
    leader: Option<Pid>,
    exit: Option<Exit>,
}

impl Run<'_> {
    fn run(&mut self, file: File) -> Result<SupervisedOutcome, String> {
        let (mut child, usage_before) = enter::start(self.request)?;
        let start = usage_before.began();
        self.meter.set_usage_before(usage_before);
        let leader = Pid::from_child(&child);
        self.leader = Some(leader);
        let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
            unreachable!("both were asked for")
        };
        let mut sources = EventSources {
            leader: pidfd_open(leader, PidfdFlags::empty())
                .map_err(|error| cannot(WATCH)(error.into()))?,
            leader_ended: false,
            stdout: Stream::into_file(stdout.into(), file, self.request.output_bytes)
                .map_err(cannot(WATCH))?,
            stderr: Stream::new(stderr.into(), self.request.keep_bytes).map_err(cannot(WATCH))?,
        };
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
            let _ = cgroup::kill(Path::new(path));
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
