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
//!   and their Application*, 1997, section 3.8), 100,000 times ([`DRAWS`]). Percentiles are expanded for few
//!   instances (Hesterberg, The American Statistician 69(4), 2015): percentiles alone are too narrow by
//!   √((n − f) / n) for f families, and by the difference of Student's and the normal distribution. An end
//!   is never interpolated.
//!
//! Pairs are drawn together. All arms see the same instances in a resample, and arms with the same keys on an instance
//! (see [`PairedDesign::push_keyed`]) see the same replicates.
//!
//! A value over the limit contributes by its bounds: the lower end takes it for the limit, the upper end for infinite.
//! An end that becomes infinite or zero by this is open.

use std::thread;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::distribution::{normal, student_quantile};
use super::interval::Interval;
use super::median_interval::order_statistics;
use super::observation::Observation;
use super::paired_design::PairedDesign;
use super::ratio::{LogRatio, Ratio};

/// The draws of a bootstrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws {
    /// The number of resamples, rounded down to a multiple of [`PARTS`].
    pub resamples: usize,
    /// The seed of the draws.
    pub seed: u64,
}

/// The draws of reports. The same rows have the same intervals.
pub const DRAWS: Draws = Draws { resamples: 100_000, seed: 1848 };

/// The parts in which resamples are drawn, each by its own stream of random numbers, so that the number of threads has
/// no effect.
pub const PARTS: usize = 50;

/// The compared arms: the ratio of the first to the second of each pair. A comparison over several pairs, such as one
/// of numberings over all encodings, first takes the geometric mean over its pairs on each instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contrast {
    /// The pairs of arms.
    pub pairs: Vec<(usize, usize)>,
}

impl Contrast {
    /// The contrast of two arms.
    pub fn of(one: usize, two: usize) -> Self {
        Self { pairs: vec![(one, two)] }
    }
}

/// The ratio of a contrast with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContrastEstimate {
    /// The geometric mean over families of the geometric means over their instances.
    pub ratio: Ratio,
    /// Its interval. None if there are too few instances for the level.
    pub interval: Option<Interval>,
}

/// The ratios of contrasts, each with the interval of this level, from 0 to 1.
pub fn estimate(
    design: &PairedDesign,
    contrasts: &[Contrast],
    level: f64,
    draws: Draws,
) -> Vec<ContrastEstimate> {
    let cells = ReplicateTable::new(design);
    let exact = contrasts.iter().map(|contrast| order_statistics(&cells.ratios(contrast), level));
    let exact: Vec<Option<(f64, f64)>> = exact.collect();
    // Without an exact interval no draw is needed.
    let drawn: Vec<&Contrast> =
        contrasts.iter().zip(&exact).filter_map(|(of, exact)| exact.map(|_| of)).collect();
    let mut drawn = resample(&cells, &drawn, level, draws).into_iter();
    let each = contrasts.iter().zip(exact);
    each.map(|(contrast, exact)| {
        let interval = exact.map(|(low, high)| {
            let drawn = drawn.next().unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
            interval((low.min(drawn.0), high.max(drawn.1)), level)
        });
        ContrastEstimate { ratio: cells.ratio(contrast), interval }
    })
    .collect()
}

/// The ratios of contrasts without intervals.
pub fn ratios(design: &PairedDesign, contrasts: &[Contrast]) -> Vec<Ratio> {
    let cells = ReplicateTable::new(design);
    contrasts.iter().map(|contrast| cells.ratio(contrast)).collect()
}

fn interval((low, high): (f64, f64), level: f64) -> Interval {
    let known = |log: f64| log.is_finite().then(|| log.exp());
    Interval { low: known(low), high: known(high), level }
}

/// The share of a tail of percentiles that represents the share `tail`, for `count` instances in `families` families.
fn expanded(tail: f64, count: usize, families: usize) -> f64 {
    let degrees = count.saturating_sub(families).max(1);
    let errors = (count as f64 / degrees as f64).sqrt() * student_quantile(1.0 - tail, degrees);
    normal(-errors)
}

/// The `wanted` smallest of many numbers.
#[derive(Clone)]
struct Smallest {
    wanted: usize,
    known: Vec<f64>,
    /// No larger number is among the `wanted` smallest: the largest number that the last trim kept, infinite before.
    cutoff: f64,
}

impl Smallest {
    fn new(wanted: usize) -> Self {
        Self { wanted, known: Vec::new(), cutoff: f64::INFINITY }
    }

    fn push(&mut self, number: f64) {
        if number > self.cutoff {
            return;
        }
        self.known.push(number);
        if self.known.len() >= 2 * self.wanted + 1_024 {
            self.trim();
        }
    }

