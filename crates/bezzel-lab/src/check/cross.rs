//! Cross examination: what the rows of a record say about each other.
//!
//! A judge sees one answer at a time, and what it saw before. When a record is read all answers are
//! there: what one solver proved verifies what another said of the same board, a placement that the
//! rules allow convicts whoever denies that there is one, and two answers that cannot both be right
//! are told. Rows are examined as they are read; the file stays as it is.

use std::collections::{BTreeMap, HashMap};

use bezzel_problem::Instance;
use bezzel_solve::Answer;

use crate::check::said::Disagreement;
use crate::model::job::{Key, Task};
use crate::model::row::{Evidence, EvidenceKind, Finding, Row, Verdict};

mod claim;
mod counts;

pub use claim::{Claim, Contradiction};

use claim::by;

/// What is found out about rows, by their places: the verdict, its source, and a note.
type Verdicts = BTreeMap<usize, (Verdict, String, Option<String>)>;

/// What is claimed of a board, by the places of rows.
#[derive(Default)]
struct Facts {
    solution: Option<usize>,
    verified_solution: Option<usize>,
    denial: Option<usize>,
    verified_denial: Option<usize>,
    /// A denial that rests on more than a proof, which is about a formula and not about the board.
    known_denial: Option<usize>,
}

/// Examines rows: sets verdicts by what other rows of the same board show, and returns what
/// contradicts itself, the smallest board first.
///
/// An unchecked answer is verified by a verified one that agrees with it. Whoever denies that a
/// board has a solution on which a placement was verified is wrong, however well the denial is
/// proved; so is an unchecked solution of a board without one by a published number or an
/// exhaustive search. How many solutions there are is another question, and examined apart.
pub fn examine(rows: &mut [Row]) -> Vec<Contradiction> {
    let mut facts: HashMap<Instance, Facts> = HashMap::new();
    for (place, row) in rows.iter().enumerate() {
        let verified = row.verdict == Verdict::Verified;
        // A wrong solution was refuted by the rules, and claims nothing any more.
        if row.answer == Answer::Unknown
            || (row.answer == Answer::Sat && row.verdict == Verdict::Wrong)
        {
            continue;
        }
        if !facts.contains_key(&row.job.instance) {
            facts.insert(row.job.instance.clone(), Facts::default());
        }
        let facts = facts.get_mut(&row.job.instance).expect("it was just put there");
        let (first, first_verified) = match row.answer {
            Answer::Sat => (&mut facts.solution, &mut facts.verified_solution),
            _ => (&mut facts.denial, &mut facts.verified_denial),
        };
        first.get_or_insert(place);
        if verified {
            first_verified.get_or_insert(place);
            let kind = row.evidence.as_ref().map(|evidence| evidence.kind);
            if row.answer == Answer::Unsat && kind == Some(EvidenceKind::Cross) {
                facts.known_denial.get_or_insert(place);
            }
        }
    }
    let mut contradictions: Vec<Contradiction> = facts
        .iter()
        .filter_map(|(board, facts)| {
            let solution = facts.verified_solution.or(facts.solution)?;
            let denial = facts.verified_denial.or(facts.denial)?;
            let [one, other] = [solution, denial].map(|place| Claim::of(&rows[place]));
            Some(Contradiction { instance: board.clone(), one, other })
        })
        .collect();
    let mut verdicts = Verdicts::new();
    contradictions.extend(counts::examine(rows, &mut verdicts));
    for (place, row) in rows.iter().enumerate() {
        if let Some((verdict, source)) = about(row, facts.get(&row.job.instance), rows) {
            let is = if row.answer == Answer::Sat { "no" } else { "a" };
            let note = (verdict == Verdict::Wrong)
                .then(|| format!("the {} has {is} solution", row.job.instance.noun()));
            verdicts.insert(place, (verdict, source, note));
        }
    }
    sort(&mut contradictions);
    for (place, (verdict, source, note)) in verdicts {
        let row = &mut rows[place];
        row.verdict = verdict;
        row.evidence = Some(Evidence { kind: EvidenceKind::Cross, source });
        row.note = note.or(row.note.take());
    }
    contradictions
}

/// The verdict that other rows make of a row, with its source; none if they say nothing new.
fn about(row: &Row, facts: Option<&Facts>, rows: &[Row]) -> Option<(Verdict, String)> {
    let facts = facts?;
    let unchecked = row.verdict == Verdict::Unchecked;
    let by = |verdict, place: Option<usize>| Some((verdict, described(&rows[place?])));
    // That there is a solution says nothing of how many there are.
    let solution = facts.verified_solution.filter(|_| row.job.task == Task::First);
    match row.answer {
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

/// What a verified row contributes, in words.
fn described(row: &Row) -> String {
    let accepted = row.proof.as_ref().filter(|proof| proof.finding == Finding::Accepted);
    let what = match (row.answer, row.evidence.as_ref(), accepted) {
        (Answer::Sat, _, _) if row.all.is_some() => "the verified number".to_owned(),
        (Answer::Sat, _, _) => "a verified solution".to_owned(),
        (_, Some(Evidence { kind: EvidenceKind::Proof, .. }), Some(proof)) => {
            format!("the accepted {}", proof.words())
        }
        (_, Some(evidence), _) => evidence.source.clone(),
        (_, None, _) => "a verified answer".to_owned(),
    };
    format!("{what} of {}, row {}", by(&row.job), row.key)
}

/// The contradictions between rows of one job, of which a record keeps the first only.
pub fn between_repetitions<'a>(
    disagreeing: impl IntoIterator<Item = &'a Disagreement>,
    row_of: impl Fn(&Key) -> Option<&'a Row>,
) -> Vec<Contradiction> {
    let contradiction = |found: &'a Disagreement| {
        let kept = row_of(&found.key)?;
        let mut one = Claim { said: found.kept.clone(), ..Claim::of(kept) };
        let mut other = Claim { said: found.other.clone(), evidence: None, ..Claim::of(kept) };
        if one.said.answer() == Answer::Unsat {
            (one, other) = (other, one);
        }
        Some(Contradiction { instance: kept.job.instance.clone(), one, other })
    };
    let mut all: Vec<_> = disagreeing.into_iter().filter_map(contradiction).collect();
    // They come in the order of the file, which is nobody's.
    all.sort_by(|one, two| one.one.key.cmp(&two.one.key));
    sort(&mut all);
    all
}

/// Sorts by size: the smallest instance is the easiest to look into.
fn sort(contradictions: &mut [Contradiction]) {
    let size = |instance: &Instance| match instance.board() {
        Some(board) => u64::from(board.squares()),
        None => instance.size().into(),
    };
    contradictions.sort_by(|one, two| {
        let of = |found: &Contradiction| size(&found.instance);
        (of(one), &one.instance).cmp(&(of(two), &two.instance))
    });
}

#[cfg(test)]
pub(crate) mod tests;
