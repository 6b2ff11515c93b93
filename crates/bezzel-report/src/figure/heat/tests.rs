//! Texts and shades of cells, and records that are too small for a heat map.

use bezzel_experiment::Row;

use super::*;
use crate::tests::analysed;
use crate::tests::sample::{of_size, solved, timed_out, unchecked};

fn drawn(kind: &FigureKind, rows: Vec<Row>) -> Option<Chart> {
    analysed(rows, kind.draw)
}

fn named(encoding: &str, mut row: Row) -> Row {
    row.job.encoding = encoding.into();
    row
}

/// Five encodings on three sizes. The seconds are the encoding's number times that of the size.
fn grid_rows() -> Vec<Row> {
    let sizes = [8, 16, 32];
    let encodings = ["a", "b", "c", "d", "e"];
    let rows = (1..).zip(sizes).flat_map(|(factor, size)| {
        (1..).zip(encodings).map(move |(number, encoding)| {
            of_size(size, named(encoding, solved(f64::from(factor * number))))
        })
    });
    rows.collect()
}

fn found(chart: &Chart) -> Vec<(usize, usize, &str, Option<f64>)> {
    let cells = chart.cells().map(|(_, _, cell)| cell);
    cells.map(|cell| (cell.row, cell.column, cell.text.as_str(), cell.shade)).collect()
}

#[test]
fn cells_have_the_value_written_and_the_ratio_shaded() {
    let chart = drawn(&SIZES, grid_rows()).unwrap();
    let cells = found(&chart);
    assert_eq!(cells.len(), 15);
    assert_eq!(cells[0], (0, 0, "1.0", Some(0.0)));
    // Twice the best of its column, on shades up to ten times.
    let (row, column, text, shade) = cells[5];
    assert_eq!((row, column, text), (1, 2, "6.0"));
    assert!((shade.unwrap() - 2_f64.log10()).abs() < 1e-12);
    assert!(chart.signs.is_empty());
}

#[test]
fn limits_are_darkest_and_missing_cells_have_no_shade_and_unchecked_ones_a_sign() {
    let mut rows = grid_rows();
    rows[0] = of_size(8, named("a", timed_out()));
    rows[1] = of_size(8, named("b", unchecked(2.0)));
    rows.remove(14);
    let chart = drawn(&SIZES, rows).unwrap();
    let cells: Vec<_> = chart.cells().map(|(_, _, cell)| cell).collect();
    let cell = |index: usize| (cells[index].text.as_str(), cells[index].shade, cells[index].value);
    assert_eq!(cell(0), ("> 5", Some(1.0), Some(Value::OverLimit)));
    assert_eq!(cell(14), ("–", None, None));
    assert!(cells[3].unchecked && !cells[4].unchecked);
    let signs: Vec<_> = chart.signs.iter().map(|sign| sign.sign).collect();
    assert_eq!(signs, [SignKind::OverCell, SignKind::MissingCell, SignKind::UncheckedCell]);
}

#[test]
fn few_encodings_sides_or_rows_are_no_heat_map() {
    let of = |keep: fn(&Row) -> bool| grid_rows().into_iter().filter(keep).collect::<Vec<_>>();
    assert_eq!(drawn(&SIZES, of(|row| row.job.encoding != "c")), None);
    assert_eq!(drawn(&SIZES, of(|row| row.job.instance.size() != 16)), None);
    for kind in [SIZES, FAMILIES, NUMBERINGS] {
        assert_eq!(drawn(&kind, Vec::new()), None);
    }
}
