//! Maps with known keys. A key is one entry of a table. The list of known keys in messages, the range of a number and
//! the JSON Schema follow from the table.

use bezzel_encode::SettingAxis;
use bezzel_problem::{EntryForm, UnknownId};
use serde_json::{Value as Json, json};

use super::node::{Node, Value};
use super::scalar::{choice, range_schema};
use super::source::{ConfigError, Source, SourceLocation};
use crate::backend::catalog::Catalog;
use crate::model::json_schema::{described, map, named, one_or_more};

/// A key of a map.
#[derive(Clone, Copy)]
pub struct KeySpec {
    /// The key.
    pub name: &'static str,
    /// The description in the schema and in the documentation.
    pub about: &'static str,
    /// The form of its value.
    pub form: ValueForm,
    /// True if a list of values may stand there as well.
    pub listed: bool,
    /// True if a map without it is refused.
    pub required: bool,
    /// The value that replaces an absent key, in Markdown; empty if there is none.
    without: &'static str,
}

/// The form of a key's value.
#[derive(Clone, Copy)]
pub enum ValueForm {
    /// A whole number from the first to the second.
    Whole(u64, u64),
    /// True or false.
    Flag,
    /// On or off.
    Switch,
    /// A text.
    Text,
    /// The command line of a program.
    CommandLine,
    /// One of some names.
    Name(fn() -> Vec<&'static str>),
    /// A value of a setting.
    Setting(&'static SettingAxis),
    /// A seed, or a range of seeds.
    Seeds,
    /// A value of a key of problems.
    Entry(EntryForm),
    /// Another form, by its schema.
    Of(fn(&Catalog) -> Json),
}

impl KeySpec {
    /// A key that may be left out, with one value.
    pub const fn new(name: &'static str, about: &'static str, form: ValueForm) -> Self {
        Self { name, about, form, listed: false, required: false, without: "" }
    }

    /// Returns the key with one value or a list of values.
    #[must_use]
    pub const fn listed(self) -> Self {
        Self { listed: true, ..self }
    }

    /// Returns the key as one that must be there.
    #[must_use]
    pub const fn required(self) -> Self {
        Self { required: true, ..self }
    }

    /// Returns the key with the value that replaces an absent key.
    #[must_use]
    pub const fn absent(self, without: &'static str) -> Self {
        Self { without, ..self }
    }

    /// The value that replaces an absent key, in Markdown; empty if there is none.
    pub fn default(&self) -> String {
        match self.form {
            ValueForm::Setting(axis) if self.without.is_empty() => format!("`{}`", axis.default()),
            _ => self.without.to_owned(),
        }
    }

    /// The schema of the key's value, with a description.
    fn property(&self, catalog: &Catalog) -> (&'static str, Json) {
        let about = match &self.default()[..] {
            "" => self.about.to_owned(),
            default => format!("{} Without it: {default}.", self.about),
        };
        (self.name, described(&about, self.schema(catalog)))
    }

    /// The schema of the key's value, without a description.
    pub fn schema(&self, catalog: &Catalog) -> Json {
        let one = self.form.schema(catalog);
        if self.listed { one_or_more(&one) } else { one }
    }
}

impl ValueForm {
    fn schema(self, catalog: &Catalog) -> Json {
        match self {
            Self::Whole(least, u64::MAX) => json!({"type": "integer", "minimum": least}),
            Self::Whole(least, max) => {
                json!({"type": "integer", "minimum": least, "maximum": max})
            }
            Self::Flag | Self::Entry(EntryForm::Flag) => json!({"type": "boolean"}),
            // A reader of an older version of YAML takes both words for true and false.
            Self::Switch => json!({"enum": ["on", "off", true, false]}),
            Self::Seeds => {
                json!({"anyOf": [{"type": "integer", "minimum": 0}, range_schema()]})
            }
            Self::Text | Self::Entry(EntryForm::File) => json!({"type": "string"}),
            Self::CommandLine => json!({"type": "string", "pattern": "[^ ]"}),
            Self::Name(names) => json!({"enum": names()}),
            Self::Setting(axis) => named(&axis.names(), axis.pattern),
            Self::Entry(EntryForm::Whole(least, max)) => {
                json!({"anyOf": [Self::Whole(least, max).schema(catalog), range_schema()]})
            }
            Self::Entry(EntryForm::Share) => json!({"anyOf": [
                {"type": "number", "minimum": 0, "maximum": 1},
                {"type": "string", "pattern": "^[0-9]+([.][0-9]+)? *%$"}
            ]}),
            Self::Entry(EntryForm::Word(words)) => json!({"enum": words}),
            Self::Of(schema) => schema(catalog),
        }
    }
}

/// The schema of a map with these keys and no others.
pub fn map_of(fields: &[KeySpec], catalog: &Catalog) -> Json {
    let required: Vec<_> =
        fields.iter().filter(|field| field.required).map(|field| field.name).collect();
    let property = |field: &KeySpec| field.property(catalog);
    map(&required, &fields.iter().map(property).collect::<Vec<_>>())
}

/// Keys that are often written in a map that does not have them: the map, the keys, true if only a number can be
/// taken over, the place of the text with this meaning, and the text.
const INSTEAD: [(&str, &[&str], bool, &str, &str); 16] = [
    ("the config", &["seeds", "shuffles"], true, "numberings: [TEXT]", "random: {shuffles: VALUE}"),
    ("the config", &["timeout", "time", "cpu"], false, "limits: {TEXT}", "cpu: VALUE"),
    ("the config", &["wall"], false, "limits: {TEXT}", "wall: VALUE"),
    ("the config", &["memory"], false, "limits: {TEXT}", "memory: VALUE"),
    ("the config", &["n", "size", "sizes"], false, "problems: [TEXT]", "{queens: {size: VALUE}}"),
    ("the config", &["board", "boards"], false, "problems: [TEXT]", "{queens: VALUE}"),
    ("an inclusion", &["board", "boards"], false, "problems: [TEXT]", "{queens: VALUE}"),
    ("a problem", &["size", "sizes", "n"], false, "TEXT", "queens: {size: VALUE}"),
    ("a random numbering", &["seeds", "seed"], true, "TEXT", "shuffles: VALUE"),
    ("a board", &["family"], false, "{queens: …, TEXT}", "family: VALUE"),
    ("a board", &["shuffles"], true, "{queens: …, TEXT}", "shuffles: VALUE"),
    ("a board", &["n", "side", "sizes"], false, "TEXT", "size: VALUE"),
    ("a solver", &["seed"], true, "TEXT", "seeds: VALUE"),
    ("`limits`", &["timeout", "time"], false, "TEXT", "cpu: VALUE"),
    ("an exclusion", &["board", "boards", "problem", "problems"], false, "TEXT", "instance: VALUE"),
    ("an exclusion", &["engine", "engines", "solvers"], false, "TEXT", "solver: VALUE"),
];

/// The longest value that advice repeats, in characters.
const LONGEST_REPEATED: usize = 40;

/// The advice for a key that a map with these entries does not have, if the key is often written.
fn instead(
    source: &Source,
    what: &str,
    (key, value): (&str, &Node),
    entries: &[(Node, Node)],
) -> Option<String> {
    let mut rows = INSTEAD.iter();
    let &(.., number, place, text) = rows.find(|row| row.0 == what && row.1.contains(&key))?;
    let written = source.written(value.place);
    let is_taken_over = match &value.value {
        Value::Number(_) => true,
        Value::Text(_) => !number && written.chars().count() <= LONGEST_REPEATED,
        _ => false,
    };
    let text = text.replace("VALUE", if is_taken_over { written } else { "…" });
    let is_there = |above: &str| entries.iter().any(|(key, _)| key.is(above));
    Some(match place.split_once(':') {
        Some((above, _)) if is_there(above) => format!("write `{text}` in `{above}`"),
        _ => format!("write `{}`", place.replace("TEXT", &text)),
    })
}

/// The values of a map whose keys are known.
pub struct Fields<'a> {
    /// The beginning of the map; none if it is the whole file.
    place: Option<SourceLocation>,
    source: &'a Source,
    entries: &'a [(Node, Node)],
    what: &'static str,
    known: &'a [KeySpec],
}

impl<'a> Fields<'a> {
    /// Reads `node` as a map with no other keys than the known ones; `what` names the map.
    ///
    /// # Errors
    ///
    /// When the config is not of this form there; the error has the place.
    pub fn new(
        source: &'a Source,
        node: &'a Node,
        what: &'static str,
        known: &'a [KeySpec],
    ) -> Result<Self, ConfigError> {
        let names: Vec<&str> = known.iter().map(|field| field.name).collect();
        let keys = names.join(", ");
        let Value::Map(entries) = &node.value else {
            let message = format!("{what} must be a map, not {}", node.value.kind());
            return Err(source.error(node.place, message).hint(format!("its keys are {keys}")));
        };
        for (key, value) in entries {
            let Value::Text(name) = &key.value else {
                let message = format!("a key must be text, not {}", key.value.kind());
                return Err(source
                    .error(key.place, message)
                    .hint(format!("the keys of {what} are {keys}")));
            };
            if !names.contains(&name.as_str()) {
                let unknown = source.error(key.place, format!("{what} has no key `{name}`"));
                if let Some(advice) = instead(source, what, (name, value), entries) {
                    return Err(unknown.hint(advice));
                }
                let near = UnknownId::new("key", name, &names).near;
                return Err(unknown.near(near.as_deref(), format!("its keys are {keys}")));
            }
        }
        Ok(Self { place: Some(node.place), source, entries, what, known })
    }

