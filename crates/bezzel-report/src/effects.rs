//! Effects: the ratio of measurements after and before a change of one factor other than the encoding.
//!
//! An arm is an encoding, its settings, a numbering and a solver. Two arms with the same encoding are compared if they
//! differ only in one setting, in their numbering, in one option of the solver, in proof writing or, for times, in the
//! program of the solver. Options of different programs are not compared. The ratio of an instance is the geometric
//! mean over the encodings that were measured in both arms. Opposite effects on two encodings cancel. The encodings of
//! an experiment are chosen, not drawn, so the bootstrap does not resample them.
//!
//! A setting, as the input order or the use of at-most-one groups in sums, has an effect of its own on each encoding:
//! it leaves the clauses of some encodings as they are, and a mean over encodings would depend on their share.
//!
//! Satisfiable and unsatisfiable instances are never pooled. Each family of instances has its own effect.
//! An effect over all families has a ratio, unless two of these verdicts are opposite: those of the families, and the
//! one over all families.

mod solver_change;

use std::collections::BTreeSet;

use bezzel_encode::{SettingAxis, Settings};
use bezzel_experiment::Row;
use bezzel_solve::Answer;
use indexmap::IndexMap;

use self::solver_change::{change, rest};
use crate::comparison::{
    ANSWERS, Arm, Measure, instances_with_answer, measures, paired_design, rule,
};
use crate::dataset::Dataset;
use crate::number::distinct;
use crate::row_statistics::{Cell, CellIndex};
use crate::treatment::{ChangedPart, Treatment, Treatments};
use bezzel_statistics::{
    Compared, Contrast, LEVEL, Outcome, Outcomes, PairedDesign, Rule, compare_solvers, outcomes,
    simultaneous,
};

/// The name of the factor of numberings.
pub(crate) const NUMBERING: &str = "numbering";
/// The name of the factor of programs of solvers.
pub(crate) const PROGRAM: &str = "solver";
/// The name of the factor of proof writing.
const PROOFS: &str = "proofs";
/// The name of the factor of records.
const RECORD: &str = "record";
/// The same over all cells together, with an interval of its own.
pub(crate) const ALL_CELLS: &str = "record, all cells";

/// The effect of a change from one level of a factor to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The measure.
    pub measure: Measure,
    /// The factor: `numbering`, the label of a setting as `input order`, `solver`, `proofs`, the name of an option, or
    /// `record`.
    pub factor: String,
    /// The level before the change.
    pub from: String,
    /// The level after the change.
    pub to: String,
    /// The settings that are held fixed: the solver if the numbering changes, the numbering if the solver changes, both
    /// if an option or proof writing changes, and the encoding, the numbering and the solver if a setting changes.
    pub held: String,
    /// The arm before the change, the first of several.
    pub before: Arm,
    /// The answer of the instances.
    pub answer: Answer,
    /// The families of the instances: one, or several in a summary over them.
    pub families: Vec<String>,
    /// True if the effect is over all families of the instances with this answer, which may be one family.
    pub is_summary: bool,
    /// The geometric mean of the ratios (after ÷ before), with an interval. The intervals of all changes of the factor
    /// on the same instances are simultaneous.
    pub outcome: Outcome,
    /// The runs that the change leaves as they are. None for a factor whose levels have no runs under equal conditions,
    /// as the numbering, or that changes no search, as proof writing.
    pub treatment: Option<Treatment>,
}

/// A step: a change from one level of a factor to another.
struct LevelChange {
    factor: String,
    from: String,
    to: String,
    held: String,
    /// The compared arms of the design, the one after the change first: one pair for each encoding of the effect.
    pairs: Vec<(usize, usize)>,
    /// The part of the runs that it changes, if their statistics show it.
    part: Option<ChangedPart>,
    /// The settings that the same step under another solver has in common with this one. None if steps under several
    /// solvers are not compared.
    under_solvers: Option<String>,
}

/// The arms of one paired design, and the steps between them.
struct FactorDesign {
    arms: Vec<Arm>,
    steps: Vec<LevelChange>,
}

/// The effects of all factors that a record varies, by each measure: those of the numbering, of the settings of
/// encodings, then of the solver.
pub fn effects(dataset: &Dataset<'_>) -> Vec<Effect> {
    let each = measures(dataset).iter().map(|&measure| {
        let factor_designs = numberings(dataset).into_iter().chain(settings(dataset));
        (measure, factor_designs.chain(solvers(dataset, measure)).collect())
    });
    of_designs(dataset, &each.collect::<Vec<_>>())
}

