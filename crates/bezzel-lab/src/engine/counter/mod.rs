//! Programs that count: any command line that reads a file of the Model Counting Competition with
//! the variables that are projected onto (`c p show`), and prints an exact count. For the task `models`
//! these are all variables.
//!
//! `{counter: "ganak {cnf}"}` is an engine wherever an id is, and so are the ids of [`PRESETS`]. The
//! same places stand in its command line as in that of a [solver](crate::solver_program), but for
//! proofs and answers. What such a program prints is read strictly, and judged as any count.

use std::fs::File;
use std::io::{BufReader, Read};
use std::sync::Arc;
use std::time::Instant;

use bezzel_encode::format::dimacs::Preamble;
use bezzel_encode::format::{Format, mcc};
use bezzel_encode::registry::Name;
use bezzel_encode::{Digest, UnknownId};
use bezzel_solve::{OptionError, Options, Trouble, TroubleKind, Usage};
use num_bigint::BigUint;

use super::{
    Conditions, Engine, EngineCard, EngineError, Formula, Observer, Outcome, Powers, Question,
    Reads, Wish,
};
use crate::input;
use crate::permission::Permission;
use crate::solver_program::{
    self, Absence, Identity, Invocation, Malformed, NOT_INSTALLED, Run, Scratch,
};

mod answer;
mod preset;

pub use preset::{PRESETS, Preset};

/// The keys of a counter; only the first must be there.
pub const KEYS: [&str; 2] = ["counter", "version"];

/// The most that a counter may print, in bytes.
const MOST_OUTPUT: u64 = 64 << 20;

/// A counter that is a program.
pub(super) struct Counter {
    preset: Option<&'static Preset>,
    command: String,
    version: Option<String>,
    call: Invocation,
    permission: Permission,
}

impl Counter {
    /// The counter of a name, if it is that of one: a preset's id, or a map.
    pub(super) fn named(name: &str) -> Result<Option<Self>, Malformed> {
        if name.trim_start().starts_with('{') {
            return Self::parse(name).map(Some);
        }
        let preset = PRESETS.iter().find(|preset| preset.id == name);
        preset
            .map(|preset| Self::new(Some(preset), preset.command, Some(preset.version)))
            .transpose()
    }

    fn new(
        preset: Option<&'static Preset>,
        command: &str,
        version: Option<&str>,
    ) -> Result<Self, Malformed> {
        let call = Invocation::new(command, version, None)?;
        if call.answers_in_file() {
            let what = "a counter prints its count: there is no place `{answer}`";
            return Err(Malformed::new("counter", what));
        }
        let (command, version) = (command.to_owned(), version.map(str::to_owned));
        Ok(Self { preset, command, version, call, permission: Permission::none() })
    }

    fn parse(text: &str) -> Result<Self, Malformed> {
        let fault = |what: String| Malformed { key: None, what, near: None };
        let name = Name::parse(text).map_err(|malformed| {
            let (what, at) = (malformed.what, malformed.at);
            fault(format!("`{text}` is no engine: {what} at character {at}"))
        })?;
        let Name::Map(parts) = name else { return Err(fault(format!("`{text}` is no engine"))) };
        let (mut command, mut version) = (None, None);
        for (key, value) in &parts {
            let Name::Id(value) = value else {
                return Err(Malformed::new(key, format!("`{key}` is a text, not a map")));
            };
            match key.as_str() {
                "counter" => command = Some(solver_program::line("counter", value)?),
                "version" => version = Some(solver_program::line("version", value)?),
                _ => {
                    let what = format!("a counter has no key `{key}`");
                    return Err(Malformed::unknown(key, what, UnknownId::new("key", key, KEYS)));
                }
            }
        }
        let command = command.ok_or_else(|| {
            fault("an engine that is a program needs `counter`, for example `counter: \"ganak {cnf}\"`".into())
        })?;
        Self::new(None, command, version)
    }

    /// As it is parsed; one spelling for each.
    fn spelling(&self) -> String {
        let spelled = solver_program::spelled;
        let version = self.version.as_ref();
        let version = version.map_or(String::new(), |told| format!(", version: {}", spelled(told)));
        format!("{{counter: {}{version}}}", spelled(&self.command))
    }

    /// The same with this permission.
    pub(super) fn permitting(self, permission: &Permission) -> Self {
        Self { permission: permission.clone(), ..self }
    }

    /// The command lines that it may start.
    pub(super) fn lines(&self) -> Vec<String> {
        self.call.lines()
    }

    /// Why it cannot be run, if it is not installed. A module of an interpreter is not, if it cannot
    /// tell its version.
    pub(super) fn absence(&self) -> Option<Absence> {
        solver_program::absence_of(&self.call).or_else(|| {
            let preset = self.preset.filter(|preset| preset.id == "pyganak")?;
            let version = self.identity()?.version;
            (!version.starts_with("pyganak"))
                .then(|| Absence::of_package("pyganak", preset.package))
        })
    }

