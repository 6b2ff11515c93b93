//! Scales: from values to positions between 0 and 1 along an axis.

use crate::chart::{Axis, Scale};
use bezzel_statistics::Value;

/// The share of an axis that a strip for zeros or for values over the limit takes.
const STRIP: f64 = 0.09;
/// The largest ratio of a limit to the largest value at which the limit is shown.
const NEAR: f64 = 20.0;
/// The space beyond a limit, for arrows and its label, as a share of the axis.
const BEYOND: f64 = 0.1;

/// An axis with its range.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Span {
    kind: ScaleKind,
    low: f64,
    high: f64,
    /// True if zeros have a strip of their own.
    pub(super) zero: bool,
    /// The position of values over the limit, from 0 to 1.
    pub(super) over: Option<f64>,
    /// The share of the axis above the range.
    above: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScaleKind {
    Linear,
    Log,
    Names,
}

impl Span {
    /// The span for all values on axes that share it.
    pub(super) fn new(axis: &Axis, values: impl Iterator<Item = Value>) -> Self {
        let mut numbers: Vec<f64> = Vec::new();
        let mut over = false;
        for value in values {
            match value {
                Value::Measured(number) if number.is_finite() => numbers.push(number),
                Value::Measured(_) => {}
                Value::OverLimit => over = true,
            }
        }
        numbers.extend(axis.ticks.iter().flatten());
        let limit = axis.limit.as_ref();
        let known = limit.and_then(|limit| limit.at).filter(|&at| at > 0.0);
        // A limit far above all values would take the space that the values need.
        let max = numbers.iter().copied().fold(0.0, f64::max);
        let near = |at: f64| over || axis.scale != Scale::Log || max * NEAR >= at;
        let known = known.filter(|&at| near(at));
        let mut span = match &axis.scale {
            Scale::Names(names) => Self::names(names.len()),
            Scale::Linear | Scale::Count => Self::linear(&numbers, known),
            Scale::Near => Self::near(&numbers, known),
            Scale::Log => Self::log(&numbers, known),
        };
        if let Some(at) = known {
            span.above = BEYOND;
            span.over = Some(span.place(at));
        } else if over {
            span.above = STRIP;
            span.over = Some(1.0 - STRIP / 2.0);
        }
        span
    }

    fn names(count: usize) -> Self {
        let high = count.max(1) as f64 - 0.5;
        Self { kind: ScaleKind::Names, low: -0.5, high, zero: false, over: None, above: 0.0 }
    }

    fn linear(numbers: &[f64], limit: Option<f64>) -> Self {
        let max = numbers.iter().copied().chain(limit).fold(0.0, f64::max);
        let high = match limit {
            Some(limit) if limit >= max => limit,
            _ if max > 0.0 => max * 1.02,
            _ => 1.0,
        };
        Self { kind: ScaleKind::Linear, low: 0.0, high, zero: false, over: None, above: 0.0 }
    }

    fn near(numbers: &[f64], limit: Option<f64>) -> Self {
        let all = || numbers.iter().copied().chain(limit);
        let least = all().reduce(f64::min).unwrap_or(0.0);
        let max = all().reduce(f64::max).unwrap_or(1.0);
        // A twelfth of the range, and at least a tenth of the value, on either side.
        let pad = ((max - least) / 12.0).max(0.1 * max.abs()).max(1e-9);
        let (low, high) = ((least - pad).max(0.0_f64.min(least)), max + pad);
        Self { low, high, ..Self::linear(numbers, None) }
    }

    fn log(numbers: &[f64], limit: Option<f64>) -> Self {
        let zero = numbers.iter().any(|&number| number <= 0.0);
        let positive = || numbers.iter().copied().filter(|&number| number > 0.0);
        let least = positive().chain(limit).reduce(f64::min).unwrap_or(1.0);
        let max = positive().chain(limit).reduce(f64::max).unwrap_or(10.0);
        // A twentieth of the range, and at least a tenth of the value, on either side.
        let pad = ((max.ln() - least.ln()) * 0.05).exp().max(1.1);
        let high = if limit == Some(max) { max } else { (max * pad).min(f64::MAX) };
        // The strip of zeros is enough space below.
        let low = if zero { least } else { (least / pad).max(f64::MIN_POSITIVE) };
        let high = if high <= low { low * 10.0 } else { high };
        Self { kind: ScaleKind::Log, low, high, zero, over: None, above: 0.0 }
    }

