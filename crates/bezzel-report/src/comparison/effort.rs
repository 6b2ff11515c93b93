//! Effort, which is a matter of the formula, the options and the solver's version alone.

use bezzel_lab::Row;
use bezzel_solve::Effort;
use serde::Serialize;

use super::pair::Pair;
use super::{About, Fault};

/// Efforts that must be equal, and whether they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Efforts {
    /// Pairs of answered runs of the same clauses by the same version of a linked solver with one
    /// thread.
    pub compared: usize,
    /// Those with the same conflicts, decisions and propagations.
    pub equal: usize,
}

impl Efforts {
    /// Counts a pair, if its efforts must be equal; a fault, if they are not.
    pub(super) fn count(&mut self, pair: Pair<'_>, faults: &mut Vec<Fault>) {
        if !(pair.same_work() && pair.a.solved() && pair.b.solved()) {
            return;
        }
        let Some(equal) = equal(pair.a, pair.b) else { return };
        self.compared += 1;
        self.equal += usize::from(equal);
        if !equal {
            let what = format!(
                "{}: {} in A and {} in B, of the same clauses, version and options",
                pair.told(),
                told(&pair.a.effort),
                told(&pair.b.effort)
            );
            faults.push(Fault { about: About::Effort, what });
        }
    }
}

/// Whether two efforts are equal in all that both tell; nothing if there is nothing that both tell.
fn equal(a: &Row, b: &Row) -> Option<bool> {
    let told = |effort: &Effort| [effort.conflicts, effort.decisions, effort.propagations];
    let both: Vec<(u64, u64)> =
        told(&a.effort).into_iter().zip(told(&b.effort)).filter_map(|(a, b)| a.zip(b)).collect();
    (!both.is_empty()).then(|| both.iter().all(|(a, b)| a == b))
}

fn told(effort: &Effort) -> String {
    let parts = [
        (effort.conflicts, "conflicts"),
        (effort.decisions, "decisions"),
        (effort.propagations, "propagations"),
    ];
    let parts = parts.iter().filter_map(|(number, what)| Some(format!("{} {what}", (*number)?)));
    parts.collect::<Vec<_>>().join(", ")
}
