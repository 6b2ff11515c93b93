//! The claims of an author, evaluated from the rows whenever a report is made.
//!
//! A claim consists of *comparisons*: an arm with another one in a cell (`cells`). Each comparison has an interval
//! (`evidence`), or two numbers without a spread. The intervals of the comparisons that the config declares as primary
//! hold simultaneously, and those of a claim over several cells jointly: with k declared comparisons in each of c cells,
//! each interval has the level 1 − 0.05 / (k c) (Bonferroni). A claim that nothing is shown takes c = 1, since a strict
//! level would make it true. The sentences are templates (`words`).

use bezzel_encode::Settings;
use bezzel_experiment::{Claim, ClaimRelation, Passage, Primary};
use bezzel_statistics::{LEVEL, MARGIN, Outcome, Relation};

use crate::analysis::Analysis;

mod cells;
mod evidence;
mod names;
pub(crate) mod numbers;
#[cfg(test)]
mod tests;
mod words;

use self::cells::{CellOfClaim, Compared};
use self::evidence::{Batch, Counted, Evidence, Prepared};
pub(crate) use self::names::{unknown, unknown_encoding};
use self::words::Labels;

/// A claim after its evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EvaluatedClaim {
    /// True if it holds.
    pub(crate) holds: bool,
    /// True if the rows decide against it, and do not only fail to decide.
    pub(crate) is_refuted: bool,
    /// The sentence of the report.
    pub(crate) sentence: String,
    pub(crate) intervals: ClaimIntervals,
}

/// The intervals on which claims rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClaimIntervals {
    /// The least and the largest number of intervals that hold simultaneously with those of a claim; none without
    /// intervals.
    pub(crate) simultaneous: Option<(usize, usize)>,
    /// True if a comparison has too few instances for an interval.
    pub(crate) some_lack: bool,
}

impl ClaimIntervals {
    /// Those of a comparison.
    fn of(evidence: &Evidence) -> Self {
        let Evidence::Interval(outcome, _) = evidence else { return Self::default() };
        let number = outcome.interval.map(|of| ((1.0 - LEVEL) / (1.0 - of.level)).round() as usize);
        Self { simultaneous: number.map(|of| (of, of)), some_lack: number.is_none() }
    }

    /// Those of several claims.
    pub(crate) fn join(each: impl IntoIterator<Item = Self>) -> Self {
        each.into_iter().fold(Self::default(), |all, of| Self {
            simultaneous: match (all.simultaneous, of.simultaneous) {
                (Some(all), Some(of)) => Some((all.0.min(of.0), all.1.max(of.1))),
                (all, of) => all.or(of),
            },
            some_lack: all.some_lack || of.some_lack,
        })
    }
}

impl EvaluatedClaim {
    fn without_intervals(holds: bool, is_refuted: bool, sentence: String) -> Self {
        Self { holds, is_refuted, sentence, intervals: ClaimIntervals::default() }
    }
}

/// A comparison of a claim with its evidence.
struct Comparison {
    arm: String,
    cell: CellOfClaim,
    /// The encodings that the claim names, if numberings or solvers are compared.
    held: Vec<String>,
    evidence: Evidence,
    /// True if it is compared with another cell.
    is_between: bool,
}

/// A number that a claim quotes.
pub(crate) struct Quoted {
    /// The number as the report has it.
    pub(crate) text: String,
    /// The words that name it; none for a typed number.
    pub(crate) words: Vec<String>,
    pub(crate) value: f64,
}

/// Two numbers in a sentence: each with the words that the other one lacks, and the words of both at the end.
fn told_apart(one: &Quoted, two: &Quoted) -> [String; 2] {
    let both: Vec<&str> =
        one.words.iter().filter(|word| two.words.contains(word)).map(String::as_str).collect();
    let named = |of: &Quoted, other: &Quoted| {
        let own = of.words.iter().filter(|word| !other.words.contains(word));
        let own = own.map(String::as_str).collect::<Vec<_>>().join(", ");
        match &other.words[..] {
            _ if own.is_empty() => of.text.clone(),
            [] => format!("{} ({own})", of.text),
            _ => format!("{} for {own}", of.text),
        }
    };
    let shared = if both.is_empty() { String::new() } else { format!(" ({})", both.join(", ")) };
    [named(one, two), named(two, one) + &shared]
}

/// A claim before its evaluation.
struct PendingClaim<'c> {
    claim: &'c Claim,
    labels: Labels<'c>,
    stage: Stage,
}

/// The knowledge of a claim before its evaluation.
enum Stage {
    /// It compares numbers of tables.
    Numbers,
    /// Its comparisons.
    Comparisons(Vec<(Compared, Result<Prepared, Evidence>)>),
    /// The reason why it has none.
    Nothing(String),
}