    /// Which program it is, if it is installed and may be started.
    pub(super) fn identity(&self) -> Option<Identity> {
        solver_program::identity_of(&self.call, &self.permission)
    }

    /// Whether it is still the planned program; else what has changed.
    pub(super) fn compare(&self, planned: &Identity) -> Result<(), String> {
        solver_program::compare_call(&self.call, planned, &self.permission)
    }

    /// Writes the formula to a file, has the program count, and reads what it prints.
    fn count(
        run: &Run,
        scratch: &Scratch,
        question: &Question<'_>,
    ) -> Result<(BigUint, Usage), Option<Trouble>> {
        let host = |note: String| Some(Trouble { kind: TroubleKind::Host, note });
        let formula = question.formula.expect("an engine that reads clauses is given a formula");
        scratch.clear();
        File::create(scratch.formula())
            .map_err(|error| error.to_string())
            .and_then(|file| {
                let Formula { encoding, board, numbering, .. } = formula;
                let written = match question.wish {
                    Wish::Models => mcc::write_for_models(encoding, board, numbering, file),
                    _ => Format::Mcc.write(encoding, board, numbering, Preamble::None, file),
                };
                written.map_err(|error| error.to_string())
            })
            .map_err(|error| host(format!("the formula cannot be written to a file: {error}")))?;
        let asked = run.supervised(scratch, MOST_OUTPUT).map_err(host)?;
        let account = asked
            .run(Some(run.terms.interrupt.flag()))
            .map_err(|error| host(format!("the counter cannot be run: {error}")))?;
        let usage =
            Usage { cpu_s: account.cpu_s, memory_peak_bytes: Some(account.memory_peak_bytes) };
        solver_program::ending("counter", &account, &asked.limits, asked.file_bytes)
            .map_err(|trouble| trouble.map(|told| solver_program::without(told, scratch)))?;
        let output = input::open(&scratch.output())
            .map_err(|error| host(format!("its output cannot be read: {error}")))?;
        let count = answer::read(&mut BufReader::new(output.take(MOST_OUTPUT)));
        let count = count.map_err(|fault| {
            let note = format!("the counter gave no count that makes sense: {fault}");
            Some(Trouble { kind: TroubleKind::Fault, note })
        })?;
        Ok((count, usage))
    }
}

impl Engine for Counter {
    fn card(&self) -> EngineCard {
        let version = match self.absence() {
            Some(_) => NOT_INSTALLED.to_owned(),
            None => solver_program::version_of(&self.call, &self.permission),
        };
        let (title, citation) = self.preset.map_or_else(
            || ("a program that counts", format!("the program `{}`", self.command)),
            |preset| (preset.title, preset.citation.to_owned()),
        );
        EngineCard { id: self.name(), title: title.to_owned(), version, citation }
    }

    fn name(&self) -> String {
        self.preset.map_or_else(|| self.spelling(), |preset| preset.id.to_owned())
    }

    fn reads(&self) -> Reads {
        Reads::Clauses
    }

    fn powers(&self) -> Powers {
        Powers { lists: false, counts: true, classes: false, models: true }
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        super::no_options(&self.name(), options)
    }

    fn run(
        &self,
        question: &Question<'_>,
        conditions: &Conditions<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, EngineError> {
        let formula = question.formula.expect("an engine that reads clauses is given a formula");
        let mut digest = Digest::new();
        formula.write(&mut digest);
        observer.loaded(Some(digest.finish()));
        let (call, permission) = (self.call.clone(), self.permission.clone());
        let terms = conditions.terms.clone();
        let run = Run { call, permission, seed: None, terms, begun: Instant::now() };
        let trouble = |kind, note| EngineError::Program(Trouble { kind, note });
        let scratch = Scratch::new(run.terms.scratch.as_deref()).map_err(|error| {
            let note = format!("no folder for the counter's files can be made: {error}");
            trouble(TroubleKind::Host, note)
        })?;
        let counted = Self::count(&run, &scratch, question);
        scratch.clear();
        match counted {
            Ok((count, usage)) => {
                Ok(Outcome { count: Some(count), usage: Some(usage), ..Outcome::default() })
            }
            Err(Some(found)) => Err(EngineError::Program(found)),
            Err(None) => Err(bezzel_count::Halt::Stopped.into()),
        }
    }
}

/// The counter of this name, if it is a program.
pub(super) fn find(
    name: &str,
    permission: &Permission,
) -> Result<Option<Arc<dyn Engine>>, Malformed> {
    let counter = Counter::named(name)?.map(|counter| counter.permitting(permission));
    Ok(counter.map(|counter| Arc::new(counter) as Arc<dyn Engine>))
}
