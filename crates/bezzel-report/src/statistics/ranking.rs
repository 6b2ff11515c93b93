//! Rankings: all pairs of arms compared under each solver, and the order that the comparisons support.
//!
//! The interval of a ratio is the only rule of decision. A pair is compared over the instances of all
//! families, resampled within their families, and in each family alone. Where the first arm takes less in
//! one family and more in another, no ratio over families is given. A is ranked above B only if it takes
//! less under every solver, of at least [`SOLVERS`] different programs. All others share a
//! [letter](super::letters).
//!
//! The intervals of all pairs under one solver hold together with 95 %, and in one family those of any one
//! arm beside all others. Several solvers must agree, which needs no further correction.

use super::bootstrap::{Contrast, Draws, Estimated, estimate, fewest, ratios};
use super::interval::{Interval, LEVEL, Relation, simultaneous};
use super::letters::{groups, letters};
use super::observation::Observation;
use super::panel::Panel;
use super::ratio::Ratio;
use crate::number::count;

/// Fewer solvers rank nothing.
pub const SOLVERS: usize = 2;

/// The same arms measured under several solvers.
#[derive(Clone, Debug, PartialEq)]
pub struct Contest {
    /// The names of the arms. The first is the reference of tables.
    pub arms: Vec<String>,
    /// The solvers, each with its measurements.
    pub solvers: Vec<Entrant>,
    /// The number that is added to every median in ratios, since zero has no logarithm.
    pub offset: f64,
    /// The part by which measurements of the same work differ; see [`Relation::of`].
    pub noise: f64,
    /// The draws of the intervals.
    pub draws: Draws,
}

/// A solver under which arms were measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Entrant {
    /// Its name, with its options.
    pub label: String,
    /// Its program. One program with two sets of options is not two that agree.
    pub program: String,
    /// The measurements of the arms, in their order.
    pub panel: Panel,
}

impl Contest {
    /// The number of different programs among the solvers.
    pub fn programs(&self) -> usize {
        let mut programs: Vec<&str> =
            self.solvers.iter().map(|entrant| entrant.program.as_str()).collect();
        programs.sort_unstable();
        programs.dedup();
        programs.len()
    }

    /// The number of pairs of arms.
    pub fn pairs(&self) -> usize {
        self.arms.len() * self.arms.len().saturating_sub(1) / 2
    }
}

/// Two arms beside each other under one solver.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The place of the solver.
    pub solver: usize,
    /// The place of the first arm.
    pub one: usize,
    /// The place of the second arm.
    pub two: usize,
    /// The ratio of the first to the second over all families; no estimate if it depends on the family.
    pub ratio: Ratio,
    /// Its interval, of the level at which those of all pairs hold together.
    pub interval: Option<Interval>,
    /// The verdict.
    pub relation: Relation,
    /// The same in each family, where there are several.
    pub families: Vec<OfFamily>,
    /// The ratio with a tenth of the offset and with ten times the offset, where some median is so small
    /// that this matters: below ten times the offset.
    pub other_offsets: Option<[Ratio; 2]>,
    /// Another solver decides otherwise, or has an interval without a ratio in common with this one.
    pub solvers_differ: bool,
}

/// Two arms beside each other under one solver in one family.
#[derive(Clone, Debug, PartialEq)]
pub struct OfFamily {
    /// The family.
    pub family: String,
    /// The ratio of the first to the second.
    pub ratio: Ratio,
    /// Its interval, of the level at which those of one arm beside all others hold together.
    pub interval: Option<Interval>,
    /// The verdict.
    pub relation: Relation,
    /// As in [`Comparison`].
    pub other_offsets: Option<[Ratio; 2]>,
}

/// The order of arms, as far as it is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// The places of the arms, the least mean first. Neighbours may be ties.
    pub order: Vec<usize>,
    /// All pairs under each solver, in the order of solvers, then of arms.
    pub comparisons: Vec<Comparison>,
    /// The letters of each arm; arms that share one are ties.
    pub letters: Vec<String>,
    /// The pairs that are ranked, the better arm first.
    pub above: Vec<(usize, usize)>,
    /// The evidence that a full ranking lacks, a sentence each.
    pub missing: Vec<String>,
}

impl Comparison {
    /// The effect interacts with the family: two families have intervals without a ratio in common.
    pub fn interacts(&self) -> bool {
        let apart = |one: &OfFamily, two: &OfFamily| {
            one.interval.zip(two.interval).is_some_and(|(one, two)| one.is_apart_from(&two))
        };
        let families = self.families.iter().enumerate();
        families
            .flat_map(|(at, one)| self.families[at + 1..].iter().map(move |two| (one, two)))
            .any(|(one, two)| apart(one, two))
    }

