//! The totalizer at-most-one: inputs are counted in unary numbers, half by half.
//!
//! *Idea.* A binary tree over the inputs. Each node counts the inputs below it that hold: its output rᵢ means that at
//! least i do. At the root r₂ is false.
//!
//! *Clauses* of a node with outputs r, above children with outputs a and b: aᵢ → rᵢ, bⱼ → rⱼ and aᵢ ∧ bⱼ → rᵢ₊ⱼ for all
//! i and j; at the root ¬r₂. An input is its own only output. The n inputs are cut in halves, the greater first, until
//! each stands alone. In `totalizer:full` a node above m inputs has m outputs. In `totalizer:cut` it has the first two,
//! and rᵢ₊ⱼ is r₂ wherever i + j > 2. The variants `+defined` add the opposite direction, ¬aᵢ₊₁ ∧ ¬bⱼ₊₁ → ¬rᵢ₊ⱼ₊₁,
//! where an output that a child does not have is false.
//!
//! *Size for n ≥ 2 inputs*, with D = n·(⌈log₂ n⌉ + 1) − 2^⌈log₂ n⌉, the sum of the inputs' depths,
//! h = 2^⌊log₂ n⌋ and t = max(h/2, n − h), the number of nodes above two inputs:
//!
//! | id | variables | clauses | literals |
//! |---|---|---|---|
//! | `totalizer:cut` | 2n − 2 | 5n + t − 7 | 12n + 3t − 19 |
//! | `totalizer:cut+defined` | 2n − 2 | 8n + t − 10 | 20n + 3t − 28 |
//! | `totalizer:full` | D | D + n(n − 1)/2 + 1 | 2D + 3n(n − 1)/2 + 1 |
//! | `totalizer:full+defined` | D | 2D + n(n − 1) + 1 | 4D + 3n(n − 1) + 1 |
//!
//! Every pair of inputs meets at one node, hence the n(n − 1)/2. For n = 2^k, `totalizer:cut` takes
//! 5.5n − 7 clauses.
//!
//! *At most k, 1 ≤ k < n.* The same with k + 1 outputs in `totalizer:cut`, and ¬rₖ₊₁ at the root. A node with p outputs
//! above children with a and b outputs has p variables and a + b + ab clauses of 2(a + b) + 3ab literals. `+defined`
//! adds a clause for each i from 0 to a and j from 0 to b with i + j < p, of 3 literals if i < a and j < b and else
//! of 2. With `+defined`, exactly k is rₖ and ¬rₖ₊₁ at the root of one tree.
//!
//! *Propagation.* Complete: a true input makes r₁ true all the way up, and ¬r₂ at the root makes r₁ false at all
//! children beside that path.
//!
//! *Models.* Free without `+defined`. Of `totalizer:cut` n inputs alone have 2n models, and where an
//! input is stated to hold its outputs are determined; those of `totalizer:full` beyond the second
//! are not even then. `+defined`: determined.
//!
//! *Source.* O. Bailleux, Y. Boufkhad, "Efficient CNF Encoding of Boolean Cardinality Constraints",
//! CP 2003, LNCS 2833, 108–122: `totalizer:full+defined`. Outputs cut above the bound: M. Büttner,
//! J. Rintanen, "Satisfiability Planning with Constraints on the Number of Actions", ICAPS 2005.
//!
//! *Departures.* Bailleux and Boufkhad fix all outputs of the root, which adds ¬r₃ to ¬rₙ here
//! without effect on the inputs; only ¬r₂ is stated. The clauses aᵢ ∧ bⱼ → r₂ of `totalizer:cut` with
//! i + j > 2 are stated although a₂ → r₂ or b₂ → r₂ subsumes them. For larger k the clauses aᵢ ∧ bⱼ → rₖ₊₁ with
//! i + j > k + 1 are stated too. Those with i or j equal to k + 1 are subsumed. The others are not subsumed, but
//! superfluous: if i inputs below a hold, unit propagation makes a₁ to aᵢ true, and the clause with i + j = k + 1
//! applies. For k = 500 and n = 1,000 they are 124,750 of 509,477 clauses. They stay: the published size for k = 1
//! counts them, and larger bounds follow the same rule. [`totalizer:bounded`](crate::amk::bounded_totalizer) is the same
//! tree without them and without output k + 1. `rustsat-totalizer` is the same tree without them, and without
//! the outputs 1 to k of the root, which no clause of at most k needs: 258,977 clauses.

