//! The nested at-most-one: the inputs are cut in halves, with one variable between them.
//!
//! *Idea.* At most one of the first half and y, and at most one of ¬y and the second half: y is
//! false if an input of the first half holds, and true if one of the second does.
//!
//! *Clauses.* k literals or fewer: [pairwise](super::pairwise). n > k: at most one of the first
//! ⌊n/2⌋ and y, and at most one of the last ⌈n/2⌉ and ¬y, each in the same way again; the new
//! literal comes last. `nested:4` and `nested:3` are the usual ones.
//!
//! *Size for n inputs.* A part of n > k literals is split into parts of ⌊n/2⌋ + 1 and ⌈n/2⌉ + 1, at the cost of one
//! auxiliary variable; a part of j ≤ k costs j(j − 1)/2 clauses of two literals. The parts of one level differ in size
//! by one at most, so the sums are found level by level. For k = 3 and k = 4 all leaves of three or more inputs have
//! three or four literals, and these
//! take 3n − 6 clauses, however they are shared out; k = 3 takes n − 3 variables. On the plane of
//! side n with the full constraints 12n² − 34n + 28 clauses (n ≥ 3).
//!
//! *Propagation.* Complete: a true literal falsifies the rest of its leaf; the variables between
//! the leaves pass it on to the other side of each of them.
//!
//! *Models.* Free as soon as something is split: while no input holds, y may be either.
//!
//! *Source.* The encoding "nested" of the library LogicNG.
//!
//! *Departures.* LogicNG's parameter is one more: there a part of fewer than its group size is a
//! leaf, so its default 4 has leaves of three. Its 3 would not come to an end: three literals
//! split into two and three.

use std::sync::Arc;

use rustsat::types::Lit;

use super::pairwise::Pairwise;
use super::{AtMostOne, Family};
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::{Size, pairs};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Nested {
    /// The largest number of literals that is not split: at least 3, because three literals would be split into two and
    /// three.
    pub leaf: u32,
}

/// Nested encodings with leaves of any size.
pub(crate) fn family() -> Family {
    Family {
        name: "nested",
        parameter: "size of a leaf",
        range: 3..=1000,
        listed: &[4, 3],
        make: |leaf| vec![Arc::new(Nested { leaf })],
    }
}

impl Nested {
    /// Splits the literals from `start` on, and removes the literals that it adds to them.
    fn part(self, start: usize, lits: &mut Vec<Lit>, out: &mut dyn ClauseSink) {
        let end = lits.len();
        let n = end - start;
        if n <= self.leaf as usize {
            return Pairwise.encode(&lits[start..], out);
        }
        let y = out.fresh(1).lit(0);
        let middle = start + n / 2;
        // At most one of the first half and y, and of the second half and ¬y
        for (half, between) in [(start..middle, y), (middle..end, !y)] {
            lits.extend_from_within(half);
            lits.push(between);
            self.part(end, lits, out);
            lits.truncate(end);
        }
    }
}

impl AtMostOne for Nested {
    fn info(&self) -> EncodingInfo {
        let leaf = self.leaf;
        EncodingInfo {
            id: format!("nested:{leaf}"),
            title: format!("nested, leaves of {leaf}"),
            idea: format!(
                "The inputs are split into halves until at most {leaf} are left. A variable \
                 between two halves decides which of them may have a true input."
            ),
            citation: "LogicNG, \"nested\"".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        let leaf = u128::from(self.leaf);
        let (mut splits, mut clauses) = (0, 0);
        // `smaller` parts of `size` literals, and `larger` parts of one more.
        let (mut size, mut smaller, mut larger) = (u128::from(n), 1, 0_u128);
        while size + u128::from(larger > 0) > leaf {
            if size == leaf {
                clauses += smaller * pairs(leaf);
                smaller = 0;
            }
            splits += smaller + larger;
            (smaller, larger) = if size % 2 == 0 {
                // An even part gives two equal halves, and one of a literal more is split into half and half plus one.
                (2 * smaller + larger, larger)
            } else {
                (smaller, smaller + 2 * larger)
            };
            size = size / 2 + 1;
        }
        clauses += smaller * pairs(size) + larger * pairs(size + 1);
        Some(Size::binary(splits, clauses))
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        self.part(0, &mut xs.to_vec(), out);
    }
}
