//! The adder network: the weights of the literals that hold are added up in binary, and the sum is compared.
//!
//! *Idea.* A literal of weight w is a bit at each place where w has a one. At each place, full adders take three bits
//! to their sum and a carry, and a half adder takes the last two, until one bit is left. These bits are the sum.
//!
//! *Clauses.* Adders and comparison are those of the [counting adder](crate::amk::adder). `adder-network` states both
//! directions of the adders. `adder-network+one-way` states the clauses that make sums and carries true.
//!
//! *Size.* A place with c bits, the carries of the place below included, has ⌊(c − 1)/2⌋ full adders, and a half adder
//! if c is even and not 0. A full adder has 2 variables, 14 clauses and 50 literals; a half adder 2, 7 and 19. With one
//! direction they have 2, 7 and 25, and 2, 3 and 9. The comparison has a clause for each bit of the sum that the bound
//! does not have, with one literal and one more for each higher bit of the bound; none if the sum lacks such a bit.
//!
//! *Propagation of ≤.* Weak. With one direction a sum above the bound is a conflict that search finds: the bits of a
//! model are a number that is not below the sum. *Models.* Defined; with one direction free.
//!
//! *Source.* J. P. Warners, "A linear-time transformation of linear inequalities into conjunctive normal form",
//! Information Processing Letters 68 (1998), 63–69. N. Eén, N. Sörensson, "Translating Pseudo-Boolean Constraints into
//! SAT", JSAT 2 (2006), 1–26, section 5.1, the order of the adders.
//!
//! *Departures.* Warners adds numbers pair by pair; the bits of a place are added here as Eén and Sörensson do.

use std::collections::VecDeque;

use rustsat::types::Lit;

use super::within;
use crate::amk::adder::{self, Directions};
use crate::bound::AtMostSum;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct AdderNetwork {
    /// The directions that are stated.
    pub directions: Directions,
}

impl AtMostSum for AdderNetwork {
    fn about(&self) -> EncodingInfo {
        let (id, title, auxiliaries) = match self.directions {
            Directions::Both => ("adder-network", "adder network", Auxiliaries::Defined),
            Directions::Up => {
                ("adder-network+one-way", "adder network, one direction", Auxiliaries::Free)
            }
        };
        EncodingInfo {
            id: id.into(),
            title: title.into(),
            idea: "Full and half adders compute the weight of the true literals in binary. A comparator \
                   states that it is at most the bound."
                .into(),
            citation: "Warners, IPL 1998; Eén, Sörensson, JSAT 2006, section 5.1".into(),
            propagation: Propagation::Weak,
            auxiliaries,
            ..EncodingInfo::default()
        }
    }

    fn size(&self, weights: &[u64], bound: u64) -> Option<Size> {
        let bits = |place: u32| weights.iter().filter(|weight| **weight >> place & 1 == 1).count();
        within(adder::number_size(
            (0..u64::BITS).map(|place| bits(place) as u64),
            bound,
            self.directions,
        ))
    }

    fn at_most(&self, xs: &[Lit], weights: &[u64], bound: u64, out: &mut dyn ClauseSink) {
        let places = (0..u64::BITS).map(|place| -> VecDeque<Lit> {
            let terms = xs.iter().zip(weights);
            terms.filter(|(_, weight)| **weight >> place & 1 == 1).map(|(&x, _)| x).collect()
        });
        let number = adder::number(places, self.directions, out);
        adder::at_most(&number, bound, out);
    }
}
