//! A supervised run, from the supervisor's side.

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
use super::look::Meter;
use super::tree::reap;
use crate::account::{Account, Stopped};
use crate::capture::Stream;
use crate::exit::Exit;
use crate::watch::PERIOD;
use crate::{blame, cgroup};

/// The first rest between two looks; each is twice as long as the one before, up to [`PERIOD`], so
/// that short programs are seen at all.
const FIRST_REST: Duration = Duration::from_micros(500);

/// How long the killed may take to go. They go at once unless the kernel holds them in a device.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often everybody is stopped before killing begins, at most. Who is stopped starts nobody, so
/// that few rounds suffice.
const ROUNDS: usize = 64;

const WATCH: &str = "watch it";

/// Runs the program to its end.
pub(super) fn run(request: &Request) -> Result<Account, String> {
    let path = Path::new(&request.output);
    let file = File::create(path)
        .map_err(|error| format!("cannot write its output to {}: {error}", path.display()))?;
    set_child_subreaper(Some(getpid())).map_err(|error| cannot(WATCH)(error.into()))?;
    let cgroup = request.cgroup.as_ref().map(Path::new);
    let before = cgroup.map(|path| cgroup::usage(path).map(|used| (path, used)));
    let before = before.transpose().map_err(|error| error.to_string())?;
    let mut run = Run { meter: Meter::new(request, before), request, exit: None, leader: None };
    let killed_before = blame::host_oom_kills();
    let done = run.run(file);
    // Whatever went wrong, nothing is left.
    let ended = run.end();
    let mut account = done?;
    ended.map_err(cannot(WATCH))?;
    account.host_oom_kills = blame::host_oom_kills().saturating_sub(killed_before);
    Ok(account)
}

struct Run<'a> {
    request: &'a Request,
    meter: Meter<'a>,
    /// The program's own process, and how it ended.
    leader: Option<Pid>,
    exit: Option<Exit>,
}

