//! The config of an experiment: a YAML file, read strictly.
//!
//! A config is written by hand and read by others, so each unclear value is refused: unknown and repeated keys,
//! numbers in other notations than plain digits, unknown names, paths that leave the folder, an entry that is listed
//! twice. Each fault is one message with the line, the place in it, and advice. Only `name`, `problems`, `encodings`
//! and `solvers` are required. If all solutions are asked for, `engines` replace the solvers. If formulas
//! are only measured, neither is required.
//!
//! The [`Catalog`] defines the names that a config can use. Reading opens only the config, the configs that it
//! extends, and the files of boards that it names.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::Path;

use bezzel_problem::Instance;

use crate::backend::catalog::Catalog;
use crate::model::job::Limits;
use crate::results::input;
use crate::results::store::Attached;

mod arm;
mod arms;
mod axes;
mod claim;
mod duplicates;
mod encodings;
mod engines;
mod entry_kind;
mod exclude;
mod extend;
mod fields;
mod file;
mod glob;
mod import_map;
mod instances;
mod keys;
mod label;
mod limits;
mod matrix;
mod name;
mod node;
mod numberings;
mod options;
mod passage;
mod placeholder;
mod problems;
mod programs;
mod read_entry;
mod record;
mod report;
mod report_file;
mod scalar;
mod solvers;
mod source;
mod typed_number;
mod written;
mod yaml_fault;

pub use arm::Arm;
pub use axes::SettingValues;
pub use claim::{Claim, ClaimCells, ClaimMeasure, ClaimRelation, Primary, Simultaneous};
pub use encodings::EncodingEntry;
pub use exclude::Exclusion;
pub(crate) use exclude::{PartNames, mask};
use extend::ConfigTree;
use fields::Fields;
pub use glob::exact_pattern;
pub use import_map::{FurtherMeasure, ImportMap, Part, StatusRule};
pub use instances::InstanceEntry;
pub use limits::{Calibration, PROOF_BYTES};
pub use matrix::Matrix;
pub use name::{check as check_name, derived as derived_name, in_file as name_in};
use node::Value;
pub use numberings::NumberingEntry;
pub use passage::Passage;
pub use placeholder::split_placeholder;
pub use problems::{add_reader, given as given_instances};
pub use record::text_of;
pub use report::{AnswerPart, Hypothesis, HypothesisTime, ReportAnswer, ReportSpec};
pub use report_file::ReportFile;
pub use source::{ConfigError, Source, SourceLocation};
pub use written::written;

/// The names of the keys at the top of a config.
pub fn keys_at_the_top() -> Vec<&'static str> {
    keys::all()
}

/// The table of keys and the table of kinds with their keys, in the Markdown of `docs/configs.md` and `docs/problems.md`.
pub fn tables_of_keys() -> [String; 2] {
    [keys::markdown(), problems::markdown()]
}

/// The parts from which the reader of the entries of a kind is made.
pub mod reading {
    pub use super::axes::{named, setting};
    pub use super::duplicates::refuse_duplicates;
    pub use super::fields::Fields;
    pub use super::file::{literal, path_beside};
    pub use super::instances::{CONSTRAINTS, InstanceEntry};
    pub use super::node::{Node, Value};
    pub use super::read_entry::{KindKey, ReadEntry};
    pub use super::scalar::choice;
    pub use super::source::{ConfigError, Source, SourceLocation};
    pub use crate::results::store::Attached;
}

/// The largest config, in bytes. Hand-written ones have some hundreds.
const LARGEST: u64 = 256 * 1024;

/// The longest text of `question`, in characters.
const LONGEST_QUESTION: usize = 2000;

/// An experiment as its config states it: the axes, the limits of each job, and the settings of the run.
#[derive(Clone, Debug)]
pub struct Config {
    /// The name, which is also the name of a folder.
    pub name: String,
    /// The question of the experiment.
    pub question: Option<String>,
    /// Texts, figures and tables of the report. No job depends on them.
    pub report: ReportSpec,
    /// The axes: every board with every encoding, numbering, and solver or engine.
    pub matrix: Matrix,
    /// The exclusions from the matrix.
    pub exclude: Vec<Exclusion>,
    /// The inclusions beside the matrix.
    pub include: Vec<Matrix>,
    /// The stated families of boards; in no job.
    pub families: HashMap<Instance, String>,
    /// The names of programs in reports, each after the program as it is named in jobs; in no job.
    pub names: Vec<(String, String)>,
    /// True if formulas are also measured after the solvers' preprocessing.
    pub simplified: bool,
    /// The limits of each job.
    pub limits: Limits,
    /// The number of runs of each job.
    pub repeats: u32,
    /// The number of first jobs of a session that are run once before as a warm-up; their results are discarded.
    pub warm_up: u32,
    /// The calibration, which measures between the jobs how steady the machine is.
    pub calibration: Option<Calibration>,
    /// The number of jobs that run at the same time.
    pub parallel: u32,
    /// The files that it names, with their contents.
    pub files: Vec<Attached>,
    /// Notes on it, each in one line.
    pub notes: Vec<String>,
    /// Its keys with their values, including those that it takes over.
    entries: Vec<(node::Node, node::Node)>,
    source: Source,
}

