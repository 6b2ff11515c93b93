//! Times, by the interval of their ratio over boards.
//!
//! Where the same clauses went through the same program with the same effort, a job is the same work in
//! both records, and its two times are a pair: the ratio of each pair is taken first. Else another
//! shuffle is as good as this one, and the replicates of a board are summarised in each record first.

use std::collections::{HashMap, HashSet};

use bezzel_encode::Board;
use bezzel_lab::{Row, Task};
use serde::Serialize;

use super::is_answered;
use super::pair::Pair;
use crate::lineup;
use crate::material::terrain;
use crate::statistics::cell;
use crate::statistics::{
    Contrast, DRAWS, Estimated, Instance, LEVEL, Observation, Panel, Relation, estimate,
};

/// Jobs that took less than this in both records, in seconds, are left out: the clock's grain and the
/// start of a process are most of it.
pub const SHORT_S: f64 = 0.001;

/// The ratio of two times, B / A, over boards.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Times {
    /// The boards that have a share in it.
    pub boards: usize,
    /// The boards of these on which only one of the records is over the limit: their ratio is only
    /// known to be above or below a bound.
    pub bounded: usize,
    /// The boards on which both records are over the limit, where other work is compared: nothing is
    /// known of their ratio, and they are left out.
    pub left_out: usize,
    /// The jobs whose times are held against each other.
    pub jobs: usize,
    /// The jobs that took less than [`SHORT_S`] in both records, and are left out.
    pub short: usize,
    /// The jobs that were without an answer in one record or both, where the same work is compared
    /// pair by pair: left out.
    pub limited: usize,
    /// The jobs on boards on which a run [shared its core](Row::is_disturbed) until its wall limit: left out.
    pub disturbed: usize,
    /// Whether jobs are compared pair by pair, being the same work in both.
    pub paired: bool,
    /// The least and the largest value that the geometric mean of the ratios may have; the same, where
    /// no limit has a share in it.
    pub mean: Option<[Option<f64>; 2]>,
    /// The interval of 95 %, an end nothing where it is open.
    pub interval: Option<[Option<f64>; 2]>,
    /// The verdict of the interval: `equivalent` (within ten per cent), `less`, `more`, `undecided`, `too
    /// few instances`.
    pub relation: Option<String>,
}

impl Times {
    /// The mean, where it is known.
    pub fn exact(&self) -> Option<f64> {
        let [low, high] = self.mean?;
        low.filter(|_| low == high)
    }

    /// Enters the ratio over boards with its interval.
    fn enter(&mut self, Estimated { ratio, interval }: Estimated) {
        self.boards = ratio.instances;
        self.bounded = ratio.bounded;
        self.left_out = ratio.left_out;
        self.mean = ratio.estimate.map(|estimate| [estimate.low, estimate.high]);
        self.interval = interval.map(|interval| [interval.low, interval.high]);
        // Machines differ in these times, so there is no noise of one machine to exceed.
        self.relation = ratio.estimate.map(|_| Relation::of(interval, 0.0).to_string());
    }
}

/// The times of an arm, board by board, for the panel.
pub(super) struct Timed<'a> {
    times: Times,
    /// For each board the replicates of B and of A; of paired ones the ratios, and one.
    boards: Vec<(&'a Board, Vec<Observation>, Vec<Observation>)>,
}

/// CPU seconds of what is asked: of solving, or of making, loading and finding.
fn cpu_s(row: &Row) -> Option<f64> {
    if row.job.task == Task::First { row.solve_cpu_s } else { lineup::cpu_s(row) }
}

/// What a row shows of how long its job takes.
fn seen(row: &Row) -> Option<Observation> {
    if !cell::counts(row) {
        return None;
    }
    if is_answered(row) {
        return cpu_s(row).map(Observation::Exact);
    }
    let spent = match row.job.task {
        Task::First => row.solve_cpu_at_least_s(),
        _ => cpu_s(row).unwrap_or(0.0),
    };
    Some(Observation::AtLeast(spent.max(SHORT_S)))
}

