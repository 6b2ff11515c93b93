//! Bootstrap resamples: instances are drawn within their strata, then the replicates of each instance.
//!
//! Random numbers depend on the numbers of instances and replicates alone, not on their values. So designs of the same
//! [`Shape`] share their draws: the measures and the solvers of one record often do. Draws of few replicates are
//! numbered by their multisets, and the median of each multiset is known before. Its logarithm is a whole number of
//! small units: sums of them are exact, and the ratio of equal values is 1 in every order of the sum.

use std::thread;

use indexmap::IndexMap;

use super::batch::{Batch, Drawn, FEW, MANY, Multisets, POOL, Shape, Words};
use super::contrast::{Contrast, Draws, PARTS};
use super::replicate_table::{LogMedian, ReplicateCell, ReplicateTable, within};
use super::smallest::Smallest;

/// The number of resamples that are drawn before they are evaluated, so that both need little memory.
const BATCH: usize = 50;

/// Contrasts of a design whose bootstrap intervals are wanted.
pub(super) struct Question<'q> {
    pub(super) table: &'q ReplicateTable,
    pub(super) contrasts: Vec<&'q Contrast>,
    /// The ends of each interval as logarithms: the `wanted`-th smallest of the ratios and of their inverses.
    pub(super) ends: Vec<[Smallest; 2]>,
    pub(super) draws: Draws,
}

/// The terms that an instance adds to the sums of a contrast: both ends of the logarithm of its ratio, and 1 for its
/// number. They are zero if the contrast has no ratio on the instance.
type Share = [f64; 3];

fn share(contrast: &Contrast, medians: &[LogMedian]) -> Share {
    within(contrast, medians).map_or([0.0; 3], |ratio| [ratio.low, ratio.high, 1.0])
}

fn add(sums: &mut [Share], shares: &[Share]) {
    let numbers = sums.as_flattened_mut().iter_mut().zip(shares.as_flattened());
    numbers.for_each(|(sum, number)| *sum += number);
}

/// The ends of the bootstrap intervals of the contrasts of each question, as logarithms.
pub(super) fn resample(questions: &[Question<'_>]) -> Vec<Vec<(f64, f64)>> {
    let mut alike: IndexMap<(Draws, Shape), Vec<usize>> = IndexMap::new();
    let drawn = questions.iter().enumerate().filter(|(_, of)| !of.contrasts.is_empty());
    for (number, question) in drawn {
        alike.entry((question.draws, shape(question))).or_default().push(number);
    }
    let mut ends: Vec<Vec<[Smallest; 2]>> =
        questions.iter().map(|question| question.ends.clone()).collect();
    let multisets: Vec<Multisets> = (0..=FEW).map(Multisets::new).collect();
    for ((draws, shape), numbers) in &alike {
        let sampler = |&number: &usize| Sampler::new(&questions[number], &multisets, draws.seed);
        let samplers: Vec<Sampler<'_>> = numbers.iter().map(sampler).collect();
        let of_threads = in_threads(|part, found: &mut Vec<Vec<[Smallest; 2]>>| {
            if found.is_empty() {
                found.extend(numbers.iter().map(|&number| questions[number].ends.clone()));
            }
            let mut words = Words::new(draws.seed, part);
            for from in (0..draws.resamples / PARTS).step_by(BATCH) {
                let resamples = BATCH.min(draws.resamples / PARTS - from);
                let batch = Batch::draw(shape, &multisets, resamples, &mut words);
                for (sampler, ends) in samplers.iter().zip(&mut *found) {
                    sampler.enter(&batch, ends);
                }
            }
        });
        for of_thread in of_threads {
            for (&number, found) in numbers.iter().zip(of_thread) {
                for (all, part) in ends[number].iter_mut().zip(found) {
                    all.iter_mut().zip(part).for_each(|(all, part)| all.merge(part));
                }
            }
        }
    }
    let of_contrast = |[low, high]: [Smallest; 2]| (low.largest(), -high.largest());
    ends.into_iter().map(|ends| ends.into_iter().map(of_contrast).collect()).collect()
}

/// Does all parts, each thread some of them. Returns the result of each thread.
fn in_threads<T: Default + Send>(part: impl Fn(usize, &mut T) + Sync) -> Vec<T> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(PARTS);
    let of_thread = |thread: usize| {
        let mut found = T::default();
        (thread..PARTS).step_by(threads).for_each(|number| part(number, &mut found));
        found
    };
    thread::scope(|scope| {
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
    })
}

