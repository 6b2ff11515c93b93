//! The split at-most-one: a few inputs at a time are cut off, and one variable represents them in the rest.
//!
//! *Idea.* At most one of x₁, x₂, x₃ and y, and at most one of ¬y and all other inputs. If one of the first three
//! holds, y is false, and ¬y is the true literal of the rest.
//!
//! *Clauses.* k inputs or fewer: [pairwise](super::pairwise). More: at most one of x₁ … xₖ₋₁, y,
//! pairwise, and at most one of ¬y, xₖ … xₙ in the same way again. Every leaf but the last has k
//! literals; `split:4` and `split:3` are the usual ones.
//!
//! *Size for n inputs*, with C(j) = j(j − 1)/2. Let s be 0 for n ≤ k, and ⌈(n − k)/(k − 2)⌉ above: s
//! auxiliary variables, s·C(k) + C(n − s(k − 2)) clauses of two literals. For k = 3 and k = 4 and
//! n ≥ 3 inputs that is 3n − 6 clauses, with n − 3 and ⌊(n − 3)/2⌋ variables. On the plane of side n
//! with the full constraints 12n² − 34n + 28 clauses (n ≥ 3); of side 8, `split:4`: 116 variables and
//! 524 clauses.
//!
//! *Propagation.* Complete: a true input falsifies the rest of its leaf, variables of the chain included, and each of
//! these is a true literal in the next leaf.
//!
//! *Models.* Free as soon as something is split: while no input holds, variables of the chain may
//! be either.
//!
//! *Source.* Folklore, often called Heule's encoding after M. Heule. Idealised bounded variable addition makes 3n − 6
//! clauses of pairwise, and cannot make fewer: B. Przybocki, B. Subercaseaux, M. Heule, "Automated Reencoding Meets
//! Graph Theory", arXiv 2603.27774.
//!
//! *Departures.* None; [nested](super::nested) cuts into halves instead.

use std::sync::Arc;

use rustsat::types::Lit;

use super::pairwise::Pairwise;
use super::{AtMostOne, Family};
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::{Size, pairs};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Split {
    /// The number of literals in a leaf: at least 3.
    pub leaf: u32,
}

/// Splits with leaves of any size.
pub(crate) fn family() -> Family {
    Family {
        name: "split",
        parameter: "size of a leaf",
        range: 3..=1000,
        listed: &[4, 3],
        make: |leaf| vec![Arc::new(Split { leaf })],
    }
}

impl Split {
    /// The number of splits of `n` inputs.
    fn splits(self, n: u64) -> u64 {
        n.saturating_sub(self.leaf.into()).div_ceil(u64::from(self.leaf) - 2)
    }
}

impl AtMostOne for Split {
    fn info(&self) -> EncodingInfo {
        let leaf = self.leaf;
        EncodingInfo {
            id: format!("split:{leaf}"),
            aliases: if leaf == 4 { vec!["heule".into()] } else { vec![] },
            title: format!("split, leaves of {leaf}"),
            idea: format!(
                "{} inputs at a time are replaced by one variable, which is true in the rest if \
                 one of them is true.",
                leaf - 1
            ),
            citation: "folklore, attributed to Heule".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        let splits = u128::from(self.splits(n));
        let leaf = u128::from(self.leaf);
        let clauses = splits * pairs(leaf) + pairs(u128::from(n) - splits * (leaf - 2));
        Some(Size::binary(splits, clauses))
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        let splits = out.fresh(self.splits(xs.len() as u64) as u32);
        let mut leaf = Vec::with_capacity(self.leaf as usize);
        let mut rest = xs;
        for y in splits.lits() {
            let (here, later) = rest.split_at(self.leaf as usize - 1 - leaf.len());
            rest = later;
            // At most one of the inputs that are cut off and y
            leaf.extend_from_slice(here);
            leaf.push(y);
            Pairwise.encode(&leaf, out);
            // ¬y represents them in the rest
            leaf.clear();
            leaf.push(!y);
        }
        leaf.extend_from_slice(rest);
        Pairwise.encode(&leaf, out);
    }
}
