//! The full table: a row for every encoding, instance, numbering and solver.

use bezzel_experiment::{FormulaSize, ProofRecord, Row};
use bezzel_solve::Simplified;

use super::columns::Columns;
use super::{Item, Table};
use crate::dataset::Dataset;
use crate::row_statistics::Cell;
use crate::row_statistics::cell::{par2, values};
use bezzel_statistics::{Spread, Value, median};

/// Notes that every table of cells has.
const NOTES: [&str; 5] = [
    "A row (cell) has the runs of one encoding on one instance under one kind of numbering in one solver. \
     Its runs differ only in their shuffle, seed and repetition.",
    "Times are CPU seconds. Generation is the first pass, which only measures the formula. Loading is \
     the second pass: it generates, numbers and hashes the clauses and passes them to the solver. \
     Solving is from the last clause to the answer. The quartiles and PAR2 are of the solving time. The \
     process is the whole, with its start, as the kernel accounts for it.",
    "Medians and quartiles count a run without an answer as longer than all others. If they depend on \
     one, they are shown as no answer. PAR2 is the mean, with a run without an answer counted as twice \
     its CPU limit, whichever limit ended it.",
    "Answered: found within the limits and not shown to be wrong. Wrong answers enter no statistic.",
    "Memory is the largest resident size of the whole process over all runs.",
];

/// The columns that need a note where they are shown.
const NOTES_OF_COLUMNS: [(&str, &str); 7] = [
    (
        "host_error",
        "Killed: ended from outside. The next session repeats such a run, and no statistic includes it.",
    ),
    ("wall_limit", "Wall limit: runs out of time that the wall limit ended, not the CPU limit."),
    (
        "disturbed",
        "Disturbed: runs at the wall limit that used less than 90 % of their wall time as CPU time. \
         Comparisons of times leave out their instance, and their cell has no PAR2.",
    ),
    ("skipped", "Skipped: not run, because the solver is not installed."),
    (
        "simplified_clauses_median",
        "After preprocessing: the formula before the search begins, measured in a separate solver \
         session. The medians are of answered runs.",
    ),
    (
        "check_cpu_median_s",
        "Decoding reads the solution off the model. Checking evaluates every clause under the model. The \
         medians are of runs that found a solution.",
    ),
    (
        "proof_median_bytes",
        "Proofs: their size, the clauses that they add, and the CPU time and memory of the process that \
         checks them. This process generates the formula again. The values are medians over the runs \
         with a proof, and are not included in the times of the run.",
    ),
];

/// Makes the table.
pub(super) fn table(dataset: &Dataset<'_>) -> Table {
    let columns = Columns::of(&dataset.cells)
        .words("encoding", "Encoding", |cell| Item::encoding(dataset, cell.index.encoding))
        .words("instance", "Instance", |cell| Item::instance(dataset, cell.instance))
        .words("numbering", "Numbering", |cell| cell.numbering.clone())
        .words("solver", "Solver", |cell| cell.solver.clone());
    let mut table =
        proofs(times(ends(sizes(columns)))).table("cells", "All cells: the full data", Vec::new());
    let has = |name: &str| table.columns.iter().any(|column| column.name == name);
    let of_columns = NOTES_OF_COLUMNS.into_iter().filter(|(name, _)| has(name));
    let notes = NOTES.into_iter().chain(of_columns.map(|(_, note)| note));
    table.notes = notes.map(str::to_owned).collect();
    table
}

type Cells<'m> = Columns<&'m Cell<'m>>;