    fn trim(&mut self) {
        if self.known.len() > self.wanted {
            let last = self.wanted - 1;
            let (_, largest, _) = self.known.select_nth_unstable_by(last, f64::total_cmp);
            self.cutoff = *largest;
            self.known.truncate(self.wanted);
        }
    }

    fn largest(mut self) -> f64 {
        self.trim();
        self.known.into_iter().fold(f64::NEG_INFINITY, f64::max)
    }
}

/// The ends of the bootstrap intervals of contrasts, as logarithms.
fn resample(
    cells: &ReplicateTable,
    contrasts: &[&Contrast],
    level: f64,
    draws: Draws,
) -> Vec<(f64, f64)> {
    if contrasts.is_empty() {
        return Vec::new();
    }
    let of_part = draws.resamples / PARTS;
    let wanted = contrasts.iter().map(|contrast| {
        let has_part = |stratum: &&Vec<usize>| {
            stratum.iter().any(|&instance| within(contrast, cells.medians(instance)).is_some())
        };
        let families = cells.strata.iter().filter(has_part).count();
        let tail = expanded((1.0 - level) / 2.0, cells.ratios(contrast).len(), families);
        (tail * (of_part * PARTS) as f64).floor() as usize + 1
    });
    let ends = wanted.map(|wanted| {
        let smallest = Smallest::new(wanted);
        (smallest.clone(), smallest)
    });
    let empty: Vec<(Smallest, Smallest)> = ends.collect();
    let threads = thread::available_parallelism().map_or(1, usize::from).min(PARTS);
    let of_thread = |thread: usize| {
        let mut ends = empty.clone();
        for part in (thread..PARTS).step_by(threads) {
            let mut random = ChaCha8Rng::seed_from_u64(draws.seed);
            random.set_stream(part as u64);
            cells.draw_part(contrasts, of_part, &mut random, &mut ends);
        }
        ends
    };
    let parts: Vec<Vec<(Smallest, Smallest)>> = thread::scope(|scope| {
        let start = |thread: usize| {
            let started = thread::Builder::new().spawn_scoped(scope, move || of_thread(thread));
            started.map_err(|_| thread)
        };
        let started: Vec<_> = (1..threads).map(start).collect();
        let own = of_thread(0);
        // A panic of a thread is propagated, as it would be without threads. The part of a thread that the system does
        // not start is done here.
        let others = started.into_iter().map(|other| match other {
            Ok(other) => other.join().expect("drawing cannot fail"),
            Err(thread) => of_thread(thread),
        });
        std::iter::once(own).chain(others.collect::<Vec<_>>()).collect()
    });
    let mut all = empty;
    for part in parts {
        for ((lows, highs), (low, high)) in all.iter_mut().zip(part) {
            lows.known.extend(low.known);
            highs.known.extend(high.known);
        }
    }
    all.into_iter().map(|(low, high)| (low.largest(), -high.largest())).collect()
}

/// The logarithm of a median, and true if the median is over the limit.
type LogMedian = Option<(f64, bool)>;

/// A contrast on one instance: the mean over its measured pairs that are not both over the limit.
fn within(contrast: &Contrast, medians: &[LogMedian]) -> Option<LogRatio> {
    let (mut low, mut high, mut count) = (0.0, 0.0, 0.0);
    for &(one, two) in &contrast.pairs {
        if let (Some(one), Some(two)) = (medians[one], medians[two])
            && let Some(ratio) = LogRatio::of(one, two)
        {
            low += ratio.low;
            high += ratio.high;
            count += 1.0;
        }
    }
    (count > 0.0).then(|| LogRatio { low: low / count, high: high / count })
}

/// The terms that an instance adds to the sums of a contrast: both ends of the logarithm of its ratio, and 1 for its
/// number. They are zero if the contrast has no ratio on the instance.
type Share = [f64; 3];

fn share(contrast: &Contrast, medians: &[LogMedian]) -> Share {
    within(contrast, medians).map_or([0.0; 3], |ratio| [ratio.low, ratio.high, 1.0])
}

/// A random number below `count`. The probabilities of two numbers differ by at most `count` / 2³², far less than the
/// spread of the draws.
pub(super) fn below(random: &mut ChaCha8Rng, count: usize) -> usize {
    ((u64::from(random.next_u32()) * count as u64) >> 32) as usize
}

/// The replicates of a design in one piece.
struct ReplicateTable {
    arms: usize,
    /// The number of replicates in the largest cell.
    largest: usize,
    /// The cells by instance, then by arm.
    places: Vec<CellRange>,
    values: Vec<f64>,
    /// The logarithms of the values.
    logs: Vec<f64>,
    ranks: Vec<u32>,
    /// The medians of the cells, without resampling.
    medians: Vec<LogMedian>,
    /// The instances of each family. All families of a single instance are one stratum together. A single such family
    /// is a part of the largest stratum.
    strata: Vec<Vec<usize>>,
}

