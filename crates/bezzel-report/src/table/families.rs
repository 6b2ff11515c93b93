//! Families: every encoding beside the first one, on the boards of each family alone.

use super::compared::{columns, items};
use super::{Column, Item, Table, TableKind};
use crate::analysis::Analysis;
use crate::contest::Standing;
use crate::escape::id;
use crate::material::Material;
use crate::statistics::ranking::Entrant;

/// The kind of table.
pub(super) const KIND: TableKind = TableKind { id: "families", make: tables };

/// A table for every standing with boards of several families.
fn tables(material: &Analysis<'_>) -> Vec<Table> {
    let standings = material.standings().iter();
    standings.filter_map(|standing| table(material, standing)).collect()
}

fn table(material: &Material<'_>, standing: &Standing) -> Option<Table> {
    let Standing { measure, contest, ranking, .. } = standing;
    let numbering = &material.numberings[standing.numbering];
    let reference = &contest.arms[0];
    let families = standing.families();
    if families.len() < 2 {
        return None;
    }
    let beside: Vec<_> = (1..contest.arms.len())
        .flat_map(|arm| (0..contest.solvers.len()).map(move |solver| (arm, solver)))
        .filter_map(|(arm, solver)| Some((arm, solver, ranking.comparison(solver, arm, 0)?)))
        .collect();
    let mut of_families = beside.iter().flat_map(|(_, _, known)| &known.outcomes.families);
    let other_offsets = of_families.any(|(_, of)| of.other_offsets.is_some());
    let mut rows = Vec::new();
    for family in families {
        for (arm, solver, known) in &beside {
            let mut families = known.outcomes.families.iter();
            let Some((_, outcome)) = families.find(|(name, _)| name == family) else { continue };
            let label = &contest.arms[*arm];
            let Entrant { label: solver, .. } = &contest.solvers[*solver];
            let mut row = vec![
                Item::Words(family.to_owned()),
                Item::Encoding(material.style(label), label.clone()),
                Item::Words(solver.clone()),
            ];
            row.extend(items(outcome, other_offsets));
            rows.push(row);
        }
    }
    let heads = [("family", "Family"), ("encoding", "Encoding"), ("solver", "Solver")];
    (!rows.is_empty()).then(|| Table {
        id: id(&["families", measure.id(), numbering, &standing.answer.to_string()]),
        title: format!(
            "Families by {}, numbered {}, {}",
            measure.words(),
            numbering,
            standing.boards()
        ),
        columns: heads
            .map(|(name, head)| Column::words(name, head))
            .into_iter()
            .chain(columns(other_offsets))
            .collect(),
        rows,
        notes: vec![format!(
            "Ratio to {}, on the boards of one family alone. In each family and under each solver the \
             intervals of {} comparisons hold together with 95 %; over families and solvers they do not.",
            reference,
            contest.arms.len() - 1
        )],
    })
}

#[cfg(test)]
mod tests {
    use bezzel_encode::{Geometry, Registry};
    use bezzel_lab::ExperimentRecord;

    use super::*;
    use crate::sample::{on_side, shuffled};

    #[test]
    fn a_family_that_two_solvers_decide_differently_depends_on_the_solver() {
        let mut rows = Vec::new();
        for (solver, on_the_torus) in [("batsat", 0.25), ("cadical", 4.0)] {
            for side in 8..16 {
                let families = [(Geometry::Plane, 4.0), (Geometry::Torus, on_the_torus)];
                for (geometry, factor) in families {
                    for (encoding, times) in [("one", 1.0), ("two", factor)] {
                        let mut row = on_side(side, shuffled(1, times));
                        row.job.board = row.job.board.with_geometry(geometry);
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
                "plane, batsat, takes more",
                "plane, cadical, takes more",
                "torus, batsat, takes less; depends on the solver",
                "torus, cadical, takes more; depends on the solver",
            ]
        );
    }
}