/// The arms that are drawn together on an instance, those of each draw. All arms have one draw if an arm has too many
/// replicates. Only arms of contrasts are drawn, and those with one replicate are not.
fn groups(question: &Question<'_>, instance: usize) -> Vec<Vec<usize>> {
    let cells = question.table.cells(instance);
    let mut groups: IndexMap<usize, Vec<usize>> = IndexMap::new();
    let pairs = question.contrasts.iter().flat_map(|contrast| &contrast.pairs);
    let mut arms: Vec<usize> = pairs.flat_map(|&(one, two)| [one, two]).collect();
    arms.sort_unstable();
    arms.dedup();
    for arm in arms.into_iter().filter(|&arm| cells[arm].count() > 1) {
        groups.entry(cells[arm].drawn_with).or_default().push(arm);
    }
    groups.into_values().collect()
}

fn is_pooled(cells: &[ReplicateCell], groups: &[Vec<usize>]) -> bool {
    groups.iter().any(|arms| cells[arms[0]].count() > MANY)
}

fn shape(question: &Question<'_>) -> Shape {
    let of_instance = |&instance: &usize| {
        let (cells, groups) = (question.table.cells(instance), groups(question, instance));
        if is_pooled(cells, &groups) {
            return vec![Drawn::Pooled];
        }
        groups.iter().map(|arms| Drawn::Replicates(cells[arms[0]].count())).collect()
    };
    let strata = question.table.strata.iter();
    strata.map(|stratum| stratum.iter().map(of_instance).collect()).collect()
}

/// The evaluation of draws for a question.
struct Sampler<'q> {
    question: &'q Question<'q>,
    /// The number of units of a logarithm.
    scale: f64,
    /// The lower bits of a whole median have the number 1 if it is over the limit. This is their number of bits, into
    /// which the number of such medians of a stratum fits.
    bits: u32,
    /// The medians of the cells at all middle ranks, and those of the resamples of pools.
    medians: Vec<i64>,
    /// For each order of few replicates, the middle ranks of each multiset of draws.
    ranks: IndexMap<&'q [usize], usize>,
    middles: Vec<u8>,
    strata: Vec<SampledStratum<'q>>,
    /// The contrasts of one pair whose arms have medians on every instance, of which never both are over the
    /// limit.
    everywhere: Vec<(usize, usize, usize)>,
    /// The other contrasts.
    partly: Vec<usize>,
}

/// A stratum. A contrast of which no pair was measured in it has no share in it.
struct SampledStratum<'q> {
    instances: Vec<SampledInstance<'q>>,
    /// The contrasts of one pair for which this holds in this stratum, and not in all others.
    singles: Vec<(usize, usize, usize)>,
    /// The contrasts of several pairs for which it holds in this stratum.
    means: Vec<(usize, Vec<(usize, usize)>)>,
    /// The other contrasts.
    others: Vec<usize>,
}

/// An instance.
struct SampledInstance<'q> {
    instance: usize,
    /// The number of draws on it.
    draws: usize,
    /// The medians of the arms of one replicate, zero for others. Empty if there is no such arm.
    constants: Vec<i64>,
    /// The arms of few replicates, each with the place of the middle ranks of each multiset.
    few: Vec<(DrawnArm, usize)>,
    /// The arms of many replicates.
    many: Vec<(DrawnArm, &'q ReplicateCell)>,
    /// The arms of pools, and the distance between the medians of two resamples.
    pooled: Vec<(DrawnArm, usize)>,
    /// The shares of the other contrasts of its stratum, if they are the same in every draw.
    fixed: Option<Vec<Share>>,
}

/// An arm, the number of its draw on the instance, and the place of its medians.
struct DrawnArm {
    arm: usize,
    draw: usize,
    start: usize,
}

/// The place of the median at two middle ranks among those of a cell. Both are the same for an odd number of
/// replicates.
fn place((lower, upper): (usize, usize), count: usize) -> usize {
    if count % 2 == 1 { upper } else { lower * count + upper }
}

