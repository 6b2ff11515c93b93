//! The decision-diagram at-most-one: the constraint's BDD, one variable for each node.
//!
//! *Idea.* The inputs are read in order. Before each, either none has held or one has: a node for each. The node's
//! variable means that the remaining inputs keep the constraint.
//!
//! *The diagram.* Nodes vᵢ (none has held before xᵢ) for 1 ≤ i < n, and wᵢ (one has) for 1 < i ≤ n. From
//! vᵢ a true xᵢ leads to wᵢ₊₁ and a false one to vᵢ₊₁; from wᵢ a true xᵢ leads to ⊥ and a false one to
//! wᵢ₊₁. vₙ and wₙ₊₁ are ⊤.
//!
//! *Clauses* of a node v that decides by x and leads to t if x is true and to f if not. Constants are removed, and
//! clauses with a true literal are dropped:
//!
//! - `bdd:monotone`: v → f, v ∧ x → t. The constraint is monotone: if it holds with a true x, it holds with a false
//!   one, so going to f is always allowed.
//! - `bdd:ite`: x ∧ t → v, x ∧ ¬t → ¬v, ¬x ∧ f → v, ¬x ∧ ¬f → ¬v.
//! - `bdd:ite+redundant`: in addition, t ∧ f → v and ¬t ∧ ¬f → ¬v.
//!
//! Each with the unit clause v₁.
//!
//! *Size for n ≥ 2 inputs.* 2n − 2 auxiliary variables, and nothing for fewer inputs.
//!
//! | id | clauses | literals |
//! |---|---|---|
//! | `bdd:monotone` | 4n − 5 | 9n − 12 |
//! | `bdd:ite` | 7n − 8 | 20n − 27 |
//! | `bdd:ite+redundant` | 10n − 13 | 28n − 41 |
//!
//! *At most k, 1 ≤ k < n.* Nodes (c, i) for 0 ≤ c ≤ k and c < i ≤ n − k + c: c of the inputs before xᵢ hold. A true xᵢ
//! leads to (c + 1, i + 1), or to ⊥ if c = k; a false one to (c, i + 1), or to ⊤ after the last. Of these (k + 1)m
//! nodes, m = n − k, `bdd:monotone` has (k + 1)(2m − 1) + 1 clauses of 2(k + 1)(m − 1) + (3k + 2)m + 1 literals, and
//! `bdd:ite` has k(4m − 1) + 3m clauses of k(12m − 4) + 8m − 3 literals. The redundant clauses are k(2m − 1) + m − 1
//! more, of k(6m − 4) + 2m − 2 literals.
//!
//! *Propagation.* `bdd:monotone` and `bdd:ite+redundant`: complete. `bdd:ite`: weak, since a node with two false
//! children is not found to be false before its own input is known. Of three inputs, x₃ does not exclude x₁ and x₂; of
//! four, not even x₃ and x₄ together are refuted without search.
//!
//! *Models.* `bdd:monotone`: free, n inputs alone have 2n models; where an input is stated to hold,
//! the nodes are determined. `bdd:ite` and `bdd:ite+redundant`: determined.
//!
//! *Source.* Monotone: I. Abío, R. Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell, V. Mayer-Eichberger,
//! "A New Look at BDDs for Pseudo-Boolean Constraints", JAIR 45 (2012), 443–480. The others: N. Eén,
//! N. Sörensson, "Translating Pseudo-Boolean Constraints into SAT", JSAT 2 (2006), 1–26, the
//! translation of BDDs, which adds the two redundant clauses for the sake of propagation.
//!
//! *Departures.* Constants are removed from the clauses. The redundant clause of a node wᵢ is then ¬f → ¬wᵢ, and ¬xᵢ ∧
//! ¬f → ¬wᵢ is still stated.

use std::ops::Not;
use std::sync::Arc;

use rustsat::types::Lit;

use self::BddValue::{Constant, Is};
use super::AtMostOne;
use crate::bound::AtMostK;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::{ClauseSink, VarRange};
use crate::size::Size;

/// The clauses of a node. See the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bdd {
    /// Two clauses, from the node down.
    Monotone,
    /// The four clauses of if-then-else.
    Ite,
    /// These and two that follow from them by search only.
    IteRedundant,
}

/// A term of a clause: a literal or a constant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BddValue {
    Constant(bool),
    Is(Lit),
}

impl Not for BddValue {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(!value),
            Self::Is(lit) => Self::Is(!lit),
        }
    }
}

/// Every variant.
pub(crate) fn all() -> Vec<Arc<dyn AtMostOne>> {
    [Bdd::Monotone, Bdd::Ite, Bdd::IteRedundant].map(|bdd| Arc::new(bdd) as _).into()
}

