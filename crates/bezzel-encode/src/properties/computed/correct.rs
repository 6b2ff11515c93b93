//! Verdict 1: are the projected models exactly the right ones?
//!
//! First completely, on sizes small enough for every model to be listed; then on larger ones, where
//! right and wrong assignments made by a seed are handed to the formula one by one, each decided by
//! unit propagation and what little search is left.

use bezzel_problem::{Board, Placement, Square};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::super::Finding;
use super::super::form::Form;
use super::super::meaning::{INPUTS, wrong_inputs, wrong_placement};
use super::placements::{one_per_row, random_solution, spoilt};
use super::subject::Subject;
use crate::amo::AtMostOne;
use crate::models::OutOfSteps;

/// The most steps for the decision of one large assignment, and one more for each variable that is
/// left to be given a value.
const STEPS: u64 = 20_000;

/// The most placements that the search may give up; no more are tried then.
const MOST_UNDECIDED: u32 = 10;

/// The comparison of the projected models with the right ones, and its extent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Correct {
    /// The largest size up to which every model was listed.
    pub exhaustive: u32,
    /// The number of larger assignments tried.
    pub sampled: u32,
    /// Those of them that are right, so that the formula must allow them.
    pub right: u32,
    /// The largest size among them.
    pub largest: u32,
    /// Those of them that the search gave up.
    pub undecided: u32,
    /// The first that is wrongly allowed or forbidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong: Option<Finding>,
}

impl Correct {
    /// Takes one large assignment's decision; tells whether it is wrong.
    fn take(&mut self, size: u32, is_right: bool, decided: Result<bool, OutOfSteps>) -> bool {
        self.sampled += 1;
        self.right += u32::from(is_right);
        self.largest = self.largest.max(size);
        self.undecided += u32::from(decided.is_err());
        decided.is_ok_and(|allowed| allowed != is_right)
    }
}

/// The verdict on an at-most-one encoding, of which `wrong` was found among few inputs.
pub(super) fn line(amo: &dyn AtMostOne, wrong: Option<Finding>) -> Correct {
    let mut correct = Correct { exhaustive: INPUTS, wrong, ..Correct::default() };
    if correct.wrong.is_some() {
        return correct;
    }
    let mut random = ChaCha8Rng::seed_from_u64(1848);
    for (n, form) in
        [12, 25, 64, 100, 150].into_iter().flat_map(|n| Form::ALL.map(|form| (n, form)))
    {
        let (xs, formula) = form.formula(amo, n);
        let mut subject = Subject::new(&formula, xs.chunks(1));
        let last = n as usize - 1;
        // Ends and middles are where encoders go wrong; the others are drawn by lot.
        let mut tried: Vec<Vec<usize>> = vec![
            vec![],
            vec![0],
            vec![last],
            vec![0, 1],
            vec![0, last],
            vec![last / 2, last / 2 + 1],
            vec![last - 1, last],
        ];
        tried.extend([1, 1, 2, 2, 2, 3].map(|held| {
            let mut positions: Vec<usize> = (0..=last).collect();
            positions.shuffle(&mut random);
            positions.truncate(held);
            positions
        }));
        for positions in tried {
            let decided = subject.allows(|x| positions.contains(&x), STEPS);
            if correct.take(n, form.allows(positions.len()), decided) {
                correct.wrong = Some(on_line(form, n, &positions));
                return correct;
            }
        }
    }
    correct
}

/// The finding that inputs are wrongly allowed or forbidden, with its place.
pub(super) fn on_line(form: Form, n: u32, held: &[usize]) -> Finding {
    let Finding { what, drawing } = wrong_inputs(form, n, held);
    Finding { what: format!("{form} of {n} inputs: wrongly {what}"), drawing }
}

/// A finding on a board, with its place.
pub(super) fn on_board(board: &Board, Finding { what, drawing }: Finding) -> Finding {
    Finding { what: format!("the board {board}: {what}"), drawing }
}

/// Tries `count` right and wrong placements each, made by this seed; fewer where the search gives
/// up again and again.
pub(super) fn sample(
    subject: &mut Subject,
    board: &Board,
    count: u32,
    seed: u64,
    correct: &mut Correct,
) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..count {
        let right = random_solution(board, &mut random);
        let mut tried: Vec<Placement> = right.iter().cloned().collect();
        tried.extend(right.iter().map(|right| spoilt(board, right, &mut random)));
        tried.push(one_per_row(board, &mut random));
        for placement in tried {
            let decided = subject.allows(
                |cell| {
                    let cell = cell as u32;
                    placement.holds(Square::new(cell / board.columns(), cell % board.columns()))
                },
                STEPS,
            );
            let is_right = placement.judge(board).is_ok();
            if correct.take(board.rows(), is_right, decided) {
                correct.wrong =
                    Some(on_board(board, wrong_placement(board, &placement, !is_right)));
                return;
            }
            if correct.undecided >= MOST_UNDECIDED {
                return;
            }
        }
    }
}
