//! Blocked squares: left to the solver, or left out of their lines.

use bezzel_problem::named;
use serde::{Deserialize, Serialize};

named! {
    /// The treatment of blocked squares. The solver keeps them empty by unit clauses, or the encoder leaves them out.
    ///
    /// In both cases their variables stay, each with its unit clause, so layouts and placements are the same. Unless
    /// auxiliary variables are free, the numbers of models are the same too.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Blocked: "treatment of blocked squares" {
        /// Lines are encoded whole, and each blocked square gets a unit clause.
        #[default]
        Units = "units",
        /// Lines are encoded over their free squares only. A row without one gives the empty clause.
        Simplified = "simplified",
    }
}

impl Blocked {
    /// The squares that lines are encoded over, in words that follow the constraints.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::Units => "",
            Self::Simplified => "; over free squares only",
        }
    }
}
