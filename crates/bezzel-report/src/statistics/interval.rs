//! Intervals of a ratio, and what they decide: whether two arms differ, or are as good as equal.

use std::fmt;

/// Two arms are equivalent if their ratio is within ten per cent of one.
pub const MARGIN: f64 = 0.1;

/// An interval of a ratio. An end is open where runs over the limit have a share in it: what they
/// would have taken, nobody knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end; none if it is open, so that the ratio may be as small as one likes.
    pub low: Option<f64>,
    /// The upper end; none if it is open, so that the ratio may be as large as one likes.
    pub high: Option<f64>,
    /// How often such intervals hold the true ratio, from 0 to 1.
    pub level: f64,
}

/// What an interval says of one arm beside another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The whole interval lies within the margin: as good as equal, whether or not it holds 1.
    Equivalent,
    /// The whole interval lies below 1: the first takes less.
    Less,
    /// The whole interval lies above 1: the first takes more.
    More,
    /// The interval holds 1 and reaches beyond the margin: nothing is decided. That no difference was
    /// found does not say that there is none.
    Undecided,
}

impl Interval {
    /// Whether it lies wholly between 1 / (1 + `margin`) and 1 + `margin`. These bounds are
    /// symmetric for ratios: it is the same whichever arm is named first.
    pub fn is_within(&self, margin: f64) -> bool {
        let widest = 1.0 + margin;
        self.low.is_some_and(|low| low >= 1.0 / widest)
            && self.high.is_some_and(|high| high <= widest)
    }

    /// What it decides with a margin of equivalence.
    pub fn relation(&self, margin: f64) -> Relation {
        if self.is_within(margin) {
            Relation::Equivalent
        } else if self.high.is_some_and(|high| high < 1.0) {
            Relation::Less
        } else if self.low.is_some_and(|low| low > 1.0) {
            Relation::More
        } else {
            Relation::Undecided
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Equivalent => "equivalent",
            Self::Less => "less",
            Self::More => "more",
            Self::Undecided => "undecided",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(low: Option<f64>, high: Option<f64>) -> Relation {
        Interval { low, high, level: 0.95 }.relation(MARGIN)
    }

    #[test]
    fn an_interval_decides_by_where_it_lies() {
        assert_eq!(relation(Some(0.95), Some(1.05)), Relation::Equivalent);
        assert_eq!(relation(Some(1.01), Some(1.09)), Relation::Equivalent);
        assert_eq!(relation(Some(1.01), Some(1.2)), Relation::More);
        assert_eq!(relation(Some(0.2), Some(0.99)), Relation::Less);
        assert_eq!(relation(Some(0.95), Some(1.2)), Relation::Undecided);
        // 0.9 is farther from 1 than 1.1 is, as a ratio.
        assert_eq!(relation(Some(0.905), Some(1.05)), Relation::Undecided);
    }

    #[test]
    fn an_open_end_never_makes_arms_equivalent() {
        assert_eq!(relation(Some(0.99), None), Relation::Undecided);
        assert_eq!(relation(None, None), Relation::Undecided);
        assert_eq!(relation(Some(1.5), None), Relation::More);
        assert_eq!(relation(None, Some(0.5)), Relation::Less);
    }
}
