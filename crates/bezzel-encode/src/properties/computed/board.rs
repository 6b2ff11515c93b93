//! The verdicts on an encoding of the whole board.

use bezzel_problem::{Board, Geometry, Piece};
use serde::Serialize;

use super::super::PropertyFinding;
use super::case::{Case, ConsequenceRules};
use super::correct::{self, Correct};
use super::models::{self, ModelCounts};
use super::strength::{self, Strength};
use crate::encoding::Encoding;
use crate::info::{Auxiliaries, Propagation};

/// The most steps for the list of one small board's models.
const STEPS: u64 = 2_000_000;

/// The computed profile of an encoding of the whole board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardProfile {
    /// The comparison of its models with the solutions.
    pub correct: Correct,
    /// The effect of one queen on one attacked square, at side 8, which an encoding declares.
    pub one_queen: Propagation,
    /// The smallest partial board on which unit propagation misses a consequence of one line after the other, up to
    /// side 4; none if it misses nothing.
    pub gap_by_lines: Option<PropertyFinding>,
    /// The same at side 4 alone.
    pub gap_by_lines_at_4: Option<PropertyFinding>,
    /// The same for the consequences of all rules together.
    pub gap: Option<PropertyFinding>,
    /// The same at side 4 alone.
    pub gap_at_4: Option<PropertyFinding>,
    /// The share that it finds on every board of side 4 with up to four squares known.
    pub every: Strength,
    /// The share that it finds on some boards of side 8.
    pub sampled: Strength,
    /// The effect of the auxiliary variables on the number of models.
    pub auxiliaries: Auxiliaries,
    /// Models at sides 4, 5, 6 and 8.
    pub models: Vec<ModelCounts>,
}

impl BoardProfile {
    /// Computes the profile; none where the encoding takes no ordinary board.
    pub fn of(encoding: &dyn Encoding) -> Option<Self> {
        let plane = |side| Board::new(side).expect("small boards are allowed");
        if (1..=12).any(|side| encoding.fits(&plane(side).problem()).is_err()) {
            return None;
        }
        let models: Vec<ModelCounts> =
            [4, 5, 6, 8].map(|side| Case::new(encoding, &plane(side)).models()).to_vec();
        let gap = |side, implied| {
            let found = Case::new(encoding, &plane(side)).gap(implied, usize::MAX);
            found.found()
        };
        let smaller = |implied| (1..=3).find_map(|side| gap(side, implied));
        let gap_by_lines_at_4 = gap(4, ConsequenceRules::LineByLine);
        let gap_at_4 = gap(4, ConsequenceRules::ByAllRules);
        Some(Self {
            correct: correct(encoding),
            one_queen: Case::new(encoding, &plane(8)).one_queen().0,
            gap_by_lines: smaller(ConsequenceRules::LineByLine)
                .or_else(|| gap_by_lines_at_4.clone()),
            gap_by_lines_at_4,
            gap: smaller(ConsequenceRules::ByAllRules).or_else(|| gap_at_4.clone()),
            gap_at_4,
            every: Case::new(encoding, &plane(4)).strength(|_| strength::every(16, 4)),
            sampled: Case::new(encoding, &plane(8)).sampled_strength(),
            auxiliaries: models::verdict(&models),
            models,
        })
    }
}

fn correct(encoding: &dyn Encoding) -> Correct {
    let board = |side| Board::new(side).expect("small boards are allowed");
    let mut boards: Vec<Board> = (1..=8).map(board).collect();
    boards.push(board(5).with_geometry(Geometry::Torus));
    boards.push(board(3).with_piece(Piece::Rook));
    let mut correct = Correct { exhaustive: 8, ..Correct::default() };
    for board in boards.iter().filter(|board| encoding.fits(&board.problem()).is_ok()) {
        let wrong = Case::new(encoding, board).wrong(STEPS);
        match wrong {
            Ok(None) => {}
            Ok(wrong) => {
                correct.wrong = wrong;
                return correct;
            }
            Err(()) => {
                correct.exhaustive = correct.exhaustive.min(board.rows() - 1);
            }
        }
    }
    for side in 9..=12 {
        let board = board(side);
        let mut case = Case::new(encoding, &board);
        correct::sample(&mut case.subject, &board, 5, side.into(), &mut correct);
        if correct.wrong.is_some() {
            break;
        }
    }
    correct
}
