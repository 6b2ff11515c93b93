//! Solver statistics and times of B compared with those of A: arm by arm in a table, and in a few words.

use std::borrow::Cow;

use bezzel_experiment::quantity::grouped;

use super::super::{ArmComparison, RecordComparison, Times};
use crate::comparison::Measure;
use crate::instance_terms::InstanceTerms;
use crate::number::{count, significant};
use crate::statistics::{Estimate, Relation};
use crate::table::Table;
use crate::table::columns::Columns;

/// A row for each answer of an arm, and one for each family if the times depend on it. One row if no times are
/// compared.
pub(super) fn arms(comparison: &RecordComparison) -> Table {
    let all = comparison.arms.iter().chain(std::iter::once(&comparison.overall));
    Columns::of(all.flat_map(rows))
        .words("encoding", "encoding", |(arm, ..)| match (&arm.encoding, &arm.solver) {
            (None, None) => "all".to_owned(),
            (None, Some(_)) => "none".to_owned(),
            (Some(encoding), _) => encoding.clone(),
        })
        .words("solver", "solver", |(arm, ..)| arm.solver.clone().unwrap_or_default())
        .numbers("jobs", "jobs", |(arm, ..)| arm.jobs)
        .numbers("efforts_equal", "solver statistics equal", |(arm, ..)| {
            let efforts = arm.efforts;
            (efforts.compared > 0).then(|| format!("{} of {}", efforts.equal, efforts.compared))
        })
        .words("answer", "answer", |(_, times, family)| {
            times.map(|times| format!("{}{family}", times.answer))
        })
        .numbers("boards", comparison.words.adapt("boards"), |(_, times, _)| {
            times.map(|times| times.boards)
        })
        .numbers("time_ratio", "time", |(_, times, _)| times.and_then(|it| it.mean.map(range)))
        .numbers("interval_95", "95 %", |(_, times, _)| {
            times.and_then(|times| times.interval.map(bracketed))
        })
        .words("verdict", "verdict", |(_, times, _)| {
            times.map(|times| verdict(comparison.words, times).into_owned())
        })
        .table("effort-and-time", "Solver statistics and time", notes(comparison))
}

/// The rows of an arm: its times, with the family if they depend on it.
fn rows(arm: &ArmComparison) -> Vec<(&ArmComparison, Option<&Times>, String)> {
    let mut rows = Vec::new();
    for times in &arm.times {
        rows.push((arm, Some(times), String::new()));
        if depends_on_family(times) {
            let families = times.families.iter();
            rows.extend(families.map(|(name, here)| (arm, Some(here), format!(", {name}"))));
        }
    }
    if rows.is_empty() { vec![(arm, None, String::new())] } else { rows }
}

/// The rule of the times, and the boards that are left out.
fn notes(comparison: &RecordComparison) -> Vec<String> {
    let mut notes = vec![format!(
        "time: the geometric mean over {}s of the ratios of medians, B / A, with {} added to both; the \
         interval is computed as in reports; the level of each single interval is 95 %; a difference \
         must exceed the noise of the sessions that measured it, {} % at most; equivalent: the interval is within ten per cent of \
         1",
        comparison.words,
        Measure::Time.offset_words(),
        significant(100.0 * comparison.noise, 2)
    )];
    if comparison.disturbed > 0 {
        notes.push(format!(
            "{} left out of the times: a run shared its core until its wall limit",
            count(comparison.disturbed, comparison.words.noun())
        ));
    }
    for times in &comparison.overall.times {
        let boards = comparison.words.with_answer(times.answer);
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

fn verdict(terms: InstanceTerms, times: &Times) -> Cow<'static, str> {
    match times.relation.as_str() {
        "less" => "faster in B".into(),
        "more" => "slower in B".into(),
        "too few instances" => terms.adapt("too few boards"),
        other => other.to_owned().into(),
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

/// Solver statistics and times in a few words. The times are those of B compared with `whose`.
pub(super) fn measures(comparison: &RecordComparison, whose: &str) -> String {
    let ArmComparison { efforts, times, .. } = &comparison.overall;
    let efforts = match efforts.compared {
        0 => "no solver statistics to compare".to_owned(),
        compared => format!(
            "{} of {} solver statistics equal",
            grouped(efforts.equal as u128),
            grouped(compared as u128)
        ),
    };
    let times = times.iter().filter_map(|times| {
        if depends_on_family(times) {
            return Some(format!(
                "times that depend on the family on {}",
                comparison.words.with_answer(times.answer)
            ));
        }
        let interval = match times.interval {
            Some(interval) => bracketed(interval),
            None => format!("(too few {}s: {})", comparison.words, times.boards),
        };
        let boards = comparison.words.with_answer(times.answer);
        Some(format!("times {} {interval} of {whose} on {boards}", range(times.mean?)))
    });
    let times: Vec<String> = times.collect();
    if times.is_empty() {
        format!("{efforts}, no times to compare")
    } else {
        format!("{efforts}, {}", times.join(", "))
    }
}
