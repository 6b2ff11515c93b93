//! Instances of a table of runs that was imported: a family and a name, and no constraints.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::kind::{Kind, ReportedKind};
use crate::literal::Candidate;
use crate::problem::Problem;
use crate::solution::Solution;

/// An instance of which only the name and the family are known. It has no [problem](crate::Instance::has_problem).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Imported {
    /// The family, by which reports pool it.
    pub family: String,
    /// The name in its table.
    pub name: String,
}

impl fmt::Display for Imported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl Kind for Imported {
    const ID: &'static str = "imported";
    const TITLE: &'static str = "imported instance";
    const FAMILIES: &'static [&'static str] = &[];
    const SIZE: &'static str = "Instance";

    fn constraints(&self) -> Problem {
        Problem::new(0)
    }

    fn size(&self) -> u32 {
        0
    }

    fn label(&self, candidate: Candidate) -> String {
        candidate.to_string()
    }

    fn draw(&self, _: &Solution) -> String {
        String::new()
    }

    fn check(&self, _: &Solution) -> Result<(), String> {
        Err("the constraints of an imported instance are not known".into())
    }

    fn reported(&self) -> Option<&dyn ReportedKind> {
        Some(self)
    }
}

impl ReportedKind for Imported {
    fn family(&self) -> Option<String> {
        Some(self.family.clone())
    }
}
