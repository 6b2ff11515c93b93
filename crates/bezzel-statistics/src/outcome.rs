//! Outcomes of comparisons: the ratio, its interval, and the verdict, over all families and in each.
//!
//! Rankings, effects and comparisons of two records share this rule. Instances are resampled within their families.
//! With several families every family has an outcome of its own. If the first arm costs less in one family and more in
//! another, or less over all of them and more in one, no ratio over families is given.

use crate::bootstrap::{ContrastEstimate, Estimated, estimate_all, ratios};
use crate::contrast::{Contrast, Draws};
use crate::interval::{Interval, Relation};
use crate::observation::Observation;
use crate::paired_design::PairedDesign;
use crate::ratio::Ratio;

/// The rule by which comparisons are decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// The number that is added to every median in ratios, since zero has no logarithm.
    pub offset: f64,
    /// The draws of the intervals.
    pub draws: Draws,
}

/// The outcome of a comparison of two arms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The ratio of the first to the second. No estimate if it depends on the family.
    pub ratio: Ratio,
    /// Its interval.
    pub interval: Option<Interval>,
    /// The verdict.
    pub relation: Relation,
    /// The largest [noise](PairedDesign::noise) of the compared measurements, which an effect must exceed.
    pub noise: f64,
    /// The ratio with a tenth of the offset and with ten times the offset, if a median is so small that this matters:
    /// below ten times the offset.
    pub other_offsets: Option<[Ratio; 2]>,
    /// True if another solver decides otherwise, or has an interval without a ratio in common with this one; see
    /// [`compare_solvers`].
    pub solvers_differ: bool,
    /// True if the effect interacts with the family: two families have intervals without a ratio in common. Set only in
    /// outcomes over several families.
    pub interacts: bool,
}

impl Outcome {
    /// True if the two are decided differently, or their intervals have no ratio in common.
    pub fn differs_from(&self, other: &Self) -> bool {
        let decided = self.relation.is_decided() && other.relation.is_decided();
        self.is_apart_from(other) || (decided && self.relation != other.relation)
    }

    /// True if the interval excludes 1, but not by more than the noise, so that the comparison is undecided.
    pub fn is_within_noise(&self) -> bool {
        self.relation == Relation::Undecided
            && matches!(Relation::of(self.interval, 0.0), Relation::Less | Relation::More)
    }

    /// True if the intervals have no ratio in common.
    fn is_apart_from(&self, other: &Self) -> bool {
        self.interval.zip(other.interval).is_some_and(|(one, two)| one.is_apart_from(&two))
    }

    /// The outcome with the arms in the other order.
    #[must_use]
    pub fn swapped(&self) -> Self {
        Self {
            ratio: self.ratio.swapped(),
            interval: self.interval.map(Interval::swapped),
            relation: self.relation.swapped(),
            other_offsets: self.other_offsets.map(|ratios| ratios.map(Ratio::swapped)),
            ..*self
        }
    }
}

/// The outcome over all families, and those of each family.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcomes {
    /// Over all families.
    pub overall: Outcome,
    /// The families on which both arms were measured, with their outcomes. The only family of a design has
    /// the outcome over all.
    pub families: Vec<(String, Outcome)>,
}

impl Outcomes {
    /// The outcomes with the arms in the other order.
    #[must_use]
    pub fn swapped(&self) -> Self {
        let families = self.families.iter().map(|(family, of)| (family.clone(), of.swapped()));
        Self { overall: self.overall.swapped(), families: families.collect() }
    }

    /// True if two families have intervals without a ratio in common.
    fn interacts(&self) -> bool {
        let families = self.families.iter().enumerate();
        families
            .flat_map(|(at, one)| self.families[at + 1..].iter().map(move |two| (one, two)))
            .any(|(one, two)| one.1.is_apart_from(&two.1))
    }

    /// True if both were measured in the same families.
    fn has_families_of(&self, other: &Self) -> bool {
        let families = |of: &Self| -> Vec<String> {
            of.families.iter().map(|(family, _)| family.clone()).collect()
        };
        families(self) == families(other)
    }

    /// True if the first arm costs less in one family, or over all, and more in another, or over all.
    fn changes_sign(&self) -> bool {
        let all = || std::iter::once(&self.overall).chain(self.families.iter().map(|(_, of)| of));
        let decides = |relation| all().any(|of| of.relation == relation);
        decides(Relation::Less) && decides(Relation::More)
    }
}

/// The contrasts of a design whose outcomes are wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared<'d> {
    /// The design.
    pub design: &'d PairedDesign,
    /// The contrasts of its arms.
    pub contrasts: Vec<Contrast>,
    /// The rule of decision.
    pub rule: Rule,
    /// The level of the intervals over all families, and that of the intervals of one family.
    pub levels: (f64, f64),
}

