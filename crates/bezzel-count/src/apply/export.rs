//! From `OxiDD`'s store to a diagram of our own.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use oxidd::util::{FxHasher, Ref};
use oxidd::{Edge, HasLevel, InnerNode, Manager, Node};

use crate::budget::Halt;
use crate::diagram::{self, Builder};

/// Copies what an edge leads to; `no` is the edge to the constant 0.
///
/// A complemented edge is followed to the negation of its node, which is a node of its own then: so a
/// diagram with complement edges becomes one without.
pub(super) fn export<'a, M: Manager>(
    manager: &'a M,
    root: Ref<'a, M::Edge>,
    no: Ref<'a, M::Edge>,
    builder: &mut Builder<'_>,
) -> Result<diagram::Ref, Halt>
where
    M::InnerNode: HasLevel,
{
    let mut copies = Copies { no: Place::of(no), known: HashMap::default() };
    // Children first: a node that is met with a child unknown is met again.
    let mut open = vec![(root, Place::of(root))];
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
            let below = Place::of(edge).complemented_if(place.is_complement());
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
    Ok(copies.get(Place::of(root)).expect("the root is copied last"))
}

/// A node's number, and whether it stands for its negation.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place(usize);

impl Place {
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

/// What has been copied, by its place in the store.
struct Copies {
    no: Place,
    known: HashMap<usize, diagram::Ref, BuildHasherDefault<FxHasher>>,
}

impl Copies {
    fn constant(&self, place: Place) -> diagram::Ref {
        if place == self.no { diagram::Ref::FALSE } else { diagram::Ref::TRUE }
    }

    fn get(&self, place: Place) -> Option<diagram::Ref> {
        self.known.get(&place.0).copied()
    }

    fn set(&mut self, place: Place, copy: diagram::Ref) {
        self.known.insert(place.0, copy);
    }
}
