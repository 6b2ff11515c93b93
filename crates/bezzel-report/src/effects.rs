//! Effects: the ratio of measurements after and before a change of one factor other than the encoding.
//!
//! An arm is an encoding, a numbering and a solver. Two arms with the same encoding are compared if they differ only in
//! their numbering, in one option of the solver, in proof writing or, for times, in the program of the solver. Options
//! of different programs are not compared. The ratio of a board is the geometric mean over the encodings that were
//! measured in both arms. Opposite effects on two encodings cancel. The encodings of an experiment are chosen, not
//! drawn, so the bootstrap does not resample them.
//!
//! Boards with a solution and boards without one are never pooled. Each family of boards has its own effect. An effect
//! over all families has a ratio, unless two of these verdicts are opposite: those of the families, and the one over all
//! families.

use std::collections::BTreeSet;

use bezzel_experiment::Row;
use bezzel_solve::{Answer, SEEDS};
use indexmap::IndexMap;

use crate::comparison::{ANSWERS, Arm, Measure, boards_with_answer, measures, paired_design, rule};
use crate::dataset::Dataset;
use crate::distinct::distinct;
use crate::statistics::{
    Contrast, LEVEL, Outcome, Outcomes, PairedDesign, Rule, compare_solvers, outcomes, simultaneous,
};

/// The name of the factor of numberings.
const NUMBERING: &str = "numbering";

/// The effect of a change from one level of a factor to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The measure.
    pub measure: Measure,
    /// The factor: `numbering`, `solver`, `proofs`, or the name of an option.
    pub factor: String,
    /// The level before the change.
    pub from: String,
    /// The level after the change.
    pub to: String,
    /// The settings that are held fixed, apart from the encoding: the solver if the numbering changes, the numbering if
    /// the solver changes, and both if an option or proof writing changes.
    pub held: String,
    /// The answer of the boards.
    pub answer: Answer,
    /// The families of the boards: one, or several in a summary over them.
    pub families: Vec<String>,
    /// True if the effect is over all families of the boards with this answer, which may be one family.
    pub is_summary: bool,
    /// The geometric mean of the ratios (after ÷ before), with an interval. The intervals of all changes of the factor
    /// on the same boards are simultaneous.
    pub outcome: Outcome,
}

/// A step: a change from one level of a factor to another.
struct LevelChange {
    factor: String,
    from: String,
    to: String,
    held: String,
    /// The numbers of both levels. The arms of the design are sorted by level, then by encoding.
    levels: (usize, usize),
}

/// The arms of one paired design, and the steps between them.
struct FactorDesign {
    /// The arms by level, then by encoding.
    arms: Vec<Arm>,
    steps: Vec<LevelChange>,
}

/// The effects of all factors that a record varies, by one measure. The numbering comes first.
pub fn effects(dataset: &Dataset<'_>, measure: Measure) -> Vec<Effect> {
    if !measures(dataset).contains(&measure) {
        return Vec::new();
    }
    let factor_designs = numberings(dataset).into_iter().chain(solvers(dataset, measure));
    let factor_designs: Vec<FactorDesign> = factor_designs.collect();
    let rule = rule(dataset, measure);
    let mut found: Vec<(Answer, &LevelChange, Outcomes)> = Vec::new();
    for factor_design in &factor_designs {
        for answer in ANSWERS {
            let design = paired_design(
                dataset,
                &factor_design.arms,
                measure,
                &boards_with_answer(dataset, answer),
            );
            let steps =
                of_steps(dataset, &factor_designs, factor_design, &design, rule).into_iter();
            found.extend(steps.map(|(step, outcomes)| (answer, step, outcomes)));
        }
    }
    // There is one design of the numbering for each solver, so outcomes of the same answer and levels compare solvers.
    let mut by_step: IndexMap<(Answer, (usize, usize)), Vec<&mut Outcomes>> = IndexMap::new();
    for (answer, step, outcomes) in &mut found {
        if step.factor == NUMBERING {
            by_step.entry((*answer, step.levels)).or_default().push(outcomes);
        }
    }
    for of_step in by_step.values_mut() {
        compare_solvers(of_step);
    }
    let mut effects: Vec<Effect> = found
        .into_iter()
        .flat_map(|(answer, step, outcomes)| of_step(measure, answer, step, outcomes))
        .collect();
    effects.retain(|effect| effect.outcome.ratio.instances > 0);
    effects
}