/// The outcomes of the contrasts of each design. All are decided together, since designs of the same numbers of
/// instances and replicates share their draws.
pub fn outcomes(all: &[Compared<'_>]) -> Vec<Vec<Outcomes>> {
    let mut parts = Vec::new();
    for compared in all {
        parts.push((compared, compared.design.clone(), compared.levels.0));
        for (_, places) in several_families(compared.design) {
            parts.push((compared, compared.design.of_instances(&places), compared.levels.1));
        }
    }
    let mut decided = decide(&parts).into_iter();
    let each = all.iter().map(|compared| {
        let overall = decided.next().into_iter().flatten();
        let mut all: Vec<Outcomes> =
            overall.map(|overall| Outcomes { overall, families: Vec::new() }).collect();
        let several = several_families(compared.design).len() > 1;
        for (family, _) in compared.design.families() {
            let here = if several {
                decided.next().unwrap_or_default()
            } else {
                all.iter().map(|outcomes| outcomes.overall).collect()
            };
            for (outcomes, here) in all.iter_mut().zip(here) {
                if here.ratio.instances + here.ratio.left_out > 0 {
                    outcomes.families.push((family.to_owned(), here));
                }
            }
        }
        summarise(&mut all);
        all
    });
    each.collect()
}

/// The families of a design, if there are several.
fn several_families(design: &PairedDesign) -> Vec<(&str, Vec<usize>)> {
    Some(design.families()).filter(|families| families.len() > 1).unwrap_or_default()
}

/// Compares the families of each outcome, and takes the ratio from those that depend on the family.
fn summarise(all: &mut [Outcomes]) {
    for outcomes in &mut *all {
        outcomes.overall.interacts = outcomes.interacts();
    }
    for outcomes in all.iter_mut().filter(|outcomes| outcomes.changes_sign()) {
        let ratio = Ratio { estimate: None, ..outcomes.overall.ratio };
        let relation = Relation::DependsOnFamily;
        outcomes.overall =
            Outcome { ratio, relation, interval: None, other_offsets: None, ..outcomes.overall };
    }
}

/// Sets [`Outcome::solvers_differ`] in the outcomes of one comparison under several solvers. Outcomes of one family are
/// compared with each other, and outcomes over the same families. If the comparison depends on the family under some
/// solver, it also depends on the solver if it does so in a family.
pub fn compare_solvers(solvers: &mut [&mut Outcomes]) {
    let all: Vec<Outcomes> = solvers.iter().map(|outcomes| (**outcomes).clone()).collect();
    let no_summary = |of: &Outcomes| of.overall.relation == Relation::DependsOnFamily;
    let some_lack_a_summary = all.iter().any(no_summary);
    for of in solvers {
        let differs = |other: &Outcomes| of.overall.differs_from(&other.overall);
        let over_all = all.iter().any(|other| of.has_families_of(other) && differs(other));
        for (family, here) in &mut of.families {
            let mut same = all.iter().flat_map(|other| &other.families);
            here.solvers_differ =
                same.any(|(name, other)| name == family && here.differs_from(other));
        }
        let in_a_family = of.families.iter().any(|(_, here)| here.solvers_differ);
        of.overall.solvers_differ = over_all || (some_lack_a_summary && in_a_family);
    }
}

/// The outcomes of contrasts of each design, with intervals of this level.
fn decide(parts: &[(&Compared<'_>, PairedDesign, f64)]) -> Vec<Vec<Outcome>> {
    let shifted = parts.iter().map(|(compared, design, level)| Estimated {
        design: design.shifted(compared.rule.offset),
        contrasts: &compared.contrasts,
        level: *level,
        draws: compared.rule.draws,
    });
    let estimated = estimate_all(&shifted.collect::<Vec<_>>());
    let each = parts.iter().zip(estimated).map(|((compared, design, _), estimated)| {
        let other = other_offsets(design, &compared.contrasts, compared.rule.offset);
        let each = estimated.into_iter().zip(other).zip(&compared.contrasts);
        each.map(|((ContrastEstimate { ratio, interval }, other_offsets), contrast)| {
            let noise = design.noise(&contrast.pairs);
            Outcome {
                ratio,
                interval,
                relation: Relation::of(interval, noise),
                noise,
                other_offsets,
                solvers_differ: false,
                interacts: false,
            }
        })
        .collect()
    });
    each.collect()
}

/// The ratios with a tenth of the offset and with ten times the offset, of contrasts with a median
/// below ten times the offset. The design has no offset added.
pub(super) fn other_offsets(
    design: &PairedDesign,
    contrasts: &[Contrast],
    offset: f64,
) -> Vec<Option<[Ratio; 2]>> {
    let least = |arm: usize| {
        let medians = design.medians(arm).into_iter().flatten().map(Observation::bound);
        medians.fold(f64::INFINITY, f64::min)
    };
    let least: Vec<f64> = (0..design.arms()).map(least).collect();
    let [small, large] =
        [offset / 10.0, offset * 10.0].map(|other| ratios(&design.shifted(other), contrasts));
    let each = contrasts.iter().zip(small.into_iter().zip(large));
    each.map(|(contrast, (small, large))| {
        let arms = contrast.pairs.iter().flat_map(|&(one, two)| [one, two]);
        let matters = arms.map(|arm| least[arm]).fold(f64::INFINITY, f64::min) < 10.0 * offset;
        (matters && offset > 0.0 && small.estimate.is_some()).then_some([small, large])
    })
    .collect()
}
