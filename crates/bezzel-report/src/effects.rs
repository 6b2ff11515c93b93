//! Effects: what a factor other than the encoding does, all else held fixed.
//!
//! Two arms that differ in their numbering alone, or in one option of their solver alone, are compared
//! on every board for every encoding that has both; on a board the geometric mean over the encodings
//! counts, since the encodings of an experiment are chosen and not drawn. What one encoding gains and
//! another loses is not seen in it.
//!
//! Boards of several families are put into one ratio, and each family has its own beside it: what a
//! change does where there is a solution need not be what it does where there is none.

use std::collections::BTreeSet;

use bezzel_lab::Row;

use crate::contest::{Arm, Measure, panel};
use crate::material::{Material, distinct};
use crate::statistics::bootstrap::{Contrast, Resampled, resample};
use crate::statistics::holm::simultaneous;
use crate::statistics::interval::{Interval, MARGIN, Relation};
use crate::statistics::panel::Panel;
use crate::statistics::ranking::LEVEL;
use crate::statistics::ratio::Ratio;
use crate::statistics::replicates::SEEDS;

/// Of more families than these, which are then hardly more than single boards, none is told apart.
const FAMILIES: usize = 8;

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
    /// The family of the boards; none if it is of all boards together.
    pub family: Option<String>,
    /// The geometric mean of the ratios of what it takes after to what it took before.
    pub ratio: Ratio,
    /// Its interval, of the level at which those of all levels of the factor hold together on the same
    /// boards.
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
    drawn: Drawn,
}

/// What a step came to on the boards of one family, or on all.
struct Drawn {
    /// The number of the step.
    step: usize,
    family: Option<String>,
    resampled: Resampled,
}

/// The effects of all factors that a record varies, of one measure: that of the numbering first.
pub fn effects(material: &Material<'_>, measure: Measure) -> Vec<Effect> {
    let mut found = numberings(material, measure);
    found.extend(solvers(material, measure));
    let told = |effect: &Found| (effect.factor.clone(), effect.drawn.family.clone());
    let all: Vec<(String, Option<String>)> = found.iter().map(told).collect();
    let made = found.into_iter().map(|effect| {
        let own = told(&effect);
        let alike = all.iter().filter(|other| **other == own).count();
        Effect {
            measure,
            factor: effect.factor,
            from: effect.from,
            to: effect.to,
            held: effect.held,
            family: effect.drawn.family,
            ratio: effect.drawn.resampled.ratio(),
            interval: effect.drawn.resampled.interval(simultaneous(LEVEL, alike)),
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
        found.extend(drawn.into_iter().map(|drawn| {
            let (from, to) = steps[drawn.step];
            Found {
                factor: "numbering".into(),
                from: material.numberings[from].clone(),
                to: material.numberings[to].clone(),
                held: label.clone(),
                drawn,
            }
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
        found.extend(drawn.into_iter().map(|drawn| {
            let step = steps[drawn.step];
            let (factor, mut from, mut to) = changes[drawn.step].clone();
            // One solver with several sets of options is several to go from.
            if factor == "solver" {
                (from, to) = (material.solvers[step.0].clone(), material.solvers[step.1].clone());
            }
            // Where several solvers change the same thing, the reader must know which.
            let held = match factor.as_str() {
                "solver" => id.clone(),
                _ => format!("{id}, {}", rest(material, step, &factor)),
            };
            Found { factor, from, to, held, drawn }
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

/// Each step resampled, over all encodings: on all boards first, then on those of each family if there
/// are several.
fn contrasted(
    material: &Material<'_>,
    measure: Measure,
    levels: usize,
    steps: &[(usize, usize)],
    arm: impl Fn(usize, usize) -> Arm,
) -> Vec<Drawn> {
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
    let panel = panel(material, &arms, measure);
    let mut families = distinct(panel.instances().iter().map(|board| board.family.clone()));
    if !(2..=FAMILIES).contains(&families.len()) {
        families.clear();
    }
    let of = |family: Option<String>, panel: &Panel| {
        let resampled = resample(panel, &contrasts).into_iter().enumerate();
        let drawn =
            resampled.map(|(step, resampled)| Drawn { step, family: family.clone(), resampled });
        drawn.collect::<Vec<_>>()
    };
    let mut drawn = of(None, &panel);
    for family in families {
        let boards = panel.of_family(&family);
        drawn.extend(of(Some(family), &boards));
    }
    // The families of a step follow what they add up to.
    drawn.sort_by_key(|drawn| drawn.step);
    drawn
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
        assert_eq!((effect.ratio.instances, effect.relation()), (6, Relation::More));
        assert!((effect.ratio.estimate.unwrap().low.unwrap() - 4.0).abs() < 1e-9);
    }

    #[test]
    fn families_of_boards_have_effects_of_their_own() {
        // Twice as long where there is a solution, eight times where there is none: four times.
        let mut rows = Vec::new();
        for side in 8..20 {
            let unsat = side % 2 == 0;
            let times = if unsat { 8.0 } else { 2.0 };
            let mut both = [on_side(side, solved(1.0)), on_side(side, shuffled(1, times))];
            for row in both.iter_mut().filter(|_| unsat) {
                row.answer = bezzel_solve::Answer::Unsat;
            }
            rows.extend(both);
        }
        let effects = found(rows);
        let told: Vec<(bool, usize, String)> = effects
            .iter()
            .map(|effect| {
                let ratio = effect.ratio.estimate.unwrap().to_string();
                (effect.family.is_some(), effect.ratio.instances, ratio)
            })
            .collect();
        let expected = [(false, 12, "4.00"), (true, 6, "8.00"), (true, 6, "2.00")];
        assert_eq!(told, expected.map(|(apart, boards, ratio)| (apart, boards, ratio.to_owned())));
        assert_ne!(effects[1].family, effects[2].family);
        assert!(effects.iter().all(|effect| effect.relation() == Relation::More));
    }

    #[test]
    fn few_boards_with_a_run_each_decide_nothing() {
        let both = |side| [on_side(side, solved(1.0)), on_side(side, shuffled(1, 50.0))];
        let effects = found((8..13).flat_map(both).collect());
        let [effect] = &effects[..] else { panic!("{effects:?}") };
        assert_eq!((effect.interval, effect.relation()), (None, Relation::Undecided));
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
