//! The product at-most-one: the inputs are points of a grid, given by column and row.
//!
//! *Idea.* Write the inputs into a grid of p columns and q rows. A true input marks its column and its row. At most one
//! column is marked, and at most one row. Both constraints are encoded in the same way, recursively.
//!
//! *Clauses.* x → u for the column u of x, x → v for its row v; then at most one of all u, and at most one of all v.
//! Six inputs or fewer: [pairwise](super::pairwise). The variant `+defined` adds u → x₁ ∨ … ∨ xₘ for each column u,
//! where x₁ to xₘ are the inputs of the column, and the same for each row. `product:base-split` encodes 24 inputs or
//! fewer by [`split:4`](super::split).
//!
//! *Size T(n) for n inputs.* n ≤ 6: no variable, n(n − 1)/2 clauses, n(n − 1) literals. n > 6, with p = ⌈√n⌉ and q =
//! ⌈n/p⌉: T(p) + T(q), and p + q variables, 2n clauses, 4n literals. At each level of the recursion with n > 6,
//! `+defined` has p + q more clauses and 2n + p + q more literals. `product:base-split` has the size of `split:4` for n
//! ≤ 24, and the recurrence above for n > 24.
//!
//! *At most k, 2 ≤ k < n* (`product` alone). The inputs are points of a cube with k + 1 dimensions, of the least side s
//! with sᵏ⁺¹ ≥ n; they are numbered from 0 and written in base s, where digit 0 has the lowest value. For each
//! dimension d, x → u, where u is the point x with digit d removed; then at most k of all u, encoded recursively. There
//! are ⌊n/sᵈ⁺¹⌋·sᵈ + min(n mod sᵈ⁺¹, sᵈ) such points u, and for each dimension n clauses of two literals. Any k + 1
//! distinct points have a dimension d such that they stay distinct without digit d (Bondy's theorem). So k + 1 true
//! inputs violate the bound in this dimension. Six inputs or fewer are encoded by [pairwise](super::pairwise). If n > 6
//! and sᵏ ≥ n, the product would not reduce the number of inputs; they are encoded by the
//! [sequential counter](super::sequential_counter). This is so for 6 < n ≤ 2ᵏ, and for 2ᵏ⁺¹ < n ≤ 3ᵏ, so that for k ≥ 3
//! the product is seldom taken: for k = 10 up to n = 1,024 and from 2,049 to 59,049 it is the counter.
//!
//! *Propagation.* Complete: a true input marks its column and row, by induction all others become unmarked, and every
//! other input has an unmarked column or an unmarked row. At most k: for k true inputs and another input x, there is a
//! dimension in which the k + 1 points u are distinct. The k marks of the true inputs make the u of x false there, by
//! induction, and so x.
//!
//! *Models.* Free for n ≥ 7: if no input is true, the clauses still allow one marked column and one marked row (at most
//! k: up to k marked points in each dimension). `+defined`: determined. `product:base-split`: free for n ≥ 5, as
//! `split:4`.
//!
//! *Source.* J. Chen, "A New SAT Encoding of the At-Most-One Constraint", ModRef 2010: the
//! 2-product encoding with the sub-constraints encoded recursively. Points are filled in row by
//! row, as there.
//!
//! A. M. Frisch, P. A. Giannaros, "SAT Encodings of the At-Most-k Constraint", ModRef 2010, for k > 1.
//!
//! *Departures.* Neither paper states where the recursion ends: Chen's number of clauses, 2n + 4√n + O(n^¼), is
//! asymptotic. It ends here at six inputs, the largest number for which pairwise has no more clauses than a product. In
//! `product:base-split` it ends at 24. From 25 inputs on a product has fewer clauses than the 3n − 6 of a split, except
//! at 26 (one more) and 27 (as many).

use std::sync::Arc;

use rustsat::types::Lit;

