//! The instances of an experiment by their kinds: the key `problems`.
//!
//! An entry names one kind with values for its keys. Each key takes a value, a list of values, or a range of whole
//! numbers; each combination is an instance. A kind with one key takes the values of this key without its name, as in
//! `{file: "instances/*.knf"}`. Instances are generated when the config is read, so jobs and rows contain the
//! instances themselves.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use bezzel_problem::{
    EntryError, EntryForm, EntryKey, EntryValue, EntryValues, Goal, Instance, Kind as _,
    ProblemFile,
};
use serde_json::{Value as Json, json};

use super::boards::{self, InstanceEntry, OF_ENTRIES};
use super::fields::{Fields, KeySpec, ValueForm, map_of};
use super::file;
use super::glob::Glob;
use super::node::{self, Node, Value};
use super::scalar::choice;
use super::source::{ConfigError, Source, SourceLocation};
use crate::backend::catalog::Catalog;
use crate::results::store::Attached;

/// The largest number of instances of one entry.
const MAX_INSTANCES: usize = 10_000;

/// The key of boards, whose value is an entry of `boards`.
const QUEENS: KeySpec =
    KeySpec::new("queens", "Queens: an entry as in `boards`.", ValueForm::Of(boards::schema));

/// The key beside `file` that states the use of an objective.
const OBJECTIVE: KeySpec = KeySpec::new(
    "objective",
    "The use of the objective of an OPB file: one more constraint, as `at most 41`, `at least 41` or `exactly 41`; or \
     `ignored` for any solution. With `task: optimise` it is left away.",
    ValueForm::Text,
)
.listed();

/// The keys of the entries of a kind.
fn fields_of(keys: &[EntryKey]) -> Vec<KeySpec> {
    let field = |key: &EntryKey| {
        let field = KeySpec::new(key.name, key.about, ValueForm::Entry(key.form)).listed();
        if key.required { field.required() } else { field }
    };
    keys.iter().map(field).collect()
}

/// The schema of an entry: a shape for each kind.
pub(super) fn schema(catalog: &Catalog) -> Json {
    let kinds = bezzel_problem::kinds().with_entries().map(|(kind, keys, _)| {
        let of_kind = KeySpec::new(kind, "", ValueForm::Text).required();
        let objective = (kind == ProblemFile::ID).then_some(OBJECTIVE);
        let own: Vec<KeySpec> = [of_kind].into_iter().chain(objective).collect();
        let mut schema = map_of(&[&own[..], &OF_ENTRIES].concat(), catalog);
        let fields = fields_of(keys);
        schema["properties"][kind] = match &fields[..] {
            [only] => {
                json!({"anyOf": [map_of(&fields, catalog), only.schema(catalog)]})
            }
            _ => map_of(&fields, catalog),
        };
        schema
    });
    let queens = map_of(&[&[QUEENS.required()][..], &OF_ENTRIES].concat(), catalog);
    json!({"anyOf": kinds.chain([queens]).collect::<Vec<_>>()})
}

/// Reads the instances, and the files from which some of them were read.
pub(super) fn read(
    source: &Source,
    nodes: &[Node],
) -> Result<(Vec<InstanceEntry>, Vec<Attached>), ConfigError> {
    let (mut instances, mut files) = (Vec::new(), Vec::new());
    for node in nodes {
        entry(source, node, &mut instances, &mut files)?;
    }
    Ok((instances, files))
}

/// Reads an entry that an argument of a command gives: its data, and its instances. The files that it names are relative
/// to `folder`.
///
/// # Errors
///
/// As for an entry of a config; the place is in the argument.
pub fn given(
    argument: &str,
    text: &str,
    folder: &Path,
) -> Result<(Json, Vec<Instance>), ConfigError> {
    let source = Source::of_argument(argument, text, folder);
    let node = node::parse(&source, 0)?;
    let (entries, _) = read(&source, std::slice::from_ref(&node))?;
    let data = node.data().ok_or_else(|| source.fault("a key of an entry is a word"))?;
    Ok((data, entries.into_iter().map(|entry| entry.instance).collect()))
}