impl<'q> Sampler<'q> {
    fn new(question: &'q Question<'q>, multisets: &[Multisets], seed: u64) -> Self {
        let table = question.table;
        let cells = table.strata.iter().flatten().flat_map(|&instance| table.cells(instance));
        let largest = cells.map(ReplicateCell::largest_log).fold(1.0, f64::max);
        let longest = table.strata.iter().map(Vec::len).max().unwrap_or_default();
        let bits = usize::BITS - longest.leading_zeros();
        // No sum over a stratum overflows.
        let digits = 61 - bits as i32 - (largest * longest as f64).log2().ceil() as i32;
        let mut sampler = Self {
            question,
            scale: 2.0_f64.powi(digits),
            bits,
            medians: Vec::new(),
            ranks: IndexMap::new(),
            middles: Vec::new(),
            strata: Vec::new(),
            everywhere: Vec::new(),
            partly: Vec::new(),
        };
        let is_regular = |&(one, two): &(usize, usize), stratum: &[usize]| {
            stratum.iter().map(|&instance| table.cells(instance)).all(|cells| {
                let is_exact = cells[one].is_exact() || cells[two].is_exact();
                is_exact && cells[one].count() > 0 && cells[two].count() > 0
            })
        };
        let is_everywhere = |contrast: &Contrast| {
            let mut strata = table.strata.iter();
            matches!(&contrast.pairs[..], [pair] if strata.all(|stratum| is_regular(pair, stratum)))
        };
        for stratum in &table.strata {
            let mut sampled = SampledStratum {
                instances: Vec::new(),
                singles: Vec::new(),
                means: Vec::new(),
                others: Vec::new(),
            };
            for (number, contrast) in question.contrasts.iter().enumerate() {
                if is_everywhere(contrast) {
                    continue;
                }
                let is_measured = |&(one, two): &(usize, usize)| {
                    let mut cells = stratum.iter().map(|&instance| table.cells(instance));
                    cells.any(|cells| cells[one].count() > 0 && cells[two].count() > 0)
                };
                let pairs: Vec<(usize, usize)> =
                    contrast.pairs.iter().copied().filter(is_measured).collect();
                let is_regular = pairs.iter().all(|pair| is_regular(pair, stratum));
                match pairs[..] {
                    [] => {}
                    [(one, two)] if is_regular => sampled.singles.push((number, one, two)),
                    _ if is_regular => sampled.means.push((number, pairs)),
                    _ => sampled.others.push(number),
                }
            }
            for &instance in stratum {
                let sampled_instance = sampler.instance(instance, &sampled.others, multisets, seed);
                sampled.instances.push(sampled_instance);
            }
            sampler.strata.push(sampled);
        }
        for (number, contrast) in question.contrasts.iter().enumerate() {
            if is_everywhere(contrast) {
                let (one, two) = contrast.pairs[0];
                sampler.everywhere.push((number, one, two));
            } else {
                sampler.partly.push(number);
            }
        }
        sampler
    }

