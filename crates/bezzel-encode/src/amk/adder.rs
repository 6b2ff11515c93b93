//! The adder: the literals that hold are counted in binary, and the number is compared with k.
//!
//! *Idea.* A full adder takes three bits of one weight to their sum and a carry of twice the weight; a half adder takes
//! two. Of each weight they add until one bit is left. These bits are the number of literals that hold.
//!
//! *Clauses.* `adder` states both directions. Full adder of a, b and c: eight clauses s ↔ a ⊕ b ⊕ c, six clauses for the
//! carry ↔ at least two of a, b and c. Half adder of a and b: four clauses s ↔ a ⊕ b, three clauses for the carry ↔ a ∧
//! b. `adder+one-way` states the clauses that make s and the carry true: four and three, and two and one. Bits of one
//! weight are added in the order in which they were made, the first three first. For each bit that is 0 in k: it is
//! false, or a higher bit that is 1 in k is.
//!
//! *Size for 1 ≤ k < n.* cᵢ = ⌊n/2ⁱ⌋ bits of weight 2ⁱ are added by ⌊(cᵢ − 1)/2⌋ full adders, and by one half adder if
//! cᵢ is even and not 0. A full adder has 2 variables, 14 clauses and 50 literals; a half adder 2 variables, 7 clauses
//! and 19 literals. With one direction a full adder has 7 clauses and 25 literals, and a half adder 3 and 9. The
//! comparison has a clause for each 0 among the ⌊log₂ n⌋ + 1 bits of k, with one literal and one more for each 1 above
//! it. At most 10 of 100: 1,335 clauses, and 668 with one direction.
//!
//! *Propagation.* Weak. With one direction not even all literals together refute a number above k: a bit that no clause
//! makes true stays open. *Models.* `adder`: defined, the literals determine all bits. `adder+one-way`: free. The bits of
//! a model are a number that is not below the number of literals that hold.
//!
//! *Source.* `adder+one-way`: C. Sinz, "Towards an Optimal CNF Encoding of Boolean Cardinality Constraints", CP 2005,
//! section 3, the parallel counter. N. Eén, N. Sörensson, "Translating Pseudo-Boolean Constraints into SAT", JSAT 2
//! (2006), 1–26, section 5.1, the order of the adders.
//!
//! *Departures.* Sinz states one direction of each adder, which leaves bits free; `adder` states both. Sinz counts the
//! halves of the literals and adds the two numbers.

use std::collections::VecDeque;

use rustsat::types::Lit;

use super::AtMostK;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Adder {
    /// The directions that are stated.
    pub directions: Directions,
}

/// The directions of the clauses of adders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directions {
    /// The inputs determine the outputs.
    Both,
    /// The inputs make outputs true.
    Up,
}

impl Directions {
    /// The sizes of a full and of a half adder.
    const fn sizes(self) -> [Size; 2] {
        match self {
            Self::Both => [Size::new(2, 14, 50), Size::new(2, 7, 19)],
            Self::Up => [Size::new(2, 7, 25), Size::new(2, 3, 9)],
        }
    }
}

impl AtMostK for Adder {
    fn about(&self) -> EncodingInfo {
        let info = EncodingInfo {
            id: "adder".into(),
            aliases: vec!["parallel-counter".into()],
            title: "adder, both directions".into(),
            idea: "Full and half adders compute the number of true literals in binary. A \
                   comparator states that it is at most k."
                .into(),
            citation: "after Sinz, CP 2005, section 3; Eén, Sörensson, JSAT 2006, section 5.1"
                .into(),
            propagation: Propagation::Weak,
            auxiliaries: Auxiliaries::Defined,
            ..EncodingInfo::default()
        };
        match self.directions {
            Directions::Both => info,
            Directions::Up => EncodingInfo {
                id: "adder+one-way".into(),
                aliases: Vec::new(),
                title: "adder, one direction".into(),
                idea:
                    "Full and half adders make a number in binary that is not below the number of \
                       true literals. A comparator states that it is at most k."
                        .into(),
                citation: "Sinz, CP 2005, section 3; Eén, Sörensson, JSAT 2006, section 5.1".into(),
                auxiliaries: Auxiliaries::Free,
                ..info
            },
        }
    }

    fn at_most_size(&self, n: u64, k: u64) -> Option<Size> {
        Some(number_size([n], k, self.directions))
    }

    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        let number = number([xs.iter().copied().collect()], self.directions, out);
        at_most(&number, k, out);
    }
}