    /// Reads the map that is the whole file. A missing key of it has no line.
    ///
    /// # Errors
    ///
    /// When the config is not of this form there; the error has the place.
    pub fn of_file(
        source: &'a Source,
        node: &'a Node,
        what: &'static str,
        known: &'a [KeySpec],
    ) -> Result<Self, ConfigError> {
        Ok(Self { place: None, ..Self::new(source, node, what, known)? })
    }

    /// The config.
    pub(super) fn source(&self) -> &'a Source {
        self.source
    }

    /// Returns the number of keys.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The value of a key, if it is there.
    pub fn get(&self, key: &str) -> Option<&'a Node> {
        self.entries.iter().find(|(name, _)| name.is(key)).map(|(_, value)| value)
    }

    /// All keys with their values.
    pub fn entries(&self) -> &'a [(Node, Node)] {
        self.entries
    }

    /// Returns the value of a key that must be there; `example` shows a possible value.
    ///
    /// # Errors
    ///
    /// When the config is not of this form there; the error has the place.
    pub fn need(&self, key: &str, example: &str) -> Result<&'a Node, ConfigError> {
        self.get(key).ok_or_else(|| {
            let message = format!("{} has no `{key}`", self.what);
            let problem = match self.place {
                Some(place) => self.source.error(place, message),
                None => self.source.fault(message),
            };
            problem.hint(format!("add one, as in `{example}`"))
        })
    }

    /// Returns the values of a key, one or a list; none if the key is not there.
    ///
    /// # Errors
    ///
    /// When the config is not of this form there; the error has the place.
    pub fn list(&self, key: &str) -> Result<Option<&'a [Node]>, ConfigError> {
        self.get(key).map(|node| self.source.listed(node, key)).transpose()
    }

    /// The whole number of a key, in the range of the key's entry.
    ///
    /// # Errors
    ///
    /// When the config is not of this form there; the error has the place.
    pub fn whole(&self, key: &str) -> Result<Option<u64>, ConfigError> {
        let form = self.known.iter().find(|field| field.name == key).map(|field| field.form);
        let Some(ValueForm::Whole(least, max)) = form else {
            unreachable!("`{key}` is a whole number")
        };
        let read = |node| self.source.whole(node, &format!("`{key}`"), least..=max);
        self.get(key).map(read).transpose()
    }

    /// The truth value of a key.
    ///
    /// # Errors
    ///
    /// When the config is not of this form there; the error has the place.
    pub fn flag(&self, key: &str) -> Result<Option<bool>, ConfigError> {
        self.get(key).map(|node| self.source.flag(node, &format!("`{key}`"))).transpose()
    }

    /// Returns the choice that a key names.
    ///
    /// # Errors
    ///
    /// When the config is not of this form there; the error has the place.
    pub fn choice<T: Copy>(
        &self,
        key: &'static str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, ConfigError> {
        self.get(key).map(|node| choice(self.source, node, key, choices)).transpose()
    }
}
