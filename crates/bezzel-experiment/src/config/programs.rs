//! Solvers and engines in configs: by a name, or as programs, as in
//! `{command: "kissat --seed={seed} {cnf}"}` and `{counter: "ganak {cnf}"}`.

use std::sync::Arc;

use bezzel_encode::registry::Name;

use super::axes::unknown;
use super::fields::Fields;
use super::label::{self, NamedProgram};
use super::node::{Node, Value};
use super::source::{ConfigError, Source, SourceLocation};
use crate::backend::catalog::Catalog;
use crate::backend::command::{CommandBackend, Invocation, MalformedCommand, keys};
use crate::backend::{Backend, FindBackendError};
use crate::model::job::BackendKind;

/// The parts of a proof that is not in LRAT.
const PROOF: [&str; 2] = ["format", "convert"];

/// The keys of the entries of `solvers` or `engines`.
pub(super) struct BackendKeys {
    kind: BackendKind,
    named: Vec<&'static str>,
    program: Vec<&'static str>,
    /// The keys of a map that names neither an id nor a program; a program may be meant.
    either: Vec<&'static str>,
}

/// An entry of `solvers` or `engines`: a name, a map with a name, or a program.
pub(super) struct ConfigBackend<'a> {
    /// The map, if it is one.
    pub(super) own: Option<Fields<'a>>,
    pub(super) backend: Arc<dyn Backend>,
    /// The program with its name, if it has one.
    pub(super) named: Option<NamedProgram>,
    /// The value of `options`.
    pub(super) given: Option<&'a Node>,
    /// The place of the name, or of the program.
    pub(super) place: SourceLocation,
}

impl BackendKeys {
    /// Returns the known keys of `kind`. A named entry has `id` and the keys `named`. A program has the parts of its
    /// call and the keys `program`.
    pub(super) fn new(kind: BackendKind, named: &[&'static str], program: &[&'static str]) -> Self {
        let named = [&["id"], named].concat();
        let program = [keys(kind), program, &[label::NAMED]].concat();
        let either = [&program[..], &named].concat();
        Self { kind, named, program, either }
    }

    /// Reads an entry.
    pub(super) fn read<'a>(
        &'a self,
        source: &'a Source,
        node: &'a Node,
        catalog: &Catalog,
    ) -> Result<ConfigBackend<'a>, ConfigError> {
        let kind = self.kind;
        let (a_backend, a_program, example) = match kind {
            BackendKind::Solver => ("a solver", "a solver that is a program", "id: cadical"),
            BackendKind::Engine => ("an engine", "an engine that is a program", "id: backtrack"),
        };
        let Value::Map(_) = node.value else {
            let backend = find(source, node, kind, a_backend, catalog)?;
            return Ok(ConfigBackend {
                own: None,
                backend,
                named: None,
                given: None,
                place: node.place,
            });
        };
        let is_program = keys(kind).iter().any(|key| node.entry(key).is_some());
        let (what, known) = match is_program {
            true => (a_program, &self.program),
            false if node.entry("id").is_some() => (a_backend, &self.named),
            false => (a_backend, &self.either),
        };
        let fields = Fields::new(source, node, what, known)?;
        let (backend, place) = if is_program {
            (program(source, node, &fields, kind)?, node.place)
        } else {
            let id = fields.need("id", example)?;
            (find(source, id, kind, a_backend, catalog)?, id.place)
        };
        let named = match fields.get(label::NAMED) {
            None => None,
            Some(node) => {
                let name = label::read(source, node, &label::NAME)?;
                Some(NamedProgram { id: backend.name(), name, place: node.place })
            }
        };
        Ok(ConfigBackend { given: fields.get("options"), own: Some(fields), backend, named, place })
    }
}

/// The backend of a name.
fn find(
    source: &Source,
    node: &Node,
    kind: BackendKind,
    what: &str,
    catalog: &Catalog,
) -> Result<Arc<dyn Backend>, ConfigError> {
    let (list, other) = match kind {
        BackendKind::Solver => ("solvers", BackendKind::Engine),
        BackendKind::Engine => ("engines", BackendKind::Solver),
    };
    let name = source.text_of(node, what)?;
    catalog.named_backend(kind, name).map_err(|error| {
        let FindBackendError::Unknown(error) = error else {
            return source.error(node.place, error.to_string());
        };
        let unknown = unknown(source, node.place, &error, list);
        if catalog.backends.find(other, name).is_err() {
            return unknown;
        }
        unknown.hint(match kind {
            BackendKind::Solver => format!(
                "`{name}` is an engine: give it under `engines`, with a task, as in `task: count`"
            ),
            BackendKind::Engine => format!("`{name}` is a solver, and finds one solution"),
        })
    })
}

/// The program of a map.
fn program(
    source: &Source,
    node: &Node,
    fields: &Fields<'_>,
    kind: BackendKind,
) -> Result<Arc<dyn Backend>, ConfigError> {
    let text = |key: &str, value: &Node| -> Result<(String, Name), ConfigError> {
        let text = source.text_of(value, &format!("`{key}`"))?;
        Ok((key.to_owned(), Name::Id(text.to_owned())))
    };
    let mut parts = Vec::new();
    let mut of_proof = None;
    for &key in keys(kind) {
        let Some(value) = fields.get(key) else { continue };
        if let ("proof", Value::Map(_)) = (key, &value.value) {
            let of_proof = of_proof.insert(Fields::new(source, value, "`proof`", &PROOF)?);
            let given = PROOF.iter().filter_map(|&key| Some((key, of_proof.get(key)?)));
            let given: Result<_, _> = given.map(|(key, value)| text(key, value)).collect();
            parts.push((key.to_owned(), Name::Map(given?)));
        } else {
            parts.push(text(key, value)?);
        }
    }
    let call = Invocation::of(kind, &parts).map_err(|MalformedCommand { key, what, near }| {
        let value = key.and_then(|key| {
            fields.get(&key).or_else(|| of_proof.as_ref().and_then(|parts| parts.get(&key)))
        });
        let error = source.error(value.map_or(node.place, |value| value.place), what);
        match near {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error,
        }
    })?;
    Ok(Arc::new(CommandBackend::from(call)))
}
