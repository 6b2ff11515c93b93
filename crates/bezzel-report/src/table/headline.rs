//! The short table: a row for every encoding, with its sizes and its times on the largest board.

use super::{Column, Item, Table, TableKind, note};
use crate::material::Material;
use crate::statistics::{Place, median};

/// The kind of table.
pub(super) const KIND: TableKind =
    TableKind { id: "encodings", make: |of| table(of).into_iter().collect() };

/// Makes the table; none if there is no plane board.
fn table(material: &Material<'_>) -> Option<Table> {
    let largest = material.largest_plane_number()?;
    let mut boards: Vec<usize> = (0..material.boards.len())
        .filter(|&board| material.terrain(board) == material.terrain(largest))
        .collect();
    let side = |board: usize| material.boards[board].rows();
    boards.sort_by_key(|&board| side(board));
    boards.dedup_by_key(|&mut board| side(board));

    let mut columns = vec![Column::words("encoding", "Encoding")];
    columns.extend(boards.iter().map(|&board| {
        let side = side(board);
        Column::numbers(format!("clauses_{side}"), format!("Clauses, N = {side}"))
    }));
    let runs: Vec<(usize, usize)> = (0..material.solvers.len())
        .flat_map(|solver| (0..material.numberings.len()).map(move |numbering| (solver, numbering)))
        .collect();
    columns.extend(runs.iter().map(|&(solver, numbering)| {
        let (solver, numbering) = (&material.solvers[solver], &material.numberings[numbering]);
        let name = format!("solve_cpu_median_{solver}_{numbering}_s");
        Column::numbers(name, format!("{solver}, {numbering} (s)"))
    }));
    let rows = (0..).zip(&material.encodings).map(|(encoding, label)| {
        let mut row = vec![Item::Encoding(encoding, label.clone())];
        row.extend(boards.iter().map(|&board| {
            let cells = material.cells_on(board).iter();
            let mut cells = cells.filter(|cell| cell.place.encoding == encoding);
            let formula = cells.find_map(|cell| cell.formula());
            formula.map_or(Item::Missing, |formula| Item::Count(formula.clauses.into()))
        }));
        row.extend(runs.iter().map(|&(solver, numbering)| {
            let cell = material.cell(Place { board: largest, solver, numbering, encoding });
            Item::of(cell.and_then(|cell| median(&cell.times())))
        }));
        row
    });
    let largest = material.boards[largest];
    Some(Table {
        id: KIND.id.into(),
        title: "Encodings".into(),
        rows: rows.collect(),
        columns,
        notes: [
            format!(
                "Clauses on each board of the plane; under each solver and numbering the median CPU \
                 seconds of solving on the board {largest}."
            ),
            "A run without an answer, at a limit or failed, counts as longer than all others; a median \
             that depends on one is shown as no answer. The table of all cells tells which it was."
                .into(),
            "The order is that of the plan and says nothing.".into(),
        ]
        .into_iter()
        .chain(note::all(material))
        .collect(),
    })
}
