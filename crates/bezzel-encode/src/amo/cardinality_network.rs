//! The cardinality network at-most-one: only the first two of the sorted inputs are kept.
//!
//! *Idea.* A sorting network that forgets: blocks of two inputs are sorted, and sorted pairs merged
//! so that of each merge only the first two outputs are read on. The second of the last is false.
//!
//! *Clauses* of a comparator of a and b with outputs h and l: a → h, b → h, a ∧ b → l. A block of two
//! inputs is one comparator. The merge of (a₁, a₂) and (b₁, b₂) compares a₁ with b₁ to d₁ and d₂, a₂
//! with b₂ to e₁ and e₂, and d₂ with e₁ to c₂ and c₃; d₁ and c₂ are read on. At the end ¬c₂. The row of
//! ⌈n/2⌉ blocks is cut in halves, the greater first, until each block stands alone. Where n is odd,
//! the last block is one input b₁, and its merge has e₁ = a₂ in place of the comparator of a₂.
//!
//! *Size for n ≥ 2 inputs.* 2n − 3 comparators: 4n − 6 auxiliary variables, 6n − 8 clauses, 14n − 20
//! literals; nothing for fewer inputs. (One for each of the ⌊n/2⌋ blocks, three for each of the ⌈n/2⌉ − 1
//! merges, two for the one with an odd input.)
//!
//! *Propagation.* Complete: a true input travels to the first output, and the false second output
//! travels back along all other ways.
//!
//! *Models.* Free, even where an input is stated to hold: nothing reads c₃ and e₂.
//!
//! *Source.* R. Asín, R. Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell, "Cardinality Networks: a
//! theoretical and empirical study", Constraints 16 (2011), 195–221 (first at SAT 2009): cardinality
//! networks with half sorting and simplified merge, for "at most 1", that is with blocks of 2, the
//! least power of two above 1.
//!
//! *Departures.* An odd number of inputs is not filled up by one that is false: the clauses are those
//! that are left when it is. In which order blocks are merged makes no difference to the size; here
//! they are merged in halves. c₃ and e₂, which nothing reads, are made, as there.

use rustsat::types::Lit;

use super::AtMostOne;
use super::comparator::Comparator;
use crate::card::{Auxiliaries, Card, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct CardinalityNetwork;

/// The first two of some sorted literals: the second is not there if it can only be false.
type Sorted = (Lit, Option<Lit>);

impl AtMostOne for CardinalityNetwork {
    fn card(&self) -> Card {
        Card {
            id: "cardinality-network".into(),
            title: "cardinality network".into(),
            idea:
                "Sort the inputs by a network that keeps of each part only the first two outputs; \
                   the second is false in the end."
                    .into(),
            citation: "Asín, Nieuwenhuis, Oliveras, Rodríguez-Carbonell, Constraints 2011".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            ..Card::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        let n = u128::from(n);
        Some(if n < 2 {
            Size::default()
        } else {
            Comparator::Half.size() * (2 * n - 3) + Size::new(0, 1, 1)
        })
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        if xs.is_empty() {
            return;
        }
        if let (_, Some(second)) = network(xs, out) {
            // ¬c₂
            out.clause(&[!second]);
        }
    }
}

/// The first two of `xs`, sorted.
fn network(xs: &[Lit], out: &mut dyn ClauseSink) -> Sorted {
    match *xs {
        [x] => (x, None),
        [a, b] => compare(a, b, out),
        _ => {
            let blocks = xs.len().div_ceil(2);
            let (left, right) = xs.split_at(2 * blocks.div_ceil(2));
            let (left, right) = (network(left, out), network(right, out));
            merge(left, right, out)
        }
    }
}

fn compare(a: Lit, b: Lit, out: &mut dyn ClauseSink) -> Sorted {
    let [greater, smaller] = Comparator::Half.encode([a, b], out);
    (greater, Some(smaller))
}

/// The first two of two sorted parts, sorted; only the last part can be of one input.
fn merge((a1, a2): Sorted, (b1, b2): Sorted, out: &mut dyn ClauseSink) -> Sorted {
    let [d1, d2] = Comparator::Half.encode([a1, b1], out);
    let e1 = match (a2, b2) {
        (Some(a2), Some(b2)) => Some(Comparator::Half.encode([a2, b2], out)[0]),
        (one, None) | (None, one) => one,
    };
    let c2 = e1.map_or(d2, |e1| Comparator::Half.encode([d2, e1], out)[0]);
    (d1, Some(c2))
}
