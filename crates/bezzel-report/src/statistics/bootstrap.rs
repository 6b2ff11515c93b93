//! Bootstrap intervals of ratios: instances are drawn anew, then the replicates within each.
//!
//! The instance is what a claim is to carry over from, so instances are resampled (Efron, *Bootstrap
//! methods: another look at the jackknife*, Annals of Statistics 7(1), 1979; for the two stages
//! Davison and Hinkley, *Bootstrap Methods and their Application*, 1997, section 3.8). All arms of a
//! panel see the same instances in a resample, which keeps pairs together; replicates are drawn for
//! each arm apart, since the shuffle of one formula has nothing to do with that of another.
//!
//! Fewer than [`FEWEST`] instances cannot speak of others: even if all of them agreed, a sign test would
//! not be sure at 5 %. They are taken as fixed, and the replicates alone are drawn within each, so that
//! the interval speaks of these instances. One run says nothing of how runs differ: where an instance
//! has no more in some arm, there is no interval.
//!
//! Intervals are percentile intervals, expanded as Hesterberg proposes for few instances (*What
//! teachers should know about the bootstrap*, The American Statistician 69(4), 2015):
//! percentiles alone are too narrow by √((n − 1)/n), and by the difference of Student's and the
//! normal distribution. Where instances are fixed, n is the least number of replicates instead. An end
//! is never interpolated: the outer of two resamples counts. Where it lies beyond all resamples, as it
//! may where many intervals must hold together, it is at least as far out as Student's interval has it.
//!
//! What is over the limit has a share by its bounds: the lower end of an interval takes it for the
//! limit, the upper end for infinite. Where that reaches the end, it is open.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::distribution::{normal, student_quantile};
use super::interval::Interval;
use super::middles::Middles;
use super::observation::Observation;
use super::panel::Panel;
use super::ratio::{LogRatio, Ratio, mean};

/// How often is drawn.
pub const RESAMPLES: usize = 4_000;

/// Fewer instances than these are taken as fixed: five that agree have a chance of 2 in 2⁵ to do so
/// where there is no difference, which is more than 5 %.
pub const FEWEST: usize = 6;

/// Of fewer instances, or replicates of fixed ones, than these an end is never farther out
/// than the resamples reach: the normal distribution says nothing of them.
const ENOUGH: usize = 10;

/// The seed of the draws: the same rows have the same intervals.
pub const SEED: u64 = 1848;

/// Which arms are compared: the ratio of the first to the second of each pair. A comparison over
/// several pairs, such as one of numberings over all encodings, first takes the geometric mean over
/// its pairs on each instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contrast {
    /// The pairs of arms.
    pub pairs: Vec<(usize, usize)>,
}

impl Contrast {
    /// Of two arms.
    pub fn of(one: usize, two: usize) -> Self {
        Self { pairs: vec![(one, two)] }
    }
}

/// What a contrast came to in every resample.
#[derive(Clone, Debug, PartialEq)]
pub struct Resampled {
    /// The logarithms of the least possible ratios, in order.
    lows: Vec<f64>,
    /// The logarithms of the largest possible ratios, in order.
    highs: Vec<f64>,
    /// The contrast itself.
    ratio: Ratio,
    /// What was drawn.
    drawn: Drawn,
}

/// What is drawn anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drawn {
    /// So many instances that have a share in the ratio, and the replicates of each.
    Instances(usize),
    /// The replicates of fixed instances, at least so many of each.
    Replicates(usize),
}

impl Drawn {
    /// How many things are drawn at least.
    fn count(self) -> usize {
        match self {
            Self::Instances(count) | Self::Replicates(count) => count,
        }
    }

    /// Whether the instances are fixed.
    fn is_fixed(self) -> bool {
        matches!(self, Self::Replicates(_))
    }

    /// Whether no draw says anything: there is nothing, or one run that is drawn again and again.
    fn is_vain(self) -> bool {
        self.count() < 2
    }
}

impl Resampled {
    /// The interval of this level, from 0 to 1; none if no instance has a share in the ratio, or of
    /// fewer than [`FEWEST`] some has a single run.
    pub fn interval(&self, level: f64) -> Option<Interval> {
        let last = self.lows.len().checked_sub(1)?;
        let (tail, errors) = expanded((1.0 - level) / 2.0, self.drawn.count());
        let place = (tail * last as f64).floor() as usize;
        let (mut low, mut high) = (self.lows[place], self.highs[last - place]);
        // Farther out than the resamples reach, an end is also as far as a normal distribution has it.
        if place == 0 && self.drawn.count() >= ENOUGH {
            low = low.min(away(&self.lows, -errors));
            high = high.max(away(&self.highs, errors));
        }
        let known = |log: f64| log.is_finite().then(|| log.exp());
        Some(Interval { low: known(low), high: known(high), level })
    }

