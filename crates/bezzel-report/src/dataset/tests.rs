use bezzel_encode::Constraints;
use bezzel_queens::{Board, Geometry, Piece};

use super::*;
use crate::family::instance_kind;
use crate::tests::sample::{measured, shuffled, sized, solved, unchecked};

fn record(rows: Vec<Row>) -> ExperimentRecord {
    ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() }
}

#[test]
fn encodings_keep_the_order_of_their_first_row() {
    let mut rows = vec![solved(1.0), solved(1.0), solved(1.0)];
    rows[0].job.encoding = "zeta".into();
    rows[2].job.encoding = "alpha".into();
    let record = record(rows);
    let registry = Registry::new();
    let dataset = Dataset::new(&record, &registry);
    assert_eq!(dataset.encodings, ["zeta", "pairwise", "alpha"]);
    assert_eq!(dataset.style("alpha"), 2);
}

#[test]
fn encodings_are_found_by_labels_without_the_settings_that_all_have() {
    let mut rows = vec![solved(1.0), sized("product", 8, measured(64, 600, 1300)), solved(1.0)];
    rows[2].job.encoding = "bryant-circuit".into();
    let less = Some(Constraints::NoColumnAlo);
    for (row, constraints) in rows.iter_mut().zip([less, less, None]) {
        row.job.settings.constraints = constraints;
    }
    let record = record(rows);
    let registry = bezzel_queens::register(Registry::standard());
    let dataset = Dataset::new(&record, &registry);
    assert_eq!(dataset.encodings, ["pairwise", "bryant-circuit", "product"]);
    let cells = dataset.with_formula().map(|cell| dataset.style(&cell.encoding));
    assert_eq!(cells.collect::<Vec<_>>(), [0, 1, 2]);
    let styles = record.rows.iter().map(|row| dataset.style(&dataset.encoding(row)));
    assert_eq!(styles.collect::<Vec<_>>(), [0, 2, 1]);
    // The settings that a label omits still apply: 728 clauses for the pairs, and a clause for each row alone.
    let size = dataset.closed_form("pairwise", &Board::new(8).unwrap().into());
    assert_eq!(size.map(|size| size.clauses), Some(736));
    assert!(dataset.common_settings().is_some_and(|sentence| sentence.contains("no-column-alo")));
}

#[test]
fn the_largest_plane_instance_is_an_empty_one_for_queens_if_there_is_one() {
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
fn a_verified_answer_tells_more_of_an_instance_than_an_unchecked_one() {
    let record = record(vec![unchecked(1.0), solved(1.0)]);
    let registry = Registry::new();
    let dataset = Dataset::new(&record, &registry);
    assert_eq!(dataset.answer(dataset.instances[0]), Some(Answer::Sat));
}

#[test]
fn a_closed_form_is_used_for_the_revision_that_was_measured_only() {
    let mut record = record(vec![solved(1.0)]);
    let registry = bezzel_queens::register(Registry::standard());
    let instance = Board::new(8).unwrap();
    let size = |record: &ExperimentRecord| {
        Dataset::new(record, &registry).closed_form("pairwise", &instance.clone().into())
    };
    assert_eq!(size(&record).map(|size| size.clauses), Some(744));
    record.rows[0].encoding_revision += 1;
    assert_eq!(size(&record), None);
}