    /// The same with the arms in the other order.
    #[must_use]
    pub fn turned(&self) -> Self {
        let turn = |ratios: [Ratio; 2]| ratios.map(Ratio::turned);
        let of_family = |of: &OfFamily| OfFamily {
            family: of.family.clone(),
            ratio: of.ratio.turned(),
            interval: of.interval.map(Interval::turned),
            relation: of.relation.turned(),
            other_offsets: of.other_offsets.map(turn),
        };
        Self {
            one: self.two,
            two: self.one,
            ratio: self.ratio.turned(),
            interval: self.interval.map(Interval::turned),
            relation: self.relation.turned(),
            families: self.families.iter().map(of_family).collect(),
            other_offsets: self.other_offsets.map(turn),
            ..*self
        }
    }
}

impl Ranking {
    /// Two arms beside each other under a solver, in this order.
    pub fn comparison(&self, solver: usize, one: usize, two: usize) -> Option<Comparison> {
        self.comparisons.iter().filter(|known| known.solver == solver).find_map(|known| {
            match (known.one, known.two) {
                pair if pair == (one, two) => Some(known.clone()),
                pair if pair == (two, one) => Some(known.turned()),
                _ => None,
            }
        })
    }
}

/// Compares all pairs under each solver, and ranks the pairs that all solvers decide alike.
pub fn rank(contest: &Contest) -> Ranking {
    let each = contest.solvers.iter().enumerate();
    let mut comparisons: Vec<Comparison> =
        each.flat_map(|(solver, entrant)| compare(contest, solver, &entrant.panel)).collect();
    let pair = |known: &Comparison| (known.one, known.two);
    let differ: Vec<bool> = comparisons
        .iter()
        .map(|known| {
            comparisons.iter().any(|other| pair(known) == pair(other) && differ(known, other))
        })
        .collect();
    for (known, differ) in comparisons.iter_mut().zip(differ) {
        known.solvers_differ = differ;
    }
    let arms = contest.arms.len();
    let is_above = |one: usize, two: usize| {
        let mut of_pair =
            comparisons.iter().filter(|known| pair(known) == (one.min(two), one.max(two)));
        let least = if one < two { Relation::Less } else { Relation::More };
        one != two
            && contest.programs() >= SOLVERS
            && of_pair.clone().count() == contest.solvers.len()
            && of_pair.all(|known| known.relation == least)
    };
    let order = order(contest);
    let mut above = Vec::new();
    for &one in &order {
        above.extend(order.iter().filter(|two| is_above(one, **two)).map(|&two| (one, two)));
    }
    let apart = |one: usize, two: usize| {
        let (one, two) = (order[one], order[two]);
        above.contains(&(one, two)) || above.contains(&(two, one))
    };
    let in_order = letters(arms, &groups(arms, apart));
    let mut letters = vec![String::new(); arms];
    for (place, text) in in_order.into_iter().enumerate() {
        letters[order[place]] = text;
    }
    let missing = missing(contest, &comparisons, above.len());
    Ranking { order, comparisons, letters, above, missing }
}

/// Two solvers decide a pair in different ways, or their intervals have no ratio in common.
fn differ(one: &Comparison, two: &Comparison) -> bool {
    let decided = one.relation.is_decided() && two.relation.is_decided();
    let apart = one.interval.zip(two.interval).is_some_and(|(one, two)| one.is_apart_from(&two));
    apart || (decided && one.relation != two.relation)
}

/// All pairs of a panel.
fn compare(contest: &Contest, solver: usize, panel: &Panel) -> Vec<Comparison> {
    let arms = 0..panel.arms();
    let pairs: Vec<(usize, usize)> =
        arms.clone().flat_map(|one| (one + 1..arms.end).map(move |two| (one, two))).collect();
    let contrasts: Vec<Contrast> = pairs.iter().map(|&(one, two)| Contrast::of(one, two)).collect();
    let all = estimated(contest, panel, &contrasts, simultaneous(LEVEL, pairs.len()));
    let mut comparisons: Vec<Comparison> = pairs
        .into_iter()
        .zip(all)
        .map(|((one, two), (Estimated { ratio, interval }, other_offsets))| Comparison {
            solver,
            one,
            two,
            ratio,
            interval,
            relation: Relation::of(interval, contest.noise),
            families: Vec::new(),
            other_offsets,
            solvers_differ: false,
        })
        .collect();
    let families = panel.families();
    for (family, places) in families.iter().filter(|_| families.len() > 1) {
        let level = simultaneous(LEVEL, arms.end - 1);
        let here = estimated(contest, &panel.of_instances(places), &contrasts, level);
        for (comparison, (Estimated { ratio, interval }, other_offsets)) in
            comparisons.iter_mut().zip(here)
        {
            if ratio.instances + ratio.left_out > 0 {
                comparison.families.push(OfFamily {
                    family: (*family).to_owned(),
                    ratio,
                    interval,
                    relation: Relation::of(interval, contest.noise),
                    other_offsets,
                });
            }
        }
    }
    for comparison in &mut comparisons {
        let relations = comparison.families.iter().map(|of| of.relation);
        if changes_sign(relations) {
            comparison.relation = Relation::DependsOnFamily;
            comparison.ratio.estimate = None;
            comparison.interval = None;
            comparison.other_offsets = None;
        }
    }
    comparisons
}

