//! What stands out, in sentences computed from the rows. They compare factors; they rank nothing.

use bezzel_encode::Geometry;
use bezzel_lab::Row;
use bezzel_lab::calibration::{Noise, TOO_HIGH, noise};
use bezzel_lab::quantity::grouped;
use bezzel_solve::Answer;

use crate::escape::plain;
use crate::lineup::Trial;
use crate::machines::{self, Kind};
use crate::material::{Material, distinct};
use crate::number::{count, significant};
use crate::statistics::cell::{Counts, conflicts, times};
use crate::statistics::replicates::Replicates;
use crate::statistics::{Cell, Place, Value, median};

/// Fewer shuffles or seeds than these say little about the spread.
const ENOUGH_SEARCHES: usize = 10;
/// Below this, in CPU seconds, times say little.
const SHORT_S: f64 = 0.1;

/// The sentences.
pub(crate) fn findings(material: &Material<'_>) -> Vec<String> {
    let plane = material.largest_plane_number();
    let mut sentences: Vec<_> =
        plane.and_then(|board| sizes(material, board)).into_iter().collect();
    for board in [plane, largest_torus(material)].into_iter().flatten() {
        for solver in 0..material.solvers.len() {
            sentences.extend(effects(material, board, solver));
        }
    }
    sentences
}

fn largest_torus(material: &Material<'_>) -> Option<usize> {
    let boards = 0..material.boards.len();
    let torus = boards.filter(|&board| material.boards[board].geometry() == Geometry::Torus);
    torus.max_by_key(|&board| material.boards[board].rows())
}

/// How far apart the sizes of the formulas are.
fn sizes(material: &Material<'_>, board: usize) -> Option<String> {
    let cells = material.cells_on(board);
    let board = material.boards[board];
    let mut clauses: Vec<u64> = Vec::new();
    for encoding in 0..material.encodings.len() {
        let mut cells = cells.iter().filter(|cell| cell.place.encoding == encoding);
        clauses.extend(cells.find_map(Cell::formula).map(|formula| formula.clauses));
    }
    let (least, most) = (*clauses.iter().min()?, *clauses.iter().max()?);
    (clauses.len() > 1 && least > 0).then(|| {
        format!(
            "On board {board} the {} formulas have from {} to {} clauses, a factor of {}.",
            clauses.len(),
            grouped(least.into()),
            grouped(most.into()),
            significant(most as f64 / least as f64, 2)
        )
    })
}

/// The medians of all encodings under one numbering, in order.
type Medians = Vec<Option<Value>>;

