//! Tables with a row for each arm and a column for each instance: whole processes, engines, and proofs.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use bezzel_experiment::quantity::grouped;
use bezzel_experiment::row::ProofRecord;
use bezzel_experiment::{ClaimMeasure, Row, Task};
use bezzel_problem::Instance;
use bezzel_solve::ProofFormat;
use bezzel_statistics::{Value, median};

use super::columns::Columns;
use super::{Item, Table, TableIds, TableKind, ids};
use crate::comparison::Measure;
use crate::counter_runs::{CounterCell, cpu_s};
use crate::dataset::{Dataset, instance_label};
use crate::family::has_form;
use crate::number::distinct;
use crate::row_statistics::cell::values;
use crate::row_statistics::{Cell, CellIndex};

/// Whole runs: the CPU time of the whole process on every instance, for a record about it.
pub(super) const PROCESS: TableKind =
    TableKind::new("process", &[TableIds::new("process", "CPU time of whole processes")], |of| {
        process(of).into_iter().collect()
    });

/// All solutions: the time and the memory of each engine on every instance.
pub(super) const ENGINES: TableKind = TableKind::new(
    "engines",
    &[
        TableIds::new("TASK-INSTANCES-cpu-median", "CPU time of each engine on every instance"),
        TableIds::new("TASK-INSTANCES-memory-peak", "memory of each engine on every instance"),
    ],
    |of| engines(of),
);

/// The cost of showing that there is no solution.
pub(super) const PROOFS: TableKind = TableKind::new(
    "proofs",
    &[
        TableIds::new("proofs-conflicts", "conflicts of runs with a proof"),
        TableIds::new("proofs-size", "sizes of proofs"),
        TableIds::new("proofs-checking", "times of checking proofs"),
    ],
    |of| proofs(of),
);

/// The largest number of instances with proofs. A column for each of more instances is illegible, and the table of all
/// cells has them.
const INSTANCES: usize = 12;

