//! The table of encodings: a row for each, with its sizes, and with its times if there is one instance.

use super::columns::Columns;
use super::{Item, Table, TableIds, TableKind};
use crate::dataset::{Dataset, instance_label};
use crate::kind_answers::has_form;
use crate::row_statistics::CellIndex;
use bezzel_statistics::median;

/// The kind of table.
pub(super) const KIND: TableKind = TableKind {
    id: "encodings",
    tables: &[TableIds::new(
        "encodings",
        "sizes of the encodings, and times if there is one instance",
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
    // The times of one instance of several are no result.
    let is_one = dataset.instances.len() == 1;
    for (solver, label) in dataset.solvers.iter().enumerate().filter(|_| is_one) {
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
    let order = "Rows are in the order of the config.".to_owned();
    let instance = dataset.instances[largest];
    let notes = if is_one {
        let about = format!(
            "There is one instance ({}). For each solver and numbering, the seconds are the median \
             CPU time of solving it. A run without an answer, at a limit or failed, counts as longer than \
             all others.",
            instance_label(dataset, instance)
        );
        vec![about, order]
    } else {
        let of = if has_form(instance) {
            format!("the instances ({})", dataset.instance_kind(largest))
        } else {
            "the first instance of each size".to_owned()
        };
        vec![format!("Clauses are those of {of}."), order]
    };
    Some(columns.table(KIND.id, "Encodings", notes))
}
