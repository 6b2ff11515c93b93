//! Medians and quantiles of values some of which are only known to be over a limit.

use std::cmp::Ordering;
use std::fmt;

use serde::{Serialize, Serializer};

/// A measured value, or a value over the limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A measured value.
    Measured(f64),
    /// The run ended without an answer, and its value is larger than every measured one.
    OverLimit,
}

impl Value {
    /// The number, if one was measured.
    pub fn measured(self) -> Option<f64> {
        match self {
            Self::Measured(value) => Some(value),
            Self::OverLimit => None,
        }
    }

    /// The order in which [`OverLimit`](Self::OverLimit) comes last.
    pub fn compare(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Measured(one), Self::Measured(two)) => one.total_cmp(&two),
            (Self::Measured(_), Self::OverLimit) => Ordering::Less,
            (Self::OverLimit, Self::Measured(_)) => Ordering::Greater,
            (Self::OverLimit, Self::OverLimit) => Ordering::Equal,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Measured(value) => value.fmt(f),
            Self::OverLimit => f.pad("over the limit"),
        }
    }
}

/// A number, or the words `over the limit`.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Measured(value) => serializer.serialize_f64(*value),
            Self::OverLimit => serializer.serialize_str("over the limit"),
        }
    }
}

/// The quantile `q` (from 0 to 1) of the values. None without values.
///
/// Linear between the two nearest order statistics, type 7 of Hyndman and Fan (1996). Over the limit as soon as a value
/// over the limit has a share in it.
pub fn quantile(values: &[Value], q: f64) -> Option<Value> {
    let mut sorted = values.to_vec();
    sorted.sort_by(|one, two| one.compare(*two));
    let place = (sorted.len().checked_sub(1)?) as f64 * q.clamp(0.0, 1.0);
    let share = place.fract();
    let below = sorted[place.floor() as usize];
    if share == 0.0 {
        return Some(below);
    }
    let above = sorted[place.ceil() as usize];
    Some(match (below, above) {
        (Value::Measured(below), Value::Measured(above)) => {
            Value::Measured(below + share * (above - below))
        }
        _ => Value::OverLimit,
    })
}

/// The median of the values. None without values.
pub fn median(values: &[Value]) -> Option<Value> {
    quantile(values, 0.5)
}

/// The spread of values: the median with its quartiles, and the extremes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The number of values.
    pub count: usize,
    /// The smallest value.
    pub least: Value,
    /// The lower quartile.
    pub lower: Value,
    /// The median.
    pub median: Value,
    /// The upper quartile.
    pub upper: Value,
    /// The largest value.
    pub max: Value,
}

impl Spread {
    /// The spread of the values. None without values.
    pub fn of(values: &[Value]) -> Option<Self> {
        Some(Self {
            count: values.len(),
            least: quantile(values, 0.0)?,
            lower: quantile(values, 0.25)?,
            median: quantile(values, 0.5)?,
            upper: quantile(values, 0.75)?,
            max: quantile(values, 1.0)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(numbers: &[f64]) -> Vec<Value> {
        numbers.iter().copied().map(Value::Measured).collect()
    }

    fn with_limits(numbers: &[f64], over: usize) -> Vec<Value> {
        let mut values = values(numbers);
        values.splice(0..0, std::iter::repeat_n(Value::OverLimit, over));
        values
    }

    #[test]
    fn the_median_is_the_middle_value_or_the_mean_of_the_two_in_the_middle() {
        assert_eq!(median(&values(&[3.0, 1.0, 2.0])), Some(Value::Measured(2.0)));
        assert_eq!(median(&values(&[4.0, 1.0, 2.0, 3.0])), Some(Value::Measured(2.5)));
        assert_eq!(median(&values(&[7.0])), Some(Value::Measured(7.0)));
        assert_eq!(median(&[]), None);
    }

    #[test]
    fn quantiles_are_linear_between_order_statistics() {
        // Places 0 to 4: the lower quartile is at place 1, the tenth part at place 0.4.
        let five = values(&[10.0, 20.0, 30.0, 40.0, 50.0]);
        assert_eq!(quantile(&five, 0.25), Some(Value::Measured(20.0)));
        assert_eq!(quantile(&five, 0.1), Some(Value::Measured(14.0)));
        assert_eq!(quantile(&five, 1.0), Some(Value::Measured(50.0)));
        // Places 0 to 3: the upper quartile is at place 2.25.
        let four = values(&[1.0, 2.0, 3.0, 7.0]);
        assert_eq!(quantile(&four, 0.75), Some(Value::Measured(4.0)));
    }

    #[test]
    fn runs_over_the_limit_count_as_larger_than_all_others() {
        let two_of_five = with_limits(&[1.0, 2.0, 3.0], 2);
        assert_eq!(median(&two_of_five), Some(Value::Measured(3.0)));
        assert_eq!(quantile(&two_of_five, 0.75), Some(Value::OverLimit));
        assert_eq!(median(&with_limits(&[1.0, 2.0], 3)), Some(Value::OverLimit));
    }

    #[test]
    fn a_median_that_depends_on_a_run_over_the_limit_is_over_the_limit() {
        assert_eq!(median(&with_limits(&[1.0, 2.0], 2)), Some(Value::OverLimit));
        assert_eq!(median(&with_limits(&[1.0, 2.0, 3.0], 1)), Some(Value::Measured(2.5)));
    }

    #[test]
    fn the_spread_of_one_value_is_that_value() {
        let spread = Spread::of(&values(&[4.0])).unwrap();
        assert_eq!((spread.count, spread.least, spread.max), (1, spread.median, spread.median));
        assert_eq!(spread.median, Value::Measured(4.0));
        assert_eq!(Spread::of(&[]), None);
    }
}
