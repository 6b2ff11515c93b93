//! Starting jobs: the runner plans what runs when, and one trait runs the processes.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use bezzel_process::{Cgroups, Exit, ExternalError, Outcome, Program, adopt_orphans, end_orphans};

use crate::model::row::Isolation;
use crate::worker::process::{Assignment, ProcessBinding};

/// Starts the processes of jobs, and has the clock by which the runner waits between readings of the machine.
///
/// [`WorkerProcesses`] is the implementation of all commands. Tests of the runner have one without processes.
pub trait StartJob: Sync {
    /// Runs a worker to its end. It is killed when `cancel` is set.
    ///
    /// # Errors
    ///
    /// When the worker cannot be started or watched.
    fn run(&self, start: WorkerStart, cancel: &AtomicBool) -> Result<EndedWorker, ExternalError>;

    /// The time of a clock that never goes back.
    fn now(&self) -> Instant;
}

/// A worker that is to be started.
#[derive(Clone, Debug)]
pub struct WorkerStart {
    /// Its work. The control groups are filled in at the start.
    pub assignment: Assignment,
    /// The wall time after which it is killed. The worker enforces the limit of the job itself, softly.
    pub wall: Duration,
    /// The names of the environment variables that it gets.
    pub environment: &'static [&'static str],
    /// True if it measures the noise of the machine.
    pub is_reading: bool,
}

/// A worker that has ended.
#[derive(Clone, Debug)]
pub struct EndedWorker {
    /// Its output, exit and times.
    pub outcome: Outcome,
    /// The enforcement of its limits.
    pub isolation: Isolation,
    /// The number of processes in its control group that the kernel killed for lack of memory; none if it ended well,
    /// or without a control group that reports it.
    pub oom_kills: Option<u64>,
}

/// Workers in processes of their own, each in a separate control group if control groups are available.
#[derive(Debug)]
pub struct WorkerProcesses {
    program: PathBuf,
    cgroups: Cgroups,
    ends_orphans: bool,
}

impl WorkerProcesses {
    /// Returns workers of a program, which must have the command `worker`. All children of this process must be programs
    /// that it runs: others are killed with the orphans of a worker that was killed.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        adopt_orphans();
        Self { ends_orphans: true, ..Self::of_linked_solvers(program) }
    }

    /// Returns workers for jobs that start no programs, and leave no orphans.
    pub fn of_linked_solvers(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), cgroups: Cgroups::detect(), ends_orphans: false }
    }
}

impl StartJob for WorkerProcesses {
    fn run(&self, start: WorkerStart, cancel: &AtomicBool) -> Result<EndedWorker, ExternalError> {
        let WorkerStart { mut assignment, wall, environment, .. } = start;
        let group = self.cgroups.job(assignment.job.limits.memory_bytes);
        let core = assignment.place.core;
        let (cgroup, programs) = (group.worker(), group.programs());
        assignment.place = ProcessBinding { core, cgroup, programs };
        let mut program = Program::new(&self.program, wall);
        program.args.push("worker".into());
        program.cgroup = group.path().map(Into::into);
        let given = |&name: &&str| Some((OsString::from(name), env::var_os(name)?));
        program.environment.extend(environment.iter().filter_map(given));
        program.stdin = serde_json::to_vec(&assignment).expect("it has string keys only");
        let outcome = program.run(Some(cancel))?;
        // A worker that ends well needs no look-up of its killer, and has ended its programs.
        let oom_kills = if outcome.exit == Exit::Code(0) {
            None
        } else {
            if self.ends_orphans {
                end_orphans();
            }
            group.usage().and_then(|usage| usage.oom_kills)
        };
        Ok(EndedWorker { outcome, isolation: group.level(), oom_kills })
    }

    fn now(&self) -> Instant {
        Instant::now()
    }
}
