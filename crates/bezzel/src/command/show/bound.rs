//! `bezzel show ID --k K` and `bezzel check ID --k K`: the computed profile of an at-most-k encoder.

use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;

use bezzel_encode::amk::{AtMostK, Limit};
use bezzel_encode::properties::BoundProfile;
use bezzel_encode::{Auxiliaries, EncodingInfo, Propagation, Size};
use bezzel_experiment::Catalog;
use bezzel_experiment::quantity::grouped;
use bezzel_problem::queens::draw::wrapped;
use serde::Serialize;

use crate::command::common::print_json;
use crate::command::encoder;
use crate::failure::{CommandResult, Failure};

/// The number of literals up to which properties are computed, and the largest k.
const MAX_LITERALS: u32 = 8;
const MAX_K: u64 = 11;

/// The profile for one k.
#[derive(Serialize)]
struct AtMostKProfile {
    about: EncodingInfo,
    k: u64,
    limits: Vec<LimitProfile>,
}

#[derive(Serialize)]
struct LimitProfile {
    limit: String,
    /// The largest number of literals of which all assignments were tried; none if k is too large.
    tried: Option<u32>,
    correct: Option<bool>,
    propagation: Option<Propagation>,
    auxiliaries: Option<Auxiliaries>,
    /// The numbers of literals and the sizes.
    sizes: Vec<(u64, Size)>,
}

impl LimitProfile {
    fn of(encoder: &dyn AtMostK, limit: Limit, k: u64) -> Self {
        // The least number of literals with which the constraint is more than unit clauses.
        let least = k + 1;
        let tried = (k <= MAX_K).then(|| MAX_LITERALS.max(least as u32));
        let profiles = tried.map(|max| {
            let each = (least as u32..=max).map(|n| BoundProfile::of(encoder, limit, n, k));
            each.collect::<Vec<_>>()
        });
        let numbers = [least, 2 * least, 20, 100, 1_000];
        let mut numbers: Vec<u64> = numbers.into_iter().filter(|&n| n >= least).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let sizes = numbers.into_iter().filter_map(|n| Some((n, limit.size(encoder, n, k)?)));
        let all = profiles.as_deref();
        Self {
            limit: limit.to_string(),
            tried,
            correct: all.map(|all| all.iter().all(|profile| profile.wrong.is_none())),
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
        } else if self.correct == Some(false) {
            text += "  WRONG: it allows or forbids an assignment wrongly\n";
        } else {
            let _ = writeln!(text, "  properties are computed up to k = {MAX_K}");
        }
        if !self.sizes.is_empty() {
            text += "  literals  variables    clauses   literals in clauses\n";
        }
        for (n, size) in &self.sizes {
            let [variables, clauses, literals] =
                [size.variables, size.clauses, size.literals].map(grouped);
            let _ = writeln!(
                text,
                "  {:>8}  {variables:>9}  {clauses:>9}  {literals:>20}",
                grouped(u128::from(*n))
            );
        }
        text
    }
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
    // Programs are not asked for long inputs: their formulas may be large.
    let tried = if k <= MAX_K { k + 1..=u64::from(MAX_LITERALS).max(k + 1) } else { k + 1..=k + 1 };
    let numbers: Vec<u64> = tried.chain([20].into_iter().filter(|&n| n > k)).collect();
    let encoders = encoder::encoders(ids, k, &numbers, catalog)?;
    let profiles = encoders.iter().map(|encoder| {
        let encoder = encoder.of_bounds();
        let limits = Limit::ALL.map(|limit| LimitProfile::of(encoder, limit, k)).into();
        AtMostKProfile { about: encoder.about(), k, limits }
    });
    let profiles: Vec<AtMostKProfile> = profiles.collect();
    if json {
        print_json(&profiles, out)?;
    } else {
        for AtMostKProfile { about, k, limits } in &profiles {
            writeln!(out, "{}: {}", about.id, about.title)?;
            if !about.idea.is_empty() {
                writeln!(out, "{}", wrapped(&about.idea, 0))?;
            }
            writeln!(out, "{}\n", wrapped(&format!("Source: {}.", about.citation), 0))?;
            let limits: Vec<String> = limits.iter().map(|limit| limit.text(*k)).collect();
            writeln!(out, "{}", limits.join("\n"))?;
        }
    }
    let is_wrong =
        |profile: &AtMostKProfile| profile.limits.iter().any(|of| of.correct == Some(false));
    match profiles.iter().filter(|profile| is_wrong(profile)).count() {
        0 => Ok(ExitCode::SUCCESS),
        wrong => Err(Failure::Work(format!("wrong encoders: {wrong} of {}", profiles.len()))),
    }
}

/// `bezzel check ID --k K`: at most, at least and exactly `k`, on all assignments of up to 8 literals or k + 1. All
/// encoders if none is named.
pub(in crate::command) fn check(
    ids: &[String],
    k: u64,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    if !(1..=MAX_K).contains(&k) {
        return Err(Failure::Input(format!("check --k must be from 1 to {MAX_K}, not {k}")));
    }
    let all = encoder::ids();
    let ids = if ids.is_empty() { &all } else { ids };
    let max = u64::from(MAX_LITERALS).max(k + 1);
    let numbers: Vec<u64> = (k + 1..=max).collect();
    let mut broken = 0;
    for encoder in encoder::encoders(ids, k, &numbers, catalog)? {
        let (encoder, mut is_right) = (encoder.of_bounds(), true);
        let about = encoder.about();
        for limit in Limit::ALL {
            let found = LimitProfile::of(encoder, limit, k);
            let (Some(propagation), Some(auxiliaries)) = (found.propagation, found.auxiliaries)
            else {
                continue;
            };
            // Properties are declared for at most k, and are those of the worst k.
            let is_declared = !about.bounds && limit == Limit::AtMost;
            let outcome = if found.correct != Some(true) {
                is_right = false;
                "WRONG: it allows or forbids an assignment wrongly".to_owned()
            } else if is_declared && propagation > about.propagation {
                is_right = false;
                format!("WRONG: propagation {propagation}, and `{}` is declared", about.propagation)
            } else {
                format!("correct; propagation {propagation}; auxiliary variables {auxiliaries}")
            };
            let numbers = format!("{} to {max} literals", k + 1);
            writeln!(out, "{}: {limit} {k} of {numbers}: {outcome}", about.id)?;
        }
        broken += usize::from(!is_right);
        out.flush()?;
    }
    match broken {
        0 => Ok(ExitCode::SUCCESS),
        _ => Err(Failure::Work(format!("wrong encoders: {broken} of {}", ids.len()))),
    }
}
