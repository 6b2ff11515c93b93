//! Times of B compared with those of A, by the rule of all comparisons of times.
//!
//! The record is one more factor: an arm (an encoding in a solver) is measured on the same boards in A and in
//! B. Runs with the same question and the same numbers of variables are pairs, which are drawn together. Boards
//! with a solution and boards without one are never pooled.

use bezzel_experiment::{Row, Task};
use bezzel_problem::Instance;
use bezzel_solve::Answer;
use indexmap::IndexMap;
use serde::Serialize;

use super::pair::RowPair;
use crate::comparison::{ANSWERS, ArmRuns, Measure, push_runs, rule};
use crate::counter_runs;
use crate::family::Families;
use crate::session_noise::SessionNoise;
use crate::statistics::cell;
use crate::statistics::{Contrast, LEVEL, Observation, Outcome, Outcomes, PairedDesign, outcomes};

/// The ratio of two times, B / A, over the boards of one answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Times {
    /// The answer of the boards.
    pub answer: Answer,
    /// The number of boards that have a share in the ratio.
    pub boards: usize,
    /// The number of these boards on which only one of the records is over the limit. Their ratio is only known to be
    /// above or below a bound.
    pub bounded: usize,
    /// The number of boards on which both records are over the limit. They are left out.
    pub left_out: usize,
    /// The least and the largest possible value of the geometric mean of the ratios. They are equal if no limit has a
    /// share in it.
    pub mean: Option<[Option<f64>; 2]>,
    /// The interval of 95 %. An open end is none.
    pub interval: Option<[Option<f64>; 2]>,
    /// The verdict of the interval: `equivalent` (within ten per cent), `less`, `more`, `undecided`, `too
    /// few instances`, `depends on the family`.
    pub relation: String,
    /// The families of the boards with the times of each, if there are several.
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

/// The observation of a row. The time of a run without an answer is a lower bound. For all solutions, the time covers
/// generation, loading and search.
fn observation(row: &Row) -> Option<(&Row, Observation)> {
    let seen = if row.job.task == Task::Solve {
        Measure::Time.of(row)?
    } else if row.solved() {
        Observation::Exact(counter_runs::cpu_s(row)?)
    } else {
        Observation::AtLeast(counter_runs::cpu_s(row)?)
    };
    cell::is_counted(row).then_some((row, seen))
}

/// The times of arms, each with its pairs; those over all arms, on each board their geometric mean; and the number of
/// boards that are left out, since a run on them [shared its core](Row::is_disturbed). `noises` are those of the sessions
/// of A and of B.
pub(super) fn of(
    arms: &[Vec<RowPair<'_>>],
    families: &Families<'_>,
    noises: &[SessionNoise; 2],
) -> (Vec<Vec<Times>>, Vec<Times>, usize) {
    let mut boards: IndexMap<&Instance, Vec<Vec<RowPair<'_>>>> = IndexMap::new();
    for (arm, pairs) in arms.iter().enumerate() {
        for pair in pairs {
            let on_board = boards.entry(&pair.a.job.instance);
            on_board.or_insert_with(|| vec![Vec::new(); arms.len()])[arm].push(*pair);
        }
    }
    // Each arm in B is followed by the same arm in A.
    let mut designs = ANSWERS.map(|answer| (answer, PairedDesign::new(2 * arms.len())));
    let mut disturbed = 0;
    for (board, of_arms) in &boards {
        let rows = || of_arms.iter().flatten().flat_map(|pair| [pair.a, pair.b]);
        if rows().any(|row| cell::is_counted(row) && row.is_disturbed()) {
            disturbed += 1;
            continue;
        }
        let answer = rows().rfind(|row| row.solved()).map(|row| row.status);
        let design = designs.iter_mut().find(|(known, _)| Some(*known) == answer);
        let Some((_, design)) = design else { continue };
        let runs = of_arms.iter().enumerate().flat_map(|(number, pairs)| {
            let both =
                pairs.iter().filter_map(|pair| Some((observation(pair.b)?, observation(pair.a)?)));
            let (in_b, in_a): (Vec<_>, Vec<_>) = both.unzip();
            let [noise_a, noise_b] = noises;
            [(in_b, noise_b), (in_a, noise_a)]
                .map(|(runs, noise)| ArmRuns::new(number, runs, Some(noise)))
        });
        push_runs(design, board.to_string(), families.of(board), runs);
    }
    let pairs: Vec<(usize, usize)> = (0..arms.len()).map(|arm| (2 * arm, 2 * arm + 1)).collect();
    let each = pairs.iter().map(|&(in_b, in_a)| Contrast::of(in_b, in_a));
    let contrasts: Vec<Contrast> = each.chain([Contrast { pairs: pairs.clone() }]).collect();
    let mut times = vec![Vec::new(); contrasts.len()];
    for (answer, design) in designs {
        let found = outcomes(&design, &contrasts, rule(Measure::Time), (LEVEL, LEVEL));
        for (times, outcomes) in times.iter_mut().zip(found) {
            times.extend(Times::new(answer, outcomes));
        }
    }
    let overall = times.pop().unwrap_or_default();
    (times, overall, disturbed)
}
