//! The expected time of jobs, from rows of the same experiment, else a guess.

use std::collections::HashMap;

use crate::model::job::PlannedJob;
use crate::model::job::{Job, Task};
use crate::model::row::Row;

/// The fraction of its CPU limit that a job is expected to need if no similar job was measured.
const OF_LIMIT: f64 = 0.1;

/// The parts of a job that determine its expected time. Instances of one kind and size count as equally hard.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct JobKind {
    size: InstanceSize,
    encoding: String,
    solver: String,
    task: Task,
}

/// The kind of an instance, and its size.
type InstanceSize = (&'static str, u32);

impl From<&Job> for JobKind {
    fn from(job: &Job) -> Self {
        Self {
            size: (job.instance.kind(), job.instance.size()),
            encoding: job.encoding.clone(),
            solver: job.solver.clone(),
            task: job.task,
        }
    }
}

/// The expected time of jobs, by the rows that were added.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExpectedTimes {
    /// The mean by size of the instance, encoding, solver and task.
    cells: HashMap<JobKind, Mean>,
    /// The mean by size of the instance and task, for other jobs.
    sizes: HashMap<(InstanceSize, Task), Mean>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sum: f64,
    number: u32,
}

impl Mean {
    fn take(&mut self, value: f64) {
        self.sum += value;
        self.number += 1;
    }

    fn value(self) -> f64 {
        self.sum / f64::from(self.number)
    }
}

impl ExpectedTimes {
    /// Adds the wall time of a row. Rows at limits count too, since other jobs also reach limits.
    pub(crate) fn add(&mut self, row: &Row) {
        if row.is_settled() {
            self.add_job(&JobKind::from(&row.job), row.wall_s);
        }
    }

    fn add_job(&mut self, job: &JobKind, wall_s: f64) {
        self.sizes.entry((job.size, job.task)).or_default().take(wall_s);
        match self.cells.get_mut(job) {
            Some(mean) => mean.take(wall_s),
            None => self.cells.entry(job.clone()).or_default().take(wall_s),
        }
    }

    /// Returns the expected time of a job, in seconds: the mean over the rows of its encoding, solver and task on
    /// instances of the same kind and size, else over all rows of the task on such instances; none if there is no such
    /// row.
    pub(crate) fn measured_s(&self, planned: &PlannedJob) -> Option<f64> {
        self.measured_of(&JobKind::from(&planned.job))
    }

    fn measured_of(&self, job: &JobKind) -> Option<f64> {
        let own = self.cells.get(job);
        let mean = own.or_else(|| self.sizes.get(&(job.size, job.task)));
        mean.map(|mean| mean.value())
    }

    /// Returns the expected time, or a [guess](prior_s).
    pub(crate) fn seconds(&self, planned: &PlannedJob) -> f64 {
        self.measured_s(planned).unwrap_or_else(|| prior_s(&planned.job))
    }
}

/// Returns the expected time of a job if no similar job was measured, in seconds: a tenth of its CPU limit, since the
/// solving time is unknown and must not be zero.
fn prior_s(job: &Job) -> f64 {
    OF_LIMIT * job.limits.cpu_s
}

/// The remaining jobs of a run, and their expected time. Jobs are weighted by their expected time, not counted.
#[derive(Clone, Debug)]
pub struct RemainingTime {
    expected: ExpectedTimes,
    /// For each kind of job, the number of remaining jobs, and their expected time together if nothing was measured.
    left: HashMap<JobKind, (usize, f64)>,
    /// The wall time of the rows of this run, in seconds.
    taken_s: f64,
}

