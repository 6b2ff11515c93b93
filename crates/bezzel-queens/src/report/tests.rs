//! The rows of [`sample`] on boards.

use crate::{Board, Geometry, Piece};
use bezzel_encode::Registry;
use bezzel_experiment::{ExperimentRecord, Row};
use bezzel_problem::Square;
use bezzel_solve::{Answer, Simplified};

use super::parts;
use super::sample;
use bezzel_report::analysis::Analysis;
use bezzel_report::chart::{Chart, Facet};
use bezzel_report::dataset::Dataset;
use bezzel_report::toolkit::SIZES;
use bezzel_report::toolkit::instance_kind;

/// The row on an empty board of the plane.
pub(crate) fn of_size(side: u32, mut row: Row) -> Row {
    row.job.instance = Board::new(side).expect("a board").into();
    row
}

/// Replaces the board of a row by a changed one.
pub(crate) fn change_board(row: &mut Row, change: impl FnOnce(Board) -> Board) {
    let board = Board::of(&row.job.instance).expect("a row on a board");
    row.job.instance = change(board.clone()).into();
}

pub(crate) fn solved(cpu_s: f64) -> Row {
    of_size(8, sample::solved(cpu_s))
}

pub(crate) fn shuffled(seed: u64, cpu_s: f64) -> Row {
    of_size(8, sample::shuffled(seed, cpu_s))
}

pub(crate) fn unchecked(cpu_s: f64) -> Row {
    of_size(8, sample::unchecked(cpu_s))
}

pub(crate) fn timed_out() -> Row {
    of_size(8, sample::timed_out())
}

pub(crate) fn counted(engine: &str, encoding: &str, cpu_s: f64) -> Row {
    of_size(8, sample::counted(engine, encoding, cpu_s))
}

pub(crate) fn measured(variables: u64, clauses: u64, literals: u64) -> Row {
    of_size(8, sample::measured(variables, clauses, literals))
}

pub(crate) fn sized(encoding: &str, side: u32, formula: Row) -> Row {
    of_size(side, sample::sized(encoding, side, formula))
}

/// The propagation on the board of side 4 with a queen in the second square of the first row.
pub(crate) fn propagated(encoding: &str, found: Option<&str>, implied: Option<&str>) -> Row {
    let mut row = sample::propagated(encoding, found, implied);
    let board = Board::new(4).expect("a board").with_placed([Square::new(0, 1)]);
    row.job.instance = board.expect("a single queen is not attacked").into();
    row
}

fn record(rows: Vec<Row>) -> ExperimentRecord {
    ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() }
}

/// The result on a record of these rows.
pub(crate) fn analysed<T>(rows: Vec<Row>, of: impl FnOnce(&Analysis<'_>) -> T) -> T {
    of(&Analysis::new(&record(rows), &Registry::new()))
}

fn drawn(rows: Vec<Row>, registry: &Registry) -> Option<Chart> {
    (SIZES.draw)(&Analysis::new(&record(rows), registry))
}

/// The same rows with another encoding, which has no closed form.
fn beside(rows: &[Row]) -> Vec<Row> {
    let others = rows.iter().cloned().map(|mut row| {
        row.job.encoding = "other".into();
        row
    });
    rows.iter().cloned().chain(others).collect()
}

#[test]
fn sizes_are_compared_with_the_closed_forms() {
    let rows = vec![of_size(4, measured(16, 84, 184)), of_size(8, measured(64, 744, 1584))];
    let chart = drawn(beside(&rows), &crate::register(Registry::standard())).unwrap();
    let numbers = |facet: &Facet| -> Vec<_> {
        facet.series()[0].points.iter().filter_map(|point| point.value.measured()).collect()
    };
    let numbers: Vec<_> = chart.facets.iter().map(numbers).collect();
    assert_eq!(numbers, [[84.0, 744.0], [16.0, 64.0]]);
    assert!(chart.caption.contains("2 formulas of the experiment were compared"));
    assert!(chart.caption.contains("all agree"));
    let unknown = drawn(beside(&rows), &Registry::new()).unwrap();
    assert!(!unknown.caption.contains("compared"));
}

#[test]
fn a_size_that_is_not_the_closed_forms_is_reported() {
    let rows = vec![of_size(4, measured(16, 84, 184)), of_size(8, measured(64, 745, 1586))];
    let chart = drawn(beside(&rows), &crate::register(Registry::standard())).unwrap();
    assert!(chart.caption.contains("Of 2 formulas of the experiment, 1 differs from"));
    assert_eq!(drawn(rows.clone(), &crate::register(Registry::standard())), None, "one encoding");
    assert_eq!(
        drawn(beside(&rows[1..]), &crate::register(Registry::standard())),
        None,
        "one size is no line"
    );
}

#[test]
fn the_largest_empty_board_of_queens_on_the_plane_is_compared_if_there_is_one() {
    let mut rows = vec![solved(1.0), solved(1.0), shuffled(1, 1.0)];
    rows[1].job.instance = Board::new(60).unwrap().with_piece(Piece::Rook).into();
    rows[2].job.instance = Board::new(99).unwrap().with_geometry(Geometry::Torus).into();
    let record = record(rows);
    let registry = Registry::new();
    let dataset = Dataset::new(&record, &registry);
    assert_eq!(
        dataset.compared_number().map(|instance| dataset.instances[instance].size()),
        Some(8)
    );
    assert_eq!(instance_kind(dataset.instances[1]), "plane, rooks");
    let pigeons = Board::rectangle(9, 8).unwrap().with_piece(Piece::Rook);
    assert_eq!(instance_kind(&pigeons.clone().into()), "N × (N − 1), rooks");
}

#[test]
fn a_closed_form_is_used_for_the_revision_that_was_measured_only() {
    let mut record = record(vec![solved(1.0)]);
    let registry = crate::register(Registry::standard());
    let instance = Board::new(8).unwrap();
    let size = |record: &ExperimentRecord| {
        Dataset::new(record, &registry).closed_form("pairwise", &instance.clone().into())
    };
    assert_eq!(size(&record).map(|size| size.clauses), Some(744));
    record.rows[0].encoding_revision += 1;
    assert_eq!(size(&record), None);
}

#[test]
fn boards_are_shown_whose_formulas_were_simplified() {
    let left = |side: u32| {
        let answer = Answer::Unknown;
        let simplified = Simplified { variables: 200, clauses: 400, literals: 400, answer };
        Row { simplified: Some(simplified), ..of_size(side, measured(64, 744, 1584)) }
    };
    let record = record(beside(&[left(16), left(9), of_size(60, solved(1.0))]));
    let registry = Registry::new();
    let kinds = parts().figures;
    let kind = kinds.iter().find(|kind| kind.id == "simplified").unwrap();
    let chart = (kind.draw)(&Analysis::new(&record, &registry)).unwrap();
    let sides: Vec<f64> = chart.facets[1].series()[0].points.iter().map(|it| it.at).collect();
    assert_eq!(sides, [9.0, 16.0]);
}
