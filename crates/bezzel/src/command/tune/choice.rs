//! The choice of an arm on one half of the units, and its ratios on the other half.
//!
//! A unit is an instance, or a shuffle of the only instance. An arm with an unchecked answer has no runs on its unit, as
//! in reports. Units with an answer alternate between the halves. The choice has the least geometric mean of PAR-2 times
//! on its half. On the other half it is compared with the arm that is best there, and with the default, by the ratios
//! and intervals of reports.

use std::collections::BTreeMap;

use bezzel_experiment::Row;
use bezzel_report::comparison::{Measure, is_unchecked};
use bezzel_report::row_statistics::cell::is_counted;
use bezzel_solve::Answer;
use bezzel_statistics::{
    Contrast, ContrastEstimate, DRAWS, DesignInstance, LEVEL, PairedDesign, estimate,
};

/// An arm: everything that is chosen together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Arm {
    pub(super) encoding: String,
    /// The settings that differ from the default, such as `input order random:1`.
    pub(super) label: String,
    pub(super) input_order: String,
    pub(super) numbering: String,
    pub(super) solver: String,
}

impl Arm {
    fn of(row: &Row) -> Self {
        let job = &row.job;
        Self {
            encoding: job.encoding.clone(),
            label: job.encoding_label(),
            input_order: job.settings.input_order.to_string(),
            numbering: job.numbering.id(),
            solver: job.solver.clone(),
        }
    }
}

/// The choice with its judgement.
pub(super) struct JudgedChoice {
    pub(super) chosen: Arm,
    /// The numbers of units of both halves.
    pub(super) halves: (usize, usize),
    /// True if the units are the shuffles of one instance.
    pub(super) is_single: bool,
    /// The number of units that have unchecked answers and no other.
    pub(super) unchecked: usize,
    pub(super) judged: Vec<Judged>,
}

/// The comparison on the units of the other half with one answer.
pub(super) struct Judged {
    pub(super) answer: Answer,
    pub(super) units: usize,
    /// The arm with the least mean there.
    pub(super) best: Arm,
    /// The times of the choice as multiples of those of the best.
    pub(super) to_best: ContrastEstimate,
    /// The ratio to the default; none if the default is the choice.
    pub(super) to_default: Option<ContrastEstimate>,
}

/// The runs of a unit.
struct Unit<'r> {
    name: String,
    answer: Answer,
    runs: BTreeMap<Arm, Vec<&'r Row>>,
}

impl Unit<'_> {
    /// Removes the runs of each arm with an unchecked answer, and sets the answer. True if the unit has no answer
    /// for this reason.
    fn leave_out_unchecked(&mut self) -> bool {
        let arms = self.runs.len();
        self.runs.retain(|_, rows| !is_unchecked(rows));
        let solved = self.runs.values().flatten().find(|row| row.solved());
        self.answer = solved.map_or(Answer::Unknown, |row| row.status);
        self.runs.len() < arms && self.answer == Answer::Unknown
    }
}

/// The mean of the logarithms of the PAR-2 times of an arm; none if a unit has no run of it.
fn mean(units: &[&Unit<'_>], arm: &Arm) -> Option<f64> {
    let mut sum = 0.0;
    for unit in units {
        let rows = unit.runs.get(arm)?;
        let times = rows.iter().map(|row| {
            let time = row.solve_cpu_s.filter(|_| row.solved());
            (time.unwrap_or(2.0 * row.job.limits.cpu_s) + Measure::Time.offset()).ln()
        });
        sum += times.sum::<f64>() / rows.len() as f64;
    }
    Some(sum / units.len() as f64)
}

/// The arm with the least mean, the first of equal ones.
fn best<'u>(units: &[&'u Unit<'_>]) -> Option<&'u Arm> {
    let arms = units.first()?.runs.keys();
    let means = arms.filter_map(|arm| Some((arm, mean(units, arm)?)));
    means.min_by(|one, two| one.1.total_cmp(&two.1)).map(|(arm, _)| arm)
}

/// Chooses on the units with even places, and judges on the others. None if no unit has a checked answer.
pub(super) fn choose(rows: &[Row], default: &str) -> Option<JudgedChoice> {
    let is_single = rows.windows(2).all(|pair| pair[0].job.instance == pair[1].job.instance);
    let mut units: BTreeMap<String, Unit<'_>> = BTreeMap::new();
    for row in rows.iter().filter(|row| is_counted(row)) {
        let name = if is_single {
            let numbering = &row.job.numbering;
            let seed = numbering.variables.or(numbering.literals).unwrap_or_default();
            format!("shuffle {seed:06}")
        } else {
            row.job.instance.to_string()
        };
        let unit = units.entry(name.clone()).or_insert_with(|| Unit {
            name,
            answer: Answer::Unknown,
            runs: BTreeMap::new(),
        });
        unit.runs.entry(Arm::of(row)).or_default().push(row);
    }
    let unchecked: usize =
        units.values_mut().map(|unit| usize::from(unit.leave_out_unchecked())).sum();
    let answered: Vec<&Unit<'_>> =
        units.values().filter(|unit| unit.answer != Answer::Unknown).collect();
    let half = |odd: usize| answered.iter().copied().skip(odd).step_by(2).collect::<Vec<_>>();
    let (choosing, judging) = (half(0), half(1));
    let chosen = best(&choosing)?;
    let judged = [Answer::Sat, Answer::Unsat].into_iter().filter_map(|answer| {
        let units: Vec<&Unit<'_>> =
            judging.iter().copied().filter(|unit| unit.answer == answer).collect();
        let best = best(&units)?;
        let is_default = |arm: &&Arm| {
            arm.label == default && arm.solver == chosen.solver && arm.numbering == chosen.numbering
        };
        let default = units[0].runs.keys().find(is_default).filter(|arm| *arm != chosen);
        let compared: Vec<&Arm> = [chosen, best].into_iter().chain(default).collect();
        let contrasts: Vec<Contrast> =
            (1..compared.len()).map(|other| Contrast { pairs: vec![(0, other)] }).collect();
        let mut estimated =
            estimate(&design(&units, &compared), &contrasts, LEVEL, DRAWS).into_iter();
        let (to_best, to_default) = (estimated.next()?, estimated.next());
        Some(Judged { answer, units: units.len(), best: best.clone(), to_best, to_default })
    });
    Some(JudgedChoice {
        chosen: chosen.clone(),
        halves: (choosing.len(), judging.len()),
        is_single,
        unchecked,
        judged: judged.collect(),
    })
}

/// The times of some arms on units.
fn design(units: &[&Unit<'_>], arms: &[&Arm]) -> PairedDesign {
    let mut design = PairedDesign::new(arms.len());
    for unit in units {
        let observed = arms.iter().map(|arm| {
            let rows = unit.runs.get(*arm).into_iter().flatten();
            rows.filter_map(|row| Measure::Time.of(row)).collect()
        });
        let instance = DesignInstance { name: unit.name.clone(), family: String::new() };
        design.push(instance, observed.collect());
    }
    design.shifted(Measure::Time.offset())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bezzel_experiment::calibration::CalibrationJob;
    use bezzel_experiment::{Termination, Verdict};
    use bezzel_queens::Board;

    use super::*;

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
        let choice = choose(&rows, "pairwise").unwrap();
        assert_eq!(choice.chosen.encoding, "product");
        assert_eq!((choice.halves, choice.unchecked), ((1, 1), 1));
        assert_eq!(choice.judged.len(), 1);
        assert_eq!((choice.judged[0].answer, choice.judged[0].units), (Answer::Sat, 1));
        assert!(choose(&rows[4..], "pairwise").is_none());
    }
}