    fn instance(
        &mut self,
        instance: usize,
        others: &[usize],
        multisets: &[Multisets],
        seed: u64,
    ) -> SampledInstance<'q> {
        let (table, groups) = (self.question.table, groups(self.question, instance));
        let cells = table.cells(instance);
        let [mut few, mut pooled] = [const { Vec::new() }; 2];
        let mut many = Vec::new();
        if is_pooled(cells, &groups) {
            pooled = self.pool(instance, &groups, seed);
        } else {
            for (draw, arms) in groups.iter().enumerate() {
                for &arm in arms {
                    let cell = &cells[arm];
                    let drawn = DrawnArm { arm, draw, start: self.medians.len() };
                    let ranks = 0..cell.count();
                    let even =
                        ranks.clone().flat_map(|one| ranks.clone().map(move |two| (one, two)));
                    if cell.count() % 2 == 0 {
                        self.add(cell, even);
                    } else {
                        self.add(cell, ranks.map(|rank| (rank, rank)));
                    }
                    match multisets.get(cell.count()) {
                        Some(multisets) => few.push((drawn, self.middles(cell, multisets))),
                        None => many.push((drawn, cell)),
                    }
                }
            }
        }
        let constant = |(cell, median): (&ReplicateCell, &LogMedian)| {
            median.filter(|_| cell.count() == 1).map_or(0, |median| self.whole(median))
        };
        let medians = table.medians(instance);
        let of = |&number: &usize| share(self.question.contrasts[number], medians);
        SampledInstance {
            instance,
            draws: if is_pooled(cells, &groups) { 1 } else { groups.len() },
            constants: Some(cells.iter().zip(medians).map(constant).collect())
                .filter(|_| cells.iter().any(|cell| cell.count() == 1))
                .unwrap_or_default(),
            few,
            many,
            pooled,
            fixed: groups.is_empty().then(|| others.iter().map(of).collect()),
        }
    }

    /// Adds the medians at these ranks of a cell.
    fn add(&mut self, cell: &ReplicateCell, ranks: impl Iterator<Item = (usize, usize)>) {
        for ranks in ranks {
            let median = self.whole(cell.middle(ranks));
            self.medians.push(median);
        }
    }

    /// The place of the middle ranks of each multiset of the draws of a cell.
    fn middles(&mut self, cell: &'q ReplicateCell, multisets: &Multisets) -> usize {
        let start = self.middles.len();
        *self.ranks.entry(&cell.order).or_insert_with(|| {
            let ranks = multisets.counts.iter().map(|counts| cell.middle_ranks(counts));
            self.middles.extend(ranks.map(|ranks| place(ranks, cell.count()) as u8));
            start
        })
    }

    /// Draws the pool of an instance: the medians of all arms together, a resample after the other.
    fn pool(
        &mut self,
        instance: usize,
        groups: &[Vec<usize>],
        seed: u64,
    ) -> Vec<(DrawnArm, usize)> {
        let cells = self.question.table.cells(instance);
        let mut words = Words::new(seed, PARTS + instance);
        let start = self.medians.len();
        for _ in 0..POOL {
            for arms in groups {
                let mut counts = vec![0; cells[arms[0]].count()];
                words.count(&mut counts);
                for &arm in arms {
                    let ranks = cells[arm].middle_ranks(&counts);
                    self.add(&cells[arm], std::iter::once(ranks));
                }
            }
        }
        let arms: Vec<usize> = groups.concat();
        let drawn = arms.iter().zip(start..);
        drawn.map(|(&arm, start)| (DrawnArm { arm, draw: 0, start }, arms.len())).collect()
    }

    fn whole(&self, (log, is_over): (f64, bool)) -> i64 {
        ((log * self.scale).round() as i64) * (1 << self.bits) + i64::from(is_over)
    }

    /// True if a median is over the limit, or one of a sum is.
    fn is_over(&self, median: i64) -> bool {
        median & ((1 << self.bits) - 1) != 0
    }

    /// Enters the ratio of each contrast in each resample.
    fn enter(&self, batch: &Batch, ends: &mut [[Smallest; 2]]) {
        let (mut places, mut ids) = (batch.places.iter(), &batch.ids[..]);
        let arms = self.question.table.arms;
        // The means of the arms, by their least and largest possible values.
        let (mut sums, mut means) = (vec![0_i64; arms], vec![[0.0; 2]; arms]);
        // The same over families.
        let mut overall = means.clone();
        let mut medians: Vec<LogMedian> = vec![None; arms];
        // The sums of each contrast over families, and of the other contrasts over the instances of a family.
        let mut totals: Vec<Share> = vec![[0.0; 3]; ends.len()];
        let mut here = totals.clone();
        for _ in 0..batch.resamples {
            totals.fill([0.0; 3]);
            overall.fill([0.0; 2]);
            for stratum in &self.strata {
                sums.fill(0);
                let here = &mut here[..stratum.others.len()];
                here.fill([0.0; 3]);
                for &place in places.by_ref().take(stratum.instances.len()) {
                    let sampled = &stratum.instances[place];
                    let (own, rest) = ids.split_at(sampled.draws);
                    ids = rest;
                    self.enter_instance(sampled, own, &batch.counts, &mut sums);
                    match &sampled.fixed {
                        Some(shares) => add(here, shares),
                        None if here.is_empty() => {}
                        None => {
                            self.medians(sampled, own, &batch.counts, &mut medians);
                            for (&number, sum) in stratum.others.iter().zip(&mut *here) {
                                let share = share(self.question.contrasts[number], &medians);
                                add(std::slice::from_mut(sum), &[share]);
                            }
                        }
                    }
                }
                let unit = 1.0 / (self.scale * stratum.instances.len() as f64);
                let families = self.strata.len() as f64;
                for ((mean, overall), &sum) in means.iter_mut().zip(&mut overall).zip(&sums) {
                    let low = (sum >> self.bits) as f64 * unit;
                    *mean = [low, if self.is_over(sum) { f64::INFINITY } else { low }];
                    *overall = [overall[0] + mean[0] / families, overall[1] + mean[1] / families];
                }
                stratum.total(&means, here, &mut totals);
            }
            for &(number, one, two) in &self.everywhere {
                let [lows, highs] = &mut ends[number];
                lows.push(overall[one][0] - overall[two][1]);
                highs.push(overall[two][0] - overall[one][1]);
            }
            for &number in &self.partly {
                let ([low, high, families], [lows, highs]) = (totals[number], &mut ends[number]);
                // A resample in which no instance has a share leaves the ratio open.
                let known = families > 0.0;
                lows.push(if known { low / families } else { f64::NEG_INFINITY });
                highs.push(if known { -high / families } else { f64::NEG_INFINITY });
            }
        }
    }

    /// Adds the medians of a draw of an instance to the sums of their arms.
    fn enter_instance(
        &self,
        sampled: &SampledInstance<'_>,
        ids: &[u32],
        counts: &[u16],
        sums: &mut [i64],
    ) {
        for (sum, constant) in sums.iter_mut().zip(&sampled.constants) {
            *sum += constant;
        }
        self.each(sampled, ids, counts, |arm, median| sums[arm] += median);
    }

    /// Calls `found` with each drawn arm of an instance and its median.
    #[inline]
    fn each(
        &self,
        sampled: &SampledInstance<'_>,
        ids: &[u32],
        counts: &[u16],
        mut found: impl FnMut(usize, i64),
    ) {
        for &(DrawnArm { arm, draw, start }, middles) in &sampled.few {
            let place = self.middles[middles + ids[draw] as usize];
            found(arm, self.medians[start + usize::from(place)]);
        }
        for &(DrawnArm { arm, draw, start }, cell) in &sampled.many {
            let (from, count) = (ids[draw] as usize, cell.count());
            let ranks = cell.middle_ranks(&counts[from..from + count]);
            found(arm, self.medians[start + place(ranks, count)]);
        }
        for &(DrawnArm { arm, draw, start }, step) in &sampled.pooled {
            found(arm, self.medians[start + ids[draw] as usize * step]);
        }
    }

    /// The medians of all arms in a draw of an instance.
    fn medians(
        &self,
        sampled: &SampledInstance<'_>,
        ids: &[u32],
        counts: &[u16],
        medians: &mut [LogMedian],
    ) {
        medians.copy_from_slice(self.question.table.medians(sampled.instance));
        self.each(sampled, ids, counts, |arm, median| {
            medians[arm] = Some(((median >> self.bits) as f64 / self.scale, self.is_over(median)));
        });
    }
}

impl SampledStratum<'_> {
    /// Adds the mean over a stratum of each contrast: from the means of the arms, or the sums of the other contrasts.
    fn total(&self, means: &[[f64; 2]], here: &[Share], totals: &mut [Share]) {
        let enter = |total: &mut Share, [low, high]: [f64; 2]| {
            *total = [total[0] + low, total[1] + high, total[2] + 1.0];
        };
        let ratio = |(one, two): (usize, usize)| {
            [means[one][0] - means[two][1], means[one][1] - means[two][0]]
        };
        for &(number, one, two) in &self.singles {
            enter(&mut totals[number], ratio((one, two)));
        }
        for (number, pairs) in &self.means {
            let ratios = || pairs.iter().map(|&pair| ratio(pair));
            let ends = [0, 1].map(|end| ratios().map(|ratio| ratio[end]).sum::<f64>());
            enter(&mut totals[*number], ends.map(|end| end / pairs.len() as f64));
        }
        for (&number, &[low, high, count]) in self.others.iter().zip(here) {
            if count > 0.0 {
                enter(&mut totals[number], [low / count, high / count]);
            }
        }
    }
}
