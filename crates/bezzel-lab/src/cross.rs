//! Cross examination: what the rows of a record say about each other.
//!
//! A judge sees one answer at a time, and what it saw before. When a record is read all answers are
//! there: what one solver proved verifies what another said of the same board, a placement that the
//! rules allow convicts whoever denies that there is one, and two answers that cannot both be right
//! are told. Rows are examined as they are read; the file stays as it is.

use std::collections::HashMap;
use std::fmt;

use bezzel_encode::Board;
use bezzel_solve::Answer;

use crate::job::Key;
use crate::quantity::grouped;
use crate::row::{Evidence, EvidenceKind, Finding, Row, Verdict};
use crate::store::Disagreement;

/// Two rows of which at most one can be right: an encoding, a solver, a checker or the rules that
/// Bezzel applies are wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The board that both are about.
    pub board: Board,
    /// Who says that it has a solution.
    pub solution: Claim,
    /// Who says that it has none.
    pub denial: Claim,
}

/// What a row claims, and why it should be believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The row's key.
    pub key: Key,
    /// Its solver.
    pub solver: String,
    /// Its encoding, with its settings.
    pub encoding: String,
    /// Its own verdict.
    pub verdict: Verdict,
    /// What its verdict rested on, if it was verified.
    pub evidence: Option<Evidence>,
}

impl Claim {
    fn of(row: &Row) -> Self {
        Self {
            key: row.key.clone(),
            solver: row.job.solver.clone(),
            encoding: row.job.encoding_label(),
            verdict: row.verdict,
            evidence: row.evidence.clone().filter(|_| row.verdict == Verdict::Verified),
        }
    }
}

/// As in `batsat with binary (row 00af…, unchecked)`.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, solver, encoding, verdict, evidence } = self;
        write!(f, "{solver} with {encoding} (row {key}, ")?;
        match (evidence, verdict) {
            (Some(evidence), _) => write!(f, "{})", evidence.source),
            (None, Verdict::Wrong) => f.write_str("wrong)"),
            (None, _) => f.write_str("unchecked)"),
        }
    }
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { board, solution, denial } = self;
        write!(f, "board {board}: sat says {solution}, unsat says {denial}")
    }
}

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
/// exhaustive search.
pub fn examine(rows: &mut [Row]) -> Vec<Contradiction> {
    let mut facts: HashMap<Board, Facts> = HashMap::new();
    for (place, row) in rows.iter().enumerate() {
        let verified = row.verdict == Verdict::Verified;
        // A wrong solution was refuted by the rules, and claims nothing any more.
        if row.answer == Answer::Unknown
            || (row.answer == Answer::Sat && row.verdict == Verdict::Wrong)
        {
            continue;
        }
        if !facts.contains_key(&row.job.board) {
            facts.insert(row.job.board.clone(), Facts::default());
        }
        let facts = facts.get_mut(&row.job.board).expect("it was just put there");
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
            let [solution, denial] = [solution, denial].map(|place| Claim::of(&rows[place]));
            Some(Contradiction { board: board.clone(), solution, denial })
        })
        .collect();
    sort(&mut contradictions);
    let found: Vec<_> =
        rows.iter().map(|row| about(row, facts.get(&row.job.board), rows)).collect();
    for (row, found) in rows.iter_mut().zip(found) {
        if let Some((verdict, source)) = found {
            row.verdict = verdict;
            row.evidence = Some(Evidence { kind: EvidenceKind::Cross, source });
            if verdict == Verdict::Wrong {
                let is = if row.answer == Answer::Sat { "no" } else { "a" };
                row.note = Some(format!("the board has {is} solution"));
            }
        }
    }
    contradictions
}

/// The verdict that other rows make of a row, with its source; none if they say nothing new.
fn about(row: &Row, facts: Option<&Facts>, rows: &[Row]) -> Option<(Verdict, String)> {
    let facts = facts?;
    let unchecked = row.verdict == Verdict::Unchecked;
    let by = |verdict, place: Option<usize>| Some((verdict, described(&rows[place?])));
    match row.answer {
        Answer::Unsat if row.verdict != Verdict::Wrong => {
            by(Verdict::Wrong, facts.verified_solution)
                .or_else(|| by(Verdict::Verified, facts.verified_denial.filter(|_| unchecked)))
        }
        Answer::Sat if unchecked => by(Verdict::Verified, facts.verified_solution)
            .or_else(|| by(Verdict::Wrong, facts.known_denial)),
        _ => None,
    }
}

/// What a verified row contributes, in words.
fn described(row: &Row) -> String {
    let accepted = row.proof.as_ref().filter(|proof| proof.finding == Finding::Accepted);
    let what = match (row.answer, row.evidence.as_ref(), accepted) {
        (Answer::Sat, _, _) => "a verified placement".to_owned(),
        (_, Some(Evidence { kind: EvidenceKind::Proof, .. }), Some(proof)) => {
            let format = proof.format.to_string().to_uppercase();
            let steps = proof
                .steps
                .map_or(String::new(), |steps| format!(" of {} steps", grouped(steps.into())));
            format!("the accepted {format} proof{steps}")
        }
        (_, Some(evidence), _) => evidence.source.clone(),
        (_, None, _) => "a verified answer".to_owned(),
    };
    let Row { key, job, .. } = row;
    format!("{what} of {} with {}, row {key}", job.solver, job.encoding_label())
}

/// The contradictions between rows of one job, of which a record keeps the first only.
pub fn between_repetitions<'a>(
    disagreeing: impl IntoIterator<Item = &'a Disagreement>,
    row_of: impl Fn(&Key) -> Option<&'a Row>,
) -> Vec<Contradiction> {
    let contradiction = |found: &'a Disagreement| {
        let kept = row_of(&found.key)?;
        let (first, other) = (Claim::of(kept), Claim { evidence: None, ..Claim::of(kept) });
        let board = kept.job.board.clone();
        let (solution, denial) =
            if found.kept == Answer::Sat { (first, other) } else { (other, first) };
        Some(Contradiction { board, solution, denial })
    };
    let mut all: Vec<_> = disagreeing.into_iter().filter_map(contradiction).collect();
    sort(&mut all);
    all
}

/// The smallest board first, as the easiest to look into.
fn sort(contradictions: &mut [Contradiction]) {
    let size = |board: &Board| u64::from(board.rows()) * u64::from(board.columns());
    contradictions
        .sort_by(|one, two| (size(&one.board), &one.board).cmp(&(size(&two.board), &two.board)));
}

#[cfg(test)]
mod tests;
