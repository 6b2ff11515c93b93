//! Rows in the terms of programs that compare solvers: programs and instances.
//!
//! A *program* there is an arm of the experiment: an encoding under a solver and a numbering. Its *instances* are
//! boards with the shuffle and the repetition, since each has one time for a program.

use std::collections::{BTreeSet, HashMap};

use bezzel_experiment::{NO_ENCODING, NO_SOLVER, Row};
use bezzel_solve::SEEDS;
use indexmap::IndexMap;

use crate::escape::id;
use crate::label::Labels;

/// An arm of an experiment, with its rows.
pub(super) struct ProgramRows<'a> {
    /// The label of the encoding. None if an engine reads the board itself.
    pub(super) encoding: Option<String>,
    /// The label of the solver or engine, with the task unless it is the first solution. Empty if a formula is only
    /// measured.
    pub(super) solver: String,
    /// The label of the numbering.
    pub(super) numbering: String,
    /// The name, which is unique in the record.
    pub(super) name: String,
    /// A name for its file, without an ending.
    pub(super) file: String,
    /// The rows, each with the name of its instance, which is unique among them.
    pub(super) rows: Vec<(String, &'a Row)>,
}

/// The programs of these rows, in the order of their first ones.
pub(super) fn programs(rows: &[Row]) -> Vec<ProgramRows<'_>> {
    let labels = Labels::new(rows);
    let mut programs = IndexMap::new();
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
        let entry = programs.entry((encoding.clone(), solver.clone(), numbering.clone()));
        let place = entry.index();
        let program = entry.or_insert_with(|| {
            let (name, file, rows) = (String::new(), String::new(), Vec::new());
            ProgramRows { encoding, solver, numbering, name, file, rows }
        });
        // A solver may have a seed that is always the same.
        let seeded = seeds[&*job.solver].len() > 1;
        let mut instance = instance(row, seeded, repeats);
        // Other differences, such as a limit, are no part of the name.
        let times = taken.entry((place, instance.clone())).or_default();
        *times += 1;
        if *times > 1 {
            instance = format!("{instance} ({times})");
        }
        program.rows.push((instance, row));
    }
    let mut programs: Vec<ProgramRows<'_>> = programs.into_values().collect();
    name(&mut programs);
    programs
}

/// The board, with the seeds of its shuffle and the repetition.
fn instance(row: &Row, seeded: bool, repeats: bool) -> String {
    let board = std::iter::once(row.job.instance.to_string());
    board.chain(run_words(row, seeded, repeats)).collect::<Vec<_>>().join(", ")
}

/// The properties in which a run differs from others of its cell: the seeds of its shuffle; if `seeded`, the seeds of
/// its solver; if `repeats`, the repetition.
pub(crate) fn run_words(row: &Row, seeded: bool, repeats: bool) -> Vec<String> {
    let job = &row.job;
    let mut words = Vec::new();
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
        let parts = seeds.iter().filter_map(|(what, seed)| Some(format!("{what} {}", (*seed)?)));
        words.extend(parts);
    }
    if seeded {
        words.push(seeds_of(row));
    }
    if repeats {
        words.push(format!("repeat {}", job.repeat));
    }
    words
}

/// The seeds of a row's solver.
fn seeds_of(row: &Row) -> String {
    let known = SEEDS.iter().filter_map(|name| Some((name, row.job.options.get(*name)?)));
    let words: Vec<String> = known.map(|(name, seed)| format!("{name} {seed}")).collect();
    words.join(", ")
}

/// Names the programs by the labels that they do not have in common.
fn name(programs: &mut [ProgramRows<'_>]) {
    let one_numbering = programs.windows(2).all(|pair| pair[0].numbering == pair[1].numbering);
    let mut taken: HashMap<String, usize> = HashMap::new();
    for program in programs {
        let words: Vec<&str> = program
            .encoding
            .iter()
            .map(String::as_str)
            .chain([&*program.solver])
            .chain((!one_numbering).then_some(&*program.numbering))
            .collect();
        (program.name, program.file) = (words.join(", "), id(&words));
        // Two labels may differ only in signs, which names of files do not contain.
        let times = taken.entry(program.file.clone()).or_default();
        *times += 1;
        if *times > 1 {
            program.file = format!("{}.{times}", program.file);
        }
    }
}
