//! The choice of the redundant constraints that are stated.
//!
//! Some bounds of a problem follow from others by counting: with as many columns as rows, exactly one in each row and at
//! most one in each column leave no column empty. Sources state more than they need, and Zantema remarks that redundancy
//! may be good for efficiency. It is therefore a setting. A problem has the sets of bounds from which it can choose
//! ([`BoundSet`]).

use std::borrow::Cow;

use bezzel_problem::{BoundSet, Bounds, Problem, kinds, named};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// An encoding that cannot state the constraints of a problem.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what} does not fit {instance}: {why}; {mend}")]
pub struct Unsupported {
    /// The set of constraints, the encoding or the variant of one that does not fit.
    pub what: String,
    /// The instance.
    pub instance: String,
    /// The reason.
    pub why: Cow<'static, str>,
    /// A value that fits instead.
    pub mend: Cow<'static, str>,
    /// The one kind of problem that the encoding is for, if the problem is of another kind.
    pub kind: Option<&'static str>,
}

impl Unsupported {
    /// Refuses `what` on a problem, with the reason and a value that fits instead.
    pub fn new(
        what: String,
        problem: &Problem,
        why: impl Into<Cow<'static, str>>,
        mend: impl Into<Cow<'static, str>>,
    ) -> Self {
        let instance = match problem.noun() {
            "instance" => problem.name(),
            noun => format!("the {noun} {}", problem.name()),
        };
        Self { what, instance, why: why.into(), mend: mend.into(), kind: None }
    }

    /// Refuses `what` on problems that are not of this kind.
    ///
    /// # Errors
    ///
    /// When the problem is of another kind.
    pub fn check_kind(what: String, problem: &Problem, kind: &'static str) -> Result<(), Self> {
        if problem.kind() == kind {
            return Ok(());
        }
        let subject = kinds().find(kind).map_or(kind, |kind| kind.subject);
        let why = format!("it is for {subject} only");
        Err(Self { kind: Some(kind), ..Self::new(what, problem, why, "take another") })
    }
}

named! {
    /// The redundant constraints that are stated, of groups named rows and columns. Other groups keep their bounds.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Constraints: "constraints" {
        /// Rows and columns have exactly one.
        #[default]
        Full = "full",
        /// Rows have exactly one, columns at most one.
        NoColumnAlo = "no-column-alo",
        /// Rows have exactly one, columns at least one. At most one per column then follows, since there are as many
        /// columns as rows (Zantema's remark).
        NoColumnAmo = "no-column-amo",
        /// Rows have at least one, columns at most one. At most one per row then follows.
        Minimal = "minimal",
    }
}

impl Constraints {
    /// The stated constraints, in words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Full => "rows and columns exactly one, diagonals at most one",
            Self::NoColumnAlo => "rows exactly one, columns and diagonals at most one",
            Self::NoColumnAmo => "rows exactly one, columns at least one, diagonals at most one",
            Self::Minimal => "rows at least one, columns and diagonals at most one",
        }
    }

    /// True if rows are stated to have at most one.
    pub fn row_at_most_one(self) -> bool {
        self != Self::Minimal
    }

    /// True if columns are stated to have at most one.
    pub fn column_at_most_one(self) -> bool {
        self != Self::NoColumnAmo
    }

    /// The bounds that are stated for the groups of a family, given by its number.
    pub fn stated(self, problem: &Problem, family: usize) -> Bounds {
        match self.of(problem).map(|set| &set.bounds) {
            Some(Ok(bounds)) => bounds[family],
            _ => problem.families()[family].bounds(),
        }
    }

    /// The set of this name among those of a problem.
    fn of(self, problem: &Problem) -> Option<&BoundSet> {
        problem.bound_sets().iter().find(|set| set.id == self.id())
    }

    /// Refuses problems whose constraints the set does not state. Problems without a choice have
    /// [`Full`](Self::Full) alone.
    ///
    /// # Errors
    ///
    /// The reason, and the set that fits.
    pub fn fits(self, problem: &Problem) -> Result<(), Unsupported> {
        let why = match self.of(problem).map(|set| &set.bounds) {
            Some(Ok(_)) => return Ok(()),
            Some(Err(why)) => *why,
            None if self == Self::Full => return Ok(()),
            None => "none of its constraints follows from others",
        };
        let mend = format!("take `constraints: {}`", Self::default_on(problem));
        Err(Unsupported::new(format!("the set of constraints `{self}`"), problem, why, mend))
    }

    /// The default set: all constraints that hold for the problem.
    pub fn default_on(problem: &Problem) -> Self {
        let first = problem.bound_sets().first().and_then(|set| set.id.parse().ok());
        first.unwrap_or_default()
    }
}
