//! The modulo totalizer: inputs are counted by a quotient and a remainder modulo p, both in unary.
//!
//! *Idea.* A binary tree over the inputs. Each node has the remainder l₁ … lₚ₋₁ and the quotient u₁ … of the number of
//! inputs below it that hold. Where two remainders reach p, there is a carry c to the quotient. A node above m inputs
//! therefore has about p + m/p outputs, where a [totalizer](crate::amo::totalizer) has m.
//!
//! *Clauses* of a node above children a and b, where l₀ and u₀ are true: for 0 ≤ i, j < p, lᵢᵃ ∧ lⱼᵇ implies lᵢ₊ⱼ ∨ c
//! if i + j < p, c if i + j = p, and lᵢ₊ⱼ₋ₚ if i + j > p; uᵢᵃ ∧ uⱼᵇ → uᵢ₊ⱼ, and uᵢᵃ ∧ uⱼᵇ ∧ c → uᵢ₊ⱼ₊₁, or → ⊥ where
//! there is no such output. Nodes above fewer than p inputs have neither carry nor quotient. The n inputs are cut in
//! halves, the greater first. At the root, with k = qp + r: `¬u_{q+1}`, and `u_q → ¬l_{r+1}` if r + 1 < p. The modulus
//! p is ⌈√(k + 1)⌉, and at least 2. In `k-modulo-totalizer` quotients have the first q + 1 outputs, and uᵢ is the last
//! of them for greater i.
//!
//! *Size for 1 ≤ k < n.* A node above m inputs has min(m, p − 1) variables for the remainder, one for the carry if m ≥
//! p, and ⌊m/p⌋ for the quotient, at most q + 1 in `k-modulo-totalizer`. Its clauses are those above.
//!
//! *Propagation.* Weak: the carry may make up for a remainder. *Models.* Free.
//!
//! *Source.* T. Ogawa, Y. Liu, R. Hasegawa, M. Koshimura, H. Fujita, "Modulo Based CNF Encoding of Cardinality
//! Constraints and Its Application to MaxSAT Solvers", ICTAI 2013. A. Morgado, A. Ignatiev, J. Marques-Silva, "MSCG:
//! Robust Core-Guided MaxSAT Solving", JSAT 9 (2014), for `k-modulo-totalizer`.
//!
//! *Departures.* The modulus depends on k alone.

use rustsat::types::Lit;

use super::AtMostK;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::{Size, tree};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct ModuloTotalizer {
    /// True if quotients are cut above k.
    pub cut: bool,
}

/// The outputs of a node.
struct NodeOutputs {
    remainder: Vec<Lit>,
    quotient: Vec<Lit>,
}

/// p, and the largest number of outputs of a quotient.
#[derive(Clone, Copy)]
struct TotalizerShape {
    p: u64,
    max: u64,
}

impl TotalizerShape {
    fn remainder(self, inputs: u64) -> u64 {
        inputs.min(self.p - 1)
    }

    fn quotient(self, inputs: u64) -> u64 {
        (inputs / self.p).min(self.max)
    }

    /// The place of this value in a quotient with `outputs` outputs; none if the value is larger than the quotient.
    fn output(self, value: u64, outputs: u64) -> Option<u64> {
        if value <= outputs { Some(value) } else { (outputs == self.max).then_some(outputs) }
    }
}

impl ModuloTotalizer {
    fn shape(self, k: u64) -> TotalizerShape {
        let root = (k + 1).isqrt();
        let p = if root * root == k + 1 { root } else { root + 1 }.max(2);
        TotalizerShape { p, max: if self.cut { k / p + 1 } else { u64::MAX } }
    }
}

