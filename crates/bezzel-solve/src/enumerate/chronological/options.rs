//! What can be chosen.

use crate::options::{OptionError, OptionValue, Options};

/// What can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choices {
    /// Auxiliary variables are eliminated before the search.
    pub(super) eliminate: bool,
    /// Variables that only occur together are taken for a number, and its values decided.
    pub(super) values: bool,
}

impl Choices {
    /// Reads the options of the enumerator with this id.
    ///
    /// # Errors
    ///
    /// When an option is unknown or no flag.
    pub(super) fn read(id: &str, options: &Options) -> Result<Self, OptionError> {
        let mut choices = Self { eliminate: true, values: true };
        for (name, &value) in options {
            let Some((_, field)) = choices.fields().into_iter().find(|(known, _)| known == name)
            else {
                let known = choices.fields().map(|(known, _)| known);
                return Err(OptionError::unknown(id, name, known));
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
    pub(super) fn settings(mut self) -> Options {
        let flag = |(name, field): (&str, &mut bool)| (name.to_owned(), OptionValue::Flag(*field));
        self.fields().map(flag).into()
    }

    /// Each option by its name.
    fn fields(&mut self) -> [(&'static str, &mut bool); 2] {
        [("eliminate", &mut self.eliminate), ("values", &mut self.values)]
    }
}
