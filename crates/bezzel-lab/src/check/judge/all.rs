//! What a number of solutions is worth, and a list of them.
//!
//! A number is right if it is the published one, or that of an exhaustive search. A list is more: its
//! solutions were held against the rules and each other by whoever looked on, and where the search can list them as
//! well, the digest of both sets must be the same. A list with doubles may have the right number,
//! but not the right digest.

use std::cmp::Ordering;

use super::first::judge_denial;
use super::known::{Known, SEARCH, Total};
use super::{Case, Judgement, rules};
use crate::check::counted::Counted;
use crate::model::all_solutions::AllSolutions;
use crate::model::job::Task;
use crate::model::row::{EvidenceKind, Verdict};

mod models;

pub(super) fn judge(case: &Case<'_>, known: &mut Known) -> Judgement {
    if let Some(violation) = case.violation {
        let note = format!("not every solution is one: {violation}");
        return Judgement::wrong(EvidenceKind::Rules, rules(case.instance), note);
    }
    let Some(all) = case.all else { return Judgement::unchecked() };
    if case.task == Task::Models {
        return models::judge(case, all, known);
    }
    let counted = Counted::of(case.task, case.symmetry);
    let judgement = match known.total(case.instance, counted) {
        Some(total) => compare(case, all, &total, counted, known),
        // Nobody knows how many there are; perhaps, whether there is one.
        None if all.whole && all.count.0.bits() == 0 => judge_denial(case, known),
        None if is_enough(case, all) => by_rules(case, all),
        None => Judgement::unchecked(),
    };
    if judgement.verdict == Verdict::Verified && all.count.0.bits() > 0 {
        known.remember_solution(case.instance);
    }
    judgement
}

/// Whether it is known which solutions there are, and the list is of these.
pub(super) fn is_right_set(case: &Case<'_>, known: &mut Known) -> bool {
    let digest = case.all.and_then(|all| all.digest.as_deref());
    let counted = Counted::of(case.task, case.symmetry);
    digest.is_some() && known.set(case.instance, counted).as_deref() == digest
}

/// Judges by how many solutions there are.
fn compare(
    case: &Case<'_>,
    all: &AllSolutions,
    total: &Total,
    counted: Counted,
    known: &mut Known,
) -> Judgement {
    let Total { count: total, source } = total;
    let enough = is_enough(case, all);
    match all.count.0.cmp(total) {
        // What was not finished, or was not to be, can be too much and never too little.
        Ordering::Less if enough => by_rules(case, all),
        Ordering::Less | Ordering::Equal if !all.whole => Judgement::unchecked(),
        Ordering::Equal => same_number(case, all, source, counted, known),
        Ordering::Less | Ordering::Greater => {
            let (found, there) = (counted.told(&all.count.0), counted.told(total));
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

/// Judges what is as many as there are.
fn same_number(
    case: &Case<'_>,
    all: &AllSolutions,
    source: &str,
    counted: Counted,
    known: &mut Known,
) -> Judgement {
    let verified = |source| Judgement::new(Verdict::Verified, EvidenceKind::Cross, source);
    // Only for a list it is worth finding out which there are.
    let listed = all.digest.as_deref();
    match listed.and_then(|listed| Some((listed, known.set(case.instance, counted)?))) {
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

/// Whether as many were found as were to be, however many there are.
fn is_enough(case: &Case<'_>, all: &AllSolutions) -> bool {
    let most = case.most.filter(|_| case.task == Task::Enumerate);
    all.whole && most.is_some_and(|most| all.count.0 >= most.into())
}

/// Of some solutions no more is known than that they are some.
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
