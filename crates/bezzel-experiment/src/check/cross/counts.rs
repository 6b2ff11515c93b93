//! Comparison of numbers of solutions.
//!
//! Two numbers of solutions are comparable if they belong to one instance. Numbers of models are comparable if they
//! belong to the same formula, up to the names of its variables. Two numbers of models from engines that are not variants
//! of each other verify each other.

use std::collections::BTreeMap;

use bezzel_problem::Instance;

use super::Verdicts;
use super::contradiction::{Contradiction, RowClaim, by};
use crate::check::claim::{ClaimedAnswer, ClaimedCount};
use crate::check::counted::CountedSet;
use crate::model::job::{Job, NO_ENCODING, Task};
use crate::model::row::{Row, Verdict};

/// The claim of a row that gives a number of solutions and is not known to be wrong.
struct CountClaim {
    place: usize,
    claim: ClaimedAnswer,
}

/// Compares the numbers. Sets verdicts for unchecked rows, and returns numbers that cannot both be right, one pair for
/// each instance.
///
/// A verified row determines the verdicts of unchecked ones. Without a verified row, two equal numbers verify each
/// other if their methods are independent. Further equal numbers add no evidence, and a contradiction in the group
/// removes it.
pub(super) fn examine(rows: &[Row], verdicts: &mut Verdicts) -> Vec<Contradiction> {
    let mut groups: BTreeMap<(&Instance, CountedSet, Option<Formula>), Vec<CountClaim>> =
        BTreeMap::new();
    for (place, row) in rows.iter().enumerate() {
        let claim = ClaimedAnswer::of(row);
        let Some(number) = claim.number().filter(|_| row.verdict != Verdict::Wrong) else {
            continue;
        };
        let formula = (number.counted == CountedSet::Models).then(|| formula(row));
        groups
            .entry((&row.job.instance, number.counted, formula))
            .or_default()
            .push(CountClaim { place, claim });
    }
    let mut contradictions = Vec::new();
    for ((instance, ..), claims) in groups {
        let group = Group::of(&claims, rows);
        contradictions.extend(group.contradiction(&claims).map(|pair| {
            let [one, other] = pair.map(|claim| RowClaim::of(&rows[claim.place]));
            Contradiction { instance: instance.clone(), one, other }
        }));
        let unchecked =
            claims.iter().filter(|claim| rows[claim.place].verdict == Verdict::Unchecked);
        let found = unchecked.filter_map(|claim| Some((claim.place, group.verdict(claim, rows)?)));
        verdicts.extend(found);
    }
    contradictions
}

/// The encoding with its settings, and its revision.
type Formula = (String, u32);

/// Returns the formula of a row, up to the names of its variables.
fn formula(row: &Row) -> Formula {
    (row.job.encoding_label(), row.encoding_revision)
}

/// The claims of a group of comparable numbers with which the others are compared, so that not all pairs are compared.
struct Group<'a> {
    /// Verified claims: the first exact number, the first with a digest, and the largest lower bound.
    verified: Vec<&'a CountClaim>,
    /// The first exact number, and the first with a digest.
    first: Vec<&'a CountClaim>,
    /// One exact number for each method.
    ways: Vec<&'a CountClaim>,
    /// True if two of them cannot both be right.
    disputed: bool,
}

