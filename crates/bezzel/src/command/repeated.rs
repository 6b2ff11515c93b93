//! Constraints with repeated literals, any weights and any bound, as constraints that encoders take.
//!
//! The weights of a literal that occurs several times are added up, and of a literal and its negation one is left, as
//! `a + ¬a = 1`. Literals that must hold or must not become clauses.

use bezzel_encode::Lit;
use bezzel_encode::amk::Limit;
use bezzel_problem::weighted::{common_divisor, merge_terms};

/// A constraint on literals of different variables with weights from 1 on, and literals that must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MergedConstraint {
    pub(super) units: Vec<Lit>,
    pub(super) limit: Limit,
    pub(super) k: u64,
    pub(super) terms: Vec<(Lit, u64)>,
}

/// A literal and its weight, of any sign.
pub(super) type Term = (Lit, i128);

impl MergedConstraint {
    /// Weights above 64 bits become the largest number, so that their total is refused.
    fn new(units: Vec<Lit>, limit: Limit, k: i128, terms: Vec<Term>) -> Self {
        let small = |number: i128| u64::try_from(number).unwrap_or(u64::MAX);
        let terms = terms.into_iter().map(|(lit, weight)| (lit, small(weight))).collect();
        Self { units, limit, k: small(k), terms }
    }

    /// A constraint that never holds.
    fn never(units: Vec<Lit>, terms: Vec<Term>) -> Self {
        Self::new(units, Limit::AtLeast, total(&terms) + 1, terms)
    }

    /// The sum of the weights.
    pub(super) fn total(&self) -> u128 {
        self.terms.iter().map(|&(_, weight)| u128::from(weight)).sum()
    }
}

/// Merges the repeated literals of a constraint with weights and a bound of any sign. Their sums are below 2⁹⁶.
pub(super) fn merge(limit: Limit, bound: i128, terms: Vec<Term>) -> MergedConstraint {
    let mut variables: Vec<u32> = terms.iter().map(|(lit, _)| lit.vidx32()).collect();
    variables.sort_unstable();
    let is_plain = variables.windows(2).all(|pair| pair[0] != pair[1])
        && terms.iter().all(|&(_, weight)| weight > 0);
    let (mut terms, mut bound) = if is_plain { (terms, bound) } else { summed(&terms, bound) };
    // Bounds below the least sum are alike, and so are those above the largest one.
    bound = bound.clamp(-1, total(&terms) + 1);
    if is_plain {
        return match (limit, bound) {
            (Limit::AtLeast, -1) => MergedConstraint::new(Vec::new(), limit, 0, terms),
            (_, -1) => MergedConstraint::never(Vec::new(), terms),
            _ => MergedConstraint::new(Vec::new(), limit, bound, terms),
        };
    }
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
            return MergedConstraint::never(units, terms);
        }
        if !is_exact {
            if bound <= 0 {
                return MergedConstraint::new(units, Limit::AtLeast, 0, Vec::new());
            }
            for (_, weight) in &mut terms {
                *weight = (*weight).min(bound);
            }
        }
        let divisor = common_divisor(terms.iter().map(|&(_, weight)| weight)).max(1);
        if is_exact && bound % divisor != 0 {
            return MergedConstraint::never(units, terms);
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
    MergedConstraint::new(units, limit, bound, terms)
}

/// The constraint as upper and lower bounds, each of which holds if `condition` does not. By Σ w·l ≤ b and the sum W of
/// the weights, this is Σ w·l + (W − b)·r ≤ W: with r it is the bound, and without r every sum keeps it. By Σ w·l ≥ b
/// it is Σ w·l + b·¬r ≥ b.
pub(super) fn conditional(
    limit: Limit,
    bound: i128,
    terms: &[Term],
    condition: Lit,
) -> Vec<MergedConstraint> {
    let (terms, bound) = summed(terms, bound);
    let total = total(&terms);
    let bound = bound.clamp(-1, total + 1);
    let mut all = Vec::new();
    let mut add = |limit, lit, weight, bound| {
        if weight > 0 {
            let terms = terms.iter().copied().chain([(lit, weight)]).collect();
            all.push(merge(limit, bound, terms));
        }
    };
    if limit != Limit::AtMost {
        add(Limit::AtLeast, !condition, bound, bound);
    }
    if limit != Limit::AtLeast {
        add(Limit::AtMost, condition, total - bound, total);
    }
    all
}

