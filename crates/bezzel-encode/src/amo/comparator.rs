//! The comparator, of which networks are made: two literals in, the greater and the smaller out.
//!
//! The greater holds when one of the two inputs does, the smaller when both do. For "at most", the half of the clauses
//! that propagates truth towards the outputs suffices. The other half makes the outputs determined.

use rustsat::types::Lit;

use crate::sink::ClauseSink;
use crate::size::Size;

/// The clauses of a comparator that are stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparator {
    /// Three clauses: the outputs hold if the inputs make them hold.
    Half,
    /// Six clauses: the inputs determine the outputs.
    Full,
}

impl Comparator {
    /// The cost of one comparator.
    pub(crate) const fn size(self) -> Size {
        match self {
            Self::Half => Size::new(2, 3, 7),
            Self::Full => Size::new(2, 6, 14),
        }
    }

    /// Writes a comparator of `a` and `b`; returns the greater and the smaller.
    pub(crate) fn encode(self, [a, b]: [Lit; 2], out: &mut dyn ClauseSink) -> [Lit; 2] {
        let outputs = out.fresh(2);
        let (greater, smaller) = (outputs.lit(0), outputs.lit(1));
        // a → greater, b → greater
        out.clause(&[!a, greater]);
        out.clause(&[!b, greater]);
        // a ∧ b → smaller
        out.clause(&[!a, !b, smaller]);
        if self == Self::Full {
            // greater → a ∨ b
            out.clause(&[!greater, a, b]);
            // smaller → a, smaller → b
            out.clause(&[!smaller, a]);
            out.clause(&[!smaller, b]);
        }
        [greater, smaller]
    }
}
