//! From a record to the designs that statistics compare.

use bezzel_encode::Numbering;
use bezzel_experiment::{ClaimMeasure, Row, Verdict};
use bezzel_solve::Answer;

use crate::dataset::Dataset;
use crate::machine_groups;
use crate::machines::SessionNoise;
use crate::number::distinct;
use crate::row_statistics::cell::is_counted;
use crate::row_statistics::replicates::{Seeds, seeds_of};
use crate::row_statistics::{Cell, CellIndex};
use bezzel_statistics::paired_design::{DesignInstance, PairedDesign};
use bezzel_statistics::ranking::{Comparison, Ranking, SolverDesign, rank_all};
use bezzel_statistics::{DRAWS, Observation, Rule};
use indexmap::IndexSet;

/// The measure by which arms are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// CPU time of solving.
    Time,
    /// Conflicts, which do not depend on the machine.
    Conflicts,
    /// Steps of proofs. Only claims compare them.
    ProofSteps,
}

impl Measure {
    /// The measures of tables, times first.
    pub const ALL: [Self; 2] = [Self::Time, Self::Conflicts];

    /// The measure of a claim; none for one of the size of formulas, which has no runs.
    pub(crate) fn of_claim(measure: ClaimMeasure) -> Option<Self> {
        match measure {
            ClaimMeasure::Time => Some(Self::Time),
            ClaimMeasure::Conflicts => Some(Self::Conflicts),
            ClaimMeasure::ProofSteps => Some(Self::ProofSteps),
            ClaimMeasure::Clauses | ClaimMeasure::Variables => None,
        }
    }

    /// The word in ids.
    pub fn id(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Conflicts => "conflicts",
            Self::ProofSteps => "proof-steps",
        }
    }

    /// The words in a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::Time => "CPU time of solving",
            Self::Conflicts => "conflicts",
            Self::ProofSteps => "proof steps",
        }
    }

    /// The words for the cost of a run.
    pub(crate) fn cost(self) -> &'static str {
        if self == Self::Time { "CPU time" } else { self.words() }
    }

    /// The number that is added to both medians of a ratio, since zero has no logarithm: ten conflicts, or 0.1 ms.
    /// Tables show the ratio with a tenth of it and with ten times it if this matters.
    pub fn offset(self) -> f64 {
        match self {
            Self::Time => 1e-4,
            Self::Conflicts | Self::ProofSteps => 10.0,
        }
    }

    /// The offset in words.
    pub fn offset_words(self) -> &'static str {
        match self {
            Self::Time => "0.1 ms",
            Self::Conflicts => "10 conflicts",
            Self::ProofSteps => "10 steps",
        }
    }

    /// The observation of a run. None if it was not measured. A run without an answer took at least the CPU time that
    /// it had used for solving, under every limit, and at least the conflicts of its row.
    pub fn of(self, row: &Row) -> Option<Observation> {
        Some(match self {
            Self::Time if row.solved() => Observation::Exact(row.solve_cpu_s?),
            Self::Time => Observation::AtLeast(row.solve_cpu_at_least_s()),
            Self::Conflicts => {
                let conflicts = row.solver_stats.conflicts.map(|conflicts| conflicts as f64);
                if row.solved() {
                    Observation::Exact(conflicts?)
                } else {
                    Observation::AtLeast(conflicts.unwrap_or_default())
                }
            }
            Self::ProofSteps if row.solved() => {
                Observation::Exact(row.proof.as_ref()?.steps? as f64)
            }
            Self::ProofSteps => Observation::AtLeast(0.0),
        })
    }
}

/// The observations of a cell. None if an answer among them is unchecked: an unchecked answer is not ranked, and the
/// rest would be a biased choice.
pub fn observations(cell: &Cell<'_>, measure: Measure) -> Vec<Observation> {
    observations_with_rows(cell, measure).map(|(_, seen)| seen).collect()
}

/// The observations of a cell, each with its row.
fn observations_with_rows<'c>(
    cell: &'c Cell<'_>,
    measure: Measure,
) -> impl Iterator<Item = (&'c Row, Observation)> {
    let known = measure == Measure::Time
        || cell.rows.iter().any(|row| row.solver_stats.conflicts.is_some());
    let known = known && !is_unchecked(&cell.rows);
    let rows = cell.rows.iter().copied().filter(move |row| known && is_counted(row));
    rows.filter_map(move |row| Some((row, measure.of(row)?)))
}

