//! Rows by what programs that compare solvers call a program and an instance.
//!
//! Such a *program* is an arm of the experiment: an encoding under a solver and a numbering. Its
//! *instances* are boards, with the shuffle and the repetition, since each has one time for a program.

use std::collections::{BTreeSet, HashMap};

use bezzel_lab::{NO_ENCODING, NO_SOLVER, Row};
use bezzel_solve::SEEDS;
use indexmap::IndexMap;

use crate::escape::id;
use crate::label::Labels;

/// An arm of an experiment, with its rows.
pub(super) struct Arm<'a> {
    /// The label of the encoding; nothing where an engine reads the board itself.
    pub(super) encoding: Option<String>,
    /// The label of the solver or engine, with the task unless it is the first solution; nothing where
    /// a formula is only measured.
    pub(super) solver: String,
    /// The label of the numbering.
    pub(super) numbering: String,
    /// What tells it from all others of the record.
    pub(super) name: String,
    /// A name for its file, without an ending.
    pub(super) file: String,
    /// The rows, each with the name of its instance, which is another for each of them.
    pub(super) rows: Vec<(String, &'a Row)>,
}

/// The arms of these rows, in the order of their first ones.
pub(super) fn arms(rows: &[Row]) -> Vec<Arm<'_>> {
    let labels = Labels::new(rows);
    let mut arms = IndexMap::new();
    let mut taken: HashMap<(usize, String), usize> = HashMap::new();
    let repeats = rows.iter().any(|row| row.job.repeat > 1);
    let mut seeds: HashMap<&str, BTreeSet<String>> = HashMap::new();
    for row in rows {
        seeds.entry(&row.job.solver).or_default().insert(seeds_of(row));
    }
    for row in rows {
        let job = &row.job;
        let encoding = (job.encoding != NO_ENCODING).then(|| job.encoding_label());
        let solver = match (&*job.solver, job.task) {
            (NO_SOLVER, task) => task.to_string(),
            _ => labels.with_task(row),
        };
        let numbering = labels.numbering(&job.numbering);
        let entry = arms.entry((encoding.clone(), solver.clone(), numbering.clone()));
        let place = entry.index();
        let arm = entry.or_insert_with(|| {
            let (name, file, rows) = (String::new(), String::new(), Vec::new());
            Arm { encoding, solver, numbering, name, file, rows }
        });
        // A solver may come with a seed that is always the same.
        let seeded = seeds[&*job.solver].len() > 1;
        let mut instance = instance(row, seeded, repeats);
        // What else may differ, such as a limit, is no part of the name.
        let times = taken.entry((place, instance.clone())).or_default();
        *times += 1;
        if *times > 1 {
            instance = format!("{instance} ({times})");
        }
        arm.rows.push((instance, row));
    }
    let mut arms: Vec<Arm<'_>> = arms.into_values().collect();
    name(&mut arms);
    arms
}

/// The board, with the seeds of its shuffle and the repetition.
fn instance(row: &Row, seeded: bool, repeats: bool) -> String {
    let job = &row.job;
    let mut words = vec![job.instance.to_string()];
    let numbering = &job.numbering;
    let seeds = [
        ("variables", numbering.variables),
        ("literals", numbering.literals),
        ("polarity", numbering.polarity),
        ("clauses", numbering.clauses),
    ];
    let mut known = seeds.iter().filter_map(|(_, seed)| *seed);
    let first = known.next();
    if let Some(first) = first.filter(|first| known.all(|seed| seed == *first)) {
        words.push(format!("shuffle {first}"));
    } else {
        let told = seeds.iter().filter_map(|(what, seed)| Some(format!("{what} {}", (*seed)?)));
        words.extend(told);
    }
    if seeded {
        words.push(seeds_of(row));
    }
    if repeats {
        words.push(format!("repeat {}", job.repeat));
    }
    words.join(", ")
}

/// The seeds of a row's solver.
fn seeds_of(row: &Row) -> String {
    let known = SEEDS.iter().filter_map(|name| Some((name, row.job.options.get(*name)?)));
    let words: Vec<String> = known.map(|(name, seed)| format!("{name} {seed}")).collect();
    words.join(", ")
}

/// Names the arms by what they do not all have.
fn name(arms: &mut [Arm<'_>]) {
    let one_numbering = arms.windows(2).all(|pair| pair[0].numbering == pair[1].numbering);
    let mut taken: HashMap<String, usize> = HashMap::new();
    for arm in arms {
        let words: Vec<&str> = arm
            .encoding
            .iter()
            .map(String::as_str)
            .chain([&*arm.solver])
            .chain((!one_numbering).then_some(&*arm.numbering))
            .collect();
        (arm.name, arm.file) = (words.join(", "), id(&words));
        // Two labels may differ in signs only, which no file's name has.
        let times = taken.entry(arm.file.clone()).or_default();
        *times += 1;
        if *times > 1 {
            arm.file = format!("{}.{times}", arm.file);
        }
    }
}