impl Run<'_> {
    fn run(&mut self, file: File) -> Result<Account, String> {
        let (mut child, footing) = enter::start(self.request)?;
        let start = footing.began();
        self.meter.stand_on(footing);
        let leader = Pid::from_child(&child);
        self.leader = Some(leader);
        let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
            unreachable!("both were asked for")
        };
        let mut watched = Watched {
            leader: pidfd_open(leader, PidfdFlags::empty())
                .map_err(|error| cannot(WATCH)(error.into()))?,
            leader_ended: false,
            stdout: Stream::into_file(stdout.into(), file, self.request.output_bytes)
                .map_err(cannot(WATCH))?,
            stderr: Stream::new(stderr.into(), self.request.keep_bytes).map_err(cannot(WATCH))?,
        };
        let mut block = vec![0; 1 << 16];
        let mut stopped = self.watch(&mut watched, start, &mut block)?;
        let wall_s = start.elapsed().as_secs_f64();
        // What the others use up from here on is not the program's any more, but counts.
        let stragglers = self.end().map_err(cannot(WATCH))?;
        let (passed, oom_kills) = self.meter.conclude().map_err(cannot(WATCH))?;
        let output = watched.stdout.finish(&mut block).map_err(cannot("write its output"))?;
        let output_bytes = output.written;
        let late = [
            passed,
            (wall_s >= self.request.limits.wall_s).then_some(Stopped::Wall),
            (output_bytes > self.request.output_bytes).then_some(Stopped::Output),
        ];
        stopped = late.into_iter().fold(stopped, Option::or);
        let exit = self.exit.ok_or("the program's end went unseen")?;
        if exit.is_cpu_fence() {
            stopped = stopped.or(Some(Stopped::Cpu));
        }
        Ok(Account {
            exit,
            stopped,
            cpu_s: self.meter.cpu_s,
            wall_s,
            memory_peak_bytes: self.meter.memory_peak_bytes,
            output_bytes,
            stderr: watched.stderr.finish(&mut block).map_err(cannot(WATCH))?,
            processes: self.meter.processes,
            stragglers: if stopped.is_some() { 0 } else { stragglers },
            oom_kills,
            host_oom_kills: 0,
        })
    }

    /// Looks on until the program has ended, and ends it at a limit. Returns why it did, if so.
    fn watch(
        &mut self,
        watched: &mut Watched,
        start: Instant,
        block: &mut [u8],
    ) -> Result<Option<Stopped>, String> {
        let control = io::stdin();
        let mut stopped = None;
        let mut kill: Option<Instant> = None;
        let mut rest = FIRST_REST;
        let mut next_look = start;
        loop {
            let now = Instant::now();
            if now >= next_look {
                let passed = self.meter.look().map_err(cannot(WATCH))?;
                let wall = now.duration_since(start).as_secs_f64() >= self.request.limits.wall_s;
                stopped = stopped.or(passed).or(wall.then_some(Stopped::Wall));
                next_look = now + rest;
                rest = (rest * 2).min(PERIOD);
            }
            if watched.stdout.written() > self.request.output_bytes
                || watched.stderr.written() > self.request.error_bytes
            {
                stopped = stopped.or(Some(Stopped::Output));
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
            // The leader may be a shell, which ends at TERM before the program that it waits for, and
            // without it.
            if self.exit.is_some() && (stopped.is_none() || !is_left) {
                return Ok(stopped);
            }
            watched.leader_ended = self.exit.is_some();
            let wait = next_look.saturating_duration_since(Instant::now());
            match watched.wait(control.as_fd(), wait).map_err(cannot(WATCH))? {
                Event::None => {}
                Event::HungUp => {
                    // Whoever asked is there no more, or wants no answer.
                    self.end().map_err(cannot(WATCH))?;
                    return Ok(Some(Stopped::Cancelled));
                }
                Event::Other => {
                    watched.stdout.read(block).map_err(cannot("write its output"))?;
                    watched.stderr.read(block).map_err(cannot(WATCH))?;
                }
            }
        }
    }

    /// Reaps who has ended. Returns whether anybody is left.
    fn reap(&mut self) -> io::Result<bool> {
        let Self { leader, exit, .. } = self;
        reap(|pid, status| {
            if Some(pid) == *leader {
                *exit = exit_of(status);
            }
        })
    }

    /// Kills everybody, until nobody is left. Returns how many there were.
    ///
    /// All are stopped first, over and over until no new one is found, since who is stopped cannot
    /// start others while they are killed.
    fn end(&mut self) -> io::Result<usize> {
        if !self.reap()? {
            return Ok(0);
        }
        let start = Instant::now();
        let mut seen = HashSet::new();
        for _ in 0..ROUNDS {
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
            // The family tree is complete without it.
            let _ = cgroup::kill(Path::new(path));
        }
        loop {
            for member in self.meter.family() {
                seen.insert((member.pid, member.began));
                member.signal(Signal::KILL);
            }
            if !self.reap()? {
                return Ok(seen.len());
            }
            if start.elapsed() > PATIENCE {
                return Err(io::Error::other("processes of it will not die"));
            }
            thread::sleep(Duration::from_micros(200));
        }
    }
}

/// An error as one sentence with what was being done.
fn cannot(what: &'static str) -> impl Fn(io::Error) -> String {
    move |error| format!("cannot {what}: {error}")
}

fn exit_of(status: WaitStatus) -> Option<Exit> {
    let signal = status.terminating_signal().map(Exit::Signal);
    status.exit_status().map(Exit::Code).or(signal)
}

/// What a supervisor waits for.
struct Watched {
    leader: OwnedFd,
    /// It would be told again and again.
    leader_ended: bool,
    stdout: Stream,
    stderr: Stream,
}

/// What happened.
enum Event {
    None,
    /// Nobody holds the other end of the control any more.
    HungUp,
    /// Something was written, or the program has ended.
    Other,
}

impl Watched {
    /// Waits until something happens, at most for `wait`.
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