    /// The position of a number, from 0 to 1. An infinite number has the position of values over the limit.
    pub(super) fn place(&self, number: f64) -> f64 {
        let below = if self.zero { STRIP } else { 0.0 };
        let share = match self.kind {
            _ if number == f64::INFINITY => return self.over.unwrap_or(1.0),
            ScaleKind::Linear | ScaleKind::Names => (number - self.low) / (self.high - self.low),
            ScaleKind::Log if number <= 0.0 => return if self.zero { STRIP / 3.0 } else { 0.0 },
            ScaleKind::Log => (number.ln() - self.low.ln()) / (self.high.ln() - self.low.ln()),
        };
        below + share * (1.0 - below - self.above)
    }

    /// The position of a value, from 0 to 1.
    pub(super) fn place_of(&self, value: Value) -> f64 {
        match value {
            Value::Measured(number) => self.place(number),
            Value::OverLimit => self.over.unwrap_or(1.0),
        }
    }

    /// The position of the border of the values over the limit, if it is drawn.
    pub(super) fn border(&self) -> Option<f64> {
        let over = self.over?;
        Some(if self.above > STRIP { over } else { 1.0 - self.above })
    }

    /// The smallest and the largest number with a place, zeros apart.
    pub(super) fn range(&self) -> (f64, f64) {
        (self.low, self.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(axis: &Axis, numbers: &[f64]) -> Span {
        Span::new(axis, numbers.iter().copied().map(Value::Measured))
    }

    #[test]
    fn equal_ratios_are_equally_long_on_a_log_scale() {
        let span = span(&Axis::log("", None), &[1.0, 10.0, 100.0]);
        let steps = (span.place(10.0) - span.place(1.0), span.place(100.0) - span.place(10.0));
        assert!((steps.0 - steps.1).abs() < 1e-12);
        assert!(span.place(1.0) > 0.0 && span.place(100.0) < 1.0);
    }

    #[test]
    fn zeros_on_a_log_scale_lie_below_the_smallest_number() {
        let span = span(&Axis::log("", None), &[0.0, 3.0, 100.0]);
        assert!(span.zero);
        assert!(span.place(0.0) < span.place(3.0));
        assert!(span.place(0.0) > 0.0);
    }

    #[test]
    fn values_over_the_limit_lie_on_a_known_limit_and_else_beyond_all_numbers() {
        let known = Axis::log("", Some("s")).with_limit(Some(5.0), "limit");
        let values = [Value::Measured(0.1), Value::OverLimit];
        let known = Span::new(&known, values.into_iter());
        assert!((known.place_of(Value::OverLimit) - known.place(5.0)).abs() < 1e-12);
        assert!(known.place(5.0) < 1.0);
        let unknown = Axis::log("", None).with_limit(None, "limit");
        let unknown = Span::new(&unknown, values.into_iter());
        assert!(unknown.place_of(Value::OverLimit) > unknown.place(0.1));
    }

    #[test]
    fn every_value_lies_on_its_axis_whatever_the_values_are() {
        let sets: [&[f64]; 6] =
            [&[], &[0.0], &[7.0], &[1e-300, 1e300], &[f64::NAN, 2.0], &[0.0, 0.0, 1e-9]];
        for numbers in sets {
            for axis in [Axis::log("", None), Axis::linear("", None), Axis::near("")] {
                for limit in [None, Some(None), Some(Some(5.0)), Some(Some(0.0))] {
                    let axis = match limit {
                        None => axis.clone(),
                        Some(at) => axis.clone().with_limit(at, "limit"),
                    };
                    let values = numbers.iter().copied().map(Value::Measured);
                    let span = Span::new(&axis, values.chain([Value::OverLimit]));
                    let finite = numbers.iter().copied().filter(|number| number.is_finite());
                    let places = finite.map(|number| span.place(number));
                    for place in places.chain([span.place_of(Value::OverLimit)]) {
                        assert!((0.0..=1.0).contains(&place), "{numbers:?} {axis:?} {place}");
                    }
                }
            }
        }
    }
}