/// An arm takes less in one family and more in another.
pub fn changes_sign(mut relations: impl Iterator<Item = Relation> + Clone) -> bool {
    relations.clone().any(|known| known == Relation::Less)
        && relations.any(|known| known == Relation::More)
}

/// The ratios of contrasts with their intervals, and with other offsets where these matter.
fn estimated(
    contest: &Contest,
    panel: &Panel,
    contrasts: &[Contrast],
    level: f64,
) -> Vec<(Estimated, Option<[Ratio; 2]>)> {
    let other = other_offsets(panel, contrasts, contest.offset);
    estimate(&panel.shifted(contest.offset), contrasts, level, contest.draws)
        .into_iter()
        .zip(other)
        .collect()
}

/// The ratios with a tenth of the offset and with ten times the offset, of contrasts with a median
/// below ten times the offset. The panel has no offset added.
pub fn other_offsets(
    panel: &Panel,
    contrasts: &[Contrast],
    offset: f64,
) -> Vec<Option<[Ratio; 2]>> {
    let least = |arm: usize| {
        let medians = panel.medians(arm).into_iter().flatten().map(Observation::bound);
        medians.fold(f64::INFINITY, f64::min)
    };
    let least: Vec<f64> = (0..panel.arms()).map(least).collect();
    let [small, large] =
        [offset / 10.0, offset * 10.0].map(|other| ratios(&panel.shifted(other), contrasts));
    let each = contrasts.iter().zip(small.into_iter().zip(large));
    each.map(|(contrast, (small, large))| {
        let arms = contrast.pairs.iter().flat_map(|&(one, two)| [one, two]);
        let matters = arms.map(|arm| least[arm]).fold(f64::INFINITY, f64::min) < 10.0 * offset;
        (matters && offset > 0.0 && small.estimate.is_some()).then_some([small, large])
    })
    .collect()
}

/// The arms by the sum of logarithms over the instances on which all of them were measured, a value over
/// the limit by its bound; then by the number of instances on which they were measured.
fn order(contest: &Contest) -> Vec<usize> {
    let arms = contest.arms.len();
    let mut sums = vec![0.0; arms];
    let mut measured = vec![0_usize; arms];
    for Entrant { panel, .. } in &contest.solvers {
        for place in 0..panel.instances().len() {
            let medians: Vec<Option<Observation>> =
                (0..arms).map(|arm| panel.median(arm, place)).collect();
            for (arm, median) in medians.iter().enumerate() {
                measured[arm] += usize::from(median.is_some());
            }
            if medians.iter().all(Option::is_some) {
                for (sum, median) in sums.iter_mut().zip(medians.iter().flatten()) {
                    *sum += (median.bound() + contest.offset).ln();
                }
            }
        }
    }
    let mut order: Vec<usize> = (0..arms).collect();
    order.sort_by(|&one, &two| {
        sums[one].total_cmp(&sums[two]).then(measured[two].cmp(&measured[one])).then(one.cmp(&two))
    });
    order
}

/// The evidence that a ranking of all pairs lacks.
fn missing(contest: &Contest, comparisons: &[Comparison], ranked: usize) -> Vec<String> {
    let mut missing = Vec::new();
    let (solvers, pairs) = (contest.programs(), contest.pairs());
    if solvers < SOLVERS {
        missing.push(format!("{} only: a ranking needs {SOLVERS}.", count(solvers, "solver")));
    }
    let needed = fewest(simultaneous(LEVEL, pairs));
    for (place, Entrant { label, .. }) in contest.solvers.iter().enumerate() {
        let few = comparisons
            .iter()
            .filter(|known| known.solver == place)
            .filter(|known| known.relation == Relation::TooFewInstances);
        let few: Vec<usize> = few.map(|known| known.ratio.instances).collect();
        if let Some(least) = few.iter().min() {
            missing.push(format!(
                "{} of {} under {label} with too few instances: {} at least, where intervals of {} \
                 that hold together with 95 % need {needed}.",
                few.len(),
                count(pairs, "pair"),
                least,
                count(pairs, "pair")
            ));
        }
    }
    if missing.is_empty() && ranked < pairs {
        missing.push(format!(
            "{} of {pairs} pairs are not ranked: under some solver their interval holds 1 or does not \
             exceed the noise, or the solvers or the families differ.",
            pairs - ranked
        ));
    }
    missing
}

#[cfg(test)]
mod tests;
