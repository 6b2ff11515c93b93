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
use crate::table::columns::is_decided;
use crate::table::effects::word;
use crate::table::ids;

/// The largest number of factors with a sentence.
const MAX_FACTORS: usize = 2;

/// The sentences on the first factors that have an effect on enough instances for a verdict.
pub(crate) fn sentences(analysis: &Analysis<'_>, primary: &Primary) -> Vec<String> {
    let known = measures(analysis);
    let named = primary.measure.and_then(Measure::of_claim);
    let measure = |factor: &str| {
        let is_formula =
            factor == NUMBERING || Settings::AXES.iter().any(|axis| axis.label == factor);
        let usual = if is_formula { Measure::Conflicts } else { Measure::Time };
        let usual = if known.contains(&usual) { usual } else { known[0] };
        named.filter(|measure| known.contains(measure)).unwrap_or(usual)
    };
    let all = known.iter().flat_map(|&measure| analysis.effects(measure));
    // Several solvers beside several encodings are the conditions of a question on encodings.
    let is_asked = |factor: &&str| *factor != PROGRAM || analysis.encodings.len() == 1;
    let factors = distinct(all.map(|effect| effect.factor.as_str()).filter(is_asked));
    let of_factor = |factor: &str| {
        let effects = analysis.effects(measure(factor)).iter();
        let own = effects.filter(|effect| effect.factor == factor && effect.is_summary);
        sentence(factor, measure(factor), &own.collect::<Vec<_>>())
    };
    factors.into_iter().filter_map(of_factor).take(MAX_FACTORS).collect()
}

/// The decided effects with their ratios, the largest first, and the number of others by their words.
fn sentence(factor: &str, measure: Measure, effects: &[&Effect]) -> Option<String> {
    effects.iter().find(|effect| effect.outcome.relation != Relation::TooFewInstances)?;
    let (mut decided, others): (Vec<&Effect>, Vec<&Effect>) =
        effects.iter().partition(|effect| is_decided(&word(effect)));
    let size = |effect: &Effect| {
        let ratio = effect.outcome.ratio.estimate.and_then(Estimate::bound);
        ratio.map_or(0.0, |ratio| ratio.ln().abs())
    };
    decided.sort_by(|one, two| size(two).total_cmp(&size(one)));
    let shown = decided.iter().take(MAX_RATIOS).map(|effect| {
        let Effect { from, to, held, answer, outcome, .. } = effect;
        let (verdict, ratio, interval) = (word(effect), times(outcome), interval(outcome));
        let [from, to] = [from, to].map(|level| with_solver_names(level));
        let levels = format!("from {from} to {to} {verdict}: {ratio}{interval}");
        format!("{levels} [{}; {}]", with_solver_names(held), side(*answer))
    });
    let mut parts: Vec<String> = shown.collect();
    let mut rest: BTreeMap<String, usize> = BTreeMap::new();
    for effect in decided.iter().skip(MAX_RATIOS).chain(&others) {
        *rest.entry(word(effect)).or_default() += 1;
    }
    let before = if parts.is_empty() { "" } else { "others: " };
    let rest: Vec<String> = rest.iter().map(|(word, of)| format!("{word} ({of})")).collect();
    parts.extend((!rest.is_empty()).then(|| format!("{before}{}", listed(&rest))));
    let (parts, table) = (parts.join("; "), ids::id(&["effects", measure.id()]));
    Some(format!("Effects of {factor} on {}: {parts} (table {table}).", measure.words()))
}
