//! Given candidates in an enumeration.
//!
//! *Stated*, the default: a unit clause for each of their literals is part of the formula. *Assumed*, with the
//! option `assume`: the formula is that of the instance without them, and they are assumptions of each search, so
//! that a solver could search with other candidates afterwards. *Filtered*, with the option `filter`: all models of
//! the instance without them are found, one after the other, and those without the given candidates are skipped. Cao
//! uses this method ("we will compare each possible solution with the given partial position of queens"), and it takes
//! as long as on the instance without given candidates, for any given ones.

use crate::options::{OptionError, OptionValue, Options};

/// The treatment of given candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GivenCandidates {
    /// The formula contains them.
    #[default]
    Stated,
    /// They are assumptions.
    Assumed,
    /// Models without them are skipped.
    Filtered,
}

/// The id of blocking clauses with the default solver. The id of another solver follows after a colon.
pub(super) const BLOCKING: &str = "blocking";
const ASSUME: &str = "assume";
const FILTER: &str = "filter";

impl GivenCandidates {
    /// Returns the treatment by an engine of this id under these options. Unless it is [stated](Self::Stated), the
    /// formula must be written without given candidates.
    pub fn of(engine: &str, options: &Options) -> Self {
        let is_on = |name| matches!(options.get(name), Some(OptionValue::Flag(true)));
        match (is_on(ASSUME), is_on(FILTER)) {
            _ if !is_blocking(engine) => Self::Stated,
            (true, _) => Self::Assumed,
            (_, true) => Self::Filtered,
            _ => Self::Stated,
        }
    }

    /// Removes its option from `options`; `id` is the engine's.
    pub(super) fn take(id: &str, options: &mut Options) -> Result<Self, OptionError> {
        let assumes = flag(id, ASSUME, options)?;
        let filters = flag(id, FILTER, options)?;
        match (assumes, filters) {
            (true, true) => {
                let on = OptionValue::Flag(true);
                let reason = "given candidates are assumed or filtered, not both";
                Err(OptionError::value(id, FILTER, on, reason))
            }
            (true, false) => Ok(Self::Assumed),
            (false, true) => Ok(Self::Filtered),
            (false, false) => Ok(Self::Stated),
        }
    }

    /// Adds its option to those with which an engine runs. The default, stated candidates, is not recorded, so rows
    /// that are older than the option keep their keys.
    pub(super) fn record(self, settings: &mut Options) {
        let name = match self {
            Self::Stated => return,
            Self::Assumed => ASSUME,
            Self::Filtered => FILTER,
        };
        settings.insert(name.to_owned(), OptionValue::Flag(true));
    }
}

/// Removes a flag from the options and returns it; false if it is absent.
pub(super) fn flag(id: &str, name: &str, options: &mut Options) -> Result<bool, OptionError> {
    match options.remove(name) {
        None | Some(OptionValue::Flag(false) | OptionValue::Integer(0)) => Ok(false),
        Some(OptionValue::Flag(true) | OptionValue::Integer(1)) => Ok(true),
        Some(value) => Err(OptionError::value(id, name, value, "it is true or false")),
    }
}

/// True if an engine of this id finds models by blocking clauses.
fn is_blocking(id: &str) -> bool {
    id.strip_prefix(BLOCKING).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}
