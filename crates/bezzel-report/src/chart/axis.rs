//! Axes: labels, units, scales and limits.

use serde::Serialize;

use super::LegendEntry;

/// An axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Axis {
    /// The measured quantity.
    pub label: String,
    /// The unit, if there is one.
    pub unit: Option<String>,
    /// The scale.
    pub scale: Scale,
    /// The positions of labels, if they are fixed.
    pub ticks: Option<Vec<f64>>,
    /// The limit beyond which no value was measured.
    pub limit: Option<AxisLimit>,
}

/// The scale of an axis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Linear.
    Linear,
    /// Linear, from near the smallest value, for values that are nearly constant.
    Near,
    /// Linear, with whole numbers only.
    Count,
    /// Logarithmic. Zeros have a strip of their own below it.
    Log,
    /// Names, at 0, 1, 2, ….
    Names(Vec<AxisName>),
}

/// A limit on an axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AxisLimit {
    /// The position, if it is known in the axis's unit. Otherwise values over the limit have a strip of their own
    /// beyond the axis.
    pub at: Option<f64>,
    /// The text beside it.
    pub label: String,
}

/// A name on an axis of names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AxisName {
    /// The name.
    pub label: String,
    /// The look of the encoding that it names, if it names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style: Option<usize>,
    /// True for the heading of the names below it. Its row has no marks.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_heading: bool,
}

impl Axis {
    /// An axis of a log scale.
    pub fn log(label: &str, unit: Option<&str>) -> Self {
        Self {
            label: label.to_owned(),
            unit: unit.map(str::to_owned),
            scale: Scale::Log,
            ticks: None,
            limit: None,
        }
    }

    /// An axis of a linear scale.
    pub fn linear(label: &str, unit: Option<&str>) -> Self {
        Self { scale: Scale::Linear, ..Self::log(label, unit) }
    }

    /// A linear axis of nearly constant values.
    pub fn near(label: &str) -> Self {
        Self { scale: Scale::Near, ..Self::log(label, None) }
    }

    /// An axis of whole numbers.
    pub fn count(label: &str) -> Self {
        Self { scale: Scale::Count, ..Self::log(label, None) }
    }

    /// An axis of names.
    pub fn names(label: &str, names: Vec<AxisName>) -> Self {
        Self { scale: Scale::Names(names), ..Self::log(label, None) }
    }

    /// The same axis with labels at these values.
    #[must_use]
    pub fn with_ticks(mut self, ticks: Vec<f64>) -> Self {
        self.ticks = Some(ticks);
        self
    }

    /// The same axis with this limit.
    #[must_use]
    pub fn with_limit(mut self, at: Option<f64>, label: impl Into<String>) -> Self {
        self.limit = Some(AxisLimit { at, label: label.into() });
        self
    }

    /// The label with its unit: `CPU time of solving (s)`.
    pub fn title(&self) -> String {
        titled(&self.label, self.unit.as_deref())
    }
}

/// A label with its unit.
pub(super) fn titled(label: &str, unit: Option<&str>) -> String {
    match unit {
        Some(unit) => format!("{label} ({unit})"),
        None => label.to_owned(),
    }
}

impl AxisName {
    /// A name that names no encoding.
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), style: None, is_heading: false }
    }
}

/// The name of an encoding.
impl From<LegendEntry> for AxisName {
    fn from(entry: LegendEntry) -> Self {
        Self { style: Some(entry.style), ..Self::new(entry.label) }
    }
}
