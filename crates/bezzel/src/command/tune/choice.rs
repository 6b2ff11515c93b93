//! The choice of an arm on the units that choose, its ratios on the units that judge, and its bound on new units.
//!
//! An arm with an unchecked answer has no runs on its unit, as in reports. The choice has the least geometric mean of PAR2
//! times, among the arms that were not stopped. On the other units it is compared with the arm that is best there, and with
//! the default, by the ratios and intervals of reports. On each of these units its time is divided by the least time of an
//! arm. An order statistic of these quotients bounds those of new units.

use std::collections::BTreeMap;

use bezzel_experiment::Row;
use bezzel_report::comparison::{Measure, is_unchecked};
use bezzel_report::row_statistics::cell::is_counted;
use bezzel_solve::Answer;
use bezzel_statistics::{
    Contrast, ContrastEstimate, DRAWS, DesignInstance, LEVEL, PairedDesign, estimate,
};

use super::entries::{Arm, Entries, UnitKind, penalised_log};

/// The choice with its judgement.
pub(super) struct JudgedChoice {
    pub(super) chosen: Arm,
    /// The numbers of instances, or of shuffles of the only one, that choose and that judge.
    pub(super) halves: (usize, usize),
    pub(super) kind: UnitKind,
    /// The number of arms at the start.
    pub(super) arms: usize,
    /// The numbers of arms that were stopped: surely worse, and for lack of time.
    pub(super) stopped: [usize; 2],
    /// The number of instances that have unchecked answers and no other.
    pub(super) unchecked: usize,
    pub(super) judged: Vec<Judged>,
    /// The time of the choice divided by the least time of an arm, for each unit that judges. Infinite if a run of the
    /// choice ended at a limit.
    pub(super) regrets: Vec<f64>,
}

/// The comparison on the instances that judge with one answer.
pub(super) struct Judged {
    pub(super) answer: Answer,
    pub(super) units: usize,
    /// The arm with the least mean there.
    pub(super) best: Arm,
    /// The times of the choice as multiples of those of the best.
    pub(super) to_best: ContrastEstimate,
    /// The ratio to the default; none if the default is the choice, or was stopped.
    pub(super) to_default: Option<ContrastEstimate>,
}

/// The runs on an instance, or on a shuffle of the only one.
struct Part<'r> {
    name: String,
    /// The name of its unit.
    unit: String,
    judges: bool,
    answer: Answer,
    runs: BTreeMap<Arm, Vec<&'r Row>>,
}

impl Part<'_> {
    /// Removes the runs of each arm with an unchecked answer, and sets the answer. True if the part has no answer
    /// for this reason.
    fn leave_out_unchecked(&mut self) -> bool {
        let arms = self.runs.len();
        self.runs.retain(|_, rows| !is_unchecked(rows));
        let solved = self.runs.values().flatten().find(|row| row.solved());
        self.answer = solved.map_or(Answer::Unknown, |row| row.status);
        self.runs.len() < arms && self.answer == Answer::Unknown
    }
}

/// The mean of the logarithms of the PAR2 times of an arm; none if a part has no run of it.
fn mean(parts: &[&Part<'_>], arm: &Arm) -> Option<f64> {
    let logs = parts.iter().map(|part| part.runs.get(arm).map(|rows| penalised_log(rows)));
    let logs: Vec<f64> = logs.collect::<Option<_>>()?;
    Some(logs.iter().sum::<f64>() / logs.len() as f64)
}

/// The arm with the least mean, the first of equal ones.
fn best<'p>(parts: &[&'p Part<'_>]) -> Option<&'p Arm> {
    let arms = parts.first()?.runs.keys();
    let means = arms.filter_map(|arm| Some((arm, mean(parts, arm)?)));
    means.min_by(|one, two| one.1.total_cmp(&two.1)).map(|(arm, _)| arm)
}

/// The runs of the arms that go on, on the units that are complete.
fn parts<'r>(rows: &'r [Row], entries: &Entries) -> Vec<Part<'r>> {
    let mut parts: BTreeMap<String, Part<'r>> = BTreeMap::new();
    for row in rows.iter().filter(|row| is_counted(row)) {
        let arm = Arm::of(&row.job);
        let Some(place) = entries.place(&row.job).filter(|_| entries.goes_on(&arm)) else {
            continue;
        };
        let is_compared = place.judges || place.turn < entries.compared();
        if !is_compared || !entries.is_complete(place) {
            continue;
        }
        let unit = entries.unit(&row.job);
        let name = match entries.kind {
            UnitKind::Shuffle => unit.clone(),
            UnitKind::Family | UnitKind::Instance => row.job.instance.to_string(),
        };
        let part = parts.entry(name.clone()).or_insert_with(|| Part {
            name,
            unit,
            judges: place.judges,
            answer: Answer::Unknown,
            runs: BTreeMap::new(),
        });
        part.runs.entry(arm).or_default().push(row);
    }
    parts.into_values().collect()
}

