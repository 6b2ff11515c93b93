//! The bimander at-most-one: pairwise within groups, bitwise between them.
//!
//! *Idea.* Cut the inputs into groups. At most one of each group holds, stated [pairwise](super::pairwise); an input
//! that holds writes the number of its group into shared bits, as in the [bitwise](super::bitwise) encoding, and two
//! groups would need two numbers at once.
//!
//! *The number in the id* is the size g of a group, so that there are m = ⌈n/g⌉ groups. The papers fix m instead and
//! recommend m = ⌈n/2⌉, which depends on the number of inputs: this is `bimander:2` on lines of every length. Groups
//! are filled with g inputs one after the other, the last one with the rest, and they are numbered from 0.
//!
//! *Clauses.* ¬x ∨ ¬x′ for two inputs of a group; for x in group number i, x → bⱼ if bit j of i is 1,
//! and x → ¬bⱼ if it is 0.
//!
//! *Size for n inputs*, with C(j) = j(j − 1)/2 and n = qg + r, 0 ≤ r < g: ⌈log₂ m⌉ auxiliary
//! variables, q·C(g) + C(r) + n·⌈log₂ m⌉ clauses of two literals. For g = 2 the clauses are
//! ⌊n/2⌋ + n·⌈log₂ ⌈n/2⌉⌉. One group is pairwise, and groups of one are bitwise. On the plane of side 8
//! with the full constraints, `bimander:2`: 132 variables and 596 clauses.
//!
//! *Propagation.* Complete: a true input falsifies the rest of its group and fixes all bits, and
//! every other group differs in one.
//!
//! *Models.* Free as soon as there are two groups: while no input holds, the bits are free, so n inputs alone have n +
//! 2^⌈log₂ m⌉ models.
//!
//! *Source.* S. Hölldobler, V. H. Nguyen, "An Efficient Encoding of the At-Most-One Constraint",
//! KRR Report 13-04, TU Dresden 2013; V. H. Nguyen, S. T. Mai, "A New Method to Encode the
//! At-Most-One Constraint into SAT", SoICT 2015.
//!
//! *Departures.* The printed n²/2m + n·log₂ m − n/2 clauses are exact only where m divides n and is
//! a power of two. RustSAT's has groups of four and spends a bit even on a single group:
//! `bimander:4` is `rustsat-bimander` clause by clause from five inputs on.

use std::sync::Arc;

use rustsat::types::Lit;

use super::bitwise::write_number;
use super::pairwise::Pairwise;
use super::{AtMostOne, Family};
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::{Size, bits, pairs};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Bimander {
    /// The number of inputs in a group: at least 1.
    pub group: u32,
}

/// Bimanders of groups of any size.
pub(crate) fn family() -> Family {
    Family {
        name: "bimander",
        parameter: "size of a group",
        range: 1..=1000,
        listed: &[2, 4],
        make: |group| vec![Arc::new(Bimander { group })],
    }
}

impl AtMostOne for Bimander {
    fn info(&self) -> EncodingInfo {
        let group = self.group;
        EncodingInfo {
            id: format!("bimander:{group}"),
            title: format!("bimander, groups of {group}"),
            idea: format!(
                "The inputs are in groups of {group}. A true input sets shared bits to the number \
                 of its group. Within a group, clauses exclude every pair."
            ),
            citation: "Hölldobler, Nguyen, KRR Report 13-04, 2013; Nguyen, Mai, SoICT 2015".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        let bits = u128::from(bits(n.div_ceil(self.group.into())));
        let (n, group) = (u128::from(n), u128::from(self.group));
        let clauses = n / group * pairs(group) + pairs(n % group) + n * bits;
        Some(Size::binary(bits, clauses))
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        let groups = xs.chunks(self.group as usize);
        if groups.len() < 2 {
            return Pairwise.encode(xs, out);
        }
        let bits = out.fresh(bits(groups.len() as u64));
        for (number, group) in groups.enumerate() {
            // At most one of the group
            Pairwise.encode(group, out);
            for &x in group {
                write_number(x, number, bits, out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amo::bitwise::Bitwise;
    use crate::formula::Formula;

    fn formula(at_most_one: &dyn AtMostOne, n: u32) -> Formula {
        let mut formula = Formula::new();
        let xs: Vec<Lit> = formula.fresh(n).lits().collect();
        at_most_one.encode(&xs, &mut formula);
        formula
    }

    #[test]
    fn groups_of_one_are_bitwise_and_a_single_group_is_pairwise() {
        for n in 0..=60 {
            assert_eq!(formula(&Bimander { group: 1 }, n), formula(&Bitwise, n), "n = {n}");
            assert_eq!(formula(&Bimander { group: 60 }, n), formula(&Pairwise, n), "n = {n}");
        }
    }

    #[test]
    fn the_printed_number_of_clauses_is_exact_where_groups_are_full_and_a_power_of_two() {
        for group in 1..=8_u32 {
            for groups in (0..=5).map(|power| 1_u128 << power) {
                let n = groups * u128::from(group);
                let clauses = Bimander { group }.size(n as u64).unwrap().clauses;
                // Twice the printed number, since n²/2m and n/2 may be no whole numbers.
                let printed = n * n / groups + 2 * n * u128::from(groups.ilog2()) - n;
                assert_eq!(2 * clauses, printed, "g = {group}, m = {groups}");
            }
        }
    }
}
