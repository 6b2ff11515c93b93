//! Effects: what a factor other than the encoding does, all else held fixed.
//!
//! Two arms that differ in their numbering alone, or in one option of their solver alone, are compared
//! on every board for every encoding that has both; on a board the geometric mean over the encodings
//! counts, since the encodings of an experiment are chosen and not drawn. What one encoding gains and
//! another loses is not seen in it.

use std::collections::BTreeSet;

use bezzel_lab::Row;

use crate::contest::{Arm, Measure, panel};
use crate::material::Material;
use crate::statistics::bootstrap::{Contrast, Resampled, resample};
use crate::statistics::holm::simultaneous;
use crate::statistics::interval::{Interval, MARGIN, Relation};
use crate::statistics::ranking::LEVEL;
use crate::statistics::ratio::{Center, Ratio};
use crate::statistics::replicates::SEEDS;

/// What going from one level of a factor to another does.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// What is measured.
    pub measure: Measure,
    /// The factor: `numbering`, `solver`, `proofs`, or the name of an option.
    pub factor: String,
    /// The level from which.
    pub from: String,
    /// The level to which.
    pub to: String,
    /// What is held fixed beside the encoding: the solver, or the numbering.
    pub held: String,
    /// The geometric mean of the ratios of what it takes after to what it took before.
    pub ratio: Ratio,
    /// Its interval, of the level at which those of all levels of the factor hold together.
    pub interval: Option<Interval>,
}

impl Effect {
    /// What the interval decides.
    pub fn relation(&self) -> Relation {
        self.interval.map_or(Relation::Undecided, |interval| interval.relation(MARGIN))
    }
}

/// An effect before its interval, which depends on how many there are of its factor.
struct Found {
    factor: String,
    from: String,
    to: String,
    held: String,
    resampled: Resampled,
}

/// The effects of all factors that a record varies, of one measure: that of the numbering first.
pub fn effects(material: &Material<'_>, measure: Measure) -> Vec<Effect> {
    let mut found = numberings(material, measure);
    found.extend(solvers(material, measure));
    let factors: Vec<String> = found.iter().map(|effect| effect.factor.clone()).collect();
    let made = found.into_iter().map(|effect| {
        let alike = factors.iter().filter(|factor| **factor == effect.factor).count();
        Effect {
            measure,
            factor: effect.factor,
            from: effect.from,
            to: effect.to,
            held: effect.held,
            ratio: effect.resampled.ratio(),
            interval: effect.resampled.interval(simultaneous(LEVEL, alike)),
        }
    });
    made.filter(|effect| effect.ratio.instances > 0).collect()
}

/// The effects of going from one numbering to another in each solver.
fn numberings(material: &Material<'_>, measure: Measure) -> Vec<Found> {
    let levels = material.numberings.len();
    let mut found = Vec::new();
    for (solver, label) in material.solvers.iter().enumerate() {
        if levels < 2 {
            break;
        }
        let arm = |level, encoding| Arm { encoding, numbering: level, solver };
        let steps: Vec<(usize, usize)> = pairs(levels);
        let drawn = contrasted(material, measure, levels, &steps, arm);
        found.extend(steps.into_iter().zip(drawn).map(|((from, to), resampled)| Found {
            factor: "numbering".into(),
            from: material.numberings[from].clone(),
            to: material.numberings[to].clone(),
            held: label.clone(),
            resampled,
        }));
    }
    found
}

/// The effects of going from one solver to another that differs in one thing, under each numbering.
fn solvers(material: &Material<'_>, measure: Measure) -> Vec<Found> {
    let levels = material.solvers.len();
    let first = |solver: usize| {
        let mut cells = material.cells.iter();
        cells.find(|cell| cell.place.solver == solver).map(|cell| cell.rows[0])
    };
    let rows: Vec<Option<&Row>> = (0..levels).map(first).collect();
    let mut steps = Vec::new();
    let mut changes = Vec::new();
    for (from, to) in pairs(levels) {
        let (Some(before), Some(after)) = (rows[from], rows[to]) else { continue };
        if let Some(change) = change(before, after)
            // Solvers count conflicts each in its own way.
            && (measure == Measure::Time || change.0 != "solver")
        {
            steps.push((from, to));
            changes.push(change);
        }
    }
    let mut found = Vec::new();
    for (numbering, id) in material.numberings.iter().enumerate() {
        if steps.is_empty() {
            break;
        }
        let arm = |level, encoding| Arm { encoding, numbering, solver: level };
        let drawn = contrasted(material, measure, levels, &steps, arm);
        found.extend(steps.iter().zip(&changes).zip(drawn).map(|((step, change), resampled)| {
            let (factor, mut from, mut to) = change.clone();
            // One solver with several sets of options is several to go from.
            if factor == "solver" {
                (from, to) = (material.solvers[step.0].clone(), material.solvers[step.1].clone());
            }
            // Where several solvers change the same thing, the reader must know which.
            let held = match factor.as_str() {
                "solver" => id.clone(),
                _ => format!("{id}, {}", rest(material, *step, &factor)),
            };
            Found { factor, from, to, held, resampled }
        }));
    }
    found
}

