//! All solutions: how long each engine took on every board, and how much memory.

use std::collections::{BTreeSet, HashMap, HashSet};

use bezzel_encode::Board;
use bezzel_lab::quantity::grouped;
use bezzel_lab::{Row, Task};

use super::{Column, Item, Table, TableKind, note};
use crate::distinct::distinct;
use crate::escape;
use crate::family::terrain;
use crate::lineup::{Lineup, Trial};
use crate::material::Material;
use crate::statistics::Value;

/// The kind of table.
pub(super) const KIND: TableKind = TableKind { id: "engines", make: |of| tables(of) };

/// A table of times and one of memory for every task and kind of board.
fn tables(material: &Material<'_>) -> Vec<Table> {
    let lineup = &material.lineup;
    let mut tables = Vec::new();
    for &task in &lineup.tasks {
        let of_task = || lineup.trials.iter().filter(move |trial| trial.task == task);
        for terrain in distinct(of_task().map(|trial| terrain(trial.board))) {
            let place = Place { material, task, terrain: &terrain };
            tables.push(place.table(
                "CPU time",
                "cpu_median",
                "s",
                "Median CPU seconds of finding, with making and loading the formula where one is \
                 read; starting the process is not in it, nor is holding the solutions against the \
                 rules. A run without an end counts as longer than all others.",
                |trial| Item::of(trial.cpu_s()),
            ));
            // Who is asked for a number wants to read it.
            let notes = &mut tables.last_mut().expect("it was just put there").notes;
            notes.insert(0, place.solutions());
            tables.push(place.table(
                "memory",
                "memory_peak",
                "MiB",
                "The largest resident memory of any of the runs that came to their end, the whole \
                 process counted.",
                |trial| match (trial.memory_peak_bytes(), trial.cpu_s()) {
                    (Some(bytes), _) => Item::Bytes(bytes),
                    (None, Some(Value::OverLimit)) => Item::Value(Value::OverLimit),
                    (None, _) => Item::Missing,
                },
            ));
        }
    }
    tables
}

/// What a table is about.
struct Place<'m, 'a> {
    material: &'m Material<'a>,
    task: Task,
    terrain: &'m str,
}

impl Place<'_, '_> {
    /// What was found on each board, in a sentence.
    fn solutions(&self) -> String {
        let trials = self.material.lineup.trials.iter();
        let here =
            trials.filter(|trial| trial.task == self.task && terrain(trial.board) == self.terrain);
        let mut known = HashSet::new();
        let mut found: Vec<(&Board, String)> = Vec::new();
        for trial in here {
            // Some that were enough are not all.
            let is_all = |row: &&Row| row.job.most.is_none();
            let solved = trial.solved().filter(is_all).and_then(|row| row.all.as_ref());
            if let Some(count) = solved.map(|all| &all.count)
                && known.insert(trial.board)
            {
                found.push((trial.board, count.to_string()));
            }
        }
        found.sort_by_key(|(board, _)| (board.rows(), *board));
        let grouped = |digits: &str| digits.parse().map_or(digits.to_owned(), grouped);
        let told = found
            .iter()
            .map(|(board, count)| format!("{} for N = {}", grouped(count), board.rows()));
        let told: Vec<_> = told.collect();
        if self.task == Task::Models {
            // They are those of a formula, not of the board.
            return "How many there are is in the table of models.".into();
        }
        if told.is_empty() {
            "Nobody found them all.".into()
        } else {
            format!("Found: {}.", told.join(", "))
        }
    }

    fn table(
        &self,
        what: &str,
        name: &str,
        unit: &str,
        about: &str,
        item: impl Fn(&Trial<'_>) -> Item,
    ) -> Table {
        let Lineup { arms, trials, .. } = &self.material.lineup;
        let here: Vec<&Trial<'_>> = trials
            .iter()
            .filter(|trial| trial.task == self.task && terrain(trial.board) == self.terrain)
            .collect();
        let boards: BTreeSet<(u32, &Board)> =
            here.iter().map(|trial| (trial.board.rows(), trial.board)).collect();
        let mut columns =
            vec![Column::words("engine", "Engine"), Column::words("encoding", "Reads")];
        let mut sides = Vec::new();
        columns.extend(boards.iter().map(|(side, _)| {
            sides.push(*side);
            let again = sides.iter().filter(|known| *known == side).count();
            let suffix = if again > 1 { format!("_{again}") } else { String::new() };
            let head = if again > 1 { format!(" ({again})") } else { String::new() };
            Column::numbers(
                format!("{name}_{side}{suffix}_{unit}"),
                format!("N = {side}{head} ({unit})"),
            )
        }));
        let rows = arms.iter().enumerate().filter_map(|(place, arm)| {
            let of_arm = here.iter().filter(|trial| trial.arm == place);
            let of_arm: HashMap<&Board, _> = of_arm.map(|trial| (trial.board, trial)).collect();
            (!of_arm.is_empty()).then(|| {
                let mut row =
                    vec![Item::Encoding(place, arm.engine.clone()), Item::Words(arm.reads())];
                row.extend(boards.iter().map(|(_, board)| {
                    let trial = of_arm.get(board);
                    trial.map_or(Item::Missing, |trial| item(trial))
                }));
                row
            })
        });
        Table {
            id: escape::id(&[self.task.id(), self.terrain, name]),
            title: format!("{}: {what}, {}", self.task.id(), self.terrain),
            columns,
            rows: rows.collect(),
            notes: [about.to_owned()].into_iter().chain(note::of_engines(self.material)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_lab::{ExperimentRecord, NO_ENCODING};

    use super::*;
    use crate::sample::{counted, on_side, timed_out};

    fn made(rows: Vec<Row>) -> Vec<Table> {
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        tables(&Material::new(&record, &Registry::new()))
    }

    #[test]
    fn an_engine_has_a_line_and_a_board_a_column_with_limits_as_elsewhere() {
        let mut late = on_side(9, counted("blocking", "pairwise", 5.0));
        late.stop = timed_out().stop;
        let tables = made(vec![
            counted("blocking", "pairwise", 2.0),
            late,
            on_side(9, counted("backtrack", NO_ENCODING, 0.25)),
        ]);
        let titles: Vec<_> = tables.iter().map(|table| table.title.as_str()).collect();
        assert_eq!(titles, ["count: CPU time, plane", "count: memory, plane"]);
        let read: Vec<Vec<String>> =
            tables[0].rows.iter().map(|row| row.iter().map(Item::read).collect()).collect();
        assert_eq!(
            read,
            [
                ["blocking", "pairwise", "2.00", "no answer"],
                ["backtrack", "the board", "–", "0.250"]
            ]
        );
        assert_eq!(tables[0].columns[3].name, "cpu_median_9_s");
        assert_eq!(tables[0].notes[0], "Found: 92 for N = 8, 92 for N = 9.");
        let memory: Vec<String> = tables[1].rows[0].iter().map(Item::read).collect();
        assert_eq!(memory, ["blocking", "pairwise", "–", "no answer"], "of runs that ended alone");
    }

    #[test]
    fn a_program_with_commas_in_its_command_line_reads_what_it_reads() {
        let command = "{counter: \"count {cnf}\", version: \"count -v\"}";
        let tables = made(vec![counted(command, "pairwise", 2.0)]);
        let read: Vec<_> = tables[0].rows[0].iter().map(Item::read).collect();
        assert_eq!(read, [command, "pairwise", "2.00"]);
    }

    #[test]
    fn without_engines_there_is_no_table() {
        assert!(made(vec![]).is_empty());
    }
}
