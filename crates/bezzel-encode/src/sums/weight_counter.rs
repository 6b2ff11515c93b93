//! The sequential weight counter: the literals are read one by one, and the sum so far is a unary number.
//!
//! *Idea.* sᵢⱼ means that the first i literals that hold weigh at least j, for j up to the bound b and up to the weight
//! of the first i literals.
//!
//! *Clauses* for the literal xᵢ of weight w: sᵢ₋₁ⱼ → sᵢⱼ; xᵢ → sᵢⱼ for j ≤ w; xᵢ ∧ sᵢ₋₁ⱼ → sᵢⱼ₊w for j ≤ b − w; and xᵢ
//! → ¬sᵢ₋₁ⱼ for j = b + 1 − w. The last literal has the last kind alone.
//!
//! *Size*, with mᵢ = min(b, w₁ + … + wᵢ): m₁ + … + mₙ₋₁ variables. The clauses of literal i < n are mᵢ₋₁ + wᵢ +
//! min(mᵢ₋₁, b − wᵢ), the last of three literals, the others of two, and one more of two if mᵢ₋₁ > b − wᵢ; the last
//! literal has this one alone.
//!
//! *Parts* of which at most one literal holds: sᵢⱼ means that the first i parts weigh at least j. The clauses are those
//! of a literal for each literal of the part, with the first kind once; mᵢ counts the heaviest of each part.
//!
//! *Propagation of ≤.* Complete. *Models.* Free.
//!
//! *Source.* S. Hölldobler, N. Manthey, P. Steinke, "A Compact Encoding of Pseudo-Boolean Constraints into SAT", KI
//! 2012, LNCS 7526, 107–118, section 3. Parts: M. Bofill, J. Coll, P. Nightingale, J. Suy, F. Ulrich-Oltean, M.
//! Villaret, "SAT Encodings for Pseudo-Boolean Constraints Together With At-Most-One Constraints", Artificial
//! Intelligence 302 (2022), the generalised sequential weight counter.
//!
//! *Departures.* The paper has b variables for each literal; here a number has no more than the literals before it can
//! weigh.

use bezzel_problem::Lists;
use rustsat::types::Lit;

use super::walk::{PartConstruction, Walk};
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::{ClauseSink, VarRange};
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct WeightCounter;

impl PartConstruction for WeightCounter {
    fn about(&self) -> EncodingInfo {
        EncodingInfo {
            id: "weight-counter".into(),
            aliases: vec!["swc".into()],
            title: "sequential weight counter".into(),
            idea: "The literals are read one by one. A unary number has the weight of those that hold \
                   so far."
                .into(),
            citation: "Hölldobler, Manthey, Steinke, KI 2012, section 3".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn counts_heaviest(&self) -> bool {
        true
    }

    fn build(&self, parts: &Lists<(Lit, u64)>, bound: u64, walk: &mut Walk<'_>) -> Option<()> {
        let mut before = VarRange::after(0, 0);
        for (number, part) in parts.iter().enumerate() {
            let reached = u64::from(before.len());
            let &(_, heaviest) = part.last()?;
            let mut now = VarRange::after(0, 0);
            if number + 1 < parts.len() {
                let moved = |weight: u64| u128::from(reached.min(bound - weight));
                let pairs: u128 = part.iter().map(|&(_, weight)| moved(weight)).sum();
                let singles = part.iter().map(|&(_, weight)| u128::from(weight)).sum::<u128>();
                let singles = singles + u128::from(reached);
                if singles + pairs > walk.room() {
                    return None;
                }
                now = walk.fresh(reached.saturating_add(heaviest).min(bound) as u32);
                if walk.is_counting() {
                    walk.count(Size::binary(0, singles) + Size::new(0, pairs, 3 * pairs))?;
                } else {
                    add(part, before, now, walk);
                }
            }
            for &(x, weight) in part {
                // xᵢ → ¬sᵢ₋₁ⱼ
                if let Some(above) = before.lits().nth((bound - weight) as usize) {
                    walk.clause(&[!x, !above]);
                }
            }
            before = now;
        }
        walk.check()
    }
}

/// The sum up to this part is at least that before it, and the weight of a term of this part more.
fn add(part: &[(Lit, u64)], before: VarRange, now: VarRange, walk: &mut Walk<'_>) {
    // sᵢ₋₁ⱼ → sᵢⱼ
    for (before, now) in before.lits().zip(now.lits()) {
        walk.clause(&[!before, now]);
    }
    for &(x, weight) in part {
        // xᵢ → sᵢⱼ
        for now in now.lits().take(weight as usize) {
            walk.clause(&[!x, now]);
        }
        // xᵢ ∧ sᵢ₋₁ⱼ → sᵢⱼ₊w
        for (before, now) in before.lits().zip(now.lits().skip(weight as usize)) {
            walk.clause(&[!x, !before, now]);
        }
    }
}
