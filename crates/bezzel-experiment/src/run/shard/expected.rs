//! The expected time of jobs, from rows of the same experiment, and the range in which the time of a run is expected.
//!
//! Instances of one size differ, and larger ones may be much harder. So the time left is a range: its width follows from the
//! differences between the instances that have run.

use std::collections::{BTreeMap, HashMap, HashSet};

use bezzel_problem::Instance;

use crate::model::job::PlannedJob;
use crate::model::job::{Job, Task};
use crate::model::row::Row;

/// The fraction of its CPU limit that a job is expected to need if nothing was measured.
const OF_LIMIT: f64 = 0.1;

/// The exponent of the growth of times with the size of instances, as long as one size is measured.
const EXPONENT: f64 = 2.0;

/// The largest factor by which a time is expected to grow from the largest measured size to a larger one.
const MOST_GROWTH: f64 = 10.0;

/// The number of standard deviations on each side of a range.
const DEVIATIONS: f64 = 1.5;

/// The factor on each side of a range for sizes of which nothing has run.
const UNSEEN: f64 = 3.0;

/// The least relative deviation of jobs whose instance has run, and the least variance between instances.
const LEAST_DEVIATION: f64 = 0.2;
const LEAST_VARIANCE: f64 = 0.05;

/// The number of jobs from which on an instance is known.
const KNOWN_JOBS: u32 = 3;

/// The parts of a job that determine its expected time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Cell {
    instance: Instance,
    arm: Arm,
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

/// The times by the size of instances.
type BySize = BTreeMap<u32, Mean>;

