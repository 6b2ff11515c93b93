//! The arms that are stopped early: successive halving over the units that choose.
//!
//! All arms run on the same units. After the first units, after twice as many and so on, the arms are compared on them, and
//! some are stopped:
//!
//! - an arm that is *surely worse*: the interval of its ratio to the best arm, as in reports, is above 1. The intervals of
//!   all arms hold simultaneously;
//! - an arm for which there is *no time*: as many of the best arms are kept as can run on the next units.
//!
//! The best [`FINALISTS`] are always kept, since the choice is judged beside them. Decisions depend on the runs alone, and
//! not on the clock: a race that is continued makes the same decisions again.

use bezzel_statistics::interval::min_instances;
use bezzel_statistics::{
    Contrast, DRAWS, DesignInstance, LEVEL, Observation, PairedDesign, Relation, estimate,
    simultaneous, tolerance,
};

/// The smallest number of arms that judge the choice.
pub(super) const FINALISTS: usize = 4;

/// The shares of new units for which the choice has a bound, the first of them at least.
pub(super) const SHARES: [f64; 2] = [0.8, 0.9];

/// An arm is surely worse after the first units that suffice for intervals, or after the last unit.
const LOOKS: usize = 2;

/// The runs of an arm on a unit, all of which have ended.
#[derive(Clone, Debug, Default)]
pub(super) struct EndedRuns {
    /// The mean of the logarithms of their PAR2 times. None if an answer is unchecked.
    pub(super) log: Option<f64>,
    /// True if a run has a checked answer.
    pub(super) is_solved: bool,
    /// Their times. Empty if an answer is unchecked.
    pub(super) times: Vec<Observation>,
    /// The time by the clock in which they ran, in seconds.
    pub(super) wall_s: f64,
}

/// The arms on the units that choose.
pub(super) struct Race {
    /// The runs that have ended, by arm and unit.
    ended: Vec<Vec<Option<EndedRuns>>>,
    /// The time of all cores for these units, in seconds. The units that judge have as much.
    seconds: f64,
    /// The part of it that the compared runs took.
    spent: f64,
    /// The number of units that judge.
    judging: usize,
    /// The arms that are not stopped, the best first.
    pub(super) arms: Vec<usize>,
    /// The number of units on which they were compared last.
    pub(super) units: usize,
    /// True if they were compared for the last time.
    pub(super) is_over: bool,
    /// The number of arms that were stopped since they are surely worse.
    pub(super) worse: usize,
    /// The number of arms that were stopped for lack of time.
    pub(super) late: usize,
}

impl Race {
    /// A race of `arms` arms over `units` units.
    pub(super) fn new(arms: usize, units: usize, judging: usize, seconds: f64) -> Self {
        Self {
            ended: vec![vec![None; units]; arms],
            seconds,
            spent: 0.0,
            judging,
            arms: (0..arms).collect(),
            units: 0,
            is_over: false,
            worse: 0,
            late: 0,
        }
    }

    /// Adds the runs of an arm on a unit, and stops arms where all runs of a comparison have ended.
    pub(super) fn add(&mut self, arm: usize, unit: usize, runs: EndedRuns) {
        self.ended[arm][unit] = Some(runs);
        while !self.is_over {
            let next = self.next_units();
            let has_ended = |arm: &usize| self.ended[*arm][..next].iter().all(Option::is_some);
            if !self.arms.iter().all(has_ended) {
                return;
            }
            let before = std::mem::replace(&mut self.units, next);
            self.spent += self.arms.iter().map(|&arm| self.wall_s(arm, before)).sum::<f64>();
            self.sort();
            if (before < self.sufficient()) != (next < self.sufficient()) || next == self.all() {
                self.stop_worse();
            }
            self.stop_late();
        }
    }

    /// True if an arm is to run on a unit that chooses.
    pub(super) fn wants(&self, arm: usize, unit: usize) -> bool {
        self.arms.contains(&arm) && (!self.is_over || unit < self.units)
    }