/// Evaluates groups of claims; those of a group are to hold together. `quoted` reads a number with placeholders.
pub(crate) fn evaluate(
    groups: &[&[Claim]],
    primary: &Primary,
    analysis: &Analysis<'_>,
    quoted: &dyn Fn(&Passage) -> Result<Quoted, String>,
) -> Vec<EvaluatedClaim> {
    let mut batch = Batch::default();
    let pending: Vec<Vec<PendingClaim<'_>>> =
        groups.iter().map(|claims| prepared(claims, primary, analysis, &mut batch)).collect();
    let found = batch.outcomes();
    let each = pending.into_iter().map(|claims| {
        let each = claims.into_iter().map(|pending| {
            let PendingClaim { claim, labels, stage } = pending;
            match stage {
                Stage::Numbers => of_numbers(claim, quoted),
                Stage::Nothing(reason) => words::unknown(claim, &labels, &reason),
                Stage::Comparisons(compared) => {
                    let each = compared.into_iter().map(|(of, prepared)| {
                        let evidence = prepared.map(|of| of.evidence(&found));
                        let Compared { arm, cell, held, .. } = of;
                        let evidence = evidence.unwrap_or_else(|evidence| evidence);
                        Comparison {
                            arm,
                            cell,
                            held,
                            evidence,
                            is_between: claim.between.is_some(),
                        }
                    });
                    judged(claim, &labels, &each.collect::<Vec<_>>())
                }
            }
        });
        joined(&each.collect::<Vec<_>>())
    });
    each.collect()
}

/// The claims of a group with their comparisons.
fn prepared<'c>(
    claims: &'c [Claim],
    primary: &Primary,
    analysis: &'c Analysis<'_>,
    batch: &mut Batch,
) -> Vec<PendingClaim<'c>> {
    let resolved: Vec<Result<Vec<Compared>, String>> =
        claims.iter().map(|claim| cells::resolve(claim, primary, analysis)).collect();
    let cells = cells::count(resolved.iter().flatten().flatten());
    let each = claims.iter().zip(resolved).map(|(claim, compared)| {
        let labels = Labels {
            measure: cells::measure(claim, primary, analysis),
            solvers: &analysis.solvers,
            numberings: &analysis.numberings,
            values: cells::axis_of(claim, analysis).map(|axis| Settings::AXES[axis].value),
            over_families: claim.over_families,
            has_factor: claim.factor.is_some(),
        };
        let stage = match compared {
            _ if matches!(claim.relation, ClaimRelation::Below | ClaimRelation::Equal) => {
                Stage::Numbers
            }
            Ok(compared) if compared.is_empty() => Stage::Nothing(evidence::NO_RUNS.into()),
            Ok(compared) => {
                let prepared = batch.prepare(&compared, claim, primary, analysis, cells);
                Stage::Comparisons(compared.into_iter().zip(prepared).collect())
            }
            Err(reason) => Stage::Nothing(reason),
        };
        PendingClaim { claim, labels, stage }
    });
    each.collect()
}

/// Claims that hold together, as one.
fn joined(each: &[EvaluatedClaim]) -> EvaluatedClaim {
    EvaluatedClaim {
        holds: each.iter().all(|of| of.holds),
        is_refuted: each.iter().any(|of| of.is_refuted),
        sentence: each.iter().map(|of| of.sentence.as_str()).collect::<Vec<_>>().join(" "),
        intervals: ClaimIntervals::join(each.iter().map(|of| of.intervals)),
    }
}

/// A claim on numbers of tables.
fn of_numbers(
    claim: &Claim,
    quoted: &dyn Fn(&Passage) -> Result<Quoted, String>,
) -> EvaluatedClaim {
    let both = quoted(&claim.arms[0]).and_then(|one| Ok((one, quoted(&claim.baseline)?)));
    let (one, two) = match both {
        Ok(both) => both,
        Err(reason) => {
            let sentence = format!("Not confirmed by these rows: {reason}.");
            return EvaluatedClaim::without_intervals(false, false, sentence);
        }
    };
    let (holds, relation) = match claim.relation {
        ClaimRelation::Below => (one.value < two.value, "less than"),
        _ => (one.value.total_cmp(&two.value).is_eq(), "equal to"),
    };
    let [one, two] = told_apart(&one, &two);
    let sentence = if holds {
        format!("{one} is {relation} {two}.")
    } else {
        format!("Not confirmed by these rows: {one} is not {relation} {two}.")
    };
    EvaluatedClaim::without_intervals(holds, !holds, sentence)
}

/// A claim on comparisons with their evidence.
fn judged(claim: &Claim, labels: &Labels<'_>, comparisons: &[Comparison]) -> EvaluatedClaim {
    let verdict = |group: &&[Comparison]| match claim.relation {
        ClaimRelation::Grows => numbers::growth_verdict(group, claim.factor.unwrap_or(1.0)),
        ClaimRelation::Reversed | ClaimRelation::DependsOn => between(claim.relation, group),
        _ => verdict(claim, &group[0].evidence),
    };
    let groups = groups(comparisons);
    let verdicts: Vec<Verdict> = groups.iter().map(verdict).collect();
    let holds = verdicts.iter().all(|verdict| *verdict == Verdict::Holds);
    EvaluatedClaim {
        holds,
        is_refuted: verdicts.contains(&Verdict::Refuted),
        sentence: words::sentence(claim, labels, &groups, &verdicts),
        intervals: ClaimIntervals::join(
            comparisons.iter().map(|of| ClaimIntervals::of(&of.evidence)),
        ),
    }
}

