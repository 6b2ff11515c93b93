//! Verdict 1: the projected models are exactly the right ones, or not.
//!
//! The test is complete on sizes small enough to list every model. On larger ones, the formula gets right and wrong
//! assignments made by a seed, one by one; unit propagation and a short search decide each.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::PropertyFinding;
use super::form::Form;
use super::gap::ExaminedFormula;
use super::meaning::{INPUTS, wrong_inputs};
use crate::amo::AtMostOne;
use crate::models::OutOfSteps;

/// The most steps for the decision of one large assignment, and one more for each variable that is left without a
/// value.
pub const DECISION_STEPS: u64 = 20_000;

/// The comparison of the projected models with the right ones, and its extent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Correct {
    /// The largest size up to which every model was listed.
    pub exhaustive: u32,
    /// The number of larger assignments tried.
    pub sampled: u32,
    /// The number of right ones among them, which the formula must allow.
    pub right: u32,
    /// The largest size among them.
    pub largest: u32,
    /// The number of them that the search gave up.
    pub undecided: u32,
    /// The first that is wrongly allowed or forbidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong: Option<PropertyFinding>,
}

impl Correct {
    /// Counts one large assignment's decision. Returns true if the decision is wrong.
    pub fn take(&mut self, size: u32, is_right: bool, decided: Result<bool, OutOfSteps>) -> bool {
        self.sampled += 1;
        self.right += u32::from(is_right);
        self.largest = self.largest.max(size);
        self.undecided += u32::from(decided.is_err());
        decided.is_ok_and(|allowed| allowed != is_right)
    }
}

/// The verdict on an at-most-one encoding; `wrong` is the fault with few inputs, if there is one.
pub(super) fn line(amo: &dyn AtMostOne, wrong: Option<PropertyFinding>) -> Correct {
    let mut correct = Correct { exhaustive: INPUTS, wrong, ..Correct::default() };
    if correct.wrong.is_some() {
        return correct;
    }
    let mut random = ChaCha8Rng::seed_from_u64(1848);
    for (n, form) in
        [12, 25, 64, 100, 150].into_iter().flat_map(|n| Form::ALL.map(|form| (n, form)))
    {
        let (xs, formula) = form.formula(amo, n);
        let mut subject = ExaminedFormula::new(&formula, xs.chunks(1));
        let last = n as usize - 1;
        // Encoders fail most often at ends and middles; the other positions are random.
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
            let decided = subject.allows(|x| positions.contains(&x), DECISION_STEPS);
            if correct.take(n, form.allows(positions.len()), decided) {
                correct.wrong = Some(on_line(form, n, &positions));
                return correct;
            }
        }
    }
    correct
}

/// The finding that inputs are wrongly allowed or forbidden, with its place.
pub(super) fn on_line(form: Form, n: u32, held: &[usize]) -> PropertyFinding {
    let PropertyFinding { what, drawing } = wrong_inputs(form.allows(held.len()), n, held);
    PropertyFinding { what: format!("{form} of {n} inputs: {what}"), drawing }
}