/// The conditions that two runs share if they are a pair: the order and the seed of the numbering, the
/// seeds of the solver, the repetition, and the numbers of primary and of all variables. A renaming
/// shuffles all variables, so two formulas with other numbers of variables get other renamings from one
/// seed. A run whose formula is not known is no pair of any run: it has the number of its arm.
type PairKey = (Numbering, Seeds, u32, Result<(u64, u64), usize>);

fn pair_key(row: &Row, arm: usize) -> PairKey {
    let sizes = row.formula.as_ref().map(|formula| (formula.primary, formula.variables));
    (row.job.numbering, seeds_of(row), row.job.repeat, sizes.ok_or(arm))
}

/// True if an answer among the rows of a cell is unchecked.
pub fn is_unchecked(rows: &[&Row]) -> bool {
    rows.iter().any(|row| row.solved() && row.verdict == Verdict::Unchecked)
}

/// A comparison of all encodings under one numbering, by one measure, on the instances of one answer.
#[derive(Clone, Debug, PartialEq)]
pub struct EncodingRanking {
    /// The number of the numbering.
    pub numbering: usize,
    /// The measure.
    pub measure: Measure,
    /// The answer of the instances: instances with a solution and instances without one are never pooled.
    pub answer: Answer,
    /// The measurements.
    pub comparison: Comparison,
    /// The order that the measurements support.
    pub ranking: Ranking,
    /// The number of cells that are left out since an answer in them is unchecked.
    pub unchecked: usize,
}

impl EncodingRanking {
    /// The families of the instances, in the order of their first instances.
    pub fn families(&self) -> Vec<&str> {
        let designs = self.comparison.solvers.iter().map(|solver_design| &solver_design.design);
        distinct(designs.flat_map(|design| design.families()).map(|(family, _)| family))
    }
}

/// The largest number of encodings whose pairs a page shows.
pub(crate) const PAIRED: usize = 12;

/// The answers whose instances are compared, each separately. Instances without an answer are in no comparison.
pub const ANSWERS: [Answer; 2] = [Answer::Sat, Answer::Unsat];

/// The numbers of the instances of an answer.
pub fn instances_with_answer(dataset: &Dataset<'_>, answer: Answer) -> Vec<usize> {
    let all = 0..dataset.instances.len();
    all.filter(|&instance| dataset.answer(dataset.instances[instance]) == Some(answer)).collect()
}

/// The measures by which the runs of a record are comparable. Times of unlike machines are not.
pub(crate) fn measures(dataset: &Dataset<'_>) -> &'static [Measure] {
    if machine_groups::machines_differ(dataset) { &[Measure::Conflicts] } else { &Measure::ALL }
}

/// The rankings of every numbering, measure and answer with a comparison.
pub(crate) fn rankings(dataset: &Dataset<'_>) -> Vec<EncodingRanking> {
    // The intervals of hundreds of pairs show nothing: the factors of such arms are compared.
    if dataset.record.is_imported() && dataset.encodings.len() > PAIRED {
        return Vec::new();
    }
    let measures = measures(dataset);
    let each = (0..dataset.numberings.len())
        .flat_map(|numbering| measures.iter().map(move |&measure| (numbering, measure)))
        .flat_map(|(numbering, measure)| ANSWERS.map(|answer| (numbering, measure, answer)));
    let each = each.filter_map(|(numbering, measure, answer)| {
        let instances = instances_with_answer(dataset, answer);
        let comparison =
            comparison(dataset, numbering, measure, &instances).filter(has_replication)?;
        let unchecked = dataset.cells.iter().filter(|cell| {
            let CellIndex { instance, numbering: own, .. } = cell.index;
            own == numbering && instances.contains(&instance) && is_unchecked(&cell.rows)
        });
        Some((numbering, measure, answer, comparison, unchecked.count()))
    });
    let compared: Vec<(usize, Measure, Answer, Comparison, usize)> = each.collect();
    let ranked =
        rank_all(&compared.iter().map(|(.., comparison, _)| comparison).collect::<Vec<_>>());
    let each = compared.into_iter().zip(ranked);
    each.map(|((numbering, measure, answer, comparison, unchecked), ranking)| EncodingRanking {
        numbering,
        measure,
        answer,
        comparison,
        ranking,
        unchecked,
    })
    .collect()
}

/// An arm: the factor that a comparison varies, and the factors that it keeps fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arm {
    /// The number of the encoding.
    pub encoding: usize,
    /// The number of the numbering.
    pub numbering: usize,
    /// The number of the solver.
    pub solver: usize,
    /// The number of the record, if several are compared.
    pub record: usize,
}

