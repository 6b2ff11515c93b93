//! The first jobs of a run, and the expected time of the others.
//!
//! A tenth of the jobs, drawn by a seed, runs first, so that jobs of all sizes and arms were measured when a tenth of the run
//! is over. The other jobs run instance by instance, small ones first, as they are planned.

use std::collections::HashMap;

use bezzel_problem::Instance;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::model::job::PlannedJob;
use crate::model::job::{Job, Task};
use crate::model::row::Row;

/// The seed of the draw of the first jobs.
const SEED: u64 = 2;

/// The least number of jobs that are drawn.
const LEAST_DRAWN: usize = 10;

/// The number of successive jobs of which one is drawn, if there are many jobs.
const DRAWN_OF: usize = 10;

/// A time is expected after one in 50 jobs.
const KNOWN_OF: usize = 50;

/// The fraction of its CPU limit that a job is expected to need if nothing was measured.
const OF_LIMIT: f64 = 0.1;

/// Moves a tenth of these jobs to the front, and at least ten: one of each few successive jobs, in random order. The other
/// jobs keep their order.
pub fn sample_first<T>(jobs: &mut Vec<T>) {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let step = (jobs.len() / LEAST_DRAWN).clamp(1, DRAWN_OF);
    let (mut drawn, mut others) = (Vec::new(), Vec::new());
    let mut jobs_left = std::mem::take(jobs).into_iter().peekable();
    while jobs_left.peek().is_some() {
        let mut part: Vec<T> = jobs_left.by_ref().take(step).collect();
        let place = random.random_range(0..part.len());
        drawn.push(part.remove(place));
        others.append(&mut part);
    }
    drawn.shuffle(&mut random);
    jobs.extend(drawn.into_iter().chain(others));
}

/// An encoding, a solver and a task.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Arm {
    encoding: String,
    solver: String,
    task: Task,
}

/// A kind and a size of instances.
type Size = (&'static str, u32);

/// The parts of a job that determine its expected time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Cell {
    instance: Instance,
    arm: Arm,
}

impl From<&Job> for Cell {
    fn from(job: &Job) -> Self {
        let Job { instance, encoding, solver, task, .. } = job;
        let arm = Arm { encoding: encoding.clone(), solver: solver.clone(), task: *task };
        Self { instance: instance.clone(), arm }
    }
}

impl Cell {
    fn size(&self) -> Size {
        (self.instance.kind(), self.instance.size())
    }
}

/// The mean times of the jobs that were measured, from the narrowest group of jobs to the widest.
#[derive(Clone, Debug, Default)]
struct ExpectedTimes {
    cells: HashMap<Cell, Mean>,
    arms_by_size: HashMap<(Size, Arm), Mean>,
    sizes: HashMap<Size, Mean>,
    arms: HashMap<Arm, Mean>,
    all: Mean,
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
        if !row.is_settled() {
            return;
        }
        let cell = Cell::from(&row.job);
        let (size, arm) = (cell.size(), cell.arm.clone());
        for mean in [
            self.arms_by_size.entry((size, arm.clone())).or_default(),
            self.sizes.entry(size).or_default(),
            self.arms.entry(arm).or_default(),
            self.cells.entry(cell).or_default(),
            &mut self.all,
        ] {
            mean.take(row.wall_s);
        }
    }

    /// Returns the expected time of a job, in seconds: the mean of the narrowest group that was measured; none without rows.
    fn of(&self, cell: &Cell) -> Option<f64> {
        let (size, arm) = (cell.size(), &cell.arm);
        let own = self.cells.get(cell);
        let found = own
            .or_else(|| self.arms_by_size.get(&(size, arm.clone())))
            .or_else(|| self.sizes.get(&size))
            .or_else(|| self.arms.get(arm))
            .or(Some(&self.all));
        found.filter(|mean| mean.number > 0).map(|mean| mean.value())
    }
}

/// Returns the expected time of a job if nothing was measured, in seconds: a tenth of its CPU limit, since the
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
    number: usize,
    taken: usize,
    /// The wall time of the rows of this run, in seconds.
    taken_s: f64,
}

