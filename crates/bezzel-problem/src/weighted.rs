//! Weighted sums in one form, for weights of every type.

use std::collections::HashMap;
use std::ops::{AddAssign, Neg, Not, Rem, SubAssign};

/// Adds up the terms of each variable, such that the sum reaches the bound for the same assignments. One term with a
/// positive weight is left for each variable, in the order of the first ones.
pub fn merge_terms<L, W>(
    terms: impl IntoIterator<Item = (L, W)>,
    bound: &mut W,
    variable: impl Fn(L) -> u32,
) -> Vec<(L, W)>
where
    L: Copy + PartialEq + Not<Output = L>,
    W: Default + Clone + PartialOrd + Neg<Output = W>,
    W: for<'w> AddAssign<&'w W> + for<'w> SubAssign<&'w W>,
{
    let mut places: HashMap<u32, usize> = HashMap::new();
    let mut merged: Vec<(L, W)> = Vec::new();
    for (literal, added) in terms {
        let place = *places.entry(variable(literal)).or_insert(merged.len());
        match merged.get_mut(place) {
            None => merged.push((literal, added)),
            Some((kept, weight)) if *kept == literal => *weight += &added,
            // w·¬a is w − w·a.
            Some((_, weight)) => {
                *bound -= &added;
                *weight -= &added;
            }
        }
    }
    for (literal, weight) in &mut merged {
        if *weight < W::default() {
            *bound -= &*weight;
            (*literal, *weight) = (!*literal, -weight.clone());
        }
    }
    merged.retain(|(_, weight)| *weight != W::default());
    merged
}

/// The greatest common divisor of weights, none of which is negative; 0 if there is none but 0.
pub fn common_divisor<W>(weights: impl IntoIterator<Item = W>) -> W
where
    W: Default + Clone + PartialEq + Rem<Output = W>,
{
    weights.into_iter().fold(W::default(), |mut divisor, mut other| {
        while divisor != W::default() {
            (divisor, other) = (other % divisor.clone(), divisor);
        }
        other
    })
}
