//! The sentences of claims, by one template for each relation.

use bezzel_encode::Settings;
use bezzel_experiment::quantity::grouped;
use bezzel_experiment::{Claim, ClaimMeasure, ClaimRelation};
use bezzel_statistics::{Estimate, MARGIN, Outcome};

use super::evidence::Evidence;
use super::numbers::{interval, numbers, ratio, remark};
use super::sizes;
use super::{Comparison, EvaluatedClaim, Verdict};
use crate::distinct::distinct;
use crate::instance_words::{listed, side};
use crate::number::{count, significant};

/// The largest number of comparisons that do not hold whose numbers a sentence has.
const FAILING: usize = 1;
/// The ends of names of families that have the side, which a sentence states by itself.
const SIDES: [&str; 4] = [", sat", ", unsat", ", with a solution", ", without a solution"];
/// The largest number of other encodings that a sentence about all of them names.
const NAMED: usize = 3;
/// The largest number of comparisons whose numbers a sentence has one by one.
const LISTED: usize = 3;

/// The sentence of a claim on comparisons: what holds, or what holds instead.
pub(super) fn sentence(
    claim: &Claim,
    labels: &Labels<'_>,
    all: &[&[Comparison]],
    verdicts: &[Verdict],
) -> String {
    let comparisons: Vec<&Comparison> = all.iter().copied().flatten().collect();
    let statement = statement(claim, labels, &comparisons);
    let holds = verdicts.iter().all(|verdict| *verdict == Verdict::Holds);
    let several = distinct(comparisons.iter().map(|of| of.arm.as_str())).len() > 1;
    let of_sizes = claim.relation == ClaimRelation::Grows;
    let found = |groups: &[&[Comparison]]| {
        if of_sizes {
            sizes::ratios(groups, several, |of| labels.cell(of))
        } else {
            labels.found(groups, several)
        }
    };
    if holds {
        let numbers = match () {
            () if all.len() <= LISTED => found(all),
            () if of_sizes => sizes::smallest(all, |of| labels.cell(of)),
            () => labels.range(&comparisons),
        };
        return format!("{statement}: {numbers}.");
    }
    let failing = all.iter().zip(verdicts).filter(|(_, of)| **of != Verdict::Holds);
    let failing: Vec<&[Comparison]> = failing.map(|(group, _)| *group).collect();
    let listed = found(&failing[..failing.len().min(FAILING)]);
    let more = failing.len().saturating_sub(FAILING);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    let part = if all.len() > 1 {
        let held = all.len() - failing.len();
        format!("it holds in {held} of {}; not: ", count(all.len(), "comparison"))
    } else {
        String::new()
    };
    format!("Not confirmed by these rows: {statement}. Here {part}{listed}{more}.")
}

/// The result of a claim with a name that the record does not have.
pub(super) fn unknown(claim: &Claim, labels: &Labels<'_>, reason: &str) -> EvaluatedClaim {
    let statement = statement(claim, labels, &[]);
    let sentence = format!("Not confirmed by these rows: {statement}. Here {reason}.");
    EvaluatedClaim::without_intervals(false, false, sentence)
}

