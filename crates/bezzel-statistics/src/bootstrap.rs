//! Intervals of ratios: an exact interval of the median over instances, joined with a bootstrap interval
//! of the geometric mean.
//!
//! A result should hold for other instances too, so the instance is the unit. An interval is the hull of two:
//!
//! - *Order statistics.* The median ratio of the population is between the k-th smallest and the k-th largest ratio,
//!   with a probability that the binomial distribution gives exactly, for every distribution of ratios (David and
//!   Nagaraja, *Order Statistics*, 3rd edition, 2003, section 7.1). An interval that excludes 1 is therefore also a
//!   sign test that rejects. The extremes of n instances reach the level 1 − 2^(1 − n). A higher level has no interval:
//!   there are too few instances.
//! - *Bootstrap.* Instances are drawn anew within their family, then the replicates of each instance
//!   (Efron, Annals of Statistics 7(1), 1979; for the two stages Davison and Hinkley, *Bootstrap Methods
//!   and their Application*, 1997, section 3.8), 100,000 times ([`DRAWS`](super::contrast::DRAWS)).
//!   Percentiles are expanded for few
//!   instances (Hesterberg, The American Statistician 69(4), 2015): percentiles alone are too narrow by
//!   √((n − f) / n) for f families, and by the difference of Student's and the normal distribution. An end
//!   is never interpolated.
//!
//! Pairs are drawn together. All arms see the same instances in a resample, and arms with the same keys on an instance
//! (see [`PairedDesign::push_keyed`]) see the same replicates. If an arm has more than 16 replicates on an instance,
//! the medians of the instance are drawn from those of 2,000 resamples of its replicates.
//!
//! A value over the limit contributes by its bounds: the lower end takes it for the limit, the upper end for infinite.
//! An end that becomes infinite or zero by this is open.

use super::interval::Interval;
use super::paired_design::PairedDesign;
use super::question::Question;
use super::ratio::Ratio;
use super::replicate_table::ReplicateTable;
use super::resample::resample;
use crate::contrast::{Contrast, Draws, PARTS};
use crate::interval::{normal, order_statistics, student_quantile};
use crate::question::Smallest;

/// The ratio of a contrast with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContrastEstimate {
    /// The geometric mean over families of the geometric means over their instances.
    pub ratio: Ratio,
    /// Its interval. None if there are too few instances for the level.
    pub interval: Option<Interval>,
}

/// Contrasts of a design whose intervals are wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimated<'c> {
    /// The design. All values are positive.
    pub design: PairedDesign,
    /// The contrasts of its arms.
    pub contrasts: &'c [Contrast],
    /// The level of the intervals, from 0 to 1.
    pub level: f64,
    /// The draws of the intervals.
    pub draws: Draws,
}

/// The ratios of contrasts, each with the interval of this level, from 0 to 1.
pub fn estimate(
    design: &PairedDesign,
    contrasts: &[Contrast],
    level: f64,
    draws: Draws,
) -> Vec<ContrastEstimate> {
    estimate_all(&[Estimated { design: design.clone(), contrasts, level, draws }]).remove(0)
}

/// The ratios of contrasts of several designs, which share the draws of their intervals if they have the same numbers
/// of instances and replicates. The result is that of [`estimate`] for each.
pub fn estimate_all(all: &[Estimated<'_>]) -> Vec<Vec<ContrastEstimate>> {
    let tables: Vec<ReplicateTable> =
        all.iter().map(|of| ReplicateTable::new(&of.design)).collect();
    let exact = |(of, table): (&Estimated<'_>, &ReplicateTable)| -> Vec<Option<(f64, f64)>> {
        let ratios = of.contrasts.iter().map(|contrast| table.ratios(contrast));
        ratios.map(|ratios| order_statistics(&ratios, of.level)).collect()
    };
    let exact: Vec<_> = all.iter().zip(&tables).map(exact).collect();
    // Without an exact interval no draw is needed, nor within one that no draw leaves.
    let wanted = |table: &ReplicateTable, contrast: &Contrast, exact: Option<(f64, f64)>| {
        exact.filter(|&ends| !table.is_within(contrast, ends))
    };
    let questions = all.iter().zip(&tables).zip(&exact).map(|((of, table), exact)| {
        let each = of.contrasts.iter().zip(exact);
        let drawn = each.filter_map(|(of, &exact)| Some((of, wanted(table, of, exact)?)));
        question(table, of.level, of.draws, drawn)
    });
    let drawn = resample(&questions.collect::<Vec<_>>());
    let each = all.iter().zip(&tables).zip(exact).zip(drawn);
    each.map(|(((of, table), exact), drawn)| {
        let mut drawn = drawn.into_iter();
        let each = of.contrasts.iter().zip(exact);
        each.map(|(contrast, exact)| {
            let ends = wanted(table, contrast, exact).and_then(|_| drawn.next()).or(exact);
            let interval = ends.map(|ends| interval(ends, of.level));
            ContrastEstimate { ratio: table.ratio(contrast), interval }
        })
        .collect()
    })
    .collect()
}

/// The bootstrap intervals of contrasts, each joined with the interval of these ends.
fn question<'q>(
    table: &'q ReplicateTable,
    level: f64,
    draws: Draws,
    contrasts: impl Iterator<Item = (&'q Contrast, (f64, f64))>,
) -> Question<'q> {
    let drawn = draws.resamples / PARTS * PARTS;
    let with_ends = contrasts.map(|(contrast, (low, high))| {
        let count = table.ratios(contrast).len();
        let tail = expanded((1.0 - level) / 2.0, count, table.families(contrast));
        let wanted = (tail * drawn as f64).floor() as usize + 1;
        (contrast, [Smallest::new(wanted, low), Smallest::new(wanted, -high)])
    });
    let (contrasts, ends) = with_ends.unzip();
    Question { table, contrasts, ends, draws }
}

/// The ratios of contrasts without intervals.
pub fn ratios(design: &PairedDesign, contrasts: &[Contrast]) -> Vec<Ratio> {
    let table = ReplicateTable::new(design);
    contrasts.iter().map(|contrast| table.ratio(contrast)).collect()
}

fn interval((low, high): (f64, f64), level: f64) -> Interval {
    let known = |log: f64| log.is_finite().then(|| log.exp());
    Interval { low: known(low), high: known(high), level }
}

/// The share of a tail of percentiles that represents the share `tail`, for `count` instances in `families` families.
pub(super) fn expanded(tail: f64, count: usize, families: usize) -> f64 {
    let degrees = count.saturating_sub(families).max(1);
    let errors = (count as f64 / degrees as f64).sqrt() * student_quantile(1.0 - tail, degrees);
    normal(-errors)
}

/// The bootstrap intervals alone, one part of those of [`estimate`]. None for a contrast in which fewer than two
/// instances have a share.
pub fn bootstrap(
    design: &PairedDesign,
    contrasts: &[Contrast],
    level: f64,
    draws: Draws,
) -> Vec<Option<Interval>> {
    let table = ReplicateTable::new(design);
    let open = contrasts.iter().map(|contrast| (contrast, (f64::INFINITY, f64::NEG_INFINITY)));
    let drawn = resample(&[question(&table, level, draws, open)]).remove(0);
    let each = contrasts.iter().zip(drawn);
    each.map(|(contrast, ends)| {
        (table.ratio(contrast).instances > 1).then(|| interval(ends, level))
    })
    .collect()
}

#[cfg(test)]
mod tests;
