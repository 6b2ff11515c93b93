//! Efforts and times of B beside those of A: arm by arm in a table, and in a few words.

use bezzel_lab::quantity::grouped;

use super::super::{Arm, Comparison, Times};
use crate::number::{count, significant};
use crate::statistics::Estimate;
use crate::table::{Column, Item, Table};

pub(super) fn arms(comparison: &Comparison) -> Table {
    let all = comparison.arms.iter().chain(std::iter::once(&comparison.overall));
    let row = |arm: &Arm| {
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
        vec![
            Item::Words(name.to_owned()),
            Item::Words(solver.clone().unwrap_or_default()),
            Item::Count(*jobs as u128),
            equal,
            Item::Count(times.boards as u128),
            times.mean.map_or(Item::Missing, |mean| Item::Words(range(mean))),
            times.interval.map_or(Item::Missing, |interval| Item::Words(bracketed(interval))),
            Item::Words(verdict(times).to_owned()),
        ]
    };
    Table {
        id: "effort-and-time".into(),
        title: "Effort and time".into(),
        columns: vec![
            Column::words("encoding", "encoding"),
            Column::words("solver", "solver"),
            Column::numbers("jobs", "jobs"),
            Column::numbers("efforts_equal", "efforts equal"),
            Column::numbers("boards", "boards"),
            Column::numbers("time_ratio", "time"),
            Column::numbers("interval_95", "95 %"),
            Column::words("verdict", "so"),
        ],
        rows: all.map(row).collect(),
        notes: notes(comparison),
    }
}

/// What one must know to read the times.
fn notes(comparison: &Comparison) -> Vec<String> {
    let times = &comparison.overall.times;
    let mut notes = vec![
        "time: the geometric mean over boards of B / A, with its bootstrap interval; equivalent: \
         the interval is within ten per cent of 1"
            .to_owned(),
    ];
    if times.short > 0 {
        notes.push(format!(
            "{} under 1 ms in both left out of the times",
            count(times.short, "job")
        ));
    }
    if times.limited > 0 {
        notes.push(format!(
            "{} at a limit left out of the times, which nobody knows",
            count(times.limited, "job")
        ));
    }
    if times.disturbed > 0 {
        notes.push(format!(
            "{} left out of the times, on boards on which a run shared its core until its wall limit",
            count(times.disturbed, "job")
        ));
    }
    if times.bounded > 0 {
        notes.push(format!(
            "on {} one of the records is at a limit: the ratio is bounded on one side only",
            count(times.bounded, "board")
        ));
    }
    if times.left_out > 0 {
        notes.push(format!(
            "on {} both records are at a limit: nothing is known of the ratio, which is left out",
            count(times.left_out, "board")
        ));
    }
    notes
}

fn verdict(times: &Times) -> &'static str {
    match times.relation.as_deref() {
        Some("equivalent") => "equivalent",
        Some("less") => "faster in B",
        Some("more") => "slower in B",
        Some("too few instances") => "too few boards",
        Some(_) => "undecided",
        None => "nothing to compare",
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
    let times = match (times.mean, times.interval) {
        (Some(mean), Some(interval)) => {
            format!("times {} {} of {whose}", range(mean), bracketed(interval))
        }
        (Some(mean), None) => {
            format!("times {} of {whose}, on {}", range(mean), count(times.boards, "board"))
        }
        (None, _) if times.short > 0 => "times too short to compare".to_owned(),
        (None, _) => "no times to compare".to_owned(),
    };
    format!("{efforts}, {times}")
}
