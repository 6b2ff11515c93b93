//! The short table: a row for every encoding, with its sizes and its times on the largest instance.

use super::columns::Columns;
use super::{Item, Table, TableIds, TableKind};
use crate::dataset::Dataset;
use crate::kind_answers::has_form;
use crate::row_statistics::CellIndex;
use bezzel_statistics::median;

/// The kind of table.
pub(super) const KIND: TableKind = TableKind {
    id: "encodings",
    tables: &[TableIds::new(
        "encodings",
        "sizes of the encodings, and times on the largest instance",
    )],
    is_of_sources: false,
    make: |of| table(of).into_iter().collect(),
};

/// Makes the table. None if there is no instance for comparisons.
fn table(dataset: &Dataset<'_>) -> Option<Table> {
    let largest = dataset.compared_number()?;
    let mut instances: Vec<usize> = (0..dataset.instances.len())
        .filter(|&instance| dataset.instance_kind(instance) == dataset.instance_kind(largest))
        .collect();
    let size = |instance: usize| dataset.instances[instance].size();
    instances.sort_by_key(|&instance| size(instance));
    instances.dedup_by_key(|&mut instance| size(instance));
    let mut columns =
        Columns::of(0..dataset.encodings.len())
            .words("encoding", "Encoding", |&encoding| Item::encoding(dataset, encoding));
    for &instance in &instances {
        let (name, head) = (
            format!("clauses_{}", size(instance)),
            format!("Clauses, {}", dataset.size_name.of(size(instance))),
        );
        columns = columns.numbers(name, head, |&encoding| {
            let cells = dataset.cells_on(instance).iter();
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
             of solving the instance {}.",
            if has_form(dataset.instances[largest]) {
                format!("the instances ({})", dataset.instance_kind(largest))
            } else {
                "the first instance of each size".to_owned()
            },
            dataset.instances[largest]
        ),
        "A run without an answer, at a limit or failed, counts as longer than all others.".into(),
        "Rows are in the order of the config.".into(),
    ];
    Some(columns.table(KIND.id, "Encodings", own))
}
