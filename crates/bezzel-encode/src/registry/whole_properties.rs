//! The properties of encodings of whole problems, as a kind of problem has them.

use bezzel_problem::Problem;

use super::NamedEncoding;
use crate::constraints::Unsupported;
use crate::encoding::Encoding;
use crate::violation::PropertyViolation;

/// The properties of encodings of whole problems, tried on instances of the implementor's choice.
pub trait WholeProperties: Send + Sync {
    /// The problems of the instances.
    fn problems(&self) -> Vec<Problem>;

    /// Refuses an encoding that takes none of the instances.
    ///
    /// # Errors
    ///
    /// The reason why it does not take the first one.
    fn fits_some(&self, encoding: &dyn Encoding) -> Result<(), Unsupported> {
        let mut first = None;
        for problem in self.problems() {
            match encoding.fits(&problem) {
                Ok(()) => return Ok(()),
                Err(unsupported) => first = first.or(Some(unsupported)),
            }
        }
        first.map_or(Ok(()), Err)
    }

    /// The first violation of each property. None of the properties that assume well-formed clauses and a right layout
    /// is tried without them.
    fn violations(&self, encoding: &dyn Encoding) -> Vec<PropertyViolation>;

    /// The computed verdicts in a line, for an encoding that declares bounds alone; true if no wrong solution was found.
    fn verdicts(&self, found: &NamedEncoding) -> (String, bool);
}
