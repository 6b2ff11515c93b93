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

use std::collections::BTreeSet;

use bezzel_encode::{SettingAxis, Settings};
use bezzel_experiment::Row;
use bezzel_solve::{Answer, SEEDS};
use indexmap::IndexMap;

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
const NUMBERING: &str = "numbering";
/// The name of the factor of programs of solvers.
const PROGRAM: &str = "solver";
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

/// The label of the solver from which a step goes, without the changed property.
fn rest(dataset: &Dataset<'_>, step: (usize, usize), factor: &str) -> String {
    let label = &dataset.solvers[step.0];
    let Some((id, options)) = label.split_once(" (") else { return label.clone() };
    let changed = |option: &&str| {
        option.starts_with(&format!("{factor}=")) || (factor == PROOFS && option.contains("proofs"))
    };
    let others: Vec<&str> =
        options.trim_end_matches(')').split(", ").filter(|option| !changed(option)).collect();
    if others.is_empty() { id.to_owned() } else { format!("{id} ({})", others.join(", ")) }
}

/// Every pair of `levels` levels, the earlier first.
fn pairs(levels: usize) -> Vec<(usize, usize)> {
    (0..levels).flat_map(|from| (from + 1..levels).map(move |to| (from, to))).collect()
}

/// The one property in which the solvers of two rows differ: its name, and both its levels. If their programs differ,
/// the property is `solver`, and their options are ignored. None if two runs of one program differ in seeds alone or in
/// several properties, or if two programs also differ in proof writing.
fn change(before: &Row, after: &Row) -> Option<(String, String, String)> {
    let (before, after) = (&before.job, &after.job);
    if before.solver != after.solver {
        // Options of different programs have different names and meanings, and are not compared.
        return (before.proof == after.proof)
            .then(|| (PROGRAM.into(), before.solver.clone(), after.solver.clone()));
    }
    let names: BTreeSet<&String> = before.options.keys().chain(after.options.keys()).collect();
    let names = names.into_iter().filter(|name| !SEEDS.contains(&name.as_str()));
    let mut changed: Vec<(String, String, String)> = names
        .filter(|name| before.options.get(*name) != after.options.get(*name))
        .map(|name| {
            let level = |options: &bezzel_solve::Options| {
                options.get(name).map_or_else(|| "default".into(), ToString::to_string)
            };
            (name.clone(), level(&before.options), level(&after.options))
        })
        .collect();
    if before.proof != after.proof {
        let level = |format: Option<bezzel_solve::ProofFormat>| {
            format.map_or_else(|| "off".into(), |format| format.to_string())
        };
        changed.push((PROOFS.into(), level(before.proof), level(after.proof)));
    }
    (changed.len() == 1).then(|| changed.remove(0))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use bezzel_experiment::ExperimentRecord;
    use bezzel_solve::OptionValue;

    use super::*;
    use crate::tests::analysed;
    use crate::tests::sample::{change_kind, of_size, shuffled, solved};
    use bezzel_statistics::Relation;

    fn found(rows: Vec<Row>) -> Vec<Effect> {
        let mut effects = analysed(rows, |of| effects(of));
        effects.retain(|effect| effect.measure == Measure::Time);
        effects
    }

    fn with(options: &[(&str, i64)], mut row: Row) -> Row {
        for &(name, value) in options {
            std::sync::Arc::make_mut(&mut row.job.options)
                .insert(name.into(), OptionValue::Integer(value));
        }
        row
    }

    #[test]
    fn an_effect_is_the_mean_over_encodings_of_what_changes() {
        let mut rows = Vec::new();
        for size in 8..14 {
            for (encoding, time) in [("pairwise", 1.0), ("product", 3.0)] {
                let mut generated = of_size(size, solved(time));
                // Twice as long for one encoding, eight times for the other: four times.
                let mut random =
                    of_size(size, shuffled(1, time * if time > 1.0 { 8.0 } else { 2.0 }));
                generated.job.encoding = encoding.into();
                random.job.encoding = encoding.into();
                rows.extend([generated, random]);
            }
        }
        let effects = found(rows);
        let [effect] = &effects[..] else { panic!("{effects:?}") };
        assert_eq!((effect.factor.as_str(), effect.held.as_str()), ("numbering", "batsat"));
        assert_eq!((effect.from.as_str(), effect.to.as_str()), ("as-generated", "random"));
        assert_eq!((effect.outcome.ratio.instances, effect.outcome.relation), (6, Relation::More));
        // 0.1 ms is added to both times.
        assert!((effect.outcome.ratio.estimate.unwrap().low.unwrap() - 4.0).abs() < 1e-3);
    }

    /// Both numberings on `instances` instances of a family, the random one `times` times as long.
    fn both(family: &str, instances: std::ops::Range<u32>, times: f64) -> Vec<Row> {
        let both = |size| [of_size(size, solved(1.0)), of_size(size, shuffled(1, times))];
        let mut rows: Vec<Row> = instances.flat_map(both).collect();
        for row in &mut rows {
            match family {
                "latin-square" => change_kind(row),
                "unsatisfiable" => row.status = Answer::Unsat,
                _ => {}
            }
        }
        rows
    }

    #[track_caller]
    fn summaries(rows: Vec<Row>, expected: &[(&str, usize, &str, Relation)]) {
        let effects = found(rows);
        let read = effects.iter().map(|effect| {
            let ratio =
                effect.outcome.ratio.estimate.map_or("none".into(), |ratio| ratio.to_string());
            let Outcome { ratio: of, relation, .. } = effect.outcome;
            (effect.families.join(" + "), of.instances, ratio, relation)
        });
        let expected = expected.iter().map(|&(families, instances, ratio, relation)| {
            (families.to_owned(), instances, ratio.to_owned(), relation)
        });
        assert_eq!(read.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }

    #[test]
    fn instances_with_a_solution_and_without_one_have_effects_of_their_own() {
        let rows = [both("langford", 8..14, 2.0), both("unsatisfiable", 14..20, 8.0)].concat();
        let expected = [
            ("langford, satisfiable", 6, "2.00", Relation::More),
            ("langford, unsatisfiable", 6, "8.00", Relation::More),
        ];
        summaries(rows, &expected);
    }

    #[test]
    fn a_summary_weighs_families_alike_and_has_no_ratio_if_the_effect_changes_its_sign() {
        let rows = [both("langford", 8..14, 2.0), both("latin-square", 8..20, 8.0)].concat();
        let expected = [
            ("langford + latin-square", 18, "4.00", Relation::More),
            ("langford", 6, "2.00", Relation::More),
            ("latin-square", 12, "8.00", Relation::More),
        ];
        summaries(rows, &expected);
        let rows = [both("langford", 8..14, 0.5), both("latin-square", 8..20, 8.0)].concat();
        let expected = [
            ("langford + latin-square", 18, "none", Relation::DependsOnFamily),
            ("langford", 6, "0.500", Relation::Less),
            ("latin-square", 12, "8.00", Relation::More),
        ];
        summaries(rows, &expected);
    }

    #[test]
    fn options_are_compared_one_at_a_time() {
        let arms: [&[(&str, i64)]; 4] = [
            &[("elim", 0), ("factor", 0)],
            &[("elim", 0), ("factor", 1)],
            &[("elim", 1), ("factor", 0)],
            &[("elim", 1), ("factor", 1)],
        ];
        let rows = arms.iter().zip([1.0, 2.0, 3.0, 6.0]);
        let effects = found(rows.map(|(options, time)| with(options, solved(time))).collect());
        let texts: Vec<String> = effects
            .iter()
            .map(|effect| {
                let ratio = effect.outcome.ratio.estimate.unwrap();
                let Effect { factor, from, to, held, .. } = effect;
                format!("{factor} {from} to {to}, {held}: {ratio}")
            })
            .collect();
        assert_eq!(
            texts,
            [
                "factor 0 to 1, as-generated, batsat (elim=0): 2.00",
                "elim 0 to 1, as-generated, batsat (factor=0): 3.00",
                "elim 0 to 1, as-generated, batsat (factor=1): 3.00",
                "factor 0 to 1, as-generated, batsat (elim=1): 2.00"
            ]
        );
    }

    /// A row of an encoding under an input order in a solver.
    fn ordered(encoding: &str, order: &str, solver: &str, mut row: Row) -> Row {
        row.job.encoding = encoding.into();
        row.job.solver = solver.into();
        row.job.settings.input_order = order.parse().expect("it is an input order");
        row
    }

    /// The text of an effect: its change, its fixed settings, its ratio and its verdict.
    fn read(effect: &Effect) -> String {
        let ratio = effect.outcome.ratio.estimate.map_or("none".into(), |ratio| ratio.to_string());
        let Effect { from, to, held, outcome, .. } = effect;
        let differ = if outcome.solvers_differ { ", solvers differ" } else { "" };
        format!("{from} to {to}, {held}: {ratio}, {}{differ}", outcome.relation)
    }

    #[test]
    fn the_input_order_has_an_effect_on_each_encoding_of_its_own() {
        let mut rows = Vec::new();
        for size in 8..18 {
            // A random order multiplies the time by this number: of one encoding only under one solver.
            for (encoding, solver, times) in [
                ("pairwise", "batsat", 1.0),
                ("product", "batsat", 50.0),
                ("pairwise", "cadical", 1.0),
                ("product", "cadical", 0.5),
            ] {
                let of = |order, row| ordered(encoding, order, solver, of_size(size, row));
                rows.push(of("as-stated", shuffled(1, 1.0)));
                rows.push(of("random:1", shuffled(1, times)));
                // Under another numbering there is one order alone.
                rows.push(of("as-stated", solved(1.0)));
            }
        }
        let all = found(rows);
        let of_orders = all.iter().filter(|effect| effect.factor == "input order");
        let expected = [
            "as-stated to random:1, pairwise, random, batsat: 1.00, equivalent",
            "as-stated to random:1, product, random, batsat: 50.0, more, solvers differ",
            "as-stated to random:1, pairwise, random, cadical: 1.00, equivalent",
            "as-stated to random:1, product, random, cadical: 0.500, less, solvers differ",
        ];
        assert_eq!(of_orders.clone().map(read).collect::<Vec<_>>(), expected);
        // Four intervals are simultaneous: those of both encodings under both solvers.
        for effect in of_orders {
            let level = effect.outcome.interval.unwrap().level;
            assert!((level - simultaneous(LEVEL, 4)).abs() < 1e-12, "{level}");
        }
        assert!(all.iter().any(|effect| effect.factor == NUMBERING));
    }

    #[test]
    fn the_use_of_at_most_one_groups_has_an_effect_on_each_encoding_that_was_measured_with_both() {
        let mut rows = Vec::new();
        for size in 8..18 {
            for (amo, time) in [("none", 1.0), ("detected", 0.25)] {
                let mut row = of_size(size, shuffled(1, time));
                row.job.settings.amo = amo.parse().expect("it is a use");
                rows.push(row);
            }
            // This encoding takes no parts.
            rows.push(ordered("product", "as-stated", "batsat", of_size(size, shuffled(1, 9.0))));
        }
        let all = found(rows);
        let expected = ["none to detected, pairwise, random, batsat: 0.250, less"];
        assert_eq!(all.iter().map(read).collect::<Vec<_>>(), expected);
        assert_eq!(all[0].factor, "amo");
    }

    #[test]
    fn recorded_pigeonholes_take_longer_in_a_random_order_except_with_pairwise() {
        let folder =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/every-kind-pigeonhole");
        let catalog = bezzel_experiment::Catalog::standard();
        let record = ExperimentRecord::open(&folder, &catalog).expect("the record is whole");
        let effects = effects(&Dataset::new(&record, &catalog.encodings));
        let of_orders = effects
            .iter()
            .filter(|effect| effect.factor == "input order" && effect.measure == Measure::Time);
        // The ratios and the numbers of compared and of censored instances were computed by another program.
        let read = |effect: &Effect| {
            let Outcome { ratio, relation, .. } = effect.outcome;
            let [encoding, _, solver] = effect.held.splitn(3, ", ").collect::<Vec<_>>()[..] else {
                panic!("{effect:?}")
            };
            let bound = ratio.estimate.map_or("none".into(), |ratio| ratio.to_string());
            format!(
                "{encoding}, {solver}: {bound}, {} of {}, {relation}",
                ratio.bounded, ratio.instances
            )
        };
        let found: Vec<String> = of_orders.map(read).collect();
        assert_eq!(found.len(), 18, "six encodings have an input order, in three solvers");
        for expected in [
            "pairwise, cadical (proofs off): 1.03, 0 of 6, too few instances",
            "sequential-counter, cadical (proofs off): ≥ 75.3, 3 of 12, more",
            "bitwise, cadical (proofs off): ≥ 5.86, 6 of 12, more",
            "bimander:2, cadical (proofs off): ≥ 6.83, 4 of 12, more",
            "commander:3, cadical (proofs off): ≥ 81.6, 4 of 12, more",
            "product, cadical (proofs off): ≥ 60.2, 4 of 12, more",
            "pairwise, kissat: 1.02, 0 of 10, undecided",
        ] {
            assert!(found.iter().any(|known| known == expected), "{expected}: {found:#?}");
        }
    }
}
