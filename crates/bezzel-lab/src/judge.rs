//! The judge: what an answer is worth.
//!
//! The judge sits in the runner, not in the worker that found the answer, and shares no code with
//! encodings or solvers: placements are held against the rules of the board, and "no solution"
//! against published numbers, an exhaustive search, or what a checker made of the proof.
//!
//! A proof shows that the formula has no model, not that the board has no solution: where the board
//! is known to have one, the answer is wrong however well it is proved.

use std::collections::HashMap;

use bezzel_count::{backtrack::Backtrack, published};
use bezzel_encode::{Board, Placement, Symmetry};
use bezzel_solve::Answer;

use crate::all_solutions::AllSolutions;
use crate::job::Task;
use crate::quantity::grouped;
use crate::row::{Evidence, EvidenceKind, Finding, ProofRecord, Row, Verdict};

/// How many nodes an exhaustive search may visit before it gives up: some seconds' worth.
const SEARCH_BUDGET: u64 = 100_000_000;

/// What the judge makes of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Right, wrong, or neither shown.
    pub verdict: Verdict,
    /// What that rests on.
    pub evidence: Option<Evidence>,
    /// What is wrong, in words.
    pub note: Option<String>,
}

impl Judgement {
    fn new(verdict: Verdict, kind: EvidenceKind, source: impl Into<String>) -> Self {
        Self { verdict, evidence: Some(Evidence { kind, source: source.into() }), note: None }
    }

    fn wrong(kind: EvidenceKind, source: impl Into<String>, note: impl Into<String>) -> Self {
        Self { note: Some(note.into()), ..Self::new(Verdict::Wrong, kind, source) }
    }

    fn unchecked() -> Self {
        Self { verdict: Verdict::Unchecked, evidence: None, note: None }
    }
}

/// An answer, with what was found out about it.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The board.
    pub board: &'a Board,
    /// What the solver answered.
    pub answer: Answer,
    /// The placement that it found, if it claims one.
    pub placement: Option<&'a Placement>,
    /// A clause that its model does not satisfy.
    pub violated: Option<&'a [i32]>,
    /// What became of its proof.
    pub proof: Option<&'a ProofRecord>,
    /// What was asked.
    pub task: Task,
    /// How many solutions were enough.
    pub most: Option<u64>,
    /// How many of the placements that are images of each other its formula leaves.
    pub symmetry: Symmetry,
    /// What was found of all solutions, where they were asked for.
    pub all: Option<&'a AllSolutions>,
    /// What is wrong with the first of them that breaks the rules, if one does.
    pub violation: Option<&'a str>,
}

impl<'a> Case<'a> {
    /// An answer of which no more is known than the placement.
    pub fn new(board: &'a Board, answer: Answer, placement: Option<&'a Placement>) -> Self {
        let (task, symmetry) = (Task::First, Symmetry::None);
        let (most, all) = (None, None);
        let (violated, proof, violation) = (None, None, None);
        Self { board, answer, placement, violated, proof, task, most, symmetry, all, violation }
    }
}

/// Judges answers, and remembers what it found out about boards: a board on which a placement was
/// verified has a solution, whoever says otherwise later.
#[derive(Debug, Default)]
pub struct Judge {
    solvable: HashMap<Board, Option<(bool, String)>>,
}

impl Judge {
    /// A judge that has not seen a board yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Judges what a solver answered.
    pub fn judge(&mut self, case: &Case<'_>) -> Judgement {
        match case.answer {
            Answer::Unknown => Judgement::unchecked(),
            Answer::Sat => self.judge_solution(case),
            Answer::Unsat => self.judge_denial(case),
        }
    }

    fn judge_solution(&mut self, case: &Case<'_>) -> Judgement {
        let rules = "rules of the board";
        let Some(placement) = case.placement else {
            return Judgement::wrong(
                EvidenceKind::Rules,
                "no placement",
                "a solution is claimed, but none was given",
            );
        };
        if let Err(violation) = placement.judge(case.board) {
            let note = format!("the placement breaks the rules: {violation}");
            return Judgement::wrong(EvidenceKind::Rules, rules, note);
        }
        self.remember(case.board);
        match case.violated {
            Some(clause) => {
                let note = format!("the model does not satisfy the clause {}", written(clause));
                Judgement::wrong(EvidenceKind::Clauses, "clauses of the formula", note)
            }
            None => Judgement::new(Verdict::Verified, EvidenceKind::Rules, rules),
        }
    }