/// The steps of a design with their outcomes. The intervals of all steps of a factor, also of those in other designs,
/// are simultaneous.
fn of_steps<'d>(
    dataset: &Dataset<'_>,
    factor_designs: &[FactorDesign],
    factor_design: &'d FactorDesign,
    design: &PairedDesign,
    rule: Rule,
) -> Vec<(&'d LevelChange, Outcomes)> {
    let encodings = dataset.encodings.len();
    let mut found: Vec<(usize, Outcomes)> = Vec::new();
    for factor in distinct(factor_design.steps.iter().map(|step| step.factor.as_str())) {
        let is_alike = |step: &&LevelChange| step.factor == factor;
        let alike = factor_designs
            .iter()
            .flat_map(|factor_design| &factor_design.steps)
            .filter(is_alike)
            .count();
        let level = simultaneous(LEVEL, alike);
        let steps = factor_design.steps.iter().enumerate().filter(|(_, step)| is_alike(step));
        let steps: Vec<(usize, &LevelChange)> = steps.collect();
        let contrast = |&(_, step): &(usize, &LevelChange)| {
            let (from, to) = step.levels;
            let pair = |encoding| (to * encodings + encoding, from * encodings + encoding);
            Contrast { pairs: (0..encodings).map(pair).collect() }
        };
        let contrasts: Vec<Contrast> = steps.iter().map(contrast).collect();
        let outcomes = outcomes(design, &contrasts, rule, (level, level));
        found.extend(steps.iter().map(|(place, _)| *place).zip(outcomes));
    }
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(place, outcomes)| (&factor_design.steps[place], outcomes)).collect()
}

/// The effect of a step over all families of the boards with an answer. If there are several families, the effect on
/// each of them follows.
fn of_step(
    measure: Measure,
    answer: Answer,
    step: &LevelChange,
    outcomes: Outcomes,
) -> Vec<Effect> {
    let effect = |families: Vec<String>, is_summary: bool, outcome: Outcome| Effect {
        measure,
        factor: step.factor.clone(),
        from: step.from.clone(),
        to: step.to.clone(),
        held: step.held.clone(),
        answer,
        families,
        is_summary,
        outcome,
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
            levels: (from, to),
        });
        let arm = |level, encoding| Arm { encoding, numbering: level, solver };
        FactorDesign { arms: arms(dataset, levels, arm), steps: steps.collect() }
    })
    .collect()
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
            && (measure == Measure::Time || change.0 != "solver")
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
                "solver" => (solver(levels.0), solver(levels.1), id.clone()),
                _ => {
                    (from.clone(), to.clone(), format!("{id}, {}", rest(dataset, *levels, factor)))
                }
            };
            LevelChange { factor: factor.clone(), from, to, held, levels: *levels }
        });
        let steps = steps.collect();
        let arm = |level, encoding| Arm { encoding, numbering, solver: level };
        FactorDesign { arms: arms(dataset, levels, arm), steps }
    })
    .collect()
}

/// The arms of every level and encoding.
fn arms(dataset: &Dataset<'_>, levels: usize, arm: impl Fn(usize, usize) -> Arm) -> Vec<Arm> {
    let encodings = dataset.encodings.len();
    let each = (0..levels).flat_map(|level| (0..encodings).map(move |encoding| (level, encoding)));
    each.map(|(level, encoding)| arm(level, encoding)).collect()
}

/// The label of the solver from which a step goes, without the changed property.
fn rest(dataset: &Dataset<'_>, step: (usize, usize), factor: &str) -> String {
    let label = &dataset.solvers[step.0];
    let Some((id, options)) = label.split_once(" (") else { return label.clone() };
    let changed = |option: &&str| {
        option.starts_with(&format!("{factor}="))
            || (factor == "proofs" && option.contains("proofs"))
    };
    let others: Vec<&str> =
        options.trim_end_matches(')').split(", ").filter(|option| !changed(option)).collect();
    if others.is_empty() { id.to_owned() } else { format!("{id} ({})", others.join(", ")) }
}

