//! Efforts and times of B beside those of A: arm by arm in a table, and in a few words.

use bezzel_lab::quantity::grouped;

use super::super::{Arm, Comparison, Times};
use crate::contest::{Measure, boards_with};
use crate::number::{count, significant};
use crate::statistics::{Estimate, Relation};
use crate::table::{Column, Item, Table};

pub(super) fn arms(comparison: &Comparison) -> Table {
    let all = comparison.arms.iter().chain(std::iter::once(&comparison.overall));
    Table {
        id: "effort-and-time".into(),
        title: "Effort and time".into(),
        columns: vec![
            Column::words("encoding", "encoding"),
            Column::words("solver", "solver"),
            Column::numbers("jobs", "jobs"),
            Column::numbers("efforts_equal", "efforts equal"),
            Column::words("answer", "answer"),
            Column::numbers("boards", "boards"),
            Column::numbers("time_ratio", "time"),
            Column::numbers("interval_95", "95 %"),
            Column::words("verdict", "verdict"),
        ],
        rows: all.flat_map(rows).collect(),
        notes: notes(comparison),
    }
}

/// A row for each answer, and one for each family where the times depend on it; one if no times are compared.
fn rows(arm: &Arm) -> Vec<Vec<Item>> {
    let Arm { encoding, solver, jobs, efforts, times, .. } = arm;
    let name = match (encoding, solver) {
        (None, None) => "all",
        (None, Some(_)) => "none",
        (Some(encoding), _) => encoding,
    };
    let equal = match efforts.compared {
        0 => Item::Missing,
        compared => Item::Words(format!("{} of {compared}", efforts.equal)),
    };
    let row = |times: Option<&Times>, family: &str| {
        let mut row = vec![
            Item::Words(name.to_owned()),
            Item::Words(solver.clone().unwrap_or_default()),
            Item::Count(*jobs as u128),
            equal.clone(),
        ];
        row.extend(match times {
            None => vec![Item::Missing; 5],
            Some(times) => vec![
                Item::Words(format!("{}{family}", times.answer)),
                Item::Count(times.boards as u128),
                times.mean.map_or(Item::Missing, |mean| Item::Words(range(mean))),
                times.interval.map_or(Item::Missing, |interval| Item::Words(bracketed(interval))),
                Item::Words(verdict(times).to_owned()),
            ],
        });
        row
    };
    if times.is_empty() {
        return vec![row(None, "")];
    }
    let mut rows = Vec::new();
    for times in times {
        rows.push(row(Some(times), ""));
        if depends_on_family(times) {
            let families = times.families.iter();
            rows.extend(families.map(|(family, here)| row(Some(here), &format!(", {family}"))));
        }
    }
    rows
}

/// The rule of the times, and the boards that are left out.
fn notes(comparison: &Comparison) -> Vec<String> {
    let mut notes = vec![format!(
        "time: the geometric mean over boards of the ratios of medians, B / A, with {} added to both; the \
         interval is that of reports; each interval has 95 % by itself; a difference must exceed the noise of the machines, {} %; \
         equivalent: the interval is within ten per cent of 1",
        Measure::Time.offset_words(),
        significant(100.0 * comparison.noise, 2)
    )];
    if comparison.disturbed > 0 {
        notes.push(format!(
            "{} left out of the times: a run there shared its core until its wall limit",
            count(comparison.disturbed, "board")
        ));
    }
    for times in &comparison.overall.times {
        let boards = boards_with(times.answer);
        if times.bounded > 0 {
            notes.push(format!(
                "on {} of the {boards} one of the records is at a limit: the ratio is bounded on one side",
                times.bounded
            ));
        }
        if times.left_out > 0 {
            notes.push(format!(
                "on {} of the {boards} both records are at a limit: the ratio is unknown and left out",
                times.left_out
            ));
        }
    }
    notes
}

fn depends_on_family(times: &Times) -> bool {
    times.relation == Relation::DependsOnFamily.to_string()
}

fn verdict(times: &Times) -> &str {
    match times.relation.as_str() {
        "less" => "faster in B",
        "more" => "slower in B",
        "too few instances" => "too few boards",
        other => other,
    }
}

fn range([low, high]: [Option<f64>; 2]) -> String {
    Estimate { low, high }.to_string()
}

fn bracketed([low, high]: [Option<f64>; 2]) -> String {
    let read = |ratio: Option<f64>, open: &str| {
        ratio.map_or_else(|| open.to_owned(), |ratio| significant(ratio, 3))
    };
    format!("[{}, {}]", read(low, "0"), read(high, "∞"))
}

/// Efforts and times in a few words; the times are those of B beside `whose`.
pub(super) fn measures(comparison: &Comparison, whose: &str) -> String {
    let Arm { efforts, times, .. } = &comparison.overall;
    let efforts = match efforts.compared {
        0 => "no efforts to compare".to_owned(),
        compared => format!(
            "{} of {} efforts equal",
            grouped(efforts.equal as u128),
            grouped(compared as u128)
        ),
    };
    let times = times.iter().filter_map(|times| {
        if depends_on_family(times) {
            return Some(format!(
                "times that depend on the family on {}",
                boards_with(times.answer)
            ));
        }
        let interval = match times.interval {
            Some(interval) => bracketed(interval),
            None => format!("(too few boards: {})", times.boards),
        };
        let boards = boards_with(times.answer);
        Some(format!("times {} {interval} of {whose} on {boards}", range(times.mean?)))
    });
    let times: Vec<String> = times.collect();
    if times.is_empty() {
        format!("{efforts}, no times to compare")
    } else {
        format!("{efforts}, {}", times.join(", "))
    }
}
