//! The question: a YAML file, read strictly.
//!
//! A config is written by hand and read by others, so whatever does not mean what it seems to
//! mean is refused: unknown and doubled keys, numbers in disguise, names that nothing bears or that
//! leave the folder, the same thing listed twice. Each fault is one message with the line, the
//! place in it, and how to mend it. Only `name`, `boards`, `encodings` and `solvers` must be given.
//!
//! Reading asks the [`Workbench`] what can be named, and touches nothing but the file and those
//! files of boards that it names.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use bezzel_encode::{Blocked, Constraints, Symmetry};

use crate::job::Limits;
use crate::workbench::Workbench;

mod axes;
mod boards;
mod encodings;
mod fields;
mod file;
mod generate;
mod limits;
mod name;
mod node;
mod numberings;
mod scalar;
mod schema;
mod source;
#[cfg(test)]
mod tests;
mod twins;

pub use axes::SolverEntry;
pub use boards::BoardEntry;
pub use encodings::EncodingEntry;
use fields::Fields;
pub use file::Attached;
pub use name::check as check_name;
use node::Value;
pub use numberings::NumberingEntry;
pub use schema::schema;
pub use source::ConfigError;
pub(crate) use source::Source;

/// The largest config, in bytes. Hand-written ones have some hundreds.
const LARGEST: u64 = 256 * 1024;

/// The longest question, in characters.
const LONGEST_QUESTION: usize = 2000;

const KEYS: [&str; 12] = [
    "name",
    "question",
    "boards",
    "encodings",
    "constraints",
    "blocked",
    "symmetry",
    "numberings",
    "solvers",
    "limits",
    "repeats",
    "parallel",
];

/// An experiment as its config asks for it: the axes, and what each job may use.
#[derive(Clone, Debug)]
pub struct Config {
    /// The name, which is a plain folder's.
    pub name: String,
    /// What the experiment is to find out.
    pub question: Option<String>,
    /// The boards, as listed.
    pub boards: Vec<BoardEntry>,
    /// The encodings, as listed.
    pub encodings: Vec<EncodingEntry>,
    /// The sets of constraints for the encodings that take one.
    pub constraints: Vec<Constraints>,
    /// The ways to treat blocked squares.
    pub blocked: Vec<Blocked>,
    /// The rules of symmetry.
    pub symmetry: Vec<Symmetry>,
    /// The numberings, as listed.
    pub numberings: Vec<NumberingEntry>,
    /// The solvers, as listed.
    pub solvers: Vec<SolverEntry>,
    /// What each job may use.
    pub limits: Limits,
    /// How often each job is run.
    pub repeats: u32,
    /// How many jobs run at the same time.
    pub parallel: u32,
    /// The files that it names, with what is in them.
    pub files: Vec<Attached>,
    source: Source,
}

impl Config {
    /// Reads a config file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or as [`parse`](Self::parse).
    pub fn read(path: &Path, workbench: &Workbench) -> Result<Self, ConfigError> {
        let name = path.display().to_string();
        let fault = |reason: &str| Source::new(&name, "").fault(reason);
        let unreadable =
            |error: std::io::Error| fault(&format!("the config cannot be read: {error}"));
        let file = File::open(path).map_err(unreadable)?;
        if file.metadata().map_err(unreadable)?.is_dir() {
            return Err(fault("this is a folder, not a config"));
        }
        // One byte more than is taken tells that there is more, even of what has no length.
        let mut bytes = Vec::new();
        file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > LARGEST {
            return Err(too_large(&name));
        }
        match String::from_utf8(bytes) {
            Ok(text) => Self::parse(&text, &name, workbench),
            Err(error) => {
                let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                let line = valid.split(|&byte| byte == b'\n').count();
                Err(fault(&format!("the config is not UTF-8 text in line {line}")))
            }
        }
    }