impl<'a> Group<'a> {
    fn of(claims: &'a [CountClaim], rows: &[Row]) -> Self {
        let is_verified = |claim: &&&CountClaim| rows[claim.place].verdict == Verdict::Verified;
        let has_set = |claim: &&&CountClaim| claim.number().is_some_and(ClaimedCount::has_set);
        let exact: Vec<&CountClaim> = claims.iter().filter(|claim| claim.is_exact()).collect();
        let least = claims.iter().filter(|claim| !claim.is_exact() && is_verified(&claim));
        let least = least.max_by_key(|claim| claim.number().map(|number| &number.count));
        let verified = || exact.iter().filter(is_verified);
        let firsts = [verified().next(), verified().find(has_set)].into_iter().flatten().copied();
        let verified = firsts.chain(least).collect();
        let first = [exact.first(), exact.iter().find(has_set)].into_iter().flatten();
        let first = first.copied().collect();
        let mut ways: Vec<&CountClaim> = Vec::new();
        for claim in &exact {
            let job = |claim: &CountClaim| &rows[claim.place].job;
            if !ways.iter().any(|way| same_way(job(way), job(claim))) {
                ways.push(claim);
            }
        }
        let mut group = Self { verified, first, ways, disputed: false };
        let disputed = group.pairs(claims).next().is_some();
        group.disputed = disputed;
        group
    }

    /// Returns pairs that cannot both be right, those with a verified claim first.
    fn pairs<'b>(&'b self, claims: &'b [CountClaim]) -> impl Iterator<Item = [&'b CountClaim; 2]> {
        let firsts = self.verified.iter().chain(&self.first);
        let pairs = firsts.flat_map(|one| claims.iter().map(move |other| [*one, other]));
        pairs.filter(|[one, other]| one.claim.contradicts(&other.claim))
    }

    /// Returns a pair with the same answer and different numbers. Different answers are compared separately.
    fn contradiction<'b>(&'b self, claims: &'b [CountClaim]) -> Option<[&'b CountClaim; 2]> {
        self.pairs(claims).find(|[one, other]| one.claim.answer() == other.claim.answer())
    }

    /// Returns the verdict on an unchecked claim that follows from the others.
    fn verdict(
        &self,
        claim: &CountClaim,
        rows: &[Row],
    ) -> Option<(Verdict, String, Option<String>)> {
        let source = |what: &str, other: &CountClaim| {
            let Row { key, job, .. } = &rows[other.place];
            format!("{what} of {}, row {key}", by(job))
        };
        let contradicts = |other: &&&CountClaim| other.claim.contradicts(&claim.claim);
        if let Some(other) = self.verified.iter().find(contradicts) {
            let note = format!("there are {}", other.claim);
            return Some((Verdict::Wrong, source("the verified number", other), Some(note)));
        }
        if !claim.is_exact() {
            return None;
        }
        if let Some(other) = self.verified.iter().find(|other| other.is_exact()) {
            return Some((Verdict::Verified, source("the verified number", other), None));
        }
        let job = |claim: &CountClaim| &rows[claim.place].job;
        let is_other = |way: &&&CountClaim| independent(job(way), job(claim));
        let other = self.ways.iter().filter(|_| !self.disputed).find(is_other)?;
        Some((Verdict::Verified, source("the same number by another way", other), None))
    }
}

impl CountClaim {
    fn number(&self) -> Option<&ClaimedCount> {
        self.claim.number()
    }

    fn is_exact(&self) -> bool {
        self.number().is_some_and(|number| number.exact)
    }
}

/// Returns true if two jobs get their numbers by methods that share only the instance: engines that are not variants of
/// each other, and not the same encoding, which may be wrong for both.
///
/// Models always belong to one formula. One program under two names is one method.
fn independent(one: &Job, other: &Job) -> bool {
    if one.task == Task::Models {
        return !same(program(&one.solver), program(&other.solver));
    }
    let share_encoding = same(&one.encoding, &other.encoding) && one.encoding != NO_ENCODING;
    !same(&one.solver, &other.solver) && !share_encoding
}

/// Returns the id; of one program with two names, the first.
fn program(id: &str) -> &str {
    match id {
        "pyganak" => "ganak",
        _ => id,
    }
}

fn same_way(one: &Job, other: &Job) -> bool {
    same(&one.solver, &other.solver) && same(&one.encoding, &other.encoding)
}

/// Returns true if two ids are equal up to parameters and variants.
fn same(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|id| id.split([':', '+']).next());
    one == other
}

#[cfg(test)]
mod tests;
