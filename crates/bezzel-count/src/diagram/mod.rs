//! Finished decision diagrams: flat, reduced, immutable, with queries.
//!
//! A [`Diagram`] is made node by node through a [`Builder`], children before parents: by direct constructions, or by an
//! export from a library of diagrams. Its queries are in files of their own: the number of its
//! models ([`Counts`]), the models in order ([`Models`]), the k-th or a random one, the candidates that they choose
//! ([`Decoder`]), and the number of models in which each variable is true ([`Marginals`]).
//!
//! *Order of models*: variables are compared in the order of the levels, and true comes before
//! false. With a variable for each candidate in their order, solutions are in lexical order: the one whose first chosen
//! candidate has the least number comes first.

mod builder;
mod counts;
mod decoder;
mod marginals;
mod models;
mod number;
mod pick;

pub use builder::Builder;
pub use counts::Counts;
pub use decoder::Decoder;
pub use marginals::Marginals;
pub use models::Models;

use bezzel_encode::Var;

/// The meaning of a level that an edge skips, for its variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DiagramKind {
    /// Binary decision diagram: the variable may have either value.
    Bdd,
    /// Zero-suppressed decision diagram: the variable is false.
    Zdd,
}

/// A node or a terminal of one diagram; by default the false one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ref(u32);

impl Ref {
    /// The terminal that no model reaches.
    pub const FALSE: Self = Self(0);
    /// The terminal that every model reaches.
    pub const TRUE: Self = Self(1);

    /// The node at this place in the arrays.
    fn node(index: usize) -> Self {
        Self(index as u32 + 2)
    }

    /// The place in the arrays, unless it is a terminal.
    #[inline]
    fn index(self) -> Option<usize> {
        self.0.checked_sub(2).map(|index| index as usize)
    }

    /// True if it is one of the two terminals.
    #[inline]
    pub fn is_terminal(self) -> bool {
        self.0 < 2
    }
}

/// A decision diagram over the primary variables of an encoding: reduced, ordered, finished.
///
/// Ten bytes a node. Levels are counted from 0 at the root's end.
#[derive(Clone, Debug)]
pub struct Diagram {
    kind: DiagramKind,
    order: Vec<Var>,
    /// Children before parents.
    nodes: Vec<Node>,
    root: Ref,
}

/// A node: its child if the variable of its level is false, and its child if it is true. It is packed, so that a lookup
/// needs one access to memory, and a node takes 10 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(Rust, packed(2))]
struct Node {
    level: u16,
    low: Ref,
    high: Ref,
}

impl Diagram {
    /// The meaning of skipped levels.
    pub fn kind(&self) -> DiagramKind {
        self.kind
    }

    /// The variable of each level.
    pub fn order(&self) -> &[Var] {
        &self.order
    }

    /// The number of its nodes, terminals not counted.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The number of nodes on each level, terminals not counted.
    pub fn nodes_per_level(&self) -> Vec<usize> {
        let mut counts = vec![0; self.order.len()];
        for node in &self.nodes {
            counts[usize::from(node.level)] += 1;
        }
        counts
    }

    /// The memory that its nodes take, in bytes.
    pub fn bytes(&self) -> u64 {
        self.nodes() as u64 * builder::NODE_BYTES
    }

    /// True if it has a model.
    pub fn is_satisfiable(&self) -> bool {
        // It is reduced, so no other node represents a function without a model.
        self.root != Ref::FALSE
    }

    /// True if the assignment in which `holds` gives a variable's value is a model.
    ///
    /// Variables that are on no level are not read.
    pub fn is_model(&self, mut holds: impl FnMut(Var) -> bool) -> bool {
        let mut at = self.root;
        let mut next = 0;
        loop {
            let level = self.level(at);
            if self.kind == DiagramKind::Zdd
                && self.order[next..level].iter().any(|&var| holds(var))
            {
                return false;
            }
            let Some((low, high)) = self.children(at) else { return at == Ref::TRUE };
            at = if holds(self.order[level]) { high } else { low };
            next = level + 1;
        }
    }

    /// The level of a node; that of a terminal is the one below the last.
    #[inline]
    fn level(&self, at: Ref) -> usize {
        at.index().map_or(self.order.len(), |index| self.nodes[index].level.into())
    }

    /// The child of a node if its variable is false, and the child if it is true.
    #[inline]
    fn children(&self, at: Ref) -> Option<(Ref, Ref)> {
        at.index().map(|index| (self.nodes[index].low, self.nodes[index].high))
    }
}