use super::AtMostOne;
use super::pairwise::Pairwise;
use super::sequential_counter::SequentialCounter;
use super::split::Split;
use crate::bound::{AtMostK, Limit};
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// The product encoding, applied recursively until a base encoding takes the inputs. See the
/// [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// The base encoding is pairwise, for six inputs or fewer.
    Plain,
    /// As `Plain`, and each marked column and row has a true input.
    Defined,
    /// The base encoding is `split:4`, for 24 inputs or fewer.
    BaseSplit,
}

/// All variants, in the order of registration.
pub(crate) fn all() -> Vec<Arc<dyn AtMostOne>> {
    let all = [Product::Plain, Product::Defined, Product::BaseSplit];
    all.into_iter().map(|product| Arc::new(product) as _).collect()
}

impl Product {
    /// The largest number of inputs for the base encoding, and the base encoding.
    fn base(self) -> (u64, &'static dyn AtMostOne) {
        match self {
            Self::Plain | Self::Defined => (6, &Pairwise),
            Self::BaseSplit => (24, &Split { leaf: 4 }),
        }
    }
}

/// The number of columns of the grid of `n` points, ⌈√n⌉, and the least number of rows that suffices.
fn grid(n: u64) -> (u64, u64) {
    let floor = n.isqrt();
    let columns = if floor * floor == n { floor } else { floor + 1 };
    (columns, n.div_ceil(columns))
}

impl AtMostOne for Product {
    fn info(&self) -> EncodingInfo {
        let (id, title, auxiliaries) = match self {
            Self::Plain => ("product", "product", Auxiliaries::Free),
            Self::Defined => ("product+defined", "product, defined", Auxiliaries::Defined),
            Self::BaseSplit => ("product:base-split", "product of splits", Auxiliaries::Free),
        };
        EncodingInfo {
            id: id.into(),
            aliases: if *self == Self::Plain { vec!["2-product".into()] } else { vec![] },
            title: title.into(),
            idea: "The inputs are points of a grid. A true input marks its column and its row. At \
                   most one column and at most one row is marked."
                .into(),
            citation: "Chen, ModRef 2010, 2-product encoding, recursive".into(),
            propagation: Propagation::Complete,
            auxiliaries,
            ..EncodingInfo::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        let (small, base) = self.base();
        if n <= small {
            return base.size(n);
        }
        let (columns, rows) = grid(n);
        let lines = u128::from(columns + rows);
        let n = u128::from(n);
        let marks = Size::new(lines, 2 * n, 4 * n);
        let marked = if *self == Self::Defined {
            Size::new(0, lines, 2 * n + lines)
        } else {
            Size::default()
        };
        Some(marks + marked + self.size(columns)? + self.size(rows)?)
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        let (small, base) = self.base();
        if xs.len() as u64 <= small {
            return base.encode(xs, out);
        }
        let (columns, rows) = grid(xs.len() as u64);
        let u: Vec<Lit> = out.fresh(columns as u32).lits().collect();
        let v: Vec<Lit> = out.fresh(rows as u32).lits().collect();
        for (row, &v) in xs.chunks(u.len()).zip(&v) {
            for (&x, &u) in row.iter().zip(&u) {
                // x → its column
                out.clause(&[!x, u]);
                // x → its row
                out.clause(&[!x, v]);
            }
        }
        if *self == Self::Defined {
            let mut clause = Vec::with_capacity(u.len() + 1);
            for (index, &column) in u.iter().enumerate() {
                // u → an input of its column
                clause.clear();
                clause.push(!column);
                clause.extend(xs[index..].iter().step_by(u.len()));
                out.clause(&clause);
            }
            for (row, &v) in xs.chunks(u.len()).zip(&v) {
                // v → an input of its row
                clause.clear();
                clause.push(!v);
                clause.extend_from_slice(row);
                out.clause(&clause);
            }
        }
        self.encode(&u, out);
        self.encode(&v, out);
    }

    fn of_bounds(&self) -> Option<&dyn AtMostK> {
        (*self == Self::Plain).then_some(&ProductOfK)
    }
}

/// The product for at most k. See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct ProductOfK;

impl AtMostK for ProductOfK {
    fn about(&self) -> EncodingInfo {
        EncodingInfo {
            idea: "The literals are points of a grid of k + 1 dimensions. For each dimension, a \
                   true literal marks its projection along this dimension. In each dimension at \
                   most k projections may be marked, which is encoded recursively. Six literals or \
                   fewer are left to `pairwise`. More than six are left to `sequential-counter` if \
                   there could be as many projections as literals, for example if 2ᵏ ≥ n."
                .into(),
            citation: "Chen, ModRef 2010; Frisch, Giannaros, ModRef 2010, for k > 1".into(),
            ..Product::Plain.info()
        }
    }

