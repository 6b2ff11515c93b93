//! The tree at-most-one: halves are joined two by two, and no two halves of one join both hold.
//!
//! *Idea.* A binary tree over the inputs. Each inner node holds when one of its two children does,
//! and of two children only one may.
//!
//! *Clauses*, for a node c of children a and b: ¬a ∨ ¬b, and below the root a → c and b → c. The
//! variant `+defined` adds c → a ∨ b. The n inputs are cut in halves, the greater first, until each
//! stands alone; the root has no variable.
//!
//! *Size for n ≥ 2 inputs.* n − 2 auxiliary variables, 3n − 5 clauses, 6n − 10 literals; nothing for
//! fewer inputs. `+defined`: 4n − 7 clauses, 9n − 16 literals. On the plane of side n with the full
//! constraints (n ≥ 2): 12n² − 28n + 18 clauses.
//!
//! *Propagation.* Complete: a true input makes all nodes above it true, the sibling of each false,
//! and everything below those false.
//!
//! *Models.* Free: without a true input, one node may hold with all that are above it, and n inputs
//! alone have 2n − 1 models. Where one input is stated to hold, and with `+defined`, the nodes are
//! determined.
//!
//! *Source.* The commander encoding with groups of two: W. Klieber, G. Kwon, "Efficient CNF Encoding
//! for Selecting 1 from N Objects", CFV 2007. It is also the [totalizer](super::totalizer) of O.
//! Bailleux, Y. Boufkhad, CP 2003, with one output for each node. *Synonyms.* Binary tree encoding.
//!
//! *Departures.* Klieber and Kwon state the clause back to the group, which is `+defined` here.
//! [`commander:2+one-way`](super::commander) and `commander:2` cost the same, but join neighbours from below, where the
//! tree cuts in halves from above. Two inputs cost one clause, and no number of inputs is a special case.

use rustsat::types::Lit;

use super::AtMostOne;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug, Default)]
pub struct Tree {
    /// True if a node holds only when one of its children does.
    pub defined: bool,
}

impl AtMostOne for Tree {
    fn info(&self) -> EncodingInfo {
        EncodingInfo {
            id: if self.defined { "tree+defined" } else { "tree" }.into(),
            title: if self.defined { "tree, defined" } else { "tree" }.into(),
            idea: "A binary tree over the inputs. A node is true if one of its two children is \
                   true. At most one of two children is true."
                .into(),
            citation: "Klieber, Kwon, CFV 2007, groups of two".into(),
            propagation: Propagation::Complete,
            auxiliaries: if self.defined { Auxiliaries::Defined } else { Auxiliaries::Free },
            ..EncodingInfo::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        let n = u128::from(n);
        Some(match (n, self.defined) {
            (..2, _) => Size::default(),
            (_, false) => Size::new(n - 2, 3 * n - 5, 6 * n - 10),
            (_, true) => Size::new(n - 2, 4 * n - 7, 9 * n - 16),
        })
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        if xs.len() > 1 {
            self.join(xs, out);
        }
    }
}

impl Tree {
    /// States that at most one of the two halves of `xs` has a true input. Returns the nodes of both.
    fn join(self, xs: &[Lit], out: &mut dyn ClauseSink) -> [Lit; 2] {
        let (left, right) = xs.split_at(xs.len().div_ceil(2));
        let children = [self.node(left, out), self.node(right, out)];
        // ¬a ∨ ¬b
        out.clause(&children.map(|child| !child));
        children
    }

    /// The literal that holds when one of `xs` does.
    fn node(self, xs: &[Lit], out: &mut dyn ClauseSink) -> Lit {
        if let &[x] = xs {
            return x;
        }
        let children = self.join(xs, out);
        let node = out.fresh(1).lit(0);
        for child in children {
            // a → c
            out.clause(&[!child, node]);
        }
        if self.defined {
            // c → a ∨ b
            out.clause(&[!node, children[0], children[1]]);
        }
        node
    }
}
