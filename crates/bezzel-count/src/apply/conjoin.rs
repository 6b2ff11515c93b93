//! Conjunctions in pieces.
//!
//! The uppermost nodes of two large diagrams are split here until there are some dozens of pairs below. Each pair is
//! conjoined by itself, and the nodes are put together again. `OxiDD` does the same, but between two pairs the building
//! can stop, and dead nodes can be collected.

use std::collections::{BTreeSet, HashMap};

use super::kind::Dd;
use super::store::Store;
use crate::budget::Halt;
use crate::diagram::DiagramKind;

/// The number of pairs that suffices.
const PAIRS: usize = 64;

/// The largest number of nodes that are split to find them.
const NODES: usize = 1 << 12;

/// The conjunction of two functions.
pub(super) fn conjoin<D: Dd>(store: &mut Store<'_, D>, left: &D, right: &D) -> Result<D, Halt> {
    let mut pairs = Pairs::<D>::default();
    let root = pairs.find((left.clone(), right.clone()));
    let mut split: Vec<SplitPair> = Vec::new();
    // The uppermost pair first, so that none is split before all pairs that lead to it.
    while pairs.open.len() < PAIRS && split.len() < NODES {
        let Some((level, pair)) = pairs.open.pop_first() else { break };
        let (left, right) = pairs.all[pair].clone();
        let ((left_high, left_low), (right_high, right_low)) =
            (children(store, &left, level), children(store, &right, level));
        let high = pairs.find((left_high, right_high));
        let low = pairs.find((left_low, right_low));
        split.push(SplitPair { pair, level, high, low });
    }
    let mut built: Vec<Option<D>> = vec![None; pairs.all.len()];
    let mut is_split = vec![false; pairs.all.len()];
    for part in &split {
        is_split[part.pair] = true;
    }
    for (pair, (left, right)) in pairs.all.into_iter().enumerate() {
        if !is_split[pair] {
            built[pair] = Some(store.and(&left, &right)?);
        }
    }
    for SplitPair { pair, level, high, low } in split.into_iter().rev() {
        let [high, low] = [high, low].map(|of| built[of].clone().expect("children are below"));
        built[pair] = Some(store.branch(level, &high, &low)?);
    }
    Ok(built.swap_remove(root).expect("the root is made last"))
}

/// A pair that was split into two.
struct SplitPair {
    pair: usize,
    level: u32,
    high: usize,
    low: usize,
}

/// The pairs found so far, each once.
struct Pairs<D> {
    all: Vec<(D, D)>,
    known: HashMap<(D, D), usize>,
    /// Those that can be split, by their level.
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
        // A pair with a constant is not split: its conjunction is trivial, or quick for families of sets.
        if left != u32::MAX && right != u32::MAX {
            self.open.insert((left.min(right), number));
        }
        self.all.push(pair.clone());
        self.known.insert(pair, number);
        number
    }
}

/// The cofactors of a function where the variable of this level is true, and where it is false. The level is that of
/// the root or one above.
fn children<D: Dd>(store: &Store<'_, D>, of: &D, level: u32) -> (D, D) {
    if of.level() == level {
        return of.cofactors().expect("a node has children");
    }
    match D::SKIPPED {
        DiagramKind::Bdd => (of.clone(), of.clone()),
        DiagramKind::Zdd => (store.constant(false), of.clone()),
    }
}