/// The label of the solver from which a step goes, without what the step changes.
fn rest(material: &Material<'_>, step: (usize, usize), factor: &str) -> String {
    let label = &material.solvers[step.0];
    let Some((id, options)) = label.split_once(" (") else { return label.clone() };
    let changed = |option: &&str| {
        option.starts_with(&format!("{factor}="))
            || (factor == "proofs" && option.contains("proofs"))
    };
    let others: Vec<&str> =
        options.trim_end_matches(')').split(", ").filter(|option| !changed(option)).collect();
    if others.is_empty() { id.to_owned() } else { format!("{id} ({})", others.join(", ")) }
}

/// Every pair of so many levels, the earlier first.
fn pairs(levels: usize) -> Vec<(usize, usize)> {
    (0..levels).flat_map(|from| (from + 1..levels).map(move |to| (from, to))).collect()
}

/// Each step resampled, over all encodings.
fn contrasted(
    material: &Material<'_>,
    measure: Measure,
    levels: usize,
    steps: &[(usize, usize)],
    arm: impl Fn(usize, usize) -> Arm,
) -> Vec<Resampled> {
    let encodings = material.encodings.len();
    let arms: Vec<Arm> = (0..levels)
        .flat_map(|level| (0..encodings).map(move |encoding| (level, encoding)))
        .map(|(level, encoding)| arm(level, encoding))
        .collect();
    let contrasts: Vec<Contrast> = steps
        .iter()
        .map(|(from, to)| Contrast {
            pairs: (0..encodings)
                .map(|encoding| (to * encodings + encoding, from * encodings + encoding))
                .collect(),
        })
        .collect();
    resample(&panel(material, &arms, measure), &contrasts, Center::GeometricMean)
}

/// The one thing in which the solvers of two rows differ: its name, and both its levels. Nothing if
/// they differ in several things, or in none that is known.
fn change(before: &Row, after: &Row) -> Option<(String, String, String)> {
    let (before, after) = (&before.job, &after.job);
    if before.measured_by != after.measured_by {
        return None;
    }
    if before.solver != after.solver {
        // Options of different solvers are not comparable, and are as the solvers come where nothing
        // varies.
        return (before.proof == after.proof)
            .then(|| ("solver".into(), before.solver.clone(), after.solver.clone()));
    }
    let names: BTreeSet<&String> = before.options.keys().chain(after.options.keys()).collect();
    let names = names.into_iter().filter(|name| !SEEDS.contains(&name.as_str()));
    let mut changed: Vec<(String, String, String)> = names
        .filter(|name| before.options.get(*name) != after.options.get(*name))
        .map(|name| {
            let level = |options: &bezzel_solve::Options| {
                options.get(name).map_or_else(|| "as it comes".into(), ToString::to_string)
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
    use bezzel_lab::ExperimentRecord;
    use bezzel_solve::OptionValue;

    use super::*;
    use crate::sample::{on_side, shuffled, solved};

    fn found(rows: Vec<Row>) -> Vec<Effect> {
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        effects(&Material::new(&record, &Registry::new()), Measure::Time)
    }

    fn with(options: &[(&str, i64)], mut row: Row) -> Row {
        for &(name, value) in options {
            row.job.options.insert(name.into(), OptionValue::Integer(value));
        }
        row
    }

    #[test]
    fn an_effect_is_the_mean_over_encodings_of_what_changes() {
        let mut rows = Vec::new();
        for side in 8..12 {
            for (encoding, time) in [("pairwise", 1.0), ("product", 3.0)] {
                let mut generated = on_side(side, solved(time));
                // Twice as long for the one, eight times for the other: four times.
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
        assert_eq!((effect.ratio.instances, effect.relation()), (4, Relation::More));
        assert!((effect.ratio.estimate.unwrap().low.unwrap() - 4.0).abs() < 1e-9);
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
        let told: Vec<String> = effects
            .iter()
            .map(|effect| {
                let ratio = effect.ratio.estimate.unwrap();
                let Effect { factor, from, to, held, .. } = effect;
                format!("{factor} {from} to {to}, {held}: {ratio}")
            })
            .collect();
        assert_eq!(
            told,
            [
                "factor 0 to 1, as-generated, batsat (elim=0): 2.00",
                "elim 0 to 1, as-generated, batsat (factor=0): 3.00",
                "elim 0 to 1, as-generated, batsat (factor=1): 3.00",
                "factor 0 to 1, as-generated, batsat (elim=1): 2.00"
            ]
        );
    }

    #[test]
    fn what_differs_in_nothing_has_no_effect() {
        assert_eq!(found(vec![solved(1.0), solved(2.0)]), []);
    }
}
