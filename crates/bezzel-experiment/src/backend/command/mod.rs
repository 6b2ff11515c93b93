//! Programs as backends: a command line that reads a formula in DIMACS and prints its answer.
//!
//! `{command: "kissat --seed={seed} {cnf}"}` can replace the id of a solver. The program answers as solvers do in
//! competitions, or as MiniSat does. `{counter: "ganak {cnf}"}` can replace the id of an engine. The program reads a
//! file of the Model Counting Competition and prints an exact count. Both have the same places in their command
//! lines. [`PRESETS`] has ids of both kinds.
//!
//! The output of a program is read strictly. Its answer is judged as the answer of any backend.

use std::collections::{HashMap, HashSet};

use bezzel_solve::{
    BackendInfo, OptionError, OptionValue, Options, ProofFormat, Session, SessionOptions,
};

use super::{
    Backend, BackendError, BackendResult, Capabilities, Conditions, Observer, QueryInput,
    refuse_others,
};
use crate::model::job::{BackendKind, Job};
use crate::model::permission::Permission;

mod answer;
mod identity;
mod invocation;
mod preset;
mod run;
mod session;
mod template;
#[cfg(test)]
mod tests;
mod veripb;

pub use identity::{MissingProgram, NOT_INSTALLED, NOT_STARTED, ProgramIdentity};
pub use invocation::{Invocation, MalformedCommand, keys};
pub use preset::{DRAT_TRIM, PRESETS, Preset};
pub use session::LratProof;
pub(crate) use veripb::check_by_veripb;
pub use veripb::veripb_absence;

use session::ProgramSession;
use template::{Placeholder, PlaceholderRequirement};

/// The option whose value is put at the place `{seed}`.
const SEED: &str = "seed";

/// A solver or a counter that is a program. It is not started before a job needs it.
#[derive(Clone, Debug)]
pub struct CommandBackend {
    preset: Option<&'static Preset>,
    call: Invocation,
}

impl CommandBackend {
    /// The program that a text in curly brackets describes.
    ///
    /// # Errors
    ///
    /// When it describes no program of this kind.
    pub fn parse(kind: BackendKind, text: &str) -> Result<Self, MalformedCommand> {
        Invocation::parse(kind, text).map(Self::from)
    }

    /// The program of a preset.
    pub(super) fn preset(preset: &'static Preset) -> Self {
        let Preset { kind, command, version, proof, .. } = *preset;
        let converter = (proof == Some(ProofFormat::Drat)).then_some(DRAT_TRIM);
        let call = Invocation::new(kind, command, version, proof)
            .and_then(|call| call.with_converter(converter));
        Self {
            preset: Some(preset),
            call: call.expect("a preset is well-formed, as a test checks"),
        }
    }

    /// Returns the program of a name of either kind, if the name is that of a program.
    pub fn named(name: &str) -> Option<Self> {
        if name.trim_start().starts_with('{') {
            let kinds = [BackendKind::Solver, BackendKind::Engine];
            return kinds.into_iter().find_map(|kind| Self::parse(kind, name).ok());
        }
        PRESETS.iter().find(|preset| preset.id == name).map(Self::preset)
    }

    /// Returns the call.
    pub fn call(&self) -> &Invocation {
        &self.call
    }

    /// The command lines that it may start: its own, that of its version, and that of its converter.
    pub fn lines(&self) -> Vec<String> {
        self.call.lines()
    }

    /// The reason that it cannot be run, if it is not installed. A module of an interpreter is not
    /// installed if it cannot print its version.
    pub fn absence(&self, permission: &Permission) -> Option<MissingProgram> {
        identity::absence(&self.call).or_else(|| {
            let preset = self.preset.filter(|preset| preset.is_module())?;
            let version = self.identity(permission)?.version;
            (!version.starts_with(preset.id))
                .then(|| MissingProgram::of_package(preset.id, preset.package))
        })
    }

    /// Returns the identity of the program of the command line, if it is installed and may be started. The identity
    /// is that of the first call in this process.
    pub fn identity(&self, permission: &Permission) -> Option<ProgramIdentity> {
        identity::identity(&self.call, permission)?.as_ref().as_ref().ok().cloned()
    }