/// The size of a [`number`] and of the comparison of it: `places` has the number of bits at each place.
pub(crate) fn number_size(
    places: impl IntoIterator<Item = u64>,
    bound: u64,
    directions: Directions,
) -> Size {
    let [full, half] = directions.sizes();
    let mut size = Size::default();
    let mut number = Vec::new();
    let mut places = places.into_iter();
    let mut carries = 0;
    loop {
        let bits = match places.next() {
            Some(bits) => u128::from(bits) + carries,
            None if carries > 0 => carries,
            None => break,
        };
        carries = bits / 2;
        if bits > 0 {
            size += full * ((bits - 1) / 2) + half * (1 - bits % 2);
        }
        number.push(bits > 0);
    }
    for place in 0..number.len() {
        if let Some(ones) = compared(place, bound, |place| number.get(place) == Some(&true)) {
            size += Size::new(0, 1, 1 + ones.len() as u128);
        }
    }
    size
}

/// Adds up bits, given by their places, and returns the bits of the sum; none at a place that no bit reaches.
pub(crate) fn number(
    places: impl IntoIterator<Item = VecDeque<Lit>>,
    directions: Directions,
    out: &mut dyn ClauseSink,
) -> Vec<Option<Lit>> {
    let mut number = Vec::new();
    let mut places = places.into_iter();
    let mut carries = VecDeque::new();
    loop {
        let mut bits = match places.next() {
            Some(mut bits) => {
                bits.append(&mut carries);
                bits
            }
            None if !carries.is_empty() => carries,
            None => return number,
        };
        carries = VecDeque::with_capacity(bits.len() / 2);
        let mut last = None;
        while let Some(a) = bits.pop_front() {
            let Some(b) = bits.pop_front() else {
                last = Some(a);
                break;
            };
            let c = bits.pop_front();
            let [sum, carry] = add(a, b, c, directions, out);
            bits.push_back(sum);
            carries.push_back(carry);
        }
        number.push(last);
    }
}

/// States that a number is at most the bound. A bit that the bound does not have is false, or a higher bit is that the
/// bound has.
pub(crate) fn at_most(number: &[Option<Lit>], bound: u64, out: &mut dyn ClauseSink) {
    let bit = |place: usize| number.get(place).copied().flatten();
    let mut clause = Vec::with_capacity(number.len());
    for place in 0..number.len() {
        if let Some(ones) = compared(place, bound, |place| bit(place).is_some()) {
            clause.clear();
            clause.extend(bit(place).map(|bit| !bit));
            clause.extend(ones.into_iter().filter_map(bit).map(|bit| !bit));
            out.clause(&clause);
        }
    }
}

/// The places above this one that the clause of its bit names: those that the bound has. None if there is no clause: the
/// bound has the bit, the number does not, or a higher bit of the bound that the number does not have makes it smaller.
fn compared(place: usize, bound: u64, is_bit: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
    let has = |place: usize| place < 64 && bound >> place & 1 == 1;
    if has(place) || !is_bit(place) {
        return None;
    }
    let ones: Vec<usize> = (place + 1..64).filter(|&place| has(place)).collect();
    ones.iter().all(|&place| is_bit(place)).then_some(ones)
}

/// The sum and the carry of two or three bits.
fn add(
    a: Lit,
    b: Lit,
    c: Option<Lit>,
    directions: Directions,
    out: &mut dyn ClauseSink,
) -> [Lit; 2] {
    let made = out.fresh(2);
    let (sum, carry) = (made.lit(0), made.lit(1));
    let both = directions == Directions::Both;
    let Some(c) = c else {
        // a ⊕ b → sum, and back
        if both {
            out.clause(&[!a, !b, !sum]);
        }
        out.clause(&[!a, b, sum]);
        out.clause(&[a, !b, sum]);
        if both {
            out.clause(&[a, b, !sum]);
        }
        // a ∧ b → carry, and back
        out.clause(&[!a, !b, carry]);
        if both {
            out.clause(&[a, !carry]);
            out.clause(&[b, !carry]);
        }
        return [sum, carry];
    };
    // a ⊕ b ⊕ c → sum, and back
    for [a, b, c] in [[a, b, c], [a, !b, !c], [!a, b, !c], [!a, !b, c]] {
        if both {
            out.clause(&[a, b, c, !sum]);
        }
        out.clause(&[!a, !b, !c, sum]);
    }
    // at least two of a, b and c → carry, and back
    for [a, b] in [[a, b], [a, c], [b, c]] {
        out.clause(&[!a, !b, carry]);
        if both {
            out.clause(&[a, b, !carry]);
        }
    }
    [sum, carry]
}
