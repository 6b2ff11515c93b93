//! Constraints on weighted sums, brought into the form that encoders take.

use rustsat::types::Lit;

use crate::amo::AtMostOne;
use crate::bound::Limit;
use crate::shape::Shape;
use crate::sink::ClauseSink;
use crate::size::Size;

/// A constraint on the sum of the weights of the literals that hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SumLimit {
    /// The weight of each literal, at least 1. Their sum is below 2⁶⁴.
    pub weights: Vec<u64>,
    /// The relation.
    pub limit: Limit,
    /// The bound.
    pub bound: u64,
}

/// The part of an upper bound that is left to be encoded.
enum Rest {
    /// Nothing: it holds.
    Holds,
    /// The clause that one of the literals does not hold: each of them suffices.
    Clause(usize),
    /// A count of the literals that are not excluded.
    Count(Shape),
    /// The weights of the literals that are not excluded, and the bound.
    Sum(Vec<u64>, u64),
}

/// An upper bound: the places of the literals that are excluded, of the others, and the rest.
struct UpperBound {
    excluded: Vec<usize>,
    kept: Vec<usize>,
    rest: Rest,
}

impl UpperBound {
    fn new(weights: &[u64], bound: u64) -> Self {
        let (kept, excluded): (Vec<usize>, Vec<usize>) =
            (0..weights.len()).partition(|&place| weights[place] <= bound);
        let total: u64 = kept.iter().map(|&place| weights[place]).sum();
        let divisor =
            kept.iter().fold(0, |divisor, &place| common_divisor(divisor, weights[place]));
        let least = kept.iter().map(|&place| weights[place]).min().unwrap_or(0);
        let rest = if total <= bound {
            Rest::Holds
        } else if total - least <= bound {
            Rest::Clause(kept.len())
        } else if kept.iter().all(|&place| weights[place] == divisor) {
            let (n, k) = (kept.len() as u64, bound / divisor);
            Rest::Count(Shape { n, limit: Limit::AtMost, k })
        } else {
            Rest::Sum(kept.iter().map(|&place| weights[place] / divisor).collect(), bound / divisor)
        };
        Self { excluded, kept, rest }
    }
}

impl SumLimit {
    /// True if literals of this weight may hold.
    pub fn allows(&self, weight: u64) -> bool {
        self.limit.allows(weight, self.bound)
    }

    fn total(&self) -> u64 {
        self.weights.iter().sum()
    }

    /// The upper bounds that state the constraint, each with a flag that is true if it is one of the negations. None if
    /// no sum satisfies it.
    fn upper_bounds(&self) -> Option<Vec<(bool, UpperBound)>> {
        let (total, bound) = (self.total(), self.bound);
        let mut all = Vec::new();
        if self.limit != Limit::AtMost {
            all.push((true, UpperBound::new(&self.weights, total.checked_sub(bound)?)));
        }
        if self.limit != Limit::AtLeast {
            all.push((false, UpperBound::new(&self.weights, bound)));
        }
        Some(all)
    }

    /// The auxiliary variables, clauses and literals that [`encode`](Self::encode) writes. None if the encoder refuses
    /// the sum.
    pub fn size(&self, encoder: &dyn AtMostOne) -> Option<Size> {
        let Some(upper_bounds) = self.upper_bounds() else { return Some(Size::new(0, 1, 0)) };
        let mut size = Size::default();
        for (_, UpperBound { excluded, rest, .. }) in upper_bounds {
            size += Size::new(0, 1, 1) * excluded.len() as u128;
            match rest {
                Rest::Holds => {}
                Rest::Clause(length) => size += Size::new(0, 1, length as u128),
                Rest::Count(shape) => size += shape.size(encoder)?,
                Rest::Sum(weights, bound) => size += encoder.of_sums()?.size(&weights, bound)?,
            }
        }
        Some(size)
    }

    /// Writes the constraint on `xs` to `out`: the lower bound first. The literals are of different variables.
    ///
    /// # Panics
    ///
    /// When the encoder takes no sums, or refuses this one.
    pub fn encode(&self, encoder: &dyn AtMostOne, xs: &[Lit], out: &mut dyn ClauseSink) {
        let Some(upper_bounds) = self.upper_bounds() else { return out.clause(&[]) };
        for (is_negated, UpperBound { excluded, kept, rest }) in upper_bounds {
            let literal = |place: usize| if is_negated { !xs[place] } else { xs[place] };
            for place in excluded {
                out.clause(&[!literal(place)]);
            }
            let xs: Vec<Lit> = kept.into_iter().map(literal).collect();
            match rest {
                Rest::Holds => {}
                Rest::Clause(_) => out.clause(&xs.iter().map(|&x| !x).collect::<Vec<Lit>>()),
                Rest::Count(shape) => shape.encode(encoder, &xs, out),
                Rest::Sum(weights, bound) => {
                    let sums = encoder.of_sums().expect("the encoder takes sums");
                    sums.at_most(&xs, &weights, bound, out);
                }
            }
        }
    }
}

/// The greatest common divisor; that of 0 and a number is the number.
fn common_divisor(mut one: u64, mut other: u64) -> u64 {
    while one != 0 {
        (one, other) = (other % one, one);
    }
    other
}