/// The comparisons in groups, each with a verdict: two cells, all sizes, or one comparison.
fn groups(comparisons: &[Comparison]) -> Vec<&[Comparison]> {
    let mut rest = comparisons;
    let mut groups = Vec::new();
    while let Some(first) = rest.first() {
        let is_of_group = |of: &&Comparison| {
            of.arm == first.arm && of.cell.of_all_sizes() == first.cell.of_all_sizes()
        };
        let length = match first.cell.size {
            Some(_) => rest.iter().take_while(is_of_group).count(),
            None if first.is_between => 2.min(rest.len()),
            None => 1,
        };
        let (group, after) = rest.split_at(length);
        groups.push(group);
        rest = after;
    }
    groups
}

/// The verdict on a comparison of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// The relation is shown.
    Holds,
    /// Another relation is shown.
    Refuted,
    /// No relation is shown.
    Open,
}

impl Verdict {
    fn of(holds: bool, is_decided: bool) -> Self {
        match (holds, is_decided) {
            (true, _) => Self::Holds,
            (false, true) => Self::Refuted,
            (false, false) => Self::Open,
        }
    }
}

fn verdict(claim: &Claim, evidence: &Evidence) -> Verdict {
    let (holds, is_decided) = match evidence {
        Evidence::Interval(outcome, _) => (holds(claim, outcome), outcome.relation.is_decided()),
        Evidence::Counted(counted) => (holds_counted(claim, counted), true),
        Evidence::Nothing(_) => (false, false),
    };
    Verdict::of(holds, is_decided)
}

/// True if an outcome has the relation of a claim.
fn holds(claim: &Claim, outcome: &Outcome) -> bool {
    let factor = claim.factor.unwrap_or(1.0);
    let high = |below: f64| {
        outcome.interval.and_then(|interval| interval.high).is_some_and(|high| high < below)
    };
    let low = |above: f64| {
        outcome.interval.and_then(|interval| interval.low).is_some_and(|low| low > above)
    };
    // Equivalence within another factor than that of verdicts decides anew.
    let within = |factor: f64| {
        let interval = outcome.interval.and_then(|interval| interval.low.zip(interval.high));
        interval.is_some_and(|(low, high)| low >= factor.recip() && high <= factor)
    };
    match claim.relation {
        ClaimRelation::TakesLess => {
            outcome.relation == Relation::Less && (factor <= 1.0 || high(factor.recip()))
        }
        ClaimRelation::TakesMore => {
            outcome.relation == Relation::More && (factor <= 1.0 || low(factor))
        }
        ClaimRelation::Equivalent => within(claim.factor.unwrap_or(1.0 + MARGIN)),
        ClaimRelation::Undecided => !outcome.relation.is_decided(),
        // Too few instances show nothing.
        ClaimRelation::NotLess => outcome.interval.is_some() && outcome.relation != Relation::Less,
        ClaimRelation::NotMore => outcome.interval.is_some() && outcome.relation != Relation::More,
        ClaimRelation::Reversed
        | ClaimRelation::DependsOn
        | ClaimRelation::Grows
        | ClaimRelation::Below
        | ClaimRelation::Equal => false,
    }
}

/// True if numbers without a spread have the relation of a claim on every instance.
fn holds_counted(claim: &Claim, counted: &Counted) -> bool {
    let factor = claim.factor.unwrap_or(1.0);
    let less = counted.largest < factor.recip();
    let more = counted.least > factor;
    match claim.relation {
        ClaimRelation::TakesLess => less,
        ClaimRelation::TakesMore => more,
        ClaimRelation::Equivalent => {
            let factor = claim.factor.unwrap_or(1.0 + MARGIN);
            counted.least >= factor.recip() && counted.largest <= factor
        }
        ClaimRelation::NotLess => counted.largest >= 1.0,
        ClaimRelation::NotMore => counted.least <= 1.0,
        _ => !less && !more,
    }
}

/// The verdict on a relation between two cells.
fn between(relation: ClaimRelation, pair: &[Comparison]) -> Verdict {
    let [Comparison { evidence: Evidence::Interval(one, _), .. }, two] = pair else {
        return Verdict::Open;
    };
    let Evidence::Interval(two, _) = &two.evidence else { return Verdict::Open };
    let signs = [one.relation, two.relation];
    let is_decided = signs.iter().all(|sign| sign.is_decided());
    let holds = if relation == ClaimRelation::Reversed {
        signs.contains(&Relation::Less) && signs.contains(&Relation::More)
    } else {
        one.interval.zip(two.interval).is_some_and(|(one, two)| one.is_apart_from(&two))
    };
    Verdict::of(holds, is_decided)
}