/// The place of a cell in the lists of values and ranks.
#[derive(Clone, Copy)]
struct CellRange {
    start: usize,
    count: usize,
    /// The number of replicates that are not over the limit. They come first.
    measured: usize,
    drawn_with: usize,
}

/// The buffers of a draw.
struct DrawBuffers {
    /// The numbers of the drawn replicates, by the first arm that is drawn with them.
    picks: Vec<u32>,
    is_drawn: Vec<bool>,
    counts: Vec<u32>,
    medians: Vec<LogMedian>,
}

impl ReplicateTable {
    fn new(design: &PairedDesign) -> Self {
        let (mut places, mut values, mut ranks) = (Vec::new(), Vec::new(), Vec::new());
        for instance in 0..design.instances().len() {
            for arm in 0..design.arms() {
                let cell = design.cell(arm, instance);
                places.push(CellRange {
                    start: values.len(),
                    count: cell.sorted.len(),
                    measured: cell.sorted.iter().filter(|seen| !seen.is_over()).count(),
                    drawn_with: cell.drawn_with,
                });
                values.extend(cell.sorted.iter().copied().map(Observation::bound));
                ranks.extend(&cell.ranks);
            }
        }
        let (mut strata, mut singles) = (Vec::new(), Vec::new());
        for (_, instances) in design.families() {
            if instances.len() > 1 { strata.push(instances) } else { singles.extend(instances) }
        }
        // One instance alone is no stratum: every draw would be the same.
        if singles.len() == 1
            && let Some(largest) = strata.iter_mut().max_by_key(|stratum| stratum.len())
        {
            largest.append(&mut singles);
        }
        strata.extend((!singles.is_empty()).then_some(singles));
        let largest = places.iter().map(|place: &CellRange| place.count).max().unwrap_or_default();
        let (arms, medians) = (design.arms(), Vec::new());
        let logs = values.iter().map(|value: &f64| value.ln()).collect();
        let mut table = Self { arms, largest, places, values, logs, ranks, medians, strata };
        let median = |cell: &CellRange| {
            (cell.count > 0).then(|| table.middle(*cell, (cell.count - 1) / 2, cell.count / 2))
        };
        table.medians = table.places.iter().map(median).collect();
        table
    }

    /// The cells of all arms on an instance.
    fn cells(&self, instance: usize) -> &[CellRange] {
        &self.places[instance * self.arms..][..self.arms]
    }

    /// The medians of all arms on an instance.
    fn medians(&self, instance: usize) -> &[LogMedian] {
        &self.medians[instance * self.arms..][..self.arms]
    }

    /// The shares of contrasts on an instance. None if an arm of a contrast has several replicates there; otherwise
    /// every draw has these shares.
    fn fixed_shares(&self, contrasts: &[&Contrast], instance: usize) -> Option<Vec<Share>> {
        let cells = self.cells(instance);
        let is_fixed = |&(one, two): &(usize, usize)| cells[one].count < 2 && cells[two].count < 2;
        let mut pairs = contrasts.iter().flat_map(|contrast| &contrast.pairs);
        let medians = self.medians(instance);
        let shares = contrasts.iter().map(|contrast| share(contrast, medians));
        pairs.all(is_fixed).then(|| shares.collect())
    }

    /// The logarithm of the middle between two ranks, and true if the upper one is over the limit.
    fn middle(&self, cell: CellRange, lower: usize, upper: usize) -> (f64, bool) {
        let log = if lower == upper {
            self.logs[cell.start + lower]
        } else {
            f64::midpoint(self.values[cell.start + lower], self.values[cell.start + upper]).ln()
        };
        (log, upper >= cell.measured)
    }

    /// The ratios of a contrast on all instances that have a share in it.
    fn ratios(&self, contrast: &Contrast) -> Vec<LogRatio> {
        let instances = self.strata.iter().flatten();
        instances.filter_map(|&instance| within(contrast, self.medians(instance))).collect()
    }

    /// The ratio of a contrast, without resampling.
    fn ratio(&self, contrast: &Contrast) -> Ratio {
        let of = |instances: &Vec<usize>| {
            let medians = instances.iter().map(|&instance| self.medians(instance));
            let measured = medians.filter(|medians| {
                let both =
                    |&(one, two): &(usize, usize)| medians[one].is_some() && medians[two].is_some();
                contrast.pairs.iter().any(both)
            });
            measured.map(|medians| within(contrast, medians)).collect::<Vec<_>>()
        };
        Ratio::of_families(self.strata.iter().map(of))
    }

