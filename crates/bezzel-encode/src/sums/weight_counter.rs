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
//! *Propagation of ≤.* Complete. *Models.* Free.
//!
//! *Source.* S. Hölldobler, N. Manthey, P. Steinke, "A Compact Encoding of Pseudo-Boolean Constraints into SAT", KI
//! 2012, LNCS 7526, 107–118, section 3.
//!
//! *Departures.* The paper has b variables for each literal; here a number has no more than the literals before it can
//! weigh.

use rustsat::types::Lit;

use super::within;
use crate::bound::AtMostSum;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::{ClauseSink, VarRange};
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct WeightCounter;

impl AtMostSum for WeightCounter {
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

    fn size(&self, weights: &[u64], bound: u64) -> Option<Size> {
        let mut size = Size::default();
        let mut before = 0_u64;
        for (place, &weight) in weights.iter().enumerate() {
            let last = place + 1 == weights.len();
            if !last {
                let now = before.saturating_add(weight).min(bound);
                let moved = u128::from(before.min(bound - weight));
                size += Size::binary(now.into(), u128::from(before) + u128::from(weight));
                size += Size::new(0, moved, 3 * moved);
                if before > bound - weight {
                    size += Size::new(0, 1, 2);
                }
                before = now;
            } else if before > bound - weight {
                size += Size::new(0, 1, 2);
            }
            within(size)?;
        }
        Some(size)
    }

    fn at_most(&self, xs: &[Lit], weights: &[u64], bound: u64, out: &mut dyn ClauseSink) {
        let mut before: Option<VarRange> = None;
        for (place, (&x, &weight)) in xs.iter().zip(weights).enumerate() {
            let reached = before.map_or(0, |before| u64::from(before.len()));
            let is_last = place + 1 == xs.len();
            if is_last {
                exclude(x, before, bound - weight, out);
                return;
            }
            let now = out.fresh(reached.saturating_add(weight).min(bound) as u32);
            if let Some(before) = before {
                // sᵢ₋₁ⱼ → sᵢⱼ
                for (before, now) in before.lits().zip(now.lits()) {
                    out.clause(&[!before, now]);
                }
            }
            // xᵢ → sᵢⱼ
            for now in now.lits().take(weight as usize) {
                out.clause(&[!x, now]);
            }
            if let Some(before) = before {
                // xᵢ ∧ sᵢ₋₁ⱼ → sᵢⱼ₊w
                for (before, now) in before.lits().zip(now.lits().skip(weight as usize)) {
                    out.clause(&[!x, !before, now]);
                }
            }
            exclude(x, before, bound - weight, out);
            before = Some(now);
        }
    }
}

/// The literal does not hold if those before it weigh more than `room`.
fn exclude(x: Lit, before: Option<VarRange>, room: u64, out: &mut dyn ClauseSink) {
    if let Some(above) = before.and_then(|before| before.lits().nth(room as usize)) {
        out.clause(&[!x, !above]);
    }
}
