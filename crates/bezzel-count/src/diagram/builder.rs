//! Making diagrams node by node.

use bezzel_encode::Var;

use super::{Diagram, Kind, Nodes, Ref};
use crate::budget::{Budget, Halt};

/// What a node takes: two references and a level.
pub(super) const NODE_BYTES: u64 = 10;
/// What a place in the table of nodes takes.
const SLOT_BYTES: u64 = 4;
/// References are 32 bits, two of them are taken by the terminals.
const MOST_NODES: usize = u32::MAX as usize - 2;
/// How many nodes are made between two looks at the flag.
const PATIENCE: usize = 1 << 12;

/// Makes a reduced diagram from below: equal nodes are made once, redundant ones never.
#[derive(Debug)]
pub struct Builder<'a> {
    kind: Kind,
    order: Vec<Var>,
    budget: Budget<'a>,
    nodes: Nodes,
    table: Vec<Ref>,
    /// How many places of the table are taken.
    listed: usize,
    peak_bytes: u64,
}

impl<'a> Builder<'a> {
    /// Begins a diagram with these variables, from the root's level down.
    ///
    /// # Panics
    ///
    /// When there are 2¹⁶ or more variables.
    pub fn new(kind: Kind, order: Vec<Var>, budget: Budget<'a>) -> Self {
        assert!(u16::try_from(order.len()).is_ok(), "levels are 16 bits");
        let (nodes, table) = (Nodes::default(), Vec::new());
        Self { kind, order, budget, nodes, table, listed: 0, peak_bytes: 0 }
    }

    /// The node that decides by the variable of `level` (from 0 at the root's end) between `low`,
    /// where it is false, and `high`; or what it reduces to.
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
            Kind::Bdd => low == high,
            Kind::Zdd => high == Ref::FALSE,
        };
        if redundant {
            return Ok(low);
        }
        if self.listed + self.listed / 2 >= self.table.len() {
            self.enlarge_table()?;
        }
        let level = level as u16;
        let mask = self.table.len() - 1;
        let mut slot = place(level, low, high, mask);
        while let Some(index) = self.table[slot].index() {
            let nodes = &self.nodes;
            if nodes.lows[index] == low
                && nodes.highs[index] == high
                && nodes.levels[index] == level
            {
                return Ok(self.table[slot]);
            }
            slot = (slot + 1) & mask;
        }
        let made = self.push(level, low, high)?;
        self.table[slot] = made;
        self.listed += 1;
        Ok(made)
    }

    /// The number of nodes made so far.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The most memory taken so far for nodes and for the table to find them by, in bytes.
    pub fn peak_bytes(&self) -> u64 {
        self.peak_bytes
    }

    /// Ends the diagram. What cannot be reached from `root` is no part of it.
    pub fn finish(self, root: Ref) -> Diagram {
        let Self { kind, order, nodes, table, .. } = self;
        drop(table);
        let (nodes, root) = swept(nodes, root);
        Diagram { kind, order, nodes, root }
    }

    fn level(&self, at: Ref) -> usize {
        at.index().map_or(self.order.len(), |index| self.nodes.levels[index].into())
    }

    fn push(&mut self, level: u16, low: Ref, high: Ref) -> Result<Ref, Halt> {
        let index = self.nodes.len();
        if index as u64 >= self.budget.nodes || index >= MOST_NODES {
            return Err(Halt::Nodes(self.budget.nodes.min(MOST_NODES as u64)));
        }
        if index.is_multiple_of(PATIENCE) {
            self.budget.go_on()?;
        }
        if index == self.nodes.levels.capacity() {
            // By half, so that little is reserved and not used.
            let more = (index / 2).max(PATIENCE);
            self.afford(index + more, self.table.len())?;
            self.nodes.levels.reserve_exact(more);
            self.nodes.lows.reserve_exact(more);
            self.nodes.highs.reserve_exact(more);
        }
        self.nodes.levels.push(level);
        self.nodes.lows.push(low);
        self.nodes.highs.push(high);
        Ok(Ref::node(index))
    }

    fn enlarge_table(&mut self) -> Result<(), Halt> {
        let slots = (2 * self.table.len()).max(PATIENCE);
        // The old one is there until the new one is filled.
        self.afford(self.nodes.levels.capacity(), self.table.len() + slots)?;
        let mut table = vec![Ref::FALSE; slots];
        for &listed in &self.table {
            let Some(index) = listed.index() else { continue };
            let nodes = &self.nodes;
            let (level, low, high) = (nodes.levels[index], nodes.lows[index], nodes.highs[index]);
            let mut slot = place(level, low, high, slots - 1);
            while table[slot] != Ref::FALSE {
                slot = (slot + 1) & (slots - 1);
            }
            table[slot] = listed;
        }
        self.table = table;
        Ok(())
    }

    fn afford(&mut self, nodes: usize, slots: usize) -> Result<(), Halt> {
        let bytes = bytes(nodes, slots);
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

/// Where in a table the search for a node begins.
#[inline]
fn place(level: u16, low: Ref, high: Ref, mask: usize) -> usize {
    let key = u64::from(low.0) << 32 | u64::from(high.0);
    // The halves of a long product, folded, depend on every bit of the key.
    let key = u128::from(key ^ u64::from(level).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let product = key * 0xd6e8_feb8_6659_fd93;
    (product as u64 ^ (product >> 64) as u64) as usize & mask
}

/// Only what can be reached from `root`, which is renumbered with it.
fn swept(mut nodes: Nodes, root: Ref) -> (Nodes, Ref) {
    // Children come before parents, so that nothing after the root is below it, and by the time a
    // node's turn comes all that lead to it had theirs.
    let kept = root.index().map_or(0, |index| index + 1);
    let mut reached = vec![false; kept];
    if let Some(last) = reached.last_mut() {
        *last = true;
    }
    for index in (0..kept).rev() {
        if reached[index] {
            for child in [nodes.lows[index], nodes.highs[index]] {
                if let Some(child) = child.index() {
                    reached[child] = true;
                }
            }
        }
    }
    let mut count = kept;
    let mut root = root;
    if reached.contains(&false) {
        let mut moved = vec![Ref::FALSE; kept];
        let image = |moved: &[Ref], at: Ref| at.index().map_or(at, |index| moved[index]);
        count = 0;
        for index in 0..kept {
            if reached[index] {
                nodes.levels[count] = nodes.levels[index];
                nodes.lows[count] = image(&moved, nodes.lows[index]);
                nodes.highs[count] = image(&moved, nodes.highs[index]);
                moved[index] = Ref::node(count);
                count += 1;
            }
        }
        root = image(&moved, root);
    }
    nodes.levels.truncate(count);
    nodes.lows.truncate(count);
    nodes.highs.truncate(count);
    nodes.levels.shrink_to_fit();
    nodes.lows.shrink_to_fit();
    nodes.highs.shrink_to_fit();
    (nodes, root)
}
