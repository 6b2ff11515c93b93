//! `bezzel show ID --k K`, `bezzel check ID --k K` and `bezzel show ID --weights W,… --bound B`: the computed properties of
//! encoders at one bound, or at one weighted sum.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;

use bezzel_encode::amk::{AtMostK, Limit};
use bezzel_encode::properties::constraint::{ConstraintProfile, ProfileSummary, weaker};
use bezzel_encode::properties::shapes::Counterexample;
use bezzel_encode::sums::SumLimit;
use bezzel_encode::{
    AtMostOne, Auxiliaries, ClauseSink, EncodingInfo, Formula, Lit, Propagation, Shape, Size,
};
use bezzel_experiment::quantity::grouped;
use bezzel_experiment::shape_check::{CheckExtent, check_sums};
use bezzel_experiment::{Catalog, EncoderPrograms, Permission, program};
use bezzel_problem::layout::{table, wrapped};
use serde::Serialize;

use crate::command::common::{all_right, print_json};
use crate::command::encoder;
use crate::command::scopes::{self, TriedShapes};
use crate::failure::{CommandResult, Failure};

/// The number of literals up to which properties are computed on all assignments, and the largest k.
const MAX_LITERALS: u32 = 8;
const MAX_K: u64 = 11;

/// The largest k for which an encoder is checked, on some assignments.
const MAX_CHECKED_K: u64 = 1_000;

/// The profile for one k.
#[derive(Serialize)]
struct AtMostKProfile {
    about: EncodingInfo,
    k: u64,
    limits: Vec<BoundVerdict>,
    /// The result on more literals, if all assignments of few literals are right.
    #[serde(skip_serializing_if = "Option::is_none")]
    shapes: Option<TriedShapes>,
}

impl AtMostKProfile {
    fn new(
        id: &str,
        k: u64,
        programs: &mut EncoderPrograms<'_>,
        catalog: &Catalog,
    ) -> Result<Self, Failure> {
        let shapes = encoder::shapes(k, numbers(k).chain([20].into_iter().filter(|&n| n > k)));
        let encoder = encoder::of_bounds(id, &shapes, programs, catalog)?;
        let bounds = encoder.of_bounds().expect("an encoder of bounds");
        let limits = Limit::ALL.map(|limit| BoundVerdict::of(bounds, limit, k)).into();
        let mut profile = Self { about: bounds.about(), k, limits, shapes: None };
        // Larger formulas than these are not tried.
        if profile.is_right() && k <= MAX_CHECKED_K {
            profile.shapes = Some(scopes::check(id, &encoder, Some(k), programs)?);
        }
        Ok(profile)
    }

    fn is_right(&self) -> bool {
        self.limits.iter().all(|limit| limit.verdict.correct != Some(false))
            && self.shapes.as_ref().is_none_or(|shapes| shapes.correct)
    }

    fn text(&self) -> String {
        let limits: Vec<String> = self.limits.iter().map(|limit| limit.text(self.k)).collect();
        let shapes = self.shapes.as_ref().map_or(String::new(), |shapes| {
            let text = wrapped(&format!("All numbers of literals: {}.", shapes.outcome), 0);
            format!("{text}\n{}\n", shapes.drawing())
        });
        format!("{}{}\n{shapes}", heading(&self.about), limits.join("\n"))
    }
}

/// The properties of one constraint, or of one with several numbers of literals.
#[derive(Serialize)]
struct Verdict {
    /// True if all assignments that were tried are right; none if none was tried.
    correct: Option<bool>,
    /// The weakest propagation, if all assignments were tried.
    propagation: Option<Propagation>,
    auxiliaries: Option<Auxiliaries>,
    /// The first assignment that is wrongly allowed or forbidden.
    #[serde(skip)]
    wrong: Option<Counterexample>,
}

impl Verdict {
    /// The verdict of profiles over all assignments.
    fn of_profiles(profiles: &[ConstraintProfile], wrong: Option<Counterexample>) -> Self {
        let summary = ProfileSummary::of(profiles);
        Self {
            correct: Some(wrong.is_none()),
            propagation: Some(summary.weakest()),
            auxiliaries: Some(summary.auxiliaries),
            wrong,
        }
    }

    /// The verdict on some assignments only, or on none.
    fn without_profile(correct: Option<bool>, wrong: Option<Counterexample>) -> Self {
        Self { correct, propagation: None, auxiliaries: None, wrong }
    }

    /// The words `correct; propagation …; auxiliary variables …`, or the wrong assignment; none if not all assignments
    /// were tried.
    fn words(&self) -> Option<String> {
        match (&self.wrong, self.propagation, self.auxiliaries) {
            (Some(wrong), ..) => Some(format!("WRONG: {}", described(wrong, "    "))),
            (None, Some(propagation), Some(auxiliaries)) => Some(format!(
                "correct; propagation {propagation}; auxiliary variables {auxiliaries}"
            )),
            _ => None,
        }
    }

