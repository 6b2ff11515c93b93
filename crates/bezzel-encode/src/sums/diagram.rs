//! The decision diagram of a sum, reduced and ordered.
//!
//! *Idea.* The literals are read from the heaviest to the lightest. A node stands for what remains of the bound before
//! a literal. Remaining bounds that the remaining literals cannot tell apart are an interval, and have one node. The
//! node's variable means that the remaining literals keep the remaining bound.
//!
//! *Clauses* of a node v that decides by x and leads to t if x holds and to f if not, and a clause of one literal for
//! the root: those of the [diagram of a count](crate::amo::bdd), under the same names.
//!
//! - `robdd`: v → f and v ∧ x → t.
//! - `robdd:ite`: v ↔ (x ? t : f) in four clauses.
//! - `robdd:ite+redundant`: these, t ∧ f → v and ¬t ∧ ¬f → ¬v.
//!
//! *Size.* A variable for each node. `robdd` has two clauses a node, less those that lead to ⊤, and one for the root;
//! the others have four and six a node, less those that a constant satisfies. The number of nodes is at most n·(b + 1)
//! for the bound b, and grows exponentially with n for some weights. It is found by building the diagram.
//!
//! *Propagation of ≤.* `robdd` and `robdd:ite+redundant`: complete. `robdd:ite`: weak. *Models.* `robdd`: free. The
//! others: determined.
//!
//! *Source.* `robdd`: I. Abío, R. Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell, V. Mayer-Eichberger, "A New Look at
//! BDDs for Pseudo-Boolean Constraints", JAIR 45 (2012), 443–480: section 4, the construction by intervals, and section
//! 5, the clauses. The others: N. Eén, N. Sörensson, "Translating Pseudo-Boolean Constraints into SAT", JSAT 2 (2006),
//! 1–26, the translation of BDDs.
//!
//! *Departures.* Constants are removed from the clauses. A diagram of more than two million nodes is refused.

use std::collections::BTreeMap;

use rustsat::types::Lit;

use super::{heaviest_first, within};
use crate::amo::AtMostOne;
use crate::amo::bdd::{Bdd, BddValue};
use crate::bound::AtMostSum;
use crate::info::EncodingInfo;
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Diagram(pub Bdd);

/// The most nodes of a diagram.
const MAX_NODES: usize = 2_000_000;

/// A node, by its number, or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Child {
    Never,
    Always,
    Node(u32),
}

/// A node: the place of its literal among the sorted ones, and its children.
struct Node {
    level: u32,
    held: Child,
    not_held: Child,
}

/// A function of the literals from a level on, with the interval of remaining bounds that have it.
#[derive(Clone, Copy)]
struct Interval {
    low: i128,
    high: i128,
    child: Child,
}

/// A step of the construction: the node of a remaining bound at a level, and its child for a literal that holds.
struct Step {
    level: usize,
    bound: i128,
    held: Option<Interval>,
}

/// Builds the diagram of sorted weights. The root is the last node. None if there are too many nodes.
fn build(weights: &[u64], bound: u64) -> Option<Vec<Node>> {
    let mut rest: Vec<i128> = vec![0; weights.len() + 1];
    for (level, &weight) in weights.iter().enumerate().rev() {
        rest[level] = rest[level + 1] + i128::from(weight);
    }
    let mut nodes: Vec<Node> = Vec::new();
    // The known intervals of a level by their lower ends.
    let mut known: Vec<BTreeMap<i128, (i128, Child)>> = vec![BTreeMap::new(); weights.len()];
    let find = |known: &[BTreeMap<i128, (i128, Child)>], level: usize, bound: i128| {
        if bound < 0 {
            return Some(Interval { low: i128::MIN / 4, high: -1, child: Child::Never });
        }
        if bound >= rest[level] {
            return Some(Interval { low: rest[level], high: i128::MAX / 4, child: Child::Always });
        }
        let (&low, &(high, child)) = known[level].range(..=bound).next_back()?;
        (bound <= high).then_some(Interval { low, high, child })
    };
    let mut steps = vec![Step { level: 0, bound: bound.into(), held: None }];
    while let Some(Step { level, bound, held }) = steps.last() {
        let (level, bound, held) = (*level, *bound, *held);
        let weight = i128::from(weights[level]);
        let Some(held) = held.or_else(|| find(&known, level + 1, bound - weight)) else {
            steps.push(Step { level: level + 1, bound: bound - weight, held: None });
            continue;
        };
        steps.last_mut()?.held = Some(held);
        let Some(not_held) = find(&known, level + 1, bound) else {
            steps.push(Step { level: level + 1, bound, held: None });
            continue;
        };
        steps.pop();
        let (low, high) =
            (not_held.low.max(held.low + weight), not_held.high.min(held.high + weight));
        if nodes.len() == MAX_NODES {
            return None;
        }
        // The children differ: if the heaviest literal left did not matter, no other one would.
        nodes.push(Node { level: level as u32, held: held.child, not_held: not_held.child });
        let child = Child::Node(nodes.len() as u32 - 1);
        known[level].insert(low, (high, child));
    }
    Some(nodes)
}