    /// The instances that have a share in it.
    pub fn instances(&self) -> usize {
        self.ratio.instances
    }

    /// The ratio itself, of the replicates as they are.
    pub fn ratio(&self) -> Ratio {
        self.ratio
    }
}

/// The share of a tail of percentiles that stands for the share `tail` of few things drawn, which are
/// two at least, and how many standard errors away from the middle it begins.
fn expanded(tail: f64, drawn: usize) -> (f64, f64) {
    let count = drawn as f64;
    let errors = (count / (count - 1.0)).sqrt() * student_quantile(1.0 - tail, drawn - 1);
    (normal(-errors), errors)
}

/// So many standard errors away from the mean of the resamples; what is infinite stays so.
fn away(logs: &[f64], errors: f64) -> f64 {
    let count = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / count;
    if !mean.is_finite() {
        return mean;
    }
    let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / count;
    mean + errors * variance.sqrt()
}

/// Draws [`RESAMPLES`] times, and tells what each contrast came to.
pub fn resample(panel: &Panel, contrasts: &[Contrast]) -> Vec<Resampled> {
    let cells = Cells::new(panel);
    let places = panel.instances().len();
    let as_they_are = contrasts.iter().map(|contrast| {
        let ratio = as_it_is(contrast, &cells, places);
        let drawn = if ratio.instances < FEWEST {
            Drawn::Replicates(fewest_replicates(contrast, &cells, places))
        } else {
            Drawn::Instances(ratio.instances)
        };
        Resampled { lows: Vec::new(), highs: Vec::new(), ratio, drawn }
    });
    let mut resampled: Vec<Resampled> = as_they_are.collect();
    for fixed in [false, true] {
        let each = contrasts.iter().zip(&mut resampled);
        let alike = each.filter(|(_, of)| of.drawn.is_fixed() == fixed && !of.drawn.is_vain());
        draw(&cells, places, fixed, alike.collect());
    }
    resampled
}

/// Draws for contrasts of which all have their instances fixed, or none.
fn draw(
    cells: &Cells,
    places: usize,
    fixed: bool,
    mut contrasts: Vec<(&Contrast, &mut Resampled)>,
) {
    if contrasts.is_empty() {
        return;
    }
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    // Everything that is drawn finds its room here.
    let mut drawn = vec![None; cells.arms * places];
    let mut ranks = vec![0_u32; cells.largest];
    let (mut lows, mut highs) = (vec![0.0; places], vec![0.0; places]);
    for _ in 0..RESAMPLES {
        for (own, medians) in drawn.chunks_exact_mut(cells.arms.max(1)).enumerate() {
            let place = if fixed { own } else { below(&mut random, places) };
            for (arm, median) in medians.iter_mut().enumerate() {
                *median = cells.draw(arm, place, &mut random, &mut ranks);
            }
        }
        for (contrast, resampled) in &mut contrasts {
            let mut count = 0;
            for medians in drawn.chunks_exact(cells.arms.max(1)) {
                if let Some(ratio) = within(contrast, |arm| medians[arm]) {
                    (lows[count], highs[count]) = (ratio.low, ratio.high);
                    count += 1;
                }
            }
            if count > 0 {
                resampled.lows.push(mean(&lows[..count]));
                resampled.highs.push(mean(&highs[..count]));
            }
        }
    }
    for (_, resampled) in contrasts {
        resampled.lows.sort_unstable_by(f64::total_cmp);
        resampled.highs.sort_unstable_by(f64::total_cmp);
    }
}

/// The least number of replicates that an arm of a contrast has on an instance that has a share in
/// it; 0 if none has.
fn fewest_replicates(contrast: &Contrast, cells: &Cells, places: usize) -> usize {
    let pairs = (0..places).flat_map(|place| contrast.pairs.iter().map(move |pair| (place, *pair)));
    let with_share = pairs.filter(|&(place, (one, two))| {
        let medians = cells.median(one, place).zip(cells.median(two, place));
        medians.is_some_and(|(one, two)| LogRatio::of(one, two).is_some())
    });
    let counts = with_share
        .map(|(place, (one, two))| cells.replicates(one, place).min(cells.replicates(two, place)));
    counts.min().unwrap_or_default()
}

/// The ratio of a contrast, of the replicates as they are.
fn as_it_is(contrast: &Contrast, cells: &Cells, places: usize) -> Ratio {
    let measured = |place: usize| {
        let both = |&(one, two): &(usize, usize)| {
            cells.median(one, place).is_some() && cells.median(two, place).is_some()
        };
        contrast.pairs.iter().any(both)
    };
    let known = (0..places).filter(|&place| measured(place));
    Ratio::of(known.map(|place| within(contrast, |arm| cells.median(arm, place))))
}

