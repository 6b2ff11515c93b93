//! Heat maps: cells in rows and columns, each with its number and its shade.

use bezzel_experiment::Key;
use serde::Serialize;

use super::axis::titled;
use bezzel_statistics::Value;

/// A heat map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeatMap {
    /// The quantity in the cells.
    pub label: String,
    /// The unit, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The cells, row by row.
    pub cells: Vec<HeatCell>,
    /// The key of the shades. All panels with an equal key share one.
    pub key: HeatKey,
}

/// The key of shades.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeatKey {
    /// The quantity that is shaded.
    pub label: String,
    /// Labels below the shades, each with its place from 0 (lightest) to 1 (darkest).
    pub ticks: Vec<(f64, String)>,
}

/// A cell of a heat map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeatCell {
    /// The row, counted from the top.
    pub row: usize,
    /// The column, counted from the left.
    pub column: usize,
    /// The measured value, if there is one.
    pub value: Option<Value>,
    /// The text in the cell.
    pub text: String,
    /// The darkness, from 0 to 1. A value over the limit has the darkest. None for a missing value.
    pub shade: Option<f64>,
    /// True if an answer in the cell is unchecked.
    pub unchecked: bool,
    /// The number of runs.
    pub runs: usize,
    /// The keys of the rows that it stands for, with those that enter no statistic. Empty without a value.
    #[serde(skip)]
    pub keys: Vec<Key>,
}

impl HeatMap {
    /// The label with its unit.
    pub fn title(&self) -> String {
        titled(&self.label, self.unit.as_deref())
    }
}
