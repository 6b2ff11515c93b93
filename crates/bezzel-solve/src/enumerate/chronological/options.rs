//! What can be chosen.

use crate::options::{OptionError, OptionValue, Options};

const ELIMINATE: &str = "eliminate";

/// What can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choices {
    /// Auxiliary variables are eliminated before the search.
    pub(super) eliminate: bool,
}

impl Choices {
    /// Reads the options of the enumerator with this id.
    ///
    /// # Errors
    ///
    /// When an option is unknown or no flag.
    pub(super) fn read(id: &str, options: &Options) -> Result<Self, OptionError> {
        let mut choices = Self { eliminate: true };
        for (name, &value) in options {
            let field = match name.as_str() {
                ELIMINATE => &mut choices.eliminate,
                _ => return Err(OptionError::unknown(id, name, [ELIMINATE])),
            };
            *field = match value {
                OptionValue::Flag(flag) => flag,
                OptionValue::Integer(number @ (0 | 1)) => number == 1,
                _ => return Err(OptionError::value(id, name, value, "it is true or false")),
            };
        }
        Ok(choices)
    }

    /// The options that make these choices.
    pub(super) fn settings(self) -> Options {
        Options::from([(ELIMINATE.to_owned(), OptionValue::Flag(self.eliminate))])
    }
}