use std::sync::Arc;

use rustsat::types::Lit;

use super::AtMostOne;
use crate::bound::{self, AtMostK};
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::{Size, depths, pairs, tree};

/// See the [module](self).
#[derive(Clone, Copy, Debug, Default)]
pub struct Totalizer {
    /// True if a node has an output for every input below it; else it has two at most.
    pub full: bool,
    /// True if both directions are stated.
    pub defined: bool,
}

/// Every variant.
pub(crate) fn all() -> Vec<Arc<dyn AtMostOne>> {
    let variants = [(false, false), (false, true), (true, false), (true, true)];
    variants.map(|(full, defined)| Arc::new(Totalizer { full, defined }) as _).into()
}

impl Totalizer {
    /// The number of outputs of a node above this number of inputs, for at most k.
    fn outputs(self, inputs: u64, k: u64) -> u64 {
        if self.full { inputs } else { inputs.min(k + 1) }
    }

    /// The size of the tree above `n` inputs.
    fn tree(self, n: u64, k: u64) -> Size {
        tree(n, |inputs| self.node_size(inputs, k))
    }

    /// The size of one node above this number of inputs.
    fn node_size(self, inputs: u64, k: u64) -> Size {
        let outputs = [inputs, inputs.div_ceil(2), inputs / 2];
        let [p, a, b] = outputs.map(|inputs| self.outputs(inputs, k));
        let up = up_size(p, a, b);
        if !self.defined {
            return up;
        }
        let down = (0..=a.min(p)).map(|i| {
            let all = (b + 1).min(p - i);
            let threes = if i < a { b.min(p - i) } else { 0 };
            Size::new(0, all.into(), u128::from(2 * all + threes))
        });
        up + down.sum()
    }
}