    /// The number of units that choose.
    fn all(&self) -> usize {
        self.ended.first().map_or(0, Vec::len)
    }

    /// The level of each interval.
    fn level(&self) -> f64 {
        simultaneous(LEVEL, LOOKS * self.ended.len().saturating_sub(1))
    }

    /// The number of units that suffice for an interval.
    fn sufficient(&self) -> usize {
        min_instances(self.level())
    }

    /// The number of units of the next comparison.
    fn next_units(&self) -> usize {
        let next = if self.units == 0 { self.sufficient().div_ceil(4) } else { 2 * self.units };
        next.min(self.all())
    }

    /// The mean of an arm over the units on which an arm has a checked answer. Infinite if its own answers are unchecked.
    fn mean(&self, arm: usize) -> f64 {
        let solved = |unit: &usize| {
            let mut runs = self.arms.iter().filter_map(|&arm| self.ended[arm][*unit].as_ref());
            runs.any(|runs| runs.is_solved)
        };
        let logs = (0..self.units).filter(solved).map(|unit| {
            self.ended[arm][unit].as_ref().and_then(|runs| runs.log).unwrap_or(f64::INFINITY)
        });
        let logs: Vec<f64> = logs.collect();
        logs.iter().sum::<f64>() / logs.len().max(1) as f64
    }

    /// Puts the best arms first. Equal arms keep their order.
    fn sort(&mut self) {
        let mut means: Vec<(f64, usize)> =
            self.arms.iter().map(|&arm| (self.mean(arm), arm)).collect();
        means.sort_by(|one, two| one.0.total_cmp(&two.0));
        self.arms = means.into_iter().map(|(_, arm)| arm).collect();
    }

    fn stop_worse(&mut self) {
        let mut design = PairedDesign::new(self.arms.len());
        for unit in 0..self.units {
            let times = self.arms.iter().map(|&arm| {
                self.ended[arm][unit].as_ref().map_or(Vec::new(), |runs| runs.times.clone())
            });
            let instance = DesignInstance { name: unit.to_string(), family: String::new() };
            design.push(instance, times.collect());
        }
        let others: Vec<Contrast> =
            (1..self.arms.len()).map(|other| Contrast::of(other, 0)).collect();
        let mut estimated = estimate(&design, &others, self.level(), DRAWS).into_iter();
        let before = self.arms.len();
        let mut place = 0;
        self.arms.retain(|_| {
            place += 1;
            let ratio = if place > 1 { estimated.next() } else { None };
            let is_worse =
                ratio.is_some_and(|ratio| Relation::of(ratio.interval, 0.0) == Relation::More);
            place <= FINALISTS || !is_worse
        });
        self.worse += before - self.arms.len();
    }

    fn stop_late(&mut self) {
        let left = self.seconds - self.spent;
        let more = self.next_units() - self.units;
        let finalists = FINALISTS.min(self.arms.len());
        let mut kept = if more == 0 { 0 } else { self.affordable(left / more as f64) };
        if kept < finalists {
            self.is_over = true;
            // Units that suffice for a bound are worth more than arms.
            let aim = self.judging.clamp(1, tolerance::min_count(SHARES[0], LEVEL));
            kept = self.affordable((left + self.seconds) / aim as f64).max(finalists);
        }
        self.late += self.arms.len() - kept;
        self.arms.truncate(kept);
    }

    /// The time of the compared runs of an arm from a unit on.
    fn wall_s(&self, arm: usize, from: usize) -> f64 {
        self.ended[arm][from..self.units].iter().flatten().map(|runs| runs.wall_s).sum()
    }

    /// The number of the best arms that run on a unit within this time.
    fn affordable(&self, seconds: f64) -> usize {
        let mut sum = 0.0;
        let fits = |arm: &&usize| {
            sum += self.wall_s(**arm, 0) / self.units as f64;
            sum <= seconds
        };
        self.arms.iter().take_while(fits).count()
    }
}

#[cfg(test)]
#[path = "race_tests.rs"]
mod tests;