/// The design of these arms, over those of the instances on which an arm was measured. Runs under the same conditions
/// are pairs. A [disturbed](Row::is_disturbed) instance is in no comparison of times.
pub fn paired_design(
    dataset: &Dataset<'_>,
    arms: &[Arm],
    measure: Measure,
    instances: &[usize],
) -> PairedDesign {
    // If limits differ, a run without an answer counts by its own bound.
    let mut limits = dataset.record.rows.iter().map(|row| row.job.limits.cpu_s);
    let limit = limits.next().filter(|first| limits.all(|other| other.total_cmp(first).is_eq()));
    let mut design =
        PairedDesign::new(arms.len()).limited(limit.filter(|_| measure == Measure::Time));
    for &instance in instances {
        let cells = on_instance(dataset, arms, instance);
        if measure == Measure::Time && is_disturbed(&cells) {
            continue;
        }
        let runs = cells.iter().enumerate().map(|(number, cell)| {
            let seen = cell.iter().flat_map(|cell| observations_with_rows(cell, measure));
            let noise = Some(&dataset.noise).filter(|_| measure == Measure::Time);
            ArmRuns::new(number, seen.collect(), noise)
        });
        let runs: Vec<ArmRuns<'_>> = runs.collect();
        if runs.iter().any(|of_arm| !of_arm.runs.is_empty()) {
            let name = dataset.instances[instance];
            push_runs(&mut design, name.to_string(), dataset.family(name), runs);
        }
    }
    design
}

/// The runs of an arm on an instance.
pub struct ArmRuns<'r> {
    /// The number that distinguishes its runs of unknown formulas.
    number: usize,
    /// The largest noise of the sessions of the runs.
    noise: f64,
    /// The rows with their observations.
    pub runs: Vec<(&'r Row, Observation)>,
}

impl<'r> ArmRuns<'r> {
    /// The timed runs of the arm of this number.
    pub fn timed(dataset: &Dataset<'_>, number: usize, runs: Vec<(&'r Row, Observation)>) -> Self {
        Self::new(number, runs, Some(&dataset.noise))
    }

    /// The runs of the arm of this number. `noise` is that of their record; none for a measure that does not depend on
    /// the machine.
    fn new(number: usize, runs: Vec<(&'r Row, Observation)>, noise: Option<&SessionNoise>) -> Self {
        let rows = runs.iter().map(|(row, _)| *row);
        Self { number, noise: noise.map_or(0.0, |noise| noise.largest(rows)), runs }
    }
}

/// Adds an instance with the runs of each arm of a design. Runs under the same conditions are pairs.
pub fn push_runs<'r>(
    design: &mut PairedDesign,
    name: String,
    family: String,
    runs: impl IntoIterator<Item = ArmRuns<'r>>,
) {
    let mut noises = Vec::new();
    let mut keys = IndexSet::new();
    let mut keyed = |ArmRuns { number: arm, noise, runs }: ArmRuns<'_>| {
        noises.push(noise);
        let runs = runs.into_iter();
        runs.map(|(row, seen)| (keys.insert_full(pair_key(row, arm)).0, seen)).collect()
    };
    let replicates: Vec<Vec<(usize, Observation)>> = runs.into_iter().map(&mut keyed).collect();
    design.push_keyed(DesignInstance { name, family }, replicates);
    design.set_noise(design.instances().len() - 1, noises);
}

/// The cells of these arms on an instance, in their order.
fn on_instance<'m, 'a>(
    dataset: &'m Dataset<'a>,
    arms: &[Arm],
    instance: usize,
) -> Vec<Option<&'m Cell<'a>>> {
    let cells = arms.iter().map(|&Arm { encoding, numbering, solver, record }| {
        dataset.cell(CellIndex { instance, solver, numbering, encoding, record })
    });
    cells.collect()
}