/// The expected time of jobs, by the rows that were added.
#[derive(Clone, Debug, Default)]
struct ExpectedTimes {
    cells: HashMap<Cell, Mean>,
    /// On the instances of a kind.
    arms: HashMap<(&'static str, Arm), BySize>,
    /// Over all arms.
    kinds: HashMap<(&'static str, Task), BySize>,
    /// On all kinds.
    anywhere: HashMap<Arm, Mean>,
    all: Mean,
    /// Over all arms.
    instances: HashMap<Instance, Mean>,
    of_size: HashMap<Size, HashSet<Instance>>,
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
        let (kind, size) = cell.size();
        let of_arm = self.arms.entry((kind, cell.arm.clone())).or_default();
        let of_kind = self.kinds.entry((kind, cell.arm.task)).or_default();
        for mean in [
            of_arm.entry(size).or_default(),
            of_kind.entry(size).or_default(),
            self.anywhere.entry(cell.arm.clone()).or_default(),
            self.instances.entry(cell.instance.clone()).or_default(),
            &mut self.all,
        ] {
            mean.take(wall_s);
        }
        self.of_size.entry((kind, size)).or_default().insert(cell.instance.clone());
        self.cells.entry(cell).or_default().take(wall_s);
    }

    /// Returns the expected time of a job, in seconds: the mean over the rows of its arm on its instance, else on
    /// instances of its kind and size, else extrapolated from smaller ones; else the same over all arms; else the mean of
    /// its arm on other kinds, or of all rows; none without rows.
    fn measured_s(&self, cell: &Cell, limit_s: f64) -> Option<f64> {
        if let Some(own) = self.cells.get(cell) {
            return Some(own.value());
        }
        let (kind, size) = cell.size();
        let of_arm = self.arms.get(&(kind, cell.arm.clone()));
        let of_kind = self.kinds.get(&(kind, cell.arm.task));
        let of_arm = of_arm.and_then(|means| of_size(means, size, limit_s));
        let of_kind = || of_kind.and_then(|means| of_size(means, size, limit_s));
        let any = || self.anywhere.get(&cell.arm).copied();
        let all = || Some(self.all).filter(|all| all.number > 0);
        of_arm.or_else(of_kind).or_else(|| any().or_else(all).map(Mean::value))
    }

    /// The relative variance between the mean times of the instances of a size; none for fewer than two.
    fn variance(&self, instances: &HashSet<Instance>) -> Option<f64> {
        let means: Vec<f64> =
            instances.iter().map(|instance| self.instances[instance].value()).collect();
        let number = means.len() as f64;
        let mean = means.iter().sum::<f64>() / number;
        let squares = means.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        (means.len() > 1 && mean > 0.0).then(|| squares / (number - 1.0) / (mean * mean))
    }

    /// The mean of the variances of the sizes that have several instances.
    fn usual_variance(&self) -> f64 {
        let mut all = Mean::default();
        let found = self.of_size.values().filter_map(|instances| self.variance(instances));
        found.for_each(|variance| all.take(variance));
        if all.number == 0 { 1.0 } else { all.value() }
    }
}

/// The mean of one size, or that of the largest smaller size, which grows by the power of the size that the two largest
/// ones have shown.
fn of_size(means: &BySize, size: u32, limit_s: f64) -> Option<f64> {
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
    /// The wall time of the rows of this run, in seconds.
    taken_s: f64,
}

/// The expected time of the rest of a run, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeLeft {
    /// The expected time.
    pub seconds: f64,
    /// The factor by which it may be shorter or longer.
    pub factor: f64,
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
    pub fn after(&self, gone_s: f64) -> Option<TimeLeft> {
        let expected = &self.expected;
        // The time on instances that have run, that on the others of each size with their number, and that on new sizes.
        let (mut known_s, mut unseen_s) = (0.0, 0.0);
        let mut others: BTreeMap<Size, (f64, HashSet<&Instance>)> = BTreeMap::new();
        for (cell, &(number, prior_s)) in self.left.iter().filter(|(_, left)| left.0 > 0) {
            let jobs = number as f64;
            let measured = expected.measured_s(cell, prior_s / jobs / OF_LIMIT);
            let of_cell = measured.map_or(prior_s, |mean| mean * jobs);
            let of_instance = expected.instances.get(&cell.instance);
            if of_instance.is_some_and(|mean| mean.number >= KNOWN_JOBS) {
                known_s += of_cell;
            } else if expected.of_size.contains_key(&cell.size()) {
                let (seconds, instances) = others.entry(cell.size()).or_default();
                *seconds += of_cell;
                instances.insert(&cell.instance);
            } else {
                unseen_s += of_cell;
            }
        }
        let usual = expected.usual_variance();
        let mut variance = (LEAST_DEVIATION * known_s).powi(2);
        let mut left_s = known_s + unseen_s;
        for (size, (seconds, instances)) in others {
            let ran = &expected.of_size[&size];
            let of_instances = expected.variance(ran).unwrap_or(usual).max(LEAST_VARIANCE);
            let numbers = 1.0 / instances.len() as f64 + 1.0 / ran.len() as f64;
            variance += seconds * seconds * of_instances * numbers;
            left_s += seconds;
        }
        if self.taken_s <= 0.0 {
            return None;
        }
        let factor = if left_s > 0.0 {
            let deviation = (variance / (left_s * left_s)).ln_1p().sqrt();
            (DEVIATIONS * deviation).exp() * (1.0 + (UNSEEN - 1.0) * unseen_s / left_s)
        } else {
            1.0
        };
        Some(TimeLeft { seconds: left_s * gone_s / self.taken_s, factor })
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
        let seconds = |left: &RemainingTime, gone_s| left.after(gone_s).unwrap().seconds;
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
        assert_eq!(left.after(100.0), Some(TimeLeft { seconds: 0.0, factor: 1.0 }));
        // A larger instance takes ten times as long at most, under the other arm as well.
        let mut left = RemainingTime::new(&plan.jobs, []);
        left.take(&row(6, "binary", 1.0));
        let found = seconds(&left, 1.0);
        assert!((found - 21.0).abs() < 1e-9, "one like it, and twice 10 s: {found}");
        let before = left.after(1.0).unwrap().factor;
        left.take(&row(20, "binary", 6.0));
        let after = left.after(7.0).unwrap().factor;
        assert!(before > 2.5 && after > 1.5, "one instance of a size: {before} {after}");
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
        assert_eq!(measured(20, "binary"), Some(30.0));
        assert_eq!(measured(20, "pairwise"), Some(30.0), "at most ten times");
    }
}
