//! From a name to an engine: one that is registered, a counter that is known, or one by its command
//! line.

use std::sync::Arc;

use bezzel_encode::UnknownId;
use thiserror::Error;

use super::counter::{self, Counter, PRESETS};
use super::{Engine, Engines};
use crate::permission::Permission;
use crate::solver_program::{Absence, Identity, Malformed};

/// Why there is no engine of a name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FindEngineError {
    /// Nothing bears the name.
    #[error(transparent)]
    Unknown(#[from] UnknownId),
    /// The name is to be a program, and is none.
    #[error(transparent)]
    Malformed(#[from] Malformed),
}

/// The engine of a name: one of the workbench, a counter that is known by an id, or a program by its
/// command line. [`absence`] tells if the program is not installed. A program runs only with the
/// workbench's permission.
///
/// # Errors
///
/// When there is none.
pub(crate) fn find(
    engines: &Engines,
    permission: &Permission,
    name: &str,
) -> Result<Arc<dyn Engine>, FindEngineError> {
    let unknown = match engines.find(name) {
        Ok(engine) => return Ok(engine),
        Err(unknown) => unknown,
    };
    if let Some(counter) = counter::find(name, permission)? {
        return Ok(counter);
    }
    let ids = engines.cards().into_iter().map(|card| card.id);
    let presets = PRESETS.iter().map(|preset| preset.id.to_owned());
    Err(UnknownId::new(unknown.kind, name, ids.chain(presets)).into())
}

/// Whether the name asks for a program.
pub fn needs_program(name: &str) -> bool {
    called(name).is_some()
}

/// Why the program of this name cannot be run, if it is one and is not installed.
pub fn absence(name: &str, permission: &Permission) -> Option<Absence> {
    called(name)?.permitting(permission).absence()
}

/// The command lines that this name starts: that of the program and that of its version.
pub(crate) fn lines_in(name: &str) -> Vec<String> {
    called(name).map_or_else(Vec::new, |counter| counter.lines())
}

/// Which program bears this name here, if it is one, is installed and may be started.
pub fn identity(name: &str, permission: &Permission) -> Option<Identity> {
    called(name)?.permitting(permission).identity()
}

/// Looks whether the program of this name is still the planned one.
///
/// # Errors
///
/// When it is another, or there no more; with what has changed, in words.
pub fn compare(name: &str, planned: &Identity, permission: &Permission) -> Result<(), String> {
    called(name).map_or(Ok(()), |counter| counter.permitting(permission).compare(planned))
}

fn called(name: &str) -> Option<Counter> {
    Counter::named(name).ok().flatten()
}