impl Config {
    /// Reads a config file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or as [`parse`](Self::parse).
    pub fn read(path: &Path, catalog: &Catalog) -> Result<Self, ConfigError> {
        let name = path.display().to_string();
        Self::parse(&text_of_file(path, &name)?, &name, catalog)
    }

    /// Reads the text of a config; `path` names it in messages.
    ///
    /// # Errors
    ///
    /// When the text is not one YAML document of the right shape, or names something unknown.
    pub fn parse(text: &str, path: &str, catalog: &Catalog) -> Result<Self, ConfigError> {
        if text.len() as u64 > LARGEST {
            return Err(too_large(path));
        }
        let config = Self::of_source(Source::new(path, text), catalog)?;
        typed_number::refuse(&config.report, &config.entries)?;
        Ok(config)
    }

    fn of_source(mut source: Source, catalog: &Catalog) -> Result<Self, ConfigError> {
        // The keys of several files stand together in the config of a session.
        if source.text_in(0).len() as u64 > 8 * LARGEST {
            return Err(too_large(source.path()));
        }
        let ConfigTree { root, mut notes } = extend::read(&mut source)?;
        let mut files = Vec::new();
        if let Value::Nothing = root.value {
            let smallest = "the smallest config has `name`, `problems`, `encodings` and `solvers`";
            return Err(source.fault("the config is empty").hint(smallest));
        }
        let fields = Fields::of_file(&source, &root, "the config", &keys::all())?;
        let name = name::read(&source, fields.need("name", "name: first-look")?)?;
        let matrix = Matrix::of_file(&source, &fields, catalog, &mut files)?;
        let exclude = match fields.list("exclude")? {
            None => Vec::new(),
            Some(nodes) => exclude::read(&source, nodes)?,
        };
        let include = match fields.list("include")? {
            None => Vec::new(),
            Some(nodes) => {
                let (above, axes) = ((&matrix, &fields), keys::axes());
                Matrix::all_included(&source, nodes, above, &axes, catalog, &mut files)?
            }
        };
        let matrices = || std::iter::once(&matrix).chain(&include);
        matrices().for_each(|matrix| matrix.add_file_notes(&mut notes));
        let families =
            instances::families(&source, matrices().flat_map(|matrix| &matrix.instances))?;
        let in_encodings = matrices().flat_map(|matrix| &matrix.encodings);
        let in_encodings = in_encodings.flat_map(|entry| &entry.named);
        let in_arms =
            matrices().flat_map(|matrix| &matrix.arms).filter_map(|arm| arm.named.as_ref());
        let names =
            label::names(&source, in_encodings.chain(in_arms), |name| catalog.has_id(name))?;
        let whole = |key: &str, range| {
            Ok::<_, ConfigError>(fields.whole(key, range)?.map_or(1, |number| number as u32))
        };
        let solves = matrices().flat_map(|matrix| &matrix.arms).any(Arm::is_solver);
        let has_engines = matrices().flat_map(|matrix| &matrix.arms).any(Arm::is_engine);
        let limits = limits::read(&source, fields.get("limits"), has_engines)?;
        let simplified = fields.switch("simplified", false)?;
        if let (true, false, Some(node)) =
            (simplified, solves, arms::stated_here(&fields, "simplified"))
        {
            let message = "`simplified` measures formulas after preprocessing by solvers, and there are no \
                 solvers";
            let mend = "remove it, or add `solve` to the tasks";
            return Err(source.error(node.place, message).hint(mend));
        }
        Ok(Self {
            name,
            question: question(&source, &fields)?,
            report: report::read(&source, &fields)?,
            matrix,
            exclude,
            include,
            families,
            names,
            simplified,
            limits,
            repeats: whole("repeats", 1..=1_000_000)?,
            warm_up: whole("warm_up", 0..=1_000)?,
            calibration: fields.switch("calibration", true)?.then(Calibration::default),
            parallel: whole("parallel", 1..=4096)?,
            files,
            notes,
            entries: match root.value {
                Value::Map(entries) => entries,
                _ => Vec::new(),
            },
            source,
        })
    }

    /// Every solver and engine that it names, those of `include` after the others.
    pub fn arms(&self) -> impl Iterator<Item = &Arm> {
        self.matrices().flat_map(|matrix| &matrix.arms)
    }

    /// Returns the matrix and the inclusions.
    pub(crate) fn matrices(&self) -> impl Iterator<Item = &Matrix> {
        std::iter::once(&self.matrix).chain(&self.include)
    }

    /// Returns the source, for messages that show a place.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }
}

fn too_large(path: &str) -> ConfigError {
    let message = format!("the file is too large: a config has at most {} KiB", LARGEST / 1024);
    Source::new(path, "").fault(message)
}

/// Reads the text of a config file; `name` is its name in messages.
fn text_of_file(path: &Path, name: &str) -> Result<String, ConfigError> {
    let fault = |reason: &str| Source::new(name, "").fault(reason);
    let unreadable = |error: std::io::Error| fault(&format!("the config cannot be read: {error}"));
    let bytes = input::read(path, LARGEST).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => too_large(name),
        ErrorKind::IsADirectory => fault("this is a folder, not a config"),
        _ => unreadable(error),
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.split(|&byte| byte == b'\n').count();
        fault(&format!("the config is not UTF-8 text in line {line}: save it as UTF-8"))
    })
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
