//! Axes: what they measure, how, and where a limit lies.

use serde::Serialize;

use super::Entry;

/// An axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Axis {
    /// What it measures.
    pub label: String,
    /// In which unit.
    pub unit: Option<String>,
    /// How.
    pub scale: Scale,
    /// Where labels stand, if it matters.
    pub ticks: Option<Vec<f64>>,
    /// The limit beyond which nothing was measured.
    pub limit: Option<Limit>,
}

/// How an axis measures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Evenly.
    Linear,
    /// Evenly, and by whole numbers only.
    Count,
    /// By the logarithm. Zeros get a place of their own below it.
    Log,
    /// By names, at 0, 1, 2, ….
    Names(Vec<Name>),
}

/// A limit on an axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Limit {
    /// Where it lies, if that is known in the axis's unit; else values over the limit get a place
    /// of their own beyond the axis.
    pub at: Option<f64>,
    /// What it says.
    pub label: String,
}

/// A name on an axis of names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Name {
    /// The name.
    pub label: String,
    /// The look of the encoding that it names, if it names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style: Option<usize>,
    /// Whether it belongs with the name before it, as the numberings of one encoding do.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub with_last: bool,
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

    /// An axis of whole numbers.
    pub fn count(label: &str) -> Self {
        Self { scale: Scale::Count, ..Self::log(label, None) }
    }

    /// An axis of names.
    pub fn names(label: &str, names: Vec<Name>) -> Self {
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
        self.limit = Some(Limit { at, label: label.into() });
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

impl Name {
    /// A name that names no encoding.
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), style: None, with_last: false }
    }
}

/// The name of an encoding.
impl From<Entry> for Name {
    fn from(entry: Entry) -> Self {
        Self { label: entry.label, style: Some(entry.style), with_last: false }
    }
}
