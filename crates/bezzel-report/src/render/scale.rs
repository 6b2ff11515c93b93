//! Scales: from values to positions between 0 and 1 along an axis.

use bezzel_experiment::quantity::grouped;
use bezzel_statistics::Value;

use crate::chart::{Axis, Scale};
use crate::number::significant;

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

/// A tick.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    /// The position, from 0 to 1.
    pub(super) place: f64,
    /// Its label. A tick without a label is small.
    pub(super) label: Option<String>,
}

/// The ticks of an axis with space for about `space` labels.
pub(super) fn ticks(axis: &Axis, span: &Span, space: usize) -> Vec<Tick> {
    if let Some(given) = &axis.ticks {
        return given.iter().map(|&at| labelled(span, at, plain_number(at))).collect();
    }
    match &axis.scale {
        Scale::Names(names) => names
            .iter()
            .enumerate()
            .map(|(index, name)| labelled(span, index as f64, name.label.clone()))
            .collect(),
        Scale::Linear | Scale::Near => linear(span, space, 0.0),
        Scale::Count => linear(span, space, 1.0),
        Scale::Log => log(span, space),
    }
}

fn labelled(span: &Span, at: f64, label: String) -> Tick {
    Tick { place: span.place(at), label: Some(label) }
}

fn plain_number(number: f64) -> String {
    if number.fract() == 0.0 && (0.0..1e15).contains(&number) {
        grouped(number as u128)
    } else {
        significant(number, 1)
    }
}

/// Multiples of 1, 2 or 5 times a power of ten, and not of less than `least`.
fn linear(span: &Span, space: usize, least: f64) -> Vec<Tick> {
    let (low, high) = span.range();
    let rough = (high - low) / space.max(2) as f64;
    let decade = 10.0_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * decade);
    let step = step.into_iter().find(|step| *step >= rough * 0.999).unwrap_or(rough).max(least);
    let first = (low / step).ceil() as i64;
    let last = (high / step * (1.0 + 1e-9)).floor() as i64;
    // At most twice the space, independent of rounding.
    (first..=last)
        .take(2 * space.max(2) + 2)
        .map(|number| {
            let at = number as f64 * step;
            let decimals = (-step.log10().floor()).max(0.0) as usize;
            let text = if decimals == 0 { plain_number(at) } else { format!("{at:.decimals$}") };
            labelled(span, at, text)
        })
        .collect()
}

/// The least number of labels of a log axis. With fewer labels it looks like a linear axis.
const FEWEST: usize = 3;

/// The ticks of a log axis: decades, labelled as powers of ten. If these are fewer than [`FEWEST`], multiples by 2 and
/// 5 are labelled as well, or multiples by all digits, or round numbers of a linear scale.
fn log(span: &Span, space: usize) -> Vec<Tick> {
    let (low, high) = span.range();
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let inside = |at: f64| at >= low * (1.0 - 1e-9) && at <= high * (1.0 + 1e-9);
    let decades = (first..=last).filter(|&power| inside(10.0_f64.powi(power))).count();
    let every = decades.div_ceil(space.max(2)).max(1) as i32;
    let numbers = (first..=last)
        .flat_map(|power| (1..10).map(move |factor| (factor, power)))
        .map(|(factor, power)| (factor, power, f64::from(factor) * 10.0_f64.powi(power)))
        .filter(|&(.., at)| inside(at));
    let of = |factors: &[i32]| -> Vec<Tick> {
        let fine = factors.len() > 1;
        let ticks = numbers.clone().filter_map(|(factor, power, at)| {
            let label = (factors.contains(&factor) && power.rem_euclid(every) == 0)
                .then(|| if fine { small_number(at) } else { power_of_ten(power) });
            // Between decades without labels, small ticks would be too dense.
            (label.is_some() || every == 1).then(|| Tick { place: span.place(at), label })
        });
        ticks.collect()
    };
    let labels = |ticks: &[Tick]| ticks.iter().filter(|tick| tick.label.is_some()).count();
    let all: [&[i32]; 3] = [&[1], &[1, 2, 5], &[1, 2, 3, 4, 5, 6, 7, 8, 9]];
    let found = all.into_iter().map(of).find(|ticks| labels(ticks) >= FEWEST);
    // On a span so short that no round number of a decade is on it, the labels of a linear scale are used.
    let mut ticks = found.unwrap_or_else(|| {
        let few = of(all[2]);
        let even = linear(span, space, 0.0);
        if labels(&even) > labels(&few) { even } else { few }
    });
    if span.zero {
        ticks.retain(|tick| tick.label.as_deref() != Some("0"));
        ticks.insert(0, labelled(span, 0.0, "0".into()));
    }
    ticks
}

