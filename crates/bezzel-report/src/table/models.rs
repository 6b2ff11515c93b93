//! Models: the number of models of each formula, auxiliary variables counted, compared with the solutions of its
//! instance.

use std::collections::HashMap;

use bezzel_experiment::{Count, Row, Task, Verdict};
use bezzel_problem::Instance;
use indexmap::IndexMap;

use super::columns::Columns;
use super::{Item, Table, TableIds, TableKind};
use crate::dataset::Dataset;
use crate::number::distinct;

/// The kind of table.
pub(super) const KIND: TableKind = TableKind::new(
    "models",
    &[TableIds::new("models", "models of each formula, and solutions")],
    |of| table(of).into_iter().collect(),
);

/// The counts of every formula for which the record has jobs that count models.
pub(crate) fn counted_formulas<'a>(dataset: &Dataset<'a>) -> Vec<CountedFormula<'a>> {
    let solutions = solutions(dataset.record.rows.iter());
    let formulas = formulas(dataset).into_iter().map(|((encoding, instance), rows)| {
        let is_verified = |row: &&&Row| row.verdict == Verdict::Verified;
        let representative = rows.iter().find(is_verified).or(rows.first()).copied();
        let models = representative.and_then(|row| row.all.as_ref()).map(|all| &all.count);
        let solutions = solutions.get(instance).copied();
        CountedFormula { encoding, instance, rows, representative, models, solutions }
    });
    formulas.collect()
}

/// Makes the table. None if no models were counted.
fn table(dataset: &Dataset<'_>) -> Option<Table> {
    Columns::of(counted_formulas(dataset))
        .words("encoding", "Encoding", |formula| formula.encoding.clone())
        .words("instance", "Instance", |formula| Item::instance(dataset, formula.instance))
        .numbers("models", "Models", |formula| formula.models.map(number))
        .numbers("solutions", "Solutions", |formula| formula.solutions.map(number))
        .numbers("models_per_solution", "Models for each solution", CountedFormula::models_per_solution)
        .results("verdict", "Verdict", |formula| match formula.representative {
            None => "not counted",
            Some(_) if formula.is_verified() => "verified",
            Some(_) => "unchecked",
        })
        .results("counted_by", "Counted by", |formula| {
            let count = |row: &&&Row| row.all.as_ref().map(|all| &all.count) == formula.models;
            let by = formula.rows.iter().filter(count).map(|row| dataset.solver(row));
            distinct(by).join(", ")
        })
        .some_table("models", "Models and solutions", || {
            let about = "Models are assignments to all variables of the formula. Solutions are models projected \
                 onto the values, from a verified count of the same instance. A number of models is \
                 verified if the values functionally define the auxiliary variables and the number \
                 equals that of the solutions, or if a second, independent program counts the same \
                 number. Enumeration without projection finds every solution as often as the ratio \
                 states, on average.";
            [about.to_owned()].into_iter().chain(dataset.common_settings()).collect()
        })
}

/// The counts of a formula.
pub(crate) struct CountedFormula<'m> {
    pub(crate) encoding: String,
    pub(crate) instance: &'m Instance,
    /// Sound rows that came to their end.
    pub(crate) rows: Vec<&'m Row>,
    /// The first verified one of them, or else the first one.
    pub(crate) representative: Option<&'m Row>,
    models: Option<&'m Count>,
    solutions: Option<&'m Count>,
}

impl CountedFormula<'_> {
    /// The models for each solution. None if one of both was not counted, or if the instance has no solution.
    pub(crate) fn models_per_solution(&self) -> Option<f64> {
        let counts = [self.models?, self.solutions?];
        let [models, solutions] = counts.map(|count| count.to_string().parse::<f64>().ok());
        Some(models? / solutions.filter(|&all| all > 0.0)?)
    }

    /// True if the number of models is verified.
    pub(crate) fn is_verified(&self) -> bool {
        self.representative.is_some_and(|row| row.verdict == Verdict::Verified)
    }
}

fn number(count: &Count) -> Item {
    u128::try_from(&count.0).map_or_else(|_| count.to_string().into(), Item::Count)
}

/// The sound rows of each formula that came to their end, in the order of the first rows.
fn formulas<'a>(dataset: &Dataset<'a>) -> IndexMap<(String, &'a Instance), Vec<&'a Row>> {
    let mut formulas: IndexMap<_, Vec<&Row>> = IndexMap::new();
    for row in dataset.rows(|row| row.job.task == Task::Models) {
        let rows = formulas.entry((dataset.encoding(row), &row.job.instance)).or_default();
        rows.extend(Some(row).filter(|row| row.solved() && row.all.is_some()));
    }
    formulas
}

/// The number of solutions of the instances, by verified rows.
fn solutions<'a>(rows: impl Iterator<Item = &'a Row>) -> HashMap<&'a Instance, &'a Count> {
    let mut solutions = HashMap::new();
    for row in rows {
        let job = &row.job;
        let is_all =
            job.task == Task::Count || (job.task == Task::Enumerate && job.max_solutions.is_none());
        if let Some(all) = row.all.as_ref().filter(|_| is_all && row.solved())
            && row.verdict == Verdict::Verified
        {
            solutions.entry(&job.instance).or_insert(&all.count);
        }
    }
    solutions
}

#[cfg(test)]
mod tests {
    use bezzel_experiment::NO_ENCODING;

    use super::*;
    use crate::tests::analysed;
    use crate::tests::sample::{counted, out_of_memory};

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
        late.termination = out_of_memory().termination;
        let rows = vec![
            counted("backtrack", NO_ENCODING, 0.5),
            models("ganak", "bitwise", 171_966_464, verified),
            models("components", "bitwise", 171_966_464, verified),
            models("ganak", "sequential-counter", 32_760_320, unchecked),
            models("ganak", "pairwise", 93, Verdict::Wrong),
            late,
        ];
        let table = analysed(rows, |of| table(of)).unwrap();
        let read: Vec<Vec<String>> =
            table.rows.iter().map(|row| row.iter().map(Item::read).collect()).collect();
        // 171,966,464 / 92 and 32,760,320 / 92.
        assert_eq!(
            read,
            [
                [
                    "bitwise",
                    "langford 8",
                    "171,966,464",
                    "92",
                    "1,870,000",
                    "verified",
                    "ganak, components"
                ],
                [
                    "sequential-counter",
                    "langford 8",
                    "32,760,320",
                    "92",
                    "356,000",
                    "unchecked",
                    "ganak"
                ],
                ["pairwise", "langford 8", "–", "92", "–", "not counted", ""],
                ["tree", "langford 8", "–", "92", "–", "not counted", ""],
            ]
        );
    }
}