    /// Draws `resamples` resamples, and enters the ratio of each contrast.
    fn draw_part(
        &self,
        contrasts: &[&Contrast],
        resamples: usize,
        random: &mut ChaCha8Rng,
        ends: &mut [(Smallest, Smallest)],
    ) {
        let mut used = vec![false; self.arms];
        for &(one, two) in contrasts.iter().flat_map(|contrast| &contrast.pairs) {
            (used[one], used[two]) = (true, true);
        }
        let instances = self.places.len().checked_div(self.arms).unwrap_or_default();
        let fixed: Vec<Option<Vec<Share>>> =
            (0..instances).map(|instance| self.fixed_shares(contrasts, instance)).collect();
        let mut buffers = DrawBuffers {
            picks: vec![0; self.arms * self.largest],
            is_drawn: vec![false; self.arms],
            counts: vec![0; self.largest],
            medians: vec![None; self.arms],
        };
        // The sums of each contrast over families, and over the instances of a family.
        let mut sums: Vec<Share> = vec![[0.0; 3]; contrasts.len()];
        let mut here = sums.clone();
        for _ in 0..resamples {
            sums.fill([0.0; 3]);
            for stratum in &self.strata {
                here.fill([0.0; 3]);
                for _ in 0..stratum.len() {
                    let instance = stratum[below(random, stratum.len())];
                    if let Some(shares) = &fixed[instance] {
                        let numbers = here.as_flattened_mut().iter_mut().zip(shares.as_flattened());
                        numbers.for_each(|(sum, number)| *sum += number);
                        continue;
                    }
                    self.draw(instance, &used, random, &mut buffers);
                    for (contrast, [low, high, count]) in contrasts.iter().zip(&mut here) {
                        if let Some(ratio) = within(contrast, &buffers.medians) {
                            *low += ratio.low;
                            *high += ratio.high;
                            *count += 1.0;
                        }
                    }
                }
                for ([low, high, families], here) in sums.iter_mut().zip(&here) {
                    if here[2] > 0.0 {
                        *low += here[0] / here[2];
                        *high += here[1] / here[2];
                        *families += 1.0;
                    }
                }
            }
            for ((lows, highs), &[low, high, families]) in ends.iter_mut().zip(&sums) {
                // A resample in which no instance has a share leaves the ratio open.
                let known = families > 0.0;
                lows.push(if known { low / families } else { f64::NEG_INFINITY });
                highs.push(if known { -high / families } else { f64::NEG_INFINITY });
            }
        }
    }

    /// Draws the replicates of an instance, those of paired arms together.
    fn draw(
        &self,
        instance: usize,
        used: &[bool],
        random: &mut ChaCha8Rng,
        buffers: &mut DrawBuffers,
    ) {
        let DrawBuffers { picks, is_drawn, counts, medians } = buffers;
        is_drawn.fill(false);
        for arm in (0..self.arms).filter(|&arm| used[arm]) {
            let cell = self.cells(instance)[arm];
            let count = cell.count;
            if count < 2 {
                medians[arm] = self.medians(instance)[arm];
                continue;
            }
            let picks = &mut picks[cell.drawn_with * self.largest..][..count];
            if !is_drawn[cell.drawn_with] {
                is_drawn[cell.drawn_with] = true;
                picks.fill_with(|| below(random, count) as u32);
            }
            let counts = &mut counts[..count];
            counts.fill(0);
            for &pick in &*picks {
                counts[self.ranks[cell.start + pick as usize] as usize] += 1;
            }
            let (lower, upper) = middle_ranks(counts);
            medians[arm] = Some(self.middle(cell, lower, upper));
        }
    }
}

/// The two middle ranks of as many draws as there are ranks. `counts` has the number of draws of each rank.
pub(super) fn middle_ranks(counts: &[u32]) -> (usize, usize) {
    let (mut seen, mut lower) = (0, None);
    for (rank, &times) in counts.iter().enumerate() {
        seen += times as usize;
        if lower.is_none() && seen > (counts.len() - 1) / 2 {
            lower = Some(rank);
        }
        if seen > counts.len() / 2 {
            return (lower.unwrap_or(rank), rank);
        }
    }
    (counts.len() / 2, counts.len() / 2)
}

/// The bootstrap intervals alone, one part of those of [`estimate`]. None for a contrast in which fewer than two
/// instances have a share.
pub fn bootstrap(
    design: &PairedDesign,
    contrasts: &[Contrast],
    level: f64,
    draws: Draws,
) -> Vec<Option<Interval>> {
    let cells = ReplicateTable::new(design);
    let drawn = resample(&cells, &contrasts.iter().collect::<Vec<_>>(), level, draws);
    let each = contrasts.iter().zip(drawn);
    each.map(|(contrast, ends)| {
        (cells.ratio(contrast).instances > 1).then(|| interval(ends, level))
    })
    .collect()
}

#[cfg(test)]
mod tests;
