//! Programs that solve: any command line that reads DIMACS and answers as solvers do in
//! competitions, or as MiniSat does.
//!
//! `{command: "kissat --seed={seed} {cnf}"}` is a solver wherever an id is, and so are the ids of
//! [`PRESETS`]. Everybody who needs a solver by a name comes through [`Workbench::solver`](crate::workbench::Workbench::solver): a solver that is
//! linked, a preset, or a map.
//!
//! Nothing that such a program says is believed before it was read strictly, and then it
//! is an answer as that of any solver, which the judge holds against the rules.

use std::sync::Arc;

use bezzel_encode::UnknownId;
use bezzel_solve::{
    OptionError, OptionValue, Options, ProofFormat, Session, Solver, SolverCard, Solvers, Terms,
};
use thiserror::Error;

use crate::permission::Permission;

mod answer;
mod ending;
mod identity;
mod invocation;
mod preset;
mod run;
mod scratch;
mod session;
mod statistics;
mod template;
#[cfg(test)]
mod tests;

pub use identity::{Absence, Identity, NOT_INSTALLED, UNASKED};
pub use invocation::{ANSWERS, Invocation, KEYS, Malformed, PROOFS};
pub use preset::{PRESETS, Preset};
pub use scratch::give_up;
pub use template::Placeholder;

pub(crate) use ending::code as ending;
pub(crate) use invocation::{line, spelled};
pub(crate) use run::{Run, without};
pub(crate) use scratch::Scratch;
pub use statistics::take as take_statistics;

use session::ProgramSession;
use template::Place;

/// The option that goes to the place `{seed}`.
const SEED: &str = "seed";

