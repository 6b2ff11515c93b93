//! The expected time of jobs, from rows of the same experiment, else a guess.

use std::collections::{BTreeMap, HashMap};

use bezzel_problem::Instance;

use crate::model::job::PlannedJob;
use crate::model::job::{Job, Task};
use crate::model::row::Row;

/// The fraction of its CPU limit that a job is expected to need if no similar job was measured.
const OF_LIMIT: f64 = 0.1;

/// The exponent of the growth of times with the size of instances, as long as one size is measured.
const EXPONENT: f64 = 2.0;

/// The largest factor by which a time is expected to grow from the largest measured size to a larger one.
const MOST_GROWTH: f64 = 10.0;

/// The parts of a job that determine its expected time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Cell {
    instance: Instance,
    arm: Arm,
}

/// An encoding and a solver on instances of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Arm {
    kind: &'static str,
    encoding: String,
    solver: String,
    task: Task,
}

impl From<&Job> for Cell {
    fn from(job: &Job) -> Self {
        let Job { instance, encoding, solver, task, .. } = job;
        let (encoding, solver) = (encoding.clone(), solver.clone());
        let arm = Arm { kind: instance.kind(), encoding, solver, task: *task };
        Self { instance: instance.clone(), arm }
    }
}

impl Cell {
    fn size(&self) -> (&'static str, u32, Task) {
        (self.arm.kind, self.instance.size(), self.arm.task)
    }
}

/// The expected time of jobs, by the rows that were added.
#[derive(Clone, Debug, Default)]
struct ExpectedTimes {
    cells: HashMap<Cell, Mean>,
    /// By the size of the instance.
    arms: HashMap<Arm, BTreeMap<u32, Mean>>,
    /// Over all arms.
    sizes: HashMap<(&'static str, u32, Task), Mean>,
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
    fn add(&mut self, row: &Row) {
        if row.is_settled() {
            self.add_job(Cell::from(&row.job), row.wall_s);
        }
    }

    fn add_job(&mut self, cell: Cell, wall_s: f64) {
        self.sizes.entry(cell.size()).or_default().take(wall_s);
        let sizes = self.arms.entry(cell.arm.clone()).or_default();
        sizes.entry(cell.instance.size()).or_default().take(wall_s);
        self.cells.entry(cell).or_default().take(wall_s);
    }

    /// Returns the expected time of a job, in seconds: the mean over the rows of its encoding, solver and task on its
    /// instance, else on instances of the same kind and size, else extrapolated from smaller ones; else the mean over
    /// all rows of the task on such instances; none if there is no such row.
    fn measured_s(&self, cell: &Cell, limit_s: f64) -> Option<f64> {
        let own = self.cells.get(cell).map(|mean| mean.value());
        let size = cell.instance.size();
        let of_arm = || of_size(self.arms.get(&cell.arm)?, size, limit_s);
        own.or_else(of_arm).or_else(|| Some(self.sizes.get(&cell.size())?.value()))
    }
}

/// The mean of one size, or that of the largest smaller size, which grows by the power of the size that the two largest
/// ones have shown.
fn of_size(means: &BTreeMap<u32, Mean>, size: u32, limit_s: f64) -> Option<f64> {
    if let Some(mean) = means.get(&size) {
        return Some(mean.value());
    }
    let mut smaller = means.range(..size).rev();
    let (&last, mean) = smaller.next()?;
    let ratio = |a: u32, b: u32| f64::from(a) / f64::from(b.max(1));
    let exponent = smaller.next().map_or(EXPONENT, |(&first, before)| {
        let growth = mean.value().max(1e-4) / before.value().max(1e-4);
        (growth.ln() / ratio(last, first).ln()).max(0.0)
    });
    let growth = ratio(size, last).powf(exponent).min(MOST_GROWTH);
    Some((mean.value() * growth).min(limit_s.max(mean.value())))
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
    left: HashMap<Cell, (usize, f64)>,
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
        let mut left: HashMap<Cell, (usize, f64)> = HashMap::new();
        for PlannedJob { job, .. } in jobs {
            let (number, own_s) = left.entry(Cell::from(job)).or_default();
            *number += 1;
            *own_s += prior_s(job);
        }
        Self { expected, left, taken_s: 0.0 }
    }