/// The effects on times of the second record of a [dataset of two](Dataset::by_record), compared with the first: those
/// on each encoding under each numbering in each solver, whose intervals are simultaneous, and that on all of them.
pub fn record_effects(dataset: &Dataset<'_>) -> Vec<Effect> {
    let first = |cell: &Cell<'_>| {
        let CellIndex { encoding, numbering, solver, .. } = cell.index;
        Arm { encoding, numbering, solver, record: 0 }
    };
    let of_first: BTreeSet<Arm> = dataset.cells.iter().map(first).collect();
    let pairs: Vec<(usize, usize)> =
        (0..of_first.len()).map(|place| (2 * place + 1, 2 * place)).collect();
    let step = |factor: &str, pairs: Vec<(usize, usize)>| LevelChange {
        factor: factor.into(),
        from: "A".into(),
        to: "B".into(),
        held: String::new(),
        pairs,
        part: None,
        under_solvers: None,
    };
    let each = pairs.iter().map(|&pair| step(RECORD, vec![pair]));
    let steps = each.chain([step(ALL_CELLS, pairs.clone())]);
    let steps = steps.filter(|step| !step.pairs.is_empty()).collect();
    let arms = of_first.iter().flat_map(|&arm| [arm, Arm { record: 1, ..arm }]).collect();
    of_designs(dataset, &[(Measure::Time, vec![FactorDesign { arms, steps }])])
}

