//! Builds diagrams node by node.

use bezzel_encode::Var;

use super::{Diagram, DiagramKind, Node, Ref};
use crate::budget::{Budget, Halt};

/// The bytes of a node.
pub(super) const NODE_BYTES: u64 = size_of::<Node>() as u64;
/// The bytes of a place in a table of nodes.
const SLOT_BYTES: u64 = size_of::<Ref>() as u64;
/// References are 32 bits; two of them are the terminals.
const MAX_NODES: usize = u32::MAX as usize - 2;
/// The number of nodes that are made between two reads of the flag, and the least number that is reserved.
const CHECK_INTERVAL: usize = 1 << 12;
/// The smallest table of a level's nodes.
const MIN_SLOTS: usize = 1 << 4;

/// Makes a reduced diagram from below: equal nodes are made once, redundant ones never.
#[derive(Debug)]
pub struct Builder<'a> {
    kind: DiagramKind,
    order: Vec<Var>,
    budget: Budget<'a>,
    nodes: Vec<Node>,
    /// The tables that find the nodes of each level. The small tables of the lowest levels are used most, and stay in
    /// the processor's caches.
    levels: Vec<LevelNodes>,
    /// The places in all tables.
    slots: usize,
    peak_bytes: u64,
    /// Nodes and bytes of the budget that are used elsewhere.
    beside: (u64, u64),
}

/// The nodes of a level, by open addressing.
#[derive(Clone, Debug, Default)]
struct LevelNodes {
    slots: Vec<Ref>,
    taken: usize,
}

impl<'a> Builder<'a> {
    /// Begins a diagram with these variables, from the root's level down.
    ///
    /// # Panics
    ///
    /// When there are 2¹⁶ or more variables.
    pub fn new(kind: DiagramKind, order: Vec<Var>, budget: Budget<'a>) -> Self {
        assert!(u16::try_from(order.len()).is_ok(), "levels are 16 bits");
        let levels = vec![LevelNodes::default(); order.len()];
        let (nodes, slots, peak_bytes) = (Vec::new(), 0, 0);
        Self { kind, order, budget, nodes, levels, slots, peak_bytes, beside: (0, 0) }
    }

    /// The node that decides by the variable of `level` (from 0 at the root's end) between `low`, where it is false,
    /// and `high`; or its reduction.
    ///
    /// # Errors
    ///
    /// When the budget is spent, or there are 2³² nodes.
    ///
    /// # Panics
    ///
    /// When there is no such level, or a child is not below it.
    pub fn node(&mut self, level: usize, low: Ref, high: Ref) -> Result<Ref, Halt> {
        assert!(
            level < self.order.len() && level < self.level(low).min(self.level(high)),
            "children are on levels below"
        );
        let redundant = match self.kind {
            DiagramKind::Bdd => low == high,
            DiagramKind::Zdd => high == Ref::FALSE,
        };
        if redundant {
            return Ok(low);
        }
        let here = &self.levels[level];
        if here.taken + here.taken / 2 >= here.slots.len() {
            self.enlarge(level)?;
        }
        let node = Node { level: level as u16, low, high };
        let slots = &self.levels[level].slots;
        let mut slot = place(low, high, slots.len());
        while let Some(index) = slots[slot].index() {
            if self.nodes[index] == node {
                return Ok(slots[slot]);
            }
            slot = (slot + 1) & (slots.len() - 1);
        }
        let made = self.push(node)?;
        self.levels[level].slots[slot] = made;
        self.levels[level].taken += 1;
        Ok(made)
    }

    /// The number of nodes made so far.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The most memory taken so far for nodes and for the tables that find them, in bytes, with the bytes that were
    /// used elsewhere at that time.
    pub fn peak_bytes(&self) -> u64 {
        self.peak_bytes
    }

    /// Ends the diagram. Nodes that cannot be reached from `root` are dropped.
    pub fn finish(self, root: Ref) -> Diagram {
        let Self { kind, order, mut nodes, levels, .. } = self;
        drop(levels);
        let root = sweep(&mut nodes, root);
        Diagram { kind, order, nodes, root }
    }

    /// The memory taken now, in bytes.
    pub fn bytes(&self) -> u64 {
        bytes(self.nodes.capacity(), self.slots)
    }