/// Every pair of `levels` levels, the earlier first.
fn pairs(levels: usize) -> Vec<(usize, usize)> {
    (0..levels).flat_map(|from| (from + 1..levels).map(move |to| (from, to))).collect()
}

/// The one property in which the solvers of two rows differ: its name, and both its levels. If their programs differ, the
/// property is `solver`, and their options are ignored. None if two runs of one program differ in seeds alone or in
/// several properties, if two programs also differ in proof writing, or if different tools measured the rows
/// (`measured_by`).
fn change(before: &Row, after: &Row) -> Option<(String, String, String)> {
    let (before, after) = (&before.job, &after.job);
    if before.measured_by != after.measured_by {
        return None;
    }
    if before.solver != after.solver {
        // Options of different programs have different names and meanings, and are not compared.
        return (before.proof == after.proof)
            .then(|| ("solver".into(), before.solver.clone(), after.solver.clone()));
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
        changed.push(("proofs".into(), level(before.proof), level(after.proof)));
    }
    (changed.len() == 1).then(|| changed.remove(0))
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::ExperimentRecord;
    use bezzel_problem::Geometry;
    use bezzel_solve::OptionValue;

    use super::*;
    use crate::statistics::Relation;
    use crate::tests::sample::{change_board, on_side, shuffled, solved};

    fn found(rows: Vec<Row>) -> Vec<Effect> {
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        effects(&Dataset::new(&record, &Registry::new()), Measure::Time)
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
        for side in 8..14 {
            for (encoding, time) in [("pairwise", 1.0), ("product", 3.0)] {
                let mut generated = on_side(side, solved(time));
                // Twice as long for one encoding, eight times for the other: four times.
                let mut random =
                    on_side(side, shuffled(1, time * if time > 1.0 { 8.0 } else { 2.0 }));
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

    /// Both numberings on `boards` boards of a family, the random one `times` times as long.
    fn both(family: &str, boards: std::ops::Range<u32>, times: f64) -> Vec<Row> {
        let both = |side| [on_side(side, solved(1.0)), on_side(side, shuffled(1, times))];
        let mut rows: Vec<Row> = boards.flat_map(both).collect();
        for row in &mut rows {
            match family {
                "torus" => change_board(row, |board| board.with_geometry(Geometry::Torus)),
                "no solution" => row.status = Answer::Unsat,
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
        let expected = expected.iter().map(|&(families, boards, ratio, relation)| {
            (families.to_owned(), boards, ratio.to_owned(), relation)
        });
        assert_eq!(read.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }

    #[test]
    fn boards_with_a_solution_and_without_one_have_effects_of_their_own() {
        let rows = [both("plane", 8..14, 2.0), both("no solution", 14..20, 8.0)].concat();
        let expected = [
            ("plane, with a solution", 6, "2.00", Relation::More),
            ("plane, no solution", 6, "8.00", Relation::More),
        ];
        summaries(rows, &expected);
    }

    #[test]
    fn a_summary_weighs_families_alike_and_has_no_ratio_if_the_effect_changes_its_sign() {
        let rows = [both("plane", 8..14, 2.0), both("torus", 8..20, 8.0)].concat();
        let expected = [
            ("plane + torus", 18, "4.00", Relation::More),
            ("plane", 6, "2.00", Relation::More),
            ("torus", 12, "8.00", Relation::More),
        ];
        summaries(rows, &expected);
        let rows = [both("plane", 8..14, 0.5), both("torus", 8..20, 8.0)].concat();
        let expected = [
            ("plane + torus", 18, "none", Relation::DependsOnFamily),
            ("plane", 6, "0.500", Relation::Less),
            ("torus", 12, "8.00", Relation::More),
        ];
        summaries(rows, &expected);
    }

    #[test]
    fn five_boards_are_too_few() {
        summaries(both("plane", 8..13, 50.0), &[("plane", 5, "50.0", Relation::TooFewInstances)]);
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

    #[test]
    fn rows_that_differ_in_no_factor_have_no_effect() {
        assert_eq!(found(vec![solved(1.0), solved(2.0)]), []);
    }
}
