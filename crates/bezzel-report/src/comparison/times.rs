//! Times of B beside those of A, by the rule of all comparisons of times.
//!
//! The record is one more factor: an arm (an encoding in a solver) is measured on the same boards in A and in
//! B. Runs with the same question and the same numbers of variables are pairs, which are drawn together. Boards
//! with a solution and boards without one are never pooled.

use std::collections::{HashMap, HashSet};

use bezzel_encode::Board;
use bezzel_lab::{Measured, Row, Task};
use bezzel_solve::Answer;
use serde::Serialize;

use super::is_answered;
use super::pair::Pair;
use crate::contest::{ANSWERS, Measure, noise_of, pair_key};
use crate::distinct::distinct;
use crate::family::Families;
use crate::lineup;
use crate::statistics::cell;
use crate::statistics::{
    Contrast, DRAWS, Instance, LEVEL, Observation, Outcome, Outcomes, Panel, Rule, outcomes,
};
use indexmap::IndexSet;

/// The ratio of two times, B / A, over the boards of one answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Times {
    /// The answer of the boards.
    pub answer: Answer,
    /// The boards that have a share in the ratio.
    pub boards: usize,
    /// The boards of these on which only one of the records is over the limit: their ratio is only known to be
    /// above or below a bound.
    pub bounded: usize,
    /// The boards on which both records are over the limit. They are left out.
    pub left_out: usize,
    /// The least and the largest value that the geometric mean of the ratios may have; the same, where
    /// no limit has a share in it.
    pub mean: Option<[Option<f64>; 2]>,
    /// The interval of 95 %, an end nothing where it is open.
    pub interval: Option<[Option<f64>; 2]>,
    /// The verdict of the interval: `equivalent` (within ten per cent), `less`, `more`, `undecided`, `too
    /// few instances`, `depends on the family`.
    pub relation: String,
    /// The families of the boards with the times of each, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub families: Vec<(String, Self)>,
}

impl Times {
    fn new(answer: Answer, Outcomes { overall, families }: Outcomes) -> Option<Self> {
        // The only family is the whole.
        let several = if families.len() > 1 { families } else { Vec::new() };
        let here = |(family, overall)| {
            let times = Self::new(answer, Outcomes { overall, families: Vec::new() });
            times.map(|times| (family, times))
        };
        let Outcome { ratio, interval, relation, .. } = overall;
        (ratio.instances + ratio.left_out > 0).then(|| Self {
            answer,
            boards: ratio.instances,
            bounded: ratio.bounded,
            left_out: ratio.left_out,
            mean: ratio.estimate.map(|estimate| [estimate.low, estimate.high]),
            interval: interval.map(|interval| [interval.low, interval.high]),
            relation: relation.to_string(),
            families: several.into_iter().filter_map(here).collect(),
        })
    }
}

/// CPU seconds of what is asked: of solving, or of making, loading and finding.
fn cpu_s(row: &Row) -> Option<f64> {
    if row.job.task == Task::First { row.solve_cpu_s } else { lineup::cpu_s(row) }
}

/// The observation of a row: the time of a run without an answer is a lower bound.
fn seen(row: &Row) -> Option<Observation> {
    if !cell::counts(row) {
        None
    } else if is_answered(row) {
        cpu_s(row).map(Observation::Exact)
    } else if row.job.task == Task::First {
        Some(Observation::AtLeast(row.solve_cpu_at_least_s()))
    } else {
        cpu_s(row).map(Observation::AtLeast)
    }
}

/// The times of all arms, and those over all arms: on each board the geometric mean over the arms.
pub(super) struct AllTimes {
    /// Of each arm, by answer.
    pub(super) arms: Vec<Vec<Times>>,
    /// Over all arms, by answer.
    pub(super) overall: Vec<Times>,
    /// The boards that are left out since a run on them [shared its core](Row::is_disturbed).
    pub(super) disturbed: usize,
}

/// The rule that decides: an effect must exceed the noise of both records.
pub(super) fn rule(a: &Measured, b: &Measured) -> Rule {
    let noise = [a, b].map(|measured| noise_of(&measured.readings, &measured.rows));
    let noise = noise.into_iter().fold(0.0, f64::max);
    Rule { offset: Measure::Time.offset(), noise, draws: DRAWS }
}

/// The times of arms, each with its pairs.
pub(super) fn of(arms: &[Vec<Pair<'_>>], families: &Families<'_>, rule: Rule) -> AllTimes {
    let rows = || arms.iter().flatten().flat_map(|pair| [pair.a, pair.b]);
    let answered = rows().filter(|row| is_answered(row));
    let answers: HashMap<&Board, Answer> =
        answered.map(|row| (&row.job.board, row.answer)).collect();
    let disturbed: HashSet<&Board> = rows()
        .filter(|row| cell::counts(row) && row.is_disturbed())
        .map(|row| &row.job.board)
        .collect();
    let boards: Vec<&Board> = distinct(rows().map(|row| &row.job.board));
    let by_board = arms.iter().map(|pairs| {
        let mut by_board: HashMap<&Board, Vec<Pair<'_>>> = HashMap::new();
        for pair in pairs {
            by_board.entry(&pair.a.job.board).or_default().push(*pair);
        }
        by_board
    });
    let by_board: Vec<HashMap<&Board, Vec<Pair<'_>>>> = by_board.collect();
    let mut all = AllTimes {
        arms: vec![Vec::new(); arms.len()],
        overall: Vec::new(),
        disturbed: disturbed.len(),
    };
    for answer in ANSWERS {
        let has = |board: &&&Board| answers.get(*board) == Some(&answer);
        let mut panel = Panel::new(2 * arms.len());
        for board in boards.iter().filter(has).filter(|board| !disturbed.contains(*board)) {
            let mut keys = IndexSet::new();
            let mut cells = Vec::new();
            for (arm, pairs) in by_board.iter().enumerate() {
                let here = pairs.get(board).map_or(&[][..], Vec::as_slice).iter();
                let here = here.filter_map(|pair| Some((pair, seen(pair.a)?, seen(pair.b)?)));
                let mut keyed = |row: &Row, seen| (keys.insert_full(pair_key(row, arm)).0, seen);
                let here = here.map(|(pair, a, b)| (keyed(pair.b, b), keyed(pair.a, a)));
                let (in_b, in_a) = here.unzip();
                cells.extend([in_b, in_a]);
            }
            let instance = Instance { name: board.to_string(), family: families.of(board) };
            panel.push_keyed::<usize>(instance, cells);
        }
        let pairs: Vec<(usize, usize)> =
            (0..arms.len()).map(|arm| (2 * arm, 2 * arm + 1)).collect();
        let mut contrasts: Vec<Contrast> =
            pairs.iter().map(|&(in_b, in_a)| Contrast::of(in_b, in_a)).collect();
        contrasts.push(Contrast { pairs });
        let found = outcomes(&panel, &contrasts, rule, (LEVEL, LEVEL));
        let mut times = found.into_iter().map(|outcomes| Times::new(answer, outcomes));
        for arm in &mut all.arms {
            arm.extend(times.next().flatten());
        }
        all.overall.extend(times.next().flatten());
    }
    all
}