    /// Sets the numbers of nodes and bytes of the budget that are used elsewhere from now on.
    pub fn set_beside(&mut self, nodes: u64, bytes: u64) {
        self.beside = (nodes, bytes);
    }

    #[inline]
    fn level(&self, at: Ref) -> usize {
        at.index().map_or(self.order.len(), |index| self.nodes[index].level.into())
    }

    fn push(&mut self, node: Node) -> Result<Ref, Halt> {
        let index = self.nodes.len();
        if index as u64 + self.beside.0 >= self.budget.nodes || index >= MAX_NODES {
            return Err(Halt::Nodes(self.budget.nodes.min(MAX_NODES as u64)));
        }
        if index.is_multiple_of(CHECK_INTERVAL) {
            self.budget.go_on()?;
        }
        if index == self.nodes.capacity() {
            // By half, so that few reserved bytes are unused.
            let more = (index / 2).max(CHECK_INTERVAL);
            // The old nodes may exist until the new ones are filled.
            self.afford(2 * index + more, self.slots)?;
            self.nodes.reserve_exact(more);
        }
        self.nodes.push(node);
        Ok(Ref::node(index))
    }

    /// Enlarges the table of a level.
    fn enlarge(&mut self, level: usize) -> Result<(), Halt> {
        let before = self.levels[level].slots.len();
        let count = (2 * before).max(MIN_SLOTS);
        // The old places exist until the new ones are filled.
        self.afford(self.nodes.capacity(), self.slots + count)?;
        let mut slots = vec![Ref::FALSE; count];
        for &listed in &self.levels[level].slots {
            let Some(index) = listed.index() else { continue };
            let Node { low, high, .. } = self.nodes[index];
            let mut slot = place(low, high, count);
            while slots[slot] != Ref::FALSE {
                slot = (slot + 1) & (count - 1);
            }
            slots[slot] = listed;
        }
        self.levels[level].slots = slots;
        self.slots += count - before;
        Ok(())
    }

    fn afford(&mut self, nodes: usize, slots: usize) -> Result<(), Halt> {
        let bytes = bytes(nodes, slots).saturating_add(self.beside.1);
        if bytes > self.budget.bytes {
            return Err(Halt::Bytes(self.budget.bytes));
        }
        self.peak_bytes = self.peak_bytes.max(bytes);
        Ok(())
    }
}

fn bytes(nodes: usize, slots: usize) -> u64 {
    nodes as u64 * NODE_BYTES + slots as u64 * SLOT_BYTES
}

/// The place in a table of `slots` places where the search for a node begins.
#[inline]
fn place(low: Ref, high: Ref, slots: usize) -> usize {
    let key = u64::from(low.0) << 32 | u64::from(high.0);
    // The halves of a long product, folded, depend on every bit of the key.
    let product = u128::from(key) * 0x9e37_79b9_7f4a_7c15;
    (product as u64 ^ (product >> 64) as u64) as usize & (slots - 1)
}

/// Removes all nodes that cannot be reached from `root`. Returns the new place of `root`.
fn sweep(nodes: &mut Vec<Node>, root: Ref) -> Ref {
    // Children come before parents, so that no node after the root is below it, and all parents of a node are visited
    // before it.
    nodes.truncate(root.index().map_or(0, |index| index + 1));
    let mut reached = vec![false; nodes.len()];
    if let Some(last) = reached.last_mut() {
        *last = true;
    }
    for index in (0..nodes.len()).rev() {
        if reached[index] {
            for child in [nodes[index].low, nodes[index].high] {
                if let Some(child) = child.index() {
                    reached[child] = true;
                }
            }
        }
    }
    let mut root = root;
    if reached.contains(&false) {
        let mut moved = vec![Ref::FALSE; nodes.len()];
        let image = |moved: &[Ref], at: Ref| at.index().map_or(at, |index| moved[index]);
        let mut count = 0;
        for index in 0..nodes.len() {
            if reached[index] {
                let Node { level, low, high } = nodes[index];
                nodes[count] = Node { level, low: image(&moved, low), high: image(&moved, high) };
                moved[index] = Ref::node(count);
                count += 1;
            }
        }
        nodes.truncate(count);
        root = image(&moved, root);
    }
    nodes.shrink_to_fit();
    root
}
