//! Verdict 1: are the projected models exactly the right ones?
//!
//! First completely, on sizes small enough for every model to be listed; then on larger ones, where
//! right and wrong assignments made by a seed are handed to the formula one by one, each decided by
//! unit propagation and what little search is left.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::Finding;
use super::placements::{one_per_row, random_solution, spoilt};
use super::subject::Subject;
use crate::amo::AtMostOne;
use crate::board::Board;
use crate::draw;
use crate::formula::Formula;
use crate::laws::Form;
use crate::layout::Layout;
use crate::models::{self, OutOfSteps};
use crate::placement::Placement;
use crate::square::Square;

/// So many steps may the decision of one large assignment take, and one more for each variable that is
/// left to be given a value.
const STEPS: u64 = 20_000;

/// After so many placements that the search gave up, no more are tried.
const MOST_UNDECIDED: u32 = 10;

/// Whether the projected models are exactly the right ones, and how far that was tried.
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

/// The verdict on an at-most-one encoding.
pub(super) fn line(amo: &dyn AtMostOne) -> Correct {
    let mut correct =
        Correct { exhaustive: crate::laws::at_most_one::INPUTS, ..Correct::default() };
    for (n, form) in (0..=correct.exhaustive).flat_map(|n| Form::ALL.map(|form| (n, form))) {
        correct.wrong = every_assignment(amo, form, n);
        if correct.wrong.is_some() {
            return correct;
        }
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
                correct.wrong = Some(wrong_inputs(form, n, &positions));
                return correct;
            }
        }
    }
    correct
}

/// What is wrong with the formula over few inputs.
fn every_assignment(amo: &dyn AtMostOne, form: Form, n: u32) -> Option<Finding> {
    let (xs, formula) = form.formula(amo, n);
    let primary: Vec<_> = xs.iter().map(|lit| lit.var()).collect();
    let mut allowed = BTreeSet::new();
    let wrong = models::each(&formula, &primary, 1, |model, _| {
        let held: Vec<usize> = (0..xs.len()).filter(|&x| model.holds(xs[x])).collect();
        if !form.allows(held.len()) {
            return ControlFlow::Break(held);
        }
        allowed.insert(held);
        ControlFlow::Continue(())
    });
    if let ControlFlow::Break(held) = wrong {
        return Some(wrong_inputs(form, n, &held));
    }
    let singles = (0..n as usize).map(|x| vec![x]);
    std::iter::once(vec![])
        .chain(singles)
        .find(|held| form.allows(held.len()) && !allowed.contains(held))
        .map(|held| wrong_inputs(form, n, &held))
}

fn wrong_inputs(form: Form, n: u32, held: &[usize]) -> Finding {
    let verb = if form.allows(held.len()) { "forbidden" } else { "allowed" };
    let marks: Vec<char> =
        (0..n as usize).map(|x| if held.contains(&x) { '1' } else { '0' }).collect();
    Finding {
        what: format!("{form} of {n} inputs: wrongly {verb} is that {} hold", held.len()),
        drawing: draw::inputs(&marks),
    }
}

/// What a formula of a board allows, beside what it should.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Comparison {
    /// The solutions of the board.
    pub(super) solutions: u64,
    /// The placements that the formula allows, right or wrong, as far as they were listed.
    pub(super) allowed: u64,
    /// Those that are none of the board's solutions: how many, and the first.
    pub(super) wrong: u64,
    pub(super) first_wrong: Option<Placement>,
    /// Solutions that the formula forbids: how many, and the first. Known only when all is listed.
    pub(super) missing: u64,
    pub(super) first_missing: Option<Placement>,
    /// Whether everything was listed that the formula allows.
    pub(super) finished: bool,
}

/// Lists what a formula allows in so many steps, and no more than so many wrong placements.
pub(super) fn compare(
    formula: &Formula,
    layout: &Layout,
    solutions: &BTreeSet<Placement>,
    steps: u64,
    most_wrong: u64,
) -> Comparison {
    let mut comparison = Comparison { solutions: solutions.len() as u64, ..Comparison::default() };
    let mut found = BTreeSet::new();
    let end = models::each_within(formula, &layout.variables(), 1, steps, |model, _| {
        let placement = layout.decode(|lit| model.holds(lit));
        comparison.allowed += 1;
        if solutions.contains(&placement) {
            found.insert(placement);
        } else {
            comparison.wrong += 1;
            comparison.first_wrong.get_or_insert(placement);
        }
        if comparison.wrong >= most_wrong {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    comparison.finished = end == Ok(ControlFlow::Continue(()));
    if comparison.finished {
        comparison.missing = (solutions.len() - found.len()) as u64;
        comparison.first_missing = solutions.difference(&found).next().cloned();
    }
    comparison
}

/// A placement that is wrongly allowed or forbidden, drawn.
pub(super) fn wrong_placement(board: &Board, placement: &Placement) -> Finding {
    let what = match placement.judge(board) {
        Ok(()) => format!("the board {board}: wrongly forbidden is this solution"),
        Err(violation) => format!("the board {board}: wrongly allowed is this: {violation}"),
    };
    let drawing = draw::placement(board.rows(), board.columns(), placement);
    Finding { what, drawing }
}

/// Tries right and wrong placements, so many of each, made by this seed; fewer where the search gives
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
                correct.wrong = Some(wrong_placement(board, &placement));
                return;
            }
            if correct.undecided >= MOST_UNDECIDED {
                return;
            }
        }
    }
}
