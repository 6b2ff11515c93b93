//! Cross-examination: comparison of the rows of a record with each other.
//!
//! A judge has one answer at a time, and the earlier ones. A complete record has all answers. A proof by one solver
//! verifies the same answer of another solver on the same instance. A solution that satisfies the rules refutes every
//! denial of a solution. Two answers that cannot both be right are reported. Rows are examined after reading; the file
//! is not changed.

use std::collections::{BTreeMap, HashMap};

use bezzel_problem::Instance;
use bezzel_solve::{Answer, ProofFormat};

use crate::check::claim::Disagreement;
use crate::model::job::{Key, Task};
use crate::model::row::{Evidence, EvidenceKind, Finding, Row, Verdict};

mod contradiction;
mod counts;
mod optima;

pub use contradiction::{Contradiction, RowClaim};

use contradiction::by;

/// The findings on rows, by their places: the verdict, its source, and a note.
type Verdicts = BTreeMap<usize, (Verdict, String, Option<String>)>;

/// The claims about an instance, by the places of rows.
#[derive(Default)]
struct Facts {
    solution: Option<usize>,
    verified_solution: Option<usize>,
    denial: Option<usize>,
    verified_denial: Option<usize>,
    /// A denial with stronger evidence than a proof. A proof is about a formula, not about the instance.
    known_denial: Option<usize>,
}

/// Examines rows: sets verdicts by the results of other rows of the same instance. Returns the contradictions, the
/// smallest instance first.
///
/// An unchecked answer is verified by a verified one that agrees with it. A denial is wrong if a solution of the instance
/// was verified, even if the denial has an accepted proof. An unchecked solution is wrong if a published number or an
/// exhaustive search shows that there is none. Numbers of solutions are examined separately.
pub fn examine(rows: &mut [Row]) -> Vec<Contradiction> {
    let mut facts: HashMap<Instance, Facts> = HashMap::new();
    for (place, row) in rows.iter().enumerate() {
        let verified = row.verdict == Verdict::Verified;
        // A wrong solution was refuted by the rules, so it is no claim.
        if row.status == Answer::Unknown
            || (row.status == Answer::Sat && row.verdict == Verdict::Wrong)
        {
            continue;
        }
        if !facts.contains_key(&row.job.instance) {
            facts.insert(row.job.instance.clone(), Facts::default());
        }
        let facts = facts.get_mut(&row.job.instance).expect("it was just put there");
        let (first, first_verified) = match row.status {
            Answer::Sat => (&mut facts.solution, &mut facts.verified_solution),
            _ => (&mut facts.denial, &mut facts.verified_denial),
        };
        first.get_or_insert(place);
        if verified {
            first_verified.get_or_insert(place);
            let kind = row.checked_by.as_ref().map(|evidence| evidence.kind);
            if row.status == Answer::Unsat && kind == Some(EvidenceKind::Cross) {
                facts.known_denial.get_or_insert(place);
            }
        }
    }
    let mut contradictions: Vec<Contradiction> = facts
        .iter()
        .filter_map(|(instance, facts)| {
            let solution = facts.verified_solution.or(facts.solution)?;
            let denial = facts.verified_denial.or(facts.denial)?;
            let [one, other] = [solution, denial].map(|place| RowClaim::of(&rows[place]));
            Some(Contradiction { instance: instance.clone(), one, other })
        })
        .collect();
    let mut verdicts = Verdicts::new();
    contradictions.extend(counts::examine(rows, &mut verdicts));
    contradictions.extend(optima::examine(rows, &mut verdicts));
    for (place, row) in rows.iter().enumerate() {
        if let Some((verdict, source)) = about(row, facts.get(&row.job.instance), rows) {
            let is = if row.status == Answer::Sat { "no" } else { "a" };
            let note = (verdict == Verdict::Wrong)
                .then(|| format!("the {} has {is} solution", row.job.instance.noun()));
            verdicts.insert(place, (verdict, source, note));
        }
    }
    sort(&mut contradictions);
    for (place, (verdict, source, note)) in verdicts {
        let row = &mut rows[place];
        row.verdict = verdict;
        row.checked_by = Some(Evidence { kind: EvidenceKind::Cross, source });
        row.note = note.or(row.note.take());
    }
    contradictions
}

