//! Exponents: with which power of the side times grow.

use super::{Column, Item, Table};
use crate::contest::{Arm, Measure, observations};
use crate::material::Material;
use crate::statistics::exponent::{LEAST_S, exponent};
use crate::statistics::{Observation, Place, Value};

/// Makes the table; none if no encoding has two sides to tell an exponent from.
pub fn table(material: &Material<'_>) -> Option<Table> {
    let columns = vec![
        Column::words("encoding", "Encoding"),
        Column::words("terrain", "Boards"),
        Column::words("numbering", "Numbering"),
        Column::words("solver", "Solver"),
        Column::numbers("exponent", "Exponent"),
        Column::numbers("exponent_low", "from"),
        Column::numbers("exponent_high", "to"),
        Column::numbers("points", "Points"),
        Column::numbers("left_out_short", "Too short"),
        Column::numbers("left_out_over", "Over limit"),
    ];
    let mut rows = Vec::new();
    for terrain in &material.terrains {
        for (numbering, id) in material.numberings.iter().enumerate() {
            for (solver, label) in material.solvers.iter().enumerate() {
                for (encoding, name) in material.encodings.iter().enumerate() {
                    let arm = Arm { encoding, numbering, solver };
                    let (found, left_out) = exponent(&points(material, terrain, arm));
                    let Some(found) = found else { continue };
                    rows.push(vec![
                        Item::Encoding(encoding, name.clone()),
                        Item::Words(terrain.clone()),
                        Item::Words(id.clone()),
                        Item::Words(label.clone()),
                        Item::Value(Value::Measured(found.slope)),
                        Item::Value(Value::Measured(found.interval.0)),
                        Item::Value(Value::Measured(found.interval.1)),
                        Item::Count(found.points as u128),
                        Item::Count(left_out.short as u128),
                        Item::Count(left_out.over as u128),
                    ]);
                }
            }
        }
    }
    (!rows.is_empty()).then(|| Table {
        id: "exponents".into(),
        title: "How solve times grow".into(),
        columns,
        rows,
        notes: vec![
            format!(
                "Exponent: the least-squares slope of the logarithm of the median CPU time of solving \
                 against that of the side. A point is a board; left out, and counted, are points with \
                 medians below {} ms, and those of which half or more of the runs are over the limit.",
                LEAST_S * 1000.0
            ),
            "Intervals are 95 % percentiles over the runs of each point, the sides as they are: they say \
             nothing of sides between and beyond, nor that the growth is a power at all."
                .into(),
        ],
    })
}

/// The sides of the boards of a terrain, with what was measured of an arm.
fn points(material: &Material<'_>, terrain: &str, arm: Arm) -> Vec<(f64, Vec<Observation>)> {
    let Arm { encoding, numbering, solver } = arm;
    let boards = (0..material.boards.len()).filter(|&board| material.terrain(board) == terrain);
    let cells = boards.filter_map(|board| {
        let cell = material.cell(Place { board, solver, numbering, encoding })?;
        Some((f64::from(cell.board.rows()), observations(cell, Measure::Time)))
    });
    cells.collect()
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_lab::ExperimentRecord;

    use super::*;
    use crate::sample::{on_side, solved, timed_out};

    #[test]
    fn an_exponent_stands_beside_what_was_left_out() {
        let rows = vec![
            on_side(4, solved(0.001)),
            on_side(8, solved(0.1)),
            on_side(16, solved(0.8)),
            on_side(32, timed_out()),
        ];
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        let table = table(&Material::new(&record, &Registry::new())).unwrap();
        let read: Vec<_> = table.rows[0].iter().map(Item::read).collect();
        assert_eq!(
            read,
            ["pairwise", "plane", "as-generated", "batsat", "3.00", "3.00", "3.00", "2", "1", "1"]
        );
    }

    #[test]
    fn one_side_has_no_exponent() {
        let record = ExperimentRecord { rows: vec![solved(1.0)], ..ExperimentRecord::default() };
        assert_eq!(table(&Material::new(&record, &Registry::new())), None);
    }
}
