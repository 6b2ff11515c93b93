//! The short table: a row for every encoding, with its sizes and its times on the largest board.

use super::{Column, Item, Table, note};
use crate::escape::plain;
use crate::material::{Material, terrain};
use crate::statistics::{Cell, median};

/// Makes the table; none if there is no plane board.
pub fn table(material: &Material<'_>) -> Option<Table> {
    let largest = material.largest_plane()?;
    let on_terrain = material.boards.iter().filter(|board| terrain(board) == terrain(largest));
    let mut boards: Vec<_> = on_terrain.copied().collect();
    boards.sort_by_key(|board| board.rows());
    boards.dedup_by_key(|board| board.rows());

    let mut columns = vec![Column::words("encoding", "Encoding")];
    columns.extend(boards.iter().map(|board| {
        Column::numbers(
            format!("clauses_{}", board.rows()),
            format!("Clauses, N = {}", board.rows()),
        )
    }));
    let runs: Vec<_> = material
        .solvers
        .iter()
        .flat_map(|solver| material.numberings.iter().map(move |numbering| (solver, numbering)))
        .collect();
    columns.extend(runs.iter().map(|(solver, numbering)| {
        let name = format!("solve_cpu_median_{solver}_{numbering}_s");
        Column::numbers(name, format!("{}, {numbering} (s)", plain(solver)))
    }));
    let rows = material.encodings.iter().enumerate().map(|(style, encoding)| {
        let of_encoding: Vec<&Cell<'_>> =
            material.cells.iter().filter(|cell| cell.encoding == *encoding).collect();
        let mut row = vec![Item::Encoding(style, encoding.clone())];
        row.extend(boards.iter().map(|board| {
            let mut cells = of_encoding.iter().filter(|cell| cell.board == *board);
            let formula = cells.find_map(|cell| cell.formula());
            formula.map_or(Item::Missing, |formula| Item::Count(formula.clauses.into()))
        }));
        row.extend(runs.iter().map(|(solver, numbering)| {
            let cell = of_encoding.iter().find(|cell| {
                cell.board == largest && cell.solver == **solver && cell.numbering == **numbering
            });
            Item::of(cell.and_then(|cell| median(&cell.times())))
        }));
        row
    });
    Some(Table {
        id: "encodings".into(),
        title: "Encodings".into(),
        rows: rows.collect(),
        columns,
        notes: [
            format!(
                "Clauses on each board of the plane; under each solver and numbering the median CPU \
                 seconds of solving on the board {largest}."
            ),
            "A run without an answer, at a limit or failed, counts as longer than all others; a median \
             that depends on one is over the limit. The table of all cells tells which it was."
                .into(),
            "The order is that of the plan and says nothing.".into(),
        ]
        .into_iter()
        .chain(note::all(material))
        .collect(),
    })
}
