//! The answers of kinds for an instance.

use bezzel_problem::{Drawing, FormRank, Instance, Solution};

/// The drawing of an instance, or of its solution.
pub(crate) fn drawing(instance: &Instance, solution: Option<&Solution>) -> Option<Drawing> {
    instance.reported().drawing(solution).or_else(|| instance.drawing(solution))
}

/// The rank of the form of an instance.
pub(crate) fn rank(instance: &Instance) -> Option<FormRank> {
    instance.reported().form().map(|form| form.rank)
}
