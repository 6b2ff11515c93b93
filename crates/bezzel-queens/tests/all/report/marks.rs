//! Tests that every mark has the keys of its rows.

use std::collections::{HashMap, HashSet};

use bezzel_encode::Registry;
use bezzel_experiment::{ExperimentRecord, Key, Row};
use bezzel_queens::report;
use bezzel_report::analysis::Analysis;
use bezzel_report::chart::{Facet, Scale};

/// The kinds whose positions are sizes of instances.
const BY_SIZE: [&str; 8] =
    ["all-nodes", "all-times", "models", "operations", "proofs", "propagation", "sizes", "times"];
/// The kinds whose series are encodings.
const BY_ENCODING: [&str; 8] =
    ["cactus", "models", "operations", "proofs", "ranking", "simplified", "sizes", "times"];
/// The kinds without keys: effects compare whole factors, and boards have neither points nor cells.
const WITHOUT: [&str; 2] = ["instances", "effects"];

/// Records with data for every kind of figure. Each row has a key of its own.
fn records() -> [ExperimentRecord; 6] {
    crate::report::records().map(|mut record| {
        for (number, row) in record.rows.iter_mut().enumerate() {
            row.key = Key(format!("{number:032x}"));
        }
        record
    })
}

/// The rows with these keys, each once. They are at least as many as the runs, since a run without a value and a
/// repetition on a propagated board are not counted.
fn rows_of<'r>(
    all: &HashMap<&Key, &'r Row>,
    keys: &[Key],
    runs: usize,
    mark: &str,
) -> Vec<&'r Row> {
    assert!(keys.len() >= runs.max(1), "{mark}: {} keys of {runs} runs", keys.len());
    let different: HashSet<&Key> = keys.iter().collect();
    assert_eq!(different.len(), keys.len(), "{mark}: a key occurs twice");
    keys.iter().map(|key| all[key]).collect()
}

/// The name of a row of a panel.
fn row_name(facet: &Facet, row: usize) -> &str {
    match &facet.position.scale {
        Scale::Names(names) => &names[row].label,
        scale => panic!("the scale of a heat map is {scale:?}"),
    }
}

#[test]
fn every_mark_of_runs_has_the_keys_of_its_rows() {
    let registry = bezzel_queens::register(Registry::standard());
    let mut with_keys = HashSet::new();
    for record in &records() {
        let all: HashMap<&Key, &Row> = record.rows.iter().map(|row| (&row.key, row)).collect();
        let dataset = Analysis::new(record, &registry);
        for kind in report::parts().figures {
            let Some(chart) = (kind.draw)(&dataset) else { continue };
            for (_, series, point) in chart.points() {
                let (label, mark) = (&series.label, format!("{}, {}", kind.id, series.label));
                // Published numbers have no rows.
                let is_published = label.starts_with("Table 1: ") || label.ends_with("(Cao 2020)");
                let is_best = label == "virtual best";
                if is_published || WITHOUT.contains(&kind.id) {
                    assert_eq!(point.keys, [], "{mark}");
                    continue;
                }
                with_keys.insert(kind.id);
                let rows = rows_of(&all, &point.keys, point.runs, &mark);
                for row in &rows {
                    if BY_SIZE.contains(&kind.id) {
                        assert_eq!(row.job.instance.size(), point.at as u32, "{mark}");
                    }
                    if BY_ENCODING.contains(&kind.id) && !is_best {
                        // Encodings with the same values are one line, in the name of the first.
                        let is_one = dataset.encoding(row) == *label || label.ends_with(" more");
                        assert!(is_one, "{mark}: {}", dataset.encoding(row));
                    }
                }
                if kind.id == "scatter" {
                    let instances: HashSet<_> = rows.iter().map(|row| &row.job.instance).collect();
                    let encodings: HashSet<_> = rows.iter().map(|row| &row.job.encoding).collect();
                    assert_eq!((instances.len(), encodings.len()), (1, 2), "{mark}");
                }
            }
            for (facet, _, cell) in chart.cells() {
                let name = row_name(facet, cell.row);
                let mark = format!("{}, {name}", kind.id);
                assert_eq!(cell.keys.is_empty(), cell.value.is_none(), "{mark}");
                if cell.value.is_none() {
                    continue;
                }
                with_keys.insert(kind.id);
                for row in rows_of(&all, &cell.keys, cell.runs, &mark) {
                    assert_eq!(dataset.encoding(row), name, "{mark}");
                }
            }
        }
    }
    let expected = report::parts().figures.into_iter().map(|kind| kind.id);
    let expected: HashSet<&str> = expected.filter(|id| !WITHOUT.contains(id)).collect();
    assert_eq!(with_keys, expected);
}