/// Returns the verdict on a row that follows from other rows, with its source; none if they show nothing new.
fn about(row: &Row, facts: Option<&Facts>, rows: &[Row]) -> Option<(Verdict, String)> {
    let facts = facts?;
    let unchecked = row.verdict == Verdict::Unchecked;
    let by = |verdict, place: Option<usize>| Some((verdict, described(&rows[place?])));
    // A solution does not determine the number of solutions.
    let solution = facts.verified_solution.filter(|_| row.job.task == Task::Solve);
    match row.status {
        Answer::Unsat if row.verdict != Verdict::Wrong => {
            by(Verdict::Wrong, facts.verified_solution)
                .or_else(|| by(Verdict::Verified, facts.verified_denial.filter(|_| unchecked)))
        }
        Answer::Sat if unchecked => {
            by(Verdict::Verified, solution).or_else(|| by(Verdict::Wrong, facts.known_denial))
        }
        _ => None,
    }
}

/// Returns a description of the evidence of a verified row.
fn described(row: &Row) -> String {
    let accepted = row.proof.as_ref().filter(|proof| proof.finding == Finding::Accepted);
    let what = match (row.status, row.checked_by.as_ref(), accepted) {
        (Answer::Sat, _, _) if row.all.is_some() => "the verified number".to_owned(),
        (Answer::Sat, _, _) if row.values.is_some() => "the best value".to_owned(),
        (Answer::Sat, _, _) => "a verified solution".to_owned(),
        (_, Some(Evidence { kind: EvidenceKind::Proof, .. }), Some(proof)) => match proof.format {
            ProofFormat::Veripb => format!("the accepted proof ({})", proof.words()),
            _ => format!("the accepted {}", proof.words()),
        },
        (_, Some(evidence), _) => evidence.source.clone(),
        (_, None, _) => "a verified answer".to_owned(),
    };
    format!("{what} of {}, row {}", by(&row.job), row.key)
}

/// Returns the contradictions between rows of one job, of which a record keeps only the first.
pub fn between_repetitions<'a>(
    disagreeing: impl IntoIterator<Item = &'a Disagreement>,
    row_of: impl Fn(&Key) -> Option<&'a Row>,
) -> Vec<Contradiction> {
    let contradiction = |disagreement: &'a Disagreement| {
        let kept = row_of(&disagreement.key)?;
        let mut one = RowClaim { claim: disagreement.kept.clone(), ..RowClaim::of(kept) };
        let mut other =
            RowClaim { claim: disagreement.other.clone(), evidence: None, ..RowClaim::of(kept) };
        if one.claim.answer() == Answer::Unsat {
            (one, other) = (other, one);
        }
        Some(Contradiction { instance: kept.job.instance.clone(), one, other })
    };
    let mut all: Vec<_> = disagreeing.into_iter().filter_map(contradiction).collect();
    // The order of the file is arbitrary.
    all.sort_by(|one, two| one.one.key.cmp(&two.one.key));
    sort(&mut all);
    all
}

/// Sorts by size, since the smallest instance is the easiest to analyse.
fn sort(contradictions: &mut [Contradiction]) {
    let size = |instance: &Instance| match instance.grid() {
        Some(grid) => grid.places(),
        None => instance.size(),
    };
    contradictions.sort_by(|one, two| {
        let of = |found: &Contradiction| size(&found.instance);
        (of(one), &one.instance).cmp(&(of(two), &two.instance))
    });
}

#[cfg(test)]
pub(crate) mod tests;