    /// Reads the text of a config; `path` names it in messages.
    ///
    /// # Errors
    ///
    /// When the text is not one YAML document of the right shape, or names what there is not.
    pub fn parse(text: &str, path: &str, workbench: &Workbench) -> Result<Self, ConfigError> {
        if text.len() as u64 > LARGEST {
            return Err(too_large(path));
        }
        let source = Source::new(path, text);
        let root = node::parse(&source)?;
        if let Value::Nothing = root.value {
            let smallest = "the smallest config has `name`, `boards`, `encodings` and `solvers`";
            return Err(source.fault("the config is empty").hint(smallest));
        }
        let fields = Fields::of_file(&source, &root, "the config", &KEYS)?;
        let needed = |key: &str, example: &str| {
            fields.need(key, example)?;
            fields.list(key).map(Option::unwrap_or_default)
        };

        let name = name::read(&source, fields.need("name", "name: first-look")?)?;
        let (boards, files) = boards::read(&source, needed("boards", "boards: [{size: 8}]")?)?;
        let encodings = encodings::encodings(
            &source,
            needed("encodings", "encodings: [pairwise]")?,
            workbench,
        )?;
        let solvers = axes::solvers(&source, needed("solvers", "solvers: [cadical]")?, workbench)?;
        let constraints = match fields.list("constraints")? {
            None => vec![Constraints::default()],
            Some(nodes) => {
                let ids = Constraints::ALL.map(Constraints::id);
                axes::settings(&source, nodes, "the set of constraints", &ids)?
            }
        };
        let blocked = match fields.list("blocked")? {
            None => vec![Blocked::default()],
            Some(nodes) => {
                let ids = Blocked::ALL.map(Blocked::id);
                axes::settings(&source, nodes, "the treatment of blocked squares", &ids)?
            }
        };
        let symmetry = match fields.list("symmetry")? {
            None => vec![Symmetry::default()],
            Some(nodes) => {
                let ids = Symmetry::ALL.map(Symmetry::id);
                axes::settings(&source, nodes, "the rule of symmetry", &ids)?
            }
        };
        let numberings = match fields.list("numberings")? {
            None => vec![NumberingEntry::as_generated()],
            Some(nodes) => numberings::read(&source, nodes)?,
        };
        for entry in &boards {
            if numberings.iter().all(|numbering| numbering.count(entry.shuffles) == 0) {
                let message = "with no shuffles this board has no numbering left to run";
                return Err(source
                    .error(entry.place, message)
                    .hint("allow a shuffle, or add `as-generated` to the numberings"));
            }
        }
        let count = |key: &str, most: u64| match fields.get(key) {
            None => Ok(1),
            Some(node) => Ok(source.whole(node, &format!("`{key}`"), 1..=most)? as u32),
        };
        Ok(Self {
            name,
            question: question(&source, &fields)?,
            boards,
            encodings,
            constraints,
            blocked,
            symmetry,
            numberings,
            solvers,
            limits: limits::read(&source, fields.get("limits"))?,
            repeats: count("repeats", 1_000_000)?,
            parallel: count("parallel", 4096)?,
            files,
            source,
        })
    }

    /// The config as it was written.
    pub fn text(&self) -> &str {
        self.source.text()
    }

    /// For messages that show a place.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }
}

fn too_large(path: &str) -> ConfigError {
    let message = format!("the file is too large: a config has at most {} KiB", LARGEST / 1024);
    Source::new(path, "").fault(message)
}

fn question(source: &Source, fields: &Fields<'_>) -> Result<Option<String>, ConfigError> {
    let Some(node) = fields.get("question") else { return Ok(None) };
    let question = source.text_of(node, "`question`")?.trim();
    let length = question.chars().count();
    if length > LONGEST_QUESTION {
        let message =
            format!("`question` has {length} characters, and may have {LONGEST_QUESTION}");
        return Err(source.error(node.place, message));
    }
    Ok((!question.is_empty()).then(|| question.to_owned()))
}
