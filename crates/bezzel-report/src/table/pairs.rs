//! Pairs: comparisons of every two encodings in every solver.

use bezzel_experiment::quantity::grouped;
use bezzel_statistics::DRAWS;

use super::columns::{Columns, id_and_title, with_outcome};
use super::{Item, Table, TableIds, TableKind, columns};
use crate::analysis::Analysis;
use crate::comparison::EncodingRanking;
use crate::dataset::Dataset;
use crate::number::count;

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
        columns::simultaneous_intervals(comparison.pairs())
    )];
    if is_first {
        notes.extend(explanations(dataset, encoding_ranking));
    }
    with_outcome(columns, |known| known.overall()).table(id, title, notes)
}

fn explanations(dataset: &Dataset<'_>, encoding_ranking: &EncodingRanking) -> Vec<String> {
    let mut notes = columns::notes(dataset, encoding_ranking.measure);
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

/// The kind of table.
pub(super) const FAMILIES: TableKind = TableKind {
    id: "families",
    tables: &[TableIds::new(
        "families-MEASURE-NUMBERING-ANSWER",
        "each encoding compared with the first, by family of instances",
    )],
    is_of_sources: false,
    make: family_tables,
};

/// A table for every ranking with instances of several families.
fn family_tables(dataset: &Analysis<'_>) -> Vec<Table> {
    let rankings = dataset.rankings().iter();
    rankings.filter_map(|encoding_ranking| family_table(dataset, encoding_ranking)).collect()
}

fn family_table(dataset: &Dataset<'_>, encoding_ranking: &EncodingRanking) -> Option<Table> {
    let EncodingRanking { comparison, ranking, .. } = encoding_ranking;
    let families = encoding_ranking.families();
    if families.len() < 2 {
        return None;
    }
    let beside: Vec<_> = (1..comparison.arms.len())
        .flat_map(|arm| (0..comparison.solvers.len()).map(move |solver| (arm, solver)))
        .filter_map(|(arm, solver)| Some((arm, solver, ranking.comparison(solver, arm, 0)?)))
        .collect();
    let rows = families.into_iter().flat_map(|family| {
        beside.iter().filter_map(move |(arm, solver, known)| {
            let mut families = known.outcomes.families.iter();
            let (_, outcome) = families.find(|(name, _)| name == family)?;
            Some((family, *arm, *solver, outcome))
        })
    });
    let columns = Columns::of(rows)
        .words("family", "Family", |(family, ..)| *family)
        .words("encoding", "Encoding", |(_, arm, ..)| {
            Item::labelled(dataset, &comparison.arms[*arm])
        })
        .words("solver", "Solver", |(_, _, solver, _)| comparison.solvers[*solver].label.clone());
    let (id, title) = id_and_title(dataset, "Families", encoding_ranking);
    with_outcome(columns, |(.., outcome)| outcome).some_table(id, title, || {
        vec![format!(
            "Ratio to {}, on the instances of one family alone. The 95 % confidence intervals in one family \
             under one solver are simultaneous ({}). They are not simultaneous over families or solvers.",
            comparison.arms[0],
            count(comparison.arms.len() - 1, "comparison")
        )]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bezzel_encode::Registry;
    use bezzel_experiment::{ExperimentRecord, Row};

    use crate::tests::analysed;
    use crate::tests::sample::{change_kind, of_size, shuffled, solved};

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
        let tables = analysed(rows, tables);
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

    #[test]
    fn a_family_that_two_solvers_decide_differently_depends_on_the_solver() {
        let mut rows = Vec::new();
        for (solver, on_the_other) in [("batsat", 0.25), ("cadical", 4.0)] {
            for size in 8..16 {
                let families = [(false, 4.0), (true, on_the_other)];
                for (is_other, factor) in families {
                    for (encoding, times) in [("one", 1.0), ("two", factor)] {
                        let mut row = of_size(size, shuffled(1, times));
                        if is_other {
                            change_kind(&mut row);
                        }
                        row.job.encoding = encoding.into();
                        row.job.solver = solver.into();
                        rows.push(row);
                    }
                }
            }
        }
        let family_tables = analysed(rows, family_tables);
        let read = |row: &Vec<Item>| [0, 2, 7].map(|place| row[place].read()).join(", ");
        assert_eq!(
            family_tables[0].rows.iter().map(read).collect::<Vec<_>>(),
            [
                "langford, batsat, takes more",
                "langford, cadical, takes more",
                "latin-square, batsat, takes less; depends on the solver",
                "latin-square, cadical, takes more; depends on the solver",
            ]
        );
    }
}