impl AtMostOne for Bdd {
    fn info(&self) -> EncodingInfo {
        let (id, title) = match self {
            Self::Monotone => ("bdd:monotone", "BDD, monotone clauses"),
            Self::Ite => ("bdd:ite", "BDD, if-then-else clauses"),
            Self::IteRedundant => ("bdd:ite+redundant", "BDD, if-then-else and redundant clauses"),
        };
        EncodingInfo {
            id: id.into(),
            title: title.into(),
            idea: "The binary decision diagram of the constraint. The variable of a node means \
                   that the remaining literals satisfy the constraint from this node on."
                .into(),
            citation: if *self == Self::Monotone {
                "Abío, Nieuwenhuis, Oliveras, Rodríguez-Carbonell, Mayer-Eichberger, JAIR 2012"
            } else {
                "Eén, Sörensson, JSAT 2006, translation of BDDs"
            }
            .into(),
            propagation: match self {
                Self::Ite => Propagation::Weak,
                Self::Monotone | Self::IteRedundant => Propagation::Complete,
            },
            auxiliaries: match self {
                Self::Monotone => Auxiliaries::Free,
                Self::Ite | Self::IteRedundant => Auxiliaries::Defined,
            },
            ..EncodingInfo::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        let n = u128::from(n);
        if n < 2 {
            return Some(Size::default());
        }
        let (clauses, literals) = match self {
            Self::Monotone => (4 * n - 5, 9 * n - 12),
            Self::Ite => (7 * n - 8, 20 * n - 27),
            Self::IteRedundant => (10 * n - 13, 28 * n - 41),
        };
        Some(Size::new(2 * n - 2, clauses, literals))
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        if xs.len() > 1 {
            self.at_most(xs, 1, out);
        }
    }

    fn of_bounds(&self) -> Option<&dyn AtMostK> {
        Some(self)
    }
}

impl AtMostK for Bdd {
    fn about(&self) -> EncodingInfo {
        let clauses = match self {
            Self::Monotone => "state the implications from a node to its children",
            Self::Ite => "define a node by its literal and children",
            Self::IteRedundant => "define a node by its literal and children; some are redundant",
        };
        EncodingInfo {
            idea: format!(
                "The binary decision diagram of the constraint has a variable for each node. The \
                 variable means that the literal of the node and those below it satisfy the \
                 constraint that remains at the node. Clauses {clauses}."
            ),
            ..self.info()
        }
    }

    fn at_most_size(&self, n: u64, k: u64) -> Option<Size> {
        let (k, m) = (u128::from(k), u128::from(n - k));
        let (clauses, literals) = match self {
            Self::Monotone => {
                ((k + 1) * (2 * m - 1) + 1, 2 * (k + 1) * (m - 1) + (3 * k + 2) * m + 1)
            }
            Self::Ite => (k * (4 * m - 1) + 3 * m, k * (12 * m - 4) + 8 * m - 3),
            Self::IteRedundant => (k * (6 * m - 2) + 4 * m - 1, k * (18 * m - 8) + 10 * m - 5),
        };
        Some(Size::new((k + 1) * m, clauses, literals))
    }

    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        let k = k as usize;
        let length = (xs.len() - k) as u32;
        // From 0: rows[c].lit(i) is the node that decides by xs[c + i].
        let rows: Vec<VarRange> = (0..=k).map(|_| out.fresh(length)).collect();
        let node = |row: usize, index| match rows.get(row) {
            None => Constant(false),
            Some(nodes) if index < nodes.len() => Is(nodes.lit(index)),
            Some(_) => Constant(true),
        };
        // (0, 1)
        out.clause(&[rows[0].lit(0)]);
        for (row, nodes) in rows.iter().enumerate() {
            for (index, &x) in (0..length).zip(&xs[row..]) {
                let (t, f) = (node(row + 1, index), node(row, index + 1));
                self.node(Is(nodes.lit(index)), Is(x), t, f, out);
            }
        }
    }
}

impl Bdd {
    /// The clauses of the node `v` that decides by `x`, and leads to `t` if it holds and to `f` if not.
    pub(crate) fn node(
        self,
        v: BddValue,
        x: BddValue,
        t: BddValue,
        f: BddValue,
        out: &mut dyn ClauseSink,
    ) {
        if self == Self::Monotone {
            // v → f
            clause(&[!v, f], out);
            // v ∧ x → t
            clause(&[!v, !x, t], out);
            return;
        }
        // x ∧ t → v, x ∧ ¬t → ¬v
        clause(&[!x, !t, v], out);
        clause(&[!x, t, !v], out);
        // ¬x ∧ f → v, ¬x ∧ ¬f → ¬v
        clause(&[x, !f, v], out);
        clause(&[x, f, !v], out);
        if self == Self::IteRedundant {
            // t ∧ f → v, ¬t ∧ ¬f → ¬v
            clause(&[!t, !f, v], out);
            clause(&[t, f, !v], out);
        }
    }
}

/// Writes the clause of up to three values, unless a constant satisfies it.
pub(crate) fn clause(values: &[BddValue], out: &mut dyn ClauseSink) {
    let mut lits = [Lit::positive(0); 3];
    let mut length = 0;
    for &value in values {
        match value {
            Constant(true) => return,
            Constant(false) => {}
            Is(lit) => {
                lits[length] = lit;
                length += 1;
            }
        }
    }
    out.clause(&lits[..length]);
}
