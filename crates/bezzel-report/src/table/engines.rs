//! All solutions: how long each engine took on every board, and how much memory.

use std::collections::{BTreeSet, HashMap, HashSet};

use bezzel_lab::quantity::grouped;
use bezzel_lab::{Row, Task};
use bezzel_problem::Instance;

use super::columns::Columns;
use super::{Item, Table, TableIds, TableKind};
use crate::distinct::distinct;
use crate::escape;
use crate::lineup::Trial;
use crate::material::Material;
use crate::statistics::Value;

/// The kind of table.
pub(super) const KIND: TableKind = TableKind {
    id: "engines",
    tables: &[
        TableIds::new("TASK-BOARDS-cpu-median", "CPU time of each engine on every board"),
        TableIds::new("TASK-BOARDS-memory-peak", "memory of each engine on every board"),
    ],
    make: |of| tables(of),
};

/// A table of times and one of memory for every task and kind of board.
fn tables(material: &Material<'_>) -> Vec<Table> {
    let lineup = &material.lineup;
    let mut tables = Vec::new();
    for &task in &lineup.tasks {
        let of_task = || lineup.trials.iter().filter(move |trial| trial.task == task);
        for terrain_here in distinct(of_task().map(|trial| material.group(trial.instance))) {
            let trials =
                of_task().filter(|trial| material.group(trial.instance) == terrain_here).collect();
            let place = Place { material, task, terrain: &terrain_here, trials };
            let mut times = place.table(
                "CPU time",
                "cpu_median",
                "s",
                "Median CPU seconds of finding, with making and loading the formula where one is \
                 read; the start of the process and the check of the solutions by the rules are not \
                 in it. A run without an answer counts as longer than all others.",
                |trial| trial.cpu_s().into(),
            );
            // The numbers that were asked for come first.
            times.notes.insert(0, place.solutions());
            let memory = place.table(
                "memory",
                "memory_peak",
                "MiB",
                "The largest resident memory of any of the runs that came to their end, the whole \
                 process counted.",
                |trial| match (trial.memory_peak_bytes(), trial.cpu_s()) {
                    (Some(bytes), _) => Item::Bytes(bytes),
                    (None, Some(Value::OverLimit)) => Value::OverLimit.into(),
                    (None, _) => Item::Missing,
                },
            );
            tables.extend([times, memory]);
        }
    }
    tables
}

/// What a table is about.
struct Place<'m, 'a> {
    material: &'m Material<'a>,
    task: Task,
    terrain: &'m str,
    trials: Vec<&'m Trial<'a>>,
}

impl Place<'_, '_> {
    /// What was found on each board, in a sentence.
    fn solutions(&self) -> String {
        if self.task == Task::Models {
            // They are those of a formula, not of the board.
            return "How many there are is in the table of models.".into();
        }
        let mut known = HashSet::new();
        let mut found: Vec<(&Instance, String)> = Vec::new();
        for trial in &self.trials {
            // Some that were enough are not all.
            let is_all = |row: &&Row| row.job.most.is_none();
            let solved = trial.solved().filter(is_all).and_then(|row| row.all.as_ref());
            if let Some(count) = solved.map(|all| &all.count)
                && known.insert(trial.instance)
            {
                found.push((trial.instance, count.to_string()));
            }
        }
        if found.is_empty() {
            return "No run found all solutions.".into();
        }
        found.sort_by_key(|(board, _)| (board.size(), *board));
        let words = self.material.words;
        let grouped = |digits: &str| digits.parse().map_or(digits.to_owned(), grouped);
        let told = found.iter().map(|(instance, count)| {
            let name = match instance.board() {
                Some(_) => words.size(instance.size()),
                None => self.material.name(instance),
            };
            format!("{} for {name}", grouped(count))
        });
        format!("Found: {}.", told.collect::<Vec<_>>().join(", "))
    }

    fn table(
        &self,
        what: &str,
        name: &str,
        unit: &str,
        about: &str,
        item: impl Fn(&Trial<'_>) -> Item,
    ) -> Table {
        let arms = &self.material.lineup.arms;
        let of_arms = arms.iter().enumerate().map(|(place, arm)| {
            let of_arm = self.trials.iter().filter(|trial| trial.arm == place);
            let of_arm: HashMap<&Instance, _> =
                of_arm.map(|trial| (trial.instance, trial)).collect();
            (place, arm, of_arm)
        });
        let mut columns = Columns::of(of_arms.filter(|(.., of_arm)| !of_arm.is_empty()))
            .words("engine", "Engine", |(place, arm, _)| Item::Encoding(*place, arm.engine.clone()))
            .words("encoding", "Reads", |(_, arm, _)| arm.reads());
        let boards = self.trials.iter().map(|trial| (trial.instance.size(), trial.instance));
        let mut sides = Vec::new();
        for (side, board) in boards.collect::<BTreeSet<_>>() {
            sides.push(side);
            let (suffix, head) = match sides.iter().filter(|known| **known == side).count() {
                1 => (String::new(), String::new()),
                again => (format!("_{again}"), format!(" ({again})")),
            };
            columns = columns.numbers(
                format!("{name}_{side}{suffix}_{unit}"),
                format!("{}{head} ({unit})", self.material.words.size(side)),
                |(.., of_arm)| of_arm.get(board).map(|trial| item(trial)),
            );
        }
        columns.table(
            escape::id(&[self.task.id(), self.terrain, name]),
            format!("{}: {what}, {}", self.task.id(), self.terrain),
            vec![about.to_owned()],
        )
    }
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_lab::{ExperimentRecord, NO_ENCODING};

    use super::*;
    use crate::tests::sample::{counted, on_side, timed_out};

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
