//! Effort, which depends only on the formula, the options and the solver's version.

use bezzel_experiment::Row;
use bezzel_solve::Effort;
use serde::Serialize;

use super::pair::RowPair;
use super::{ComparisonFault, FaultSubject};

/// The numbers of efforts that must be equal, and that are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Efforts {
    /// Pairs of answered runs of the same clauses by the same version of a linked solver with one
    /// thread.
    pub compared: usize,
    /// The number of these pairs with equal conflicts, decisions and propagations.
    pub equal: usize,
}

impl Efforts {
    /// Counts a pair if its efforts must be equal. If they are not, adds a fault.
    pub(super) fn count(&mut self, pair: RowPair<'_>, faults: &mut Vec<ComparisonFault>) {
        if !(pair.same_work() && pair.a.solved() && pair.b.solved()) {
            return;
        }
        let Some(equal) = equal(pair.a, pair.b) else { return };
        self.compared += 1;
        self.equal += usize::from(equal);
        if !equal {
            let what = format!(
                "{}: {} in A and {} in B, of the same clauses, version and options",
                pair.describe(),
                describe(&pair.a.solver_stats),
                describe(&pair.b.solver_stats)
            );
            faults.push(ComparisonFault { about: FaultSubject::Effort, what });
        }
    }
}

/// True if two efforts are equal in all numbers that both have. None if they have none in common.
fn equal(a: &Row, b: &Row) -> Option<bool> {
    let counts = |effort: &Effort| [effort.conflicts, effort.decisions, effort.propagations];
    let both: Vec<(u64, u64)> = counts(&a.solver_stats)
        .into_iter()
        .zip(counts(&b.solver_stats))
        .filter_map(|(a, b)| a.zip(b))
        .collect();
    (!both.is_empty()).then(|| both.iter().all(|(a, b)| a == b))
}

fn describe(effort: &Effort) -> String {
    let parts = [
        (effort.conflicts, "conflicts"),
        (effort.decisions, "decisions"),
        (effort.propagations, "propagations"),
    ];
    let parts = parts.iter().filter_map(|(number, what)| Some(format!("{} {what}", (*number)?)));
    parts.collect::<Vec<_>>().join(", ")
}