/// The id, the title, the measure and the note of each table of proofs.
type ProofMeasure =
    (&'static str, &'static str, fn(&Row, &ProofRecord) -> Option<f64>, &'static str);

const PROOF_MEASURES: [ProofMeasure; 3] = [
    (
        "proofs-conflicts",
        "Conflicts of runs with a proof",
        |row, _| Some(row.solver_stats.conflicts? as f64),
        "Medians over the runs that write a proof. A run without an answer counts as over the limit.",
    ),
    (
        "proofs-size",
        "Size of proofs (MiB)",
        |_, proof| Some(proof.bytes? as f64),
        "Median sizes of the solver's proof files: binary steps, each with the clauses that imply it.",
    ),
    (
        "proofs-checking",
        "Checking of proofs (s)",
        |_, proof| proof.check_cpu_s,
        "Median CPU seconds of the process that generates the formula again and checks the proof. \
         They are not included in the times of the run.",
    ),
];

/// The runs of an arm, by the number of their column.
type RunsByColumn<'a> = HashMap<usize, Vec<&'a Row>>;

/// The arms, each with the items that name it, and the name and the heading of each column of numbers.
struct ByInstance<'a> {
    names: &'static [(&'static str, &'static str)],
    arms: Vec<(Vec<Item>, RunsByColumn<'a>)>,
    columns: Vec<(String, String)>,
}

impl<'a> ByInstance<'a> {
    /// The arms of solvers, by encoding, solver and numbering. `column` has the number of the column of a cell.
    fn of_cells(
        dataset: &Dataset<'a>,
        columns: Vec<(String, String)>,
        column: impl Fn(&Cell<'a>) -> Option<usize>,
    ) -> Self {
        let mut arms: BTreeMap<(usize, usize, usize), RunsByColumn<'a>> = BTreeMap::new();
        for cell in &dataset.cells {
            let index = cell.index;
            if let Some(column) = column(cell) {
                let runs = arms.entry((index.encoding, index.solver, index.numbering)).or_default();
                runs.entry(column).or_default().extend(&cell.rows);
            }
        }
        let named = arms.into_iter().map(|((encoding, solver, numbering), runs)| {
            let [solver, numbering] = [&dataset.solvers[solver], &dataset.numberings[numbering]];
            let encoding = Item::encoding(dataset, encoding);
            (vec![encoding, solver.clone().into(), numbering.clone().into()], runs)
        });
        let names = &[("encoding", "Encoding"), ("solver", "Solver"), ("numbering", "Numbering")];
        Self { names, arms: named.collect(), columns }
    }

    /// The table of a measure of the runs of an arm in a column. The names of columns of numbers are between `prefix` and
    /// `suffix`.
    fn table(
        &self,
        [id, title, note]: [&str; 3],
        [prefix, suffix, unit]: [&str; 3],
        item: impl Fn(&[&Row]) -> Item,
    ) -> Table {
        let mut columns = Columns::of(&self.arms);
        for (at, (name, head)) in self.names.iter().enumerate() {
            columns = columns.words(name, head, |(names, _)| names[at].clone());
        }
        for (at, (name, head)) in self.columns.iter().enumerate() {
            let (name, head) = (format!("{prefix}{name}{suffix}"), format!("{head}{unit}"));
            columns = columns.numbers(name, head, |(_, runs)| runs.get(&at).map(|rows| item(rows)));
        }
        columns.table(id, title, vec![note.to_owned()])
    }
}

/// The table of whole processes. None if there are several numberings or several kinds of instances: the record is then
/// about another question, and the table of all cells has these times too.
fn process(dataset: &Dataset<'_>) -> Option<Table> {
    let ([numbering], [instance_kind]) = (&dataset.numberings[..], &dataset.instance_kinds[..])
    else {
        return None;
    };
    // Several instances of one size are one number, like one point in the figures.
    let sizes: BTreeSet<u32> = dataset.instances.iter().map(|instance| instance.size()).collect();
    // Several instances of a size without a form may have several answers.
    if !dataset.has_forms && sizes.len() < dataset.instances.len() {
        return None;
    }
    let sizes: Vec<u32> = sizes.into_iter().collect();
    let columns = sizes.iter().map(|&size| (size.to_string(), dataset.size_name.of(size)));
    let mut by_instance = ByInstance::of_cells(dataset, columns.collect(), |cell| {
        sizes.binary_search(&cell.instance.size()).ok()
    });
    by_instance.names = &by_instance.names[..2];
    let note = format!(
        "Median CPU seconds of the whole process, as the kernel accounts for it: its start, generation, \
         loading and solving. A run without an answer counts as longer than all others. Instances: \
         {instance_kind}. Numbering: {numbering}. The table of all cells has the parts."
    );
    let title = "Whole process, generation included";
    Some(by_instance.table([PROCESS.id, title, &note], ["cpu_median_", "_s", " (s)"], |rows| {
        median(&values(rows, |row| Some(row.cpu_s))).into()
    }))
}

/// The tables of proofs. Empty if no instance has proofs of two encodings, or if there are too many instances.
fn proofs(dataset: &Dataset<'_>) -> Vec<Table> {
    let mut proved: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for cell in &dataset.cells {
        if cell.rows.iter().any(|row| row.proof.is_some()) {
            proved.entry(cell.index.instance).or_default().insert(cell.index.encoding);
        }
    }
    proved.retain(|_, encodings| encodings.len() > 1);
    if proved.len() > INSTANCES {
        return Vec::new();
    }
    let instances: Vec<usize> = proved.into_keys().collect();
    let names = instances.iter().map(|&instance| dataset.instances[instance].to_string());
    let columns = names.map(|name| (name.clone(), name)).collect();
    let by_instance = ByInstance::of_cells(dataset, columns, |cell| {
        instances.binary_search(&cell.index.instance).ok()
    });
    let measures = PROOF_MEASURES.iter().filter(|_| !instances.is_empty());
    let mut rows = dataset.cells.iter().flat_map(|cell| &cell.rows);
    let from_file = rows.any(|row| row.job.proof == Some(ProofFormat::Veripb));
    let tables = measures.map(|&(id, title, measure, note)| {
        let is_mixed = id == "proofs-size" && from_file;
        let note = if is_mixed {
            "Median sizes: proofs from the file are text, those in LRAT are binary."
        } else {
            note
        };
        let in_units = if id == "proofs-size" { Item::of_bytes } else { Item::Value };
        let mut table = by_instance.table([id, title, note], ["median_", "", ""], |rows| {
            // A solver without a request for a proof would never have one.
            let writes = |row: &&&Row| row.proof.is_some() || row.job.proof.is_some();
            let rows: Vec<&Row> = rows.iter().filter(writes).copied().collect();
            median(&values(&rows, |row| measure(row, row.proof.as_ref()?))).map(in_units).into()
        });
        let names = by_instance.names.len();
        table.rows.retain(|row| row[names..].iter().any(|item| *item != Item::Missing));
        table
    });
    tables.collect()
}

/// A table of times and one of memory for every task and kind of instance.
fn engines(dataset: &Dataset<'_>) -> Vec<Table> {
    let mut tables = Vec::new();
    for &task in &dataset.counter_runs.tasks {
        let of_task = || dataset.counter_runs.cells.iter().filter(move |cell| cell.task == task);
        for kind in distinct(of_task().map(|cell| dataset.group(cell.instance))) {
            let cells = of_task().filter(|cell| dataset.group(cell.instance) == kind);
            tables.extend(engines_on(dataset, task, &kind, &cells.collect::<Vec<_>>()));
        }
    }
    tables
}

fn engines_on(
    dataset: &Dataset<'_>,
    task: Task,
    kind: &str,
    cells: &[&CounterCell<'_>],
) -> [Table; 2] {
    let instances: BTreeSet<(u32, &Instance)> =
        cells.iter().map(|cell| (cell.instance.size(), cell.instance)).collect();
    let instances: Vec<(u32, &Instance)> = instances.into_iter().collect();
    let columns = instances.iter().enumerate().map(|(at, (size, _))| {
        let name = dataset.size_name.of(*size);
        match instances[..=at].iter().filter(|(known, _)| known == size).count() {
            1 => (size.to_string(), name),
            again => (format!("{size}_{again}"), format!("{name} ({again})")),
        }
    });
    let columns = columns.collect();
    let mut arms: BTreeMap<usize, RunsByColumn<'_>> = BTreeMap::new();
    for cell in cells {
        let column = instances.binary_search(&(cell.instance.size(), cell.instance));
        let runs = arms.entry(cell.arm).or_default();
        runs.insert(column.expect("it is one of them"), cell.rows.clone());
    }
    let arms = arms.into_iter().map(|(place, runs)| {
        let arm = &dataset.counter_runs.arms[place];
        (vec![Item::Encoding(place, arm.engine.clone()), arm.reads().into()], runs)
    });
    let names = &[("engine", "Engine"), ("encoding", "Reads")];
    let by_instance = ByInstance { names, arms: arms.collect(), columns };
    let id = |name: &str| ids::id(&[task.id(), kind, name]);
    let title = |what: &str| format!("{}: {what}, {kind}", task.id());
    let time = |rows: &[&Row]| median(&values(rows, cpu_s));
    let note = "Median CPU seconds of finding the solutions, with generating and loading the formula if one is \
                read. The start of the process and the check of the solutions are not included. A run without an \
                answer counts as longer than all others.";
    let mut times = by_instance.table(
        [&id("cpu_median"), &title("CPU time"), note],
        ["cpu_median_", "_s", " (s)"],
        |rows| time(rows).into(),
    );
    // The numbers of solutions come first.
    times.notes.insert(0, solutions(dataset, task, cells));
    let memory = by_instance.table(
        [
            &id("memory_peak"),
            &title("memory"),
            "The largest resident memory of the whole process over all finished runs.",
        ],
        ["memory_peak_", "_MiB", " (MiB)"],
        |rows| {
            let solved = rows.iter().filter(|row| row.solved());
            let peak = solved.filter_map(|row| row.memory_peak_bytes).max().map(Item::Bytes);
            let over = time(rows).filter(|time| *time == Value::OverLimit);
            peak.unwrap_or_else(|| over.into())
        },
    );
    [times, memory]
}

/// The number of solutions of each instance, in a sentence.
fn solutions(dataset: &Dataset<'_>, task: Task, cells: &[&CounterCell<'_>]) -> String {
    if task == Task::Models {
        // The numbers are those of a formula, not of the instance.
        return "The table of models has their numbers.".into();
    }
    let mut known = HashSet::new();
    let mut found: Vec<(&Instance, String)> = Vec::new();
    for cell in cells {
        // A limited number of solutions is not all of them.
        let solved = cell.solved().filter(|row| row.job.max_solutions.is_none());
        if let Some(all) = solved.and_then(|row| row.all.as_ref())
            && known.insert(cell.instance)
        {
            found.push((cell.instance, all.count.to_string()));
        }
    }
    if found.is_empty() {
        return "No run found all solutions.".into();
    }
    found.sort_by_key(|(instance, _)| (instance.size(), *instance));
    let parts = found.iter().map(|(instance, count)| {
        let count = count.parse().map_or_else(|_| count.clone(), grouped);
        if has_form(instance) {
            format!("{count} for {}", dataset.size_name.of(instance.size()))
        } else {
            format!("{count} for {}", dataset.name(instance))
        }
    });
    format!("Found: {}.", parts.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests;

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
    // The effort of one instance of several is no result.
    let is_one = dataset.instances.len() == 1;
    let mut measures = Measure::ALL;
    if dataset.record.report.primary.measure == Some(ClaimMeasure::Conflicts) {
        measures.reverse();
    }
    let each = dataset.solvers.iter().enumerate().filter(|_| is_one).flat_map(|of_solver| {
        let numberings = dataset.numberings.iter().enumerate();
        numberings.flat_map(move |of_numbering| measures.map(|it| (of_solver, of_numbering, it)))
    });
    for ((solver, label), (numbering, id), measure) in each {
        let values = |&encoding: &usize| {
            let index = CellIndex { instance: largest, solver, numbering, encoding, record: 0 };
            let cell = dataset.cell(index)?;
            median(&match measure {
                Measure::Time => cell.times(),
                _ => cell.conflicts(),
            })
        };
        let (name, unit) = match measure {
            Measure::Time => (format!("solve_cpu_median_{label}_{id}_s"), "(s)"),
            _ => (format!("conflicts_median_{label}_{id}"), "(conflicts)"),
        };
        // A solver may count no conflicts.
        if measure == Measure::Time || (0..dataset.encodings.len()).any(|it| values(&it).is_some())
        {
            columns = columns.numbers(name, format!("{label}, {id} {unit}"), values);
        }
    }
    let order = "Rows are in the order of the config.".to_owned();
    let instance = dataset.instances[largest];
    let notes = if is_one {
        let about = format!(
            "There is one instance ({}). For each solver and numbering, the seconds and the conflicts are medians \
             over the runs. A run without an answer, at a limit or failed, counts as longer than \
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
