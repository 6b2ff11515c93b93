//! Sizes of formulas, which are exact.

use std::collections::HashMap;

use bezzel_encode::Size;
use bezzel_experiment::FormulaSize;
use bezzel_problem::Instance;
use indexmap::IndexMap;
use serde::Serialize;

use super::pair::RowPair;
use super::{ComparisonFault, FaultSubject};

/// The formulas of an encoding, each board once for every pair of revisions.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Sizes {
    /// The encoding's label.
    pub encoding: String,
    /// The number of formulas that both have measured.
    pub formulas: usize,
    /// The formulas of another size.
    pub resized: Vec<Resized>,
    /// The number of clause streams of which both have a digest.
    pub digests: usize,
    /// The number of these with another digest: other clauses, or another order.
    pub other_digests: usize,
}

/// A formula that has another size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Resized {
    /// The board.
    pub board: String,
    /// The size in A: variables, clauses, literals.
    pub a: [u64; 3],
    /// The size in B.
    pub b: [u64; 3],
}

/// Compares sizes and digests. Differences under the same revision are faults.
pub(super) fn of(pairs: &[RowPair<'_>], faults: &mut Vec<ComparisonFault>) -> Vec<Sizes> {
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
        let mut is_reported = false;
        if let Some((a, b)) = formulas {
            let revisions = (pair.a.encoding_revision, pair.b.encoding_revision);
            let formula = (place, &pair.a.job.instance, revisions.0, revisions.1);
            is_reported = *seen.entry(formula).or_insert_with(|| {
                sizes.formulas += 1;
                let differs = a.size() != b.size();
                if differs {
                    let board = pair.a.job.instance.to_string();
                    sizes.resized.push(Resized { board, a: size_numbers(a), b: size_numbers(b) });
                    if pair.same_revision() {
                        let what = format!(
                            "{}: the formula has {} in A and {} in B, under the same revision",
                            pair.describe(),
                            describe(a.size()),
                            describe(b.size())
                        );
                        faults.push(ComparisonFault { about: FaultSubject::Clauses, what });
                    }
                }
                differs
            });
        }
        if let Some((a, b)) = digests {
            sizes.digests += 1;
            sizes.other_digests += usize::from(a != b);
            if a != b && pair.same_revision() && !is_reported {
                let what =
                    format!("{}: the clauses are others, under the same revision", pair.describe());
                faults.push(ComparisonFault { about: FaultSubject::Clauses, what });
            }
        }
    }
    all.into_values().collect()
}

fn size_numbers(formula: &FormulaSize) -> [u64; 3] {
    [formula.variables, formula.clauses, formula.literals]
}

fn describe(size: Size) -> String {
    let Size { variables, clauses, literals } = size;
    format!("{variables} variables, {clauses} clauses and {literals} literals")
}
