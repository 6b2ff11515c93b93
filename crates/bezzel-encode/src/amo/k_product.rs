//! The k-product at-most-one: the inputs are points of a grid of k dimensions.
//!
//! *Idea.* As the [product](super::product), with k coordinates in place of column and row. A true input marks its
//! place in every dimension; of the places of one dimension at most one is marked, stated in the same way again.
//!
//! *Clauses.* x → u for each of the k places u of x; then at most one of the places, for each
//! dimension. Six inputs or fewer: [pairwise](super::pairwise).
//!
//! *The grid* is a cube of side s, the least with s^k ≥ n. The inputs, numbered from 0, are written in base s; digit d
//! of the number, the least first, is the place in dimension d. The cube is therefore filled along the first dimension,
//! then the second, and so on. Of dimension d only the first min(s, ⌈n/s^d⌉) places have a point; the others have a
//! variable all the same, which no input marks.
//!
//! *Size T(n) for n inputs.* n ≤ 6: no variable, n(n − 1)/2 clauses, n(n − 1) literals. Above: k·T(s),
//! and k·s variables, kn clauses, 2kn literals.
//!
//! *Propagation.* Complete: a true input marks its places, by induction all others become unmarked,
//! and every other input differs in some place.
//!
//! *Models.* Free from seven inputs on: without a true input, one place of each dimension may be
//! marked or not; a place without a point may be, and leave its dimension without a marked point.
//!
//! *Source.* J. Chen, "A New SAT Encoding of the At-Most-One Constraint", ModRef 2010: the k-product
//! encoding, with the sub-constraints encoded recursively.
//!
//! *Departures.* Chen requires only that the grid has n points. Here it is a cube, so that `k-product:2` would differ
//! from `product`, which makes no row without a point; k therefore begins at 3. The recursion ends at six inputs, as
//! that of `product` does.

use std::sync::Arc;

use rustsat::types::Lit;

use super::pairwise::Pairwise;
use super::{AtMostOne, Family};
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// The largest number of inputs that are encoded pairwise.
const SMALL: u64 = 6;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct KProduct {
    /// The number of dimensions, 2 at least.
    pub dimensions: u32,
}

/// Products of any number of dimensions.
pub(crate) fn family() -> Family {
    Family {
        name: "k-product",
        parameter: "number of dimensions",
        range: 3..=10,
        listed: &[3],
        make: |dimensions| vec![Arc::new(KProduct { dimensions })],
    }
}

impl KProduct {
    /// s: the least side of a cube that holds `n` points.
    fn side(self, n: u64) -> u64 {
        (1..=n).find(|side| side.saturating_pow(self.dimensions) >= n).unwrap_or(n)
    }
}

impl AtMostOne for KProduct {
    fn info(&self) -> EncodingInfo {
        EncodingInfo {
            id: format!("k-product:{}", self.dimensions),
            title: format!("product of {} dimensions", self.dimensions),
            idea: "The inputs are points of a grid of k dimensions. A true input marks its \
                 coordinate in every dimension. In each dimension at most one coordinate is \
                 marked."
                .into(),
            citation: "Chen, ModRef 2010, k-product encoding, recursive".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        if n <= SMALL {
            return Pairwise.size(n);
        }
        let (k, side) = (u128::from(self.dimensions), self.side(n));
        let points = Size::new(u128::from(side), u128::from(n), 2 * u128::from(n));
        Some((points + self.size(side)?) * k)
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        let n = xs.len() as u64;
        if n <= SMALL {
            return Pairwise.encode(xs, out);
        }
        let side = self.side(n) as usize;
        let dimensions: Vec<Vec<Lit>> =
            (0..self.dimensions).map(|_| out.fresh(side as u32).lits().collect()).collect();
        for (mut number, &x) in xs.iter().enumerate() {
            for places in &dimensions {
                // x → its place
                out.clause(&[!x, places[number % side]]);
                number /= side;
            }
        }
        for places in &dimensions {
            self.encode(places, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cube_is_the_least_that_holds_the_points() {
        for dimensions in family().range {
            for n in 2..5000 {
                let side = KProduct { dimensions }.side(n);
                let points = |side: u64| side.pow(dimensions);
                assert!(points(side) >= n && points(side - 1) < n, "{dimensions}, n = {n}");
            }
        }
    }

    #[test]
    fn places_with_a_point_come_first_and_are_as_many_as_stated() {
        for dimensions in family().range {
            for n in 7_u64..200 {
                let side = KProduct { dimensions }.side(n);
                for dimension in 0..dimensions {
                    let cells = side.pow(dimension);
                    let places: std::collections::BTreeSet<u64> =
                        (0..n).map(|number| number / cells % side).collect();
                    let stated = side.min(n.div_ceil(cells));
                    assert!(places.into_iter().eq(0..stated), "{dimensions}, n = {n}");
                }
            }
        }
    }
}
