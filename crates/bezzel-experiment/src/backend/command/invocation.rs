//! The call of a program: `{command: "kissat --seed={seed} {cnf}", version: "kissat --version"}` for a solver,
//! `{counter: "ganak {cnf}"}` for a program that counts.
//!
//! A solver that writes DRAT names a converter: `proof: {format: drat, convert: "drat-trim {cnf} {proof} -L {lrat}"}`.
//!
//! The same text is used in configs, on the command line and in rows. Each call has one spelling.

use std::fmt;

use bezzel_encode::registry::{Name, quoted};
use bezzel_problem::UnknownId;
use bezzel_solve::ProofFormat;
use thiserror::Error;

use super::preset::{DRAT_TRIM, Preset};
use super::template::{Placeholder, PlaceholderRequirement, Template};
use crate::model::job::BackendKind;

/// Returns the keys of a program of a kind; only the first is required.
pub fn keys(kind: BackendKind) -> &'static [&'static str] {
    match kind {
        BackendKind::Solver => &["command", "version", "proof", "exit"],
        BackendKind::Engine => &["counter", "version"],
    }
}

/// The formats of proofs that a converter turns into LRAT: the values of `format` in `proof`.
const CONVERTED: [&str; 1] = ["drat"];

/// The keys of `proof`, if it is a map.
const PROOF_KEYS: [&str; 2] = ["format", "convert"];

/// The placeholders in the command line of a converter.
const OF_CONVERTER: [Placeholder; 6] = [
    Placeholder::Cnf,
    Placeholder::Proof,
    Placeholder::Lrat,
    Placeholder::Cpu,
    Placeholder::Wall,
    Placeholder::Memory,
];

/// The exit codes that count: the values of `exit`. Those of solver competitions belong to the verdicts; with `any`
/// the verdict alone counts.
const EXITS: [&str; 2] = ["competition", "any"];

/// The call of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The kind of its work: a solver finds a model, an engine counts.
    pub(super) kind: BackendKind,
    /// Its command line.
    pub(super) command: String,
    /// The command line that prints its version.
    pub(super) version: Option<String>,
    /// The format of the proofs that it writes.
    pub(super) proof: Option<ProofFormat>,
    /// The call that turns its proofs into LRAT, if they are in another format.
    pub(super) converter: Option<Box<Self>>,
    /// True if its exit code need not be that of its verdict.
    pub(super) any_exit: bool,
    pub(super) template: Template,
}

/// The reason that a call is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what}{}", .near.as_ref().map_or(String::new(), |near| format!("; did you mean `{near}`?")))]
pub struct MalformedCommand {
    /// The key with the fault, if there is one.
    pub key: Option<String>,
    /// The fault.
    pub what: String,
    /// The value that was probably meant.
    pub near: Option<String>,
}

impl MalformedCommand {
    pub(crate) fn new(key: &str, what: impl Into<String>) -> Self {
        Self { key: Some(key.to_owned()), what: what.into(), near: None }
    }

    pub(crate) fn unknown(key: &str, what: impl Into<String>, unknown: UnknownId) -> Self {
        Self { near: unknown.near, ..Self::new(key, what) }
    }
}

impl Invocation {
    /// The correction of a call whose standard output is no answer, after a colon.
    pub(super) fn correction(&self) -> String {
        let program = self.command.split_whitespace().next().unwrap_or_default();
        match Preset::by_program(program).filter(|preset| preset.kind == BackendKind::Solver) {
            // The call is that of the table, so the program is at fault.
            Some(preset) if preset.command == self.command => String::new(),
            Some(Preset { id, .. }) => {
                format!(": take the solver `{id}`, which reads this program's answer")
            }
            None => {
                ": if the program writes its answer to a file, add `{answer}` to its command line"
                    .into()
            }
        }
    }

    /// The call that these keys describe.
    ///
    /// # Errors
    ///
    /// When a key is unknown, a value is impossible, or `command` is missing.
    pub fn of(kind: BackendKind, parts: &[(String, Name)]) -> Result<Self, MalformedCommand> {
        let (mut command, mut version, mut proof, mut converter) = (None, None, None, None);
        let mut any_exit = false;
        let known = keys(kind);
        for (key, value) in parts {
            match key.as_str() {
                key if !known.contains(&key) => {
                    let unknown = UnknownId::new("key", key, known);
                    let what = match kind {
                        BackendKind::Solver => "a solver that is a program",
                        BackendKind::Engine => "a counter",
                    };
                    let what = format!("{what} has no key `{key}`");
                    return Err(MalformedCommand::unknown(key, what, unknown));
                }
                "version" => version = Some(line("version", value)?),
                "proof" => {
                    let (format, line) = proof_of(value)?;
                    (proof, converter) = (Some(format), line);
                }
                "exit" => any_exit = one_of("exit", value, &EXITS)? == "any",
                key => command = Some(line(key, value)?),
            }
        }
        let Some(command) = command else {
            let what = match kind {
                BackendKind::Solver => {
                    "a solver that is a program needs `command`, for example \
                     `command: \"kissat {cnf}\"`"
                }
                BackendKind::Engine => {
                    "an engine that is a program needs `counter`, for example \
                     `counter: \"ganak {cnf}\"`"
                }
            };
            return Err(MalformedCommand { key: None, what: what.into(), near: None });
        };
        let call = Self { any_exit, ..Self::new(kind, command, version, proof)? };
        call.with_converter(converter)
    }