impl Diagram {
    /// The clauses of all nodes, the root first. `node` gives the variable of a node.
    fn clauses(
        self,
        nodes: &[Node],
        node: impl Fn(u32) -> Lit,
        x: impl Fn(u32) -> Lit,
        out: &mut dyn ClauseSink,
    ) {
        let value = |child: Child| match child {
            Child::Never => BddValue::Constant(false),
            Child::Always => BddValue::Constant(true),
            Child::Node(number) => BddValue::Is(node(number)),
        };
        out.clause(&[node(nodes.len() as u32 - 1)]);
        for (number, Node { level, held, not_held }) in (0..nodes.len() as u32).zip(nodes).rev() {
            let (v, x) = (BddValue::Is(node(number)), BddValue::Is(x(*level)));
            self.0.node(v, x, value(*held), value(*not_held), out);
        }
    }
}

/// Counts clauses and literals.
#[derive(Default)]
struct Counted {
    clauses: u128,
    literals: u128,
}

impl ClauseSink for Counted {
    fn fresh(&mut self, _count: u32) -> crate::sink::VarRange {
        unreachable!("the nodes are made before their clauses")
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.clauses += 1;
        self.literals += lits.len() as u128;
    }
}

impl AtMostSum for Diagram {
    fn about(&self) -> EncodingInfo {
        let info = self.0.info();
        let (id, title) = match self.0 {
            Bdd::Monotone => ("robdd", "decision diagram of a sum, monotone clauses"),
            Bdd::Ite => ("robdd:ite", "decision diagram of a sum, if-then-else clauses"),
            Bdd::IteRedundant => (
                "robdd:ite+redundant",
                "decision diagram of a sum, if-then-else and redundant clauses",
            ),
        };
        EncodingInfo {
            id: id.into(),
            title: title.into(),
            idea: "The reduced decision diagram of the sum. The variable of a node means that the \
                   remaining literals keep what remains of the bound."
                .into(),
            ..info
        }
    }

    fn size(&self, weights: &[u64], bound: u64) -> Option<Size> {
        let sorted: Vec<u64> =
            heaviest_first(weights).into_iter().map(|place| weights[place]).collect();
        let nodes = build(&sorted, bound)?;
        let mut counted = Counted::default();
        let any = |_: u32| Lit::positive(0);
        self.clauses(&nodes, any, any, &mut counted);
        within(Size::new(nodes.len() as u128, counted.clauses, counted.literals))
    }

    fn at_most(&self, xs: &[Lit], weights: &[u64], bound: u64, out: &mut dyn ClauseSink) {
        let places = heaviest_first(weights);
        let sorted: Vec<u64> = places.iter().map(|&place| weights[place]).collect();
        let nodes = build(&sorted, bound).expect("the size accepts the sum");
        let made = out.fresh(nodes.len() as u32);
        // The root has the first variable.
        let last = made.len() - 1;
        self.clauses(&nodes, |node| made.lit(last - node), |level| xs[places[level as usize]], out);
    }
}
