//! What a family of processes uses, look by look.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::{Pid, getpid};

use super::Request;
use super::enter::Footing;
use super::tree::Finder;
use crate::account::Stopped;
use crate::process::Process;
use crate::watch::SoftLimits;
use crate::{cgroup, usage};

/// How long to rest between two looks when pages that are shared were divided among the sharers,
/// which is costly.
const EXACT_PERIOD: Duration = Duration::from_millis(100);

/// What is smaller than this may be the memory of whoever started a program, seen in the program's
/// account.
const SLACK_BYTES: u64 = 512 << 10;

/// Adds up what the descendants of this process use.
pub(super) struct Meter<'a> {
    root: Pid,
    finder: Finder,
    limits: SoftLimits,
    most_processes: usize,
    footing: Footing,
    tick_s: f64,
    page_bytes: u64,
    /// The control group, and what had been used in it before.
    cgroup: Option<(&'a Path, cgroup::Usage)>,
    pub(super) cpu_s: f64,
    pub(super) memory_peak_bytes: u64,
    pub(super) processes: usize,
    exact_again: Option<Instant>,
}

impl<'a> Meter<'a> {
    pub(super) fn new(request: &'a Request, cgroup: Option<(&'a Path, cgroup::Usage)>) -> Self {
        Self {
            root: getpid(),
            finder: Finder::new(),
            limits: request.limits,
            most_processes: request.processes,
            footing: Footing::NONE,
            tick_s: 1.0 / clock_ticks_per_second() as f64,
            page_bytes: page_size() as u64,
            cgroup,
            cpu_s: 0.0,
            memory_peak_bytes: 0,
            processes: 0,
            exact_again: None,
        }
    }

    /// What the program's process had used before it became the program is not counted.
    pub(super) fn stand_on(&mut self, footing: Footing) {
        self.footing = footing;
    }

    /// The living descendants.
    pub(super) fn family(&self) -> Vec<Process> {
        self.finder.descendants(self.root)
    }

    /// Looks once. Returns a limit that is passed now.
    pub(super) fn look(&mut self) -> io::Result<Option<Stopped>> {
        let reaped_s = reaped()?.cpu_s;
        let family = self.family();
        let ticks: u64 = family.iter().map(|member| member.cpu_ticks).sum();
        self.count_cpu(reaped_s + ticks as f64 * self.tick_s);
        let living = family.iter().filter(|member| !member.zombie).count();
        self.processes = self.processes.max(living);
        let bytes = self.resident(&family);
        self.memory_peak_bytes = self.memory_peak_bytes.max(bytes.unwrap_or(0));
        Ok(if living > self.most_processes { Some(Stopped::Processes) } else { self.passed() })
    }

    /// The limit of CPU time or memory that was passed so far.
    fn passed(&self) -> Option<Stopped> {
        if self.cpu_s >= self.limits.cpu_s {
            Some(Stopped::Cpu)
        } else if self.memory_peak_bytes > self.limits.memory_bytes {
            Some(Stopped::Memory)
        } else {
            None
        }
    }

    /// CPU time so far: what was seen once stays, though a process that nobody waited for takes
    /// its account with it. A control group forgets nobody.
    fn count_cpu(&mut self, seen_s: f64) {
        let group = self.cgroup.as_ref();
        let group_s =
            group.and_then(|(path, before)| Some(cgroup::cpu_s(path).ok()? - before.cpu_s));
        self.cpu_s = self.cpu_s.max(seen_s - self.footing.cpu_s).max(group_s.unwrap_or(0.0));
    }

    /// The resident memory of all in bytes. If it seems to be over the limit, pages that they share
    /// are counted once; `None` if that was done too short a time ago.
    fn resident(&mut self, family: &[Process]) -> Option<u64> {
        let bytes = family.iter().map(|member| member.resident_pages * self.page_bytes).sum();
        if bytes <= self.limits.memory_bytes || family.len() < 2 {
            return Some(bytes);
        }
        let now = Instant::now();
        if self.exact_again.is_some_and(|again| now < again) {
            return None;
        }
        self.exact_again = Some(now + EXACT_PERIOD);
        // Whoever does not let us look is counted with what is known.
        let exact = |member: &Process| {
            member.proportional_bytes().unwrap_or(member.resident_pages * self.page_bytes)
        };
        Some(family.iter().map(exact).sum())
    }

    /// The last look, when all are reaped. Returns a limit that was passed, and how many of them
    /// the kernel killed for want of memory.
    pub(super) fn conclude(&mut self) -> io::Result<(Option<Stopped>, Option<u64>)> {
        let reaped = reaped()?;
        self.count_cpu(reaped.cpu_s);
        // The kernel's account of a child begins with the size of whoever started it.
        let own = usage::memory().map_or(0, |memory| memory.peak_bytes);
        let inherited = own.max(self.footing.memory_bytes) + SLACK_BYTES;
        if reaped.memory_peak_bytes > inherited || self.memory_peak_bytes == 0 {
            self.memory_peak_bytes = self.memory_peak_bytes.max(reaped.memory_peak_bytes);
        }
        let mut killed = None;
        if let Some((path, before)) = &self.cgroup
            && let Ok(now) = cgroup::usage(path)
        {
            // Its peak of memory is not taken: it includes caches of files, and whoever writes a large
            // proof is not out of memory for that.
            killed = now.oom_kills.map(|now| now - before.oom_kills.unwrap_or(0));
        }
        let out_of_memory = killed.is_some_and(|killed| killed > 0);
        Ok((if out_of_memory { Some(Stopped::Memory) } else { self.passed() }, killed))
    }
}

/// What the kernel accounts for all children that were reaped, and for theirs.
struct Reaped {
    cpu_s: f64,
    /// The peak of the largest one.
    memory_peak_bytes: u64,
}

fn reaped() -> io::Result<Reaped> {
    let used = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds =
        |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6;
    Ok(Reaped {
        cpu_s: seconds(used.user_time()) + seconds(used.system_time()),
        memory_peak_bytes: used.max_rss() as u64 * 1024,
    })
}