/// One term with a positive weight for each variable, in the order of the first ones, and the bound.
fn summed(stated: &[Term], mut bound: i128) -> (Vec<Term>, i128) {
    let terms = merge_terms(stated.iter().copied(), &mut bound, Lit::vidx32);
    (terms, bound)
}

fn total(terms: &[Term]) -> i128 {
    terms.iter().map(|&(_, weight)| weight).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True if the literal holds; bit i of `values` is variable i.
    fn is_true(lit: Lit, values: u32) -> bool {
        (values >> lit.vidx() & 1 == 1) == lit.is_pos()
    }

    fn holds(merged: &MergedConstraint, values: u32) -> bool {
        let held = merged.terms.iter().filter(|(lit, _)| is_true(*lit, values));
        let held = held.map(|(_, weight)| weight).sum();
        merged.units.iter().all(|&unit| is_true(unit, values))
            && merged.limit.allows(held, merged.k)
    }

    fn is_allowed(limit: Limit, bound: i128, terms: &[Term], values: u32) -> bool {
        let held = total(
            &terms.iter().copied().filter(|(lit, _)| is_true(*lit, values)).collect::<Vec<Term>>(),
        );
        match limit {
            Limit::AtMost => held <= bound,
            Limit::AtLeast => held >= bound,
            Limit::Exactly => held == bound,
        }
    }

    /// Compares a constraint, and the same under the condition of each literal, with its merged form.
    fn compare(limit: Limit, bound: i128, terms: &[Term], literals: &[Lit]) {
        let merged = merge(limit, bound, terms.to_vec());
        for values in 0..8_u32 {
            let allowed = is_allowed(limit, bound, terms, values);
            assert_eq!(holds(&merged, values), allowed, "{limit} {bound} of {terms:?}: {merged:?}");
        }
        for &condition in literals {
            let all = conditional(limit, bound, terms, condition);
            for values in 0..8_u32 {
                let expected =
                    !is_true(condition, values) || is_allowed(limit, bound, terms, values);
                let found = all.iter().all(|merged| holds(merged, values));
                assert_eq!(found, expected, "{limit} {bound} of {terms:?} if {condition}: {all:?}");
            }
        }
    }

    #[test]
    fn a_merged_constraint_has_the_same_solutions() {
        // All sequences of up to four literals of three variables, with weights of any sign.
        let all: Vec<Lit> =
            (0..3).flat_map(|var| [Lit::positive(var), Lit::negative(var)]).collect();
        for length in 0..=4_u32 {
            for number in 0..6_usize.pow(length) {
                let digit = |place: u32| all[number / 6_usize.pow(place) % 6];
                for weights in [[1, 1, 1, 1], [3, 1, 2, 4], [2, -3, 0, 1]] {
                    let terms: Vec<Term> = (0..length).map(digit).zip(weights).collect();
                    let far = [i64::MIN.into(), i64::MAX.into()];
                    for bound in (-4..=11).chain(far) {
                        for limit in Limit::ALL {
                            compare(limit, bound, &terms, &all[..5]);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn different_literals_stay_as_they_are() {
        let terms = vec![(Lit::positive(4), 1), (Lit::negative(1), 1)];
        let merged = merge(Limit::AtMost, 1, terms.clone());
        assert_eq!(merged, MergedConstraint::new(vec![], Limit::AtMost, 1, terms));
    }
}
