//! How long jobs may take: what rows of the same experiment say, else a guess.

use std::collections::HashMap;

use crate::model::job::Planned;
use crate::model::job::{Job, Task};
use crate::model::row::Row;
use crate::results::store::{Brief, BriefBoard, BriefJob};

/// So much of its CPU limit a job is taken to need of which nothing like it was measured.
const OF_LIMIT: f64 = 0.1;

/// What jobs are expected to take, by the rows that it has learnt from.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// By board, encoding, solver and task.
    cells: HashMap<BriefJob, Mean>,
    /// By the rows of the board and the task: the time of others.
    sides: HashMap<(Option<BriefBoard>, Task), Mean>,
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

impl Expected {
    /// Takes what a row says: wall time, that of limits included, since others meet them as well.
    pub fn learn(&mut self, row: &Brief) {
        if row.is_settled() {
            self.learn_of(&row.job, row.wall_s);
        }
    }

    fn learn_of(&mut self, job: &BriefJob, wall_s: f64) {
        let (side, task) = (job.board, job.task);
        self.sides.entry((side, task)).or_default().take(wall_s);
        match self.cells.get_mut(job) {
            Some(mean) => mean.take(wall_s),
            None => self.cells.entry(job.clone()).or_default().take(wall_s),
        }
    }

    /// How long a job may take, in seconds: the mean of those of its encoding and solver on boards of as many
    /// rows, whatever else they differ in, else of all on such boards; nothing if there is none.
    pub fn measured_s(&self, planned: &Planned) -> Option<f64> {
        self.measured_of(&BriefJob::from(&planned.job))
    }

    fn measured_of(&self, job: &BriefJob) -> Option<f64> {
        let own = self.cells.get(job);
        let mean = own.or_else(|| self.sides.get(&(job.board, job.task)));
        mean.map(|mean| mean.value())
    }

    /// The same, or a [guess](prior_s).
    pub fn seconds(&self, planned: &Planned) -> f64 {
        self.measured_s(planned).unwrap_or_else(|| prior_s(planned))
    }
}

/// What a job is taken to need of which nothing like it was measured, in seconds. Nobody knows what solving
/// takes: a tenth of its limit, so that nothing is taken for nothing.
pub fn prior_s(planned: &Planned) -> f64 {
    prior_of(&planned.job)
}

fn prior_of(job: &Job) -> f64 {
    OF_LIMIT * job.limits.cpu_s
}

/// The jobs that are left of a run, and how long they may take: weighted by what each is expected to take,
/// and not by their number.
#[derive(Clone, Debug)]
pub struct Remaining {
    expected: Expected,
    /// Of each kind, how many are left, and what they are taken to need together if nothing was measured.
    left: HashMap<BriefJob, (usize, f64)>,
    /// What the rows of this run say that they took, in seconds.
    taken_s: f64,
}

