//! The numbers of comparisons in words: ratios, their intervals, and the reasons for which they decide nothing.

use bezzel_experiment::quantity::grouped;
use bezzel_solve::Answer;
use bezzel_statistics::{Estimate, Interval, Outcome, Relation};

use super::evidence::{Counted, Evidence};
use super::{Comparison, Verdict};
use crate::instance_words::side;
use crate::number::{count, significant, significant_bound};

/// The ratio: `0.31 times`.
pub(super) fn ratio(outcome: &Outcome) -> String {
    match outcome.ratio.estimate.filter(|ratio| ratio.bound().is_some()) {
        Some(estimate) => format!("{estimate} times"),
        None => "no ratio".into(),
    }
}

/// The interval of a ratio.
pub(super) fn interval(outcome: &Outcome) -> Option<String> {
    outcome.interval.map(|Interval { low, high, .. }| ends(low, high))
}

/// An interval: `0.2 to 0.5`, and `at least 3.9` if the upper end is open.
pub(crate) fn ends(low: Option<f64>, high: Option<f64>) -> String {
    let read = |end: f64| significant(end, 3);
    match (low, high) {
        (Some(low), Some(high)) => format!("{} to {}", read(low), read(high)),
        (Some(low), None) => format!("at least {}", significant_bound(low, 3, true)),
        (None, Some(high)) => format!("at most {}", significant_bound(high, 3, false)),
        (None, None) => "open".into(),
    }
}

/// The reason for which a comparison decides nothing.
pub(super) fn remark(outcome: &Outcome) -> Option<String> {
    match outcome.relation {
        Relation::Less | Relation::More => None,
        Relation::Undecided if outcome.is_within_noise() => {
            Some(format!("within the noise of {} %", significant(100.0 * outcome.noise, 2)))
        }
        other => Some(other.to_string()),
    }
}

/// Numbers without a spread: the ratio, and the numbers of the largest instance.
pub(super) fn numbers(counted: &Counted) -> String {
    let read = |ratio: f64| significant(ratio, 3);
    let ratio = if read(counted.least) == read(counted.largest) {
        read(counted.least)
    } else {
        format!("{} to {}", read(counted.least), read(counted.largest))
    };
    let [one, two] = counted.numbers.map(grouped);
    let instances = count(counted.instances, "instance");
    format!("{ratio} times ({one} against {two} on the largest) on {instances}")
}

// Claims on growth: the ratio of two arms rises from each size of the instances to the next one.
//
// The intervals of two sizes are those of independent instances. The interval of the quotient of both ratios follows from
// them by the method of variance estimates recovery (Zou and Donner, Statistics in Medicine 27, 2008), on logarithms: its
// lower end is d − √((t − l)² + (u − s)²), where d = t − s, s is the estimate of the smaller size with the upper end u,
// and t that of the larger size with the lower end l.

/// A ratio, with an open end where a run over the limit has a share in it.
#[derive(Clone, Copy, Debug)]
struct RatioOfSize {
    estimate: Estimate,
    low: Option<f64>,
    high: Option<f64>,
    noise: f64,
}

impl RatioOfSize {
    fn of(evidence: &Evidence) -> Option<Self> {
        match evidence {
            Evidence::Interval(outcome, _) => {
                let (estimate, interval) = (outcome.ratio.estimate?, outcome.interval?);
                let (low, high) = (interval.low, interval.high);
                Some(Self { estimate, low, high, noise: outcome.noise })
            }
            Evidence::Counted(of) => {
                let (low, high) = (Some(of.least), Some(of.largest));
                Some(Self { estimate: Estimate { low, high }, low, high, noise: 0.0 })
            }
            Evidence::Nothing(_) => None,
        }
    }
}

/// The growth of a ratio from a size to the next one.
#[derive(Clone, Copy, Debug)]
struct Growth {
    /// The quotient of both ratios; none if one is not known.
    estimate: Option<f64>,
    /// The ends of its interval; none for an open end.
    low: Option<f64>,
    high: Option<f64>,
    /// The noise of both ratios together, which a growth must exceed.
    noise: f64,
}

impl Growth {
    fn between(before: RatioOfSize, after: RatioOfSize) -> Self {
        // A bound in the place of an estimate moves the end away from the estimate, never to it.
        let end =
            |far: Option<f64>, far_end: Option<f64>, near: Option<f64>, near_end: Option<f64>| {
                let (far, far_end) = (far?.ln(), far_end?.ln());
                let (near, near_end) = (near?.ln(), near_end?.ln());
                Some((far - near, (far - far_end).hypot(near - near_end)))
            };
        let (one, two) = (before.estimate, after.estimate);
        let lower = end(two.low, after.low, one.high, before.high);
        let upper = end(two.high, after.high, one.low, before.low);
        Self {
            estimate: two.exact().zip(one.exact()).map(|(two, one)| two / one),
            low: lower.map(|(quotient, width)| (quotient - width).exp()),
            high: upper.map(|(quotient, width)| (quotient + width).exp()),
            noise: before.noise + after.noise,
        }
    }

