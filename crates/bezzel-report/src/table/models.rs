//! Models: how many models each formula has, auxiliary variables counted, beside the solutions of its
//! board.

use std::collections::HashMap;

use bezzel_encode::{Board, Symmetry};
use bezzel_lab::{Count, Row, Task, Verdict};

use super::{Column, Item, Table, TableKind};
use crate::material::Material;
use crate::statistics::Value;

/// What was counted of a formula.
struct Formula<'a> {
    encoding: String,
    board: &'a Board,
    /// Sound rows that came to their end.
    rows: Vec<&'a Row>,
}

/// The kind of table.
pub(super) const KIND: TableKind =
    TableKind { id: "models", make: |of| table(of).into_iter().collect() };

/// Makes the table; none if no models were counted.
fn table(material: &Material<'_>) -> Option<Table> {
    let formulas = formulas(material);
    if formulas.is_empty() {
        return None;
    }
    let solutions = solutions(material.record.rows.iter());
    let lines = formulas.iter().map(|formula| line(formula, material, &solutions));
    Some(Table {
        id: "models".into(),
        title: "Models and solutions".into(),
        columns: vec![
            Column::words("encoding", "Encoding"),
            Column::words("board", "Board"),
            Column::numbers("models", "Models"),
            Column::numbers("solutions", "Solutions"),
            Column::numbers("models_per_solution", "Models for each solution"),
            Column::words("verdict", "Verdict"),
            Column::words("counted_by", "Counted by"),
        ],
        rows: lines.collect(),
        notes: [
            "Models are those of the formula, auxiliary variables counted; solutions are models projected \
             onto the squares, by a verified count of the same board. A number of models is verified where \
             the squares determine the auxiliary variables, so that it must be that of the solutions, or \
             where a second program that has nothing in common with the first came to the same. Who \
             enumerates without projecting finds every solution as often as the ratio says, on average."
                .to_owned(),
        ]
        .into_iter()
        .chain(material.set_alike())
        .collect(),
    })
}

/// What was counted, in the order of the first rows.
fn formulas<'a>(material: &Material<'a>) -> Vec<Formula<'a>> {
    let mut places: HashMap<(String, &Board), usize> = HashMap::new();
    let mut formulas: Vec<Formula<'a>> = Vec::new();
    for row in material.rows(|row| row.job.task == Task::Models) {
        let (encoding, board) = (material.encoding(row), &row.job.board);
        let place = *places.entry((encoding.clone(), board)).or_insert_with(|| {
            formulas.push(Formula { encoding, board, rows: Vec::new() });
            formulas.len() - 1
        });
        if row.solved() && row.all.is_some() {
            formulas[place].rows.push(row);
        }
    }
    formulas
}

/// How many solutions the boards have, by rows that were verified.
fn solutions<'a>(rows: impl Iterator<Item = &'a Row>) -> HashMap<&'a Board, &'a Count> {
    let mut solutions = HashMap::new();
    for row in rows {
        let job = &row.job;
        let is_all = job.task == Task::Count || (job.task == Task::Enumerate && job.most.is_none());
        let is_plain = is_all && job.settings.symmetry == Symmetry::None;
        if let Some(all) = row.all.as_ref().filter(|_| is_plain && row.solved())
            && row.verdict == Verdict::Verified
        {
            solutions.entry(&job.board).or_insert(&all.count);
        }
    }
    solutions
}

fn line(
    formula: &Formula<'_>,
    material: &Material<'_>,
    solutions: &HashMap<&Board, &Count>,
) -> Vec<Item> {
    let number = |count: &Count| match u128::try_from(&count.0) {
        Ok(number) => Item::Count(number),
        Err(_) => Item::Words(count.to_string()),
    };
    let is_verified = |row: &&&Row| row.verdict == Verdict::Verified;
    let told = formula.rows.iter().find(is_verified).or(formula.rows.first());
    let models = told.and_then(|row| row.all.as_ref()).map(|all| &all.count);
    let solutions = solutions.get(formula.board).copied();
    let ratio = models.zip(solutions).and_then(|(models, solutions)| {
        let [models, solutions] = [models, solutions].map(|count| count.to_string().parse::<f64>());
        let (models, solutions) = (models.ok()?, solutions.ok().filter(|&all| all > 0.0)?);
        Some(Value::Measured(models / solutions))
    });
    let verdict = match told {
        None => "not counted",
        Some(row) if row.verdict == Verdict::Verified => "verified",
        Some(_) => "unchecked",
    };
    let mut by: Vec<String> = Vec::new();
    for row in formula.rows.iter().filter(|row| row.all.as_ref().map(|all| &all.count) == models) {
        let engine = material.solver(row);
        if !by.contains(&engine) {
            by.push(engine);
        }
    }
    vec![
        Item::Words(formula.encoding.clone()),
        Item::Words(formula.board.to_string()),
        models.map_or(Item::Missing, number),
        solutions.map_or(Item::Missing, number),
        ratio.map_or(Item::Missing, Item::Value),
        Item::Words(verdict.to_owned()),
        Item::Words(by.join(", ")),
    ]
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_lab::{ExperimentRecord, NO_ENCODING};

    use super::*;
    use crate::sample::{counted, out_of_memory};

    fn models(engine: &str, encoding: &str, count: u64, verdict: Verdict) -> Row {
        let mut row = counted(engine, encoding, 1.0);
        row.job.task = Task::Models;
        row.verdict = verdict;
        row.all.as_mut().unwrap().count = count.into();
        row
    }

    #[test]
    fn models_stand_beside_solutions_with_their_ratio_and_who_counted_them() {
        let (verified, unchecked) = (Verdict::Verified, Verdict::Unchecked);
        let mut late = models("ganak", "tree", 3, unchecked);
        late.stop = out_of_memory().stop;
        let rows = vec![
            counted("backtrack", NO_ENCODING, 0.5),
            models("ganak", "bitwise", 171_966_464, verified),
            models("components", "bitwise", 171_966_464, verified),
            models("ganak", "sequential-counter", 32_760_320, unchecked),
            models("ganak", "pairwise", 93, Verdict::Wrong),
            late,
        ];
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        let registry = Registry::new();
        let table = table(&Material::new(&record, &registry)).unwrap();
        let read: Vec<Vec<String>> =
            table.rows.iter().map(|row| row.iter().map(Item::read).collect()).collect();
        // 171,966,464 / 92 and 32,760,320 / 92.
        assert_eq!(
            read,
            [
                ["bitwise", "8", "171,966,464", "92", "1,870,000", "verified", "ganak, components"],
                ["sequential-counter", "8", "32,760,320", "92", "356,000", "unchecked", "ganak"],
                ["pairwise", "8", "–", "92", "–", "not counted", ""],
                ["tree", "8", "–", "92", "–", "not counted", ""],
            ]
        );
    }

    #[test]
    fn without_a_count_of_models_there_is_no_table() {
        let rows = vec![counted("backtrack", NO_ENCODING, 0.5)];
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        assert!(table(&Material::new(&record, &Registry::new())).is_none());
    }
}
