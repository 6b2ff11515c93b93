//! The names in a claim, found in a record: the nearest one is suggested for one that it does not have.

use bezzel_encode::{SettingAxis, Settings};
use bezzel_experiment::{Claim, ClaimCells, ClaimRelation, Passage};
use bezzel_problem::UnknownId;
use bezzel_solve::Answer;

use crate::analysis::Analysis;
use crate::instance_words::side;
use crate::number::distinct;

/// The word for all other encodings.
pub(super) const ALL: &str = "all";

/// The axis of settings of which a value is measured.
pub(super) fn axis_of_value(analysis: &Analysis<'_>, value: &str) -> Option<usize> {
    (0..Settings::AXES.len()).find(|&axis| {
        let encodings = 0..analysis.encodings.len();
        let mut values = encodings.filter_map(|encoding| of_axis(analysis, encoding, axis));
        values.any(|(_, own)| own == value)
    })
}

/// The label of an encoding without a setting, and the value of the setting.
fn of_axis(analysis: &Analysis<'_>, encoding: usize, axis: usize) -> Option<(String, String)> {
    analysis.without_setting(encoding, &Settings::AXES[axis])
}

/// The labels without a setting of the encodings that have these values of other settings, which the labels lack, too.
pub(super) fn bases(
    analysis: &Analysis<'_>,
    axis: usize,
    settings: &[(usize, String)],
) -> Vec<String> {
    let label = |encoding| {
        let (_, value) = of_axis(analysis, encoding, axis)?;
        without(analysis, encoding, &[settings, &[(axis, value)]].concat())
    };
    distinct((0..analysis.encodings.len()).filter_map(label))
}

/// The numbers that these names have, or all of `known` without names, each as a cell.
pub(super) fn some_of(
    names: Option<&[Passage]>,
    known: &[String],
    of_name: impl Fn(&str) -> Vec<usize>,
    noun: &'static str,
) -> Result<Vec<Option<usize>>, String> {
    let Some(names) = names else { return Ok((0..known.len()).map(Some).collect()) };
    let mut found = Vec::new();
    for name in names {
        let own = of_name(name);
        if own.is_empty() {
            return Err(UnknownId::new(noun, name, known).to_string());
        }
        found.extend(own.into_iter().map(Some));
    }
    Ok(distinct(found))
}

/// The solvers with this label, or with this id and any options.
pub(super) fn solvers(analysis: &Analysis<'_>, name: &str) -> Vec<usize> {
    let known = &analysis.solvers;
    let is_one = |label: &str| label.split(" (").next() == Some(name) || label == name;
    (0..known.len()).filter(|&solver| is_one(&known[solver])).collect()
}

pub(super) fn one_solver(analysis: &Analysis<'_>, name: &str) -> Result<usize, String> {
    if let Some(exact) = analysis.solvers.iter().position(|label| label == name) {
        return Ok(exact);
    }
    match solvers(analysis, name)[..] {
        [solver] => Ok(solver),
        [] => Err(UnknownId::new("solver", name, &analysis.solvers).to_string()),
        _ => Err(format!("several solvers have the id `{name}`: write the options, too")),
    }
}

/// The values of the settings in `cells`: a list for each cell.
pub(super) fn setting_choices(cells: &[ClaimCells]) -> Vec<Vec<(usize, String)>> {
    let mut choices = vec![Vec::new()];
    for (place, axis) in Settings::AXES.iter().enumerate() {
        let Some(of) = cells.iter().find(|of| of.key == axis.key) else { continue };
        let values = || of.values.iter();
        choices = choices
            .iter()
            .flat_map(|choice: &Vec<(usize, String)>| {
                values().map(|value| [&choice[..], &[(place, value.to_string())]].concat())
            })
            .collect();
    }
    choices
}

/// The encoding with this label, or with this label without these settings, and their values.
pub(super) fn encoding(
    analysis: &Analysis<'_>,
    name: &str,
    settings: &[(usize, String)],
) -> Result<usize, String> {
    let is_it = |encoding: &usize| match settings {
        [] => analysis.encodings[*encoding] == name,
        settings => without(analysis, *encoding, settings).is_some_and(|label| label == name),
    };
    (0..analysis.encodings.len()).find(is_it).ok_or_else(|| {
        let unknown = UnknownId::new("encoding", name, &analysis.encodings).to_string();
        if settings.is_empty() { unknown } else { format!("{unknown} with {}", listed(settings)) }
    })
}

