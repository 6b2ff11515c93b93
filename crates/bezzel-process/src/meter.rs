//! Periodic measurements of the resources of a program and its descendants.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::{Pid, getpid};

use crate::limits::SoftLimits;
use crate::outcome::StopReason;
use crate::supervised::Supervised;
use crate::tree::{Finder, Process};
use crate::{cgroup, usage};

/// The pause between two measurements that divide shared pages among the sharers, which is expensive.
const EXACT_PERIOD: Duration = Duration::from_millis(100);

/// The size below which the memory in a program's account may be that of the process that started it.
const SLACK_BYTES: u64 = 512 << 10;

/// Sums the resources of the descendants of this process.
pub(crate) struct Meter<'a> {
    root: Pid,
    finder: Finder,
    limits: SoftLimits,
    max_processes: usize,
    tick_s: f64,
    page_bytes: u64,
    /// The control group, and its usage before the run.
    cgroup: Option<(&'a Path, cgroup::CgroupUsage)>,
    pub(crate) cpu_s: f64,
    pub(crate) memory_peak_bytes: u64,
    pub(crate) processes: usize,
    next_exact: Option<Instant>,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(
        request: &Supervised,
        cgroup: Option<(&'a Path, cgroup::CgroupUsage)>,
    ) -> Self {
        Self {
            root: getpid(),
            finder: Finder::new(),
            limits: request.limits,
            max_processes: request.processes,
            tick_s: 1.0 / clock_ticks_per_second() as f64,
            page_bytes: page_size() as u64,
            cgroup,
            cpu_s: 0.0,
            memory_peak_bytes: 0,
            processes: 0,
            next_exact: None,
        }
    }

    /// Returns the descendants.
    pub(crate) fn family(&self) -> Vec<Process> {
        self.finder.descendants(self.root)
    }

    /// Measures once. Returns a limit that is passed now.
    pub(crate) fn measure(&mut self) -> io::Result<Option<StopReason>> {
        let reaped_s = reaped()?.cpu_s;
        let family = self.family();
        let ticks: u64 = family.iter().map(|member| member.cpu_ticks).sum();
        self.count_cpu(reaped_s + ticks as f64 * self.tick_s);
        let living = family.iter().filter(|member| !member.zombie).count();
        self.processes = self.processes.max(living);
        let bytes = self.resident(&family);
        self.memory_peak_bytes = self.memory_peak_bytes.max(bytes.unwrap_or(0));
        Ok(if living > self.max_processes { Some(StopReason::Processes) } else { self.passed() })
    }

    /// Returns the limit on CPU time or memory that was passed so far.
    fn passed(&self) -> Option<StopReason> {
        if self.cpu_s >= self.limits.cpu_s {
            Some(StopReason::Cpu)
        } else if self.memory_peak_bytes > self.limits.memory_bytes {
            Some(StopReason::Memory)
        } else {
            None
        }
    }

    /// Updates the CPU time. It never decreases, though the account of a process is lost if no parent waits for it.
    /// A control group loses no account.
    fn count_cpu(&mut self, seen_s: f64) {
        let group = self.cgroup.as_ref();
        let group_s =
            group.and_then(|(path, before)| Some(cgroup::cpu_s(path).ok()? - before.cpu_s));
        self.cpu_s = self.cpu_s.max(seen_s).max(group_s.unwrap_or(0.0));
    }

    /// Returns the resident memory of all in bytes. If it seems to be over the limit, shared pages are counted
    /// once; `None` if the last such count was too recent.
    fn resident(&mut self, family: &[Process]) -> Option<u64> {
        let bytes = family.iter().map(|member| member.resident_pages * self.page_bytes).sum();
        if bytes <= self.limits.memory_bytes || family.len() < 2 {
            return Some(bytes);
        }
        let now = Instant::now();
        if self.next_exact.is_some_and(|again| now < again) {
            return None;
        }
        self.next_exact = Some(now + EXACT_PERIOD);
        // If the exact count is not permitted, resident memory is used.
        let exact = |member: &Process| {
            member.proportional_bytes().unwrap_or(member.resident_pages * self.page_bytes)
        };
        Some(family.iter().map(exact).sum())
    }

    /// Makes the last measurement, when all are reaped. Returns a limit that was passed, and the number of
    /// out-of-memory kills by the kernel.
    pub(crate) fn conclude(&mut self) -> io::Result<(Option<StopReason>, Option<u64>)> {
        let reaped = reaped()?;
        self.count_cpu(reaped.cpu_s);
        // The kernel's account of a child begins with the size of the process that started it.
        let own = usage::memory().map_or(0, |memory| memory.peak_bytes);
        if reaped.memory_peak_bytes > own + SLACK_BYTES || self.memory_peak_bytes == 0 {
            self.memory_peak_bytes = self.memory_peak_bytes.max(reaped.memory_peak_bytes);
        }
        let mut killed = None;
        if let Some((path, before)) = &self.cgroup
            && let Ok(now) = cgroup::usage(path)
        {
            // The peak of the group is not used: it includes file caches, and a program that writes a large proof
            // is not out of memory for that.
            killed = now.oom_kills.map(|now| now - before.oom_kills.unwrap_or(0));
        }
        let out_of_memory = killed.is_some_and(|killed| killed > 0);
        Ok((if out_of_memory { Some(StopReason::Memory) } else { self.passed() }, killed))
    }
}

/// The kernel's account of all reaped children and their descendants.
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
