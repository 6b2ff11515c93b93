//! Rankings: all pairs of arms compared under each solver, and the order that the comparisons support.
//!
//! The interval of a ratio is the only rule of decision. A pair is compared over the instances of all families,
//! resampled within their families, and in each family alone. If the first arm costs less in one family and more in
//! another, or over all of them, no ratio over families is given. A is ranked above B only if it costs less under every
//! solver, of at least [`SOLVERS`] different programs. All others share a letter.
//!
//! The intervals of all pairs under one solver hold simultaneously with 95 %. In one family, those of any one arm
//! compared with all others do. Several solvers must agree, which needs no further correction.

use std::collections::BTreeMap;

use bezzel_problem::quantity::counted as count;
use indexmap::IndexMap;

use crate::contrast::Contrast;
use crate::interval::{LEVEL, Relation, min_instances, simultaneous};
use crate::observation::Observation;
use crate::outcome::{Compared, Outcome, Outcomes, Rule, compare_solvers, outcomes};
use crate::paired_design::PairedDesign;

/// The least number of solvers for a ranking.
pub const SOLVERS: usize = 2;

/// The same arms measured under several solvers.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The names of the arms. The first is the reference of tables.
    pub arms: Vec<String>,
    /// The solvers, each with its measurements.
    pub solvers: Vec<SolverDesign>,
    /// The rule by which pairs are decided.
    pub rule: Rule,
}

/// A solver under which arms were measured.
#[derive(Clone, Debug, PartialEq)]
pub struct SolverDesign {
    /// The number of the solver in the record.
    pub number: usize,
    /// Its name, with its options.
    pub label: String,
    /// Its program. One program with two sets of options counts as one.
    pub program: String,
    /// The measurements of the arms, in their order.
    pub design: PairedDesign,
}

impl Comparison {
    /// The number of different programs among the solvers.
    pub fn programs(&self) -> usize {
        let mut programs: Vec<&str> =
            self.solvers.iter().map(|solver_design| solver_design.program.as_str()).collect();
        programs.sort_unstable();
        programs.dedup();
        programs.len()
    }

    /// The number of pairs of arms.
    pub fn pairs(&self) -> usize {
        self.arms.len() * self.arms.len().saturating_sub(1) / 2
    }
}

/// A comparison of two arms under one solver.
#[derive(Clone, Debug, PartialEq)]
pub struct PairComparison {
    /// The place of the solver.
    pub solver: usize,
    /// The place of the first arm.
    pub one: usize,
    /// The place of the second arm.
    pub two: usize,
    /// The ratios of the first to the second, over all families and in each. The intervals of all pairs are
    /// simultaneous, and in one family those of one arm compared with all others.
    pub outcomes: Outcomes,
}

/// The order of arms, as far as it is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// The places of the arms, the least mean first. Neighbours may be ties.
    pub order: Vec<usize>,
    /// All pairs under each solver, in the order of solvers, then of arms.
    pub comparisons: Vec<PairComparison>,
    /// The letters of each arm. Arms that share a letter are ties.
    pub letters: Vec<String>,
    /// The pairs that are ranked, the better arm first.
    pub above: Vec<(usize, usize)>,
    /// The evidence that a full ranking lacks, a sentence each.
    pub missing: Vec<String>,
}

impl PairComparison {
    /// The same with the arms in the other order.
    #[must_use]
    pub fn swapped(&self) -> Self {
        Self { one: self.two, two: self.one, outcomes: self.outcomes.swapped(), ..*self }
    }

    /// The outcome over all families.
    pub fn overall(&self) -> &Outcome {
        &self.outcomes.overall
    }
}

impl Ranking {
    /// The comparison of two arms under a solver, in this order.
    pub fn comparison(&self, solver: usize, one: usize, two: usize) -> Option<PairComparison> {
        self.comparisons.iter().filter(|known| known.solver == solver).find_map(|known| {
            match (known.one, known.two) {
                pair if pair == (one, two) => Some(known.clone()),
                pair if pair == (two, one) => Some(known.swapped()),
                _ => None,
            }
        })
    }
}