/// Values of settings in words.
pub(super) fn listed(settings: &[(usize, String)]) -> String {
    let of =
        settings.iter().map(|(axis, value)| format!("{} {value}", Settings::AXES[*axis].value));
    of.collect::<Vec<_>>().join(", ")
}

/// The label of an encoding without these settings, if it has these values.
fn without(
    analysis: &Analysis<'_>,
    encoding: usize,
    settings: &[(usize, String)],
) -> Option<String> {
    let axes = settings.iter().map(|(place, _)| &Settings::AXES[*place]);
    let (label, values) = analysis.without_settings(encoding, axes)?;
    settings.iter().map(|(_, value)| value).eq(&values).then_some(label)
}

/// The encodings with these values of settings.
pub(super) fn with_settings(analysis: &Analysis<'_>, settings: &[(usize, String)]) -> Vec<usize> {
    let has =
        |encoding: &usize| settings.is_empty() || without(analysis, *encoding, settings).is_some();
    (0..analysis.encodings.len()).filter(has).collect()
}

/// The encodings beside one, with the same settings.
pub(super) fn others(
    analysis: &Analysis<'_>,
    base: usize,
    settings: &[(usize, String)],
) -> Vec<String> {
    let others = (0..analysis.encodings.len()).filter(|&encoding| encoding != base);
    others
        .filter_map(|encoding| match settings {
            [] => Some(analysis.encodings[encoding].clone()),
            settings => without(analysis, encoding, settings),
        })
        .collect()
}

/// The one setting in which two encodings differ, if they are the same else.
pub(super) fn only_setting(analysis: &Analysis<'_>, one: usize, two: usize) -> Option<usize> {
    let differs = |axis: &SettingAxis| {
        let both = analysis.without_setting(one, axis).zip(analysis.without_setting(two, axis));
        both.is_some_and(|(one, two)| one.0 == two.0 && one.1 != two.1)
    };
    Settings::AXES.iter().position(|axis| !axis.label.is_empty() && differs(axis))
}

/// The families with these names, each with its answer, or all instances of each answer that occurs.
/// [`Answer::Unknown`] stands for all instances.
pub(super) fn families(
    of_instances: &[(String, Answer)],
    names: Option<&[Passage]>,
    answers: &[Answer],
) -> Result<Vec<(Option<String>, Answer)>, String> {
    let is_all = answers == [Answer::Unknown];
    let occurs = |answer: &Answer| is_all || of_instances.iter().any(|of| of.1 == *answer);
    let occurring = answers.iter().filter(|answer| occurs(answer));
    let Some(names) = names else { return Ok(occurring.map(|answer| (None, *answer)).collect()) };
    let mut found = Vec::new();
    for name in names {
        // A family with both answers has two names, each with its answer at the end.
        let is_it = |family: &str| {
            family == &**name
                || family.strip_prefix(&**name).is_some_and(|end| end.starts_with(", "))
        };
        let is_side = |answer: &Answer| is_all || answers.contains(answer);
        let own = of_instances.iter().filter(|(family, answer)| is_it(family) && is_side(answer));
        let of_side = |answer: Answer| if is_all { Answer::Unknown } else { answer };
        let own: Vec<_> =
            own.map(|(family, answer)| (Some(family.clone()), of_side(*answer))).collect();
        if own.is_empty() && of_instances.iter().any(|(family, _)| is_it(family)) {
            let sides: Vec<&str> = answers.iter().map(|answer| side(*answer)).collect();
            return Err(format!("the family `{name}` has no {} instances", sides.join(" or ")));
        }
        if own.is_empty() {
            let known = distinct(of_instances.iter().map(|(family, _)| family.as_str()));
            return Err(UnknownId::new("family", name, known).to_string());
        }
        found.extend(own);
    }
    Ok(distinct(found))
}

