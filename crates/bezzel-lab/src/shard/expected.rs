//! How long jobs may take: what rows of the same experiment say, else a guess.

use std::collections::HashMap;

use crate::job::Task;
use crate::plan::Planned;
use crate::store::{Brief, BriefBoard, BriefJob};

/// So much of its CPU limit a job is taken to need of which nothing like it was measured.
const OF_LIMIT: f64 = 0.1;

/// What jobs are expected to take, by the rows that it has learnt from.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// By board, encoding, solver and task.
    cells: HashMap<BriefJob, Mean>,
    /// By the board's rows and the task: what others took.
    sides: HashMap<(u32, Task), Mean>,
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
        if !row.is_settled() {
            return;
        }
        let (side, task) = (row.job.board.size, row.job.task);
        self.sides.entry((side, task)).or_default().take(row.wall_s);
        match self.cells.get_mut(&row.job) {
            Some(mean) => mean.take(row.wall_s),
            None => self.cells.entry(row.job.clone()).or_default().take(row.wall_s),
        }
    }

    /// How long a job may take, in seconds: the mean of those of its encoding and solver on boards of as many
    /// rows, whatever else they differ in, else of all on such boards; nothing if there is none.
    pub fn measured_s(&self, planned: &Planned) -> Option<f64> {
        let job = &planned.job;
        let board = BriefBoard { size: job.board.rows() };
        let (encoding, solver) = (job.encoding.clone(), job.solver.clone());
        let own = self.cells.get(&BriefJob { board, encoding, solver, task: job.task });
        let mean = own.or_else(|| self.sides.get(&(board.size, job.task)));
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
    OF_LIMIT * planned.job.limits.cpu_s
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::plan::Plan;
    use crate::row::{Row, Stop};
    use crate::store::{OfRow, seal};
    use crate::workbench::Workbench;

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
    fn own_rows_tell_most_then_those_of_the_same_side_then_the_formula() {
        let workbench = Workbench::standard();
        let config = Config::parse(CONFIG, "a test", &workbench).unwrap();
        let plan = Plan::new(&config, &workbench).unwrap();
        let find = |side: u32, encoding: &str| {
            let wanted =
                |job: &&Planned| job.job.board.rows() == side && job.job.encoding == encoding;
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
