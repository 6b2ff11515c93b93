//! The full table of engines: a row for every engine, board and task.

use bezzel_lab::{Row, Verdict};

use super::{Column, Item, Table, note};
use crate::lineup::Trial;
use crate::material::Material;
use crate::statistics::cell::Counts;
use crate::statistics::cell::values;
use crate::statistics::median;

/// Makes the table.
pub fn table(material: &Material<'_>) -> Table {
    let columns = vec![
        Column::words("task", "Task"),
        Column::words("board", "Board"),
        Column::words("engine", "Engine"),
        Column::words("reads", "Reads"),
        Column::numbers("runs", "Runs"),
        Column::numbers("ended", "Ended"),
        Column::numbers("verified", "Verified"),
        Column::words("solutions", "Solutions"),
        Column::numbers("generate_cpu_median_s", "Generation (s)"),
        Column::numbers("load_cpu_median_s", "Loading (s)"),
        Column::numbers("find_cpu_median_s", "Finding (s)"),
        Column::numbers("check_cpu_median_s", "Checking (s)"),
        Column::numbers("process_cpu_median_s", "Process (s)"),
        Column::numbers("memory_peak_bytes", "Memory (MiB)"),
        Column::numbers("nodes", "Nodes"),
        Column::numbers("peak_nodes", "Peak nodes"),
        Column::numbers("peak_states", "Peak states"),
    ];
    let rows = material.lineup.trials.iter().map(|trial| line(material, trial));
    Table {
        id: "engines".into(),
        title: "All runs of engines".into(),
        columns,
        rows: rows.collect(),
        notes: [
            "A row is what was run of one engine on one board for one task; its runs differ in their \
             shuffle, seed and repetition only. Times are medians of CPU seconds. Finding is from \
             the last clause, where clauses are read, to the end of the search; checking holds each \
             solution against the rules, and is no part of it. The number of solutions is that of a \
             run that came to its end, else what was found until a limit, with a + behind it."
                .to_owned(),
        ]
        .into_iter()
        .chain(note::of_engines(material))
        .collect(),
    }
}

fn line(material: &Material<'_>, trial: &Trial<'_>) -> Vec<Item> {
    let arm = &material.lineup.arms[trial.arm];
    let counts = Counts::of(&trial.rows);
    let part = |of: fn(&Row) -> Option<f64>| Item::of(median(&values(&trial.rows, of)));
    let size = trial.solved().and_then(|row| row.all.as_ref()?.diagram).unwrap_or_default();
    let number = |number: Option<u64>| number.map_or(Item::Missing, |it| Item::Count(it.into()));
    vec![
        Item::Words(trial.task.id().to_owned()),
        Item::Words(trial.board.to_string()),
        Item::Encoding(trial.arm, arm.engine.clone()),
        Item::Words(arm.reads()),
        Item::Count(counts.rows as u128),
        Item::Count(counts.solved as u128),
        Item::Count(counts.verified as u128),
        solutions(trial).map_or(Item::Missing, Item::Words),
        part(|row| row.generate_cpu_s),
        part(|row| row.load_cpu_s),
        part(|row| row.solve_cpu_s),
        part(|row| row.check_cpu_s),
        part(|row| Some(row.cpu_s)),
        trial.memory_peak_bytes().map_or(Item::Missing, Item::Bytes),
        number(size.nodes),
        number(size.peak_nodes),
        number(size.peak_states),
    ]
}

/// The number of solutions, or of those found until a limit.
fn solutions(trial: &Trial<'_>) -> Option<String> {
    if let Some(row) = trial.solved() {
        return Some(row.all.as_ref()?.count.to_string());
    }
    let found = trial.rows.iter().filter(|row| row.verdict != Verdict::Wrong);
    let found = found.filter_map(|row| row.all.as_ref()).max_by_key(|all| all.count.clone())?;
    (found.count.0.bits() > 0).then(|| format!("{}+", found.count))
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_lab::{ExperimentRecord, NO_ENCODING};

    use super::*;
    use crate::sample::{counted, on_side, timed_out};

    #[test]
    fn what_was_found_until_a_limit_is_told_as_no_whole_number() {
        let mut late = on_side(9, counted("blocking", "pairwise", 5.0));
        late.stop = timed_out().stop;
        let all = late.all.as_mut().unwrap();
        (all.count, all.whole) = (7_u32.into(), false);
        let rows = vec![counted("backtrack", NO_ENCODING, 0.25), late];
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        let table = table(&Material::new(&record, &Registry::new()));
        let read: Vec<Vec<String>> = table
            .rows
            .iter()
            .map(|row| [0, 1, 2, 3, 5, 7, 10].map(|at| row[at].read()).to_vec())
            .collect();
        assert_eq!(
            read,
            [
                ["count", "8", "backtrack", "the board", "1", "92", "0.250"],
                ["count", "9", "blocking", "pairwise", "0", "7+", "no answer"],
            ]
        );
    }
}