    /// Compares the program with the planned one.
    ///
    /// # Errors
    ///
    /// When it is another program, or is no longer installed; with the change.
    pub fn compare(
        &self,
        planned: &ProgramIdentity,
        permission: &Permission,
    ) -> Result<(), String> {
        identity::is_still(&self.call, planned, permission)
    }

    /// Its version, or the reason that there is none.
    pub fn version(&self, permission: &Permission) -> String {
        if self.absence(permission).is_some() {
            return NOT_INSTALLED.to_owned();
        }
        self.identity(permission)
            .map_or_else(|| NOT_STARTED.to_owned(), |identity| identity.version)
    }

    fn name(&self) -> String {
        self.preset.map_or_else(|| self.call.to_string(), |preset| preset.id.to_owned())
    }

    /// The seed among these settings.
    fn seed(settings: &Options) -> Option<i64> {
        match settings.get(SEED) {
            Some(OptionValue::Integer(seed)) => Some(*seed),
            _ => None,
        }
    }
}

impl From<Invocation> for CommandBackend {
    fn from(call: Invocation) -> Self {
        Self { preset: None, call }
    }
}

/// Returns the command lines that a name starts, if it is the name of a program.
pub(crate) fn lines_in(name: &str) -> Vec<String> {
    CommandBackend::named(name).map_or_else(Vec::new, |program| program.lines())
}

/// The programs that jobs name, by their names.
pub(crate) fn of_jobs<'j>(jobs: impl Iterator<Item = &'j Job>) -> HashMap<String, CommandBackend> {
    let names: HashSet<&str> = jobs.map(|job| job.solver.as_str()).collect();
    let programs = names.into_iter().filter_map(|name| Some((name, CommandBackend::named(name)?)));
    programs.map(|(name, program)| (name.to_owned(), program)).collect()
}

/// True for a job that a program does.
pub fn is_program_job(job: &Job) -> bool {
    job.task.backend().is_some() && CommandBackend::named(&job.solver).is_some()
}

impl Backend for CommandBackend {
    fn info(&self) -> BackendInfo {
        let title = match self.call.kind {
            BackendKind::Solver => "a program",
            BackendKind::Engine => "a program that counts",
        };
        BackendInfo {
            id: self.name(),
            title: self.preset.map_or(title, |preset| preset.title).to_owned(),
            version: NOT_STARTED.to_owned(),
            citation: self.preset.map_or_else(
                || format!("the program `{}`", self.call.command),
                |preset| preset.citation.to_owned(),
            ),
        }
    }

    fn capabilities(&self) -> Capabilities {
        match self.call.kind {
            BackendKind::Solver => Capabilities::SOLVER,
            BackendKind::Engine => {
                Capabilities { counts: true, models: true, ..Capabilities::default() }
            }
        }
    }

    fn proof_format(&self) -> Option<ProofFormat> {
        self.call.proof
    }

    fn program(&self) -> Option<&CommandBackend> {
        Some(self)
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        let is_solver = self.call.kind == BackendKind::Solver;
        let place = self.call.template.place(Placeholder::Seed).filter(|_| is_solver);
        let least = self.preset.map_or(0, |preset| preset.least_seed);
        // A preset's own call shows where its further options stand.
        let instead = format!(
            "other options stand in a command line: `{{command: \"{}\"}}`",
            self.call.command
        );
        refuse_others(&self.name(), options, place.map(|_| SEED), &(least..=i64::MAX))
            .map_err(|error| if is_solver { error.with_instead(&instead) } else { error })?;
        let mut settings = options.clone();
        if place == Some(PlaceholderRequirement::Needed) {
            settings.entry(SEED.to_owned()).or_insert(OptionValue::Integer(0));
        }
        Ok(settings)
    }

    fn open(
        &self,
        options: &Options,
        session_options: &SessionOptions,
        permission: &Permission,
    ) -> Result<Box<dyn Session>, OptionError> {
        let seed = Self::seed(&self.settings(options)?);
        Ok(Box::new(ProgramSession::new(
            self.call.clone(),
            permission.clone(),
            seed,
            session_options,
        )))
    }

    fn run(
        &self,
        question: &QueryInput<'_>,
        conditions: &Conditions<'_>,
        observer: &mut dyn Observer,
    ) -> Result<BackendResult, BackendError> {
        session::run_counter(&self.call, question, conditions, observer)
    }
}
