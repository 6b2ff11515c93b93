//! The sequential counter for one: a register is true if an input has held so far.
//!
//! *Idea.* sᵢ means that one of x₁ … xᵢ holds. An input may hold only if none before it does.
//!
//! # `sequential-counter`, Sinz's
//!
//! *Clauses.* x₁ → s₁; for 1 < i < n: xᵢ → sᵢ, sᵢ₋₁ → sᵢ and xᵢ → ¬sᵢ₋₁; at the end xₙ → ¬sₙ₋₁.
//!
//! *Size for n ≥ 2 inputs.* n − 1 auxiliary variables, 3n − 4 clauses, 6n − 8 literals; nothing for
//! fewer inputs. On the plane of side n with the full constraints: 5n² − 6n + 2 variables and
//! 12n² − 22n + 12 clauses (n ≥ 2).
//!
//! *At most k, 1 ≤ k < n.* sᵢⱼ means that at least j of x₁ … xᵢ hold, 1 ≤ j ≤ k. x₁ → s₁₁ and ¬s₁ⱼ for j > 1; for 1 < i
//! < n: xᵢ → sᵢ₁, sᵢ₋₁ⱼ → sᵢⱼ, xᵢ ∧ sᵢ₋₁,ⱼ₋₁ → sᵢⱼ for j > 1, and xᵢ → ¬sᵢ₋₁ₖ; at the end xₙ → ¬sₙ₋₁ₖ. k(n − 1)
//! auxiliary variables, k + 1 + (n − 2)(2k + 1) clauses, k + 3 + (n − 2)(5k + 1) literals.
//!
//! *Propagation.* Complete: a true xᵢ makes sᵢ and all later s true and all earlier s false, and
//! each of them falsifies an input.
//!
//! *Models.* Free: the clauses only make register bits true, so these may be true before any input holds, and n inputs
//! alone have 2n models. Where at least one input is stated to hold, as on rows and columns, the register is
//! determined; on empty diagonals it is not.
//!
//! *Source.* C. Sinz, "Towards an Optimal CNF Encoding of Boolean Cardinality Constraints",
//! CP 2005, LNCS 3709, 827–831, section 2: LT-SEQ with k = 1. With s = ¬y it is the
//! [relaxed ladder](super::ladder), which RustSAT calls the ladder.
//!
//! *Departures.* None. Short lines are no special case: two inputs cost two clauses and a variable.
//!
//! # `sequential-counter:simplified`
//!
//! *Clauses.* Sinz's with s₁ and sₙ₋₁ resolved away, which stand for one input each: ¬x₁ ∨ ¬x₂, x₁ → s₂, x₂ → s₂; for 2
//! < i < n − 1: xᵢ → sᵢ, sᵢ₋₁ → sᵢ and xᵢ → ¬sᵢ₋₁; at the end xₙ₋₁ → ¬sₙ₋₂, xₙ → ¬sₙ₋₂ and ¬xₙ₋₁ ∨ ¬xₙ. Three inputs or
//! fewer: [pairwise](super::pairwise), the result of resolution there.
//!
//! *Size for n ≥ 3 inputs.* n − 3 auxiliary variables, 3n − 6 clauses, 6n − 12 literals; one clause
//! for two inputs. On the plane of side n with the full constraints: 5n² − 18n + 18 variables and
//! 12n² − 34n + 28 clauses (n ≥ 3).
//!
//! *Propagation.* Complete, as before. *Models.* Free from four inputs on: n inputs alone have
//! 2n − 2 models.
//!
//! *Source.* P. Kučera, P. Savický, V. Vorel, "A lower bound on CNF encodings of the at-most-one
//! constraint", arXiv 1704.08934, introduction. [Split](super::split) and [nested](super::nested)
//! take as many clauses.
//!
//! *Departures.* None.
//!
//! # `sequential-counter+defined`
//!
//! *Clauses.* Sinz's, and the opposite direction: s₁ → x₁, and for 1 < i < n: sᵢ → sᵢ₋₁ ∨ xᵢ. Together sᵢ ↔ sᵢ₋₁ ∨ xᵢ.
//!
//! *Size for n ≥ 2 inputs.* n − 1 auxiliary variables, 4n − 5 clauses, 9n − 12 literals; nothing for
//! fewer inputs. On the plane of side n with the full constraints: 5n² − 6n + 2 variables and
//! 16n² − 28n + 14 clauses (n ≥ 2).
//!
//! *Propagation.* Complete, as before. *Models.* Determined: n inputs alone have n + 1 models.
//!
//! *Source.* Sinz's counter with its gates as equivalences, as a circuit's clauses by Tseitin's
//! transformation are. *Departures.* From Sinz, who needs one direction only.

use rustsat::types::Lit;

use super::AtMostOne;
use super::pairwise::Pairwise;
use crate::bound::AtMostK;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// Sinz's sequential counter. See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct SequentialCounter;

impl AtMostOne for SequentialCounter {
    fn info(&self) -> EncodingInfo {
        EncodingInfo {
            id: "sequential-counter".into(),
            aliases: vec!["sinz".into()],
            title: "sequential counter".into(),
            idea:
                "A register bit after each input is true if one of the inputs so far is true. An \
                   input may be true only if the bit before it is false."
                    .into(),
            citation: "Sinz, CP 2005, section 2, LT-SEQ with k = 1".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        let n = u128::from(n);
        Some(if n < 2 { Size::default() } else { Size::new(n - 1, 3 * n - 4, 6 * n - 8) })
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        counter(xs, false, out);
    }

    fn of_bounds(&self) -> Option<&dyn AtMostK> {
        Some(self)
    }
}

impl AtMostK for SequentialCounter {
    fn about(&self) -> EncodingInfo {
        EncodingInfo {
            idea: "After each input but the last there are k register bits. Bit j is true if at \
                   least j of the inputs so far are true. An input may be true only if bit k \
                   before it is false."
                .into(),
            citation: "Sinz, CP 2005, section 2, LT-SEQ".into(),
            ..self.info()
        }
    }