fn small_number(number: f64) -> String {
    if (1e-4..1e6).contains(&number) {
        if number >= 1.0 { plain_number(number.round()) } else { significant(number, 1) }
    } else {
        let power = number.log10().floor() as i32;
        let factor = (number / 10.0_f64.powi(power)).round() as u32;
        if factor == 1 { power_of_ten(power) } else { format!("{factor}·{}", power_of_ten(power)) }
    }
}

/// A power of ten, as in `10⁻³`; `1` and `10` in digits.
fn power_of_ten(power: i32) -> String {
    match power {
        0 => return "1".into(),
        1 => return "10".into(),
        _ => {}
    }
    let mut text = "10".to_owned();
    for digit in power.to_string().chars() {
        text.push(match digit {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            '0' => '⁰',
            // The other digits are consecutive in Unicode.
            digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use bezzel_statistics::Value;

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

    fn labels(axis: &Axis, numbers: &[f64], space: usize) -> Vec<String> {
        let span = Span::new(axis, numbers.iter().copied().map(Value::Measured));
        ticks(axis, &span, space).into_iter().filter_map(|tick| tick.label).collect()
    }

    #[test]
    fn decades_are_labelled_as_powers_of_ten() {
        let axis = Axis::log("", None);
        assert_eq!(labels(&axis, &[0.002, 30.0], 9), ["10⁻²", "10⁻¹", "1", "10"]);
        assert_eq!(labels(&axis, &[0.0, 1.0, 300_000.0], 9)[..4], ["0", "1", "10", "10²"]);
        assert_eq!(power_of_ten(-10), "10⁻¹⁰");
        assert_eq!(power_of_ten(45), "10⁴⁵");
    }

    #[test]
    fn many_decades_are_thinned_out() {
        let axis = Axis::log("", None);
        assert_eq!(labels(&axis, &[1e-6, 1e6], 5), ["10⁻⁶", "10⁻³", "1", "10³", "10⁶"]);
    }

    #[test]
    fn short_log_axes_are_labelled_at_two_and_five_too() {
        let axis = Axis::log("", None);
        let tens = ["20", "30", "40", "50", "60", "70", "80"];
        assert_eq!(labels(&axis, &[15.0, 80.0], 9), tens);
        assert_eq!(labels(&axis, &[0.15, 2.1], 9), ["0.2", "0.5", "1", "2"]);
    }

    #[test]
    fn linear_axes_have_round_labels() {
        let axis = Axis::linear("", None);
        assert_eq!(labels(&axis, &[0.0, 44.0], 5), ["0", "10", "20", "30", "40"]);
        assert_eq!(labels(&axis, &[0.0, 1_300.0], 4), ["0", "500", "1,000"]);
        assert_eq!(labels(&axis, &[0.0, 0.7], 4), ["0.0", "0.2", "0.4", "0.6"]);
        assert_eq!(labels(&Axis::count(""), &[0.0, 2.0], 9), ["0", "1", "2"]);
    }

    #[test]
    fn given_ticks_are_taken_as_they_are() {
        let axis = Axis::log("", None).with_ticks(vec![8.0, 60.0]);
        assert_eq!(labels(&axis, &[8.0, 16.0, 60.0], 9), ["8", "60"]);
    }
}