    /// The words on a line of their own, with the extent of a check without a fault, or else `untried`.
    fn line(&self, extent: &str, untried: &str) -> String {
        match self.words() {
            Some(words) if self.wrong.is_none() => format!("  {words} ({extent})\n"),
            Some(words) => format!("  {words}\n"),
            None => format!("  {untried}\n"),
        }
    }
}

#[derive(Serialize)]
struct BoundVerdict {
    limit: String,
    /// The largest number of literals of which all assignments were tried; none if k is too large.
    tried: Option<u32>,
    #[serde(flatten)]
    verdict: Verdict,
    /// The numbers of literals and the sizes.
    sizes: Vec<(u64, Size)>,
}

impl BoundVerdict {
    fn of(encoder: &dyn AtMostK, limit: Limit, k: u64) -> Self {
        // The least number of literals with which the constraint is more than unit clauses.
        let least = k + 1;
        let tried = (k <= MAX_K).then(|| MAX_LITERALS.max(least as u32));
        let verdict = tried.map(|max| {
            let numbers = least as u32..=max;
            let profile = |n| ConstraintProfile::of_bound(encoder, limit, n, k);
            let profiles: Vec<_> = numbers.clone().map(profile).collect();
            let wrong = numbers.zip(&profiles).find_map(|(n, profile)| {
                let held = profile.wrong?;
                let held = (0..n).filter(|input| held >> input & 1 == 1).collect();
                let shape = Shape { n: n.into(), limit, k };
                let encoder = encoder.about().id;
                Some(Counterexample { encoder, shape, weights: Vec::new(), held })
            });
            Verdict::of_profiles(&profiles, wrong)
        });
        let numbers: BTreeSet<u64> = [least, 2 * least, 20, 100, 1_000].into();
        let sizes = numbers.range(least..).filter_map(|&n| Some((n, limit.size(encoder, n, k)?)));
        Self {
            limit: limit.to_string(),
            tried,
            verdict: verdict.unwrap_or_else(|| Verdict::without_profile(None, None)),
            sizes: sizes.collect(),
        }
    }

    fn text(&self, k: u64) -> String {
        let tried = self.tried.unwrap_or_default();
        let extent = format!("all assignments of {} to {tried} literals", k + 1);
        let untried = format!("properties are computed up to k = {MAX_K}");
        let verdict = self.verdict.line(&extent, &untried);
        format!("{} {k}\n{verdict}{}", self.limit, size_table(&self.sizes))
    }
}

/// The sizes for some numbers of literals.
fn size_table(sizes: &[(u64, Size)]) -> String {
    if sizes.is_empty() {
        return String::new();
    }
    let head = ["literals", "variables", "clauses", "literals in clauses"].map(str::to_owned);
    let row = |&(n, Size { variables, clauses, literals }): &(u64, Size)| {
        [n.into(), variables, clauses, literals].map(grouped).to_vec()
    };
    let rows: Vec<_> = std::iter::once(head.to_vec()).chain(sizes.iter().map(row)).collect();
    table(&rows, |_| true).into_iter().map(|line| ["  ", &line, "\n"].concat()).collect()
}

/// The lines above a profile: name, idea and source.
fn heading(about: &EncodingInfo) -> String {
    let source = wrapped(&format!("Source: {}.", about.citation), 0);
    let idea = if about.idea.is_empty() { String::new() } else { wrapped(&about.idea, 0) + "\n" };
    format!("{}: {}\n{idea}{source}\n\n", about.id, about.title)
}

/// A wrong assignment in words, and drawn on the lines below.
pub(in crate::command) fn described(wrong: &Counterexample, indent: &str) -> String {
    let drawing = wrong.finding().drawing;
    let lines = drawing.lines().map(|line| format!("\n{indent}{line}"));
    format!("{wrong}{}", lines.collect::<String>())
}

/// The numbers of literals of which all assignments are tried.
fn numbers(k: u64) -> impl Iterator<Item = u64> {
    // With a large k, a program is asked for one number: the formula of others may be large.
    k + 1..=if k <= MAX_K { u64::from(MAX_LITERALS).max(k + 1) } else { k + 1 }
}

/// `bezzel show ID --k K`.
pub(super) fn show_bound(
    ids: &[String],
    k: u64,
    json: bool,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    if !(1..=1_000_000).contains(&k) {
        return Err(Failure::Input(format!("--k must be from 1 to 1,000,000, not {k}")));
    }
    let permission = Permission::of_names(ids.iter().map(String::as_str));
    let mut programs = EncoderPrograms::new(&catalog.encodings, program::LIMITS, &permission);
    let profiles = ids.iter().map(|id| AtMostKProfile::new(id, k, &mut programs, catalog));
    let profiles = profiles.collect::<Result<Vec<_>, _>>()?;
    show(&profiles, json, AtMostKProfile::text, AtMostKProfile::is_right, out)
}

