//! Kinds of problems that describe their entries by a list of keys.
//!
//! Each key takes a value, a list of values, or a range of whole numbers; each combination is an instance. A kind with
//! one key takes the values of this key without its name, as in `{file: "instances/*.knf"}`.

use std::collections::HashMap;
use std::path::Path;

use bezzel_problem::{EntryError, EntryForm, EntryKey, EntryValue, EntryValues, Instance};

use super::fields::Fields;
use super::file;
use super::glob::Glob;
use super::instances::InstanceEntry;
use super::node::{Node, Value};
use super::read_entry::{KindKey, ReadEntry};
use super::scalar::choice;
use super::source::{ConfigError, Source, SourceLocation};
use crate::results::store::Attached;

/// The largest number of instances of one entry.
const MAX_INSTANCES: usize = 10_000;

/// A kind with the list of its keys.
pub(super) struct EntryKind {
    pub(super) name: &'static str,
    pub(super) keys: &'static [EntryKey],
    /// Makes the instance of a combination of values.
    pub(super) make: fn(&EntryValues) -> Result<Instance, EntryError>,
}

impl EntryKind {
    /// Every combination of the values of the keys of an entry.
    fn combinations(
        &self,
        source: &Source,
        node: &Node,
        files: &mut Vec<Attached>,
    ) -> Result<Vec<Vec<Chosen>>, ConfigError> {
        let Self { name: kind, keys, .. } = *self;
        let known: Vec<&str> = keys.iter().map(|key| key.name).collect();
        let is_bare = keys.len() == 1 && !matches!(node.value, Value::Map(_));
        let fields = if is_bare { None } else { Some(Fields::new(source, node, kind, &known)?) };
        let mut all: Vec<Vec<Chosen>> = vec![Vec::new()];
        for key in keys {
            let nodes = match &fields {
                Some(fields) => match fields.list(key.name)? {
                    Some(nodes) => nodes,
                    None if key.required => {
                        let example = format!("{}: {}", key.name, example(key.form));
                        fields.need(key.name, &example)?.one_or_more()
                    }
                    None => continue,
                },
                None => source.listed(node, kind)?,
            };
            let mut values: Vec<(EntryValue, SourceLocation)> = Vec::new();
            for node in nodes {
                for value in read_values(source, node, key, files)? {
                    if values.iter().any(|(other, _)| *other == value) {
                        let message = format!("`{}` has this value twice", key.name);
                        return Err(source.error(node.place, message).hint("keep one of them"));
                    }
                    values.push((value, node.place));
                }
            }
            if all.len().saturating_mul(values.len()) > MAX_INSTANCES {
                let message = format!("this entry has more than {MAX_INSTANCES} instances");
                return Err(source.error(node.place, message).hint("take fewer values or seeds"));
            }
            all = all
                .into_iter()
                .flat_map(|chosen| {
                    let with = |(value, place): &(EntryValue, SourceLocation)| {
                        let own = (key.name, value.clone(), *place);
                        chosen.iter().cloned().chain([own]).collect()
                    };
                    values.iter().map(with).collect::<Vec<_>>()
                })
                .collect();
        }
        Ok(all)
    }
}

impl ReadEntry for EntryKind {
    fn name(&self) -> &'static str {
        self.name
    }

    fn keys(&self) -> Vec<KindKey> {
        let key = |&EntryKey { name, about, form, required }: &EntryKey| KindKey {
            name,
            about,
            form: Some(form),
            required,
        };
        self.keys.iter().map(key).collect()
    }

    fn read(
        &self,
        source: &Source,
        node: &Node,
        files: &mut Vec<Attached>,
    ) -> Result<Vec<InstanceEntry>, ConfigError> {
        let all = self.combinations(source, node, files)?;
        let mut made: HashMap<Instance, &[Chosen]> = HashMap::new();
        let (mut instances, mut faults) = (Vec::new(), Vec::new());
        for values in &all {
            let own = values.iter().map(|(key, value, _)| (*key, value.clone())).collect();
            match (self.make)(&EntryValues(own)) {
                Err(EntryError { key, message }) => {
                    let at = values.iter().find(|(name, ..)| *name == key);
                    faults.push(source.error(at.map_or(node.place, |(.., at)| *at), message));
                }
                Ok(instance) => {
                    if let Some(first) = made.insert(instance.clone(), values) {
                        return Err(same_instance(source, &instance, first, values));
                    }
                    let file = instance.file();
                    let has_open_objective = file.is_some_and(|file| file.objective().is_some());
                    let entry = InstanceEntry::new(instance, node.place);
                    instances.push(InstanceEntry { has_open_objective, ..entry });
                }
            }
        }
        ConfigError::joined(faults).map_or(Ok(instances), Err)
    }
}

/// The error of two combinations of values that give the same instance.
fn same_instance(
    source: &Source,
    instance: &Instance,
    first: &[Chosen],
    second: &[Chosen],
) -> ConfigError {
    let differ = |((_, one, _), (_, other, _)): &(&Chosen, &Chosen)| one != other;
    let pair = first.iter().zip(second).find(differ).expect("the values of a key differ");
    let ((key, one, _), (_, other, place)) = pair;
    let (one, other) = (shown(one), shown(other));
    let (message, hint) = if matches!(pair.1.1, EntryValue::File(_)) {
        let message = format!("the files `{one}` and `{other}` state the same problem");
        (message, "remove one of the two files".to_owned())
    } else {
        let message =
            format!("`{key}` {one} and `{key}` {other} give the same instance, {instance}");
        (message, format!("keep one value of `{key}`"))
    };
    source.error(*place, message).hint(hint)
}

