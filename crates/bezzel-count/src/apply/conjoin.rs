//! Conjunctions in pieces.
//!
//! Of two large diagrams the uppermost nodes are taken apart here until there are some dozens of
//! pairs below, each pair is conjoined by itself, and the nodes are put together again. That is what
//! `OxiDD` does too, but between two pairs one may be told to stop, and dead nodes may be collected.

use std::collections::{BTreeSet, HashMap};

use super::kind::Dd;
use super::store::Store;
use crate::budget::Halt;
use crate::diagram::Kind;

/// How many pairs are enough.
const PAIRS: usize = 64;

/// And how many nodes may be taken apart to find them.
const NODES: usize = 1 << 12;

/// The conjunction of two functions.
pub(super) fn conjoin<D: Dd>(store: &mut Store<'_, D>, left: &D, right: &D) -> Result<D, Halt> {
    let mut pairs = Pairs::<D>::default();
    let root = pairs.find((left.clone(), right.clone()));
    let mut apart: Vec<Apart> = Vec::new();
    // The uppermost pair first, so that none is taken apart before all that lead to it.
    while pairs.open.len() < PAIRS && apart.len() < NODES {
        let Some((level, pair)) = pairs.open.pop_first() else { break };
        let (left, right) = pairs.all[pair].clone();
        let ((left_high, left_low), (right_high, right_low)) =
            (children(store, &left, level), children(store, &right, level));
        let high = pairs.find((left_high, right_high));
        let low = pairs.find((left_low, right_low));
        apart.push(Apart { pair, level, high, low });
    }
    let mut made: Vec<Option<D>> = vec![None; pairs.all.len()];
    let mut is_apart = vec![false; pairs.all.len()];
    for part in &apart {
        is_apart[part.pair] = true;
    }
    for (pair, (left, right)) in pairs.all.into_iter().enumerate() {
        if !is_apart[pair] {
            made[pair] = Some(store.and(&left, &right)?);
        }
    }
    for Apart { pair, level, high, low } in apart.into_iter().rev() {
        let [high, low] = [high, low].map(|of| made[of].clone().expect("children are below"));
        made[pair] = Some(store.branch(level, &high, &low)?);
    }
    Ok(made.swap_remove(root).expect("the root is made last"))
}

/// A pair that was taken apart into two.
struct Apart {
    pair: usize,
    level: u32,
    high: usize,
    low: usize,
}

/// The pairs met so far, each once.
struct Pairs<D> {
    all: Vec<(D, D)>,
    known: HashMap<(D, D), usize>,
    /// Those that can be taken apart, by their level.
    open: BTreeSet<(u32, usize)>,
}

impl<D: Dd> Default for Pairs<D> {
    fn default() -> Self {
        Self { all: Vec::new(), known: HashMap::new(), open: BTreeSet::new() }
    }
}

impl<D: Dd> Pairs<D> {
    fn find(&mut self, pair: (D, D)) -> usize {
        if let Some(&known) = self.known.get(&pair) {
            return known;
        }
        let number = self.all.len();
        let (left, right) = (pair.0.level(), pair.1.level());
        // With a constant there is nothing to do but for families, where it is quick.
        if left != u32::MAX && right != u32::MAX {
            self.open.insert((left.min(right), number));
        }
        self.all.push(pair.clone());
        self.known.insert(pair, number);
        number
    }
}

/// What a function is where the variable of this level, its root's or one above, is true, and where
/// it is false.
fn children<D: Dd>(store: &Store<'_, D>, of: &D, level: u32) -> (D, D) {
    if of.level() == level {
        return of.cofactors().expect("a node has children");
    }
    match D::SKIPPED {
        Kind::Bdd => (of.clone(), of.clone()),
        Kind::Zdd => (store.constant(false), of.clone()),
    }
}