impl Remaining {
    /// All of these jobs; `known` are rows from which it is learnt how long they may take.
    pub fn new<'a>(jobs: &[Planned], known: impl IntoIterator<Item = &'a Row>) -> Self {
        let mut expected = Expected::default();
        for row in known.into_iter().filter(|row| row.is_settled()) {
            expected.learn_of(&BriefJob::from(&row.job), row.wall_s);
        }
        let mut left: HashMap<BriefJob, (usize, f64)> = HashMap::new();
        for Planned { job, .. } in jobs {
            let (number, prior_s) = left.entry(BriefJob::from(job)).or_default();
            *number += 1;
            *prior_s += prior_of(job);
        }
        Self { expected, left, taken_s: 0.0 }
    }

    /// Takes a row of the run: its job is no longer left.
    pub fn take(&mut self, row: &Row) {
        let job = BriefJob::from(&row.job);
        self.taken_s += row.wall_s;
        if let Some((number, prior_s)) = self.left.get_mut(&job) {
            *number = number.saturating_sub(1);
            *prior_s = (*prior_s - prior_of(&row.job)).max(0.0);
        }
        if row.is_settled() {
            self.expected.learn_of(&job, row.wall_s);
        }
    }

    /// How long the rest of a run may take that has gone on for so long; nothing before its first row. As
    /// many jobs at a time, and as much between them, are expected as until now.
    pub fn seconds(&self, gone_s: f64) -> Option<f64> {
        let of_kind = |(job, &(number, prior_s)): (&BriefJob, &(usize, f64))| match number {
            0 => 0.0,
            _ => self.expected.measured_of(job).map_or(prior_s, |mean| mean * number as f64),
        };
        let left_s: f64 = self.left.iter().map(of_kind).sum();
        (self.taken_s > 0.0).then(|| left_s * gone_s / self.taken_s)
    }

    /// Whether nothing like it was measured of more than a quarter of the jobs that are left.
    pub fn is_guess(&self) -> bool {
        let guessed =
            |(job, _): &(&BriefJob, &(usize, f64))| self.expected.measured_of(job).is_none();
        let number = |(_, (number, _)): (&BriefJob, &(usize, f64))| *number;
        let guesses: usize = self.left.iter().filter(guessed).map(number).sum();
        let all: usize = self.left.iter().map(number).sum();
        4 * guesses > all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::workbench::Workbench;
    use crate::config::Config;
    use crate::model::row::Stop;
    use crate::plan::Plan;
    use crate::results::store::{OfRow, seal};

    const CONFIG: &str = "\
name: t
boards: [{size: [6, 20]}]
encodings: [pairwise, binary]
solvers: [batsat]
";

    fn brief(planned: &Planned, wall_s: f64, stop: Stop) -> Brief {
        let row = Row { wall_s, ..Row::blank(planned.clone(), stop) };
        let line = String::from_utf8(seal::sealed(&row)).unwrap();
        let (body, _) = line.split_once(",\"seal\"").unwrap();
        Brief::read(format!("{body}}}").as_bytes()).unwrap()
    }

    #[test]
    fn what_is_left_is_weighted_by_what_each_job_is_expected_to_take() {
        let workbench = Workbench::standard();
        let config = Config::parse(CONFIG, "a test", &workbench).unwrap();
        let plan = Plan::new(&config, &workbench).unwrap();
        assert_eq!(plan.jobs.len(), 4);
        let row = |side: u32, encoding: &str, wall_s: f64| {
            let wanted =
                |job: &&Planned| job.job.instance.size() == side && job.job.encoding == encoding;
            let job = plan.jobs.iter().find(wanted).unwrap();
            Row { wall_s, ..Row::blank(job.clone(), Stop::Finished) }
        };
        let known = [row(20, "pairwise", 100.0), row(20, "binary", 50.0), row(6, "binary", 1.0)];
        let mut left = Remaining::new(&plan.jobs, &known);
        assert_eq!(left.seconds(3.0), None, "nothing has ended");
        left.take(&row(6, "pairwise", 1.0));
        // A quarter of the jobs is done, and less than a hundredth of the work; what goes on between jobs
        // took as long as these.
        let seconds = left.seconds(2.0).unwrap();
        assert!((seconds - 302.0).abs() < 1e-9, "{seconds}");
        left.take(&row(20, "pairwise", 100.0));
        // Two at a time.
        let seconds = left.seconds(50.5).unwrap();
        assert!((seconds - 25.5).abs() < 1e-9, "{seconds}");
        left.take(&row(6, "binary", 1.0));
        left.take(&row(20, "binary", 60.0));
        assert_eq!(left.seconds(100.0), Some(0.0));
        // Of what nothing is known a tenth of the limit is taken.
        let mut left = Remaining::new(&plan.jobs, []);
        left.take(&row(6, "binary", 1.0));
        let seconds = left.seconds(1.0).unwrap();
        assert!((seconds - 13.0).abs() < 1e-9, "one like it and twice 6 s: {seconds}");
        assert!(left.is_guess());
        left.take(&row(20, "binary", 6.0));
        assert!(!left.is_guess());
    }

    #[test]
    fn own_rows_tell_most_then_those_of_the_same_side_then_the_formula() {
        let workbench = Workbench::standard();
        let config = Config::parse(CONFIG, "a test", &workbench).unwrap();
        let plan = Plan::new(&config, &workbench).unwrap();
        let find = |side: u32, encoding: &str| {
            let wanted =
                |job: &&Planned| job.job.instance.size() == side && job.job.encoding == encoding;
            plan.jobs.iter().find(wanted).unwrap()
        };
        let mut expected = Expected::default();
        expected.learn(&brief(find(6, "pairwise"), 2.0, Stop::Finished));
        expected.learn(&brief(find(6, "pairwise"), 4.0, Stop::WallLimit));
        expected.learn(&brief(find(6, "pairwise"), 99.0, Stop::HostError));
        assert_eq!(expected.measured_s(find(6, "pairwise")), Some(3.0));
        assert_eq!(expected.measured_s(find(6, "binary")), Some(3.0));
        assert_eq!(expected.measured_s(find(20, "binary")), None);
        let guess = prior_s(find(20, "pairwise"));
        assert!((guess - 6.0).abs() < 1e-9, "a tenth of a minute");
        assert!((expected.seconds(find(20, "pairwise")) - guess).abs() < 1e-12);
    }
}