    /// Adds a row of the run, and removes its job from the remaining ones.
    pub fn take(&mut self, row: &Row) {
        let job = Cell::from(&row.job);
        self.taken_s += row.wall_s;
        if let Some((number, own_s)) = self.left.get_mut(&job) {
            *number = number.saturating_sub(1);
            *own_s = (*own_s - prior_s(&row.job)).max(0.0);
        }
        if row.is_settled() {
            self.expected.add_job(job, row.wall_s);
        }
    }

    /// Returns the expected time of the rest of a run that has lasted `gone_s` seconds; none before its first row. It
    /// assumes the same parallelism and the same time between jobs as so far.
    pub fn seconds(&self, gone_s: f64) -> Option<f64> {
        let of_kind = |(cell, &(number, prior_s)): (&Cell, &(usize, f64))| match number {
            0 => 0.0,
            _ => self.measured(cell, number, prior_s).map_or(prior_s, |mean| mean * number as f64),
        };
        let left_s: f64 = self.left.iter().map(of_kind).sum();
        (self.taken_s > 0.0).then(|| left_s * gone_s / self.taken_s)
    }

    /// The expected time of one of the remaining jobs of a cell, whose guesses together are `prior_s`.
    fn measured(&self, cell: &Cell, number: usize, prior_s: f64) -> Option<f64> {
        self.expected.measured_s(cell, prior_s / number as f64 / OF_LIMIT)
    }

    /// Returns true if no similar job was measured for more than a quarter of the remaining jobs.
    pub fn is_guess(&self) -> bool {
        let guessed = |&(cell, &(number, prior_s)): &(&Cell, &(usize, f64))| {
            number > 0 && self.measured(cell, number, prior_s).is_none()
        };
        let number = |(_, (number, _)): (&Cell, &(usize, f64))| *number;
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
        // Without rows a tenth of the limit is expected, and a larger instance takes ten times as long at most.
        let mut left = RemainingTime::new(&plan.jobs, []);
        left.take(&row(6, "binary", 1.0));
        let seconds = left.seconds(1.0).unwrap();
        assert!((seconds - 17.0).abs() < 1e-9, "one like it, 10 s and 6 s: {seconds}");
        assert!(left.is_guess());
        left.take(&row(20, "binary", 6.0));
        assert!(!left.is_guess());
    }

    #[test]
    fn times_are_expected_from_own_rows_then_from_smaller_ones_then_from_the_same_size() {
        let catalog = Catalog::of_tests();
        let config = Config::parse(CONFIG, "a test", &catalog).unwrap();
        let plan = Plan::new(&config, &catalog).unwrap();
        let find = |side: u32, encoding: &str| {
            let wanted =
                |job: &&PlannedJob| job.job.instance.size() == side && job.job.encoding == encoding;
            plan.jobs.iter().find(wanted).unwrap()
        };
        let cell = |side, encoding| Cell::from(&find(side, encoding).job);
        let mut expected = ExpectedTimes::default();
        expected.add(&timed(find(6, "pairwise"), 2.0, Termination::Finished));
        expected.add(&timed(find(6, "pairwise"), 4.0, Termination::WallLimit));
        expected.add(&timed(find(6, "pairwise"), 99.0, Termination::HostError));
        let measured = |side, encoding| expected.measured_s(&cell(side, encoding), 60.0);
        assert_eq!(measured(6, "pairwise"), Some(3.0));
        assert_eq!(measured(6, "binary"), Some(3.0));
        assert_eq!(measured(20, "binary"), None);
        assert_eq!(measured(20, "pairwise"), Some(30.0), "at most ten times");
    }
}