fn entry(
    source: &Source,
    node: &Node,
    instances: &mut Vec<InstanceEntry>,
    files: &mut Vec<Attached>,
) -> Result<(), ConfigError> {
    let kinds = bezzel_problem::kinds()
        .with_entries()
        .map(|(kind, ..)| KeySpec::new(kind, "", ValueForm::Text));
    let known: Vec<KeySpec> = kinds.chain([QUEENS, OBJECTIVE]).chain(OF_ENTRIES).collect();
    let fields = Fields::new(source, node, "a problem", &known)?;
    let (shuffles, family) = boards::of_entry(source, &fields)?;
    let stated: Vec<&KeySpec> = known[..known.len() - OF_ENTRIES.len() - 1]
        .iter()
        .filter(|field| fields.get(field.name).is_some())
        .collect();
    let [kind] = stated[..] else {
        let message = match stated[..] {
            [] => "a problem must name its kind".to_owned(),
            [one, other, ..] => {
                format!("a problem has one kind, not `{}` and `{}`", one.name, other.name)
            }
            [_] => unreachable!("it is matched above"),
        };
        let example = "as in `{latin-square: {order: 10, holes: 42 %, seeds: 1..10}}`";
        return Err(source.error(node.place, message).hint(example));
    };
    let value = fields.get(kind.name).expect("it is stated");
    let place = value.place;
    let objectives = match fields.list(OBJECTIVE.name)? {
        Some([node, ..]) if kind.name != ProblemFile::ID => {
            let message = format!("`objective` is for files, and `{}` is none", kind.name);
            return Err(source.error(node.place, message).hint("remove it"));
        }
        Some(nodes) => Some(objectives(source, nodes)?),
        None => None,
    };
    if kind.name == QUEENS.name {
        let (boards, named) = boards::read(source, value.one_or_more())?;
        instances.extend(boards.into_iter().map(|board| InstanceEntry {
            shuffles: shuffles.or(board.shuffles),
            family: family.clone().or(board.family),
            ..board
        }));
        files.extend(named);
        return Ok(());
    }
    let (_, keys, make) = bezzel_problem::kinds()
        .with_entries()
        .find(|(id, ..)| *id == kind.name)
        .expect("the other kinds are those with entries");
    let all = combinations(source, value, kind.name, keys, files)?;
    let mut made: HashMap<Instance, &[Chosen]> = HashMap::new();
    let mut faults = Vec::new();
    for values in &all {
        let instance = make(&EntryValues(
            values.iter().map(|(key, value, _)| (*key, value.clone())).collect(),
        ));
        let instance = match instance {
            Ok(instance) => instance,
            Err(EntryError { key, message }) => {
                let at = values.iter().find(|(name, ..)| *name == key);
                faults.push(source.error(at.map_or(place, |(.., place)| *place), message));
                continue;
            }
        };
        if let Some(first) = made.insert(instance.clone(), values) {
            return Err(same_instance(source, &instance, keys, first, values));
        }
        let entry = InstanceEntry {
            has_open_objective: false,
            instance,
            shuffles,
            family: family.clone(),
            constraints: None,
            place,
        };
        let Some(file) = entry.instance.file() else {
            instances.push(entry);
            continue;
        };
        let Some(objectives) = &objectives else {
            let has_open_objective = file.objective().is_some();
            instances.push(InstanceEntry { has_open_objective, ..entry });
            continue;
        };
        for (goal, place) in objectives {
            match file.with_goal(goal.clone()) {
                Ok(file) => {
                    let instance = file.into();
                    instances.push(InstanceEntry { instance, place: *place, ..entry.clone() });
                }
                Err(error) => {
                    faults.push(source.error(*place, format!("{}: {error}", file.name())));
                }
            }
        }
    }
    ConfigError::joined(faults).map_or(Ok(()), Err)
}

/// Reads the uses of an objective.
fn objectives(source: &Source, nodes: &[Node]) -> Result<Vec<(Goal, SourceLocation)>, ConfigError> {
    let read = |node: &Node| {
        let goal = source.text_of(node, "`objective`")?.parse();
        goal.map(|goal| (goal, node.place)).map_err(|error: String| source.error(node.place, error))
    };
    nodes.iter().map(read).collect()
}

/// The error of two combinations of values that give the same instance.
fn same_instance(
    source: &Source,
    instance: &Instance,
    keys: &[EntryKey],
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
        let is_absent = |key: &&EntryKey| !first.iter().any(|(given, ..)| *given == key.name);
        let absent: Vec<String> =
            keys.iter().filter(is_absent).map(|key| format!("`{}`", key.name)).collect();
        let hint = match &absent[..] {
            [] => format!("keep one value of `{key}`"),
            absent => format!(
                "nothing in this entry depends on `{key}`: add a key that does, of {}, or keep one value",
                absent.join(", ")
            ),
        };
        (message, hint)
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

/// Every combination of the values of the keys of an entry.
fn combinations(
    source: &Source,
    node: &Node,
    kind: &'static str,
    keys: &'static [EntryKey],
    files: &mut Vec<Attached>,
) -> Result<Vec<Vec<Chosen>>, ConfigError> {
    let known = fields_of(keys);
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
        EntryForm::Flag => vec![EntryValue::Flag(source.flag(node, &what)?)],
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
    let mut full = source.folder(node.place).join(folder);
    if full.as_os_str().is_empty() {
        full = ".".into();
    }
    let entries = fs::read_dir(&full).map_err(|error| {
        source.error(node.place, format!("the folder {} cannot be read: {error}", full.display()))
    })?;
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| entry.file_name().into_string().ok().map(|name| (name, entry)))
        .filter(|(name, entry)| pattern.matches(name) && !entry.path().is_dir())
        .map(|(name, _)| folder.join(name).to_string_lossy().into_owned())
        .collect();
    if names.is_empty() {
        return Err(source.error(node.place, format!("no file fits `{path}`")));
    }
    for name in &names {
        file::refuse_obeyed(source, node, name)?;
    }
    names.sort();
    Ok(names)
}

/// The table of kinds with their keys in `docs/configs.md`.
#[cfg(test)]
pub(super) fn markdown() -> String {
    let head = "| kind | key | values | meaning |\n| --- | --- | --- | --- |\n".to_owned();
    let row = |kind: &str, key: &EntryKey| {
        let need = if key.required { " (required)" } else { "" };
        let (name, values, about) = (key.name, key.form, key.about.trim_end_matches('.'));
        format!("| `{kind}` | `{name}`{need} | {values} | {about} |\n")
    };
    let rows = bezzel_problem::kinds()
        .with_entries()
        .flat_map(|(kind, keys, _)| keys.iter().map(move |key| row(kind, key)));
    std::iter::once(head).chain(rows).collect()
}