/// True if a run of these cells that would be compared is disturbed: it was not given its CPU time, so that no
/// other run on the instance compares with it.
fn is_disturbed(cells: &[Option<&Cell<'_>>]) -> bool {
    let checked = cells.iter().flatten().filter(|cell| !is_unchecked(&cell.rows));
    let mut rows = checked.flat_map(|cell| &cell.rows).filter(|row| is_counted(row));
    rows.any(|row| row.is_disturbed())
}

/// The number of instances that the rankings by time under a numbering leave out since a run on them is disturbed,
/// summed over the solvers.
pub(crate) fn count_disturbed(
    dataset: &Dataset<'_>,
    numbering: usize,
    instances: &[usize],
) -> usize {
    let encodings = encodings(dataset, numbering);
    let each = (0..dataset.solvers.len()).map(|solver| {
        let arms = arms(&encodings, numbering, solver);
        let is_left_out =
            |instance: &&usize| is_disturbed(&on_instance(dataset, &arms, **instance));
        instances.iter().filter(is_left_out).count()
    });
    each.sum()
}

/// The numbering of the computed answer: the first with several encodings.
pub(crate) fn first_numbering(dataset: &Dataset<'_>) -> usize {
    let mut all = 0..dataset.numberings.len();
    all.find(|&it| encodings(dataset, it).len() > 1).unwrap_or(0)
}

/// The encodings that were measured under a numbering.
pub(crate) fn encodings(dataset: &Dataset<'_>, numbering: usize) -> Vec<usize> {
    let seen = |encoding: &usize| {
        dataset
            .cells
            .iter()
            .any(|cell| cell.index.numbering == numbering && cell.index.encoding == *encoding)
    };
    (0..dataset.encodings.len()).filter(seen).collect()
}

/// The arms of these encodings.
pub(crate) fn arms(encodings: &[usize], numbering: usize, solver: usize) -> Vec<Arm> {
    encodings.iter().map(|&encoding| Arm { encoding, numbering, solver, record: 0 }).collect()
}

/// All encodings that were measured under a numbering on these instances, in every solver that has the measure. None if
/// there is no comparison.
pub fn comparison(
    dataset: &Dataset<'_>,
    numbering: usize,
    measure: Measure,
    instances: &[usize],
) -> Option<Comparison> {
    let encodings = encodings(dataset, numbering);
    if encodings.len() < 2 {
        return None;
    }
    let solver_designs = dataset.solvers.iter().enumerate().filter_map(|(solver, label)| {
        let design =
            paired_design(dataset, &arms(&encodings, numbering, solver), measure, instances);
        let cell = dataset
            .cells
            .iter()
            .find(|cell| cell.index.solver == solver && cell.index.numbering == numbering)?;
        // A solver that was run with one encoding alone is left out.
        let measured = |arm: &usize| design.medians(*arm).iter().any(Option::is_some);
        ((0..encodings.len()).filter(measured).count() > 1).then(|| SolverDesign {
            number: solver,
            label: timed_label(label, cell, measure),
            program: program(&cell.rows[0].job.solver).to_owned(),
            design,
        })
    });
    let solver_designs: Vec<SolverDesign> = solver_designs.collect();
    (!solver_designs.is_empty()).then(|| Comparison {
        arms: encodings.iter().map(|&encoding| dataset.encodings[encoding].clone()).collect(),
        solvers: solver_designs,
        rule: rule(measure),
    })
}

/// The rule that decides comparisons by a measure.
pub fn rule(measure: Measure) -> Rule {
    Rule { offset: measure.offset(), draws: DRAWS }
}

/// The label of a solver beside a measure: times that include writing a proof have its format in the label.
pub(crate) fn timed_label(label: &str, cell: &Cell<'_>, measure: Measure) -> String {
    match cell.rows[0].job.proof.filter(|_| measure == Measure::Time) {
        Some(format) => format!("{label} + {}", format.of_solver().to_string().to_uppercase()),
        None => label.to_owned(),
    }
}

/// True if a comparison has several instances, or several replicates of one.
fn has_replication(comparison: &Comparison) -> bool {
    comparison.solvers.iter().any(|solver_design| {
        let design = &solver_design.design;
        let measured = |place: &usize| {
            (0..design.arms()).filter(|&arm| !design.replicates(arm, *place).is_empty()).count() > 1
        };
        let shared: Vec<usize> = (0..design.instances().len()).filter(measured).collect();
        let several =
            |place: &usize| (0..design.arms()).any(|arm| design.replicates(arm, *place).len() > 1);
        shared.len() > 1 || shared.iter().any(several)
    })
}

/// The program of a solver's id. Presets of a program, and the same program linked or run, are one program, whose
/// agreement counts once.
pub(crate) fn program(solver: &str) -> &str {
    let id = solver.split(':').next().unwrap_or(solver);
    id.strip_suffix("-program").unwrap_or(id)
}

#[cfg(test)]
mod tests;