/// Compares all pairs under each solver, and ranks the pairs that all solvers decide alike.
pub fn rank(comparison: &Comparison) -> Ranking {
    rank_all(&[comparison]).remove(0)
}

/// The rankings of several comparisons. All are decided together, as [`outcomes`] does.
pub fn rank_all(all: &[&Comparison]) -> Vec<Ranking> {
    let each = all.iter().flat_map(|of| of.solvers.iter().map(|solver| (of.rule, &solver.design)));
    let compared: Vec<Compared<'_>> = each.map(|(rule, design)| all_pairs(rule, design)).collect();
    let mut decided = compared.iter().zip(outcomes(&compared));
    let of_comparison = |comparison: &&Comparison| {
        let solvers = decided.by_ref().take(comparison.solvers.len()).enumerate();
        let comparisons = solvers.flat_map(|(solver, (compared, outcomes))| {
            let pairs = compared.contrasts.iter().map(|contrast| contrast.pairs[0]);
            pairs.zip(outcomes).map(move |((one, two), outcomes)| PairComparison {
                solver,
                one,
                two,
                outcomes,
            })
        });
        rank_decided(comparison, comparisons.collect())
    };
    all.iter().map(of_comparison).collect()
}

/// Ranks the pairs that all solvers decide alike.
fn rank_decided(comparison: &Comparison, mut comparisons: Vec<PairComparison>) -> Ranking {
    let pair = |known: &PairComparison| (known.one, known.two);
    let mut by_pair: BTreeMap<(usize, usize), Vec<&mut Outcomes>> = BTreeMap::new();
    for known in &mut comparisons {
        by_pair.entry(pair(known)).or_default().push(&mut known.outcomes);
    }
    for of_pair in by_pair.values_mut() {
        compare_solvers(of_pair);
    }
    let arms = comparison.arms.len();
    let is_above = |one: usize, two: usize| {
        let mut of_pair =
            comparisons.iter().filter(|known| pair(known) == (one.min(two), one.max(two)));
        let least = if one < two { Relation::Less } else { Relation::More };
        one != two
            && comparison.programs() >= SOLVERS
            && of_pair.clone().count() == comparison.solvers.len()
            && of_pair.all(|known| known.overall().relation == least)
    };
    let order = order(comparison);
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
    let missing = missing(comparison, &comparisons, above.len());
    Ranking { order, comparisons, letters, above, missing }
}

/// All pairs of a design.
fn all_pairs(rule: Rule, design: &PairedDesign) -> Compared<'_> {
    let arms = 0..design.arms();
    let pairs = arms.clone().flat_map(|one| (one + 1..arms.end).map(move |two| (one, two)));
    let contrasts: Vec<Contrast> = pairs.map(|(one, two)| Contrast::of(one, two)).collect();
    let levels = (simultaneous(LEVEL, contrasts.len()), simultaneous(LEVEL, arms.end - 1));
    Compared { design, contrasts, rule, levels }
}

