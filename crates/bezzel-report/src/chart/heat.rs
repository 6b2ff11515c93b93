//! Heat maps: cells in rows and columns, each with its number and its shade.

use serde::Serialize;

use super::axis::titled;
use crate::statistics::Value;

/// A heat map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Heat {
    /// What the numbers in the cells are.
    pub label: String,
    /// In which unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The cells, row by row.
    pub cells: Vec<HeatCell>,
    /// What the shades mean: one key for all panels that have the same.
    pub key: HeatKey,
}

/// What shades mean.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeatKey {
    /// What is shaded.
    pub label: String,
    /// Labels below the shades, each with its place from 0 (lightest) to 1 (darkest).
    pub ticks: Vec<(f64, String)>,
}

/// A cell of a heat map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeatCell {
    /// Its row, from the top.
    pub row: usize,
    /// Its column, from the left.
    pub column: usize,
    /// What was measured; none if nothing was.
    pub value: Option<Value>,
    /// What is written in it.
    pub text: String,
    /// How dark it is, from 0 to 1; none of a value over the limit and of none.
    pub shade: Option<f64>,
    /// Whether some answer in it is unchecked.
    pub unchecked: bool,
    /// How many runs it stands for.
    pub runs: usize,
}

impl Heat {
    /// The label with its unit.
    pub fn title(&self) -> String {
        titled(&self.label, self.unit.as_deref())
    }
}