impl<'a> Timed<'a> {
    /// Of the pairs of an arm; `same_work` if all of them are the same work in both records.
    pub(super) fn new(pairs: &[Pair<'a>], same_work: bool) -> Self {
        let mut times = Times { paired: same_work, ..Times::default() };
        let mut boards: Vec<(&Board, Vec<Observation>, Vec<Observation>)> = Vec::new();
        let mut places: HashMap<&Board, usize> = HashMap::new();
        let is_disturbed = |row: &Row| cell::counts(row) && row.is_disturbed();
        let disturbed: HashSet<&Board> = pairs
            .iter()
            .filter(|pair| is_disturbed(pair.a) || is_disturbed(pair.b))
            .map(|pair| &pair.a.job.board)
            .collect();
        for pair in pairs {
            let Some((a, b)) = seen(pair.a).zip(seen(pair.b)) else { continue };
            if disturbed.contains(&pair.a.job.board) {
                times.disturbed += 1;
                continue;
            }
            let is_short = !a.is_over() && !b.is_over() && a.bound().max(b.bound()) < SHORT_S;
            if is_short {
                times.short += 1;
                continue;
            }
            // Of other work each record has a median of its own, in which its runs at a limit have
            // their share: without those that the other one could not do either, it would be too small.
            if same_work && (a.is_over() || b.is_over()) {
                times.limited += 1;
                continue;
            }
            times.jobs += 1;
            let board = &pair.a.job.board;
            let place = *places.entry(board).or_insert(boards.len());
            if place == boards.len() {
                boards.push((board, Vec::new(), Vec::new()));
            }
            // A time has a logarithm.
            let (a, b) = (a.floored(SHORT_S / 1e3), b.floored(SHORT_S / 1e3));
            let (_, in_b, in_a) = &mut boards[place];
            if same_work {
                in_b.push(Observation::Exact(b.bound() / a.bound()));
                in_a.push(Observation::Exact(1.0));
            } else {
                in_b.push(b);
                in_a.push(a);
            }
        }
        Self { times, boards }
    }
}

/// The ratios of arms, and over all of them: on each board the geometric mean over the arms first.
pub(super) fn of(arms: Vec<Timed<'_>>) -> (Vec<Times>, Times) {
    let mut panel = Panel::new(2 * arms.len());
    let mut places: HashMap<&Board, usize> = HashMap::new();
    let mut cells: Vec<(&Board, Vec<Vec<Observation>>)> = Vec::new();
    let mut all: Vec<Times> = Vec::new();
    for (arm, Timed { times, boards }) in arms.into_iter().enumerate() {
        for (board, in_b, in_a) in boards {
            let place = *places.entry(board).or_insert(cells.len());
            if place == cells.len() {
                cells.push((board, Vec::new()));
            }
            // Arms without this board keep nothing on it.
            let replicates = &mut cells[place].1;
            replicates.resize(2 * arm, Vec::new());
            replicates.extend([in_b, in_a]);
        }
        all.push(times);
    }
    for (board, mut replicates) in cells {
        replicates.resize(2 * all.len(), Vec::new());
        let instance = Instance { name: board.to_string(), family: terrain(board) };
        panel.push(instance, replicates);
    }
    let pairs: Vec<(usize, usize)> = (0..all.len()).map(|arm| (2 * arm, 2 * arm + 1)).collect();
    let mut contrasts: Vec<Contrast> =
        pairs.iter().map(|&(in_b, in_a)| Contrast::of(in_b, in_a)).collect();
    contrasts.push(Contrast { pairs });
    let mut estimated = estimate(&panel, &contrasts, LEVEL, DRAWS);
    let of_all = estimated.pop();
    for (times, estimated) in all.iter_mut().zip(estimated) {
        times.enter(estimated);
    }
    let sum = |of: fn(&Times) -> usize| all.iter().map(of).sum();
    let mut overall = Times {
        jobs: sum(|times| times.jobs),
        short: sum(|times| times.short),
        limited: sum(|times| times.limited),
        disturbed: sum(|times| times.disturbed),
        paired: all.iter().all(|times| times.paired),
        ..Times::default()
    };
    if let Some(of_all) = of_all {
        overall.enter(of_all);
    }
    (all, overall)
}
