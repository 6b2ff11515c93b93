//! Families: every encoding compared with the first one, on the instances of each family alone.

use super::columns::Columns;
use super::compared::{id_and_title, with_outcome};
use super::{Item, Table, TableIds, TableKind};
use crate::analysis::Analysis;
use crate::comparison::EncodingRanking;
use crate::dataset::Dataset;
use crate::number::count;

/// The kind of table.
pub(super) const KIND: TableKind = TableKind {
    id: "families",
    tables: &[TableIds::new(
        "families-MEASURE-NUMBERING-ANSWER",
        "each encoding compared with the first, by family of instances",
    )],
    is_of_sources: false,
    make: tables,
};

/// A table for every ranking with instances of several families.
fn tables(dataset: &Analysis<'_>) -> Vec<Table> {
    let rankings = dataset.rankings().iter();
    rankings.filter_map(|encoding_ranking| table(dataset, encoding_ranking)).collect()
}

fn table(dataset: &Dataset<'_>, encoding_ranking: &EncodingRanking) -> Option<Table> {
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
    use bezzel_encode::Registry;
    use bezzel_experiment::ExperimentRecord;

    use super::*;
    use crate::tests::sample::{change_kind, of_size, shuffled};

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
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        let tables = tables(&Analysis::new(&record, &Registry::new()));
        let read = |row: &Vec<Item>| [0, 2, 7].map(|place| row[place].read()).join(", ");
        assert_eq!(
            tables[0].rows.iter().map(read).collect::<Vec<_>>(),
            [
                "langford, batsat, takes more",
                "langford, cadical, takes more",
                "latin-square, batsat, takes less; depends on the solver",
                "latin-square, cadical, takes more; depends on the solver",
            ]
        );
    }
}
