//! `bezzel show ID --k K`: the computed profile of an at-most-k encoder.

use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;

use bezzel_encode::amk::{self, AtMostK, Limit};
use bezzel_encode::properties::BoundProfile;
use bezzel_encode::{Auxiliaries, Card, Propagation, Size};
use bezzel_lab::quantity::grouped;
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

pub(super) fn run(ids: &[String], k: u64, json: bool, out: &mut dyn Write) -> Done {
    if !(1..=1_000_000).contains(&k) {
        return Err(Failure::Input(format!("--k must be from 1 to 1,000,000, not {k}")));
    }
    let all = amk::all();
    let named = |id: &String| {
        let found = all.iter().find(|encoder| {
            let about = encoder.about();
            about.id == *id || about.aliases.contains(id)
        });
        found.ok_or_else(|| {
            let known = all.iter().map(|encoder| encoder.about().id);
            Failure::input(UnknownId::new("encoder of at most k", id, known))
        })
    };
    let profiles: Vec<Profile> = ids
        .iter()
        .map(|id| {
            let encoder = named(id)?;
            let limits = Limit::ALL.map(|limit| LimitProfile::of(&**encoder, limit, k)).into();
            Ok(Profile { about: encoder.about(), k, limits })
        })
        .collect::<Result<_, Failure>>()?;
    if json {
        print_json(&profiles, out)?;
    } else {
        for Profile { about, k, limits } in &profiles {
            writeln!(out, "{}: {}\n{}", about.id, about.title, wrapped(&about.idea, 0))?;
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
