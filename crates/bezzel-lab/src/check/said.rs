//! The claim of a row about its board, and its comparison with the claim of another row.

use std::fmt;

use bezzel_solve::Answer;
use num_bigint::BigUint;

use crate::check::counted::Counted;
use crate::model::job::{BackendKind, Key, Task};
use crate::model::row::Row;

/// What a row says: that there is a solution or none, and how many, if that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    answer: Answer,
    number: Option<Number>,
}

/// Two rows of one job with answers that cannot both be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The key of the job.
    pub key: Key,
    /// The claim that is kept.
    pub kept: Said,
    /// The other claim.
    pub other: Said,
    /// The line of the row that comes later in the file.
    pub line: usize,
}

/// A number of solutions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    /// Of which solutions.
    pub(crate) counted: Counted,
    pub(crate) count: BigUint,
    /// Whether there are no more: the search came to its end, and was to find all.
    pub(crate) exact: bool,
    /// The digest of the set of all of them.
    digest: Option<String>,
}

impl From<Answer> for Said {
    fn from(answer: Answer) -> Self {
        Self { answer, number: None }
    }
}

impl Said {
    /// What this row says.
    pub fn of(row: &Row) -> Self {
        let job = &row.job;
        let all = row.all.as_ref().filter(|_| job.task.backend() == Some(BackendKind::Engine));
        let number = all.map(|all| {
            let most = job.most.filter(|_| job.task == Task::Enumerate);
            let exact = all.whole && most.is_none_or(|most| all.count.0 < most.into());
            let digest = all.digest.clone().filter(|_| exact);
            Number { counted: Counted::by(job), count: all.count.0.clone(), exact, digest }
        });
        Self { answer: row.answer, number }
    }

    /// Whether there is a solution, as it says.
    pub fn answer(&self) -> Answer {
        self.answer
    }

    /// How many there are, as it says.
    pub(crate) fn number(&self) -> Option<&Number> {
        self.number.as_ref()
    }

    /// Whether both cannot be right of one board. A limit that one run met and another did not is
    /// no contradiction.
    pub fn contradicts(&self, other: &Self) -> bool {
        let is_known = |answer| answer != Answer::Unknown;
        let answers =
            is_known(self.answer) && is_known(other.answer) && self.answer != other.answer;
        let numbers = self.number.as_ref().zip(other.number.as_ref());
        answers || numbers.is_some_and(|(one, other)| one.contradicts(other))
    }
}

impl Number {
    /// Whether it tells which solutions there are.
    pub(crate) fn has_set(&self) -> bool {
        self.digest.is_some()
    }

    /// Whether both cannot be right: two numbers, too many of one, or as many and not the same.
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
impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Number { counted, count, exact, digest }) = &self.number else {
            return write!(f, "{}", self.answer);
        };
        let least = if *exact { "" } else { "at least " };
        write!(f, "{least}{}", counted.told(count))?;
        // Sets of one size are told apart by the beginnings of their digests.
        match digest.as_ref().and_then(|digest| digest.get(..8)) {
            Some(digest) => write!(f, " (set {digest}…)"),
            None => Ok(()),
        }
    }
}
