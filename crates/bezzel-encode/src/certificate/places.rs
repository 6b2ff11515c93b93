//! Counts of the digits of weights, as watchdogs have them.
//!
//! The inputs whose weights have a one at a binary place are counted by a totalizer, each once. The counts of the place are
//! then merged with carries: outputs of the count of the lower places. So a variable says that a sum reaches a number,
//! where each weight is the given one without its digits above a place.

use std::rc::Rc;

use super::group::Bound;

/// Inputs with weights, in their order, and the place of the highest digit; 1 if each input is counted once.
type Sum<'a> = (&'a [(u32, u64)], u64);

/// The weakest bound that each of the reasons implies; none if they are no counts of digits.
pub(super) fn least(reasons: &[Vec<Bound>], weights: &[u64]) -> Option<Bound> {
    let all = || reasons.iter().flatten();
    let first = all().next()?;
    if all().any(|bound| bound.is_negated != first.is_negated) {
        return None;
    }
    let other = all().find(|bound| bound.terms != first.terms);
    let (terms, place, times) = match other {
        None => (first.terms.to_vec(), first.place, [1, 1]),
        Some(other) => {
            let (one, two) = ((&*first.terms, first.place), (&*other.terms, other.place));
            let merged = |one, two| merge(one, two, weights);
            merged(one, two)
                .map(|(terms, place)| (terms, place, [1, place]))
                .or_else(|| merged(two, one).map(|(terms, place)| (terms, place, [place, 1])))?
        }
    };
    let is_other = |bound: &Bound| usize::from(bound.terms != first.terms);
    if let Some(other) = other
        && all().any(|bound| is_other(bound) == 1 && bound.terms != other.terms)
    {
        return None;
    }
    let of_reason = |reason: &Vec<Bound>| -> u64 {
        reason.iter().map(|bound| times[is_other(bound)] * bound.least).sum()
    };
    let least = reasons.iter().map(of_reason).min()?;
    Some(Bound { is_negated: first.is_negated, terms: Rc::from(terms), least, place })
}

/// The sum of counts of lower places, or of some inputs of a place, and of a count of inputs of this place, with the place by
/// which the latter is multiplied.
fn merge(
    (low, low_place): Sum<'_>,
    (high, high_place): Sum<'_>,
    weights: &[u64],
) -> Option<(Vec<(u32, u64)>, u64)> {
    if high_place > 1 {
        return None;
    }
    let weight = |input: u32| weights[input as usize];
    let common = high.iter().fold(u64::MAX, |common, &(input, _)| common & weight(input));
    let is_shared = |input: u32| high.binary_search_by_key(&input, |term| term.0).is_ok();
    let of_low = low.iter().fold(common, |common, &(input, _)| common & weight(input));
    let is_of_one_place =
        low_place == 1 && of_low != 0 && low.iter().all(|&(input, _)| !is_shared(input));
    let place = if is_of_one_place {
        1
    } else {
        let largest = low.iter().map(|(_, weight)| *weight).max()?;
        let above = (largest + 1).checked_next_power_of_two()?;
        let place = 1_u64.checked_shl((common & !(above - 1)).trailing_zeros())?;
        let is_rest = |&(input, own): &(u32, u64)| own == weight(input) & (place - 1);
        if !low.iter().all(is_rest) {
            return None;
        }
        place
    };
    let mut terms: Vec<(u32, u64)> =
        low.iter().copied().chain(high.iter().map(|&(input, _)| (input, place))).collect();
    terms.sort_unstable();
    terms.dedup_by(|next, term| {
        let is_same = next.0 == term.0;
        if is_same {
            term.1 += next.1;
        }
        is_same
    });
    Some((terms, place))
}