    /// The call of a program by its command line.
    ///
    /// # Errors
    ///
    /// When the command line has unknown places, or lacks places that it needs.
    pub(crate) fn new(
        kind: BackendKind,
        command: &str,
        version: Option<&str>,
        proof: Option<ProofFormat>,
    ) -> Result<Self, MalformedCommand> {
        let key = keys(kind)[0];
        let known = Placeholder::ALL.into_iter().filter(|&place| place != Placeholder::Lrat);
        let template = parsed(key, command, &known.collect::<Vec<_>>())?;
        let fault = |key, what: &str| Err(MalformedCommand::new(key, what));
        for needed in [Placeholder::Cnf, Placeholder::Answer] {
            if template.place(needed) == Some(PlaceholderRequirement::Optional) {
                return fault(
                    key,
                    "`{cnf}` and `{answer}` are never left out: remove the square brackets",
                );
            }
        }
        if kind == BackendKind::Engine {
            let written = [Placeholder::Answer, Placeholder::Proof].into_iter();
            if let Some(place) = written.into_iter().find(|&place| template.place(place).is_some())
            {
                return fault(
                    key,
                    &format!("a counter prints its count: there is no place `{{{place}}}`"),
                );
            }
        }
        match (proof, template.place(Placeholder::Proof)) {
            (None, Some(_)) => fault(
                key,
                &format!(
                    "the command has a place `{{proof}}`: say in which format by `proof: lrat` or \
                     `{}`",
                    by_drat_trim()
                ),
            ),
            (Some(_), None) => {
                fault("proof", "the proof goes to a file: the command needs a place `{proof}`")
            }
            _ => Ok(Self {
                kind,
                command: command.to_owned(),
                version: version.map(str::to_owned),
                proof,
                converter: None,
                any_exit: false,
                template,
            }),
        }
    }

    /// Returns the call with the command line of a converter, which turns its proofs into LRAT.
    ///
    /// # Errors
    ///
    /// When the command line has unknown places, or lacks places that it needs.
    pub(super) fn with_converter(self, line: Option<&str>) -> Result<Self, MalformedCommand> {
        let Some(line) = line else { return Ok(self) };
        let template = parsed("convert", line, &OF_CONVERTER)?;
        for needed in [Placeholder::Cnf, Placeholder::Proof, Placeholder::Lrat] {
            if template.place(needed).is_none() {
                let what = format!("a converter needs a place `{{{needed}}}`, as in `{DRAT_TRIM}`");
                return Err(MalformedCommand::new("convert", what));
            }
        }
        let converter = Self {
            kind: self.kind,
            command: line.to_owned(),
            version: None,
            proof: None,
            converter: None,
            any_exit: true,
            template,
        };
        Ok(Self { converter: Some(Box::new(converter)), ..self })
    }

    /// Its command line.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// The command lines that it may start.
    pub(crate) fn lines(&self) -> Vec<String> {
        let converter = self.converter.as_ref().map(|converter| &converter.command);
        std::iter::once(&self.command).chain(&self.version).chain(converter).cloned().collect()
    }

    /// The call that a text in curly brackets describes.
    ///
    /// # Errors
    ///
    /// When it is no map of texts, and as [`of`](Self::of).
    pub(super) fn parse(kind: BackendKind, text: &str) -> Result<Self, MalformedCommand> {
        let fault = |what: String| MalformedCommand { key: None, what, near: None };
        let none = format!("`{text}` is no {}", kind.id());
        let name = Name::parse(text).map_err(|malformed| {
            fault(format!("{none}: {} at character {}", malformed.what, malformed.at))
        })?;
        let Name::Map(parts) = name else { return Err(fault(none)) };
        Self::of(kind, &parts)
    }

    /// Returns true if the answer is in a file of MiniSat's form, and not on standard output.
    pub(crate) fn answers_in_file(&self) -> bool {
        self.template.place(Placeholder::Answer).is_some()
    }
}

/// Written as it is parsed, with one spelling for each call.
impl fmt::Display for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}: {}", keys(self.kind)[0], quoted(&self.command))?;
        if let Some(version) = &self.version {
            write!(f, ", version: {}", quoted(version))?;
        }
        match (self.proof, &self.converter) {
            (Some(proof), Some(converter)) => {
                let line = quoted(&converter.command);
                write!(f, ", proof: {{format: {proof}, convert: {line}}}")?;
            }
            (Some(proof), None) => write!(f, ", proof: {proof}")?,
            (None, _) => {}
        }
        if self.any_exit {
            f.write_str(", exit: any")?;
        }
        f.write_str("}")
    }
}