/// The claim in words, without its cells.
fn statement(claim: &Claim, labels: &Labels<'_>, comparisons: &[&Comparison]) -> String {
    let measure = labels.measure;
    let given: Vec<&str> = claim.arms.iter().map(|arm| &**arm).collect();
    let mut arms = distinct(comparisons.iter().map(|of| of.arm.as_str()));
    if arms.is_empty() {
        arms.clone_from(&given);
    }
    let several = arms.len() > 1;
    let is_all = given == [super::cells::ALL] && arms.len() > NAMED;
    let none_of = matches!(claim.relation, ClaimRelation::NotLess | ClaimRelation::NotMore);
    let names = match arms.len() {
        number if is_all && none_of => format!("the {number} other encodings"),
        number if is_all => format!("all {number} other encodings"),
        _ => listed(&arms),
    };
    let (arms, with) = (names, if labels.values.is_some() { "with " } else { "" });
    let value = labels.values.map(|setting| format!(" with {setting} {}", listed(&given)));
    let value = value.unwrap_or_default();
    let baseline = format!("{with}{}", claim.baseline);
    let (verb, less, more) = match measure {
        ClaimMeasure::Time => ("take", "less CPU time", "more CPU time"),
        ClaimMeasure::Conflicts => ("need", "fewer conflicts", "more conflicts"),
        ClaimMeasure::ProofSteps => ("need", "fewer proof steps", "more proof steps"),
        ClaimMeasure::Clauses => ("have", "fewer clauses", "more clauses"),
        ClaimMeasure::Variables => ("have", "fewer variables", "more variables"),
    };
    let noun = measure_words(measure);
    let s = match (several, verb) {
        (true, verb) => verb.to_owned(),
        (false, "have") => "has".to_owned(),
        (false, verb) => format!("{verb}s"),
    };
    let (is, each) = if several { ("are", " each") } else { ("is", "") };
    let by =
        claim.factor.map_or(String::new(), |factor| format!(", by a factor of at least {factor}"));
    match claim.relation {
        ClaimRelation::TakesLess => format!("{arms} {s} {less}{value} than {baseline}{by}"),
        ClaimRelation::TakesMore => format!("{arms} {s} {more}{value} than {baseline}{by}"),
        ClaimRelation::Equivalent => {
            let factor = claim.factor.unwrap_or(1.0 + MARGIN);
            let factor = significant(factor, 3);
            let factor = factor.trim_end_matches('0').trim_end_matches('.');
            format!(
                "{arms}{value} {is}{each} equivalent to {baseline} in {noun}, within a factor of {factor}"
            )
        }
        ClaimRelation::Undecided => {
            let each = if several { "each of " } else { "" };
            format!("between {each}{arms}{value} and {baseline} no difference in {noun} is decided")
        }
        ClaimRelation::NotLess if several => {
            format!("none of {arms} is shown to {verb} {less}{value} than {baseline}")
        }
        ClaimRelation::NotMore if several => {
            format!("none of {arms} is shown to {verb} {more}{value} than {baseline}")
        }
        ClaimRelation::NotLess => {
            format!("{arms} {is} not shown to {verb} {less}{value} than {baseline}")
        }
        ClaimRelation::NotMore => {
            format!("{arms} {is} not shown to {verb} {more}{value} than {baseline}")
        }
        ClaimRelation::Reversed => {
            format!("the comparison of {arms}{value} with {baseline} by {noun} is reversed")
        }
        ClaimRelation::DependsOn => {
            let key = claim.between.as_ref().map_or("cell", |of| of.key).replace('_', " ");
            format!("the ratio of {arms}{value} to {baseline} in {noun} depends on the {key}")
        }
        ClaimRelation::Grows => {
            let by =
                claim.factor.map_or(String::new(), |factor| format!(" by at least {factor} times"));
            format!(
                "the ratio of {arms}{value} to {baseline} in {noun} rises at each further size{by}"
            )
        }
        ClaimRelation::Below | ClaimRelation::Equal => String::new(),
    }
}

/// The words of a measure in a sentence.
fn measure_words(measure: ClaimMeasure) -> &'static str {
    match measure {
        ClaimMeasure::Time => "CPU time",
        ClaimMeasure::Conflicts => "conflicts",
        ClaimMeasure::ProofSteps => "proof steps",
        ClaimMeasure::Clauses => "clauses",
        ClaimMeasure::Variables => "variables",
    }
}

/// The labels that the sentences of a record use.
pub(super) struct Labels<'a> {
    pub(super) measure: ClaimMeasure,
    pub(super) solvers: &'a [String],
    pub(super) numberings: &'a [String],
    /// The words for the setting of which values are compared; arms are then the encodings that have them.
    pub(super) values: Option<&'static str>,
    /// The number of cells over which the level is joint.
    pub(super) cells: usize,
    /// True if families are the units.
    pub(super) over_families: bool,
}

