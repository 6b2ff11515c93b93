//! The product at-most-one: the inputs are points of a grid, known by column and row.
//!
//! *Idea.* Write the inputs into a grid of p columns and q rows. A true input marks its column and
//! its row; of the columns and of the rows at most one is marked, said in the same way again.
//!
//! *Clauses.* x → u for the column u of x, x → v for its row v; then at most one of all u, and
//! at most one of all v. Six inputs or fewer: [pairwise](super::pairwise).
//!
//! *Size T(n) for n inputs.* n ≤ 6: no variable, n(n − 1)/2 clauses, n(n − 1) literals. Above, with
//! p = ⌈√n⌉ and q = ⌈n/p⌉: T(p) + T(q), and p + q variables, 2n clauses, 4n literals. On the plane of
//! side 8 with the full constraints: 196 variables and 632 clauses.
//!
//! *Propagation.* Complete: a true input marks its column and row, by induction all others become
//! unmarked, and every other input has an unmarked column or an unmarked row.
//!
//! *Models.* Free from seven inputs on: without a true input, one column and one row may be marked
//! or not.
//!
//! *Source.* J. Chen, "A New SAT Encoding of the At-Most-One Constraint", ModRef 2010: the
//! 2-product encoding with the sub-constraints encoded recursively. Points are filled in row by
//! row, as there.
//!
//! *Departures.* Chen's 2n + 4√n + O(n^¼) clauses are asymptotic and leave open where the recursion
//! ends. It ends here at six inputs, the most for which pairwise takes no more clauses.

use rustsat::types::Lit;

use super::AtMostOne;
use super::pairwise::Pairwise;
use crate::card::{Auxiliaries, Card, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// Up to so many inputs, pairwise takes no more clauses than a product.
const SMALL: u64 = 6;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Product;

/// Columns and rows of the grid that holds `n` points: ⌈√n⌉, and as few rows as they leave.
fn grid(n: u64) -> (u64, u64) {
    let floor = n.isqrt();
    let columns = if floor * floor == n { floor } else { floor + 1 };
    (columns, n.div_ceil(columns))
}

impl AtMostOne for Product {
    fn card(&self) -> Card {
        Card {
            id: "product".into(),
            aliases: vec!["2-product".into()],
            title: "product".into(),
            citation: "Chen, ModRef 2010, 2-product encoding, recursive".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            ..Card::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        if n <= SMALL {
            return Pairwise.size(n);
        }
        let (columns, rows) = grid(n);
        let points = Size::new((columns + rows).into(), 2 * u128::from(n), 4 * u128::from(n));
        Some(points + self.size(columns)? + self.size(rows)?)
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        if xs.len() as u64 <= SMALL {
            return Pairwise.encode(xs, out);
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
        self.encode(&u, out);
        self.encode(&v, out);
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

    #[test]
    fn pairwise_takes_no_more_clauses_up_to_six_inputs_and_more_from_seven() {
        let pairwise = |n| Pairwise.size(n).unwrap().clauses;
        for n in 2..=20 {
            let (columns, rows) = grid(n);
            let product = 2 * u128::from(n) + pairwise(columns) + pairwise(rows);
            assert_eq!(pairwise(n) <= product, n <= SMALL, "n = {n}");
        }
    }

    #[test]
    fn clauses_of_one_line_are_those_of_the_published_table() {
        let table = [(8, 22), (16, 44), (32, 94), (36, 102), (64, 172), (100, 258), (256, 600)];
        for (n, clauses) in table {
            assert_eq!(Product.size(n).unwrap().clauses, clauses, "n = {n}");
        }
    }
}
