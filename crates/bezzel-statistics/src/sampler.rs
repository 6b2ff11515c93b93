//! The evaluation of draws: the ratio of each contrast of a question in each resample.
//!
//! The medians of an instance are summed for all resamples that drew it, one instance after the other, so that its
//! numbers stay near. Sums of whole numbers do not depend on the order. Other shares are summed in the order of draws.

use indexmap::IndexMap;

use super::batch::{Batch, Multisets, POOL, Words};
use super::question::{Question, Smallest, groups, is_pooled};
use super::replicate_table::{LogMedian, ReplicateCell, within};
use super::sampled::{DrawnArm, SampledInstance, SampledStratum, Share};
use crate::contrast::{Contrast, PARTS};

fn share(contrast: &Contrast, medians: &[LogMedian]) -> Share {
    within(contrast, medians).map_or([0.0; 3], |ratio| [ratio.low, ratio.high, 1.0])
}

fn add(sums: &mut [Share], shares: &[Share]) {
    let numbers = sums.as_flattened_mut().iter_mut().zip(shares.as_flattened());
    numbers.for_each(|(sum, number)| *sum += number);
}

/// The evaluation of draws for a question.
pub(super) struct Sampler<'q> {
    question: &'q Question<'q>,
    /// The compared arms, in order. Arms have the numbers of their places here, except in contrasts.
    arms: Vec<usize>,
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

/// The place of the median at two middle ranks among those of a cell. Both are the same for an odd number of
/// replicates.
fn place((lower, upper): (usize, usize), count: usize) -> usize {
    if count % 2 == 1 { upper } else { lower * count + upper }
}

impl<'q> Sampler<'q> {
    pub(super) fn new(question: &'q Question<'q>, multisets: &[Multisets], seed: u64) -> Self {
        let table = question.table;
        let cells = table.strata.iter().flatten().flat_map(|&instance| table.cells(instance));
        let largest = cells.map(ReplicateCell::largest_log).fold(1.0, f64::max);
        let longest = table.strata.iter().map(Vec::len).max().unwrap_or_default();
        let bits = usize::BITS - longest.leading_zeros();
        // No sum over a stratum overflows.
        let digits = 61 - bits as i32 - (largest * longest as f64).log2().ceil() as i32;
        let mut sampler = Self {
            question,
            arms: question.arms(),
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
                let own: Vec<(usize, usize)> =
                    pairs.iter().map(|&pair| sampler.own(pair)).collect();
                match own[..] {
                    [] => {}
                    [(one, two)] if is_regular => sampled.singles.push((number, one, two)),
                    _ if is_regular => sampled.means.push((number, own)),
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
                let (one, two) = sampler.own(contrast.pairs[0]);
                sampler.everywhere.push((number, one, two));
            } else {
                sampler.partly.push(number);
            }
        }
        sampler
    }

    /// The place of a compared arm.
    fn place(&self, arm: usize) -> usize {
        self.arms.binary_search(&arm).expect("it is compared")
    }

