//! The totalizer for one bound: no output above the bound, and no clause that another one subsumes.
//!
//! *Idea.* A binary tree over the inputs. Each node counts the inputs below it that hold, up to k: its output rᵢ means
//! that at least i do. Where two children have more than k together, there is a conflict.
//!
//! *Clauses* of a node above children with outputs a and b: aᵢ → rᵢ, bⱼ → rⱼ, aᵢ ∧ bⱼ → rᵢ₊ⱼ if i + j ≤ k, and ¬aᵢ ∨ ¬bⱼ
//! if i + j = k + 1. The root has the last kind alone, and no outputs. An input is its own only output. The n inputs
//! are cut in halves, the greater first, until each stands alone.
//!
//! *Size for 1 ≤ k < n.* A node above m inputs has p = min(m, k) variables. With a and b outputs of its children, c pairs
//! with i + j ≤ k and d pairs with i + j = k + 1, it has a + b + c + d clauses of 2(a + b) + 3c + 2d literals; the root
//! has d clauses of two literals. With T(s) = s(s − 1)/2 for s > 0 and else 0, the pairs with i + j ≤ s are T(s) − T(s −
//! a) − T(s − b) + T(s − a − b).
//!
//! *Propagation.* Complete: if i inputs below a node hold, unit propagation makes its outputs up to i true, so that pairs
//! with i + j > k + 1 need no clause. *Models.* Free.
//!
//! *Source.* O. Bailleux, Y. Boufkhad, "Efficient CNF Encoding of Boolean Cardinality Constraints", CP 2003, LNCS 2833,
//! 108–122. Outputs cut above the bound: M. Büttner, J. Rintanen, "Satisfiability Planning with Constraints on the
//! Number of Actions", ICAPS 2005.
//!
//! *Departures.* Counts above the bound are conflicts and have no output. For k = 1 it is the
//! [tree](crate::amo::tree). The [totalizer](crate::amo::totalizer) has output k + 1, and clauses for all pairs.

use rustsat::types::Lit;

use super::AtMostK;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::{Size, tree};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct BoundedTotalizer;

impl AtMostK for BoundedTotalizer {
    fn about(&self) -> EncodingInfo {
        EncodingInfo {
            id: "totalizer:bounded".into(),
            title: "totalizer, outputs up to k".into(),
            idea: "A binary tree over the literals. Each node has the number of true literals below it in \
                   unary, up to k. Two children with more than k together are a conflict."
                .into(),
            citation: "Bailleux, Boufkhad, CP 2003; cut as by Büttner, Rintanen, ICAPS 2005".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn at_most_size(&self, n: u64, k: u64) -> Option<Size> {
        Some(tree(n, |inputs| {
            let [p, a, b] =
                [inputs, inputs.div_ceil(2), inputs / 2].map(|inputs| inputs.min(k).into());
            let within = pairs_up_to(k.into(), a, b);
            let above = pairs_up_to(u128::from(k) + 1, a, b) - within;
            let conflicts = Size::binary(0, above);
            if inputs == n {
                return conflicts;
            }
            conflicts + Size::binary(p, a + b) + Size::new(0, within, 3 * within)
        }))
    }

    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        let (left, right) = xs.split_at(xs.len().div_ceil(2));
        let k = k as usize;
        let (a, b) = (node(left, k, out), node(right, k, out));
        conflicts(&a, &b, k, out);
    }
}

/// The pairs of numbers from 1 to a and from 1 to b whose sum is at most s.
fn pairs_up_to(s: u128, a: u128, b: u128) -> u128 {
    let s = s.min(a + b);
    let triangle = |s: u128| s * s.saturating_sub(1) / 2;
    let outside = triangle(s.saturating_sub(a)) + triangle(s.saturating_sub(b));
    triangle(s) + triangle(s.saturating_sub(a + b)) - outside
}

/// The outputs of the node above `xs`.
fn node(xs: &[Lit], k: usize, out: &mut dyn ClauseSink) -> Vec<Lit> {
    if xs.len() == 1 {
        return xs.to_vec();
    }
    let (left, right) = xs.split_at(xs.len().div_ceil(2));
    let (a, b) = (node(left, k, out), node(right, k, out));
    let r: Vec<Lit> = out.fresh(xs.len().min(k) as u32).lits().collect();
    for child in [&a, &b] {
        for (&lit, &r) in child.iter().zip(&r) {
            // aᵢ → rᵢ, bⱼ → rⱼ
            out.clause(&[!lit, r]);
        }
    }
    for (i, &a) in a.iter().enumerate() {
        // Of indices from 0, the i-th of a and the j-th of b together are i + j + 2.
        for (&b, &r) in b.iter().zip(r.iter().skip(i + 1)) {
            // aᵢ ∧ bⱼ → rᵢ₊ⱼ
            out.clause(&[!a, !b, r]);
        }
    }
    conflicts(&a, &b, k, out);
    r
}

/// Two children do not have k + 1 together.
fn conflicts(a: &[Lit], b: &[Lit], k: usize, out: &mut dyn ClauseSink) {
    for (i, &a) in a.iter().enumerate() {
        if let Some(&b) = b.get(k - 1 - i) {
            out.clause(&[!a, !b]);
        }
    }
}
