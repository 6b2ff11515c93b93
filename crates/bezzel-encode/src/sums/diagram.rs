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
//! *Parts* of which at most one literal holds are levels of a multi-valued diagram (MDD). The parts are read by their
//! heaviest literals. A node has a child t for each literal x of the part, and f for none. `robdd` has v → f, and v ∧ x → t
//! for each x whose child is not f. The others take no parts.
//!
//! *Propagation of ≤.* `robdd` and `robdd:ite+redundant`: complete. `robdd:ite`: weak. *Models.* `robdd`: free. The
//! others: determined.
//!
//! *Source.* `robdd`: I. Abío, R. Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell, V. Mayer-Eichberger, "A New Look at
//! BDDs for Pseudo-Boolean Constraints", JAIR 45 (2012), 443–480: section 4, the construction by intervals, and section
//! 5, the clauses. The others: N. Eén, N. Sörensson, "Translating Pseudo-Boolean Constraints into SAT", JSAT 2 (2006),
//! 1–26, the translation of BDDs. Parts: M. Bofill, J. Coll, P. Nightingale, J. Suy, F. Ulrich-Oltean, M. Villaret, "SAT
//! Encodings for Pseudo-Boolean Constraints Together With At-Most-One Constraints", Artificial Intelligence 302 (2022).
//!
//! *Departures.* Constants are removed from the clauses. A diagram of more than two million nodes is refused.

use std::collections::BTreeMap;

use bezzel_problem::Lists;
use rustsat::types::Lit;

use super::heaviest_first;
use super::walk::{PartConstruction, Walk};
use crate::amo::AtMostOne;
use crate::amo::bdd::{Bdd, BddValue, clause};
use crate::info::EncodingInfo;
use crate::sink::ClauseSink;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Diagram {
    /// The clauses of a node.
    pub form: Bdd,
    /// The most nodes; larger diagrams are refused.
    pub max_nodes: usize,
}

/// The most nodes of the diagram of a named encoder.
pub const MAX_NODES: usize = 2_000_000;

/// A node, by its number, or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Child {
    Never,
    Always,
    Node(u32),
}

/// The nodes of a diagram: the place of the part of each among the sorted ones, and its children. The first is that of
/// the heaviest literal, the last that of none. The root is the last node.
#[derive(Default)]
struct Nodes {
    levels: Vec<u32>,
    children: Lists<Child>,
}

/// A function of the parts from a level on, with the interval of remaining bounds that have it.
#[derive(Clone, Copy)]
struct Interval {
    low: i128,
    high: i128,
    child: Child,
}

/// A step of the construction: the node of a remaining bound at a level, with its children so far, and the remaining
/// bounds that have them.
struct Step {
    level: usize,
    bound: i128,
    low: i128,
    high: i128,
    children: Vec<Child>,
}

impl Step {
    fn new(level: usize, bound: i128) -> Self {
        Self { level, bound, low: i128::MIN / 4, high: i128::MAX / 4, children: Vec::new() }
    }
}

/// Builds the diagram of sorted parts. None if there are more than `max_nodes` nodes.
fn build(parts: &[&[(Lit, u64)]], bound: u64, max_nodes: usize) -> Option<Nodes> {
    let mut rest: Vec<i128> = vec![0; parts.len() + 1];
    for (level, part) in parts.iter().enumerate().rev() {
        rest[level] = rest[level + 1] + i128::from(part.last()?.1);
    }
    let mut nodes = Nodes::default();
    // The known intervals of a level by their lower ends.
    let mut known: Vec<BTreeMap<i128, (i128, Child)>> = vec![BTreeMap::new(); parts.len()];
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
    let mut steps = vec![Step::new(0, bound.into())];
    'steps: while let Some(step) = steps.last_mut() {
        let (level, bound) = (step.level, step.bound);
        let weights = parts[level].iter().rev().map(|&(_, weight)| i128::from(weight)).chain([0]);
        for weight in weights.skip(step.children.len()) {
            let Some(Interval { low, high, child }) = find(&known, level + 1, bound - weight)
            else {
                steps.push(Step::new(level + 1, bound - weight));
                continue 'steps;
            };
            (step.low, step.high) = (step.low.max(low + weight), step.high.min(high + weight));
            step.children.push(child);
        }
        let Step { low, high, children, .. } = steps.pop()?;
        if nodes.levels.len() == max_nodes {
            return None;
        }
        // The children differ: if the heaviest literal left did not matter, no other one would.
        nodes.levels.push(level as u32);
        nodes.children.push(children);
        known[level].insert(low, (high, Child::Node(nodes.levels.len() as u32 - 1)));
    }
    Some(nodes)
}

impl Diagram {
    /// The clauses of a node `v` that decides by a part.
    fn node(self, v: Lit, part: &[(Lit, u64)], children: &[BddValue], out: &mut dyn ClauseSink) {
        let v = BddValue::Is(v);
        if let (&[(x, _)], &[held, not_held]) = (part, children) {
            return self.form.node(v, BddValue::Is(x), held, not_held, out);
        }
        let Some((&none, held)) = children.split_last() else { return };
        // v → f
        clause(&[!v, none], out);
        for (&child, &(x, _)) in held.iter().zip(part.iter().rev()) {
            // v ∧ x → t, which follows if t is f
            if child != none {
                clause(&[!v, !BddValue::Is(x), child], out);
            }
        }
    }
}

impl PartConstruction for Diagram {
    fn about(&self) -> EncodingInfo {
        let info = self.form.info();
        let (id, title) = match self.form {
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

    fn takes_parts(&self) -> bool {
        self.form == Bdd::Monotone
    }

    fn counts_heaviest(&self) -> bool {
        true
    }

    fn build(&self, parts: &Lists<(Lit, u64)>, bound: u64, walk: &mut Walk<'_>) -> Option<()> {
        let parts = heaviest_first(parts);
        let Nodes { levels, children } = build(&parts, bound, self.max_nodes)?;
        let made = walk.fresh(levels.len() as u32);
        // The root has the first variable.
        let node = |number: u32| made.lit(made.len() - 1 - number);
        let value = |&child: &Child| match child {
            Child::Never => BddValue::Constant(false),
            Child::Always => BddValue::Constant(true),
            Child::Node(number) => BddValue::Is(node(number)),
        };
        walk.clause(&[made.lit(0)]);
        let mut values = Vec::new();
        for number in (0..made.len()).rev() {
            values.clear();
            values.extend(children.get(number as usize).iter().map(value));
            let level = levels[number as usize] as usize;
            self.node(node(number), parts[level], &values, walk);
        }
        walk.check()
    }
}