/// How much the numbering does, and how much the encoding does, in one solver on one board.
fn effects(material: &Material<'_>, board: usize, solver: usize) -> Option<String> {
    let here = material.cells_on(board).iter().filter(|cell| cell.place.solver == solver);
    let mut rows = here.flat_map(|cell| &cell.rows);
    let told = rows.any(|row| row.effort.conflicts.is_some());
    // Conflicts do not depend on the machine's mood; zero of them is counted as one, to have ratios.
    let (what, least) = if told { ("median conflicts", 1.0) } else { ("median solve time", 0.0) };
    let measure: fn(&[&Row]) -> Vec<Value> = if told { conflicts } else { times };
    let mut unchecked = 0;
    let medians: Vec<(&String, Medians)> = (0..)
        .zip(&material.numberings)
        .map(|(numbering, name)| {
            let medians = (0..material.encodings.len()).map(|encoding| {
                let cell = &material.cell(Place { board, solver, numbering, encoding })?.rows;
                // What nobody checked is not compared.
                if Counts::of(cell).unchecked > 0 {
                    unchecked += 1;
                    return None;
                }
                median(&measure(cell))
            });
            (name, medians.collect())
        })
        .collect();
    let (board, solver) = (material.boards[board], &material.solvers[solver]);
    let mut parts = Vec::new();
    if let Some(((first, base), others)) = medians.split_first() {
        for (numbering, other) in others {
            let ratios: Vec<f64> =
                base.iter().zip(other).filter_map(|(a, b)| ratio(*a, *b, least)).collect();
            if let Some((low, high)) = extremes(&ratios) {
                let depending = if ratios.len() > 1 { ", depending on the encoding" } else { "" };
                parts.push(format!("{first} is {} times {numbering}{depending}", range(low, high)));
            }
        }
    }
    let between = medians.iter().filter_map(|(numbering, medians)| {
        let measured: Vec<f64> = medians
            .iter()
            .flatten()
            .filter_map(|value| value.measured())
            .map(|value| value.max(least))
            .collect();
        let (low, high) = extremes(&measured).filter(|_| measured.len() > 1)?;
        (low > 0.0).then(|| format!("{} under {numbering}", significant(high / low, 2)))
    });
    let between: Vec<_> = between.collect();
    if !between.is_empty() {
        parts.push(format!("the largest ratio between two encodings is {}", between.join(" and ")));
    }
    if parts.is_empty() {
        return None;
    }
    let all = medians.iter().flat_map(|(_, medians)| medians).flatten();
    let over = all.filter(|value| **value == Value::OverLimit).count();
    let left_out = [(over, "over the limit"), (unchecked, "with unchecked answers")];
    let left_out = left_out.iter().filter(|(number, _)| *number > 0);
    let left_out: Vec<_> =
        left_out.map(|(number, why)| format!("{} {why}", count(*number, "median"))).collect();
    let left_out = match &left_out[..] {
        [] => String::new(),
        several => format!(" Left out: {}.", several.join(", ")),
    };
    let zero = if told { " (0 counted as 1)" } else { "" };
    Some(format!(
        "{} on board {board}, {what}{zero}: {}.{left_out}",
        plain(solver),
        parts.join("; ")
    ))
}

fn ratio(one: Option<Value>, two: Option<Value>, least: f64) -> Option<f64> {
    let (one, two) = (one?.measured()?.max(least), two?.measured()?.max(least));
    (two > 0.0).then_some(one / two)
}

fn extremes(numbers: &[f64]) -> Option<(f64, f64)> {
    let low = numbers.iter().copied().reduce(f64::min)?;
    let high = numbers.iter().copied().reduce(f64::max)?;
    Some((low, high))
}

fn range(low: f64, high: f64) -> String {
    let (low, high) = (significant(low, 2), significant(high, 2));
    if low == high { low } else { format!("{low} to {high}") }
}

