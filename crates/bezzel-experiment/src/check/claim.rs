//! The claim of a row about its instance, and its comparison with the claim of another row.

use std::fmt;

use bezzel_solve::Answer;
use num_bigint::BigUint;

use crate::check::counted::CountedSet;
use crate::model::job::{BackendKind, Key, Task};
use crate::model::row::Row;

/// The claim of a row: the existence of a solution, and the number of solutions, if the task asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedAnswer {
    answer: Answer,
    number: Option<ClaimedCount>,
}

/// Two rows of one job with answers that cannot both be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The key of the job.
    pub key: Key,
    /// The claim that is kept.
    pub kept: ClaimedAnswer,
    /// The other claim.
    pub other: ClaimedAnswer,
}

/// A number of solutions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClaimedCount {
    /// The set that is counted.
    pub(crate) counted: CountedSet,
    pub(crate) count: BigUint,
    /// True if it is the total: the search came to its end, and its number was not limited.
    pub(crate) exact: bool,
    /// The digest of the set of all of them.
    digest: Option<String>,
}

impl From<Answer> for ClaimedAnswer {
    fn from(answer: Answer) -> Self {
        Self { answer, number: None }
    }
}

impl ClaimedAnswer {
    /// Returns the claim of a row.
    pub fn of(row: &Row) -> Self {
        let job = &row.job;
        let all = row.all.as_ref().filter(|_| job.task.backend() == Some(BackendKind::Engine));
        let number = all.map(|all| {
            let max_solutions = job.max_solutions.filter(|_| job.task == Task::Enumerate);
            let exact = all.whole
                && max_solutions.is_none_or(|max_solutions| all.count.0 < max_solutions.into());
            let digest = all.digest.clone().filter(|_| exact);
            ClaimedCount {
                counted: CountedSet::of(job.task),
                count: all.count.0.clone(),
                exact,
                digest,
            }
        });
        Self { answer: row.status, number }
    }

    /// Returns the claimed answer.
    pub fn answer(&self) -> Answer {
        self.answer
    }

    /// Returns the claimed number of solutions.
    pub(crate) fn number(&self) -> Option<&ClaimedCount> {
        self.number.as_ref()
    }

    /// Returns true if the two claims about one instance cannot both be right. A limit that only one run reached is no
    /// contradiction.
    pub fn contradicts(&self, other: &Self) -> bool {
        let is_known = |answer| answer != Answer::Unknown;
        let answers =
            is_known(self.answer) && is_known(other.answer) && self.answer != other.answer;
        let numbers = self.number.as_ref().zip(other.number.as_ref());
        answers || numbers.is_some_and(|(one, other)| one.contradicts(other))
    }
}

impl ClaimedCount {
    /// Returns true if it has the digest of the set of solutions.
    pub(crate) fn has_set(&self) -> bool {
        self.digest.is_some()
    }

    /// Returns true if the two cannot both be right: different totals, a lower bound above a total, or different sets
    /// of the same size.
    fn contradicts(&self, other: &Self) -> bool {
        if self.counted != other.counted {
            return false;
        }
        match (self.exact, other.exact) {
            (true, true) => {
                let digests = self.digest.as_ref().zip(other.digest.as_ref());
                self.count != other.count || digests.is_some_and(|(one, other)| one != other)
            }
            (true, false) => other.count > self.count,
            (false, true) => self.count > other.count,
            (false, false) => false,
        }
    }
}

/// As in `sat`, `92 solutions`, or `at least 5 solutions`.
impl fmt::Display for ClaimedAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(ClaimedCount { counted, count, exact, digest }) = &self.number else {
            return write!(f, "{}", self.answer);
        };
        let least = if *exact { "" } else { "at least " };
        write!(f, "{least}{}", counted.describe(count))?;
        // The beginnings of the digests distinguish sets of the same size.
        match digest.as_ref().and_then(|digest| digest.get(..8)) {
            Some(digest) => write!(f, " (set {digest}…)"),
            None => Ok(()),
        }
    }
}
