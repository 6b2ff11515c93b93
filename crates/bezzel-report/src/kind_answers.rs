//! The answers of kinds for an instance.

use bezzel_problem::{Drawing, Instance, Solution};

use crate::queens_kind;
use crate::reported_kind::{FormRank, ReportedKind};

/// A kind that has the default answers.
struct DefaultKind;

impl ReportedKind for DefaultKind {}

/// The answers for an instance.
pub(crate) fn reported(instance: &Instance) -> &dyn ReportedKind {
    queens_kind::reported(instance).unwrap_or(&DefaultKind)
}

/// The drawing of an instance, or of its solution.
pub(crate) fn drawing(instance: &Instance, solution: Option<&Solution>) -> Option<Drawing> {
    reported(instance).drawing(solution).or_else(|| instance.drawing(solution))
}

/// The rank of the form of an instance.
pub(crate) fn rank(instance: &Instance) -> Option<FormRank> {
    reported(instance).form().map(|form| form.rank)
}