/// Prints profiles, and fails if one is wrong.
fn show<P: Serialize>(
    profiles: &[P],
    json: bool,
    text: fn(&P) -> String,
    is_right: fn(&P) -> bool,
    out: &mut dyn Write,
) -> CommandResult {
    if json {
        print_json(&profiles, out)?;
    } else {
        profiles.iter().try_for_each(|profile| write!(out, "{}", text(profile)))?;
    }
    let wrong = profiles.iter().filter(|profile| !is_right(profile)).count();
    all_right("wrong encoders", wrong, profiles.len())
}

/// `bezzel check ID --k K`: at most, at least and exactly `k`, on all assignments of up to 8 literals or k + 1, and on
/// some of more literals. All encoders if none is named.
pub(in crate::command) fn check_bound(
    ids: &[String],
    k: u64,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    if !(1..=MAX_CHECKED_K).contains(&k) {
        let max = grouped(MAX_CHECKED_K.into());
        return Err(Failure::Input(format!("check --k must be from 1 to {max}, not {k}")));
    }
    let all = encoder::ids();
    let ids = if ids.is_empty() { &all } else { ids };
    let permission = Permission::of_names(ids.iter().map(String::as_str));
    let mut programs = EncoderPrograms::new(&catalog.encodings, program::LIMITS, &permission);
    let mut broken = 0;
    for id in ids {
        let profile = AtMostKProfile::new(id, k, &mut programs, catalog)?;
        let (id, mut is_right) = (&profile.about.id, profile.is_right());
        for BoundVerdict { limit, tried, verdict, .. } in &profile.limits {
            // With a larger k there are too many assignments to try all.
            let Some(mut outcome) = verdict.words() else { continue };
            // Properties are declared for at most k, and are those of the worst k.
            let weakest = verdict.propagation.filter(|_| *limit == Limit::AtMost.to_string());
            let weaker = weakest.and_then(|weakest| weaker(weakest, &profile.about));
            if let Some(weaker) = weaker.filter(|_| verdict.wrong.is_none()) {
                is_right = false;
                outcome = format!("WRONG: {weaker}");
            }
            let numbers = format!("{} to {} literals", k + 1, tried.unwrap_or(MAX_LITERALS));
            writeln!(out, "{id}: {limit} {k} of {numbers}: {outcome}")?;
        }
        if let Some(tried) = &profile.shapes {
            write!(out, "{id}: {}\n{}", tried.outcome, tried.drawing())?;
        }
        broken += usize::from(!is_right);
        out.flush()?;
    }
    all_right("wrong encoders", broken, ids.len())
}

/// The largest number of weights up to which properties are computed on all assignments.
const MAX_WEIGHTS: usize = 10;

/// The most clauses that are printed.
const MAX_PRINTED: u128 = 40;

/// The largest weight, bound and sum of weights.
const MAX_WEIGHT: u64 = i64::MAX as u64;

/// The profile of an encoder.
#[derive(Serialize)]
struct ShownSum {
    about: EncodingInfo,
    weights: Vec<u64>,
    bound: u64,
    limits: Vec<SumVerdict>,
}

#[derive(Serialize)]
struct SumVerdict {
    limit: String,
    /// None if the encoder refuses the sum.
    size: Option<Size>,
    /// True if all assignments were tried, false if some were.
    exhaustive: bool,
    #[serde(flatten)]
    verdict: Verdict,
    /// The number of assignments that a solver decided, if not all were tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    assignments: Option<u64>,
    /// The clauses, if they are few; the literals are 1 to n.
    #[serde(skip_serializing_if = "Option::is_none")]
    clauses: Option<Vec<Vec<i32>>>,
}

impl SumVerdict {
    fn of(encoder: &Arc<dyn AtMostOne>, sum: &SumLimit) -> Self {
        let mut found = Self {
            limit: sum.limit.to_string(),
            size: sum.size(encoder.as_ref()),
            exhaustive: sum.weights.len() <= MAX_WEIGHTS,
            verdict: Verdict::without_profile(Some(true), None),
            assignments: None,
            clauses: None,
        };
        let Some(size) = found.size else { return found };
        if size.clauses <= MAX_PRINTED {
            let mut formula = Formula::new();
            let xs: Vec<Lit> = formula.fresh(sum.weights.len() as u32).lits().collect();
            sum.encode(encoder.as_ref(), &xs, &mut formula);
            let clauses = formula.clauses();
            let numbers = |clause: &[Lit]| clause.iter().map(|lit| lit.to_ipasir()).collect();
            found.clauses = Some(clauses.map(numbers).collect());
        }
        let id = encoder.info().id;
        if found.exhaustive {
            let profile = ConstraintProfile::of_sum(encoder.as_ref(), sum);
            let wrong = profile.wrong.map(|held| sum.counterexample(&id, held));
            found.verdict = Verdict::of_profiles(&[profile], wrong);
        } else {
            let sums = [(id, [(sum.clone(), Arc::clone(encoder))].into())].into();
            match check_sums(&sums, CheckExtent::OF_BOUNDS) {
                Ok(checked) => found.assignments = Some(checked.assignments),
                Err(wrong) => found.verdict = Verdict::without_profile(Some(false), Some(wrong)),
            }
        }
        found
    }

