//! What an experiment sets beside the encoding.

use serde::{Deserialize, Serialize};

use crate::constraints::Constraints;

/// What an experiment sets beside the encoding: everything at its default is what the encoding's
/// source says.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Settings {
    /// Which of the redundant constraints are stated; without a say where the encoding has its own
    /// set.
    pub constraints: Constraints,
}

impl From<Constraints> for Settings {
    fn from(constraints: Constraints) -> Self {
        Self { constraints }
    }
}