/// The logarithm of a median, and whether it is over the limit.
type LogMedian = Option<(f64, bool)>;

/// A contrast on one instance: the mean over its pairs that were measured and are not both over the
/// limit.
fn within(contrast: &Contrast, median: impl Fn(usize) -> LogMedian) -> Option<LogRatio> {
    let (mut low, mut high, mut count) = (0.0, 0.0, 0.0);
    for &(one, two) in &contrast.pairs {
        if let (Some(one), Some(two)) = (median(one), median(two))
            && let Some(ratio) = LogRatio::of(one, two)
        {
            low += ratio.low;
            high += ratio.high;
            count += 1.0;
        }
    }
    (count > 0.0).then(|| LogRatio { low: low / count, high: high / count })
}

/// A number below `count`. That some come up more often than others by one in 2³² / `count` is far
/// below what the draws differ by.
pub(super) fn below(random: &mut ChaCha8Rng, count: usize) -> usize {
    ((u64::from(random.next_u32()) * count as u64) >> 32) as usize
}

/// The two ranks in the middle of as many draws as there is room for ranks.
fn counted(random: &mut ChaCha8Rng, ranks: &mut [u32]) -> (usize, usize) {
    let count = ranks.len();
    ranks.fill(0);
    for _ in 0..count {
        ranks[below(random, count)] += 1;
    }
    let (mut seen, mut lower) = (0, None);
    for (rank, &times) in ranks.iter().enumerate() {
        seen += times as usize;
        if lower.is_none() && seen > (count - 1) / 2 {
            lower = Some(rank);
        }
        if seen > count / 2 {
            return (lower.unwrap_or(rank), rank);
        }
    }
    (count / 2, count / 2)
}

/// The replicates of a panel in one piece.
struct Cells {
    arms: usize,
    /// The number of replicates in the largest cell.
    largest: usize,
    /// Of each cell, arm by arm within each instance: where it begins, how many replicates it has,
    /// and how many of them were measured; those over the limit follow.
    places: Vec<(usize, usize, usize)>,
    values: Vec<f64>,
    /// The chances of the ranks in the middle, by the number of replicates, as far as there are some.
    middles: Vec<Option<Middles>>,
}

impl Cells {
    fn new(panel: &Panel) -> Self {
        let (mut places, mut values, mut largest) = (Vec::new(), Vec::new(), 0);
        for place in 0..panel.instances().len() {
            for arm in 0..panel.arms() {
                let replicates = panel.replicates(arm, place);
                let measured = replicates.iter().filter(|seen| !seen.is_over()).count();
                places.push((values.len(), replicates.len(), measured));
                values.extend(replicates.iter().copied().map(Observation::bound));
                largest = largest.max(replicates.len());
            }
        }
        let mut middles: Vec<Option<Middles>> = (0..=largest).map(|_| None).collect();
        for &(_, count, _) in &places {
            if (2..=Middles::MOST).contains(&count) && middles[count].is_none() {
                middles[count] = Some(Middles::of(count));
            }
        }
        Self { arms: panel.arms(), largest, places, values, middles }
    }

    /// How many replicates there are.
    fn replicates(&self, arm: usize, place: usize) -> usize {
        self.places[place * self.arms + arm].1
    }

    /// The logarithm of the median of the replicates as they are.
    fn median(&self, arm: usize, place: usize) -> LogMedian {
        let (_, count, _) = self.places[place * self.arms + arm];
        (count > 0).then(|| self.middle(arm, place, (count - 1) / 2, count / 2))
    }

    /// The logarithm of the median of as many replicates, drawn from them.
    fn draw(
        &self,
        arm: usize,
        place: usize,
        random: &mut ChaCha8Rng,
        ranks: &mut [u32],
    ) -> LogMedian {
        let (_, count, _) = self.places[place * self.arms + arm];
        if count < 2 {
            return self.median(arm, place);
        }
        let (lower, upper) = match &self.middles[count] {
            Some(middles) => middles.draw(random),
            None => counted(random, &mut ranks[..count]),
        };
        Some(self.middle(arm, place, lower, upper))
    }

    /// The logarithm of the middle between two ranks, and whether the upper is over the limit.
    fn middle(&self, arm: usize, place: usize, lower: usize, upper: usize) -> (f64, bool) {
        let (start, _, measured) = self.places[place * self.arms + arm];
        let middle = f64::midpoint(self.values[start + lower], self.values[start + upper]);
        (middle.ln(), upper >= measured)
    }
}

#[cfg(test)]
mod tests;
