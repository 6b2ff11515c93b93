//! Notes on the words of a config. Former words are read as the words that replaced them, and a note names the new
//! word. A note explains a single seed.
//!
//! Keys of jobs do not change: they are computed from the JSON of jobs, which has words of its own.

use super::node::{Node, Value};
use super::source::{ConfigError, Source, SourceLocation};
use super::written::flow;

/// Former keys, each with the key that replaced it.
pub(super) const KEYS: [(&str, &str); 3] =
    [("most", "max_solutions"), ("reencode", "bva"), ("eliminate", "bve")];

/// Former values of `task`, each with the value that replaced it.
pub(super) const TASKS: [(&str, &str); 1] = [("first", "solve")];

/// The keys whose values are maps, or lists of maps, that may have these keys as well.
const WITHIN: [&str; 3] = ["include", "exclude", "solvers"];

/// Replaces the former words in a config, and adds a note for each of them. A former key beside the new one stays, and
/// is refused as an unknown key.
pub(super) fn replace(source: &Source, node: &mut Node, notes: &mut Vec<String>) {
    let Value::Map(entries) = &mut node.value else { return };
    let names = entries.iter().filter_map(|(key, _)| match &key.value {
        Value::Text(name) => Some(name.clone()),
        _ => None,
    });
    let names: Vec<String> = names.collect();
    for (key, value) in entries {
        let place = key.place;
        let Value::Text(name) = &mut key.value else { continue };
        let new = replaced(&KEYS, name).filter(|new| !names.iter().any(|name| name == new));
        if let Some(new) = new {
            note(source, place, name, new, notes);
            new.clone_into(name);
        }
        if name.as_str() == "task" {
            each(value, &mut |task| {
                let place = task.place;
                if let Value::Text(task) = &mut task.value
                    && let Some(new) = replaced(&TASKS, task)
                {
                    note(source, place, task, new, notes);
                    new.clone_into(task);
                }
            });
        } else if WITHIN.contains(&name.as_str()) {
            each(value, &mut |map| replace(source, map, notes));
        }
    }
}

/// Replaces the former key `boards`, whose entries are now those of the kind `queens` in `problems`, in a config and in
/// its entries of `include`. It is replaced in the frozen config of a record, and refused in others with the text to
/// write.
pub(super) fn replace_former_instances(
    source: &Source,
    node: &mut Node,
    is_frozen: bool,
) -> Result<(), ConfigError> {
    let Value::Map(entries) = &mut node.value else { return Ok(()) };
    let place =
        |entries: &[(Node, Node)], name: &str| entries.iter().position(|(key, _)| key.is(name));
    if let Some(include) = place(entries, "include") {
        let mut result = Ok(());
        each(&mut entries[include].1, &mut |entry| {
            if result.is_ok() {
                result = replace_former_instances(source, entry, is_frozen);
            }
        });
        result?;
    }
    let Some(former) = place(entries, "boards") else { return Ok(()) };
    let (mut key, mut value) = entries.remove(former);
    key.value = Value::Text("problems".to_owned());
    each(&mut value, &mut as_kind);
    if let Some(problems) = place(entries, "problems") {
        let more = entries[problems].1.one_or_more().to_vec();
        value.value = Value::List([value.one_or_more(), &more].concat());
        entries.remove(problems);
    }
    if !is_frozen {
        let message = "`boards` are now entries of `problems`, of the kind `queens`";
        let written = value.data().map(|data| flow(&data));
        let written = written.unwrap_or_else(|| "[{queens: …}]".to_owned());
        return Err(source.error(key.place, message).hint(format!("write `problems: {written}`")));
    }
    entries.insert(former.min(entries.len()), (key, value));
    Ok(())
}

/// The keys of former entries of `boards` that now stand beside the kind.
const BESIDE: [&str; 2] = ["shuffles", "family"];

/// Makes an entry of `problems` from one of `boards`. The keys of entries of every kind stand beside the kind.
fn as_kind(node: &mut Node) {
    let place = node.place;
    let is_beside = |(key, _): &mut (Node, Node)| BESIDE.iter().any(|name| key.is(name));
    let beside = match &mut node.value {
        Value::Map(entries) => entries.extract_if(.., is_beside).collect(),
        _ => Vec::new(),
    };
    let instance = std::mem::replace(&mut node.value, Value::Nothing);
    let kind = Node { place, value: Value::Text("queens".to_owned()) };
    let entry = (kind, Node { place, value: instance });
    node.value = Value::Map([entry].into_iter().chain(beside).collect());
}

/// Adds a note for each `seeds` with a single number above 1, which is one seed and no number of seeds.
pub(super) fn note_single_seeds(source: &Source, node: &Node, notes: &mut Vec<String>) {
    match &node.value {
        Value::List(nodes) => {
            for node in nodes {
                note_single_seeds(source, node, notes);
            }
        }
        Value::Map(entries) => {
            for (key, value) in entries {
                match (&key.value, &value.value) {
                    (Value::Text(name), Value::Number(seed)) if name == "seeds" && *seed > 1.0 => {
                        let message = format!(
                            "`seeds: {seed}` is the one seed {seed}; {seed} seeds are `seeds: 1..{seed}`"
                        );
                        notes.push(source.note(key.place, &message));
                    }
                    _ => note_single_seeds(source, value, notes),
                }
            }
        }
        _ => {}
    }
}

/// Returns the word that replaced this one, if it is a former word.
fn replaced(words: &[(&str, &'static str)], word: &str) -> Option<&'static str> {
    words.iter().find(|(former, _)| *former == word).map(|&(_, new)| new)
}

/// Applies a function to each node of a list, or to the node itself if it is no list.
fn each(node: &mut Node, apply: &mut dyn FnMut(&mut Node)) {
    match &mut node.value {
        Value::List(nodes) => nodes.iter_mut().for_each(apply),
        _ => apply(node),
    }
}

/// Adds a note on a word, unless there is one already.
fn note(source: &Source, place: SourceLocation, former: &str, new: &str, notes: &mut Vec<String>) {
    let message = format!("`{former}` is now `{new}`");
    if !notes.iter().any(|note| note.ends_with(&message)) {
        notes.push(source.note(place, &message));
    }
}
