//! `bezzel show ID --k K` and `bezzel check ID --k K`: the computed profile of an at-most-k encoder.

use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;

use bezzel_encode::amk::{AtMostK, Limit};
use bezzel_encode::properties::constraint::ConstraintProfile;
use bezzel_encode::properties::shapes::Counterexample;
use bezzel_encode::{Auxiliaries, EncodingInfo, Propagation, Shape, Size};
use bezzel_experiment::quantity::grouped;
use bezzel_experiment::{Catalog, EncoderPrograms, Permission, program};
use bezzel_problem::queens::draw::wrapped;
use serde::Serialize;

use crate::command::common::print_json;
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
    limits: Vec<LimitProfile>,
    /// The result on more literals, if all assignments of few literals are right.
    #[serde(skip_serializing_if = "Option::is_none")]
    shapes: Option<TriedShapes>,
}

impl AtMostKProfile {
    fn is_right(&self) -> bool {
        self.limits.iter().all(|limit| limit.correct != Some(false))
            && self.shapes.as_ref().is_none_or(|shapes| shapes.correct)
    }
}

#[derive(Serialize)]
struct LimitProfile {
    limit: String,
    /// The largest number of literals of which all assignments were tried; none if k is too large.
    tried: Option<u32>,
    correct: Option<bool>,
    propagation: Option<Propagation>,
    auxiliaries: Option<Auxiliaries>,
    /// The first assignment that is wrongly allowed or forbidden.
    #[serde(skip)]
    wrong: Option<Counterexample>,
    /// The numbers of literals and the sizes.
    sizes: Vec<(u64, Size)>,
}

impl LimitProfile {
    fn of(encoder: &dyn AtMostK, limit: Limit, k: u64) -> Self {
        // The least number of literals with which the constraint is more than unit clauses.
        let least = k + 1;
        let tried = (k <= MAX_K).then(|| MAX_LITERALS.max(least as u32));
        let profiles = tried.map(|max| {
            let each = (least as u32..=max)
                .map(|n| (n, ConstraintProfile::of_bound(encoder, limit, n, k)));
            each.collect::<Vec<_>>()
        });
        let wrong = profiles.iter().flatten().find_map(|(n, profile)| {
            let held = profile.wrong?;
            let held = (0..*n).filter(|input| held >> input & 1 == 1).collect();
            let shape = Shape { n: (*n).into(), limit, k };
            Some(Counterexample { encoder: encoder.about().id, shape, weights: Vec::new(), held })
        });
        let profiles: Option<Vec<ConstraintProfile>> =
            profiles.map(|all| all.into_iter().map(|(_, profile)| profile).collect());
        let numbers = [least, 2 * least, 20, 100, 1_000];
        let mut numbers: Vec<u64> = numbers.into_iter().filter(|&n| n >= least).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let sizes = numbers.into_iter().filter_map(|n| Some((n, limit.size(encoder, n, k)?)));
        let all = profiles.as_deref();
        Self {
            limit: limit.to_string(),
            tried,
            correct: all.map(|_| wrong.is_none()),
            wrong,
            propagation: all.and_then(|all| all.iter().map(|profile| profile.propagation).max()),
            auxiliaries: all
                .and_then(|all| Auxiliaries::of_all(all.iter().map(|of| of.auxiliaries))),
            sizes: sizes.collect(),
        }
    }

    fn text(&self, k: u64) -> String {
        let mut text = format!("{} {k}\n", self.limit);
        if let (Some(tried), Some(true), Some(propagation), Some(auxiliaries)) =
            (self.tried, self.correct, self.propagation, self.auxiliaries)
        {
            let _ = writeln!(
                text,
                "  correct; propagation {propagation}; auxiliary variables {auxiliaries} \
                 (all assignments of {} to {tried} literals)",
                k + 1
            );
        } else if let Some(wrong) = &self.wrong {
            let _ = writeln!(text, "  WRONG: {}", described(wrong, "    "));
        } else {
            let _ = writeln!(text, "  properties are computed up to k = {MAX_K}");
        }
        if !self.sizes.is_empty() {
            text += SIZE_HEAD;
        }
        text + &self.sizes.iter().map(|(n, size)| size_line(*n, size)).collect::<String>()
    }
}

/// The head of a table of sizes.
pub(super) const SIZE_HEAD: &str = "  literals  variables    clauses   literals in clauses\n";