    fn own(&self, (one, two): (usize, usize)) -> (usize, usize) {
        (self.place(one), self.place(two))
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
        let (mut few, mut many, mut pooled) = (Vec::new(), Vec::new(), Vec::new());
        if is_pooled(cells, &groups) {
            pooled = self.pool(instance, &groups, seed);
        } else {
            for (draw, arms) in groups.iter().enumerate() {
                for &arm in arms {
                    let cell = &cells[arm];
                    let drawn = DrawnArm {
                        arm: self.place(arm) as u32,
                        draw: draw as u32,
                        start: self.medians.len() as u32,
                    };
                    let ranks = 0..cell.count();
                    let even =
                        ranks.clone().flat_map(|one| ranks.clone().map(move |two| (one, two)));
                    if cell.count() % 2 == 0 {
                        self.add(cell, even);
                    } else {
                        self.add(cell, ranks.map(|rank| (rank, rank)));
                    }
                    match multisets.get(cell.count()) {
                        Some(multisets) => few.push((drawn, self.middles(cell, multisets) as u32)),
                        None => many.push((drawn, cell)),
                    }
                }
            }
        }
        let medians = table.medians(instance);
        let constant = |&arm: &usize| {
            medians[arm].filter(|_| cells[arm].count() == 1).map_or(0, |median| self.whole(median))
        };
        let of = |&number: &usize| share(self.question.contrasts[number], medians);
        SampledInstance {
            instance,
            constants: Some(self.arms.iter().map(constant).collect())
                .filter(|_| self.arms.iter().any(|&arm| cells[arm].count() == 1))
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
        let needed: usize = groups.iter().map(|arms| cells[arms[0]].count()).sum();
        for resample in 0..POOL {
            words.extend(resample * needed, needed);
            let mut unused = words.from(resample * needed);
            for arms in groups {
                let mut counts = vec![0; cells[arms[0]].count()];
                unused.count(&mut counts);
                for &arm in arms {
                    let ranks = cells[arm].middle_ranks(&counts);
                    self.add(&cells[arm], std::iter::once(ranks));
                }
            }
        }
        let arms: Vec<usize> = groups.concat();
        let drawn = arms.iter().zip(start..);
        drawn
            .map(|(&arm, start)| {
                (DrawnArm { arm: self.place(arm) as u32, draw: 0, start: start as u32 }, arms.len())
            })
            .collect()
    }

    fn whole(&self, (log, is_over): (f64, bool)) -> i64 {
        ((log * self.scale).round() as i64) * (1 << self.bits) + i64::from(is_over)
    }

    /// True if a median is over the limit, or one of a sum is.
    fn is_over(&self, median: i64) -> bool {
        median & ((1 << self.bits) - 1) != 0
    }

    /// Enters the ratio of each contrast in each resample.
    pub(super) fn enter(&self, batch: &Batch<'_>, ends: &mut [[Smallest; 2]]) {
        let arms = self.arms.len();
        let families = self.strata.len() as f64;
        // The sums of the arms in each resample.
        let mut sums = vec![0_i64; batch.resamples * arms];
        // The means of the arms, by their least and largest possible values, and their means over families.
        let (mut means, mut overall) = (vec![[0.0; 2]; arms], vec![[0.0; 2]; sums.len()]);
        // The sums of each contrast over families.
        let mut totals: Vec<Share> = vec![[0.0; 3]; batch.resamples * ends.len()];
        let (mut first, of_resample) = (0, batch.of_instances.len());
        for stratum in &self.strata {
            sums.fill(0);
            for (sampled, drawn) in stratum.instances.iter().zip(&batch.of_instances[first..]) {
                for &(resample, start) in drawn {
                    let sums = &mut sums[resample as usize * arms..][..arms];
                    for (sum, constant) in sums.iter_mut().zip(&sampled.constants) {
                        *sum += constant;
                    }
                    let ids = &batch.ids[start as usize..];
                    self.each(sampled, ids, &batch.counts, |arm, median| sums[arm] += median);
                }
            }
            let unit = 1.0 / (self.scale * stratum.instances.len() as f64);
            for resample in 0..batch.resamples {
                let sums = &sums[resample * arms..][..arms];
                let overall = &mut overall[resample * arms..][..arms];
                for ((mean, overall), &sum) in means.iter_mut().zip(overall).zip(sums) {
                    let low = (sum >> self.bits) as f64 * unit;
                    *mean = [low, if self.is_over(sum) { f64::INFINITY } else { low }];
                    *overall = [overall[0] + mean[0] / families, overall[1] + mean[1] / families];
                }
                let drawn = &batch.places[resample * of_resample + first..];
                let here = self.others(stratum, &drawn[..stratum.instances.len()], batch);
                stratum.total(&means, &here, &mut totals[resample * ends.len()..]);
            }
            first += stratum.instances.len();
        }
        for resample in 0..batch.resamples {
            let overall = &overall[resample * arms..][..arms];
            for &(number, one, two) in &self.everywhere {
                let [lows, highs] = &mut ends[number];
                lows.push(overall[one][0] - overall[two][1]);
                highs.push(overall[two][0] - overall[one][1]);
            }
            for &number in &self.partly {
                let [low, high, families] = totals[resample * ends.len() + number];
                let [lows, highs] = &mut ends[number];
                // A resample in which no instance has a share leaves the ratio open.
                let known = families > 0.0;
                lows.push(if known { low / families } else { f64::NEG_INFINITY });
                highs.push(if known { -high / families } else { f64::NEG_INFINITY });
            }
        }
    }

    /// The sums of the other contrasts of a stratum over its drawn instances.
    fn others(
        &self,
        stratum: &SampledStratum<'_>,
        drawn: &[(u32, u32)],
        batch: &Batch<'_>,
    ) -> Vec<Share> {
        let mut sums = vec![[0.0; 3]; stratum.others.len()];
        if sums.is_empty() {
            return sums;
        }
        let mut medians = vec![None; self.question.table.arms];
        for &(place, start) in drawn {
            let sampled = &stratum.instances[place as usize];
            if let Some(shares) = &sampled.fixed {
                add(&mut sums, shares);
                continue;
            }
            medians.copy_from_slice(self.question.table.medians(sampled.instance));
            self.each(sampled, &batch.ids[start as usize..], &batch.counts, |arm, median| {
                let log = (median >> self.bits) as f64 / self.scale;
                medians[self.arms[arm]] = Some((log, self.is_over(median)));
            });
            for (&number, sum) in stratum.others.iter().zip(&mut sums) {
                let share = share(self.question.contrasts[number], &medians);
                add(std::slice::from_mut(sum), &[share]);
            }
        }
        sums
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
            let place = self.middles[(middles + ids[draw as usize]) as usize];
            found(arm as usize, self.medians[start as usize + usize::from(place)]);
        }
        for &(DrawnArm { arm, draw, start }, cell) in &sampled.many {
            let (from, count) = (ids[draw as usize] as usize, cell.count());
            let ranks = cell.middle_ranks(&counts[from..from + count]);
            found(arm as usize, self.medians[start as usize + place(ranks, count)]);
        }
        for &(DrawnArm { arm, draw, start }, step) in &sampled.pooled {
            found(arm as usize, self.medians[start as usize + ids[draw as usize] as usize * step]);
        }
    }
}