    fn at_most_size(&self, n: u64, k: u64) -> Option<Size> {
        let (k, inner) = (u128::from(k), u128::from(n) - 2);
        let clauses = k + 1 + inner * (2 * k + 1);
        Some(Size::new(k * (inner + 1), clauses, k + 3 + inner * (5 * k + 1)))
    }

    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        let [first, inner @ .., last] = xs else { return };
        let k = k as usize;
        let registers = out.fresh(((xs.len() - 1) * k) as u32);
        let s = |i: usize, j: usize| registers.lit((i * k + j) as u32);
        // x₁ → s₁₁, ¬s₁ⱼ
        out.clause(&[!*first, s(0, 0)]);
        for j in 1..k {
            out.clause(&[!s(0, j)]);
        }
        for (i, &x) in (1..).zip(inner) {
            // xᵢ → sᵢ₁, sᵢ₋₁₁ → sᵢ₁
            out.clause(&[!x, s(i, 0)]);
            out.clause(&[!s(i - 1, 0), s(i, 0)]);
            for j in 1..k {
                // xᵢ ∧ sᵢ₋₁,ⱼ₋₁ → sᵢⱼ, sᵢ₋₁ⱼ → sᵢⱼ
                out.clause(&[!x, !s(i - 1, j - 1), s(i, j)]);
                out.clause(&[!s(i - 1, j), s(i, j)]);
            }
            // xᵢ → ¬sᵢ₋₁ₖ
            out.clause(&[!x, !s(i - 1, k - 1)]);
        }
        // xₙ → ¬sₙ₋₁ₖ
        out.clause(&[!*last, !s(xs.len() - 2, k - 1)]);
    }
}

/// The counter over all inputs, its register defined or not.
fn counter(xs: &[Lit], is_defined: bool, out: &mut dyn ClauseSink) {
    let [first, inner @ .., last] = xs else { return };
    let s = out.fresh(xs.len() as u32 - 1);
    // x₁ → s₁
    out.clause(&[!*first, s.lit(0)]);
    if is_defined {
        // s₁ → x₁
        out.clause(&[*first, !s.lit(0)]);
    }
    for (index, &x) in (0..).zip(inner) {
        step(x, s.lit(index), s.lit(index + 1), is_defined, out);
    }
    // xₙ → ¬sₙ₋₁
    out.clause(&[!*last, !s.lit(s.len() - 1)]);
}

/// One input between two registers.
fn step(x: Lit, before: Lit, here: Lit, is_defined: bool, out: &mut dyn ClauseSink) {
    // xᵢ → sᵢ
    out.clause(&[!x, here]);
    // sᵢ₋₁ → sᵢ
    out.clause(&[!before, here]);
    if is_defined {
        // sᵢ → sᵢ₋₁ ∨ xᵢ
        out.clause(&[!here, before, x]);
    }
    // xᵢ → ¬sᵢ₋₁
    out.clause(&[!x, !before]);
}

/// The sequential counter without its first and last register. See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct SimplifiedCounter;

impl AtMostOne for SimplifiedCounter {
    fn info(&self) -> EncodingInfo {
        EncodingInfo {
            id: "sequential-counter:simplified".into(),
            title: "sequential counter, simplified".into(),
            idea: "The sequential counter without its first and its last register bit, which each \
                   equal a single input."
                .into(),
            citation: "Kučera, Savický, Vorel, arXiv 1704.08934, introduction".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        if n < 4 {
            return Pairwise.size(n);
        }
        let n = u128::from(n);
        Some(Size::new(n - 3, 3 * n - 6, 6 * n - 12))
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        let [first, second, inner @ .., last_but_one, last] = xs else {
            return Pairwise.encode(xs, out);
        };
        // s₂ to sₙ₋₂
        let s = out.fresh(xs.len() as u32 - 3);
        // At most one of x₁ and x₂; x₁ → s₂, x₂ → s₂
        out.clause(&[!*first, !*second]);
        out.clause(&[!*first, s.lit(0)]);
        out.clause(&[!*second, s.lit(0)]);
        for (index, &x) in (0..).zip(inner) {
            step(x, s.lit(index), s.lit(index + 1), false, out);
        }
        // xₙ₋₁ → ¬sₙ₋₂, xₙ → ¬sₙ₋₂; at most one of xₙ₋₁ and xₙ
        let before = s.lit(s.len() - 1);
        out.clause(&[!*last_but_one, !before]);
        out.clause(&[!*last, !before]);
        out.clause(&[!*last_but_one, !*last]);
    }
}

/// The sequential counter with its register defined. See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct DefinedCounter;

impl AtMostOne for DefinedCounter {
    fn info(&self) -> EncodingInfo {
        EncodingInfo {
            id: "sequential-counter+defined".into(),
            title: "sequential counter, register defined".into(),
            idea:
                "The sequential counter with its register defined by equivalences: a bit is true \
                   if and only if one of the inputs so far is true."
                    .into(),
            citation: "after Sinz, CP 2005, section 2, with equivalences".into(),
            aliases: Vec::new(),
            auxiliaries: Auxiliaries::Defined,
            ..SequentialCounter.info()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        let n = u128::from(n);
        Some(if n < 2 { Size::default() } else { Size::new(n - 1, 4 * n - 5, 9 * n - 12) })
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        counter(xs, true, out);
    }
}