    fn text(&self, weights: &[u64], bound: u64) -> String {
        let n = weights.len();
        let shown: Vec<String> = weights.iter().map(u64::to_string).collect();
        let of = format!("{} {bound} with the weights {}", self.limit, shown.join(", "));
        let mut text = wrapped(&of, 0) + "\n";
        let Some(size) = self.size else {
            return text
                + "  refused: more than 100,000,000 clauses, or a diagram or a totalizer that is too large\n";
        };
        let untried = format!(
            "correct on {} assignments; properties are computed up to {MAX_WEIGHTS} weights",
            grouped(self.assignments.unwrap_or_default().into())
        );
        text += &self.verdict.line(&format!("all assignments of {n} literals"), &untried);
        text += &size_table(&[(n as u64, size)]);
        for clause in self.clauses.iter().flatten() {
            let lits: Vec<String> = clause.iter().map(i32::to_string).collect();
            let _ = writeln!(text, "    {} 0", lits.join(" "));
        }
        text
    }
}

impl ShownSum {
    fn is_right(&self) -> bool {
        self.limits.iter().all(|limit| limit.verdict.correct == Some(true))
    }

    fn text(&self) -> String {
        let limits = self.limits.iter().map(|limit| limit.text(&self.weights, self.bound));
        format!("{}{}\n", heading(&self.about), limits.collect::<Vec<_>>().join("\n"))
    }
}

/// `bezzel show ID --weights W,… --bound B`.
pub(super) fn show_sum(
    ids: &[String],
    (weights, bound): (Vec<u64>, u64),
    json: bool,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let sums = Limit::ALL.map(|limit| SumLimit { weights: weights.clone(), limit, bound });
    let permission = Permission::of_names(ids.iter().map(String::as_str));
    let mut programs = EncoderPrograms::new(&catalog.encodings, program::LIMITS, &permission);
    let profiles = ids.iter().map(|id| {
        let encoder = encoder::of_sums(id, &sums, &mut programs, catalog)?;
        let about = encoder.of_sums().expect("an encoder of sums").about();
        let limits = sums.iter().map(|sum| SumVerdict::of(&encoder, sum)).collect();
        Ok(ShownSum { about, weights: weights.clone(), bound, limits })
    });
    let profiles = profiles.collect::<Result<Vec<_>, Failure>>()?;
    show(&profiles, json, ShownSum::text, ShownSum::is_right, out)
}

/// Reads the weights and the bound.
pub(super) fn read_sum(
    weights: Option<&str>,
    bound: Option<&str>,
) -> Result<(Vec<u64>, u64), String> {
    const EXAMPLE: &str = "as in `--weights 3,5,7 --bound 9`";
    let weights = weights.ok_or_else(|| format!("--bound needs --weights, {EXAMPLE}"))?;
    let bound = bound.ok_or_else(|| format!("--weights needs --bound, {EXAMPLE}"))?;
    let max = grouped(MAX_WEIGHT.into());
    let words: Vec<&str> = weights.split(',').map(str::trim).collect();
    let weight = |(place, word): (usize, &&str)| {
        let number = word.parse::<u64>().ok().filter(|number| (1..=MAX_WEIGHT).contains(number));
        number.ok_or_else(|| {
            let mend = match word.strip_prefix('-') {
                Some(digits) if !digits.is_empty() => {
                    format!("; state {digits} of the negated literal, and add {digits} to the bound")
                }
                _ => String::new(),
            };
            format!(
                "--weights: number {} of {}, `{word}`, is not a weight, a whole number from 1 to {max}{mend}",
                place + 1,
                words.len()
            )
        })
    };
    let read = words.iter().enumerate().map(weight).collect::<Result<Vec<u64>, String>>()?;
    let total: u128 = read.iter().map(|&weight| u128::from(weight)).sum();
    if total > MAX_WEIGHT.into() {
        return Err(format!(
            "--weights: they add up to {}; at most {max} is encoded",
            grouped(total)
        ));
    }
    let number = bound.trim().parse::<u64>().ok().filter(|&number| number <= MAX_WEIGHT);
    let bound = number.ok_or_else(|| {
        format!("--bound: `{bound}` is not a bound, a whole number from 0 to {max}")
    })?;
    Ok((read, bound))
}