impl AtMostK for ModuloTotalizer {
    fn about(&self) -> EncodingInfo {
        let (id, title) = if self.cut {
            ("k-modulo-totalizer", "modulo totalizer, cut at k")
        } else {
            ("modulo-totalizer", "modulo totalizer")
        };
        EncodingInfo {
            id: id.into(),
            title: title.into(),
            idea:
                "A binary tree over the inputs. Each node has the number of true inputs below it \
                   as a quotient and a remainder, both in unary."
                    .into(),
            citation: if self.cut {
                "Ogawa et al., ICTAI 2013; Morgado, Ignatiev, Marques-Silva, JSAT 2014"
            } else {
                "Ogawa, Liu, Hasegawa, Koshimura, Fujita, ICTAI 2013"
            }
            .into(),
            propagation: Propagation::Weak,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn propagation_of_one(&self) -> Propagation {
        Propagation::Complete
    }

    fn at_most_size(&self, n: u64, k: u64) -> Option<Size> {
        let shape = self.shape(k);
        let mut size = tree(n, |inputs| shape.node_size(inputs));
        let (q, r) = (k / shape.p, k % shape.p);
        if q < shape.quotient(n) {
            size += Size::new(0, 1, 1);
        }
        if r + 1 < shape.p {
            size += Size::new(0, 1, if q == 0 { 1 } else { 2 });
        }
        Some(size)
    }

    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        let shape = self.shape(k);
        let NodeOutputs { remainder, quotient } = shape.node(xs, out);
        let (q, r) = ((k / shape.p) as usize, (k % shape.p) as usize);
        if let Some(&above) = quotient.get(q) {
            // ¬u_{q+1}
            out.clause(&[!above]);
        }
        if r + 1 < shape.p as usize {
            // u_q → ¬l_{r+1}
            match q {
                0 => out.clause(&[!remainder[r]]),
                _ => out.clause(&[!quotient[q - 1], !remainder[r]]),
            }
        }
    }
}

impl TotalizerShape {
    fn node(self, xs: &[Lit], out: &mut dyn ClauseSink) -> NodeOutputs {
        if xs.len() == 1 {
            return NodeOutputs { remainder: xs.to_vec(), quotient: Vec::new() };
        }
        let (left, right) = xs.split_at(xs.len().div_ceil(2));
        let (a, b) = (self.node(left, out), self.node(right, out));
        let inputs = xs.len() as u64;
        let p = self.p as usize;
        let remainder: Vec<Lit> = out.fresh(self.remainder(inputs) as u32).lits().collect();
        let carry = (inputs >= self.p).then(|| out.fresh(1).lit(0));
        let quotient: Vec<Lit> = out.fresh(self.quotient(inputs) as u32).lits().collect();
        let mut clause = Vec::with_capacity(4);
        // The literals of an implication from output i of a and output j of b, counted from 1; 0 is true.
        let from = |clause: &mut Vec<Lit>, a: &[Lit], b: &[Lit], i: usize, j: usize| {
            clause.clear();
            clause.extend(i.checked_sub(1).map(|i| !a[i]));
            clause.extend(j.checked_sub(1).map(|j| !b[j]));
        };
        for i in 0..=a.remainder.len() {
            for j in 0..=b.remainder.len() {
                if i + j == 0 {
                    continue;
                }
                from(&mut clause, &a.remainder, &b.remainder, i, j);
                if i + j < p {
                    clause.push(remainder[i + j - 1]);
                }
                if i + j <= p {
                    clause.extend(carry);
                } else {
                    clause.push(remainder[i + j - p - 1]);
                }
                out.clause(&clause);
            }
        }
        for i in 0..=a.quotient.len() {
            for j in 0..=b.quotient.len() {
                let place = |value: usize| {
                    let place = self.output(value as u64, quotient.len() as u64);
                    place.filter(|&place| place > 0).map(|place| quotient[place as usize - 1])
                };
                if let Some(output) = place(i + j) {
                    from(&mut clause, &a.quotient, &b.quotient, i, j);
                    clause.push(output);
                    out.clause(&clause);
                }
                if let Some(carry) = carry {
                    from(&mut clause, &a.quotient, &b.quotient, i, j);
                    clause.push(!carry);
                    clause.extend(place(i + j + 1));
                    out.clause(&clause);
                }
            }
        }
        NodeOutputs { remainder, quotient }
    }

    /// The size of a node above this number of inputs.
    fn node_size(self, inputs: u64) -> Size {
        let (left, right) = (inputs.div_ceil(2), inputs / 2);
        let [la, lb, l] = [left, right, inputs].map(|inputs| self.remainder(inputs));
        let [ua, ub, u] = [left, right, inputs].map(|inputs| self.quotient(inputs));
        let carry = u64::from(inputs >= self.p);
        // Clauses for j from 0 to `last` beside this i, each of `more` literals beside those of i and j.
        let clauses = |i: u64, last: u64, more: u64| {
            let number = last + 1;
            let literals = number * (u64::from(i > 0) + more) + last;
            Size::new(0, number.into(), literals.into())
        };
        let mut size = Size::new((l + carry + u).into(), 0, 0);
        for i in 0..=la {
            // i + j < p; i + j ≥ p, where neither is 0.
            let below = lb.min(self.p - 1 - i);
            size += clauses(i, below, 1 + carry);
            let above = u128::from(lb - below);
            size += Size::new(0, above, 3 * above);
        }
        // There is none for i = j = 0.
        size = Size {
            clauses: size.clauses - 1,
            literals: size.literals - u128::from(1 + carry),
            ..size
        };
        let [ua, ub, u] = [ua, ub, u].map(u128::from);
        let (pairs, singles) = ((ua + 1) * (ub + 1), ua * (ub + 1) + ub * (ua + 1));
        // There is none for i = j = 0.
        size += Size::new(0, pairs - 1, pairs + singles - 1);
        if carry > 0 {
            // One quotient at most is too large to have an output.
            let without = u128::from(u < u128::from(self.max) && u == ua + ub);
            size += Size::new(0, pairs, 2 * pairs + singles - without);
        }
        size
    }
}