impl RemainingTime {
    /// Returns all of these jobs as remaining; `known` are rows that determine expected times.
    pub fn new<'a>(jobs: &[PlannedJob], known: impl IntoIterator<Item = &'a Row>) -> Self {
        let mut expected = ExpectedTimes::default();
        known.into_iter().for_each(|row| expected.add(row));
        let mut left: HashMap<Cell, (usize, f64)> = HashMap::new();
        for PlannedJob { job, .. } in jobs {
            let (number, own_s) = left.entry(Cell::from(job)).or_default();
            *number += 1;
            *own_s += prior_s(job);
        }
        Self { expected, left, number: jobs.len(), taken: 0, taken_s: 0.0 }
    }

    /// Adds a row of the run, and removes its job from the remaining ones.
    pub fn take(&mut self, row: &Row) {
        self.taken += 1;
        self.taken_s += row.wall_s;
        if let Some((number, own_s)) = self.left.get_mut(&Cell::from(&row.job)) {
            *number = number.saturating_sub(1);
            *own_s = (*own_s - prior_s(&row.job)).max(0.0);
        }
        self.expected.add(row);
    }

    /// Returns the expected time of the rest of a run that has lasted `gone_s` seconds, in seconds; none before one in 50
    /// jobs has ended. It assumes the same parallelism and the same time between jobs as so far.
    pub fn after(&self, gone_s: f64) -> Option<f64> {
        let left = self.left.iter().filter(|(_, left)| left.0 > 0);
        let expected = left.map(|(cell, &(number, prior_s))| {
            self.expected.of(cell).map_or(prior_s, |mean| mean * number as f64)
        });
        let left_s: f64 = expected.sum();
        let is_known = self.taken > 0 && self.taken * KNOWN_OF >= self.number && self.taken_s > 0.0;
        is_known.then(|| left_s * gone_s / self.taken_s)
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

    /// The planned jobs of [`CONFIG`], and a function that makes the row of one of them.
    fn jobs_and_rows() -> (Vec<PlannedJob>, impl Fn(u32, &str, f64) -> Row) {
        let catalog = Catalog::of_tests();
        let config = Config::parse(CONFIG, "a test", &catalog).unwrap();
        let jobs = Plan::new(&config, &catalog).unwrap().jobs;
        let own = jobs.clone();
        let row = move |size: u32, encoding: &str, wall_s: f64| {
            let wanted =
                |job: &&PlannedJob| job.job.instance.size() == size && job.job.encoding == encoding;
            let job = own.iter().find(wanted).unwrap();
            Row { wall_s, ..Row::blank(job.clone(), Termination::Finished) }
        };
        (jobs, row)
    }

    #[test]
    fn remaining_jobs_are_weighted_by_their_expected_times() {
        let (jobs, row) = jobs_and_rows();
        assert_eq!(jobs.len(), 4);
        let known = [row(20, "pairwise", 100.0), row(20, "binary", 50.0), row(6, "binary", 1.0)];
        let mut left = RemainingTime::new(&jobs, &known);
        let seconds = |left: &RemainingTime, gone_s| left.after(gone_s).unwrap();
        assert_eq!(left.after(3.0), None, "nothing has ended");
        left.take(&row(6, "pairwise", 1.0));
        // A quarter of the jobs is done, and less than a hundredth of the work. The time between jobs was as long as
        // the jobs.
        let found = seconds(&left, 2.0);
        assert!((found - 302.0).abs() < 1e-9, "{found}");
        left.take(&row(20, "pairwise", 100.0));
        // Two jobs run at a time.
        let found = seconds(&left, 50.5);
        assert!((found - 25.5).abs() < 1e-9, "{found}");
        left.take(&row(6, "binary", 1.0));
        left.take(&row(20, "binary", 60.0));
        assert_eq!(left.after(100.0), Some(0.0));
    }

    #[test]
    fn a_time_is_expected_from_the_narrowest_group_of_jobs_that_was_measured() {
        let (_, row) = jobs_and_rows();
        let mut expected = ExpectedTimes::default();
        let cell = |size, encoding| Cell::from(&row(size, encoding, 0.0).job);
        assert_eq!(expected.of(&cell(6, "binary")), None);
        expected.add(&row(6, "pairwise", 2.0));
        expected.add(&Row { termination: Termination::WallLimit, ..row(6, "pairwise", 4.0) });
        expected.add(&Row { termination: Termination::HostError, ..row(6, "pairwise", 99.0) });
        let means = |expected: &ExpectedTimes| {
            [(6, "pairwise"), (6, "binary"), (20, "pairwise"), (20, "binary")]
                .map(|(size, encoding)| expected.of(&cell(size, encoding)).unwrap().to_string())
        };
        assert_eq!(means(&expected), ["3", "3", "3", "3"]);
        expected.add(&row(20, "binary", 12.0));
        assert_eq!(means(&expected), ["3", "3", "12", "12"]);
    }

    #[test]
    fn no_time_is_expected_before_one_in_fifty_jobs_has_ended() {
        let (jobs, row) = jobs_and_rows();
        let many: Vec<PlannedJob> = jobs.iter().cycle().take(200).cloned().collect();
        let mut left = RemainingTime::new(&many, []);
        for done in 1..=4 {
            left.take(&row(6, "binary", 1.0));
            assert_eq!(left.after(f64::from(done)).is_some(), done == 4, "{done}");
        }
    }

    #[test]
    fn a_tenth_of_the_jobs_runs_first_one_of_each_ten_and_the_others_keep_their_order() {
        for (number, drawn) in
            [(0, 0), (7, 7), (19, 19), (20, 10), (57, 12), (100, 10), (1_003, 101)]
        {
            let mut jobs: Vec<usize> = (0..number).collect();
            sample_first(&mut jobs);
            let (first, others) = jobs.split_at(drawn);
            let mut sorted = first.to_vec();
            sorted.sort_unstable();
            let step = (number / 10).clamp(1, 10);
            let parts: Vec<usize> = sorted.iter().map(|job| job / step).collect();
            assert_eq!(parts, (0..drawn).collect::<Vec<_>>(), "{number}");
            assert!(drawn == 0 || first != sorted, "{number}: not in random order");
            assert!(others.is_sorted());
            let mut all = jobs.clone();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..number));
        }
    }
}