/// The first name of a claim that these rows do not have. Rows need no results for this.
pub(crate) fn unknown<'c>(
    claim: &'c Claim,
    analysis: &Analysis<'_>,
) -> Option<(&'c Passage, UnknownId)> {
    if matches!(claim.relation, ClaimRelation::Below | ClaimRelation::Equal) {
        return None;
    }
    let mut cells = claim.cells.iter().chain(&claim.between);
    let in_cells = cells.find_map(|of| {
        let mut unknown =
            of.values.iter().map(|name| (name, unknown_value(of.key, name, analysis)));
        unknown.find_map(|(name, unknown)| Some((name, unknown?)))
    });
    let arms = || claim.arms.iter().chain([&claim.baseline]);
    let is_arm = |name: &str| name == ALL || arm_names(name, analysis).is_some();
    in_cells.or_else(|| {
        let name = arms().find(|name| !is_arm(name))?;
        let others = arms().find_map(|name| arm_names(name, analysis));
        let names = || [&analysis.encodings, &analysis.numberings, &analysis.solvers];
        let all = || ("arm", names().into_iter().flatten().cloned().collect());
        let (kind, known) = others.unwrap_or_else(all);
        Some((name, UnknownId::new(kind, name, known)))
    })
}

/// An unknown encoding, with or without its settings.
pub(crate) fn unknown_encoding(name: &str, analysis: &Analysis<'_>) -> Option<UnknownId> {
    let known = &analysis.encodings;
    (!is_encoding(name, analysis)).then(|| UnknownId::new("encoding", name, known))
}

/// True for the label of an encoding, and for one that lacks some of its settings.
fn is_encoding(name: &str, analysis: &Analysis<'_>) -> bool {
    let lacks = |encoding: usize, some: usize| {
        let axes = Settings::AXES.iter().enumerate().filter(|(axis, _)| some >> axis & 1 == 1);
        analysis.without_settings(encoding, axes.map(|(_, axis)| axis))
    };
    let some = || 0..1_usize << Settings::AXES.len();
    let is_it = |encoding| some().any(|of| lacks(encoding, of).is_some_and(|(own, _)| own == name));
    (0..analysis.encodings.len()).any(is_it)
}

/// The kind of an arm, and the names of its kind; none for an unknown arm.
fn arm_names(name: &str, analysis: &Analysis<'_>) -> Option<(&'static str, Vec<String>)> {
    if is_encoding(name, analysis) {
        return Some(("encoding", analysis.encodings.clone()));
    }
    if analysis.numberings.iter().any(|own| own == name) {
        return Some(("numbering", analysis.numberings.clone()));
    }
    if !solvers(analysis, name).is_empty() {
        return Some(("solver", analysis.solvers.clone()));
    }
    let axis = axis_of_value(analysis, name)?;
    Some((Settings::AXES[axis].value, values_of(analysis, axis)))
}

/// The values of a setting.
fn values_of(analysis: &Analysis<'_>, axis: usize) -> Vec<String> {
    let of = |encoding| of_axis(analysis, encoding, axis).map(|(_, value)| value);
    distinct((0..analysis.encodings.len()).filter_map(of))
}

/// An unknown value under a key of cells.
fn unknown_value(key: &str, name: &str, analysis: &Analysis<'_>) -> Option<UnknownId> {
    let (kind, known) = match key {
        "encoding" => return unknown_encoding(name, analysis),
        "solver" if !solvers(analysis, name).is_empty() => return None,
        "solver" => ("solver", analysis.solvers.clone()),
        "numbering" => ("numbering", analysis.numberings.clone()),
        "family" => {
            let instances = analysis.record.rows.iter().map(|row| &row.job.instance);
            ("family", distinct(instances.map(|instance| analysis.family(instance))))
        }
        _ => {
            let axis = Settings::AXES.iter().position(|axis| axis.key == key)?;
            (Settings::AXES[axis].value, values_of(analysis, axis))
        }
    };
    // The answers of a family follow its name once they are known.
    let is_within = |one: &str, two: &str| {
        one.strip_prefix(two).is_some_and(|end| end.is_empty() || end.starts_with(", "))
    };
    let is_it = |own: &String| is_within(own, name) || is_within(name, own);
    (!known.is_empty() && !known.iter().any(is_it)).then(|| UnknownId::new(kind, name, known))
}
