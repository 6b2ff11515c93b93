//! The ladder: a row of variables that falls once, at the input that holds. Four encodings have this name, so the name
//! alone identifies none of them.
//!
//! *Idea.* y₁ … are true up to some place and false from there on, and the place identifies the input that holds: xᵢ is
//! the step from yᵢ₋₁, still true, to yᵢ, no longer true. Order encodings encode an integer in the same way.
//!
//! # `ladder:regular`
//!
//! The original one, which states *exactly* one. It encodes lines that hold exactly one, such as rows; for lines that
//! hold at most one, `ladder:at-most-one` takes its place.
//!
//! *Clauses.* yᵢ₊₁ → yᵢ; x₁ ↔ ¬y₁; xᵢ ↔ yᵢ₋₁ ∧ ¬yᵢ for 1 < i < n; xₙ ↔ yₙ₋₁. No clause over all inputs is
//! needed. Without the n − 2 clauses yᵢ₊₁ → yᵢ it would be wrong: several inputs could hold.
//!
//! *Size for exactly one of n ≥ 2 inputs.* n − 1 auxiliary variables, 4n − 4 clauses, 9n − 10
//! literals; one clause for fewer. On the plane of side 8 with the full constraints: 300 variables
//! and 892 clauses.
//!
//! *Propagation.* Complete, and more: of the encodings tried (four inputs, exactly one), no other
//! lets unit propagation find every implied literal, auxiliary ones included.
//!
//! *Models.* Determined: n for exactly one of n inputs.
//!
//! *Source.* C. Ansótegui, F. Manyà, "Mapping Problems with Finite-Domain Variables into Problems
//! with Boolean Variables", SAT 2004, LNCS 3542 (the regular encoding); I. P. Gent, P. Nightingale,
//! "A New Encoding of AllDifferent into SAT", ModRef 2004 (the ladder).
//!
//! *Departures.* Both state exactly one only, not at most one.
//!
//! # `ladder:relaxed`
//!
//! *Clauses.* yᵢ₊₁ → yᵢ; xᵢ → yᵢ₋₁ for i > 1; xᵢ → ¬yᵢ for i < n. No clause leads back to an input.
//!
//! *Size for n ≥ 2 inputs.* n − 1 auxiliary variables, 3n − 4 clauses, 6n − 8 literals; nothing for
//! fewer inputs.
//!
//! *Propagation.* Complete. *Models.* Free: n inputs alone have 2n models.
//!
//! *Source.* RustSAT 0.7.5 and others call it the ladder, after Gent and Nightingale. With y = ¬s it
//! is the [sequential counter](super::sequential_counter), clause by clause.
//!
//! *Departures.* None: its clauses are those of `rustsat-ladder`.
//!
//! # `ladder:at-most-one`
//!
//! *Clauses.* As the regular one's, with a variable more: yᵢ₊₁ → yᵢ and xᵢ ↔ yᵢ ∧ ¬yᵢ₊₁ for i < n, and xₙ ↔ yₙ. Here yᵢ
//! means that xᵢ or a later input holds, and where y₁ is false, none does.
//!
//! *Size for n ≥ 2 inputs.* n auxiliary variables, 4n − 2 clauses, 9n − 5 literals; nothing for fewer
//! inputs.
//!
//! *Propagation.* Complete. *Models.* Determined: n inputs alone have n + 1 models.
//!
//! *Source.* The regular encoding with the value "none" added. *Departures.* From it, that value.
//!
//! # `ladder:slack`
//!
//! *Clauses.* A slack variable is added as the last of n + 1 inputs; it holds where no other does. Exactly one of these
//! holds, stated as by `ladder:regular`.
//!
//! *Size for n ≥ 2 inputs.* n + 1 auxiliary variables, 4n clauses, 9n − 1 literals; nothing for
//! fewer inputs.
//!
//! *Propagation.* Complete. *Models.* Determined: n inputs alone have n + 1 models.
//!
//! *Source.* PySAT's at-most-one `ladder` (`cardenc/ladder.hh`).
//!
//! *Departures.* For one input PySAT writes two clauses and a variable; here there are none.

use std::sync::Arc;

use rustsat::types::Lit;

use super::AtMostOne;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// The four encodings that are called the ladder. See the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ladder {
    /// The original, where exactly one is stated.
    Regular,
    /// One direction only.
    Relaxed,
    /// With a variable for each input.
    AtMostOne,
    /// The original over one input more, which holds if no other does.
    Slack,
}

/// All of them, in the order of registration.
pub(crate) fn all() -> Vec<Arc<dyn AtMostOne>> {
    let all = [Ladder::Regular, Ladder::Relaxed, Ladder::AtMostOne, Ladder::Slack];
    all.into_iter().map(|ladder| Arc::new(ladder) as _).collect()
}

