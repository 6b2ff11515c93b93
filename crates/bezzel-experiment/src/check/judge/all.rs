//! The judgement on a number of solutions, or on a list of them.
//!
//! A number is right if it is the published one, or that of an exhaustive search. A list has more evidence: a
//! [collector](crate::check::solution_collector) checked its solutions by the rules, and compared them with each other. If the
//! search can list the solutions too, the digests of both sets must be equal. A list with duplicates may have the right
//! number, but not the right digest.

use std::cmp::Ordering;

use super::first::judge_denial;
use super::known::{KnownFacts, KnownTotal, SEARCH, SearchEffort};
use super::{Case, Judgement, rules};
use crate::check::counted::CountedSet;
use crate::model::all_solutions::AllSolutions;
use crate::model::job::Task;
use crate::model::row::{EvidenceKind, Verdict};

mod models;

pub(super) fn judge(case: &Case<'_>, known: &mut KnownFacts) -> Judgement {
    if let Some(violation) = case.violation {
        let note = format!("not every solution is one: {violation}");
        return Judgement::wrong(EvidenceKind::Rules, rules(case.instance), note);
    }
    let Some(all) = case.all else { return Judgement::unchecked() };
    if case.task == Task::Models {
        return models::judge(case, all, known);
    }
    let judgement = match known.total(case.instance) {
        Some(total) => compare(case, all, &total, known),
        // The number is unknown, but the existence of a solution may be known.
        None if all.whole && all.count.0.bits() == 0 => {
            judge_denial(case, known, SearchEffort::Run)
        }
        None if is_enough(case, all) => by_rules(case, all),
        None => Judgement::unchecked(),
    };
    if judgement.verdict == Verdict::Verified && all.count.0.bits() > 0 {
        known.remember_solution(case.instance);
    }
    judgement
}

/// Returns true if the set of solutions is known, and the list contains exactly this set.
pub(super) fn is_right_set(case: &Case<'_>, known: &mut KnownFacts) -> bool {
    let digest = case.all.and_then(|all| all.digest.as_deref());
    digest.is_some() && known.set(case.instance).as_deref() == digest
}

/// Compares with the total number of solutions.
fn compare(
    case: &Case<'_>,
    all: &AllSolutions,
    total: &KnownTotal,
    known: &mut KnownFacts,
) -> Judgement {
    let KnownTotal { count: total, source } = total;
    let enough = is_enough(case, all);
    match all.count.0.cmp(total) {
        // An unfinished or limited number can be too large, but not too small.
        Ordering::Less if enough => by_rules(case, all),
        Ordering::Less | Ordering::Equal if !all.whole => Judgement::unchecked(),
        Ordering::Equal => same_number(case, all, source, known),
        Ordering::Less | Ordering::Greater => {
            let [found, there] = [&all.count.0, total].map(|count| CountedSet::All.describe(count));
            let was = match (&all.digest, all.count.0.cmp(total)) {
                (Some(_), Ordering::Greater) => "were listed, some more than once",
                (Some(_), _) => "were listed",
                (None, _) => "were counted",
            };
            let note = format!("{found} {was}, and the {} has {there}", case.instance.noun());
            Judgement::wrong(EvidenceKind::Cross, source, note)
        }
    }
}

/// Judges a number that equals the total.
fn same_number(
    case: &Case<'_>,
    all: &AllSolutions,
    source: &str,
    known: &mut KnownFacts,
) -> Judgement {
    let verified = |source| Judgement::new(Verdict::Verified, EvidenceKind::Cross, source);
    // The set is computed for a list only.
    let listed = all.digest.as_deref();
    match listed.and_then(|listed| Some((listed, known.set(case.instance)?))) {
        None => verified(source.to_owned()),
        Some((listed, set)) if listed != set => Judgement::wrong(
            EvidenceKind::Cross,
            SEARCH,
            "as many were listed as there are, but not the same: some come twice, and others are \
             missing",
        ),
        Some(_) if source == SEARCH => verified(format!("{SEARCH}, which finds the same set")),
        Some(_) => verified(format!("{source}; the set is that of an {SEARCH}")),
    }
}

/// Returns true if the required number of solutions was found, independent of the total.
fn is_enough(case: &Case<'_>, all: &AllSolutions) -> bool {
    let max_solutions = case.max_solutions.filter(|_| case.task == Task::Enumerate);
    all.whole && max_solutions.is_some_and(|max_solutions| all.count.0 >= max_solutions.into())
}

/// Judges a part of the solutions by the rules alone.
fn by_rules(case: &Case<'_>, all: &AllSolutions) -> Judgement {
    if all.digest.is_none() {
        return Judgement::unchecked();
    }
    Judgement::new(
        Verdict::Verified,
        EvidenceKind::Rules,
        format!("{}, for each solution", rules(case.instance)),
    )
}

#[cfg(test)]
mod tests;