    fn judge_denial(&mut self, case: &Case<'_>) -> Judgement {
        let known = self.solvable(case.board);
        if let Some((true, source)) = known {
            return Judgement::wrong(EvidenceKind::Cross, source, "the board has a solution");
        }
        let proof = case.proof;
        let note = proof.and_then(|proof| proof.note.clone());
        match (proof.map(|proof| (proof.finding, proof)), known) {
            (Some((Finding::Refused, proof)), _) => {
                let note = format!("the proof is forged or damaged: {}", note.unwrap_or_default());
                Judgement::wrong(EvidenceKind::Proof, described(proof), note)
            }
            (Some((Finding::Accepted, proof)), _) => {
                Judgement::new(Verdict::Verified, EvidenceKind::Proof, described(proof))
            }
            (_, Some((_, source))) => {
                Judgement { note, ..Judgement::new(Verdict::Verified, EvidenceKind::Cross, source) }
            }
            (_, None) => Judgement { note, ..Judgement::unchecked() },
        }
    }

    /// Learns from a row that was judged before: what is verified there holds here.
    pub fn learn(&mut self, row: &Row) {
        if row.verdict == Verdict::Verified && row.answer == Answer::Sat {
            self.remember(&row.job.board);
        }
    }

    fn remember(&mut self, board: &Board) {
        let known = matches!(self.solvable.get(board), Some(Some((true, _))));
        if !known {
            let found = Some((true, "a verified placement on the same board".to_owned()));
            self.solvable.insert(board.clone(), found);
        }
    }

    /// Whether the board has a solution, and who says so.
    fn solvable(&mut self, board: &Board) -> Option<(bool, String)> {
        if let Some(known) = self.solvable.get(board) {
            return known.clone();
        }
        let known = find_out(board);
        self.solvable.insert(board.clone(), known.clone());
        known
    }
}

/// A proof in a few words.
fn described(proof: &ProofRecord) -> String {
    let steps =
        proof.steps.map_or(String::new(), |steps| format!(" of {} steps", grouped(steps.into())));
    format!("{} proof{steps}", proof.format.to_string().to_uppercase())
}

/// A clause as files write it.
fn written(clause: &[i32]) -> String {
    clause.iter().chain(&[0]).map(i32::to_string).collect::<Vec<_>>().join(" ")
}