/// A value as it is written in a config; a file by its path.
fn shown(value: &EntryValue) -> String {
    match value {
        EntryValue::Whole(number) => number.to_string(),
        EntryValue::Share(share) => share.to_string(),
        EntryValue::Word(word) => word.clone(),
        EntryValue::Flag(flag) => flag.to_string(),
        EntryValue::File(file) => file.name.clone(),
    }
}

/// A key with one of its values, and the place of the value.
type Chosen = (&'static str, EntryValue, SourceLocation);

/// A value of this form, for messages.
fn example(form: EntryForm) -> String {
    match form {
        EntryForm::Whole(least, max) => 8.clamp(least, max).to_string(),
        EntryForm::Share => "42 %".into(),
        EntryForm::Word(words) => words[0].into(),
        EntryForm::Flag => "true".into(),
        EntryForm::File => "instances/hard.txt".into(),
    }
}

/// Reads the values that a node means: one, or those of a range of numbers or of a pattern of files.
fn read_values(
    source: &Source,
    node: &Node,
    key: &EntryKey,
    files: &mut Vec<Attached>,
) -> Result<Vec<EntryValue>, ConfigError> {
    let what = format!("`{}`", key.name);
    Ok(match key.form {
        EntryForm::Whole(least, max) => {
            if let Value::Text(text) = &node.value {
                let range = source.range(node.place, text, "values", MAX_INSTANCES as u64)?;
                if *range.start() < least || *range.end() > max {
                    let message = format!("{what} must be from {least} to {max}, not {text}");
                    return Err(source.error(node.place, message));
                }
                return Ok(range.map(EntryValue::Whole).collect());
            }
            vec![EntryValue::Whole(source.whole(node, &what, least..=max)?)]
        }
        EntryForm::Share => vec![EntryValue::Share(share(source, node, &what)?)],
        EntryForm::Word(words) => {
            let choices: Vec<(&str, &str)> = words.iter().map(|word| (*word, *word)).collect();
            vec![EntryValue::Word(choice(source, node, key.name, &choices)?.to_owned())]
        }
        EntryForm::Flag => vec![EntryValue::Flag(source.switch(node, &what)?)],
        EntryForm::File => {
            let (mut values, mut faults) = (Vec::new(), Vec::new());
            for name in names(source, node)? {
                match file::attached(source, node, &name) {
                    Ok((attached, file)) => {
                        values.push(EntryValue::File(file));
                        files.push(attached);
                    }
                    Err(fault) => faults.push(fault),
                }
            }
            match ConfigError::joined(faults) {
                Some(fault) => return Err(fault),
                None => values,
            }
        }
    })
}

/// A share: a number from 0 to 1, or a percentage as in `42 %`.
fn share(source: &Source, node: &Node, what: &str) -> Result<f64, ConfigError> {
    let share = match &node.value {
        Value::Text(text) => {
            let percent = text.strip_suffix('%').map(str::trim_end);
            let percent = percent.filter(|digits| super::scalar::is_decimal(digits));
            let percent = percent.and_then(|digits| digits.parse::<f64>().ok());
            percent.map(|percent| percent / 100.0).ok_or_else(|| {
                let message = format!("{what} must be a share, not `{text}`");
                source.error(node.place, message).hint("write 0.42 or 42 %")
            })?
        }
        _ => source.decimal(node, what)?,
    };
    if (0.0..=1.0).contains(&share) {
        return Ok(share);
    }
    let message = format!("{what} must be from 0 to 1, or from 0 % to 100 %");
    Err(source.error(node.place, message))
}

/// Returns the names of the files that a node means: one, or all that fit a pattern in the last part of the path.
/// Names with characters that a terminal obeys are refused.
fn names(source: &Source, node: &Node) -> Result<Vec<String>, ConfigError> {
    let path = file::path_beside(source, node, "`file`")?;
    let name =
        Path::new(path).file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
    let pattern = Glob::new(&name);
    let folder = Path::new(path).parent().unwrap_or(Path::new(""));
    if !Glob::is_meant(&name) {
        return Ok(vec![file::literal(path).to_string_lossy().into_owned()]);
    }
    let fault = |message| file::with_near(source.error(node.place, message), source, node, path);
    let names = source.names_in(node.place, folder).map_err(|(folder, error)| {
        fault(format!("the folder {} cannot be read: {error}", folder.display()))
    })?;
    let names = names.into_iter().filter(|name| pattern.matches(name));
    let mut names: Vec<String> =
        names.map(|name| folder.join(name).to_string_lossy().into_owned()).collect();
    if names.is_empty() {
        return Err(fault(format!("no file fits `{path}`")));
    }
    for name in &names {
        file::refuse_obeyed(source, node, name)?;
    }
    names.sort();
    Ok(names)
}