/// Chooses and judges. None if no unit that chooses has a checked answer.
pub(super) fn choose(rows: &[Row], entries: &Entries, default: &str) -> Option<JudgedChoice> {
    let mut parts = parts(rows, entries);
    let unchecked = parts.iter_mut().map(|part| usize::from(part.leave_out_unchecked())).sum();
    let answered = parts.iter().filter(|part| part.answer != Answer::Unknown);
    let (judging, choosing): (Vec<&Part<'_>>, Vec<&Part<'_>>) =
        answered.partition(|part| part.judges);
    let chosen = best(&choosing)?;
    let judged = [Answer::Sat, Answer::Unsat].into_iter().filter_map(|answer| {
        let parts: Vec<&Part<'_>> =
            judging.iter().copied().filter(|part| part.answer == answer).collect();
        let best = best(&parts)?;
        let is_default = |arm: &&Arm| {
            arm.label == default && arm.solver == chosen.solver && arm.numbering == chosen.numbering
        };
        let default = parts[0].runs.keys().find(is_default).filter(|arm| *arm != chosen);
        let compared: Vec<&Arm> = [chosen, best].into_iter().chain(default).collect();
        let contrasts: Vec<Contrast> =
            (1..compared.len()).map(|other| Contrast::of(0, other)).collect();
        let mut estimated =
            estimate(&design(&parts, &compared), &contrasts, LEVEL, DRAWS).into_iter();
        let (to_best, to_default) = (estimated.next()?, estimated.next());
        Some(Judged { answer, units: parts.len(), best: best.clone(), to_best, to_default })
    });
    Some(JudgedChoice {
        judged: judged.collect(),
        chosen: chosen.clone(),
        halves: (choosing.len(), judging.len()),
        kind: entries.kind,
        arms: entries.arms.len(),
        stopped: entries.stopped(),
        unchecked,
        regrets: regrets(&judging, chosen),
    })
}

/// The time of the choice divided by the least time of an arm, for each unit. Means are geometric; runs that ended at a
/// limit count as the limit, and those of the choice as infinite, so that no quotient is too small.
fn regrets(parts: &[&Part<'_>], chosen: &Arm) -> Vec<f64> {
    let mut units: BTreeMap<&str, Vec<&Part<'_>>> = BTreeMap::new();
    for part in parts {
        units.entry(&part.unit).or_default().push(part);
    }
    let log = |rows: &Vec<&Row>| -> (f64, bool) {
        let seen: Vec<_> = rows.iter().filter_map(|row| Measure::Time.of(row)).collect();
        let logs = seen.iter().map(|time| (time.bound() + Measure::Time.offset()).ln());
        (logs.sum::<f64>() / seen.len() as f64, seen.iter().any(|time| time.is_over()))
    };
    let regret = |parts: &Vec<&Part<'_>>| {
        let of_arm = |arm: &Arm| -> Option<(f64, bool)> {
            let logs = parts.iter().map(|part| part.runs.get(arm).map(&log));
            let logs: Vec<(f64, bool)> = logs.collect::<Option<_>>()?;
            let sum: f64 = logs.iter().map(|(log, _)| log).sum();
            Some((sum / logs.len() as f64, logs.iter().any(|(_, is_over)| *is_over)))
        };
        let own = of_arm(chosen).filter(|(_, is_over)| !is_over);
        let others = parts[0].runs.keys().filter_map(of_arm);
        let least = others.map(|(log, _)| log).fold(f64::INFINITY, f64::min);
        own.map_or(f64::INFINITY, |(own, _)| (own - least).exp())
    };
    units.values().map(regret).collect()
}

/// The times of some arms on parts.
fn design(parts: &[&Part<'_>], arms: &[&Arm]) -> PairedDesign {
    let mut design = PairedDesign::new(arms.len());
    for part in parts {
        let observed = arms.iter().map(|arm| {
            let rows = part.runs.get(*arm).into_iter().flatten();
            rows.filter_map(|row| Measure::Time.of(row)).collect()
        });
        let instance = DesignInstance { name: part.name.clone(), family: String::new() };
        design.push(instance, observed.collect());
    }
    design.shifted(Measure::Time.offset())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::time::Duration;

    use bezzel_experiment::calibration::CalibrationJob;
    use bezzel_experiment::{Job, Termination, Verdict};
    use bezzel_queens::Board;

    use super::*;
    use crate::command::run::JobChooser;

    /// A run on an empty board, with its answer, the verdict on it, and its time.
    fn run(side: u32, encoding: &str, answer: Answer, verdict: Verdict, time: f64) -> Row {
        let fixed =
            CalibrationJob::new(&bezzel_queens::experiment::catalog(), Duration::ZERO).unwrap();
        let mut row = Row::blank(fixed.planned.clone(), Termination::Finished);
        row.job.instance = Board::new(side).unwrap().into();
        encoding.clone_into(&mut row.job.encoding);
        row.status = answer;
        row.verdict = verdict;
        row.solve_cpu_s = Some(time);
        row
    }

    fn at_limit(side: u32, encoding: &str) -> Row {
        let row = run(side, encoding, Answer::Unknown, Verdict::Unchecked, 1.0);
        Row { termination: Termination::CpuLimit, ..row }
    }

    #[test]
    fn an_unchecked_answer_counts_neither_for_an_arm_nor_for_an_instance() {
        let sat = |side, encoding, time| run(side, encoding, Answer::Sat, Verdict::Verified, time);
        let rows = [
            sat(4, "pairwise", 2.0),
            sat(4, "product", 1.0),
            sat(5, "pairwise", 2.0),
            sat(5, "product", 1.0),
            run(6, "pairwise", Answer::Unsat, Verdict::Unchecked, 0.001),
            at_limit(6, "product"),
        ];
        let chosen = |rows: &[Row]| {
            let jobs: Vec<&Job> = rows.iter().map(|row| &row.job).collect();
            let entries = Entries::new(&jobs, HashMap::new(), 60.0, Duration::ZERO);
            for row in rows {
                entries.take(row);
            }
            choose(rows, &entries, "pairwise")
        };
        let choice = chosen(&rows).unwrap();
        assert_eq!(choice.chosen.encoding, "product");
        assert_eq!((choice.halves, choice.unchecked), ((1, 1), 1));
        assert_eq!(choice.judged.len(), 1);
        assert_eq!((choice.judged[0].answer, choice.judged[0].units), (Answer::Sat, 1));
        assert_eq!(choice.regrets, [1.0]);
        assert!(chosen(&rows[4..]).is_none());
    }
}
