//! Sizes of formulas, which are exact.

use std::collections::HashMap;

use bezzel_encode::Size;
use bezzel_lab::FormulaSize;
use bezzel_problem::Instance;
use indexmap::IndexMap;
use serde::Serialize;

use super::pair::Pair;
use super::{About, Fault};

/// The formulas of an encoding, each board once for every pair of revisions.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Sizes {
    /// The encoding's label.
    pub encoding: String,
    /// The formulas that both have measured.
    pub formulas: usize,
    /// Those of another size.
    pub resized: Vec<Resized>,
    /// Clause streams of which both have a digest.
    pub digests: usize,
    /// Those with another digest: other clauses, or in another order.
    pub other_digests: usize,
}

/// A formula that has another size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Resized {
    /// The board.
    pub board: String,
    /// In A: variables, clauses, literals.
    pub a: [u64; 3],
    /// In B.
    pub b: [u64; 3],
}

/// Compares sizes and digests; what differs under the same revision is a fault.
pub(super) fn of(pairs: &[Pair<'_>], faults: &mut Vec<Fault>) -> Vec<Sizes> {
    let mut all: IndexMap<String, Sizes> = IndexMap::new();
    let mut seen: HashMap<(usize, &Instance, u32, u32), bool> = HashMap::new();
    for pair in pairs {
        let formulas = pair.a.formula.as_ref().zip(pair.b.formula.as_ref());
        let digests = pair.a.clause_digest.as_ref().zip(pair.b.clause_digest.as_ref());
        if formulas.is_none() && digests.is_none() {
            continue;
        }
        let encoding = pair.a.job.encoding_label();
        let entry = all.entry(encoding.clone());
        let place = entry.index();
        let sizes = entry.or_insert_with(|| Sizes { encoding, ..Sizes::default() });
        let mut is_told = false;
        if let Some((a, b)) = formulas {
            let revisions = (pair.a.encoding_revision, pair.b.encoding_revision);
            let formula = (place, &pair.a.job.instance, revisions.0, revisions.1);
            is_told = *seen.entry(formula).or_insert_with(|| {
                sizes.formulas += 1;
                let differs = a.size() != b.size();
                if differs {
                    let board = pair.a.job.instance.to_string();
                    sizes.resized.push(Resized { board, a: three(a), b: three(b) });
                    if pair.same_revision() {
                        let what = format!(
                            "{}: the formula has {} in A and {} in B, under the same revision",
                            pair.told(),
                            told(a.size()),
                            told(b.size())
                        );
                        faults.push(Fault { about: About::Clauses, what });
                    }
                }
                differs
            });
        }
        if let Some((a, b)) = digests {
            sizes.digests += 1;
            sizes.other_digests += usize::from(a != b);
            if a != b && pair.same_revision() && !is_told {
                let what =
                    format!("{}: the clauses are others, under the same revision", pair.told());
                faults.push(Fault { about: About::Clauses, what });
            }
        }
    }
    all.into_values().collect()
}

fn three(formula: &FormulaSize) -> [u64; 3] {
    [formula.variables, formula.clauses, formula.literals]
}

fn told(size: Size) -> String {
    let Size { variables, clauses, literals } = size;
    format!("{variables} variables, {clauses} clauses and {literals} literals")
}
