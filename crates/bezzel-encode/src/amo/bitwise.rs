//! The bitwise at-most-one: a true input writes its number into shared bits.
//!
//! *Idea.* The inputs are numbered from 0, and an input that holds fixes every bit of one shared
//! number to its own. Two inputs would need two numbers at once.
//!
//! *Clauses.* xᵢ → bⱼ if bit j of i is 1, and xᵢ → ¬bⱼ if it is 0.
//!
//! *Size for n inputs.* ⌈log₂ n⌉ auxiliary variables, n·⌈log₂ n⌉ clauses, 2n·⌈log₂ n⌉ literals. The
//! ceiling matters: bitwise takes fewer clauses than [pairwise](super::pairwise) for 8 inputs and
//! from 10 on, as many for 7 and 9. On the plane of side 8 with the full constraints: 174 variables
//! and 728 clauses.
//!
//! *Propagation.* Complete: a true input fixes all bits, and every other input differs in one.
//!
//! *Models.* Free: while no input holds, the bits are free, so n inputs alone have n + 2^⌈log₂ n⌉ models.
//!
//! *Source.* A. M. Frisch, T. J. Peugniez, A. J. Doggett, P. W. Nightingale, "Solving Non-Boolean
//! Satisfiability Problems with Stochastic Local Search: A Comparison of Encodings", Journal of
//! Automated Reasoning 35 (2005), 143–179. S. Prestwich gives the same encoding in "Finding Large
//! Cliques Using SAT Local Search", 2007.
//!
//! *Departures.* Numbers start from 0 for every line, so that ⌈log₂ n⌉ bits are enough.
//!
//! *Not to be confused* with [`binary`](crate::encoding::binary), for which other authors use the same names ("binary",
//! "log"): there the bits of a row replace the squares' variables; here they are additional, one set for each line.
//! [`bimander`](super::bimander) gives a number to each group of inputs instead.

use rustsat::types::Lit;

use super::AtMostOne;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::{ClauseSink, VarRange};
use crate::size::{Size, bits};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Bitwise;

impl AtMostOne for Bitwise {
    fn info(&self) -> EncodingInfo {
        EncodingInfo {
            id: "bitwise".into(),
            title: "bitwise".into(),
            idea:
                "A true input sets shared bits to its number. All numbers differ, so at most one \
                   input is true."
                    .into(),
            citation: "Frisch, Peugniez, Doggett, Nightingale, JAR 2005; Prestwich 2007".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        let bits = u128::from(bits(n));
        let clauses = u128::from(n) * bits;
        Some(Size::binary(bits, clauses))
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        if xs.len() < 2 {
            return;
        }
        let bits = out.fresh(bits(xs.len() as u64));
        for (number, &x) in xs.iter().enumerate() {
            write_number(x, number, bits, out);
        }
    }
}

/// Writes the clauses that set `bits` to `number` if `x` is true.
pub(super) fn write_number(x: Lit, number: usize, bits: VarRange, out: &mut dyn ClauseSink) {
    for (place, bit) in bits.lits().enumerate() {
        // x → (bⱼ ↔ bit j of the number)
        let written = if number >> place & 1 == 1 { bit } else { !bit };
        out.clause(&[!x, written]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amo::pairwise::Pairwise;

    #[test]
    fn bitwise_takes_fewer_clauses_than_pairwise_for_8_inputs_and_from_10_on() {
        let clauses = |amo: &dyn AtMostOne, n| amo.size(n).unwrap().clauses;
        for n in 2..=1000 {
            let (ours, pairwise) = (clauses(&Bitwise, n), clauses(&Pairwise, n));
            assert_eq!(ours < pairwise, n == 8 || n >= 10, "n = {n}");
            assert_eq!(ours == pairwise, n == 7 || n == 9, "n = {n}");
        }
    }
}