/// The order of the arms by the sum of logarithms over the instances on which all of them were measured, a value over
/// the limit by its bound; then by the number of instances on which they were measured.
fn order(comparison: &Comparison) -> Vec<usize> {
    let arms = comparison.arms.len();
    let mut sums = vec![0.0; arms];
    let mut measured = vec![0_usize; arms];
    for SolverDesign { design, .. } in &comparison.solvers {
        for place in 0..design.instances().len() {
            let medians: Vec<Option<Observation>> =
                (0..arms).map(|arm| design.median(arm, place)).collect();
            for (arm, median) in medians.iter().enumerate() {
                measured[arm] += usize::from(median.is_some());
            }
            if medians.iter().all(Option::is_some) {
                for (sum, median) in sums.iter_mut().zip(medians.iter().flatten()) {
                    *sum += (median.bound() + comparison.rule.offset).ln();
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

/// The smallest number of instances with which the intervals of `pairs` pairs of arms can hold together.
pub fn instances_needed(pairs: usize) -> usize {
    min_instances(simultaneous(LEVEL, pairs))
}

/// The evidence that a ranking of all pairs lacks.
fn missing(comparison: &Comparison, comparisons: &[PairComparison], ranked: usize) -> Vec<String> {
    let mut missing = Vec::new();
    let (solvers, pairs) = (comparison.programs(), comparison.pairs());
    if solvers < SOLVERS {
        missing.push(format!("{} only: a ranking needs {SOLVERS}.", count(solvers, "solver")));
    }
    let needed = instances_needed(pairs);
    // Solvers with the same numbers share a sentence.
    let mut alike: IndexMap<(usize, usize), Vec<&str>> = IndexMap::new();
    for (place, SolverDesign { label, .. }) in comparison.solvers.iter().enumerate() {
        let few = comparisons
            .iter()
            .filter(|known| known.solver == place)
            .filter(|known| known.overall().relation == Relation::TooFewInstances);
        let few: Vec<usize> = few.map(|known| known.overall().ratio.instances).collect();
        if let Some(least) = few.iter().min() {
            alike.entry((few.len(), *least)).or_default().push(label);
        }
    }
    for ((few, least), labels) in alike {
        let labels = if labels.len() == comparison.solvers.len() && labels.len() > 2 {
            "each solver".to_owned()
        } else {
            labels.join(", ")
        };
        let (pairs, have) = (count(pairs, "pair"), if few == 1 { "has" } else { "have" });
        missing.push(format!(
            "{few} of {pairs} under {labels} {have} too few instances (the smallest number is {least}). \
             Simultaneous 95 % confidence intervals of {pairs} need {needed} instances."
        ));
    }
    if missing.is_empty() && ranked < pairs {
        let are = if ranked == 1 || pairs == 1 { "is" } else { "are" };
        missing.push(format!("a full ranking; {ranked} of {} {are} ranked.", count(pairs, "pair")));
    }
    missing
}

// Compact letters: arms that were not distinguished share a letter.
//
// If A and B were not distinguished, nor B and C, then A and C may still be: groups of ties overlap. Disjoint groups
// would distinguish arms without evidence. So each arm has the letters of all its groups, and two arms share a letter
// exactly if they were not distinguished (Piepho, *An algorithm for a letter-based representation of all-pairwise
// comparisons*, Journal of Computational and Graphical Statistics 13(2), 2004: insert and absorb).

/// The groups of `arms` arms, each the places of its members: every largest set of which no two are distinguished.
/// Groups are in the order of their first members, and arms in the order given.
pub(crate) fn groups(arms: usize, told_apart: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = vec![(0..arms).collect()];
    for one in 0..arms {
        for two in one + 1..arms {
            if !told_apart(one, two) {
                continue;
            }
            // A group with both becomes two groups, each without one of them.
            let (both, mut others): (Vec<_>, Vec<_>) =
                groups.into_iter().partition(|group| group.contains(&one) && group.contains(&two));
            for group in both {
                for gone in [two, one] {
                    others.push(group.iter().copied().filter(|arm| *arm != gone).collect());
                }
            }
            groups = absorbed(others);
        }
    }
    groups.retain(|group| !group.is_empty());
    groups.sort();
    groups
}

/// The groups that are in no other.
fn absorbed(mut groups: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    groups.sort();
    groups.dedup();
    let within = |one: &[usize], two: &[usize]| one.iter().all(|arm| two.contains(arm));
    let kept = groups
        .iter()
        .filter(|group| !groups.iter().any(|other| other != *group && within(group, other)));
    kept.cloned().collect()
}

/// The letters of each arm: `a`, `ab`; beyond `z` come `a2`, `b2`.
pub(crate) fn letters(arms: usize, groups: &[Vec<usize>]) -> Vec<String> {
    let letter = |place: usize| {
        let letter = char::from(b'a' + (place % 26) as u8);
        if place < 26 { letter.to_string() } else { format!("{letter}{}", place / 26 + 1) }
    };
    (0..arms)
        .map(|arm| {
            let of_arm = groups.iter().enumerate().filter(|(_, group)| group.contains(&arm));
            of_arm.map(|(place, _)| letter(place)).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests;
