//! Decision diagrams: their nodes compared with known numbers, and the peak.

use std::collections::HashSet;

use bezzel_experiment::{DiagramSize, Row};
use bezzel_problem::Instance;
use indexmap::IndexSet;

use super::columns::Columns;
use super::{Item, Table, TableIds, TableKind};
use crate::dataset::Dataset;
use crate::distinct::distinct;
use bezzel_problem::KnownNodes;

/// The kind of table.
pub(super) const KIND: TableKind = TableKind {
    id: "diagrams",
    tables: &[TableIds::new("diagrams", "nodes of decision diagrams, and states")],
    is_of_sources: false,
    make: |of| table(of).into_iter().collect(),
};

/// Makes the table. None if no engine made a diagram or reported its states.
fn table(dataset: &Dataset<'_>) -> Option<Table> {
    let counter_runs = &dataset.counter_runs;
    let instances: IndexSet<&Instance> =
        counter_runs.cells.iter().map(|cell| cell.instance).collect();
    let mut known_already = HashSet::new();
    let mut measured: Vec<(usize, &Row, DiagramSize)> = Vec::new();
    for cell in &counter_runs.cells {
        let size = cell.solved().and_then(|row| Some((row, row.all.as_ref()?.diagram?)));
        // The diagram is the same for every task.
        if let Some((row, size)) = size
            && known_already.insert((cell.arm, cell.instance))
        {
            measured.push((cell.arm, row, size));
        }
    }
    // Instance by instance, in the order of the engines.
    measured.sort_by_key(|(arm, row, _)| (instances.get_index_of(&row.job.instance), *arm));
    let sources = distinct(measured.iter().filter_map(|(_, row, _)| Some(known(row)?.source)));
    Columns::of(measured)
        .words("instance", "Instance", |(_, row, _)| Item::instance(dataset, &row.job.instance))
        .words("engine", "Engine", |&(arm, ..)| Item::Encoding(arm, counter_runs.arms[arm].engine.clone()))
        .words("encoding", "Reads", |&(arm, ..)| counter_runs.arms[arm].reads())
        .numbers("nodes", "Nodes", |(.., size)| size.nodes)
        .numbers("nodes_known", "Nodes, known", |(_, row, _)| known(row).map(|known| known.nodes))
        .numbers("peak_nodes", "Peak nodes", |(.., size)| size.peak_nodes)
        .numbers("peak_states", "Peak states", |(.., size)| size.peak_states)
        .some_table("diagrams", "Decision diagrams, and counts over states", || {
            let of_nodes =
                "Nodes of the finished diagram, without terminals. The peak is the largest number of \
                 nodes kept during construction. The peak of OxiDD (bdd, bcdd, zbdd) includes dead nodes \
                 that were not yet collected. The other engines make only the nodes of the finished \
                 diagram, and also keep states. An engine that counts over states makes no nodes.";
            let known = sources.iter().map(|source| format!("Known: {source}"));
            std::iter::once(of_nodes.into()).chain(known).collect()
        })
}

/// The known number of nodes of the diagram of a row.
fn known(row: &Row) -> Option<KnownNodes> {
    row.job.instance.reported().known_nodes(&row.job.solver, &row.job.encoding)
}
