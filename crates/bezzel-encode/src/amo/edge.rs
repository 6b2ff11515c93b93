//! The edge at-most-one, or graph encoding: inputs are edges of a graph, and at most two vertices
//! are touched.
//!
//! *Idea.* Each input is an edge of its own in the complete graph of m vertices. A true input touches both ends of its
//! edge. Two edges have at least three ends, so at most two touched vertices mean at most one true input.
//!
//! *Clauses.* x → a and x → b for the ends a and b of x's edge. Sinz's sequential counter for two states that at most
//! two of the vertices y₁ … yₘ are touched: sᵢ means that one of y₁ … yᵢ is, tᵢ that two are. y₁ → s₁ and ¬t₁; for 1 <
//! i < m: yᵢ → sᵢ, sᵢ₋₁ → sᵢ, yᵢ ∧ sᵢ₋₁ → tᵢ, tᵢ₋₁ → tᵢ, yᵢ → ¬tᵢ₋₁; at the end yₘ → ¬tₘ₋₁.
//!
//! *The graph.* m ≥ 3 is the least number of vertices with m(m − 1)/2 ≥ n edges. The edges are taken
//! by their greater vertex, then by the smaller: 12, 13, 23, 14, …, so that every vertex has one.
//!
//! *Size for n ≥ 2 inputs.* 3m − 2 auxiliary variables, 2n + 5m − 7 clauses, 4n + 11m − 17 literals,
//! with m = max(3, ⌈(1 + √(1 + 8n))/2⌉); nothing for fewer inputs.
//!
//! *Propagation.* Complete: a true input touches two vertices, the counter then makes all others
//! untouched, and every other edge has an end among those.
//!
//! *Models.* Free: without a true input, vertices may still be touched.
//!
//! *Source.* The idea of the smaller encodings of A. Krapivin, B. Przybocki, B. Subercaseaux,
//! "Near-Optimal Encodings of Cardinality Constraints", 2026, rebuilt from its abstract; C. Sinz,
//! "Towards an Optimal CNF Encoding of Boolean Cardinality Constraints", CP 2005, section 2, LT-SEQ with
//! k = 2, for the vertices.
//!
//! *Departures.* It is not their construction: the counter's 5m makes it larger than the
//! [product](super::product), where an encoding of at most two of m in about 2m clauses would make it
//! smaller.

use rustsat::types::Lit;

use super::AtMostOne;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Edge;

/// The vertices of the least complete graph of `n` edges, three at least.
fn vertices(n: u64) -> u64 {
    let below = u64::midpoint(1, (8 * n + 1).isqrt());
    let vertices = if below * (below - 1) / 2 >= n { below } else { below + 1 };
    vertices.max(3)
}

impl AtMostOne for Edge {
    fn info(&self) -> EncodingInfo {
        EncodingInfo {
            id: "edge".into(),
            aliases: vec!["graph".into()],
            title: "edges of a graph".into(),
            idea:
                "Each input is an edge of a complete graph. A true input marks the two vertices of \
                 its edge. A sequential counter states that at most two vertices are marked. It is \
                 not the construction of the paper that has the idea."
                    .into(),
            citation: "idea of Krapivin, Przybocki, Subercaseaux 2026, by another construction; Sinz, CP 2005, k = 2".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        if n < 2 {
            return Some(Size::default());
        }
        let (m, n) = (u128::from(vertices(n)), u128::from(n));
        Some(Size::new(3 * m - 2, 2 * n + 5 * m - 7, 4 * n + 11 * m - 17))
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        if xs.len() < 2 {
            return;
        }
        let y: Vec<Lit> = out.fresh(vertices(xs.len() as u64) as u32).lits().collect();
        let edges = (1..y.len()).flat_map(|great| (0..great).map(move |small| (small, great)));
        for (&x, (small, great)) in xs.iter().zip(edges) {
            // x → its two ends
            out.clause(&[!x, y[small]]);
            out.clause(&[!x, y[great]]);
        }
        at_most_two(&y, out);
    }
}

/// Sinz's sequential counter for two; `ys` are three or more.
fn at_most_two(ys: &[Lit], out: &mut dyn ClauseSink) {
    let [first, inner @ .., last] = ys else { return };
    let s = out.fresh(ys.len() as u32 - 1);
    let t = out.fresh(ys.len() as u32 - 1);
    // y₁ → s₁
    out.clause(&[!*first, s.lit(0)]);
    // ¬t₁
    out.clause(&[!t.lit(0)]);
    for (before, &y) in (0..).zip(inner) {
        let here = before + 1;
        // yᵢ → sᵢ
        out.clause(&[!y, s.lit(here)]);
        // sᵢ₋₁ → sᵢ
        out.clause(&[!s.lit(before), s.lit(here)]);
        // yᵢ ∧ sᵢ₋₁ → tᵢ
        out.clause(&[!y, !s.lit(before), t.lit(here)]);
        // tᵢ₋₁ → tᵢ
        out.clause(&[!t.lit(before), t.lit(here)]);
        // yᵢ → ¬tᵢ₋₁
        out.clause(&[!y, !t.lit(before)]);
    }
    // yₘ → ¬tₘ₋₁
    out.clause(&[!*last, !t.lit(t.len() - 1)]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_graph_is_the_least_that_has_the_edges() {
        for n in 2..10_000 {
            let m = vertices(n);
            assert!(m * (m - 1) / 2 >= n, "n = {n}");
            assert!(m == 3 || (m - 1) * (m - 2) / 2 < n, "n = {n}");
        }
    }
}
