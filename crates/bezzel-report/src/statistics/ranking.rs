//! Rankings: who is above whom, as far as the evidence carries, and what is missing where it does not.
//!
//! A is ranked above B only if the interval of their ratio excludes 1 under every solver, under at
//! least [`SOLVERS`] of different programs, each on at least [`INSTANCES`] instances of at least [`FAMILIES`] families. The
//! intervals of all pairs hold together with 95 %; under several solvers all must agree, which needs
//! no further correction. All others are ties, and share a [letter](super::letters).

use super::bootstrap::{Contrast, resample};
use super::effect_size::a12_over_instances;
use super::holm::{holm, simultaneous};
use super::interval::{Interval, MARGIN, Relation};
use super::letters::{groups, letters};
use super::observation::Observation;
use super::panel::Panel;
use super::ratio::{Ratio, ratio};
use super::wilcoxon::{SignedRanks, signed_ranks};
use crate::number::count;

/// Fewer solvers rank nothing.
pub const SOLVERS: usize = 2;
/// Fewer instances rank nothing.
pub const INSTANCES: usize = 10;
/// Instances of fewer families rank nothing.
pub const FAMILIES: usize = 2;
/// How often all intervals of a family of comparisons hold together.
pub const LEVEL: f64 = 0.95;

/// The same arms measured under several solvers.
#[derive(Clone, Debug, PartialEq)]
pub struct Contest {
    /// What the arms are called.
    pub arms: Vec<String>,
    /// The solvers, each with what was measured under it.
    pub solvers: Vec<Entrant>,
}

/// A solver under which arms were measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Entrant {
    /// What it is called, with its options.
    pub label: String,
    /// The program behind it: the same one with two sets of options is not two that agree.
    pub program: String,
    /// What was measured of the arms, in their order.
    pub panel: Panel,
}

impl Contest {
    /// How many different programs there are among the solvers.
    pub fn programs(&self) -> usize {
        let mut programs: Vec<&str> =
            self.solvers.iter().map(|entrant| entrant.program.as_str()).collect();
        programs.sort_unstable();
        programs.dedup();
        programs.len()
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
    /// The geometric mean of the ratios of the first to the second.
    pub ratio: Ratio,
    /// Its interval, of the level at which those of all pairs hold together; none if there is no
    /// ratio.
    pub interval: Option<Interval>,
    /// Wilcoxon's test.
    pub test: SignedRanks,
    /// Its probability after Holm's correction over all pairs of this solver.
    pub p: f64,
    /// The chance that a run of the first takes more than one of the second on the same instance.
    pub a12: Option<f64>,
    /// The number of instances that have a share, and of their families.
    pub instances: usize,
    /// The number of families of these instances.
    pub families: usize,
}

/// Who is above whom.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// The places of the arms, the one that takes least first. Neighbours need not be told apart.
    pub order: Vec<usize>,
    /// All pairs under each solver, in the order of solvers, then of arms.
    pub comparisons: Vec<Comparison>,
    /// The letters of each arm; arms that share one are ties.
    pub letters: Vec<String>,
    /// Of each pair that is ranked, who is above whom.
    pub above: Vec<(usize, usize)>,
    /// What is missing for a ranking, a sentence each.
    pub missing: Vec<String>,
}

impl Comparison {
    /// What the interval decides.
    pub fn relation(&self) -> Relation {
        self.interval.map_or(Relation::Undecided, |interval| interval.relation(MARGIN))
    }

    /// Whether so many instances of so many families have a share that the comparison may rank.
    pub fn is_wide_enough(&self) -> bool {
        self.instances >= INSTANCES && self.families >= FAMILIES
    }

