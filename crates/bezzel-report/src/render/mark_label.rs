//! The text of a mark: its series, its position, and its measured value.

use bezzel_experiment::Key;

use crate::chart::{Axis, Facet, HeatCell, HeatMap, Point, Scale, Series};
use crate::number::{count, significant, whole_or};
use bezzel_statistics::Value;

/// A mark of a picture, with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkLabel {
    /// The position of its middle, in units of the SVG's `viewBox` from its left edge.
    pub x: i32,
    /// The position of its middle from the upper edge.
    pub y: i32,
    /// The look of its series, or of the encoding of its cell; none without an encoding.
    pub look: Option<usize>,
    /// The number of its panel, if there are several.
    pub panel: Option<usize>,
    /// Series, position, value with its unit, quartiles, number of runs, and a note on unchecked answers. Plain text
    /// without line breaks. A page must escape it.
    pub text: String,
    /// The keys of the rows that the mark stands for. Empty if it stands for none.
    pub keys: Vec<Key>,
}

/// The text of the mark of a point.
pub(super) fn of_point(facet: &Facet, series: &Series, point: &Point) -> String {
    let value = |value: Value| amount(&facet.value, value);
    let mut words = Vec::new();
    let position = position(&facet.position, point.at);
    // A row that has the name of the series needs it once.
    let of = if series.label.contains(&position) {
        series.label.clone()
    } else {
        format!("{}, {position}", series.label)
    };
    words.push(value(point.value));
    if let (Some(low), Some(high)) = (point.low, point.high) {
        let low = if point.open_low { "open end".to_owned() } else { value(low) };
        words.push(format!("from {low} to {}", value(high)));
    }
    words.push(count(point.runs, "run"));
    if point.mark.is_hollow() {
        words.push("unchecked".into());
    }
    format!("{of}: {}", words.join("; "))
}

/// The text of a cell of a heat map.
pub(super) fn of_cell(facet: &Facet, heat: &HeatMap, cell: &HeatCell) -> String {
    let row = position(&facet.position, cell.row as f64);
    let column = position(&facet.value, cell.column as f64);
    let value = match cell.value {
        Some(Value::Measured(number)) => {
            format!("{}: {}", heat.label, with_unit(number, heat.unit.as_deref()))
        }
        Some(Value::OverLimit) => "over the limit".into(),
        None => "missing".into(),
    };
    let unchecked = if cell.unchecked { "; unchecked" } else { "" };
    format!("{row}, {column}: {value}; {}{unchecked}", count(cell.runs, "run"))
}

fn position(axis: &Axis, at: f64) -> String {
    match &axis.scale {
        Scale::Names(names) => {
            // Marks of one row may be shifted a little.
            let name = names.get(at.round().max(0.0) as usize);
            name.map_or_else(String::new, |name| name.label.clone())
        }
        _ if at == f64::INFINITY => format!("{} {}", axis.label, amount(axis, Value::OverLimit)),
        _ => {
            // A single letter is a variable: for `Side of the instance, N` the text is `N = 8`.
            let name = axis.label.rsplit(", ").next().unwrap_or(&axis.label);
            let number = with_unit(at, axis.unit.as_deref());
            if name.chars().count() == 1 {
                format!("{name} = {number}")
            } else {
                format!("{} {number}", axis.label)
            }
        }
    }
}

fn amount(axis: &Axis, value: Value) -> String {
    match (value, &axis.limit) {
        (Value::Measured(number), _) => {
            let text = with_unit(number, axis.unit.as_deref());
            // A counted quantity: 744 clauses.
            let is_counted = axis.unit.is_none() && axis.label.ends_with('s');
            if is_counted { format!("{text} {}", axis.label.to_lowercase()) } else { text }
        }
        (Value::OverLimit, Some(limit)) if limit.label.contains("limit") => {
            format!("over the {}", limit.label)
        }
        (Value::OverLimit, Some(limit)) => limit.label.clone(),
        (Value::OverLimit, None) => "over the limit".into(),
    }
}

fn with_unit(number: f64, unit: Option<&str>) -> String {
    // A small whole number is a count or a size, and not rounded. 0.99996 is not rounded to 1.
    let number = if number.abs() < 1.0 { significant(number, 3) } else { whole_or(number, 4) };
    match unit {
        Some(unit) => format!("{number} {unit}"),
        None => number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{AxisName, FacetBody, HeatKey, Mark};

    fn times() -> Facet {
        let value = Axis::log("CPU time", Some("s")).with_limit(Some(5.0), "limit 5 s");
        Facet::new("", Axis::log("N", None), value, Vec::new())
    }

    #[test]
    fn a_mark_says_all_that_it_stands_for() {
        let series = Series::new(0, "pairwise", Vec::new());
        let point = Point {
            low: Some(Value::Measured(1.0)),
            high: Some(Value::OverLimit),
            mark: Mark::Hollow,
            runs: 11,
            ..Point::new(60.0, Value::Measured(1.234_56))
        };
        assert_eq!(
            of_point(&times(), &series, &point),
            "pairwise, N = 60: 1.235 s; from 1 s to over the limit 5 s; 11 runs; unchecked"
        );
        let late = Point::new(60.0, Value::OverLimit);
        let text = of_point(&times(), &series, &late);
        assert_eq!(text, "pairwise, N = 60: over the limit 5 s; 1 run");
    }

    #[test]
    fn a_row_that_bears_the_series_name_is_not_named_twice() {
        let rows = Axis::names("", vec![AxisName::new("tree"), AxisName::new("pairwise")]);
        let facet = Facet::sideways("", rows, Axis::log("Conflicts", None), Vec::new());
        let series = Series::new(0, "pairwise, random", Vec::new());
        let aside = Point::new(1.23, Value::Measured(0.0));
        assert_eq!(of_point(&facet, &series, &aside), "pairwise, random: 0 conflicts; 1 run");
    }

    #[test]
    fn the_label_names_the_counted_quantity() {
        let sizes = Axis::log("Side of the instance, N", None);
        let facet = Facet::new("", sizes, Axis::log("Clauses", None), Vec::new());
        let point = Point { runs: 12, ..Point::new(8.0, Value::Measured(744.0)) };
        let text = of_point(&facet, &Series::new(0, "pairwise", Vec::new()), &point);
        assert_eq!(text, "pairwise, N = 8: 744 clauses; 12 runs");
    }

    #[test]
    fn a_cell_says_its_row_and_column() {
        let names = |names: [&str; 2]| Axis::names("", names.map(AxisName::new).to_vec());
        let heat = HeatMap {
            label: "ratio".into(),
            unit: None,
            cells: Vec::new(),
            key: HeatKey { label: String::new(), ticks: Vec::new() },
        };
        let mut facet = Facet::new("", names(["a", "b"]), names(["8", "16"]), Vec::new());
        let mut cell = HeatCell {
            row: 1,
            column: 0,
            value: Some(Value::Measured(1.5)),
            text: String::new(),
            shade: Some(0.5),
            unchecked: true,
            runs: 2,
            keys: Vec::new(),
        };
        facet.body = FacetBody::Heat(heat.clone());
        assert_eq!(of_cell(&facet, &heat, &cell), "b, 8: ratio: 1.500; 2 runs; unchecked");
        (cell.value, cell.unchecked) = (None, false);
        assert_eq!(of_cell(&facet, &heat, &cell), "b, 8: missing; 2 runs");
    }
}