impl RemainingTime {
    /// Returns all of these jobs as remaining; `known` are rows that determine expected times.
    pub fn new<'a>(jobs: &[PlannedJob], known: impl IntoIterator<Item = &'a Row>) -> Self {
        let mut expected = ExpectedTimes::default();
        for row in known {
            expected.add(row);
        }
        let mut left: HashMap<JobKind, (usize, f64)> = HashMap::new();
        for PlannedJob { job, .. } in jobs {
            let (number, own_s) = left.entry(JobKind::from(job)).or_default();
            *number += 1;
            *own_s += prior_s(job);
        }
        Self { expected, left, taken_s: 0.0 }
    }

    /// Adds a row of the run, and removes its job from the remaining ones.
    pub fn take(&mut self, row: &Row) {
        let job = JobKind::from(&row.job);
        self.taken_s += row.wall_s;
        if let Some((number, own_s)) = self.left.get_mut(&job) {
            *number = number.saturating_sub(1);
            *own_s = (*own_s - prior_s(&row.job)).max(0.0);
        }
        if row.is_settled() {
            self.expected.add_job(&job, row.wall_s);
        }
    }

    /// Returns the expected time of the rest of a run that has lasted `gone_s` seconds; none before its first row. It
    /// assumes the same parallelism and the same time between jobs as so far.
    pub fn seconds(&self, gone_s: f64) -> Option<f64> {
        let of_kind = |(job, &(number, prior_s)): (&JobKind, &(usize, f64))| match number {
            0 => 0.0,
            _ => self.expected.measured_of(job).map_or(prior_s, |mean| mean * number as f64),
        };
        let left_s: f64 = self.left.iter().map(of_kind).sum();
        (self.taken_s > 0.0).then(|| left_s * gone_s / self.taken_s)
    }

    /// Returns true if no similar job was measured for more than a quarter of the remaining jobs.
    pub fn is_guess(&self) -> bool {
        let guessed =
            |(job, _): &(&JobKind, &(usize, f64))| self.expected.measured_of(job).is_none();
        let number = |(_, (number, _)): (&JobKind, &(usize, f64))| *number;
        let guesses: usize = self.left.iter().filter(guessed).map(number).sum();
        let all: usize = self.left.iter().map(number).sum();
        4 * guesses > all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::catalog::Catalog;
    use crate::config::Config;
    use crate::model::row::Termination;
    use crate::plan::Plan;

    const CONFIG: &str = "\
name: t
problems: [{latin-square: {order: [6, 20]}}]
encodings: [pairwise, binary]
solvers: [batsat]
";

    fn timed(planned: &PlannedJob, wall_s: f64, termination: Termination) -> Row {
        Row { wall_s, ..Row::blank(planned.clone(), termination) }
    }

    #[test]
    fn remaining_jobs_are_weighted_by_their_expected_times() {
        let catalog = Catalog::of_tests();
        let config = Config::parse(CONFIG, "a test", &catalog).unwrap();
        let plan = Plan::new(&config, &catalog).unwrap();
        assert_eq!(plan.jobs.len(), 4);
        let row = |size: u32, encoding: &str, wall_s: f64| {
            let wanted =
                |job: &&PlannedJob| job.job.instance.size() == size && job.job.encoding == encoding;
            let job = plan.jobs.iter().find(wanted).unwrap();
            Row { wall_s, ..Row::blank(job.clone(), Termination::Finished) }
        };
        let known = [row(20, "pairwise", 100.0), row(20, "binary", 50.0), row(6, "binary", 1.0)];
        let mut left = RemainingTime::new(&plan.jobs, &known);
        assert_eq!(left.seconds(3.0), None, "nothing has ended");
        left.take(&row(6, "pairwise", 1.0));
        // A quarter of the jobs is done, and less than a hundredth of the work. The time between jobs was as long as
        // the jobs.
        let seconds = left.seconds(2.0).unwrap();
        assert!((seconds - 302.0).abs() < 1e-9, "{seconds}");
        left.take(&row(20, "pairwise", 100.0));
        // Two jobs run at a time.
        let seconds = left.seconds(50.5).unwrap();
        assert!((seconds - 25.5).abs() < 1e-9, "{seconds}");
        left.take(&row(6, "binary", 1.0));
        left.take(&row(20, "binary", 60.0));
        assert_eq!(left.seconds(100.0), Some(0.0));
        // For jobs without similar rows a tenth of the limit is expected.
        let mut left = RemainingTime::new(&plan.jobs, []);
        left.take(&row(6, "binary", 1.0));
        let seconds = left.seconds(1.0).unwrap();
        assert!((seconds - 13.0).abs() < 1e-9, "one like it and twice 6 s: {seconds}");
        assert!(left.is_guess());
        left.take(&row(20, "binary", 6.0));
        assert!(!left.is_guess());
    }

    #[test]
    fn times_are_expected_from_own_rows_then_from_the_same_side_then_from_the_formula() {
        let catalog = Catalog::of_tests();
        let config = Config::parse(CONFIG, "a test", &catalog).unwrap();
        let plan = Plan::new(&config, &catalog).unwrap();
        let find = |side: u32, encoding: &str| {
            let wanted =
                |job: &&PlannedJob| job.job.instance.size() == side && job.job.encoding == encoding;
            plan.jobs.iter().find(wanted).unwrap()
        };
        let mut expected = ExpectedTimes::default();
        expected.add(&timed(find(6, "pairwise"), 2.0, Termination::Finished));
        expected.add(&timed(find(6, "pairwise"), 4.0, Termination::WallLimit));
        expected.add(&timed(find(6, "pairwise"), 99.0, Termination::HostError));
        assert_eq!(expected.measured_s(find(6, "pairwise")), Some(3.0));
        assert_eq!(expected.measured_s(find(6, "binary")), Some(3.0));
        assert_eq!(expected.measured_s(find(20, "binary")), None);
        let guess = prior_s(&find(20, "pairwise").job);
        assert!((guess - 6.0).abs() < 1e-9, "a tenth of a minute");
        assert!((expected.seconds(find(20, "pairwise")) - guess).abs() < 1e-12);
    }
}
