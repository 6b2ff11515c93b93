//! What became of the questions that both records have.

use bezzel_lab::said::Said;
use bezzel_lab::{Row, Stop};
use serde::Serialize;

use super::pair::Pair;
use super::{About, Fault};
use crate::distinct::counted;

/// What became of the questions that both records have. Each is in exactly one of the first five.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Answers {
    /// Both answered, and nothing contradicts.
    pub same: usize,
    /// Answers that cannot both be right.
    pub contradicting: usize,
    /// Only A has an answer.
    pub only_a: usize,
    /// Only B has an answer.
    pub only_b: usize,
    /// Neither has.
    pub neither: usize,
    /// How those with other ends ended: in A, in B, and how many.
    pub ends: Vec<(String, String, usize)>,
    /// Verdicts that differ: in A, in B, and how many.
    pub verdicts: Vec<(String, String, usize)>,
}

impl Answers {
    /// Of pairs; those that contradict each other are faults.
    pub(super) fn of(pairs: &[Pair<'_>], faults: &mut Vec<Fault>) -> Self {
        let mut answers = Self::default();
        for pair in pairs {
            let (a, b) = (Said::of(pair.a), Said::of(pair.b));
            let count = if a.contradicts(&b) {
                let what = format!("{}: A says {a}, B says {b}", pair.told());
                faults.push(Fault { about: About::Answers, what });
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
        answers.ends = differing(pairs, end);
        answers.verdicts = differing(pairs, |row| row.verdict.word());
        answers
    }
}

/// How often what is told of A is something else in B.
fn differing(
    pairs: &[Pair<'_>],
    told: impl Fn(&Row) -> &'static str,
) -> Vec<(String, String, usize)> {
    let told = pairs.iter().map(|pair| (told(pair.a), told(pair.b)));
    let counted = counted(told.filter(|(a, b)| a != b));
    counted.into_iter().map(|((a, b), number)| (a.into(), b.into(), number)).collect()
}

fn end(row: &Row) -> &'static str {
    match row.stop {
        Stop::Finished => "finished",
        Stop::CpuLimit => "CPU limit",
        Stop::WallLimit => "wall limit",
        Stop::MemoryLimit => "memory limit",
        Stop::NodeLimit => "node limit",
        Stop::Crashed => "crashed",
        Stop::HostError => "killed by somebody else",
        Stop::Skipped => "skipped",
    }
}
