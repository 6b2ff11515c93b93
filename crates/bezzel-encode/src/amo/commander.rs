//! The commander at-most-one: each group of inputs has a commander, and of the commanders at most
//! one holds.
//!
//! *Idea.* Cut the inputs into groups of k. At most one of each group holds, stated [pairwise](super::pairwise). An
//! input that holds makes the commander of its group true. Of the commanders at most one holds, stated in the same way
//! again.
//!
//! *The exact rule.* k inputs or fewer: pairwise. More: groups are filled with k inputs one after the other, and the
//! last one with the rest. A last group of one needs no commander: the input itself is among the commanders.
//!
//! *Clauses.* ¬x ∨ ¬x′ for two inputs of a group; x → c for the commander c of the group of x; and c → x₁ ∨ … ∨ xₖ,
//! from the commander back to its group. Then at most one of all commanders and of the single input, if there is one.
//!
//! *Variants.*
//!
//! - `commander:3`: recursive, with the clause from commander to group, as the paper prints it.
//! - `+one-way`: without that clause, which at most one does not need. Many libraries leave it out, and have other
//!   sizes under the same name.
//! - `+flat`: one level; at most one of the commanders holds, stated pairwise for any number of them.
//! - `+flat+one-way`: both. `commander:4+flat+one-way` is `rustsat-commander` clause by clause
//!   wherever there are more than four inputs and not one in the last group.
//!
//! *Size T(n) for n inputs*, with C(j) = j(j − 1)/2. n ≤ k: no variable, C(n) clauses. Above, with
//! n = qk + r, 0 ≤ r < k: g groups with a commander, where g = q + 1 if r > 1 and q if not; p = n
//! inputs in them, or n − 1 if r = 1. Then
//!
//! > g variables, q·C(k) + C(r) + p + g clauses, 2(q·C(k) + C(r) + p) + p + g literals,
//! > and T(⌈n/k⌉).
//!
//! One way, g clauses and p + g literals fewer. Flat, C(⌈n/k⌉) clauses of two literals in place of
//! T(⌈n/k⌉). In closed form where n is a power of k: (n − k)/(k − 1) variables and
//! (n − k)/(k − 1)·(k(k + 1)/2 + 1) + k(k − 1)/2 clauses, which is (7n − 15)/2 for k = 3 and
//! (11n − 26)/3 for k = 4. For k = 2 and every n ≥ 2: n − 2 variables, 4n − 7 clauses; one way
//! 3n − 5. On the plane of side 8 with the full constraints, `commander:3`: 146 variables and
//! 618 clauses.
//!
//! *Propagation.* Complete: a true input falsifies its group and makes its commander true. By induction all other
//! commanders become false, and with each of them its group.
//!
//! *Models.* Determined with the clause from commander to group. One way they are free as soon as there is a commander,
//! that is from k + 1 inputs on: it may hold while no input holds.
//!
//! *Source.* W. Klieber, G. Kwon, "Efficient CNF Encoding for Selecting 1 from N Objects",
//! CFV 2007; groups of three are recommended there.
//!
//! *Departures.* The paper selects exactly one, so that the clause of "some input holds" is over the topmost
//! commanders; here it is over the inputs, as for every other encoding. The paper does not define a last group that is
//! not full.

use std::borrow::Cow;
use std::sync::Arc;

use rustsat::types::Lit;

use super::pairwise::Pairwise;
use super::{AtMostOne, Family};
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::{Size, pairs};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Commander {
    /// The number of inputs in a group: at least 2.
    pub group: u32,
    /// True if at most one commander is stated pairwise instead of by commanders again.
    pub flat: bool,
    /// True if the clause from a commander to its group is left out.
    pub one_way: bool,
}

/// Commanders of groups of any size.
pub(crate) fn family() -> Family {
    Family {
        name: "commander",
        parameter: "size of a group",
        range: 2..=1000,
        listed: &[2, 3, 4],
        make: |group| {
            let variants = [(false, false), (false, true), (true, false), (true, true)];
            let variant = |(flat, one_way)| Arc::new(Commander { group, flat, one_way }) as _;
            variants.map(variant).into()
        },
    }
}

impl Commander {
    /// The cost of one level for more inputs than fit in a group.
    fn level(self, n: u128) -> Size {
        let group = u128::from(self.group);
        let (full, left) = (n / group, n % group);
        let commanders = full + u128::from(left > 1);
        let commanded = if left == 1 { n - 1 } else { n };
        let binary = full * pairs(group) + pairs(left) + commanded;
        let one_way = Size::binary(commanders, binary);
        let back = Size::new(0, commanders, commanded + commanders);
        if self.one_way { one_way } else { one_way + back }
    }
}

impl AtMostOne for Commander {
    fn info(&self) -> EncodingInfo {
        let group = self.group;
        let flat = if self.flat { "+flat" } else { "" };
        let one_way = if self.one_way { "+one-way" } else { "" };
        let levels = if self.flat { ", one level" } else { "" };
        let direction = if self.one_way { ", one way" } else { "" };
        EncodingInfo {
            id: format!("commander:{group}{flat}{one_way}"),
            title: format!("commander, groups of {group}{levels}{direction}"),
            idea: format!(
                "The inputs are in groups of {group}. A true input makes the commander of its \
                 group true. At most one commander is true."
            ),
            citation: "Klieber, Kwon, CFV 2007".into(),
            propagation: Propagation::Complete,
            auxiliaries: if self.one_way { Auxiliaries::Free } else { Auxiliaries::Defined },
            ..EncodingInfo::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        let mut sum = Size::default();
        let mut left = n;
        while left > self.group.into() {
            sum += self.level(left.into());
            left = left.div_ceil(self.group.into());
            if self.flat {
                break;
            }
        }
        Some(sum + Pairwise.size(left)?)
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        let mut xs = Cow::Borrowed(xs);
        let mut back = Vec::new();
        while xs.len() > self.group as usize {
            let groups = xs.chunks(self.group as usize);
            let commanders = groups.clone().filter(|group| group.len() > 1).count();
            let mut commanders = out.fresh(commanders as u32).lits();
            let mut above = Vec::with_capacity(groups.len());
            for group in groups {
                if let [alone] = *group {
                    above.push(alone);
                    continue;
                }
                let commander = commanders.next().expect("one was made for each such group");
                above.push(commander);
                // At most one of the group
                Pairwise.encode(group, out);
                // x → c
                for &x in group {
                    out.clause(&[!x, commander]);
                }
                // c → x₁ ∨ … ∨ xₖ
                if !self.one_way {
                    back.clear();
                    back.push(!commander);
                    back.extend_from_slice(group);
                    out.clause(&back);
                }
            }
            xs = Cow::Owned(above);
            if self.flat {
                break;
            }
        }
        Pairwise.encode(&xs, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_the_published_closed_forms_where_every_group_is_full() {
        for group in 2..=9_u64 {
            for n in (1..=6).map(|power| group.pow(power)) {
                let commander = Commander { group: group as u32, flat: false, one_way: false };
                let (k, n128) = (u128::from(group), u128::from(n));
                let commanders = (n128 - k) / (k - 1);
                let of_groups = k * (k + 1) / 2 + 1;
                let size = commander.size(n).unwrap();
                assert_eq!(size.variables, commanders, "k = {k}, n = {n}");
                assert_eq!(size.clauses, commanders * of_groups + k * (k - 1) / 2);
                let one_way = Commander { one_way: true, ..commander }.size(n).unwrap();
                assert_eq!(one_way.variables, commanders, "k = {k}, n = {n}");
                assert_eq!(one_way.clauses, size.clauses - commanders);
            }
        }
    }
}
