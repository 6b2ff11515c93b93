//! The full table: a row for every encoding, board, numbering and solver.

use bezzel_lab::{FormulaSize, Row};

use super::{Column, Item, Table, note};
use crate::material::Material;
use crate::statistics::cell::values;
use crate::statistics::score::par2;
use crate::statistics::{Cell, Spread, Value, median};

/// Makes the table.
pub fn table(material: &Material<'_>) -> Table {
    Table {
        title: "All cells".into(),
        columns: columns(),
        rows: material.cells.iter().map(|cell| row(material, cell)).collect(),
        notes: vec![
            "A row is what was run of one encoding on one board under one kind of numbering in one \
             solver; its runs differ in their shuffle, seed and repetition only."
                .into(),
            "Times are CPU seconds. Generation is the first pass, which only measures the formula; \
             loading is the second: generation again, numbering, digest and handing the clauses to \
             the solver. Solving is from the last clause to the answer; the quartiles and PAR2 are of \
             it. The process is all of it, its start included, as the kernel accounts for it."
                .into(),
            "Medians and quartiles, of the parts of a run too, count a run without an answer as \
             longer than all others: where they depend on one they are over the limit. PAR2 is the \
             mean, a run without an answer counted as twice its CPU limit."
                .into(),
            "Answered: found within the limits and not shown to be wrong. Wrong answers enter no \
             statistic."
                .into(),
            "Memory is the largest resident size of any of the runs, its whole process counted."
                .into(),
            note::limits(material),
            note::isolation(material),
            note::replicates(material),
        ],
    }
}

fn columns() -> Vec<Column> {
    let numbers = [
        ("variables", "Variables"),
        ("clauses", "Clauses"),
        ("literals", "Literals"),
        ("runs", "Runs"),
        ("answered", "Answered"),
        ("verified", "Verified"),
        ("unchecked", "Unchecked"),
        ("wrong", "Wrong"),
        ("timed_out", "Timed out"),
        ("out_of_memory", "Out of memory"),
        ("failed", "Failed"),
        ("generate_cpu_median_s", "Median generation (s)"),
        ("load_cpu_median_s", "Median loading (s)"),
        ("solve_cpu_median_s", "Median solving (s)"),
        ("solve_cpu_lower_quartile_s", "Lower quartile (s)"),
        ("solve_cpu_upper_quartile_s", "Upper quartile (s)"),
        ("solve_cpu_par2_s", "PAR2 (s)"),
        ("cpu_median_s", "Median process (s)"),
        ("conflicts_median", "Median conflicts"),
        ("memory_peak_bytes", "Memory (MiB)"),
    ];
    [("encoding", "Encoding"), ("board", "Board"), ("numbering", "Numbering"), ("solver", "Solver")]
        .into_iter()
        .map(|(name, head)| Column::words(name, head))
        .chain(numbers.into_iter().map(|(name, head)| Column::numbers(name, head)))
        .collect()
}

fn row(material: &Material<'_>, cell: &Cell<'_>) -> Vec<Item> {
    let size = cell.formula().map(FormulaSize::size);
    let of_size = |number: Option<u128>| number.map_or(Item::Missing, Item::Count);
    let counts = cell.counts();
    let times = Spread::of(&cell.times());
    let middle = |measure: fn(&Row) -> Option<f64>| Item::of(median(&values(&cell.rows, measure)));
    let mut row = vec![
        Item::Encoding(material.style(&cell.encoding), cell.encoding.clone()),
        Item::Words(cell.board.to_string()),
        Item::Words(cell.numbering.clone()),
        Item::Words(cell.solver.clone()),
        of_size(size.map(|size| size.variables)),
        of_size(size.map(|size| size.clauses)),
        of_size(size.map(|size| size.literals)),
    ];
    let ends = [
        counts.rows,
        counts.solved,
        counts.verified,
        counts.unchecked,
        counts.wrong,
        counts.timed_out,
        counts.out_of_memory,
        counts.failed,
    ];
    row.extend(ends.map(|number| Item::Count(number as u128)));
    row.extend([
        middle(|row| row.generate_cpu_s),
        middle(|row| row.load_cpu_s),
        Item::of(times.map(|times| times.median)),
        Item::of(times.map(|times| times.lower)),
        Item::of(times.map(|times| times.upper)),
        Item::of(par2(&cell.rows).map(Value::Measured)),
        middle(|row| Some(row.cpu_s)),
        Item::of(median(&cell.conflicts())),
        cell.memory_peak_bytes().map_or(Item::Missing, Item::Bytes),
    ]);
    row
}