    /// The verdict on a growth by more than a factor.
    fn verdict(&self, factor: f64) -> Verdict {
        let holds = self.low.is_some_and(|low| low > factor.max(1.0 + self.noise));
        Verdict::of(holds, self.high.is_some_and(|high| high < factor))
    }
}

/// The growths between the sizes of a group; none where a size has no interval.
fn growths(sizes: &[Comparison]) -> Vec<Option<Growth>> {
    let ratios: Vec<_> = sizes.iter().map(|of| RatioOfSize::of(&of.evidence)).collect();
    ratios.windows(2).map(|of| Some(Growth::between(of[0]?, of[1]?))).collect()
}

/// The verdict on a group of sizes.
pub(super) fn growth_verdict(sizes: &[Comparison], factor: f64) -> Verdict {
    let steps = growths(sizes).into_iter();
    let steps = steps.map(|step| step.map_or(Verdict::Open, |step| step.verdict(factor)));
    let steps: Vec<Verdict> = steps.collect();
    let holds = steps.iter().all(|step| *step == Verdict::Holds);
    Verdict::of(holds && !steps.is_empty(), steps.contains(&Verdict::Refuted))
}

/// The ratios of groups of sizes, with the smallest growth of each.
pub(super) fn ratios(
    groups: &[&[Comparison]],
    several: bool,
    cell_words: impl Fn(&Comparison) -> String,
) -> String {
    let each = groups.iter().map(|group| {
        let ratios = group.iter().map(|of| {
            let ratio = match &of.evidence {
                Evidence::Nothing(reason) => reason.clone(),
                Evidence::Counted(counted) => numbers(counted),
                Evidence::Interval(outcome, _) => {
                    let interval =
                        interval(outcome).unwrap_or_else(|| outcome.relation.to_string());
                    let instances = outcome.ratio.instances;
                    format!("{} ({interval}; {})", ratio(outcome), count(instances, "instance"))
                }
            };
            format!("size {} {ratio}", of.cell.size.unwrap_or_default())
        });
        let arm = if several { format!("{} ", group[0].arm) } else { String::new() };
        let step = smallest_step(group).map_or(String::new(), |(_, step)| format!(", {step}"));
        let ratios = ratios.collect::<Vec<_>>().join(", ");
        let side = match group[0].cell.answer {
            // A number of a formula is measured whether its instance was solved or not.
            Answer::Unknown => " on instances".to_owned(),
            answer => format!(" on {} instances", side(answer)),
        };
        format!("{arm}{ratios}{step}{side}{}", cell_words(&group[0]))
    });
    each.collect::<Vec<_>>().join("; ")
}

/// The smallest growth of many groups of sizes.
pub(super) fn smallest(
    groups: &[&[Comparison]],
    cell_words: impl Fn(&Comparison) -> String,
) -> String {
    let steps = groups.iter().filter_map(|group| Some((group, smallest_step(group)?)));
    let least = steps.min_by(|(_, one), (_, two)| one.0.total_cmp(&two.0));
    let number = count(groups.len(), "comparison");
    least.map_or(number.clone(), |(group, (_, step))| {
        format!("in {number}; {step} ({}{})", group[0].arm, cell_words(&group[0]))
    })
}

/// The smallest growth between two sizes by the lower end of its interval, with this end and in words. None if a step has
/// no interval.
fn smallest_step(group: &[Comparison]) -> Option<(f64, String)> {
    let steps = growths(group).into_iter().enumerate();
    let steps: Vec<_> = steps.map(|(at, step)| Some((at, step?))).collect::<Option<_>>()?;
    let low = |(_, step): &(usize, Growth)| step.low.unwrap_or(0.0);
    let least = steps.into_iter().min_by(|one, two| low(one).total_cmp(&low(two)))?;
    let size = |at: usize| group[at].cell.size.unwrap_or_default();
    let (at, step) = least;
    let interval = ends(step.low, step.high);
    let growth =
        step.estimate.map_or(String::new(), |growth| format!("{} times, ", significant(growth, 3)));
    let from = format!("from size {} to {}", size(at), size(at + 1));
    Some((step.low.unwrap_or(0.0), format!("smallest rise {from} ({growth}{interval})")))
}
