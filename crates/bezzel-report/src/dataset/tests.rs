use bezzel_encode::Constraints;

use super::*;
use crate::tests::sample::{measured, sized, solved, unchecked};

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
    let registry = Registry::standard();
    let dataset = Dataset::new(&record, &registry);
    assert_eq!(dataset.encodings, ["pairwise", "bryant-circuit", "product"]);
    let cells = dataset.with_formula().map(|cell| dataset.style(&cell.encoding));
    assert_eq!(cells.collect::<Vec<_>>(), [0, 1, 2]);
    let styles = record.rows.iter().map(|row| dataset.style(&dataset.encoding(row)));
    assert_eq!(styles.collect::<Vec<_>>(), [0, 2, 1]);
    assert!(dataset.common_settings().is_some_and(|sentence| sentence.contains("no-column-alo")));
}

#[test]
fn a_verified_answer_tells_more_of_an_instance_than_an_unchecked_one() {
    let record = record(vec![unchecked(1.0), solved(1.0)]);
    let registry = Registry::new();
    let dataset = Dataset::new(&record, &registry);
    assert_eq!(dataset.answer(dataset.instances[0]), Some(Answer::Sat));
}
