//! The sentences on effects of the numbering, of settings of encodings and of solvers: one for each factor.
//!
//! Effects are measured by the measure of the primary comparison. Without one, those of numberings and of settings are
//! measured by conflicts, and those of solvers by time.

use std::collections::BTreeMap;

use bezzel_encode::Settings;
use bezzel_experiment::Primary;
use bezzel_statistics::{Estimate, Relation};

use crate::analysis::Analysis;
use crate::comparison::{Measure, measures};
use crate::computed_sentences::{MAX_RATIOS, interval, times};
use crate::effects::{Effect, NUMBERING, PROGRAM};
use crate::instance_words::{listed, side};
use crate::label::with_solver_names;
use crate::number::distinct;
use crate::table::effects::word;
use crate::table::ids;

/// The largest number of factors with a sentence.
const MAX_FACTORS: usize = 2;

/// The sentences on the first factors that have an effect on enough instances for a verdict, and one that names the other
/// factors.
pub(crate) fn sentences(analysis: &Analysis<'_>, primary: &Primary) -> Vec<String> {
    let known = measures(analysis);
    let named = primary.measure.and_then(Measure::of_claim);
    let is_setting = |factor: &str| Settings::AXES.iter().any(|axis| axis.label == factor);
    let measure = |factor: &str| {
        let is_formula = factor == NUMBERING || is_setting(factor);
        let usual = if is_formula { Measure::Conflicts } else { Measure::Time };
        let usual = if known.contains(&usual) { usual } else { known[0] };
        named.filter(|measure| known.contains(measure)).unwrap_or(usual)
    };
    let all = known.iter().flat_map(|&measure| analysis.effects(measure));
    // Several solvers beside several encodings are the conditions of a question on encodings.
    let is_asked = |factor: &&str| *factor != PROGRAM || analysis.encodings.len() == 1;
    let factors = distinct(all.map(|effect| effect.factor.as_str()).filter(is_asked));
    let (mut first, mut others) = (Vec::new(), Vec::new());
    for factor in factors {
        let effects = analysis.effects(measure(factor)).iter();
        let own = effects.filter(|effect| effect.factor == factor && effect.is_summary);
        let encodings = if is_setting(factor) { 1 } else { analysis.encodings.len() };
        match sentence(factor, measure(factor), &own.collect::<Vec<_>>(), encodings) {
            Some(sentence) if first.len() < MAX_FACTORS => first.push(sentence),
            _ => others.push(factor),
        }
    }
    if !first.is_empty() && !others.is_empty() {
        first.push(format!("The effects of {} are in the tables of effects.", listed(&others)));
    }
    first
}

/// The effects with their ratios, the decided ones first and the largest of these first, and the number of others by their
/// words. None without an effect that has a ratio for a verdict.
fn sentence(
    factor: &str,
    measure: Measure,
    effects: &[&Effect],
    encodings: usize,
) -> Option<String> {
    let has_ratio = |effect: &Effect| {
        let is_delivered = effect.treatment.and_then(|treatment| treatment.word()).is_none();
        let ratio = effect.outcome.ratio.estimate.and_then(Estimate::bound);
        is_delivered && ratio.is_some() && effect.outcome.relation != Relation::TooFewInstances
    };
    let (mut shown, others): (Vec<&Effect>, Vec<&Effect>) =
        effects.iter().partition(|effect| has_ratio(effect));
    let size = |effect: &Effect| {
        let ratio = effect.outcome.ratio.estimate.and_then(Estimate::bound);
        ratio.map_or(0.0, |ratio| ratio.ln().abs())
    };
    let rank = |effect: &Effect| match effect.outcome.relation {
        Relation::Less | Relation::More => 0,
        Relation::Equivalent => 1,
        _ => 2,
    };
    shown.sort_by(|one, two| rank(one).cmp(&rank(two)).then(size(two).total_cmp(&size(one))));
    let mut last = (None, None);
    let clauses = shown.iter().take(MAX_RATIOS).map(|effect| {
        let Effect { from, to, held, answer, outcome, .. } = effect;
        let (ratio, interval, verdict) = (times(outcome), interval(outcome), word(effect));
        let change = (Some(from), Some(to));
        let before = std::mem::replace(&mut last, change);
        let [from, to, held] = [from, to, held].map(|name| with_solver_names(name));
        let take = match before {
            (None, None) => {
                let cost = measure.cost();
                format!("With {factor} {to} in place of {from}, runs take {ratio} the {cost}")
            }
            before if before == change => ratio,
            _ => format!("with {to} in place of {from}, {ratio}"),
        };
        // The ratio shows a difference.
        let verdict = match ["takes less", "takes more"].map(|it| verdict.strip_prefix(it)) {
            [Some(rest), _] | [_, Some(rest)] => rest.to_owned(),
            _ => format!("; {verdict}"),
        };
        format!("{take}{interval} [{held}; {}{verdict}]", side(*answer))
    });
    let mut parts: Vec<String> = clauses.collect();
    parts.first()?;
    let mut rest: BTreeMap<String, usize> = BTreeMap::new();
    for effect in shown.iter().skip(MAX_RATIOS).chain(&others) {
        *rest.entry(word(effect)).or_default() += 1;
    }
    let rest: Vec<String> = rest.iter().map(|(word, of)| format!("{word} ({of})")).collect();
    parts.extend((!rest.is_empty()).then(|| format!("others: {}", listed(&rest))));
    let table = ids::id(&["effects", measure.id()]);
    let means = if encodings > 1 {
        format!("means over up to {encodings} encodings; ")
    } else {
        String::new()
    };
    Some(format!("{} ({means}table {table}).", parts.join("; ")))
}
