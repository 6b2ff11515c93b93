//! The config of a session: written to the first line of its file, and read from there.

use std::path::Path;

use serde_json::{Map, Value as Json, json};

use super::Config;
use super::node::{Node, Value};
use super::report;
use super::source::{ConfigError, Source};
use super::written::written;
use crate::backend::catalog::Catalog;
use crate::model::job::Limits;
use crate::results::input;
use crate::results::store::{FILES, RecordedConfig, Session, digest_of};

impl Config {
    /// Returns the config as a session states it: the keys that it takes over as its own, all limits, and the keys that
    /// only reports use beside the others.
    pub fn recorded(&self) -> RecordedConfig {
        let mut recorded = RecordedConfig::default();
        for (key, value) in &self.entries {
            let Value::Text(name) = &key.value else { continue };
            let part = match name.as_str() {
                "extends" | "limits" => continue,
                name if report::is_key(name) => &mut recorded.report,
                _ => &mut recorded.config,
            };
            part.insert(name.clone(), resolved(&self.source, value));
        }
        recorded.config.insert("limits".to_owned(), stated(self.limits));
        let files = self.files.iter();
        recorded.files = files.map(|file| (file.path.clone(), digest_of(&file.bytes))).collect();
        recorded
    }

    /// Reads the config of a session in the folder of an experiment. It may name solvers, engines, encodings and options
    /// that this version does not know.
    ///
    /// # Errors
    ///
    /// When the config cannot be read by this version, or a file that it names is missing or was changed.
    pub fn of_session(
        session: &Session,
        folder: &Path,
        catalog: &Catalog,
    ) -> Result<Self, ConfigError> {
        Self::of_session_to_run(session, folder, &catalog.for_records())
    }

    /// Reads the config of a session, to run jobs by it. It may name only what the catalog has.
    pub(crate) fn of_session_to_run(
        session: &Session,
        folder: &Path,
        catalog: &Catalog,
    ) -> Result<Self, ConfigError> {
        let RecordedConfig { config, files, .. } = &session.start.config;
        let source = source_of(session, folder, config);
        if session.start.config.is_imported() {
            let message =
                "its rows are imported from a table of others: it has no jobs that can be run";
            return Err(source.fault(message));
        }
        for (path, digest) in files {
            let copy = folder.join(FILES).join(digest);
            // The digest of foreign evidence may be the path of any file.
            let is_digest = digest.bytes().all(|byte| byte.is_ascii_hexdigit());
            let read = || input::read(&copy, input::LARGEST_DOCUMENT);
            let is_whole = is_digest && read().is_ok_and(|bytes| digest_of(&bytes) == *digest);
            if !is_whole {
                let message =
                    format!("its file `{path}` is missing or was changed in `{}`", copy.display());
                return Err(source.fault(message).hint("bring the file back from a copy"));
            }
        }
        let copies =
            files.iter().map(|(path, digest)| (path.clone(), folder.join(FILES).join(digest)));
        Self::of_source(source.with_copies(copies.collect()), catalog)
    }
}

/// The keys of a session's config as the text of a config.
pub(super) fn source_of(session: &Session, folder: &Path, keys: &Map<String, Json>) -> Source {
    let path = folder.join(session.start.name.as_str()).display().to_string();
    Source::new(&path, &text_of(keys))
}

/// Returns keys of a config as its text.
pub fn text_of(keys: &Map<String, Json>) -> String {
    let keys: Vec<(&str, Json)> =
        keys.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
    written(&keys)
}

/// The limits, each with its unit.
fn stated(limits: Limits) -> Json {
    let Limits { cpu_s, wall_s, memory_bytes, nodes } = limits;
    let mut stated = json!({
        "cpu": format!("{cpu_s} s"),
        "wall": format!("{wall_s} s"),
        "memory": format!("{memory_bytes} bytes"),
    });
    if let Some(nodes) = nodes {
        stated["nodes"] = nodes.into();
    }
    stated
}

/// The data of a value. A number keeps its digits.
pub(super) fn resolved(source: &Source, node: &Node) -> Json {
    match &node.value {
        Value::Nothing => Json::Null,
        Value::Flag(flag) => (*flag).into(),
        Value::Number(number) => {
            let whole = source.written(node.place).parse::<u64>().ok();
            whole.map_or_else(|| (*number).into(), Json::from)
        }
        Value::Text(text) => text.as_str().into(),
        Value::List(nodes) => nodes.iter().map(|node| resolved(source, node)).collect(),
        Value::Map(entries) => {
            let entry = |(key, value): &(Node, Node)| {
                let name = match &key.value {
                    Value::Text(name) => name.clone(),
                    _ => source.written(key.place).to_owned(),
                };
                let read = if name == "file" { paths } else { resolved };
                (name, read(source, value))
            };
            Json::Object(entries.iter().map(entry).collect())
        }
    }
}

/// The paths of a key `file`, relative to the config's own file: a config in another folder, which it extends, may state
/// them.
fn paths(source: &Source, node: &Node) -> Json {
    match &node.value {
        Value::Text(path) => {
            let located = source.locate(node.place, Path::new(path));
            located.map_or_else(|_| path.clone(), |(_, below)| below).into()
        }
        Value::List(nodes) => nodes.iter().map(|node| paths(source, node)).collect(),
        _ => resolved(source, node),
    }
}
