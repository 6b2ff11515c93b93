//! Pairs: comparisons of every two encodings in every solver.

use bezzel_experiment::quantity::grouped;

use super::columns::Columns;
use super::compared::{self, id_and_title, with_outcome};
use super::{Item, Table, TableIds, TableKind};
use crate::analysis::Analysis;
use crate::comparison::EncodingRanking;
use crate::dataset::Dataset;
use bezzel_statistics::DRAWS;

/// The kind of table.
pub(super) const KIND: TableKind = TableKind {
    id: "pairs",
    tables: &[TableIds::new(
        "pairs-MEASURE-NUMBERING-ANSWER",
        "pairwise comparisons of all encodings",
    )],
    is_of_sources: false,
    make: tables,
};

/// A table for every numbering, measure and answer with a comparison.
fn tables(dataset: &Analysis<'_>) -> Vec<Table> {
    let rankings = dataset.rankings().iter().enumerate();
    rankings.map(|(place, encoding_ranking)| table(dataset, encoding_ranking, place == 0)).collect()
}

/// The first table explains the columns of all of them.
fn table(dataset: &Dataset<'_>, encoding_ranking: &EncodingRanking, is_first: bool) -> Table {
    let EncodingRanking { comparison, ranking, .. } = encoding_ranking;
    let arm = |arm: usize| Item::labelled(dataset, &comparison.arms[arm]);
    let known = ranking.comparisons.iter().filter(|known| known.overall().ratio.instances > 0);
    let columns = Columns::of(known)
        .words("encoding", "Encoding", |known| arm(known.one))
        .words("beside", "Versus", |known| arm(known.two))
        .words("solver", "Solver", |known| comparison.solvers[known.solver].label.clone());
    let (id, title) = id_and_title(dataset, "Pairs", encoding_ranking);
    // The families, and the comparisons over which the level holds.
    let mut notes = vec![format!(
        "Families: {}. {}",
        encoding_ranking.families().join("; "),
        compared::simultaneous_intervals(comparison.pairs())
    )];
    if is_first {
        notes.extend(explanations(dataset, encoding_ranking));
    }
    with_outcome(columns, |known| known.overall()).table(id, title, notes)
}

fn explanations(dataset: &Dataset<'_>, encoding_ranking: &EncodingRanking) -> Vec<String> {
    let mut notes = compared::notes(dataset, encoding_ranking.measure);
    notes.push(format!(
        "Interval: the hull of two intervals. One is the exact interval of the median ratio by order \
         statistics. The other has the percentiles of {} bootstrap resamples of the geometric mean. \
         Instances are drawn within their families, then runs within instances. Runs with the same \
         numbering and seed are drawn together.",
        grouped(DRAWS.resamples as u128)
    ));
    notes.push(
        "Solvers: a pair depends on the solver if two solvers decide it differently, or if their \
         intervals have no ratio in common. The table of families has the comparisons in each family."
            .into(),
    );
    notes
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::{ExperimentRecord, Row};

    use super::*;
    use crate::tests::sample::{of_size, shuffled, solved};

    #[test]
    fn a_pair_has_its_ratio_its_interval_and_its_verdict() {
        let mut rows: Vec<Row> = Vec::new();
        for size in 8..16 {
            for (encoding, factor) in [("a", 1.0), ("b", 1.02), ("c", 3.0)] {
                let mut row = of_size(size, shuffled(1, 0.1 * f64::from(size) * factor));
                row.job.encoding = encoding.into();
                rows.push(row);
            }
        }
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        let tables = tables(&Analysis::new(&record, &Registry::new()));
        let read = |row: usize| tables[0].rows[row].iter().map(Item::read).collect::<Vec<_>>();
        assert_eq!(tables[0].id, "pairs-time-random-sat");
        let expected = ["a", "b", "batsat", "8", "0.980", "0.980", "0.980", "equivalent"];
        assert_eq!(read(0), expected);
        let expected = ["a", "c", "batsat", "8", "0.333", "0.333", "0.333", "takes less"];
        assert_eq!(read(1), expected);
    }

    #[test]
    fn a_verdict_that_only_the_noise_prevents_is_named() {
        let mut rows: Vec<Row> = Vec::new();
        for size in 8..16 {
            for (encoding, factor) in [("a", 1.0), ("b", 1.2)] {
                let mut row = of_size(size, shuffled(1, f64::from(size) * factor));
                row.job.encoding = encoding.into();
                rows.push(row);
            }
        }
        let verdict = |noise: f64| {
            // The quartiles of five readings are one step from the middle.
            let reading = |steps: i32| solved(1.0 + noise * f64::from(steps) / 2.0);
            let readings = (-2..=2).map(reading).collect();
            let record =
                ExperimentRecord { rows: rows.clone(), readings, ..ExperimentRecord::default() };
            let tables = tables(&Analysis::new(&record, &Registry::new()));
            tables[0].rows[0].last().map(Item::read)
        };
        assert_eq!(verdict(0.05).as_deref(), Some("takes less"));
        assert_eq!(verdict(0.30).as_deref(), Some("within the noise"));
    }
}