/// Why there is no solver of a name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FindSolverError {
    /// Nothing bears the name.
    #[error(transparent)]
    Unknown(#[from] UnknownId),
    /// The name is to be a program, and is none.
    #[error(transparent)]
    Malformed(#[from] Malformed),
}

/// The solver of a name: one of the workbench, a preset, or a program by its command line. [`absence`]
/// tells if the program is not installed. A program runs only with the workbench's permission.
///
/// # Errors
///
/// When there is none.
pub(crate) fn find(
    solvers: &Solvers,
    permission: &Permission,
    name: &str,
) -> Result<Arc<dyn Solver>, FindSolverError> {
    let unknown = match solvers.find(name) {
        Ok(solver) => return Ok(solver),
        Err(unknown) => unknown,
    };
    if let Some(program) = SolverProgram::named(name)? {
        return Ok(Arc::new(SolverProgram { permission: permission.clone(), ..program }));
    }
    let ids = solvers.cards().into_iter().map(|card| card.id);
    let presets = PRESETS.iter().map(|preset| preset.id.to_owned());
    Err(UnknownId::new(unknown.kind, name, ids.chain(presets)).into())
}

/// The solver that a call describes. It is not started.
pub fn of_call(call: Invocation) -> Arc<dyn Solver> {
    Arc::new(SolverProgram { preset: None, call, permission: Permission::none() })
}

/// Whether the name asks for a program.
pub fn needs_program(name: &str) -> bool {
    called(name).is_some()
}

/// Why the program of this name cannot be run, if it is one and is not installed.
pub fn absence(name: &str) -> Option<Absence> {
    absence_of(&called(name)?)
}

/// The command lines that this name starts: that of the program and that of its version.
pub(crate) fn lines_in(name: &str) -> Vec<String> {
    called(name).map_or_else(Vec::new, |call| call.lines())
}

/// Which program bears this name here, if it is one, is installed and may be started: as it was when
/// this process first asked.
pub fn identity(name: &str, permission: &Permission) -> Option<Identity> {
    identity_of(&called(name)?, permission)
}

/// Looks whether the program of this name is still the planned one.
///
/// # Errors
///
/// When it is another, or there no more; with what has changed, in words.
pub fn compare(name: &str, planned: &Identity, permission: &Permission) -> Result<(), String> {
    called(name).map_or(Ok(()), |call| compare_call(&call, planned, permission))
}

/// Why the program of this call cannot be run, if it is not installed.
pub(crate) fn absence_of(call: &Invocation) -> Option<Absence> {
    identity::absence(call)
}

/// Which program this call runs here, if it is installed and may be started.
pub(crate) fn identity_of(call: &Invocation, permission: &Permission) -> Option<Identity> {
    identity::identity(call, permission)?.as_ref().as_ref().ok().cloned()
}

/// The version of the program of this call.
pub(crate) fn version_of(call: &Invocation, permission: &Permission) -> String {
    if identity::absence(call).is_some() {
        return NOT_INSTALLED.to_owned();
    }
    identity_of(call, permission).map_or_else(|| UNASKED.to_owned(), |identity| identity.version)
}

/// As [`compare`], for a call.
pub(crate) fn compare_call(
    call: &Invocation,
    planned: &Identity,
    permission: &Permission,
) -> Result<(), String> {
    identity::is_still(call, planned, permission)
}

/// How the program of this name is called, if it is one.
pub fn called(name: &str) -> Option<Invocation> {
    SolverProgram::named(name).ok().flatten().map(|program| program.call)
}

/// A solver that is a program.
struct SolverProgram {
    preset: Option<&'static Preset>,
    call: Invocation,
    permission: Permission,
}

impl SolverProgram {
    fn named(name: &str) -> Result<Option<Self>, Malformed> {
        if name.trim_start().starts_with('{') {
            let (call, permission) = (Invocation::parse(name)?, Permission::none());
            return Ok(Some(Self { preset: None, call, permission }));
        }
        let preset = PRESETS.iter().find(|preset| preset.id == name);
        let program = preset.map(|preset| {
            let call = Invocation::new(preset.command, preset.version, preset.proof);
            let permission = Permission::none();
            call.map(|call| Self { preset: Some(preset), call, permission })
        });
        program.transpose()
    }

    /// The seed among these settings.
    fn seed(settings: &Options) -> Option<i64> {
        match settings.get(SEED) {
            Some(OptionValue::Integer(seed)) => Some(*seed),
            _ => None,
        }
    }
}

impl Solver for SolverProgram {
    fn card(&self) -> SolverCard {
        let version = version_of(&self.call, &self.permission);
        SolverCard {
            id: self.name(),
            title: self.preset.map_or("a program", |preset| preset.title).to_owned(),
            version,
            citation: self.preset.map_or_else(
                || format!("the program `{}`", self.call.command),
                |preset| preset.citation.to_owned(),
            ),
        }
    }

    fn name(&self) -> String {
        self.preset.map_or_else(|| self.call.to_string(), |preset| preset.id.to_owned())
    }

    fn proof_format(&self) -> Option<ProofFormat> {
        self.call.proof
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        let place = self.call.template.place(Placeholder::Seed);
        let least = self.preset.map_or(0, |preset| preset.least_seed);
        let mut settings = Options::new();
        for (name, &value) in options {
            if name != SEED || place.is_none() {
                let known: &[&str] = if place.is_some() { &[SEED] } else { &[] };
                let near = UnknownId::new("option", name, known).near;
                return Err(OptionError::Unknown {
                    solver: self.name(),
                    option: name.clone(),
                    near,
                });
            }
            match value {
                OptionValue::Integer(seed) if seed >= least => settings.insert(name.clone(), value),
                _ => {
                    return Err(OptionError::Value {
                        solver: self.name(),
                        option: name.clone(),
                        value: value.to_string(),
                        reason: format!("it is a whole number from {least}"),
                    });
                }
            };
        }
        if place == Some(Place::Needed) {
            settings.entry(SEED.to_owned()).or_insert(OptionValue::Integer(0));
        }
        Ok(settings)
    }

    fn open(&self, options: &Options, terms: &Terms) -> Result<Box<dyn Session>, OptionError> {
        let settings = self.settings(options)?;
        let seed = Self::seed(&settings);
        let permission = self.permission.clone();
        Ok(Box::new(ProgramSession::new(self.call.clone(), permission, seed, terms)))
    }
}
