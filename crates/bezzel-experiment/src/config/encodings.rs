//! The axis of encodings: ids, patterns over ids, and maps.

use bezzel_encode::NameError;
use bezzel_encode::registry::{COMMAND_KEYS, CUTOFF_KEYS, CommandKind, Name, mixture_keys};
use bezzel_problem::{UnknownId, is_family};

use super::axes::unknown;
use super::duplicates::refuse_duplicates;
use super::glob::Glob;
use super::label::{self, NamedProgram};
use super::node::{Node, Value};
use super::scalar::choice;
use super::source::{ConfigError, Source, SourceLocation};
use crate::backend::catalog::Catalog;

/// An encoding.
#[derive(Clone, Debug)]
pub struct EncodingEntry {
    /// The id. An alias in the config is replaced by it.
    pub id: String,
    /// The programs in it that have a name.
    pub(crate) named: Vec<NamedProgram>,
    /// True if the config names it by a pattern and not by its id.
    pub(crate) by_pattern: bool,
    pub(crate) place: SourceLocation,
}

/// Reads the list of encodings.
pub(super) fn encodings(
    source: &Source,
    nodes: &[Node],
    catalog: &Catalog,
) -> Result<Vec<EncodingEntry>, ConfigError> {
    let mut entries = Vec::new();
    for node in nodes {
        match &node.value {
            Value::Text(text) if text.starts_with('!') => {
                remove(source, node, &text[1..], catalog, &mut entries)?;
            }
            Value::Text(text) if Glob::is_meant(text) => {
                entries.extend(all_that_fit(source, node, text, catalog)?);
            }
            _ => entries.push(one(source, node, catalog)?),
        }
    }
    if let (false, [], [first, ..]) = (catalog.is_for_records, &entries[..], nodes) {
        let message = "no encoding is left: every one is removed again";
        return Err(source.error(first.place, message));
    }
    let places = entries.iter().map(|entry| (entry.id.as_str(), entry.place));
    refuse_duplicates(source, places, |id, _| format!("the encoding `{id}` is listed twice"))?;
    Ok(entries)
}

/// One encoding, by its name.
pub(super) fn one(
    source: &Source,
    node: &Node,
    catalog: &Catalog,
) -> Result<EncodingEntry, ConfigError> {
    let mut named = Vec::new();
    let name = name(source, node, catalog, &mut named)?;
    let found = catalog.named_encoding(&name);
    let found = found.map_err(|error| fault(source, node.place, &error))?;
    let id = found.info().id;
    // One encoding for some families of a file has the id of that encoding, which would encode all families.
    if let Name::Map(parts) = &name
        && !id.starts_with('{')
        && parts.iter().all(|(key, _)| is_family(key))
    {
        let message = format!("`{name}` names an encoding for some families of files only");
        let hint = format!("write `{id}` for all families, or add the key `default`");
        return Err(source.error(node.place, message).hint(&hint));
    }
    Ok(EncodingEntry { id, named, by_pattern: false, place: node.place })
}

/// All listed encodings whose ids fit a pattern, in the order of the list.
fn all_that_fit(
    source: &Source,
    node: &Node,
    pattern: &str,
    catalog: &Catalog,
) -> Result<Vec<EncodingEntry>, ConfigError> {
    let glob = Glob::new(pattern);
    let ids: Vec<_> = catalog.encodings.infos().into_iter().map(|info| info.id).collect();
    let fit = ids.iter().filter(|id| glob.matches(id));
    let entries: Vec<_> = fit
        .map(|id| EncodingEntry {
            id: id.clone(),
            named: Vec::new(),
            by_pattern: true,
            place: node.place,
        })
        .collect();
    if entries.is_empty() && !catalog.is_for_records {
        let near = UnknownId::new("encoding", &pattern.replace(['*', '?'], ""), &ids).near;
        let problem = source.error(node.place, format!("no listed encoding fits `{pattern}`"));
        return Err(problem.near(near.as_deref(), "`bezzel list` shows the encodings"));
    }
    Ok(entries)
}

