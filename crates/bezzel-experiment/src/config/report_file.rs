//! The file of an author's part: `configs/reports/NAME.yaml`, or the config of the experiment.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json};

use super::fields::Fields;
use super::report::{self, ReportSpec};
use super::source::{ConfigError, Source};
use super::{extend, keys, name, node, question, text_of, text_of_file, typed_number};

/// The file of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportFile {
    /// The names of the experiments.
    pub experiments: Vec<String>,
    /// The question; none if the report has the questions of the experiments.
    pub question: Option<String>,
    /// The author's statements and choices.
    pub spec: ReportSpec,
}

impl ReportFile {
    /// The file of the report with this name below `root`: `configs/imported/NAME.yaml` if there is one, else
    /// `configs/reports/NAME.yaml`.
    pub fn path(root: &Path, name: &str) -> PathBuf {
        let path = |folder: &str| root.join("configs").join(folder).join(format!("{name}.yaml"));
        Some(path("imported")).filter(|path| path.is_file()).unwrap_or_else(|| path("reports"))
    }

    /// The author's statements on the experiment `name`, from `configs/reports/NAME.yaml` below `root`. Without that
    /// file they are from the file `config`, if it exists and its config has the name `config_name`.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn find(
        root: &Path,
        name: &str,
        config: &Path,
        config_name: &str,
    ) -> Result<Option<Self>, ConfigError> {
        let own = Self::path(root, name);
        if own.is_file() {
            return Self::read(&own).map(Some);
        }
        if !config.is_file() {
            return Ok(None);
        }
        let path = config.display().to_string();
        let mut source = Source::new(&path, &text_of_file(config, &path)?);
        let root = extend::read(&mut source)?.root;
        let fields = Fields::of_file(&source, &root, "the config", &keys::all())?;
        if name::read(&source, fields.need("name", "name: first-look")?)? != config_name {
            return Ok(None);
        }
        let (question, spec) = (question(&source, &fields)?, report::read(&source, &fields)?);
        typed_number::refuse(&spec, fields.entries())?;
        Ok(Some(Self { experiments: vec![name.to_owned()], question, spec }))
    }

    /// Returns the author's part on the experiment `name`, as the session `session` states it, and the sentence that names
    /// the keys that cannot be read.
    pub fn of_session(
        name: &str,
        session: &str,
        own: &Map<String, Json>,
    ) -> (Self, Option<String>) {
        let read = |keys: &Map<String, Json>| -> Result<ReportSpec, ConfigError> {
            let source = Source::new(session, &text_of(keys));
            let root = node::parse(&source, 0)?;
            report::read(&source, &Fields::of_file(&source, &root, "the report", &report::keys())?)
        };
        let is_read = |(key, value): &(&String, &Json)| {
            read(&Map::from_iter([((*key).clone(), (*value).clone())])).is_ok()
        };
        let (known, unknown): (Vec<_>, Vec<_>) = own.iter().partition(is_read);
        let known: Map<_, _> =
            known.into_iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        let spec = if known.is_empty() { None } else { read(&known).ok() };
        let ignored: Vec<&str> = unknown.into_iter().map(|(key, _)| key.as_str()).collect();
        let spec = spec.unwrap_or_default();
        let ignored = (!ignored.is_empty()).then(|| {
            let keys: Vec<_> = ignored.iter().map(|key| format!("`{key}`")).collect();
            format!(
                "the report leaves out what session {session} states for it: {}",
                keys.join(", ")
            )
        });
        let experiments = vec![name.to_owned()];
        (Self { experiments, question: None, spec }, ignored)
    }

    /// Reads the file of a report.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is not one YAML document of the right shape.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let name = path.display().to_string();
        let source = Source::new(&name, &text_of_file(path, &name)?);
        let root = node::parse(&source, 0)?;
        let known = [vec!["experiments", "question"], report::keys()].concat();
        let fields = Fields::of_file(&source, &root, "the report", &known)?;
        fields.need("experiments", "experiments: [first-look]")?;
        let mut experiments: Vec<String> = Vec::new();
        for node in fields.list("experiments")?.unwrap_or_default() {
            let experiment = name::read(&source, node)?;
            if experiments.contains(&experiment) {
                let message = format!("the experiment `{experiment}` is listed twice");
                return Err(source.error(node.place, message).hint("remove one of them"));
            }
            experiments.push(experiment);
        }
        let spec = report::read(&source, &fields)?;
        typed_number::refuse(&spec, fields.entries())?;
        Ok(Self { experiments, question: question(&source, &fields)?, spec })
    }
}