fn find_out(board: &Board) -> Option<(bool, String)> {
    if let Some((solvable, source)) = published::solvable(board) {
        return Some((solvable, format!("published: {source}")));
    }
    let first = Backtrack::new(board)?.first(SEARCH_BUDGET).ok()?;
    Some((first.is_some(), "exhaustive search".into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bezzel_encode::{Geometry, Square};
    use bezzel_solve::ProofFormat;

    fn placement(columns: &[u32]) -> Placement {
        let squares = columns.iter().zip(1..);
        squares.map(|(&column, row)| Square::from((row, column))).collect()
    }

    fn judged(board: &Board, answer: Answer, columns: Option<&[u32]>) -> Judgement {
        let placement = columns.map(placement);
        Judge::new().judge(&Case::new(board, answer, placement.as_ref()))
    }

    #[test]
    fn a_solution_is_verified_by_the_rules() {
        // Zantema's printed solution for eight queens.
        let board = Board::new(8).unwrap();
        let judgement = judged(&board, Answer::Sat, Some(&[4, 2, 7, 3, 6, 8, 5, 1]));
        assert_eq!(judgement.verdict, Verdict::Verified);
        assert_eq!(judgement.evidence.unwrap().kind, EvidenceKind::Rules);
    }

    #[test]
    fn a_lying_solver_is_found_out() {
        let board = Board::new(8).unwrap();
        let attacked = judged(&board, Answer::Sat, Some(&[1, 2, 3, 4, 5, 6, 7, 8]));
        assert_eq!(attacked.verdict, Verdict::Wrong);
        assert_eq!(
            attacked.note.unwrap(),
            "the placement breaks the rules: the queens on 1,1 and 2,2 attack each other"
        );
        assert_eq!(judged(&board, Answer::Sat, None).verdict, Verdict::Wrong);
        assert_eq!(judged(&board, Answer::Unsat, None).verdict, Verdict::Wrong);
    }

    #[test]
    fn no_solution_is_verified_by_a_published_zero_or_by_exhaustive_search() {
        let torus = Board::new(12).unwrap().with_geometry(Geometry::Torus);
        let judgement = judged(&torus, Answer::Unsat, None);
        assert_eq!(judgement.verdict, Verdict::Verified);
        assert!(judgement.evidence.unwrap().source.starts_with("published"));

        let corner = Board::new(6).unwrap().with_placed([Square::new(0, 0)]).unwrap();
        let judgement = judged(&corner, Answer::Unsat, None);
        assert_eq!(judgement.verdict, Verdict::Verified);
        assert_eq!(judgement.evidence.unwrap().source, "exhaustive search");
    }

    #[test]
    fn a_solution_that_one_solver_has_found_convicts_the_next_that_denies_it() {
        // Too large for the search, and nobody has published a number for it.
        let board = Board::new(100).unwrap().with_blocked([Square::new(0, 0)]).unwrap();
        let mut judge = Judge::new();
        judge.remember(&board);
        let judgement = judge.judge(&Case::new(&board, Answer::Unsat, None));
        assert_eq!(judgement.verdict, Verdict::Wrong);
        assert_eq!(judged(&board, Answer::Unsat, None).verdict, Verdict::Unchecked);
    }

    #[test]
    fn a_model_that_falsifies_a_clause_is_wrong_though_the_queens_stand_well() {
        let board = Board::new(4).unwrap();
        let queens = placement(&[2, 4, 1, 3]);
        let case = Case::new(&board, Answer::Sat, Some(&queens));
        let judgement = Judge::new().judge(&Case { violated: Some(&[3, -20]), ..case });
        assert_eq!(judgement.verdict, Verdict::Wrong);
        assert_eq!(judgement.evidence.unwrap().kind, EvidenceKind::Clauses);
        assert_eq!(judgement.note.unwrap(), "the model does not satisfy the clause 3 -20 0");
    }

    #[test]
    fn a_proof_verifies_a_denial_unless_the_board_has_a_solution() {
        let proof = |finding, note: Option<&str>| ProofRecord {
            format: ProofFormat::Lrat,
            finding,
            bytes: Some(10),
            steps: Some(1234),
            check_cpu_s: None,
            check_memory_peak_bytes: None,
            note: note.map(str::to_owned),
        };
        let judged = |board: &Board, proof: &ProofRecord| {
            let case = Case::new(board, Answer::Unsat, None);
            let judged = Judge::new().judge(&Case { proof: Some(proof), ..case });
            let kind = judged.evidence.map(|evidence| evidence.kind);
            (judged.verdict, kind, judged.note.unwrap_or_default())
        };
        // Too large for the search, and nobody has published a number for it.
        let open = Board::new(100).unwrap().with_blocked([Square::new(0, 0)]).unwrap();
        let (solvable, none) = (Board::new(8).unwrap(), Board::new(3).unwrap());
        let cross = Some(EvidenceKind::Cross);
        let by_proof = Some(EvidenceKind::Proof);

        let accepted = proof(Finding::Accepted, None);
        assert_eq!(judged(&open, &accepted), (Verdict::Verified, by_proof, String::new()));
        let told = "the board has a solution".to_owned();
        assert_eq!(judged(&solvable, &accepted), (Verdict::Wrong, cross, told));

        let refused = proof(Finding::Refused, Some("step 7"));
        let told = "the proof is forged or damaged: step 7".to_owned();
        assert_eq!(judged(&open, &refused), (Verdict::Wrong, by_proof, told.clone()));
        assert_eq!(judged(&none, &refused), (Verdict::Wrong, by_proof, told));

        let unchecked = proof(Finding::Unchecked, Some("it has no end"));
        let told = "it has no end".to_owned();
        assert_eq!(judged(&open, &unchecked), (Verdict::Unchecked, None, told.clone()));
        assert_eq!(judged(&none, &unchecked), (Verdict::Verified, cross, told));
    }

    #[test]
    fn no_answer_is_no_lie() {
        let board = Board::new(8).unwrap();
        assert_eq!(judged(&board, Answer::Unknown, None).verdict, Verdict::Unchecked);
    }
}
