//! The sentences of claims, by one template for each relation.

use bezzel_encode::Settings;
use bezzel_experiment::quantity::grouped;
use bezzel_experiment::{Claim, ClaimMeasure, ClaimRelation};
use bezzel_statistics::{Estimate, MARGIN, Outcome, Relation};

use super::evidence::Evidence;
use super::numbers::{interval, numbers, ratio, ratios, remark, smallest};
use super::{Comparison, EvaluatedClaim, Verdict};
use crate::comparison::Measure;
use crate::instance_words::{listed, side};
use crate::label::with_solver_names;
use crate::number::{count, distinct, significant};

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
            ratios(groups, several, |of| labels.cell(of))
        } else {
            labels.found(groups, several)
        }
    };
    if holds {
        // Of a claim that nothing is shown, ratios are not amounts by which it is shown.
        let are_ratios = claim.is_of_absence();
        return match () {
            () if all.len() <= LISTED => format!("{statement}: {}.", found(all)),
            () if of_sizes => {
                format!("{statement}: {}.", smallest(all, |of| labels.cell(of)))
            }
            () if are_ratios => {
                format!("{statement}; the ratios are {}.", labels.range(&comparisons, ""))
            }
            () => format!("{statement}: {}.", labels.range(&comparisons, " times")),
        };
    }
    let failing = all.iter().zip(verdicts).filter(|(_, of)| **of != Verdict::Holds);
    let failing: Vec<&[Comparison]> = failing.map(|(group, _)| *group).collect();
    let part = if all.len() > 1 {
        let held = all.len() - failing.len();
        let other = if failing.len() > 1 { "the first of the others" } else { "the other" };
        format!("it holds in {held} of {}; {other}: ", count(all.len(), "comparison"))
    } else {
        String::new()
    };
    format!("Not confirmed by these rows: {statement}. Here {part}{}.", found(&failing[..1]))
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
    let is_all = given == [super::names::ALL] && arms.len() > NAMED;
    let names = match arms.len() {
        number if is_all && claim.is_of_absence() => format!("the {number} other encodings"),
        number if is_all => format!("all {number} other encodings"),
        _ => with_solver_names(&listed(&arms)),
    };
    let arms = names;
    let (with, setting) = match labels.values {
        Some("the input order") => ("in ", "the order"),
        Some(setting) => ("with ", setting),
        None => ("", ""),
    };
    let value = labels.values.map(|_| format!(" {with}{setting} {}", listed(&given)));
    let value = value.unwrap_or_default();
    let baseline = with_solver_names(&claim.baseline);
    let than = format!("than {with}{baseline}");
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
        ClaimRelation::TakesLess => format!("{arms} {s} {less}{value} {than}{by}"),
        ClaimRelation::TakesMore => format!("{arms} {s} {more}{value} {than}{by}"),
        ClaimRelation::Equivalent => {
            let factor = claim.factor.unwrap_or(1.0 + MARGIN);
            let factor = significant(factor, 3);
            let factor = factor.trim_end_matches('0').trim_end_matches('.');
            format!(
                "{arms}{value} {is}{each} equivalent to {baseline} in {noun}, within a factor of {factor}"
            )
        }
        ClaimRelation::Undecided => {
            let no = format!("no difference in {noun} between");
            let any = |names: &str| format!("{baseline} and any of {names}");
            match labels.values {
                Some(_) if given.len() > 1 => {
                    format!("for {arms}, {no} {setting} {} is decided", any(&listed(&given)))
                }
                Some(_) => {
                    format!("for {arms}, {no} {setting} {} and {baseline} is decided", given[0])
                }
                None if several => format!("{no} {} is decided", any(&arms)),
                None => format!("{no} {arms} and {baseline} is decided"),
            }
        }
        ClaimRelation::NotLess if several => {
            format!("none of {arms} is shown to {verb} {less}{value} {than}")
        }
        ClaimRelation::NotMore if several => {
            format!("none of {arms} is shown to {verb} {more}{value} {than}")
        }
        ClaimRelation::NotLess => {
            format!("{arms} {is} not shown to {verb} {less}{value} {than}")
        }
        ClaimRelation::NotMore => {
            format!("{arms} {is} not shown to {verb} {more}{value} {than}")
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
    match (Measure::of_claim(measure), measure) {
        (Some(of_runs), _) => of_runs.cost(),
        (None, ClaimMeasure::Clauses) => "clauses",
        (None, _) => "variables",
    }
}

/// The labels that the sentences of a record use.
pub(super) struct Labels<'a> {
    pub(super) measure: ClaimMeasure,
    pub(super) solvers: &'a [String],
    pub(super) numberings: &'a [String],
    /// The words for the setting of which values are compared; arms are then the encodings that have them.
    pub(super) values: Option<&'static str>,
    /// True if families are the units.
    pub(super) over_families: bool,
    /// True if the claim has a factor of its own, which the usual verdict does not know.
    pub(super) has_factor: bool,
}