/// Removes the earlier entries that fit: `!` and a name or a pattern.
fn remove(
    source: &Source,
    node: &Node,
    pattern: &str,
    catalog: &Catalog,
    entries: &mut Vec<EncodingEntry>,
) -> Result<(), ConfigError> {
    let glob = if Glob::is_meant(pattern) {
        Glob::new(pattern)
    } else {
        let found = catalog.named_encoding(&Name::Id(pattern.to_owned()));
        Glob::exact(&found.map_err(|error| fault(source, node.place, &error))?.info().id)
    };
    let before = entries.len();
    entries.retain(|entry| !glob.matches(&entry.id));
    if entries.len() == before && !catalog.is_for_records {
        let message = format!("`!{pattern}` removes nothing: no encoding before it fits");
        return Err(source.error(node.place, message).hint("patterns are read from left to right"));
    }
    Ok(())
}

/// Returns the name that a node states. The encodings within a map are looked up as well, so that a fault is shown at
/// its own place. Adds the programs that have a name.
fn name(
    source: &Source,
    node: &Node,
    catalog: &Catalog,
    named: &mut Vec<NamedProgram>,
) -> Result<Name, ConfigError> {
    let Value::Map(entries) = &node.value else {
        return Ok(Name::Id(source.text_of(node, "an encoding")?.to_owned()));
    };
    let mut parts = Vec::with_capacity(entries.len());
    let is_command = node.entry(COMMAND_KEYS[0]).is_some();
    let mut own_name = None;
    for (key, value) in entries {
        let text = source.text_of(key, "a key of an encoding")?;
        if is_command && text == label::NAMED {
            own_name = Some((label::read(source, value, &label::NAME)?, value.place));
            continue;
        }
        let mixture_keys = mixture_keys();
        let keys = mixture_keys.iter().chain(&CUTOFF_KEYS).chain(&COMMAND_KEYS);
        if !keys.clone().any(|known| known == &text) && !is_family(text) {
            let is_family = catalog.encodings.families().iter().any(|known| known.name == text);
            if is_command {
                let message = format!("a program that encodes has no key `{text}`");
                let near = UnknownId::new("key", text, COMMAND_KEYS).near;
                let hint = "its keys are `command`, `kind` and `name`";
                return Err(source.error(key.place, message).near(near.as_deref(), hint));
            }
            let known = keys.clone().copied().chain(["exactly-one", "at-most-one"]);
            let near = UnknownId::new("key", text, known).near.filter(|_| !is_family);
            let all = || keys.map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
            let hint = if is_family {
                "a parameter follows a colon without a blank, as in `id:4`".to_owned()
            } else {
                format!("its keys are {}", all())
            };
            let problem = source.error(key.place, format!("an encoding has no key `{text}`"));
            return Err(problem.near(near.as_deref(), &hint));
        }
        let key = text.to_owned();
        let part = if key == "at" {
            Name::Id(source.written(value.place).to_owned())
        } else if key == "kind" {
            Name::Id(
                choice(source, value, "kind", &CommandKind::ALL.map(|kind| (kind.id(), kind)))?
                    .to_string(),
            )
        } else if COMMAND_KEYS.contains(&text) {
            Name::Id(source.text_of(value, &format!("`{text}`"))?.to_owned())
        } else {
            let part = name(source, value, catalog, named)?;
            if let Err(error) = catalog.named_encoding(&part) {
                return Err(fault(source, value.place, &error));
            }
            part
        };
        parts.push((key, part));
    }
    let name = Name::Map(parts);
    if let Some((label, place)) = own_name {
        // The id is that of jobs, unless the name has a fault, which the caller finds.
        let found = catalog.named_encoding(&name);
        let id = found.map_or_else(|_| name.to_string(), |found| found.info().id);
        named.push(NamedProgram { id, name: label, place });
    }
    Ok(name)
}

/// Returns the error of a name that names no encoding.
fn fault(source: &Source, place: SourceLocation, error: &NameError) -> ConfigError {
    match error {
        NameError::Unknown(error) => unknown(source, place, error, "encodings"),
        error => source.error(place, error.to_string()),
    }
}
