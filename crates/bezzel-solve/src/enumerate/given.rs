//! Given queens, and how an enumeration takes them.
//!
//! *Stated*, as everywhere: a unit clause for each of their literals is part of the formula. *Assumed*,
//! with the option `assume`: the formula is that of the board without them, and they are assumptions of
//! each search, so that a solver could be asked for other queens afterwards. *Filtered*, with the option
//! `filter`: the models of the board without them are found all, one after the other, and those without
//! the given queens are passed over. So Cao does it ("we will compare each possible solution with the
//! given partial position of queens"), and it takes as long as the empty board, whatever is given.

use crate::options::{OptionError, OptionValue, Options};

/// How given queens are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Given {
    /// The formula says them.
    #[default]
    Stated,
    /// They are assumptions.
    Assumed,
    /// Models without them are passed over.
    Filtered,
}

/// The id of blocking clauses with the default solver; another solver follows after a colon.
pub(super) const BLOCKING: &str = "blocking";
const ASSUME: &str = "assume";
const FILTER: &str = "filter";

impl Given {
    /// How an engine of this id takes them under these options. Where it is not
    /// [stated](Self::Stated), the formula is to be written without them.
    pub fn of(engine: &str, options: &Options) -> Self {
        let is_on = |name| matches!(options.get(name), Some(OptionValue::Flag(true)));
        match (is_on(ASSUME), is_on(FILTER)) {
            _ if !is_blocking(engine) => Self::Stated,
            (true, _) => Self::Assumed,
            (_, true) => Self::Filtered,
            _ => Self::Stated,
        }
    }

    /// Takes its options out of all; `id` is the engine's.
    pub(super) fn take(id: &str, options: &mut Options) -> Result<Self, OptionError> {
        let assumes = flag(id, ASSUME, options)?;
        let filters = flag(id, FILTER, options)?;
        match (assumes, filters) {
            (true, true) => {
                let on = OptionValue::Flag(true);
                let reason = "given queens are assumed or filtered, not both";
                Err(OptionError::value(id, FILTER, on, reason))
            }
            (true, false) => Ok(Self::Assumed),
            (false, true) => Ok(Self::Filtered),
            (false, false) => Ok(Self::Stated),
        }
    }

    /// Puts its option among those with which an engine runs. What the formula says is the default and
    /// goes without: rows from before there was a choice keep their keys.
    pub(super) fn record(self, settings: &mut Options) {
        let name = match self {
            Self::Stated => return,
            Self::Assumed => ASSUME,
            Self::Filtered => FILTER,
        };
        settings.insert(name.to_owned(), OptionValue::Flag(true));
    }
}

/// Takes a switch out of the options; off, if it is not there.
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