impl Labels<'_> {
    /// The results of groups of comparisons. A cell that neighbours share is named once, after the last of them, and the
    /// instances of comparisons that differ in the solver alone once at the end.
    fn found(&self, groups: &[&[Comparison]], several: bool) -> String {
        let mut text = String::new();
        let each: Vec<&Comparison> = groups.iter().copied().flatten().collect();
        let around = |of: &Comparison| [self.instances(of), of_family(of), self.conditions(of)];
        let shared = around(each[0]);
        let is_same = |of: &&Comparison| !of.is_between && around(of) == shared;
        if !several && each.len() > 1 && !shared[0].is_empty() && each.iter().all(is_same) {
            let parts =
                each.iter().map(|of| [self.numbers(of, false), self.solver_of(of)].concat());
            return format!("{},{}", listed(&parts.collect::<Vec<_>>()), shared.concat());
        }
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
                    format!("{} against {} {}", read(one), read(two), self.unit())
                });
                let means = means.filter(|_| are_few || of.is_between);
                let is_known = !self.has_factor || outcome.relation == Relation::TooFewInstances;
                let remark = remark(outcome).filter(|_| is_known);
                let parts = [interval(outcome), means, remark];
                let parts: Vec<String> = parts.into_iter().flatten().collect();
                let parts = if parts.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", parts.join("; "))
                };
                format!("{}{parts}", ratio(outcome))
            }
        }
    }

    /// The instances and the cell of a comparison.
    fn where_of(&self, of: &Comparison) -> String {
        format!("{}{}", self.instances(of), self.cell(of))
    }

    /// The number of instances and their answer; empty without an interval.
    fn instances(&self, of: &Comparison) -> String {
        match &of.evidence {
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
        }
    }

    /// The family, the solver, the settings and the numbering of a comparison.
    pub(super) fn cell(&self, of: &Comparison) -> String {
        [of_family(of), self.solver_of(of), self.conditions(of)].concat()
    }

    fn solver_of(&self, of: &Comparison) -> String {
        self.solver(of).map_or(String::new(), |solver| format!(" in {solver}"))
    }

    /// The settings, the encodings and the numbering of a comparison.
    fn conditions(&self, of: &Comparison) -> String {
        let settings = settings(of).into_iter().map(|setting| format!(", {setting}"));
        let numbering = self.numbering(of).map(|numbering| format!(", numbering {numbering}"));
        let held: Vec<&str> = of.held.iter().map(String::as_str).collect();
        let held = (!held.is_empty()).then(|| format!(", {}", listed(&held)));
        settings.chain(held).chain(numbering).collect()
    }

    fn solver(&self, of: &Comparison) -> Option<String> {
        of.cell.solver.map(|solver| with_solver_names(&self.solvers[solver]))
    }

    /// The numbering, if the record has several.
    fn numbering(&self, of: &Comparison) -> Option<String> {
        let numbering = of.cell.numbering.filter(|_| self.numberings.len() > 1)?;
        Some(self.numberings[numbering].clone())
    }

    /// The range of many comparisons, with the unit of a ratio.
    fn range(&self, all: &[&Comparison], times: &str) -> String {
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
            Some((bound(outcome)?, [outcome.ratio.estimate?.to_string(), arm]))
        };
        let mut ends: Vec<(f64, [String; 2])> = known.iter().filter_map(of_bound).collect();
        ends.sort_by(|one, two| one.0.total_cmp(&two.0));
        let range = match (ends.first(), ends.last()) {
            (Some((_, one)), Some((_, two))) if one != two => {
                format!("{} to {}{times}{}", one.concat(), two[0], two[1])
            }
            (Some((_, [one, arm])), _) => format!("{one}{times}{arm}"),
            _ => "no ratio".into(),
        };
        let instances = known.iter().map(|(_, outcome)| outcome.ratio.instances);
        let few = instances.clone().min().unwrap_or_default();
        let many = instances.max().unwrap_or_default();
        let instances = if few == many { few.to_string() } else { format!("{few} to {many}") };
        let each = if self.over_families { "each, families resampled" } else { "each" };
        let lack = known.iter().all(|(_, outcome)| outcome.interval.is_none());
        let lack = if lack { ", too few for an interval" } else { "" };
        format!(
            "{range} {where_} ({}, {instances} instances {each}{lack})",
            count(all.len(), "comparison")
        )
    }

    /// A mean of the measure in its unit.
    fn quantity(&self, mean: f64) -> String {
        if self.measure != ClaimMeasure::Time && mean >= 1000.0 {
            grouped(mean.round() as u128)
        } else {
            significant(mean, 3)
        }
    }

    fn unit(&self) -> &'static str {
        match self.measure {
            ClaimMeasure::Time => "s",
            measure => measure_words(measure),
        }
    }
}

/// The family of a comparison, without the side.
fn family(of: &Comparison) -> Option<String> {
    let name = of.cell.family.as_deref()?;
    let without = SIDES.iter().find_map(|side| name.strip_suffix(side));
    Some(without.unwrap_or(name).to_owned())
}

fn of_family(of: &Comparison) -> String {
    family(of).map_or(String::new(), |family| format!(" of {family}"))
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
