//! Copies a diagram from `OxiDD`'s store to a diagram of this crate.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use oxidd::util::{FxHasher, Ref};
use oxidd::{Edge, HasLevel, InnerNode, Manager, Node};

use crate::budget::Halt;
use crate::diagram::{self, Builder};

/// Copies the diagram below an edge; `no` is the edge to the constant 0.
///
/// A complemented edge leads to the negation of its node, which becomes a node of its own: a diagram with complement
/// edges becomes one without.
pub(super) fn export<'a, M: Manager>(
    manager: &'a M,
    root: Ref<'a, M::Edge>,
    no: Ref<'a, M::Edge>,
    builder: &mut Builder<'_>,
) -> Result<diagram::Ref, Halt>
where
    M::InnerNode: HasLevel,
{
    let mut copies = Copies { no: EdgeIndex::of(no), known: HashMap::default() };
    // Children first: a node with a child that is not copied is visited again.
    let mut open = vec![(root, EdgeIndex::of(root))];
    while let Some(&(edge, place)) = open.last() {
        let Node::Inner(node) = manager.get_node(edge) else {
            // The root alone can be a constant here.
            return Ok(copies.constant(place));
        };
        if copies.get(place).is_some() {
            open.pop();
            continue;
        }
        let mut children = [None; 2];
        for (child, found) in [1, 0].into_iter().zip(&mut children) {
            let edge = node.child(child);
            let below = EdgeIndex::of(edge).complemented_if(place.is_complement());
            *found = match manager.get_node(edge) {
                Node::Terminal(_) => Some(copies.constant(below)),
                Node::Inner(_) => copies.get(below),
            };
            if found.is_none() {
                open.push((edge, below));
            }
        }
        if let [Some(low), Some(high)] = children {
            let copy = builder.node(node.level() as usize, low, high)?;
            copies.set(place, copy);
            open.pop();
        }
    }
    Ok(copies.get(EdgeIndex::of(root)).expect("the root is copied last"))
}

/// A node's number, with a bit for its negation.
#[derive(Clone, Copy, PartialEq, Eq)]
struct EdgeIndex(usize);

impl EdgeIndex {
    fn of<E: Edge>(edge: Ref<'_, E>) -> Self {
        let edge = edge.raw();
        Self(edge.node_id() << 1 | usize::from(edge.tag() != E::Tag::default()))
    }

    fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }

    fn complemented_if(self, complemented: bool) -> Self {
        Self(self.0 ^ usize::from(complemented))
    }
}

/// The copies, by the place of the original in the store.
struct Copies {
    no: EdgeIndex,
    known: HashMap<usize, diagram::Ref, BuildHasherDefault<FxHasher>>,
}

impl Copies {
    fn constant(&self, place: EdgeIndex) -> diagram::Ref {
        if place == self.no { diagram::Ref::FALSE } else { diagram::Ref::TRUE }
    }

    fn get(&self, place: EdgeIndex) -> Option<diagram::Ref> {
        self.known.get(&place.0).copied()
    }

    fn set(&mut self, place: EdgeIndex, copy: diagram::Ref) {
        self.known.insert(place.0, copy);
    }
}
