//! The inputs on which an at-most-one encoding is tried, and the constraint that it states on them.

use bezzel_problem::named;
use rustsat::types::Lit;

use crate::amo::AtMostOne;
use crate::formula::Formula;
use crate::sink::ClauseSink;
use crate::size::Size;

named! {
    /// The constraint on the inputs that is encoded.
    pub enum Form {
        /// At most one of the inputs holds.
        AtMostOne = "at most one",
        /// Exactly one of the inputs holds.
        ExactlyOne = "exactly one",
    }
}

impl Form {
    /// Writes the constraint on `xs` to `out`.
    pub fn encode(self, amo: &dyn AtMostOne, xs: &[Lit], out: &mut dyn ClauseSink) {
        match self {
            Self::AtMostOne => amo.encode(xs, out),
            Self::ExactlyOne => amo.exactly_one(xs, out),
        }
    }

    /// The closed form of the clauses that [`encode`](Self::encode) writes for `n` inputs.
    pub fn size(self, amo: &dyn AtMostOne, n: u64) -> Option<Size> {
        match self {
            Self::AtMostOne => amo.size(n),
            Self::ExactlyOne => amo.exactly_one_size(n),
        }
    }

    /// True if the constraint allows `held` inputs to be true.
    pub fn allows(self, held: usize) -> bool {
        held == 1 || held == 0 && self == Self::AtMostOne
    }

    /// The formula over `n` fresh inputs, which are its first variables.
    pub fn formula(self, amo: &dyn AtMostOne, n: u32) -> (Vec<Lit>, Formula) {
        Inputs::Plain.encode(amo, self, n, Formula::new())
    }
}

/// The inputs on which an encoding is tried: fresh variables in their order, and the same ones in opposite order with
/// every other one negated.
#[derive(Clone, Copy)]
pub(super) enum Inputs {
    Plain,
    Mixed,
}

impl Inputs {
    pub(super) const ALL: [Self; 2] = [Self::Plain, Self::Mixed];

    /// Makes `n` inputs.
    fn make(self, n: u32, out: &mut dyn ClauseSink) -> Vec<Lit> {
        let plain = out.fresh(n).lits();
        match self {
            Self::Plain => plain.collect(),
            Self::Mixed => {
                let mut mixed: Vec<Lit> =
                    plain.map(|lit| if lit.vidx32() % 2 == 1 { !lit } else { lit }).collect();
                mixed.reverse();
                mixed
            }
        }
    }

    /// Encodes over `n` inputs into a new sink, and returns both.
    pub(super) fn encode<S: ClauseSink>(
        self,
        amo: &dyn AtMostOne,
        form: Form,
        n: u32,
        mut sink: S,
    ) -> (Vec<Lit>, S) {
        let xs = self.make(n, &mut sink);
        form.encode(amo, &xs, &mut sink);
        (xs, sink)
    }
}