/// The value of `proof`: its format, and the command line of its converter.
fn proof_of(value: &Name) -> Result<(ProofFormat, Option<&str>), MalformedCommand> {
    let parts = match value {
        Name::Id(id) if id == ProofFormat::Lrat.id() => return Ok((ProofFormat::Lrat, None)),
        Name::Id(id) => {
            let what = format!("`proof` is `lrat` or `{}`, not `{id}`", by_drat_trim());
            return Err(MalformedCommand::new("proof", what));
        }
        Name::Map(parts) => parts,
    };
    let (mut format, mut converter) = (None, None);
    for (key, value) in parts {
        match key.as_str() {
            "format" => format = Some(one_of("format", value, &CONVERTED)?),
            "convert" => converter = Some(line("convert", value)?),
            key => {
                let unknown = UnknownId::new("key", key, PROOF_KEYS);
                let what = format!("`proof` has no key `{key}`");
                return Err(MalformedCommand::unknown("proof", what, unknown));
            }
        }
    }
    match (format, converter) {
        (Some(_), Some(converter)) => Ok((ProofFormat::Drat, Some(converter))),
        _ => Err(MalformedCommand::new("proof", format!("write `{}`", by_drat_trim()))),
    }
}

/// The value of `proof` for a solver that writes DRAT.
fn by_drat_trim() -> String {
    format!("proof: {{format: drat, convert: \"{DRAT_TRIM}\"}}")
}

/// Parses a command line that may have these places.
fn parsed(key: &str, line: &str, known: &[Placeholder]) -> Result<Template, MalformedCommand> {
    let no_place = |unknown: UnknownId| {
        let words: Vec<_> = known.iter().map(|place| format!("{{{place}}}")).collect();
        let what =
            format!("`{key}` has no place `{{{}}}`; there are {}", unknown.id, words.join(", "));
        MalformedCommand::unknown(key, what, unknown)
    };
    let template = Template::parse(line).map_err(no_place)?;
    let words = known.iter().map(|place| place.id());
    Placeholder::ALL
        .into_iter()
        .find(|place| !known.contains(place) && template.place(*place).is_some())
        .map_or(Ok(()), |place| Err(no_place(UnknownId::new("placeholder", place.id(), words))))?;
    Ok(template)
}

/// A text.
fn text_of<'n>(key: &str, value: &'n Name) -> Result<&'n str, MalformedCommand> {
    match value {
        Name::Id(text) => Ok(text),
        Name::Map(_) => Err(MalformedCommand::new(key, format!("`{key}` is a text, not a map"))),
    }
}

/// A command line without control characters.
fn line<'n>(key: &str, value: &'n Name) -> Result<&'n str, MalformedCommand> {
    let text = text_of(key, value)?;
    let what = if text.trim().is_empty() {
        format!("`{key}` is empty")
    } else if text.contains(char::is_control) {
        format!("`{key}` is one line without control characters")
    } else {
        return Ok(text.trim());
    };
    Err(MalformedCommand::new(key, what))
}

fn one_of(
    key: &str,
    value: &Name,
    known: &[&'static str],
) -> Result<&'static str, MalformedCommand> {
    let value = text_of(key, value)?;
    let found = known.iter().find(|known| **known == value);
    found.copied().ok_or_else(|| {
        let what = format!("`{key}` is {}, not `{value}`", known.join(" or "));
        MalformedCommand::unknown(key, what, UnknownId::new("value", value, known))
    })
}

/// The commands of a shell itself, and words before another program.
const SHELL: [&str; 21] = [
    ".", ":", "[", "builtin", "case", "cd", "command", "eval", "exit", "export", "for", "if",
    "read", "set", "test", "trap", "ulimit", "umask", "until", "while", "wait",
];

/// Returns the program of a command line; none if the shell does more than run one program.
pub(super) fn program(command: &str) -> Option<&str> {
    // Assignments and `exec` stand before the program.
    let is_assignment = |word: &str| {
        let name = word.split_once('=').map_or("", |(name, _)| name);
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let before = |word: &&str| is_assignment(word) || *word == "exec";
    let mut words = command.split_whitespace().skip_while(before);
    let word = unquoted(words.next()?.trim_end_matches(';'));
    let is_shell =
        SHELL.contains(&word) || word.contains(|c: char| "'\"\\$`(){}[]<>|&;*?~#!".contains(c));
    (!is_shell).then_some(word)
}

/// A word without the quotes around it.
pub(super) fn unquoted(word: &str) -> &str {
    let within = |quote| word.strip_prefix(quote)?.strip_suffix(quote);
    within('"').or_else(|| within('\'')).unwrap_or(word)
}