impl AtMostOne for Totalizer {
    fn info(&self) -> EncodingInfo {
        let part = if self.full { "full" } else { "cut" };
        let outputs = if self.full { "all outputs" } else { "cut to two outputs" };
        let (variant, directions) = if self.defined { ("+defined", ", defined") } else { ("", "") };
        EncodingInfo {
            id: format!("totalizer:{part}{variant}"),
            title: format!("totalizer, {outputs}{directions}"),
            idea:
                "A binary tree over the inputs. Each node has the number of true inputs below it \
                 in unary. At the root this number is less than two."
                    .into(),
            citation: if self.full {
                "Bailleux, Boufkhad, CP 2003"
            } else {
                "Bailleux, Boufkhad, CP 2003; cut as by Büttner, Rintanen, ICAPS 2005"
            }
            .into(),
            propagation: Propagation::Complete,
            auxiliaries: if self.defined { Auxiliaries::Defined } else { Auxiliaries::Free },
            ..EncodingInfo::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        if n < 2 {
            return Some(Size::default());
        }
        let inputs = u128::from(n);
        let unit = Size::new(0, 1, 1);
        Some(if self.full {
            let (depths, pairs) = (depths(n), pairs(inputs));
            let direction = Size::new(0, depths + pairs, 2 * depths + 3 * pairs);
            let directions = if self.defined { 2 } else { 1 };
            Size::new(depths, 0, 0) + direction * directions + unit
        } else {
            let below = 1 << n.ilog2();
            let twos = u128::from((n - below).max(below / 2));
            let up = Size::new(2 * inputs - 2, 5 * inputs + twos - 8, 12 * inputs + 3 * twos - 20);
            let down = Size::new(0, 3 * inputs - 3, 8 * inputs - 9);
            up + unit + if self.defined { down } else { Size::default() }
        })
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        if xs.len() > 1 {
            self.at_most(xs, 1, out);
        }
    }

    fn of_bounds(&self) -> Option<&dyn AtMostK> {
        Some(self)
    }
}

impl Totalizer {
    /// The outputs of the node above `xs`, for at most k.
    fn node(self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) -> Vec<Lit> {
        if xs.len() == 1 {
            return xs.to_vec();
        }
        let (left, right) = xs.split_at(xs.len().div_ceil(2));
        let (a, b) = (self.node(left, k, out), self.node(right, k, out));
        let r: Vec<Lit> = out.fresh(self.outputs(xs.len() as u64, k) as u32).lits().collect();
        up(&a, &b, &r, out);
        if self.defined {
            for i in 0..=a.len() {
                for (j, &r) in r[i.min(r.len())..].iter().enumerate().take(b.len() + 1) {
                    // ¬aᵢ₊₁ ∧ ¬bⱼ₊₁ → ¬rᵢ₊ⱼ₊₁
                    match (a.get(i), b.get(j)) {
                        (Some(&a), Some(&b)) => out.clause(&[a, b, !r]),
                        (Some(&child), None) | (None, Some(&child)) => out.clause(&[child, !r]),
                        (None, None) => unreachable!("children count no more than their node"),
                    }
                }
            }
        }
        r
    }
}

/// The clauses of a node with outputs `r` from its children upwards. A count above the last output is the last output.
pub(crate) fn up(a: &[Lit], b: &[Lit], r: &[Lit], out: &mut dyn ClauseSink) {
    // Of indices from 0: that of the output that i + 1 literals make true.
    let output = |i: usize| r[i.min(r.len() - 1)];
    for child in [a, b] {
        for (i, &lit) in child.iter().enumerate() {
            // aᵢ → rᵢ, bⱼ → rⱼ
            out.clause(&[!lit, output(i)]);
        }
    }
    for (i, &a) in a.iter().enumerate() {
        for (j, &b) in b.iter().enumerate() {
            // aᵢ ∧ bⱼ → rᵢ₊ⱼ
            out.clause(&[!a, !b, output(i + j + 1)]);
        }
    }
}

/// The size of a node with p outputs and the clauses of [`up`] above children with a and b outputs.
pub(crate) fn up_size(p: u64, a: u64, b: u64) -> Size {
    let [singles, pairs] = [u128::from(a) + u128::from(b), u128::from(a) * u128::from(b)];
    Size::new(p.into(), singles + pairs, 2 * singles + 3 * pairs)
}

impl AtMostK for Totalizer {
    fn about(&self) -> EncodingInfo {
        let info = self.info();
        let directions = if self.defined {
            " The clauses state both directions, so that the literals determine all variables."
        } else {
            ""
        };
        EncodingInfo {
            title: info.title.replace("two outputs", "k + 1 outputs"),
            idea: format!(
                "A binary tree over the literals. Each node has the number of true literals below \
                 it in unary. At the root this number is at most k.{directions}"
            ),
            ..info
        }
    }

    fn at_most_size(&self, n: u64, k: u64) -> Option<Size> {
        Some(self.tree(n, k) + Size::new(0, 1, 1))
    }

    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        let r = self.node(xs, k, out);
        // ¬rₖ₊₁
        out.clause(&[!r[k as usize]]);
    }

    fn exactly_size(&self, n: u64, k: u64) -> Option<Size> {
        if self.defined {
            return Some(self.tree(n, k) + Size::new(0, 2, 2));
        }
        bound::both_size(self, n, k)
    }

    fn exactly(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        if !self.defined {
            return bound::both(self, xs, k, out);
        }
        let r = self.node(xs, k, out);
        // rₖ, ¬rₖ₊₁
        out.clause(&[r[k as usize - 1]]);
        out.clause(&[!r[k as usize]]);
    }
}
