//! Texts and shades of cells, and records that are too small for a heat map.

use bezzel_encode::numbering::{AuxiliaryPlace, SquareOrder};
use bezzel_encode::{Numbering, Registry};
use bezzel_experiment::{ExperimentRecord, Row};

use super::*;
use crate::analysis::Analysis;
use crate::tests::sample::{change_kind, of_size, solved, timed_out, unchecked};

fn drawn(kind: &FigureKind, rows: Vec<Row>) -> Option<Chart> {
    let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
    (kind.draw)(&Analysis::new(&record, &Registry::new()))
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
fn families_are_compared_by_ratios_on_each_instance() {
    let mut rows = Vec::new();
    for (size, torus, seconds) in
        [(8, false, [1.0, 2.0, 4.0]), (9, false, [3.0, 30.0, 3.0]), (8, true, [1.0, 5.0, 6.0])]
    {
        for (encoding, seconds) in ["a", "b", "c"].into_iter().zip(seconds) {
            let mut row = of_size(size, named(encoding, solved(seconds)));
            if torus {
                change_kind(&mut row);
            }
            rows.push(row);
        }
    }
    let chart = drawn(&FAMILIES, rows.clone()).unwrap();
    let texts: Vec<_> = chart.cells().map(|(_, _, cell)| cell.text.as_str()).collect();
    // Medians of ratios on the first: of 1 and 1, of 2 and 10, of 4 and 1.
    assert_eq!(texts, ["1.0", "1.0", "6.0", "5.0", "2.5", "6.0"]);
    // A run without an answer is a bound of its ratio: 4.9 s by the limit of 5 s, where the best takes 1 s.
    let late = rows.last_mut().unwrap();
    *late = Row { job: late.job.clone(), ..timed_out() };
    let chart = drawn(&FAMILIES, rows.clone()).unwrap();
    let last = chart.cells().last().unwrap().2;
    assert_eq!((last.text.as_str(), last.shade), ("≥ 4.9", Some(1.0)));
    rows.truncate(6);
    assert_eq!(drawn(&FAMILIES, rows), None, "one family is no comparison");
}

#[test]
fn numberings_are_compared_over_the_whole_design_by_conflicts() {
    let orders = [SquareOrder::RowMajor, SquareOrder::Spiral, SquareOrder::ColumnMajor];
    let mut rows = Vec::new();
    for (number, squares) in (0..).zip(orders) {
        for (encoding, conflicts) in [("a", 0), ("b", 9)] {
            let mut row = named(encoding, solved(1.0));
            row.job.numbering = Numbering::ordered(squares, AuxiliaryPlace::After);
            row.solver_stats.conflicts = Some(conflicts * (number + 1));
            rows.push(row);
        }
    }
    let chart = drawn(&NUMBERINGS, rows.clone()).unwrap();
    let cells = found(&chart);
    assert_eq!(cells[3].2, "9");
    // Ratios with one added to the median of 0, 0, 0, 9, 18 and 27: (9 + 1) / (4.5 + 1), on shades around it.
    assert!(
        (cells[3].3.unwrap() - 0.5 - (10.0_f64 / 5.5).log10() / 2.0).abs() < 1e-12,
        "{cells:?}"
    );
    rows.truncate(4);
    assert_eq!(drawn(&NUMBERINGS, rows), None, "two numberings are shown side by side");
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
