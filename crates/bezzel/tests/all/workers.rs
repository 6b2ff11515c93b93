//! Jobs that are done by real workers, and judged by the runner.

use std::sync::atomic::AtomicBool;

use bezzel_encode::{Numbering, Registry, Settings};
use bezzel_experiment::judge::Judge;
use bezzel_experiment::measure::MEASUREMENT;
use bezzel_experiment::runner::{self, RunnerOptions, WorkerProcesses};
use bezzel_experiment::{Job, Limits, NO_ENCODING, NO_SOLVER, PlannedJob, Row, Task};
use bezzel_queens::Board;

use crate::program::BEZZEL;

/// A job without a solver.
pub(crate) fn job(board: Board, encoding: &str, task: Task) -> Job {
    Job {
        instance: board.into(),
        encoding: encoding.into(),
        settings: Settings::default(),
        numbering: Numbering::AS_GENERATED,
        solver: NO_SOLVER.into(),
        options: std::sync::Arc::default(),
        task,
        max_solutions: None,
        repeat: 1,
        limits: Limits { cpu_s: 600.0, wall_s: 600.0, memory_bytes: 1 << 30, nodes: None },
        proof: None,
        simplified: false,
    }
}

/// The revision of the encoding of a job, or 0.
pub(crate) fn revision(job: &Job) -> u32 {
    if job.encoding == NO_ENCODING {
        return 0;
    }
    let found = bezzel_queens::register(Registry::standard()).find(&job.encoding).unwrap();
    found.with_settings(job.settings).info().revision
}

/// The rows of these jobs, each done by a worker of this program.
pub(crate) fn rows(jobs: &[Job]) -> Vec<Row> {
    let folder = tempfile::tempdir().unwrap();
    let options = RunnerOptions {
        starter: &WorkerProcesses::of_linked_solvers(BEZZEL),
        permission: bezzel_experiment::Permission::none(),
        parallel: 1,
        cores: std::sync::Arc::default(),
        scratch: Some(folder.path().join("scratch")),
        proof_bytes: 0,
        warm_up: 0,
        calibration: None,
        wants: None,
    };
    let registry = bezzel_queens::register(Registry::standard());
    let planned = |job: &Job| {
        let (encoding_revision, solver_version) = (revision(job), MEASUREMENT.to_owned());
        let key = job.key(encoding_revision, &solver_version);
        // Only a job that measures is judged by the closed form.
        let size = job.task.backend().is_none().then(|| {
            let encoding = registry.find(&job.encoding).unwrap().with_settings(job.settings);
            encoding.size(&job.instance.problem())
        });
        let (job, size) = (job.clone(), size.flatten());
        PlannedJob { job, key, encoding_revision, solver_version, size }
    };
    let mut rows = Vec::new();
    let planned = jobs.iter().map(planned).collect();
    let judge = Judge::with_size_checks(&bezzel_queens::experiment::catalog().size_checks);
    runner::rerun(planned, &options, judge, &AtomicBool::new(false), |_, row| rows.push(row))
        .unwrap();
    assert_eq!(rows.len(), jobs.len());
    rows
}