impl AtMostOne for Ladder {
    fn info(&self) -> EncodingInfo {
        let (variant, title, idea, citation) = match self {
            Self::Regular => (
                "regular",
                "regular, or ladder",
                "A row of variables is true up to one place and false after it. The input at this \
                 place is the true one. This states exactly one, without a clause over all inputs.",
                "Ansótegui, Manyà, SAT 2004; Gent, Nightingale, ModRef 2004",
            ),
            Self::Relaxed => (
                "relaxed",
                "ladder, relaxed",
                "A row of variables is true up to one place and false after it. Only the input at \
                 this place may be true.",
                "RustSAT 0.7.5, after Gent, Nightingale, ModRef 2004",
            ),
            Self::AtMostOne => (
                "at-most-one",
                "ladder with a place for none",
                "A row of variables is true up to one place and false after it. The input at this \
                 place is the true one. If all variables are false, no input is true.",
                "after Ansótegui, Manyà, SAT 2004",
            ),
            Self::Slack => (
                "slack",
                "ladder with a slack variable",
                "Exactly one of the inputs and a slack variable holds, as the regular ladder states.",
                "PySAT, cardenc/ladder.hh",
            ),
        };
        let auxiliaries =
            if *self == Self::Relaxed { Auxiliaries::Free } else { Auxiliaries::Defined };
        EncodingInfo {
            id: format!("ladder:{variant}"),
            title: title.into(),
            idea: idea.into(),
            citation: citation.into(),
            propagation: Propagation::Complete,
            auxiliaries,
            ..EncodingInfo::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        let n = u128::from(n);
        Some(match self {
            _ if n < 2 => Size::default(),
            Self::Regular | Self::AtMostOne => Size::new(n, 4 * n - 2, 9 * n - 5),
            Self::Relaxed => Size::new(n - 1, 3 * n - 4, 6 * n - 8),
            Self::Slack => Size::new(n + 1, 4 * n, 9 * n - 1),
        })
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        if xs.len() < 2 {
            return;
        }
        match self {
            Self::Regular | Self::AtMostOne => at_most_one(xs, out),
            Self::Relaxed => relaxed(xs, out),
            Self::Slack => {
                let slack = out.fresh(1).lit(0);
                let with_slack: Vec<Lit> = xs.iter().copied().chain([slack]).collect();
                regular(&with_slack, out);
            }
        }
    }

    fn exactly_one_size(&self, n: u64) -> Option<Size> {
        if *self == Self::Regular && n >= 2 {
            let n = u128::from(n);
            return Some(Size::new(n - 1, 4 * n - 4, 9 * n - 10));
        }
        Some(Size::new(0, 1, n.into()) + self.size(n)?)
    }

    fn exactly_one(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        if *self == Self::Regular && xs.len() >= 2 {
            return regular(xs, out);
        }
        out.clause(xs);
        self.encode(xs, out);
    }
}

/// Exactly one of two or more.
fn regular(xs: &[Lit], out: &mut dyn ClauseSink) {
    let [first, inner @ .., last] = xs else { return };
    let y = out.fresh(xs.len() as u32 - 1);
    // x₁ ↔ ¬y₁
    out.clause(&[!*first, !y.lit(0)]);
    out.clause(&[*first, y.lit(0)]);
    for (index, &x) in (0..).zip(inner) {
        let (before, here) = (y.lit(index), y.lit(index + 1));
        step(x, before, here, out);
    }
    // xₙ ↔ yₙ₋₁
    let before = y.lit(y.len() - 1);
    out.clause(&[!*last, before]);
    out.clause(&[*last, !before]);
}

/// At most one of two or more, with a variable for each.
fn at_most_one(xs: &[Lit], out: &mut dyn ClauseSink) {
    let Some((last, others)) = xs.split_last() else { return };
    let y = out.fresh(xs.len() as u32);
    for (index, &x) in (0..).zip(others) {
        step(x, y.lit(index), y.lit(index + 1), out);
    }
    // xₙ ↔ yₙ
    let before = y.lit(y.len() - 1);
    out.clause(&[!*last, before]);
    out.clause(&[*last, !before]);
}

/// The input between two variables of the ladder: it holds if and only if the ladder falls there.
fn step(x: Lit, before: Lit, after: Lit, out: &mut dyn ClauseSink) {
    // after → before
    out.clause(&[!after, before]);
    // x → before ∧ ¬after
    out.clause(&[!x, before]);
    out.clause(&[!x, !after]);
    // before ∧ ¬after → x
    out.clause(&[!before, after, x]);
}

/// At most one of two or more, one direction only.
fn relaxed(xs: &[Lit], out: &mut dyn ClauseSink) {
    let [first, inner @ .., last] = xs else { return };
    let y = out.fresh(xs.len() as u32 - 1);
    // x₁ → ¬y₁
    out.clause(&[!*first, !y.lit(0)]);
    for (index, &x) in (0..).zip(inner) {
        let (before, here) = (y.lit(index), y.lit(index + 1));
        // yᵢ → yᵢ₋₁
        out.clause(&[!here, before]);
        // xᵢ → yᵢ₋₁
        out.clause(&[!x, before]);
        // xᵢ → ¬yᵢ
        out.clause(&[!x, !here]);
    }
    // xₙ → yₙ₋₁
    out.clause(&[!*last, y.lit(y.len() - 1)]);
}
