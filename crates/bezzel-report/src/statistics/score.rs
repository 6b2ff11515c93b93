//! `PARk`: the penalised average time, a run that has no answer counted as k times its limit.

use bezzel_lab::Row;

use super::cell::counts;
use super::panel::Panel;

/// Penalised times of several runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalised {
    /// The number of runs that count.
    pub runs: usize,
    /// The number of these that have an answer.
    pub solved: usize,
    /// The sum, in CPU seconds. Competitions call this `PARk` as well.
    pub sum_s: f64,
}

impl Penalised {
    /// The mean, in CPU seconds: what is meant by `PARk` here.
    pub fn mean_s(&self) -> f64 {
        self.sum_s / self.runs as f64
    }
}

/// The solve times of rows, in CPU seconds, where a run without an answer counts as `factor` times
/// its CPU limit: 2 for PAR2, 10 for PAR10. A wrong answer counts not at all, nor does a run that
/// somebody else killed or that never was.
///
/// None if no row counts.
pub fn penalised(rows: &[&Row], factor: f64) -> Option<Penalised> {
    let mut score = Penalised { runs: 0, solved: 0, sum_s: 0.0 };
    for row in rows.iter().filter(|row| counts(row)) {
        let time = match row.solve_cpu_s {
            _ if !row.solved() => factor * row.job.limits.cpu_s,
            Some(time) => time,
            None => continue,
        };
        score.runs += 1;
        score.solved += usize::from(row.solved());
        score.sum_s += time;
    }
    (score.runs > 0).then_some(score)
}

/// PAR2, as a mean in CPU seconds; none if no row counts.
pub fn par2(rows: &[&Row]) -> Option<f64> {
    penalised(rows, 2.0).map(|score| score.mean_s())
}

/// The penalised average of an arm over the instances on which it was measured: the mean over
/// instances of the means of their replicates, so that an instance of many replicates counts as one
/// of few. What is over the limit counts as `factor` times what it took at least.
pub fn over_instances(panel: &Panel, arm: usize, factor: f64) -> Option<f64> {
    let places = (0..panel.instances().len()).map(|place| panel.replicates(arm, place));
    let means: Vec<f64> = places
        .filter(|replicates| !replicates.is_empty())
        .map(|replicates| {
            let each = replicates
                .iter()
                .map(|seen| if seen.is_over() { factor * seen.bound() } else { seen.bound() });
            each.sum::<f64>() / replicates.len() as f64
        })
        .collect();
    (!means.is_empty()).then(|| means.iter().sum::<f64>() / means.len() as f64)
}

/// How many instances an arm solves, as its median has it: in more than half of its runs.
pub fn solved(panel: &Panel, arm: usize) -> usize {
    panel.medians(arm).iter().flatten().filter(|median| !median.is_over()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{killed, skipped, solved as row, timed_out, wrong};
    use crate::statistics::observation::Observation::{AtLeast, Exact};
    use crate::statistics::panel::Instance;

    #[test]
    fn a_time_out_counts_so_many_times_its_limit() {
        // Limits of 5 s: 1 + 2 + 10, and with 50 for PAR10.
        let rows = [row(1.0), row(2.0), timed_out()];
        let rows: Vec<_> = rows.iter().collect();
        assert!((par2(&rows).unwrap() - 13.0 / 3.0).abs() < 1e-12);
        let ten = penalised(&rows, 10.0).unwrap();
        assert_eq!((ten.runs, ten.solved), (3, 2));
        assert!((ten.sum_s - 53.0).abs() < 1e-12 && (ten.mean_s() - 53.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn what_says_nothing_of_its_job_does_not_count() {
        let rows = [row(1.0), wrong(0.001)];
        assert_eq!(par2(&rows.iter().collect::<Vec<_>>()), Some(1.0));
        let rows = [row(1.0), killed(), skipped()];
        assert_eq!(par2(&rows.iter().collect::<Vec<_>>()), Some(1.0));
        let rows = [wrong(0.001)];
        assert_eq!(par2(&rows.iter().collect::<Vec<_>>()), None);
    }

    #[test]
    fn over_instances_each_counts_once() {
        let mut panel = Panel::new(1);
        let instance = |name: &str| Instance { name: name.into(), family: "f".into() };
        panel.push(instance("a"), vec![vec![Exact(1.0), Exact(3.0)]]);
        panel.push(instance("b"), vec![vec![AtLeast(5.0)]]);
        panel.push(instance("c"), vec![vec![]]);
        // (2 + 10) / 2.
        assert_eq!(over_instances(&panel, 0, 2.0), Some(6.0));
        assert_eq!(solved(&panel, 0), 1);
    }
}
