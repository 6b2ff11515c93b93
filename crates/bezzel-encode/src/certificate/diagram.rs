//! A decision diagram of a sum in a proof: the reference that is between the constraint and the clauses.
//!
//! A node stands for the bounds from `lo` to `hi` on the sum of the inputs from a layer on: no sum of these inputs lies
//! above `lo` and within `hi`, so all of these bounds mean the same. Redundance steps define the literals Σ ≤ lo and
//! Σ ≤ hi. The proof derives the clauses of the branches by adding two definitions, and Σ ≤ hi → Σ ≤ lo by cases. These
//! are the steps of Gocht, Martins, Nordström, Oertel for diagrams.

use std::collections::BTreeMap;

use rustsat::types::Lit;

use super::proof::{Known, Proof};

/// A literal that holds if and only if the sum of the inputs from a layer on is at most a bound.
#[derive(Clone, Copy)]
pub(super) struct Threshold {
    pub(super) lit: Lit,
    /// The lines of the two definitions: the bound is kept if the literal holds, and passed if it does not.
    pub(super) if_holds: u64,
    pub(super) if_fails: u64,
}

/// A node with its interval. The leaves have no literals.
#[derive(Clone, Copy)]
struct Node {
    lo: i128,
    hi: i128,
    /// Those of `lo` and `hi`.
    literals: Option<(Threshold, Threshold)>,
}

/// The diagram so far.
pub(super) struct Diagram<'a> {
    terms: &'a [(Lit, u64)],
    /// The nodes of each layer by their `lo`.
    layers: Vec<BTreeMap<i128, Node>>,
    proof: &'a mut Proof,
    known: &'a mut Known,
}

impl<'a> Diagram<'a> {
    /// Adds the diagram of a sum of literals with weights to a proof, and its clauses to those that are known. Returns the
    /// literals of the root: the first has the least bound that means the same, the second the bound itself, 0 ≤ bound < Σ
    /// weights.
    pub(super) fn build(
        terms: &'a [(Lit, u64)],
        bound: u64,
        proof: &'a mut Proof,
        known: &'a mut Known,
    ) -> (Threshold, Threshold) {
        let layers = vec![BTreeMap::new(); terms.len()];
        let mut diagram = Diagram { terms, layers, proof, known };
        diagram.node(0, bound.into()).literals.expect("the bound is below the sum of all weights")
    }

    /// The weight of the inputs from a layer on.
    fn total(&self, layer: usize) -> i128 {
        self.terms[layer..].iter().map(|&(_, weight)| i128::from(weight)).sum()
    }

    fn node(&mut self, layer: usize, bound: i128) -> Node {
        let total = self.total(layer);
        if bound < 0 {
            return Node { lo: i128::MIN / 2, hi: -1, literals: None };
        }
        if bound >= total {
            return Node { lo: total, hi: i128::MAX / 2, literals: None };
        }
        let below = self.layers[layer].range(..=bound).next_back();
        if let Some((_, node)) = below.filter(|(_, node)| bound <= node.hi) {
            return *node;
        }
        let weight = i128::from(self.terms[layer].1);
        let (without, with) = (self.node(layer + 1, bound), self.node(layer + 1, bound - weight));
        let lo = without.lo.max(with.lo + weight);
        // The bound of the root is that of the constraint.
        let hi = if layer == 0 { bound } else { without.hi.min(with.hi + weight) };
        let low = self.threshold(layer, lo);
        let high = if lo == hi { low } else { self.threshold(layer, hi) };
        self.branches(layer, (low, high), [without, with]);
        let node = Node { lo, hi, literals: Some((low, high)) };
        self.layers[layer].insert(lo, node);
        node
    }

    /// Defines a literal for a bound on the inputs from a layer on.
    fn threshold(&mut self, layer: usize, bound: i128) -> Threshold {
        let lit = self.known.fresh();
        let inputs = self.terms[layer..].iter().map(|&(x, weight)| (x, i128::from(weight)));
        let total = self.total(layer);
        let of = |own: Lit, degree: i128, is_negated: bool| {
            let inputs =
                inputs.clone().map(|(x, weight)| (if is_negated { !x } else { x }, weight));
            [(own, degree)].into_iter().chain(inputs).collect::<Vec<(Lit, i128)>>()
        };
        let if_holds = self.proof.red(&of(!lit, total - bound, true), total - bound, !lit);
        let if_fails = self.proof.red(&of(lit, bound + 1, false), bound + 1, lit);
        Threshold { lit, if_holds, if_fails }
    }

    /// Derives the clauses of a node and its children.
    fn branches(&mut self, layer: usize, (low, high): (Threshold, Threshold), children: [Node; 2]) {
        let x = self.terms[layer].0;
        let [without, with] = children;
        // The bound on all inputs is kept only if the child's is, and if the child's is. One of these depends on x.
        let cases: [(Node, &[Lit], &[Lit]); 2] = [(with, &[!x], &[]), (without, &[], &[x])];
        let is_single = low.lit == high.lit;
        for from in [low, high].into_iter().skip(usize::from(is_single)) {
            for (child, down, _) in cases {
                match child.literals {
                    Some((least, most)) => {
                        self.add(from, most, down);
                        self.known.rup(self.proof, &[&[!from.lit], down, &[least.lit]].concat());
                    }
                    None if child.hi < 0 => {
                        self.known.rup(self.proof, &[&[!from.lit], down].concat());
                    }
                    None => {}
                }
            }
        }
        for (child, _, up) in cases {
            match child.literals {
                Some((least, _)) => self.add(least, low, up),
                None if child.hi < 0 => {}
                None => self.known.rup(self.proof, &[up, &[low.lit]].concat()),
            }
        }
        if !is_single {
            self.known.rup(self.proof, &[!high.lit, low.lit]);
            self.add(low, high, &[]);
        }
    }

    /// Derives ¬one ∨ other ∨ `branch` from the sum of definitions.
    fn add(&mut self, one: Threshold, other: Threshold, branch: &[Lit]) {
        let sum = self.proof.pol(&format!("{} {} +", one.if_holds, other.if_fails));
        self.known.rup(self.proof, &[&[!one.lit], branch, &[other.lit]].concat());
        self.proof.delete(&[sum]);
    }
}