    fn at_most_size(&self, n: u64, k: u64) -> Option<Size> {
        if k == 1 {
            return Product::Plain.size(n);
        }
        let Some(cube) = Cube::of(n, k) else {
            return base(n).at_most_size(n, k);
        };
        (0..=k as u32).try_fold(Size::default(), |size, dimension| {
            let left = cube.left(n, dimension);
            let marks = Size::binary(left.into(), n.into());
            Some(size + marks + Limit::AtMost.size(self, left, k)?)
        })
    }

    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        let n = xs.len() as u64;
        if k == 1 {
            return Product::Plain.encode(xs, out);
        }
        let Some(cube) = Cube::of(n, k) else {
            return base(n).at_most(xs, k, out);
        };
        for dimension in 0..=k as u32 {
            let points: Vec<Lit> = out.fresh(cube.left(n, dimension) as u32).lits().collect();
            for (number, &x) in (0..).zip(xs) {
                // x → its point without this digit
                out.clause(&[!x, points[cube.point(number, dimension) as usize]]);
            }
            Limit::AtMost.encode(self, &points, k, out);
        }
    }
}

/// The encoder of `n` inputs at which the recursion ends.
fn base(n: u64) -> &'static dyn AtMostK {
    if n <= 6 { &Pairwise } else { &SequentialCounter }
}

/// A cube with sides of this length.
#[derive(Clone, Copy)]
struct Cube {
    side: u64,
}

impl Cube {
    /// The smallest cube of k + 1 dimensions that holds `n` points. None if n ≤ 6, and if sᵏ ≥ n for its side s: then a
    /// projection could have as many points as there are inputs.
    fn of(n: u64, k: u64) -> Option<Self> {
        let power = |side: u64, k: u64| side.saturating_pow(u32::try_from(k).unwrap_or(u32::MAX));
        if n <= 6 || power(2, k) >= n {
            return None;
        }
        let side = (2..=n).find(|&side| power(side, k + 1) >= n)?;
        (power(side, k) < n).then_some(Self { side })
    }

    /// The number of distinct points among the first `n` after digit `digit` is removed.
    fn left(self, n: u64, digit: u32) -> u64 {
        let (cells, block) = (self.side.pow(digit), self.side.saturating_pow(digit + 1));
        n / block * cells + (n % block).min(cells)
    }

    /// The number that point `number` has after digit `digit` is removed.
    fn point(self, number: u64, digit: u32) -> u64 {
        let cells = self.side.pow(digit);
        number / self.side.saturating_pow(digit + 1) * cells + number % cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_holds_every_point_and_has_no_empty_column_or_row() {
        for n in 1..10_000 {
            let (columns, rows) = grid(n);
            assert!(columns * rows >= n && columns * (rows - 1) < n && n >= columns, "n = {n}");
            assert!((columns - 1).pow(2) < n && n <= columns.pow(2), "n = {n}");
        }
    }

    /// The clauses of one product of `n` inputs over this encoding.
    fn product(over: &dyn AtMostOne, n: u64) -> u128 {
        let clauses = |n| over.size(n).unwrap().clauses;
        let (columns, rows) = grid(n);
        2 * u128::from(n) + clauses(columns) + clauses(rows)
    }

    #[test]
    fn pairwise_takes_no_more_clauses_up_to_six_inputs_and_more_from_seven() {
        for n in 2..=20 {
            let pairwise = Pairwise.size(n).unwrap().clauses;
            assert_eq!(pairwise <= product(&Pairwise, n), n <= Product::Plain.base().0, "n = {n}");
        }
    }
}
