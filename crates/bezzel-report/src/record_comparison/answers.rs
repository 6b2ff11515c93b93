//! The answers of the jobs that both records have.

use bezzel_experiment::Row;
use bezzel_experiment::claim::Claim;
use serde::Serialize;

use super::pair::RowPair;
use super::{ComparisonFault, FaultSubject};
use crate::distinct::count_distinct;
use crate::limits::end_words;

/// The answers of the jobs that both records have. Each job is in exactly one of the first five numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Answers {
    /// Jobs with answers in both that do not contradict each other.
    pub same: usize,
    /// Jobs with answers that cannot both be right.
    pub contradicting: usize,
    /// Jobs with an answer only in A.
    pub only_a: usize,
    /// Jobs with an answer only in B.
    pub only_b: usize,
    /// Jobs without an answer.
    pub neither: usize,
    /// The ends of jobs that ended differently: in A, in B, and the number of jobs.
    pub ends: Vec<(String, String, usize)>,
    /// Verdicts that differ: in A, in B, and the number of jobs.
    pub verdicts: Vec<(String, String, usize)>,
}

impl Answers {
    /// Counts the answers of pairs. Contradictions are added to `faults`.
    pub(super) fn of(pairs: &[RowPair<'_>], faults: &mut Vec<ComparisonFault>) -> Self {
        let mut answers = Self::default();
        for pair in pairs {
            let (a, b) = (Claim::of(pair.a), Claim::of(pair.b));
            let count = if a.contradicts(&b) {
                let what = format!("{}: A says {a}, B says {b}", pair.describe());
                faults.push(ComparisonFault { about: FaultSubject::Answers, what });
                &mut answers.contradicting
            } else {
                match (pair.a.solved(), pair.b.solved()) {
                    (true, true) => &mut answers.same,
                    (true, false) => &mut answers.only_a,
                    (false, true) => &mut answers.only_b,
                    (false, false) => &mut answers.neither,
                }
            };
            *count += 1;
        }
        answers.ends = differing(pairs, |row| end_words(row.termination));
        answers.verdicts = differing(pairs, |row| row.verdict.word());
        answers
    }
}

/// The pairs of different values of a property in A and B, with their numbers.
fn differing(
    pairs: &[RowPair<'_>],
    property: impl Fn(&Row) -> &'static str,
) -> Vec<(String, String, usize)> {
    let values = pairs.iter().map(|pair| (property(pair.a), property(pair.b)));
    let counted = count_distinct(values.filter(|(a, b)| a != b));
    counted.into_iter().map(|((a, b), number)| (a.into(), b.into(), number)).collect()
}
