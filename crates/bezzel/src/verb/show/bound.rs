//! `bezzel show ID --k K` and `bezzel check ID --k K`: the computed profile of an at-most-k encoder.

use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use bezzel_encode::amk::{self, AtMostK, Limit};
use bezzel_encode::properties::BoundProfile;
use bezzel_encode::registry::Found;
use bezzel_encode::{AtMostOne, Auxiliaries, Card, Propagation, Size};
use bezzel_lab::quantity::grouped;
use bezzel_lab::{Permission, Programs, Workbench, program};
use bezzel_problem::UnknownId;
use bezzel_problem::queens::draw::wrapped;
use serde::Serialize;

use crate::failure::{Done, Failure};
use crate::verb::common::print_json;

/// The number of literals up to which properties are computed, and the largest k.
const MOST: u32 = 8;
const MOST_K: u64 = 11;

/// The profile for one k.
#[derive(Serialize)]
struct Profile {
    about: Card,
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
        let tried = (k <= MOST_K).then(|| MOST.max(least as u32));
        let profiles = tried.map(|most| {
            let each = (least as u32..=most).map(|n| BoundProfile::of(encoder, limit, n, k));
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
            let _ = writeln!(text, "  properties are computed up to k = {MOST_K}");
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

/// An encoder of bounds.
pub(in crate::verb) enum Encoder {
    Listed(Arc<dyn AtMostK>),
    /// The record of a program.
    Recorded(Arc<dyn AtMostOne>),
}

impl Encoder {
    pub(in crate::verb) fn of_bounds(&self) -> &dyn AtMostK {
        match self {
            Self::Listed(encoder) => &**encoder,
            Self::Recorded(encoder) => encoder.of_bounds().expect("a program of bounds"),
        }
    }
}

/// The ids of all encoders.
pub(in crate::verb) fn ids() -> Vec<String> {
    amk::all().iter().map(|encoder| encoder.about().id).collect()
}

/// The named encoders. Programs are asked for these numbers of literals.
pub(in crate::verb) fn encoders(
    ids: &[String],
    k: u64,
    numbers: &[u64],
    workbench: &Workbench,
) -> Result<Vec<Encoder>, Failure> {
    let permission = Permission::of_names(ids.iter().map(String::as_str));
    let mut programs = Programs::new(&workbench.encodings, program::LIMITS, &permission);
    let all = amk::all();
    let mut found = Vec::new();
    for id in ids {
        if program::needs_programs(id) {
            match programs.find_for_bounds(id, k, numbers).map_err(Failure::input)? {
                Some(Found::AtMostOne(encoder)) => found.push(Encoder::Recorded(encoder)),
                _ => {
                    return Err(Failure::Input(format!(
                        "`{id}` has no bounds to encode: a program of bounds is \
                         `{{command: ..., kind: at-most-k}}`"
                    )));
                }
            }
            continue;
        }
        let listed = all.iter().find(|encoder| {
            let about = encoder.about();
            about.id == *id || about.aliases.contains(id)
        });
        let listed = listed.ok_or_else(|| {
            Failure::input(UnknownId::new("encoder of at most k", id, self::ids()))
        })?;
        found.push(Encoder::Listed(Arc::clone(listed)));
    }
    Ok(found)
}

/// `bezzel show ID --k K`.
pub(super) fn run(
    ids: &[String],
    k: u64,
    json: bool,
    workbench: &Workbench,
    out: &mut dyn Write,
) -> Done {
    if !(1..=1_000_000).contains(&k) {
        return Err(Failure::Input(format!("--k must be from 1 to 1,000,000, not {k}")));
    }
    // Programs are not asked for long inputs: their formulas may be large.
    let tried = if k <= MOST_K { k + 1..=u64::from(MOST).max(k + 1) } else { k + 1..=k + 1 };
    let numbers: Vec<u64> = tried.chain([20].into_iter().filter(|&n| n > k)).collect();
    let encoders = encoders(ids, k, &numbers, workbench)?;
    let profiles = encoders.iter().map(|encoder| {
        let encoder = encoder.of_bounds();
        let limits = Limit::ALL.map(|limit| LimitProfile::of(encoder, limit, k)).into();
        Profile { about: encoder.about(), k, limits }
    });
    let profiles: Vec<Profile> = profiles.collect();
    if json {
        print_json(&profiles, out)?;
    } else {
        for Profile { about, k, limits } in &profiles {
            writeln!(out, "{}: {}", about.id, about.title)?;
            if !about.idea.is_empty() {
                writeln!(out, "{}", wrapped(&about.idea, 0))?;
            }
            writeln!(out, "{}\n", wrapped(&format!("Source: {}.", about.citation), 0))?;
            let limits: Vec<String> = limits.iter().map(|limit| limit.text(*k)).collect();
            writeln!(out, "{}", limits.join("\n"))?;
        }
    }
    let is_wrong = |profile: &Profile| profile.limits.iter().any(|of| of.correct == Some(false));
    match profiles.iter().filter(|profile| is_wrong(profile)).count() {
        0 => Ok(ExitCode::SUCCESS),
        wrong => Err(Failure::Work(format!("{wrong} of {} encoders are wrong", profiles.len()))),
    }
}

/// `bezzel check ID --k K`: at most, at least and exactly `k`, on all assignments of up to 8 literals or k + 1. All
/// encoders if none is named.
pub(in crate::verb) fn check(
    ids: &[String],
    k: u64,
    workbench: &Workbench,
    out: &mut dyn Write,
) -> Done {
    if !(1..=MOST_K).contains(&k) {
        return Err(Failure::Input(format!("check --k must be from 1 to {MOST_K}, not {k}")));
    }
    let all = self::ids();
    let ids = if ids.is_empty() { &all } else { ids };
    let most = u64::from(MOST).max(k + 1);
    let numbers: Vec<u64> = (k + 1..=most).collect();
    let mut broken = 0;
    for encoder in encoders(ids, k, &numbers, workbench)? {
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
            let numbers = format!("{} to {most} literals", k + 1);
            writeln!(out, "{}: {limit} {k} of {numbers}: {outcome}", about.id)?;
        }
        broken += usize::from(!is_right);
        out.flush()?;
    }
    match broken {
        0 => Ok(ExitCode::SUCCESS),
        _ => Err(Failure::Work(format!("{broken} of {} encoders are wrong", ids.len()))),
    }
}