fn sizes(columns: Cells<'_>) -> Cells<'_> {
    fn of(cell: &Cell<'_>, part: fn(&FormulaSize) -> u64) -> Option<u64> {
        cell.formula().map(part)
    }
    fn left(cell: &Cell<'_>, part: fn(&Simplified) -> u64) -> Option<Value> {
        middle_of_answered(cell, |row| Some(part(row.simplified.as_ref()?) as f64))
    }
    columns
        .numbers("variables", "Variables", |cell| of(cell, |formula| formula.variables))
        .numbers("clauses", "Clauses", |cell| of(cell, |formula| formula.clauses))
        .numbers("literals", "Literals", |cell| of(cell, |formula| formula.literals))
        .numbers_if_any("simplified_variables_median", "Variables after preprocessing", |cell| {
            left(cell, |left| left.variables)
        })
        .numbers_if_any("simplified_clauses_median", "Clauses after preprocessing", |cell| {
            left(cell, |left| left.clauses)
        })
        .numbers_if_any("simplified_literals_median", "Literals after preprocessing", |cell| {
            left(cell, |left| left.literals)
        })
}

fn ends(columns: Cells<'_>) -> Cells<'_> {
    columns
        .numbers("runs", "Runs", |cell| cell.counts().rows)
        .numbers("answered", "Answered", |cell| cell.counts().solved)
        .numbers("verified", "Verified", |cell| cell.counts().verified)
        .numbers("unchecked", "Unchecked", |cell| cell.counts().unchecked)
        .numbers("wrong", "Wrong", |cell| cell.counts().wrong)
        .numbers("timed_out", "Timed out", |cell| cell.counts().timed_out)
        .numbers_if_any("wall_limit", "Wall limit", |cell| cell.counts().wall_limit)
        .numbers_if_any("disturbed", "Disturbed", |cell| cell.counts().disturbed)
        .numbers("out_of_memory", "Out of memory", |cell| cell.counts().out_of_memory)
        .numbers("failed", "Failed", |cell| cell.counts().failed)
        .numbers_if_any("host_error", "Killed", |cell| cell.counts().host_error)
        .numbers_if_any("skipped", "Skipped", |cell| cell.counts().skipped)
}

fn times(columns: Cells<'_>) -> Cells<'_> {
    fn middle(cell: &Cell<'_>, measure: fn(&Row) -> Option<f64>) -> Option<Value> {
        median(&values(&cell.rows, measure))
    }
    fn solving(cell: &Cell<'_>, part: fn(Spread) -> Value) -> Option<Value> {
        Spread::of(&cell.times()).map(part)
    }
    columns
        .numbers("generate_cpu_median_s", "Median generation (s)", |cell| {
            middle(cell, |row| row.generate_cpu_s)
        })
        .numbers("load_cpu_median_s", "Median loading (s)", |cell| {
            middle(cell, |row| row.load_cpu_s)
        })
        .numbers("solve_cpu_median_s", "Median solving (s)", |cell| {
            solving(cell, |times| times.median)
        })
        .numbers("solve_cpu_lower_quartile_s", "Lower quartile (s)", |cell| {
            solving(cell, |times| times.lower)
        })
        .numbers("solve_cpu_upper_quartile_s", "Upper quartile (s)", |cell| {
            solving(cell, |times| times.upper)
        })
        .numbers("solve_cpu_par2_s", "PAR2 (s)", |cell| par2(&cell.rows))
        .numbers_if_any("decode_cpu_median_s", "Median decoding (s)", |cell| {
            middle_of_answered(cell, |row| row.decode_cpu_s)
        })
        .numbers_if_any("check_cpu_median_s", "Median checking (s)", |cell| {
            middle_of_answered(cell, |row| row.check_cpu_s)
        })
        .numbers("cpu_median_s", "Median process (s)", |cell| middle(cell, |row| Some(row.cpu_s)))
        .numbers("conflicts_median", "Median conflicts", |cell| median(&cell.conflicts()))
        .numbers("memory_peak_bytes", "Memory (MiB)", |cell| {
            cell.memory_peak_bytes().map(Item::Bytes)
        })
}

fn proofs(columns: Cells<'_>) -> Cells<'_> {
    fn of(cell: &Cell<'_>, part: fn(&ProofRecord) -> Option<f64>) -> Option<Value> {
        middle_of_answered(cell, |row| part(row.proof.as_ref()?))
    }
    columns
        .numbers_if_any("proof_median_bytes", "Median proof (MiB)", |cell| {
            of(cell, |proof| Some(proof.bytes? as f64)).map(Item::of_bytes)
        })
        .numbers_if_any("proof_steps_median", "Median proof steps", |cell| {
            of(cell, |proof| Some(proof.steps? as f64))
        })
        .numbers_if_any("proof_check_cpu_median_s", "Median proof check (s)", |cell| {
            of(cell, |proof| proof.check_cpu_s)
        })
        .numbers_if_any("proof_check_memory_peak_bytes", "Proof check memory (MiB)", |cell| {
            let checks = cell.rows.iter().filter_map(|row| row.proof.as_ref());
            checks.filter_map(|proof| proof.check_memory_peak_bytes).max().map(Item::Bytes)
        })
}

/// The median of `measure` over the answered runs.
fn middle_of_answered(cell: &Cell<'_>, measure: impl Fn(&Row) -> Option<f64>) -> Option<Value> {
    median(&cell.of_answered(measure))
}

#[cfg(test)]
mod tests {
    use bezzel_experiment::Finding;
    use bezzel_solve::{Answer, ProofFormat, Simplified};

    use super::*;
    use crate::table::Column;
    use crate::tests::analysed;
    use crate::tests::sample::{killed, measured, skipped, solved, timed_out};

    /// The columns of the table with the items of each row.
    fn columns_of(rows: Vec<Row>) -> Vec<(String, Vec<String>)> {
        let table = analysed(rows, |of| table(of));
        let column = |(place, column): (usize, &Column)| {
            let items = table.rows.iter().map(|row| row[place].read()).collect();
            (column.name.clone(), items)
        };
        table.columns.iter().enumerate().map(column).collect()
    }

    fn column(rows: Vec<Row>, name: &str) -> Option<Vec<String>> {
        columns_of(rows).into_iter().find(|column| column.0 == name).map(|column| column.1)
    }

    #[test]
    fn a_column_without_values_is_left_out() {
        let plain = columns_of(vec![solved(1.0)]);
        let optional = ["simplified", "proof", "decode", "check", "host_error", "skipped"];
        for (name, _) in &plain {
            assert!(!optional.iter().any(|word| name.starts_with(word)), "{name}");
        }
    }

    #[test]
    fn simplified_sizes_stand_beside_the_original_sizes() {
        let simplified = |clauses| {
            let mut row = measured(64, 744, 1584);
            let answer = Answer::Unknown;
            row.simplified = Some(Simplified { variables: 60, clauses, literals: 900, answer });
            row
        };
        let rows = || vec![simplified(400), simplified(402), timed_out()];
        assert_eq!(column(rows(), "clauses").unwrap(), ["744"]);
        assert_eq!(column(rows(), "simplified_clauses_median").unwrap(), ["401"]);
        assert_eq!(column(rows(), "simplified_variables_median").unwrap(), ["60.0"]);
    }

    #[test]
    fn proofs_and_the_parts_of_a_run_have_columns_of_their_own() {
        let proved = |bytes| Row {
            status: Answer::Unsat,
            proof: Some(ProofRecord {
                format: ProofFormat::Lrat,
                finding: Finding::Accepted,
                bytes: Some(bytes),
                steps: Some(1000),
                check_cpu_s: Some(0.5),
                check_memory_peak_bytes: Some(1 << 21),
                note: None,
                translated: false,
                checker_version: None,
            }),
            ..solved(1.0)
        };
        let rows = || vec![proved(1 << 20), proved(3 << 20)];
        assert_eq!(column(rows(), "proof_median_bytes").unwrap(), ["2.00"]);
        assert_eq!(column(rows(), "proof_check_cpu_median_s").unwrap(), ["0.500"]);
        assert_eq!(column(rows(), "proof_check_memory_peak_bytes").unwrap(), ["2.00"]);
        let checked = Row { decode_cpu_s: Some(0.25), check_cpu_s: Some(0.5), ..solved(1.0) };
        assert_eq!(column(vec![checked.clone()], "decode_cpu_median_s").unwrap(), ["0.250"]);
        assert_eq!(column(vec![checked], "check_cpu_median_s").unwrap(), ["0.500"]);
    }

    #[test]
    fn killed_and_skipped_runs_are_counted_and_have_no_times() {
        assert_eq!(column(vec![skipped()], "skipped").unwrap(), ["1"]);
        assert_eq!(column(vec![skipped()], "solve_cpu_median_s").unwrap(), ["–"]);
        assert_eq!(column(vec![skipped()], "cpu_median_s").unwrap(), ["–"]);
        assert_eq!(column(vec![skipped()], "solve_cpu_par2_s").unwrap(), ["–"]);
        let rows = || vec![killed(), solved(2.0)];
        assert_eq!(column(rows(), "host_error").unwrap(), ["1"]);
        assert_eq!(column(rows(), "failed").unwrap(), ["0"]);
        assert_eq!(column(rows(), "solve_cpu_median_s").unwrap(), ["2.00"]);
    }
}