impl Labels<'_> {
    /// The results of groups of comparisons. A cell that neighbours share is named once, after the last of them.
    fn found(&self, groups: &[&[Comparison]], several: bool) -> String {
        let mut text = String::new();
        let each: Vec<&Comparison> = groups.iter().copied().flatten().collect();
        for (place, of) in each.iter().enumerate() {
            if several {
                text.push_str(&of.arm);
                text.push(' ');
            }
            text.push_str(&self.numbers(of, each.len() == 1));
            let cell = self.where_of(of);
            match each.get(place + 1) {
                Some(next) if self.where_of(next) == cell => text.push_str(", "),
                Some(_) if of.is_between && place % 2 == 0 => {
                    text.push_str(&[&cell, ", and "].concat());
                }
                Some(_) => text.push_str(&[&cell, "; "].concat()),
                None => text.push_str(&cell),
            }
        }
        text
    }

    /// The numbers of a comparison.
    fn numbers(&self, of: &Comparison, are_few: bool) -> String {
        match &of.evidence {
            Evidence::Nothing(reason) => reason.clone(),
            Evidence::Counted(counted) => numbers(counted),
            Evidence::Interval(outcome, means) => {
                let means = means.map(|[one, two]| {
                    let read = |(mean, is_over): (f64, bool)| {
                        let at_least = if is_over { "≥ " } else { "" };
                        format!("{at_least}{}", self.quantity(mean))
                    };
                    format!("{} against {}", read(one), read(two))
                });
                let means = means.filter(|_| are_few || of.is_between);
                let parts = [interval(outcome), means, remark(outcome)];
                let parts: Vec<String> = parts.into_iter().flatten().collect();
                format!("{} ({})", ratio(outcome), parts.join("; "))
            }
        }
    }

    /// The instances and the cell of a comparison.
    fn where_of(&self, of: &Comparison) -> String {
        let instances = match &of.evidence {
            Evidence::Interval(outcome, _) => {
                let number = outcome.ratio.instances;
                let end = if number == 1 { "" } else { "s" };
                let end = if self.over_families {
                    format!("{end} (families resampled)")
                } else {
                    end.to_owned()
                };
                format!(" on {number} {} instance{end}", side(of.cell.answer))
            }
            _ => String::new(),
        };
        format!("{instances}{}", self.cell(of))
    }

    /// The family, the solver, the settings and the numbering of a comparison.
    pub(super) fn cell(&self, of: &Comparison) -> String {
        let family = family(of).map(|family| format!(" of {family}")).into_iter();
        let solver = self.solver(of).map(|solver| format!(" in {solver}"));
        let settings = settings(of).into_iter().map(|setting| format!(", {setting}"));
        let numbering = self.numbering(of).map(|numbering| format!(", numbering {numbering}"));
        let held: Vec<&str> = of.held.iter().map(String::as_str).collect();
        let held = (!held.is_empty()).then(|| format!(", {}", listed(&held)));
        let settings = settings.chain(held);
        family.chain(solver).chain(settings).chain(numbering).collect()
    }

    fn solver(&self, of: &Comparison) -> Option<String> {
        of.cell.solver.map(|solver| self.solvers[solver].clone())
    }

    /// The numbering, if the record has several.
    fn numbering(&self, of: &Comparison) -> Option<String> {
        let numbering = of.cell.numbering.filter(|_| self.numberings.len() > 1)?;
        Some(self.numberings[numbering].clone())
    }

    /// The range of many comparisons.
    fn range(&self, all: &[&Comparison]) -> String {
        let several = distinct(all.iter().map(|of| of.arm.as_str())).len() > 1;
        let sides = distinct(all.iter().map(|of| side(of.cell.answer)));
        let parts = [
            (" of ", distinct(all.iter().copied().filter_map(family))),
            (" in ", distinct(all.iter().filter_map(|of| self.solver(of)))),
            (", ", distinct(all.iter().copied().flat_map(settings))),
            (", ", distinct(all.iter().flat_map(|of| of.held.clone()))),
            (", numbering ", distinct(all.iter().filter_map(|of| self.numbering(of)))),
        ];
        let parts = parts.iter().filter(|(_, names)| !names.is_empty()).map(|(before, names)| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            if names.len() > LISTED && *before == " of " {
                format!("{before}{} families", names.len())
            } else {
                format!("{before}{}", listed(&names))
            }
        });
        let where_ = format!("on {} instances{}", listed(&sides), parts.collect::<String>());
        let known = all.iter().copied().filter_map(|of| match &of.evidence {
            Evidence::Interval(outcome, _) => Some((of, &**outcome)),
            _ => None,
        });
        let known: Vec<(&Comparison, &Outcome)> = known.collect();
        let bound = |outcome: &Outcome| outcome.ratio.estimate.and_then(Estimate::bound);
        let of_bound = |(of, outcome): &(&Comparison, &Outcome)| {
            let arm = if several { format!(" ({})", of.arm) } else { String::new() };
            Some((bound(outcome)?, format!("{}{arm}", ratio(outcome))))
        };
        let mut ends: Vec<(f64, String)> = known.iter().filter_map(of_bound).collect();
        ends.sort_by(|one, two| one.0.total_cmp(&two.0));
        let range = match (ends.first(), ends.last()) {
            (Some((_, one)), Some((_, two))) if one != two => format!("{one} to {two}"),
            (Some((_, one)), _) => one.clone(),
            _ => "no ratio".into(),
        };
        let instances = known.iter().map(|(_, outcome)| outcome.ratio.instances);
        let few = instances.clone().min().unwrap_or_default();
        let many = instances.max().unwrap_or_default();
        let instances = if few == many { few.to_string() } else { format!("{few} to {many}") };
        let each = if self.over_families { "each, families resampled" } else { "each" };
        let joint = if self.cells > 1 { ", joint level 95 %" } else { "" };
        format!(
            "{range} {where_} ({} with {instances} compared instances {each}{joint})",
            count(all.len(), "comparison")
        )
    }

    /// A mean of the measure with its unit.
    fn quantity(&self, mean: f64) -> String {
        match self.measure {
            ClaimMeasure::Time => format!("{} s", significant(mean, 3)),
            measure => {
                let mean = if mean >= 1000.0 {
                    grouped(mean.round() as u128)
                } else {
                    significant(mean, 3)
                };
                format!("{mean} {}", measure_words(measure))
            }
        }
    }
}

/// The family of a comparison, without the side.
fn family(of: &Comparison) -> Option<String> {
    let name = of.cell.family.as_deref()?;
    let without = SIDES.iter().find_map(|side| name.strip_suffix(side));
    Some(without.unwrap_or(name).to_owned())
}

/// The settings of both arms, with their labels.
fn settings(of: &Comparison) -> Vec<String> {
    let settings = of.cell.settings.iter().map(|(axis, value)| {
        let axis = &Settings::AXES[*axis];
        let label = if axis.label.is_empty() { axis.key } else { axis.label };
        format!("{label} {value}")
    });
    settings.collect()
}
