//! The constraints of a file as they are written.

use super::error::FileError;
use crate::literal::{Candidate, Literal};
use crate::position::Position;

/// The most variables of a file: candidates are below 2³¹.
pub(super) const MAX_VARIABLES: u64 = (1 << 31) - 1;

/// The forms of constraint files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// `p cnf`, with groups in comments.
    Cnf,
    /// `p knf`.
    Knf,
    /// `p cnf+`.
    CnfPlus,
    /// The form of the pseudo-Boolean competitions.
    Opb,
}

impl Format {
    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cnf => "CNF",
            Self::Knf => "KNF",
            Self::CnfPlus => "CNF+",
            Self::Opb => "OPB",
        }
    }
}

/// The relation of the sum on the left of a constraint to the number on its right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    AtLeast,
    AtMost,
    Equal,
}

/// A literal and its weight.
pub(super) type Term = (Literal, i64);

/// A constraint as it is written.
pub(super) struct ParsedConstraint {
    pub(super) terms: Vec<Term>,
    pub(super) relation: Relation,
    pub(super) bound: i64,
    pub(super) position: Position,
}

impl ParsedConstraint {
    /// A constraint without terms.
    pub(super) fn empty() -> Self {
        let position = Position { line: 1, column: 1 };
        Self { terms: Vec::new(), relation: Relation::AtLeast, bound: 1, position }
    }
}

/// Takes each constraint of a file in its turn. The terms may be changed; they are cleared afterwards.
pub(super) type ConstraintVisitor<'a> =
    &'a mut dyn FnMut(&mut ParsedConstraint) -> Result<(), FileError>;

/// The literal of a variable, counted from 1, that is not above `max`, the number of variables of the header if
/// there is one.
pub(super) fn literal(variable: u64, negated: bool, max: Option<u32>) -> Result<Literal, String> {
    let limit = max.map_or(MAX_VARIABLES, u64::from);
    if variable <= limit {
        return Ok(Literal::new((variable - 1) as Candidate, negated));
    }
    Err(match max {
        Some(max) => format!(
            "variable {variable} is above {max}, the number of variables in the header: \
             correct the header or the variable"
        ),
        None => format!("variable {variable} is too large: a file has at most {MAX_VARIABLES}"),
    })
}

/// Refuses a number of constraints that is not the header's.
pub(super) fn check_count(promised: u64, found: u64, position: Position) -> Result<(), FileError> {
    if promised == found {
        return Ok(());
    }
    let message = format!(
        "the header states {promised} constraints, and the file has {found}: write {found} here \
         if the file is whole"
    );
    Err(FileError::at(position, message))
}
