//! The answers of kinds for an instance.

use bezzel_problem::{FormRank, Instance};

/// True if the kind of an instance has forms.
pub(crate) fn has_form(instance: &Instance) -> bool {
    instance.reported().form().is_some()
}

/// The rank of the form of an instance.
pub fn rank(instance: &Instance) -> Option<FormRank> {
    instance.reported().form().map(|form| form.rank)
}
