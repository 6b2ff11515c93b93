//! Whole runs: the CPU time of the whole process on every board, for a record that asks for it.

use std::collections::{BTreeMap, BTreeSet};

use bezzel_lab::Row;

use super::{Column, Item, Table, TableKind, note};
use crate::material::Material;
use crate::statistics::cell::values;
use crate::statistics::median;

/// The kind of table.
pub(super) const KIND: TableKind =
    TableKind { id: "process", make: |of| table(of).into_iter().collect() };

/// Makes the table; none if there are several numberings or several kinds of boards, since the
/// record asks for something else then, and the table of all cells has these times too.
fn table(material: &Material<'_>) -> Option<Table> {
    let ([numbering], [terrain]) = (&material.numberings[..], &material.terrains[..]) else {
        return None;
    };
    let sides: BTreeSet<u32> = material.boards.iter().map(|board| board.rows()).collect();
    let mut columns =
        vec![Column::words("encoding", "Encoding"), Column::words("solver", "Solver")];
    columns.extend(
        sides
            .iter()
            .map(|side| Column::numbers(format!("cpu_median_{side}_s"), format!("N = {side} (s)"))),
    );
    let mut rows = Vec::new();
    for (style, encoding) in material.encodings.iter().enumerate() {
        for (number, solver) in material.solvers.iter().enumerate() {
            // Several boards of one side are one number, as they are one point in the figures.
            let mut runs: BTreeMap<u32, Vec<&Row>> = BTreeMap::new();
            for cell in material.cells_of(style, number, 0) {
                runs.entry(cell.board.rows()).or_default().extend(&cell.rows);
            }
            if runs.is_empty() {
                continue;
            }
            let mut row =
                vec![Item::Encoding(style, encoding.clone()), Item::Words(solver.clone())];
            row.extend(sides.iter().map(|side| {
                let runs = runs.remove(side).unwrap_or_default();
                Item::of(median(&values(&runs, |row| Some(row.cpu_s))))
            }));
            rows.push(row);
        }
    }
    Some(Table {
        id: KIND.id.into(),
        title: "Whole process, generation included".into(),
        columns,
        rows,
        notes: [format!(
                "Median CPU seconds of the whole process, as the kernel accounts for it: its start, \
                 generation, loading and solving. A run without an answer counts as longer than all \
                 others. Boards: {terrain}; numbering: {numbering}. The parts are in the table of all \
                 cells."
            )]
        .into_iter()
        .chain(note::all(material))
        .collect(),
    })
}

#[cfg(test)]
mod tests {
    use bezzel_encode::{Board, Geometry, Registry};
    use bezzel_lab::ExperimentRecord;

    use super::*;
    use crate::sample::{on_side, seeded, shuffled, solved, timed_out, wrong};

    fn made(rows: Vec<Row>) -> Option<Table> {
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        table(&Material::new(&record, &Registry::new()))
    }

    fn taking(cpu_s: f64, mut row: Row) -> Row {
        row.cpu_s = cpu_s;
        row
    }

    #[test]
    fn the_process_is_told_on_every_board_with_limits_as_elsewhere() {
        let mut other = on_side(9, taking(7.0, solved(1.0)));
        other.job.encoding = "other".into();
        let rows = vec![
            on_side(9, taking(4.0, seeded(1, 1.0))),
            on_side(8, taking(2.0, seeded(1, 1.0))),
            on_side(8, taking(3.0, seeded(2, 1.0))),
            on_side(8, taking(0.1, wrong(0.1))),
            on_side(10, taking(5.0, timed_out())),
            other,
        ];
        let table = made(rows).unwrap();
        let read: Vec<Vec<String>> =
            table.rows.iter().map(|row| row.iter().map(Item::read).collect()).collect();
        assert_eq!(
            read,
            [
                ["pairwise", "batsat", "2.50", "4.00", "no answer"],
                ["other", "batsat", "–", "7.00", "–"]
            ]
        );
        assert_eq!(table.columns.last().unwrap().head, "N = 10 (s)");
    }

    #[test]
    fn a_record_of_several_numberings_or_kinds_of_boards_asks_for_something_else() {
        assert_eq!(made(vec![solved(1.0), shuffled(1, 1.0)]), None);
        let mut torus = solved(1.0);
        torus.job.board = Board::new(8).unwrap().with_geometry(Geometry::Torus);
        assert!(made(vec![torus.clone()]).is_some());
        assert_eq!(made(vec![solved(1.0), torus]), None);
        assert_eq!(made(vec![]), None);
    }
}
