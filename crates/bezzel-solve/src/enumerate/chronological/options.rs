//! The options of the enumerator.

use crate::options::{OptionError, OptionValue, Options};

/// The values of the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChronologicalOptions {
    /// True if auxiliary variables are eliminated before the search.
    pub(super) eliminate: bool,
    /// True if variables that only occur together are taken as a number whose values are decided.
    pub(super) values: bool,
}

impl ChronologicalOptions {
    /// Reads the options of the enumerator with this id.
    ///
    /// # Errors
    ///
    /// An option is unknown or no flag.
    pub(super) fn read(id: &str, options: &Options) -> Result<Self, OptionError> {
        let mut parsed = Self { eliminate: true, values: true };
        for (name, &value) in options {
            let Some((_, field)) = parsed.fields().into_iter().find(|(known, _)| known == name)
            else {
                let known = parsed.fields().map(|(known, _)| known);
                return Err(OptionError::unknown(id, name, known));
            };
            *field = match value {
                OptionValue::Flag(flag) => flag,
                OptionValue::Integer(number @ (0 | 1)) => number == 1,
                _ => return Err(OptionError::value(id, name, value, "it is true or false")),
            };
        }
        Ok(parsed)
    }

    /// Returns the options with these values.
    pub(super) fn settings(mut self) -> Options {
        let flag = |(name, field): (&str, &mut bool)| (name.to_owned(), OptionValue::Flag(*field));
        self.fields().map(flag).into()
    }

    /// Returns each option with its name.
    fn fields(&mut self) -> [(&'static str, &mut bool); 2] {
        [("eliminate", &mut self.eliminate), ("values", &mut self.values)]
    }
}