/// The effects of the steps of designs on each measure.
fn of_designs(dataset: &Dataset<'_>, all: &[(Measure, Vec<FactorDesign>)]) -> Vec<Effect> {
    let mut designs = Vec::new();
    for (measure, factor_designs) in all {
        for factor_design in factor_designs {
            for answer in ANSWERS {
                let instances = instances_with_answer(dataset, answer);
                let design = paired_design(dataset, &factor_design.arms, *measure, &instances);
                designs.push((*measure, answer, factor_designs, factor_design, design));
            }
        }
    }
    let each = designs.iter().enumerate().flat_map(|(number, of)| {
        let (measure, answer, factor_designs, factor_design, design) = of;
        let of_factors = of_factors(factor_designs, factor_design, design, rule(*measure));
        let of_design = (number, *measure, *answer, &factor_design.arms);
        of_factors.into_iter().map(move |(steps, compared)| ((of_design, steps), compared))
    });
    let (steps, compared): (Vec<_>, Vec<Compared<'_>>) = each.unzip();
    let mut found = Vec::new();
    for ((of_design, steps), outcomes) in steps.into_iter().zip(outcomes(&compared)) {
        let (number, measure, answer, arms) = of_design;
        found.extend(steps.into_iter().zip(outcomes).map(|((place, step), outcomes)| {
            ((number, place), (measure, answer, arms, step, outcomes))
        }));
    }
    // The steps of a design are in their order, whatever their factors.
    found.sort_by_key(|(place, _)| *place);
    let mut found: Vec<(Measure, Answer, &Vec<Arm>, &LevelChange, Outcomes)> =
        found.into_iter().map(|(_, found)| found).collect();
    // These factors have a design for each solver, so outcomes of the same step and answer compare solvers.
    let mut by_step: IndexMap<(Measure, Answer, &str), Vec<&mut Outcomes>> = IndexMap::new();
    for (measure, answer, _, step, outcomes) in &mut found {
        if let Some(step) = &step.under_solvers {
            by_step.entry((*measure, *answer, step)).or_default().push(outcomes);
        }
    }
    for of_step in by_step.values_mut() {
        compare_solvers(of_step);
    }
    let mut treatments = Treatments::new(dataset);
    let each = found.into_iter().flat_map(|(measure, answer, arms, step, outcomes)| {
        let before = arms[step.pairs[0].1];
        let mut effects = of_step(measure, answer, before, step, outcomes);
        effects.retain(|effect| effect.outcome.ratio.instances > 0);
        let pairs = step.pairs.iter().map(|&(after, before)| (arms[before], arms[after]));
        let pairs: Vec<(Arm, Arm)> = pairs.collect();
        for effect in &mut effects {
            let mut instances = instances_with_answer(dataset, answer);
            instances.retain(|&instance| {
                effect.families.contains(&dataset.family(dataset.instances[instance]))
            });
            let treatment = |part| treatments.treatment(part, &pairs, &instances);
            effect.treatment = step.part.map(treatment);
        }
        effects
    });
    each.collect()
}

/// The steps of each factor of a design with their places, and their contrasts. The intervals of all steps of a factor,
/// also of those in other designs, are simultaneous.
fn of_factors<'d>(
    factor_designs: &[FactorDesign],
    factor_design: &'d FactorDesign,
    design: &'d PairedDesign,
    rule: Rule,
) -> Vec<(Vec<(usize, &'d LevelChange)>, Compared<'d>)> {
    let factors = distinct(factor_design.steps.iter().map(|step| step.factor.as_str()));
    let each = factors.into_iter().map(|factor| {
        let is_alike = |step: &&LevelChange| step.factor == factor;
        let alike = factor_designs.iter().flat_map(|factor_design| &factor_design.steps);
        let level = simultaneous(LEVEL, alike.filter(is_alike).count());
        let steps = factor_design.steps.iter().enumerate().filter(|(_, step)| is_alike(step));
        let steps: Vec<(usize, &LevelChange)> = steps.collect();
        let contrasts =
            steps.iter().map(|(_, step)| Contrast { pairs: step.pairs.clone() }).collect();
        (steps, Compared { design, contrasts, rule, levels: (level, level) })
    });
    each.collect()
}

/// The effect of a step over all families of the instances with an answer. If there are several families, the effect on
/// each of them follows.
fn of_step(
    measure: Measure,
    answer: Answer,
    before: Arm,
    step: &LevelChange,
    outcomes: Outcomes,
) -> Vec<Effect> {
    let effect = |families: Vec<String>, is_summary: bool, outcome: Outcome| Effect {
        measure,
        factor: step.factor.clone(),
        from: step.from.clone(),
        to: step.to.clone(),
        held: step.held.clone(),
        before,
        answer,
        families,
        is_summary,
        outcome,
        treatment: None,
    };
    let names = outcomes.families.iter().map(|(family, _)| family.clone()).collect();
    let mut effects = vec![effect(names, true, outcomes.overall)];
    if outcomes.families.len() > 1 {
        let families = outcomes.families.into_iter();
        effects.extend(families.map(|(family, outcome)| effect(vec![family], false, outcome)));
    }
    effects
}

/// The steps from one numbering to another, for each solver.
fn numberings(dataset: &Dataset<'_>) -> Vec<FactorDesign> {
    let levels = dataset.numberings.len();
    let each = dataset.solvers.iter().enumerate().filter(|_| levels > 1);
    each.map(|(solver, label)| {
        let steps = pairs(levels).into_iter().map(|(from, to)| LevelChange {
            factor: NUMBERING.into(),
            from: dataset.numberings[from].clone(),
            to: dataset.numberings[to].clone(),
            held: label.clone(),
            pairs: of_all_encodings(dataset, (from, to)),
            part: None,
            under_solvers: Some(format!("{from} to {to}")),
        });
        let arm = |level, encoding| Arm { encoding, numbering: level, solver, record: 0 };
        FactorDesign { arms: arms(dataset, levels, arm), steps: steps.collect() }
    })
    .collect()
}

/// The steps of the settings that have a word in labels. Sets of constraints have none: they are other problems.
fn settings(dataset: &Dataset<'_>) -> Vec<FactorDesign> {
    let axes = Settings::AXES.iter().filter(|axis| !axis.label.is_empty());
    axes.flat_map(|axis| of_setting(dataset, axis)).collect()
}

/// The number of steps of a setting, whose intervals are simultaneous.
pub(crate) fn count_steps(dataset: &Dataset<'_>, axis: &SettingAxis) -> usize {
    of_setting(dataset, axis).iter().map(|design| design.steps.len()).sum()
}

/// The steps from one value of a setting to another of each encoding, for each numbering and each solver under which
/// both were measured.
fn of_setting(dataset: &Dataset<'_>, axis: &SettingAxis) -> Vec<FactorDesign> {
    let mut of_encodings: IndexMap<String, Vec<(usize, String)>> = IndexMap::new();
    for encoding in 0..dataset.encodings.len() {
        if let Some((label, value)) = dataset.without_setting(encoding, axis) {
            of_encodings.entry(label).or_default().push((encoding, value));
        }
    }
    let measured: BTreeSet<(usize, usize, usize)> = dataset
        .cells
        .iter()
        .map(|cell| (cell.index.numbering, cell.index.solver, cell.index.encoding))
        .collect();
    let each = (0..dataset.numberings.len())
        .flat_map(|numbering| (0..dataset.solvers.len()).map(move |solver| (numbering, solver)));
    let designs = each.map(|(numbering, solver)| {
        let (id, solver_label) = (&dataset.numberings[numbering], &dataset.solvers[solver]);
        let mut steps = Vec::new();
        for (encoding, values) in &of_encodings {
            for (before, after) in pairs(values.len()) {
                let ((before, from), (after, to)) = (&values[before], &values[after]);
                if [before, after].iter().all(|of| measured.contains(&(numbering, solver, **of))) {
                    steps.push(LevelChange {
                        factor: axis.label.into(),
                        from: from.clone(),
                        to: to.clone(),
                        held: format!("{encoding}, {id}, {solver_label}"),
                        pairs: vec![(*after, *before)],
                        part: Some(ChangedPart::Formula),
                        under_solvers: Some(format!("{encoding}, {id}, {from} to {to}")),
                    });
                }
            }
        }
        let arm = |_, encoding| Arm { encoding, numbering, solver, record: 0 };
        FactorDesign { arms: arms(dataset, 1, arm), steps }
    });
    designs.filter(|design| !design.steps.is_empty()).collect()
}

/// The steps from one solver to another that differs in its program, in one option or in proof writing, for each
/// numbering.
fn solvers(dataset: &Dataset<'_>, measure: Measure) -> Vec<FactorDesign> {
    let levels = dataset.solvers.len();
    let first = |solver: usize| {
        let mut cells = dataset.cells.iter();
        cells.find(|cell| cell.index.solver == solver).map(|cell| cell.rows[0])
    };
    let rows: Vec<Option<&Row>> = (0..levels).map(first).collect();
    let mut changes = Vec::new();
    for (from, to) in pairs(levels) {
        let (Some(before), Some(after)) = (rows[from], rows[to]) else { continue };
        if let Some(change) = change(before, after)
            // Solvers count conflicts in different ways.
            && (measure == Measure::Time || change.0 != PROGRAM)
        {
            changes.push(((from, to), change));
        }
    }
    let each = dataset.numberings.iter().enumerate().filter(|_| !changes.is_empty());
    each.map(|(numbering, id)| {
        let steps = changes.iter().map(|(levels, (factor, from, to))| {
            let solver = |number: usize| dataset.solvers[number].clone();
            // The same option can vary in several solvers, and under several values of another option. So `held` names
            // the solver and its other options.
            let (from, to, held) = match factor.as_str() {
                PROGRAM => (solver(levels.0), solver(levels.1), id.clone()),
                _ => {
                    (from.clone(), to.clone(), format!("{id}, {}", rest(dataset, *levels, factor)))
                }
            };
            let (factor, pairs) = (factor.clone(), of_all_encodings(dataset, *levels));
            let part = (factor != PROGRAM && factor != PROOFS).then_some(ChangedPart::Search);
            LevelChange { factor, from, to, held, pairs, part, under_solvers: None }
        });
        let steps = steps.collect();
        let arm = |level, encoding| Arm { encoding, numbering, solver: level, record: 0 };
        FactorDesign { arms: arms(dataset, levels, arm), steps }
    })
    .collect()
}

/// The arms of every level and encoding.
pub(crate) fn arms(
    dataset: &Dataset<'_>,
    levels: usize,
    arm: impl Fn(usize, usize) -> Arm,
) -> Vec<Arm> {
    let encodings = dataset.encodings.len();
    let each = (0..levels).flat_map(|level| (0..encodings).map(move |encoding| (level, encoding)));
    each.map(|(level, encoding)| arm(level, encoding)).collect()
}

/// The pairs of arms of a step between two levels, one for each encoding, in a design whose arms are sorted by level,
/// then by encoding.
fn of_all_encodings(dataset: &Dataset<'_>, (from, to): (usize, usize)) -> Vec<(usize, usize)> {
    let encodings = dataset.encodings.len();
    let pair = |encoding| (to * encodings + encoding, from * encodings + encoding);
    (0..encodings).map(pair).collect()
}

/// Every pair of `levels` levels, the earlier first.
fn pairs(levels: usize) -> Vec<(usize, usize)> {
    (0..levels).flat_map(|from| (from + 1..levels).map(move |to| (from, to))).collect()
}

#[cfg(test)]
mod tests;
