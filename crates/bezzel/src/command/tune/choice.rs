//! The choice of an arm on one half of the units, and its ratios on the other half.
//!
//! A unit is an instance, or a shuffle of the only instance. Units alternate between the halves. The choice has the least
//! geometric mean of PAR-2 times on its half. On the other half it is compared with the arm that is best there, and with
//! the default, by the ratios and intervals of reports.

use std::collections::BTreeMap;

use bezzel_experiment::Row;
use bezzel_report::comparison::Measure;
use bezzel_report::statistics::{
    Contrast, ContrastEstimate, DRAWS, DesignInstance, LEVEL, PairedDesign, estimate,
};
use bezzel_solve::Answer;

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
pub(super) struct Choice {
    pub(super) chosen: Arm,
    /// The numbers of units of both halves.
    pub(super) halves: (usize, usize),
    /// True if the units are the shuffles of one instance.
    pub(super) is_single: bool,
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

/// Chooses on the units with even places, and judges on the others. None if no unit has an answer.
pub(super) fn choose(rows: &[Row], default: &str) -> Option<Choice> {
    let is_single = rows.windows(2).all(|pair| pair[0].job.instance == pair[1].job.instance);
    let mut units: BTreeMap<String, Unit<'_>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.is_settled()) {
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
        if row.solved() {
            unit.answer = row.answer;
        }
        unit.runs.entry(Arm::of(row)).or_default().push(row);
    }
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
    Some(Choice {
        chosen: chosen.clone(),
        halves: (choosing.len(), judging.len()),
        is_single,
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