    /// The same with the arms in the other order.
    #[must_use]
    pub fn turned(&self) -> Self {
        let turn = |ratio: Option<f64>| ratio.map(f64::recip);
        let ratio = Ratio {
            estimate: self.ratio.estimate.map(|estimate| super::ratio::Estimate {
                low: turn(estimate.high),
                high: turn(estimate.low),
            }),
            ..self.ratio
        };
        let interval = self.interval.map(|interval| Interval {
            low: turn(interval.high),
            high: turn(interval.low),
            ..interval
        });
        let test = SignedRanks { more: self.test.less, less: self.test.more, ..self.test };
        let a12 = self.a12.map(|share| 1.0 - share);
        Self { one: self.two, two: self.one, ratio, interval, test, a12, ..self.clone() }
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

/// Compares all pairs under each solver, and ranks what may be ranked.
pub fn rank(contest: &Contest) -> Ranking {
    let comparisons: Vec<Comparison> = contest
        .solvers
        .iter()
        .enumerate()
        .flat_map(|(solver, entrant)| compare(solver, &entrant.panel))
        .collect();
    let arms = contest.arms.len();
    let is_above = |one: usize, two: usize| {
        let mut of_pair = comparisons
            .iter()
            .filter(|known| (known.one, known.two) == (one.min(two), one.max(two)))
            .map(|known| if known.one == one { known.clone() } else { known.turned() });
        one != two
            && contest.programs() >= SOLVERS
            && of_pair.all(|known| {
                let below = known.interval.and_then(|interval| interval.high);
                known.is_wide_enough() && below.is_some_and(|high| high < 1.0)
            })
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

/// All pairs of a panel.
fn compare(solver: usize, panel: &Panel) -> Vec<Comparison> {
    let arms = 0..panel.arms();
    let pairs: Vec<(usize, usize)> =
        arms.clone().flat_map(|one| (one + 1..arms.end).map(move |two| (one, two))).collect();
    let contrasts: Vec<Contrast> = pairs.iter().map(|&(one, two)| Contrast::of(one, two)).collect();
    let resampled = resample(panel, &contrasts);
    let level = simultaneous(LEVEL, pairs.len());
    let tests: Vec<SignedRanks> = pairs
        .iter()
        .map(|&(one, two)| {
            let medians = panel.pairs(one, two);
            let medians = medians.into_iter().map(|(_, one, two)| (one, two));
            signed_ranks(&medians.collect::<Vec<_>>())
        })
        .collect();
    let adjusted = holm(&tests.iter().map(|test| test.p).collect::<Vec<_>>());
    let with_share = |one, two| {
        let pairs = panel.pairs(one, two).into_iter();
        let pairs = pairs.filter(|(_, one, two)| !(one.is_over() && two.is_over()));
        pairs.map(|(place, ..)| place).collect::<Vec<_>>()
    };
    let each = pairs.into_iter().zip(resampled).zip(tests.into_iter().zip(adjusted));
    each.map(|(((one, two), resampled), (test, p))| {
        let places = with_share(one, two);
        let mut families: Vec<&str> =
            places.iter().map(|&place| panel.instances()[place].family.as_str()).collect();
        families.sort_unstable();
        families.dedup();
        Comparison {
            solver,
            one,
            two,
            ratio: ratio(panel, one, two),
            interval: resampled.interval(level),
            test,
            p,
            a12: a12_over_instances(panel, one, two),
            instances: places.len(),
            families: families.len(),
        }
    })
    .collect()
}

/// The arms by the sum of logarithms over what all of them were measured on, what is over the limit
/// at its bound; those that were measured on less come by the number of what they were measured on.
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
                    *sum += median.bound().ln();
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

/// What a ranking lacks.
fn missing(contest: &Contest, comparisons: &[Comparison], ranked: usize) -> Vec<String> {
    let mut missing = Vec::new();
    let solvers = contest.programs();
    if solvers < SOLVERS {
        missing.push(format!(
            "{} only: a ranking needs {SOLVERS} that agree.",
            count(solvers, "solver")
        ));
    }
    for (place, Entrant { label: solver, .. }) in contest.solvers.iter().enumerate() {
        let of_solver = || comparisons.iter().filter(|known| known.solver == place);
        if let Some(fewest) = of_solver().map(|known| known.instances).min()
            && fewest < INSTANCES
        {
            let most = of_solver().map(|known| known.instances).max().unwrap_or(fewest);
            let number = if fewest == most {
                count(fewest, "board")
            } else {
                format!("{fewest} to {}", count(most, "board"))
            };
            missing.push(format!(
                "{number} on which {solver} compares two: a ranking needs {INSTANCES}."
            ));
        }
        if let Some(fewest) = of_solver().map(|known| known.families).min()
            && fewest < FAMILIES
        {
            let of_families = if fewest == 1 { "1 family" } else { "no family" };
            missing.push(format!(
                "Boards of {of_families} only, on which {solver} compares two: a ranking needs \
                 {FAMILIES}."
            ));
        }
    }
    let pairs = contest.arms.len() * contest.arms.len().saturating_sub(1) / 2;
    if missing.is_empty() && ranked < pairs {
        missing.push(format!(
            "{} of {pairs} pairs are not ranked: their intervals hold 1 under some solver, or the \
             solvers disagree.",
            pairs - ranked
        ));
    }
    missing
}

#[cfg(test)]
mod tests;
