//! Numbers of solutions, held against each other.
//!
//! Two numbers are about the same if they count the same solutions of one board: all, those that are
//! no mirror images of each other, or the fundamental ones. Numbers of models are about the same if they
//! are those of one formula, whatever its variables are called; there, two that are no variants of each
//! other verify each other.

use std::collections::BTreeMap;

use bezzel_problem::Instance;

use super::Verdicts;
use super::claim::{Claim, Contradiction, by};
use crate::check::counted::Counted;
use crate::check::said::{Number, Said};
use crate::model::job::{Job, NO_ENCODING, Task};
use crate::model::row::{Row, Verdict};

/// What a row says that tells a number of solutions, and is not known to be wrong.
struct Told {
    place: usize,
    said: Said,
}

/// Finds out what the numbers show of each other: verdicts for rows that are unchecked, and numbers
/// that cannot both be right, one pair of each board.
///
/// A row that was verified judges those that are unchecked. Where none was, two that agree verify
/// each other if their ways have nothing in common; that others say so too is no evidence, and
/// where anybody contradicts there is none either.
pub(super) fn examine(rows: &[Row], verdicts: &mut Verdicts) -> Vec<Contradiction> {
    let mut groups: BTreeMap<(&Instance, Counted, Option<Formula>), Vec<Told>> = BTreeMap::new();
    for (place, row) in rows.iter().enumerate() {
        let said = Said::of(row);
        let Some(number) = said.number().filter(|_| row.verdict != Verdict::Wrong) else {
            continue;
        };
        let formula = (number.counted == Counted::Models).then(|| formula(row));
        groups
            .entry((&row.job.instance, number.counted, formula))
            .or_default()
            .push(Told { place, said });
    }
    let mut contradictions = Vec::new();
    for ((instance, ..), told) in groups {
        let group = Group::of(&told, rows);
        contradictions.extend(group.contradiction(&told).map(|pair| {
            let [one, other] = pair.map(|told| Claim::of(&rows[told.place]));
            Contradiction { instance: instance.clone(), one, other }
        }));
        let unchecked = told.iter().filter(|told| rows[told.place].verdict == Verdict::Unchecked);
        let found = unchecked.filter_map(|told| Some((told.place, group.verdict(told, rows)?)));
        verdicts.extend(found);
    }
    contradictions
}

/// The encoding with its settings, and its revision.
type Formula = (String, u32);

/// The formula of a row, but for the names of its variables.
fn formula(row: &Row) -> Formula {
    (row.job.encoding_label(), row.encoding_revision)
}

/// Those among all that tell the same numbers of a board to whom it is enough to listen: nobody is
/// compared with everybody.
struct Group<'a> {
    /// Verified ones: the first number, the first with a set, and the most that there are at least.
    verified: Vec<&'a Told>,
    /// Of the others the first number, and the first with a set.
    first: Vec<&'a Told>,
    /// One number for each way to come to it.
    ways: Vec<&'a Told>,
    /// Whether any two cannot both be right.
    disputed: bool,
}

impl<'a> Group<'a> {
    fn of(told: &'a [Told], rows: &[Row]) -> Self {
        let is_verified = |told: &&&Told| rows[told.place].verdict == Verdict::Verified;
        let has_set = |told: &&&Told| told.number().is_some_and(Number::has_set);
        let exact: Vec<&Told> = told.iter().filter(|told| told.is_exact()).collect();
        let least = told.iter().filter(|told| !told.is_exact() && is_verified(&told));
        let least = least.max_by_key(|told| told.number().map(|number| &number.count));
        let verified = || exact.iter().filter(is_verified);
        let firsts = [verified().next(), verified().find(has_set)].into_iter().flatten().copied();
        let verified = firsts.chain(least).collect();
        let first = [exact.first(), exact.iter().find(has_set)].into_iter().flatten();
        let first = first.copied().collect();
        let mut ways: Vec<&Told> = Vec::new();
        for told in &exact {
            let job = |told: &Told| &rows[told.place].job;
            if !ways.iter().any(|way| same_way(job(way), job(told))) {
                ways.push(told);
            }
        }
        let mut group = Self { verified, first, ways, disputed: false };
        let disputed = group.pairs(told).next().is_some();
        group.disputed = disputed;
        group
    }

    /// Who cannot both be right; those that are verified stand at the head.
    fn pairs<'b>(&'b self, told: &'b [Told]) -> impl Iterator<Item = [&'b Told; 2]> {
        let firsts = self.verified.iter().chain(&self.first);
        let pairs = firsts.flat_map(|one| told.iter().map(move |other| [*one, other]));
        pairs.filter(|[one, other]| one.said.contradicts(&other.said))
    }

    /// Two who say that there are solutions, and not how many alike. Whether there are any at all, the
    /// answers are asked.
    fn contradiction<'b>(&'b self, told: &'b [Told]) -> Option<[&'b Told; 2]> {
        self.pairs(told).find(|[one, other]| one.said.answer() == other.said.answer())
    }

    /// What the others make of one that is unchecked.
    fn verdict(&self, told: &Told, rows: &[Row]) -> Option<(Verdict, String, Option<String>)> {
        let source = |what: &str, other: &Told| {
            let Row { key, job, .. } = &rows[other.place];
            format!("{what} of {}, row {key}", by(job))
        };
        let contradicts = |other: &&&Told| other.said.contradicts(&told.said);
        if let Some(other) = self.verified.iter().find(contradicts) {
            let note = format!("there are {}", other.said);
            return Some((Verdict::Wrong, source("the verified number", other), Some(note)));
        }
        if !told.is_exact() {
            return None;
        }
        if let Some(other) = self.verified.iter().find(|other| other.is_exact()) {
            return Some((Verdict::Verified, source("the verified number", other), None));
        }
        let job = |told: &Told| &rows[told.place].job;
        let is_other = |way: &&&Told| independent(job(way), job(told));
        let other = self.ways.iter().filter(|_| !self.disputed).find(is_other)?;
        Some((Verdict::Verified, source("the same number by another way", other), None))
    }
}

impl Told {
    fn number(&self) -> Option<&Number> {
        self.said.number()
    }

    fn is_exact(&self) -> bool {
        self.number().is_some_and(|number| number.exact)
    }
}

/// Whether two jobs come to their numbers by ways that have nothing in common but the board: engines
/// that are no variants of each other, and not the same encoding, which may be wrong for both.
///
/// Models are those of one formula in any case. One program by two names is one way.
fn independent(one: &Job, other: &Job) -> bool {
    if one.task == Task::Models {
        return !same(program(&one.solver), program(&other.solver));
    }
    let share_encoding = same(&one.encoding, &other.encoding) && one.encoding != NO_ENCODING;
    !same(&one.solver, &other.solver) && !share_encoding
}

/// The id, of one program by two names the first.
fn program(id: &str) -> &str {
    match id {
        "pyganak" => "ganak",
        _ => id,
    }
}

fn same_way(one: &Job, other: &Job) -> bool {
    same(&one.solver, &other.solver) && same(&one.encoding, &other.encoding)
}

/// Whether two ids are the same but for parameters and variants.
fn same(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|id| id.split([':', '+']).next());
    one == other
}

#[cfg(test)]
mod tests;