/// A line of a table of sizes.
pub(super) fn size_line(n: u64, size: &Size) -> String {
    let [n, variables, clauses, literals] =
        [n.into(), size.variables, size.clauses, size.literals].map(grouped);
    format!("  {n:>8}  {variables:>9}  {clauses:>9}  {literals:>20}\n")
}

/// The lines above a profile: name, idea and source.
pub(super) fn heading(about: &EncodingInfo) -> String {
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
pub(super) fn run(
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
    let shapes = encoder::shapes(k, numbers(k).chain([20].into_iter().filter(|&n| n > k)));
    let mut profiles = Vec::new();
    for id in ids {
        let encoder = encoder::of_bounds(id, &shapes, &mut programs, catalog)?;
        let bounds = encoder.of_bounds().expect("an encoder of bounds");
        let limits: Vec<_> = Limit::ALL.map(|limit| LimitProfile::of(bounds, limit, k)).into();
        let is_right = limits.iter().all(|limit| limit.correct != Some(false));
        // Larger formulas than these are not tried.
        let shapes = (is_right && k <= MAX_CHECKED_K)
            .then(|| scopes::check(id, &encoder, Some(k), &mut programs))
            .transpose()?;
        profiles.push(AtMostKProfile { about: bounds.about(), k, limits, shapes });
    }
    if json {
        print_json(&profiles, out)?;
    } else {
        for AtMostKProfile { about, k, limits, shapes } in &profiles {
            write!(out, "{}", heading(about))?;
            let limits: Vec<String> = limits.iter().map(|limit| limit.text(*k)).collect();
            writeln!(out, "{}", limits.join("\n"))?;
            if let Some(shapes) = shapes {
                let text = wrapped(&format!("All numbers of literals: {}.", shapes.outcome), 0);
                writeln!(out, "{text}\n{}", shapes.drawing())?;
            }
        }
    }
    match profiles.iter().filter(|profile| !profile.is_right()).count() {
        0 => Ok(ExitCode::SUCCESS),
        wrong => Err(Failure::Work(format!("wrong encoders: {wrong} of {}", profiles.len()))),
    }
}

/// `bezzel check ID --k K`: at most, at least and exactly `k`, on all assignments of up to 8 literals or k + 1, and on
/// some of more literals. All encoders if none is named.
pub(in crate::command) fn check(
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
    let shapes = encoder::shapes(k, numbers(k));
    let mut broken = 0;
    for id in ids {
        let found = encoder::of_bounds(id, &shapes, &mut programs, catalog)?;
        let encoder = found.of_bounds().expect("an encoder of bounds");
        let (about, mut is_right) = (encoder.about(), true);
        // With a larger k there are too many assignments to try all.
        let limits = if k <= MAX_K { &Limit::ALL[..] } else { &[] };
        for &limit in limits {
            let found = LimitProfile::of(encoder, limit, k);
            let (Some(propagation), Some(auxiliaries)) = (found.propagation, found.auxiliaries)
            else {
                continue;
            };
            // Properties are declared for at most k, and are those of the worst k.
            let is_declared = !about.bounds && limit == Limit::AtMost;
            let outcome = if let Some(wrong) = &found.wrong {
                is_right = false;
                format!("WRONG: {}", described(wrong, "    "))
            } else if is_declared && propagation > about.propagation {
                is_right = false;
                format!("WRONG: propagation {propagation}, and `{}` is declared", about.propagation)
            } else {
                format!("correct; propagation {propagation}; auxiliary variables {auxiliaries}")
            };
            let max = found.tried.unwrap_or(MAX_LITERALS);
            let numbers = format!("{} to {max} literals", k + 1);
            writeln!(out, "{}: {limit} {k} of {numbers}: {outcome}", about.id)?;
        }
        if is_right {
            let tried = scopes::check(id, &found, Some(k), &mut programs)?;
            is_right = tried.correct;
            writeln!(out, "{}: {}", about.id, tried.outcome)?;
            write!(out, "{}", tried.drawing())?;
        }
        broken += usize::from(!is_right);
        out.flush()?;
    }
    match broken {
        0 => Ok(ExitCode::SUCCESS),
        _ => Err(Failure::Work(format!("wrong encoders: {broken} of {}", ids.len()))),
    }
}
