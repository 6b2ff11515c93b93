//! The judge: what an answer is worth.
//!
//! The judge sits in the runner, not in the worker that found the answer, and shares no code with
//! encodings or solvers: placements are held against the rules of the board, and "no solution"
//! against published numbers or an exhaustive search.

use std::collections::HashMap;

use bezzel_count::{backtrack::Backtrack, published};
use bezzel_encode::{Board, Placement};
use bezzel_solve::Answer;

use crate::row::{Evidence, EvidenceKind, Row, Verdict};

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

    fn unchecked() -> Self {
        Self { verdict: Verdict::Unchecked, evidence: None, note: None }
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

    /// Judges what a solver answered for a board; `placement` is the one that it found, if it
    /// claims one.
    pub fn judge(
        &mut self,
        board: &Board,
        answer: Answer,
        placement: Option<&Placement>,
    ) -> Judgement {
        match (answer, placement) {
            (Answer::Unknown, _) => Judgement::unchecked(),
            (Answer::Sat, None) => Judgement {
                note: Some("a solution is claimed, but none was given".into()),
                ..Judgement::new(Verdict::Wrong, EvidenceKind::Rules, "no placement")
            },
            (Answer::Sat, Some(placement)) => {
                let rules = "rules of the board";
                match placement.judge(board) {
                    Ok(()) => {
                        self.remember(board);
                        Judgement::new(Verdict::Verified, EvidenceKind::Rules, rules)
                    }
                    Err(violation) => Judgement {
                        note: Some(format!("the placement breaks the rules: {violation}")),
                        ..Judgement::new(Verdict::Wrong, EvidenceKind::Rules, rules)
                    },
                }
            }
            (Answer::Unsat, _) => match self.solvable(board) {
                None => Judgement::unchecked(),
                Some((false, source)) => {
                    Judgement::new(Verdict::Verified, EvidenceKind::Cross, source)
                }
                Some((true, source)) => Judgement {
                    note: Some("the board has a solution".into()),
                    ..Judgement::new(Verdict::Wrong, EvidenceKind::Cross, source)
                },
            },
        }
    }

    /// Learns from a row that was judged before: what is verified there holds here.
    pub fn learn(&mut self, row: &Row) {
        if row.verdict == Verdict::Verified && row.answer == Answer::Sat {
            self.remember(&row.job.board);
        }
    }

    fn remember(&mut self, board: &Board) {
        let known = self.solvable.get(board).is_some_and(Option::is_some);
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

    fn placement(columns: &[u32]) -> Placement {
        let squares = columns.iter().zip(1..);
        squares.map(|(&column, row)| Square::from((row, column))).collect()
    }

    fn judged(board: &Board, answer: Answer, columns: Option<&[u32]>) -> Judgement {
        Judge::new().judge(board, answer, columns.map(placement).as_ref())
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
        let judgement = judge.judge(&board, Answer::Unsat, None);
        assert_eq!(judgement.verdict, Verdict::Wrong);
        assert_eq!(judged(&board, Answer::Unsat, None).verdict, Verdict::Unchecked);
    }

    #[test]
    fn no_answer_is_no_lie() {
        let board = Board::new(8).unwrap();
        assert_eq!(judged(&board, Answer::Unknown, None).verdict, Verdict::Unchecked);
    }
}