/// Reasons to read the report with care.
pub(crate) fn cautions(material: &Material<'_>) -> Vec<String> {
    let mut cautions = Vec::new();
    let mut say = |when: bool, text: &str| {
        if when {
            cautions.push(text.to_owned());
        }
    };
    if material.record.rows.is_empty() {
        return vec!["Nothing was run yet: there are no rows.".into()];
    }
    say(
        material.solvers.len() == 1,
        "One solver only: what is seen may be the solver's doing, not the encodings'.",
    );
    let searches = material.cells.iter().map(|cell| Replicates::of_searches(&cell.rows));
    if let Some(most) = searches.max_by_key(|searches| searches.number) {
        say(
            most.number < ENOUGH_SEARCHES,
            &format!(
                "{most} in a cell at most, repetitions not counted: times to a first solution \
                 spread widely, and fewer than {ENOUGH_SEARCHES} {} say little of how widely.",
                most.kind.several()
            ),
        );
    }
    let answers: Vec<_> = material.boards.iter().map(|board| material.answer(board)).collect();
    // Of numbers of solutions, and who found them, what follows says nothing.
    let first = !material.cells.is_empty();
    say(
        first && !answers.contains(&Some(Answer::Unsat)),
        "No board was found to be without a solution: boards with one, alone, say little of \
         encodings.",
    );
    let mut medians = material.cells.iter().filter_map(|cell| median(&cell.times()));
    say(
        first && medians.all(|time| time.measured().is_some_and(|seconds| seconds < SHORT_S)),
        &format!("All median times are below {SHORT_S} s, where they say little."),
    );
    let mut medians = material.lineup.trials.iter().filter_map(Trial::cpu_s);
    say(
        !material.lineup.trials.is_empty()
            && medians.all(|time| time.measured().is_some_and(|seconds| seconds < SHORT_S)),
        &format!(
            "All median times of engines are below {SHORT_S} s, where they say little of how these grow."
        ),
    );
    let environments = &material.record.environments;
    say(
        environments.iter().any(|session| !session.lost && !session.build.optimised),
        "Some rows were measured by a build without optimisation.",
    );
    say(
        environments.iter().any(|environment| environment.build.git_dirty == Some(true)),
        "Some rows were measured by a build whose sources had changes that no revision has.",
    );
    say(
        environments.iter().any(|environment| environment.parallel > 1),
        "Jobs ran at the same time, and may have slowed each other down.",
    );
    let noises = noise(&material.record.readings);
    say(
        noises.iter().any(Noise::is_too_high),
        "The machine was too noisy to rank by times; the notes under the tables say how noisy.",
    );
    say(
        noises.iter().any(Noise::is_shared),
        "Something else used the same core: a fixed formula took more than a quarter longer by the \
         clock than it computed.",
    );
    say(
        noises.iter().any(|noise| !noise.same_effort),
        "A fixed formula took another effort from one time to the next: something is not as \
         deterministic as it should be.",
    );
    let kind = |noise: &Noise| material.machines.kind(noise.session);
    let changed = |one: &Kind| {
        let alike = noises.iter().filter(|noise| kind(noise) == *one);
        let medians: Vec<f64> = alike.filter_map(|noise| noise.median_s).collect();
        extremes(&medians).is_some_and(|(low, high)| high > low * (1.0 + TOO_HIGH))
    };
    // That unlike machines are not equally fast is told below.
    say(
        distinct(noises.iter().map(kind)).iter().any(changed),
        "The machine was not equally fast in all sessions: a fixed formula took more than a tenth \
         longer in one than in another.",
    );
    cautions.extend(machines::warning(material));
    cautions
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    use crate::sample::{counted, seeded, shuffled, solved, timed_out, unchecked};
    use bezzel_encode::Registry;
    use bezzel_lab::calibration::Fixed;
    use bezzel_lab::{ExperimentRecord, NO_ENCODING, Stop, Workbench};

    fn with_conflicts(mut row: Row, encoding: &str, conflicts: u64) -> Row {
        row.job.encoding = encoding.into();
        row.effort.conflicts = Some(conflicts);
        row
    }

    fn sentences(rows: Vec<Row>) -> Vec<String> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        let registry = Registry::new();
        findings(&Material::new(&record, &registry))
    }

    fn warnings(rows: Vec<Row>) -> Vec<String> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        let registry = Registry::new();
        cautions(&Material::new(&record, &registry))
    }

    #[test]
    fn the_effect_of_numbering_stands_beside_that_of_the_encoding() {
        let rows = vec![
            with_conflicts(solved(1.0), "a", 9_000),
            with_conflicts(solved(1.0), "b", 6_000),
            with_conflicts(shuffled(1, 1.0), "a", 6),
            with_conflicts(shuffled(1, 1.0), "b", 300),
        ];
        assert_eq!(
            sentences(rows),
            ["batsat on board 8, median conflicts (0 counted as 1): as-generated is 20 to 1,500 \
              times random, depending on the encoding; the largest ratio between two encodings is \
              1.5 under as-generated and 50 under random."]
        );
    }

    #[test]
    fn no_ratio_is_taken_with_what_is_over_the_limit_or_zero() {
        let rows = vec![
            with_conflicts(timed_out(), "a", 90_000),
            with_conflicts(solved(1.0), "b", 50),
            with_conflicts(shuffled(1, 1.0), "a", 5),
            with_conflicts(shuffled(1, 1.0), "b", 0),
        ];
        assert_eq!(
            sentences(rows),
            ["batsat on board 8, median conflicts (0 counted as 1): as-generated is 50 times \
              random; the largest ratio between two encodings is 5.0 \
              under random. Left out: 1 median over the limit."]
        );
    }

    #[test]
    fn what_nobody_checked_is_not_compared() {
        let rows = vec![
            with_conflicts(unchecked(1.0), "a", 1),
            with_conflicts(solved(1.0), "b", 50),
            with_conflicts(solved(1.0), "c", 100),
        ];
        assert_eq!(
            sentences(rows),
            [
                "batsat on board 8, median conflicts (0 counted as 1): the largest ratio between two \
              encodings is 2.0 under as-generated. Left out: 1 median with unchecked answers."
            ]
        );
    }

    #[test]
    fn a_noisy_machine_and_one_that_changed_between_sessions_are_told() {
        let fixed = Fixed::new(&Workbench::standard(), Duration::ZERO).unwrap();
        let told = |sessions: &[&[f64]]| {
            let times = (0..)
                .zip(sessions)
                .flat_map(|(session, times)| times.iter().map(move |&time| (session, time)));
            let readings = times.map(|(session, time)| Row {
                answer: Answer::Unsat,
                solve_cpu_s: Some(time),
                session,
                ..Row::blank(fixed.planned.clone(), Stop::Finished)
            });
            let record = ExperimentRecord {
                rows: vec![solved(1.0)],
                readings: readings.collect(),
                ..ExperimentRecord::default()
            };
            let cautions = cautions(&Material::new(&record, &Registry::new()));
            ["too noisy", "not equally fast"]
                .map(|words| cautions.iter().any(|caution| caution.contains(words)))
        };
        assert_eq!(told(&[]), [false, false]);
        assert_eq!(told(&[&[1.0; 5], &[1.05; 5]]), [false, false]);
        assert_eq!(told(&[&[1.0; 5], &[1.2; 5]]), [false, true]);
        assert_eq!(told(&[&[1.0, 1.0, 1.0, 1.2, 1.2]]), [true, false]);
    }

    #[test]
    fn a_small_experiment_is_told_to_be_one() {
        let cautions = warnings(vec![solved(0.01)]);
        let says = |text: &str| cautions.iter().any(|caution| caution.starts_with(text));
        assert!(says("One solver only"));
        assert!(says("1 run in a cell at most"));
        assert!(says("No board was found to be without a solution"));
        assert!(says("All median times are below"));
        assert!(!says("Some rows"));
    }

    #[test]
    fn engines_are_told_to_be_quick_only_if_all_of_them_are() {
        let quick = counted("backtrack", NO_ENCODING, 0.01);
        let told = warnings(vec![quick.clone()]);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("All median times of engines are below"), "{told:?}");
        assert!(warnings(vec![quick, counted("blocking", "pairwise", 2.0)]).is_empty());
    }

    #[test]
    fn seeds_show_the_spread_as_shuffles_do_and_repetitions_do_not() {
        let few = |rows: Vec<Row>| {
            let warnings = warnings(rows);
            warnings.iter().find(|text| text.contains("in a cell at most")).cloned()
        };
        let seeds = |number| (0..number).map(|seed| seeded(seed, 1.0)).collect::<Vec<_>>();
        assert_eq!(few(seeds(10)), None);
        assert!(few(seeds(9)).unwrap().starts_with("9 seeds in a cell"));
        assert_eq!(few((0..10).map(|seed| shuffled(seed, 1.0)).collect()), None);
        let mut repeats = vec![solved(1.0); 20];
        (1..).zip(&mut repeats).for_each(|(repeat, row)| row.job.repeat = repeat);
        assert!(few(repeats).unwrap().starts_with("1 run in a cell"));
    }
}
