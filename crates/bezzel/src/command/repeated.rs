//! Constraints with repeated literals and any bound, as constraints that encoders take.
//!
//! A literal that occurs w times has the weight w, and of a literal and its negation one is left, as `a + ¬a = 1`.
//! Literals that must hold or must not become clauses. A literal of weight w is encoded as w literals, as in files.

use std::collections::HashMap;

use bezzel_encode::Lit;
use bezzel_encode::amk::Limit;

/// A constraint on literals none of whose negations occurs, and literals that must hold.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MergedConstraint {
    pub(super) units: Vec<Lit>,
    pub(super) limit: Limit,
    pub(super) k: u64,
    pub(super) lits: Vec<Lit>,
}

type Term = (Lit, i128);

/// Merges the repeated literals of a constraint with a bound of any sign.
pub(super) fn merge(limit: Limit, k: i128, lits: Vec<Lit>) -> MergedConstraint {
    // Bounds below the least sum are alike, and so are those above the largest one.
    let k = k.clamp(-1, lits.len() as i128 + 1);
    let mut variables: Vec<u32> = lits.iter().map(|lit| lit.vidx32()).collect();
    variables.sort_unstable();
    if variables.windows(2).all(|pair| pair[0] != pair[1]) {
        // At most of a negative number is at least of more than there are.
        let (limit, k) = match (limit, u64::try_from(k)) {
            (limit, Ok(k)) => (limit, k),
            (Limit::AtLeast, Err(_)) => (limit, 0),
            (_, Err(_)) => (Limit::AtLeast, lits.len() as u64 + 1),
        };
        return MergedConstraint { units: Vec::new(), limit, k, lits };
    }
    let (mut terms, mut bound) = summed(&lits, k);
    if limit == Limit::AtMost {
        bound = total(&terms) - bound;
        for (lit, _) in &mut terms {
            *lit = !*lit;
        }
    }
    let mut units = Vec::new();
    loop {
        let rest = total(&terms) - bound;
        let is_exact = limit == Limit::Exactly;
        if rest < 0 || is_exact && bound < 0 {
            let k = terms.len() as u64 + 1;
            let lits = terms.into_iter().map(|(lit, _)| lit).collect();
            return MergedConstraint { units, limit: Limit::AtLeast, k, lits };
        }
        if !is_exact {
            if bound <= 0 {
                return MergedConstraint { units, limit: Limit::AtLeast, k: 0, lits: Vec::new() };
            }
            for (_, weight) in &mut terms {
                *weight = (*weight).min(bound);
            }
        }
        let divisor =
            terms.iter().fold(0, |divisor, &(_, weight)| common_divisor(divisor, weight)).max(1);
        if is_exact && bound % divisor != 0 {
            let lits = terms.iter().map(|&(lit, _)| lit).collect();
            let k = terms.len() as u64 + 1;
            return MergedConstraint { units, limit: Limit::AtLeast, k, lits };
        }
        for (_, weight) in &mut terms {
            *weight /= divisor;
        }
        bound = (bound + divisor - 1) / divisor;
        let (rest, whole, before) = (total(&terms) - bound, bound, terms.len());
        terms.retain(|&(lit, weight)| {
            if weight > rest {
                units.push(lit);
                bound -= weight;
                return false;
            }
            let is_excluded = is_exact && weight > whole;
            if is_excluded {
                units.push(!lit);
            }
            !is_excluded
        });
        let is_cut = is_exact || terms.iter().all(|&(_, weight)| weight <= bound);
        if terms.len() == before && is_cut {
            break;
        }
    }
    let limit = if limit == Limit::Exactly { limit } else { Limit::AtLeast };
    let copies = terms.iter().flat_map(|&(lit, weight)| (0..weight).map(move |_| lit));
    MergedConstraint { units, limit, k: bound as u64, lits: copies.collect() }
}

/// One term with a positive weight for each variable, in the order of the first ones, and the bound.
fn summed(lits: &[Lit], mut bound: i128) -> (Vec<Term>, i128) {
    let mut places: HashMap<u32, usize> = HashMap::new();
    let mut terms: Vec<Term> = Vec::new();
    for &lit in lits {
        let place = *places.entry(lit.vidx32()).or_insert(terms.len());
        match terms.get_mut(place) {
            None => terms.push((lit, 1)),
            Some((kept, weight)) if *kept == lit => *weight += 1,
            // ¬a is 1 − a.
            Some((_, weight)) => {
                *weight -= 1;
                bound -= 1;
            }
        }
    }
    for (lit, weight) in &mut terms {
        if *weight < 0 {
            bound -= *weight;
            (*lit, *weight) = (!*lit, -*weight);
        }
    }
    terms.retain(|&(_, weight)| weight != 0);
    (terms, bound)
}

fn total(terms: &[Term]) -> i128 {
    terms.iter().map(|&(_, weight)| weight).sum()
}

fn common_divisor(one: i128, other: i128) -> i128 {
    if one == 0 { other } else { common_divisor(other % one, one) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True if the merged constraint holds; bit i of `values` is variable i.
    fn holds(merged: &MergedConstraint, values: u32) -> bool {
        let is_true = |lit: &Lit| (values >> lit.vidx() & 1 == 1) == lit.is_pos();
        let held = merged.lits.iter().filter(|lit| is_true(lit)).count() as u64;
        merged.units.iter().all(is_true) && merged.limit.allows(held, merged.k)
    }

    #[test]
    fn a_merged_constraint_has_the_same_solutions() {
        // All sequences of up to five literals of three variables.
        let all: Vec<Lit> =
            (0..3).flat_map(|var| [Lit::positive(var), Lit::negative(var)]).collect();
        for length in 0..=5_u32 {
            for number in 0..6_usize.pow(length) {
                let digit = |place: u32| all[number / 6_usize.pow(place) % 6];
                let lits: Vec<Lit> = (0..length).map(digit).collect();
                let far = [i128::MIN, -(1 << 64), 1 << 64, i128::MAX];
                for k in (-2..=i128::from(length) + 2).chain(far) {
                    for limit in [Limit::AtMost, Limit::AtLeast, Limit::Exactly] {
                        let merged = merge(limit, k, lits.clone());
                        for values in 0..8_u32 {
                            let is_true =
                                |lit: &&Lit| (values >> lit.vidx() & 1 == 1) == lit.is_pos();
                            let held = lits.iter().filter(is_true).count() as i128;
                            let expected = match limit {
                                Limit::AtMost => held <= k,
                                Limit::AtLeast => held >= k,
                                Limit::Exactly => held == k,
                            };
                            let found = holds(&merged, values);
                            assert_eq!(found, expected, "{limit} {k} of {lits:?}: {merged:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn different_literals_stay_as_they_are() {
        let lits = vec![Lit::positive(4), Lit::negative(1)];
        let merged = merge(Limit::AtMost, 1, lits.clone());
        assert_eq!(merged, MergedConstraint { units: vec![], limit: Limit::AtMost, k: 1, lits });
    }
}
