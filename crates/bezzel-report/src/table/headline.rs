//! The short table: a row for every encoding, with its sizes and its times on the largest board.

use super::columns::Columns;
use super::{Item, Table, TableIds, TableKind};
use crate::dataset::Dataset;
use crate::row_statistics::CellIndex;
use bezzel_queens::Board;
use bezzel_statistics::median;

/// The kind of table.
pub(super) const KIND: TableKind = TableKind {
    id: "encodings",
    tables: &[TableIds::new("encodings", "sizes of the encodings, and times on the largest board")],
    make: |of| table(of).into_iter().collect(),
};

/// Makes the table. None if there is no plane board.
fn table(dataset: &Dataset<'_>) -> Option<Table> {
    let largest = dataset.largest_plane_number()?;
    let mut boards: Vec<usize> = (0..dataset.instances.len())
        .filter(|&board| dataset.instance_kind(board) == dataset.instance_kind(largest))
        .collect();
    let side = |board: usize| dataset.instances[board].size();
    boards.sort_by_key(|&board| side(board));
    boards.dedup_by_key(|&mut board| side(board));
    let mut columns =
        Columns::of(0..dataset.encodings.len())
            .words("encoding", "Encoding", |&encoding| Item::encoding(dataset, encoding));
    for &board in &boards {
        let (name, head) = (
            format!("clauses_{}", side(board)),
            format!("Clauses, {}", dataset.terms.size(side(board))),
        );
        columns = columns.numbers(name, head, |&encoding| {
            let cells = dataset.cells_on(board).iter();
            let mut cells = cells.filter(|cell| cell.index.encoding == encoding);
            cells.find_map(|cell| cell.formula()).map(|formula| formula.clauses)
        });
    }
    for (solver, label) in dataset.solvers.iter().enumerate() {
        for (numbering, id) in dataset.numberings.iter().enumerate() {
            let name = format!("solve_cpu_median_{label}_{id}_s");
            columns = columns.numbers(name, format!("{label}, {id} (s)"), |&encoding| {
                let cell = dataset.cell(CellIndex {
                    instance: largest,
                    solver,
                    numbering,
                    encoding,
                    record: 0,
                });
                cell.and_then(|cell| median(&cell.times()))
            });
        }
    }
    let own = vec![
        format!(
            "Clauses are those of {}. For each solver and numbering, the seconds are the median CPU time \
             of solving the {} {}.",
            match Board::of(dataset.instances[largest]) {
                Some(_) => "the empty boards (plane)",
                None => "the first instance of each size",
            },
            dataset.instances[largest].noun(),
            dataset.instances[largest]
        ),
        "A run without an answer, at a limit or failed, counts as longer than all others.".into(),
        "Rows are in the order of the config.".into(),
    ];
    Some(columns.table(KIND.id, "Encodings", own))
}
