//! YAML as a tree in which every value has its place.
//!
//! Serde passes on values without their notation: `0x10` becomes 16 and `08` becomes 8. The tree keeps the place of
//! each value, so that the reader of a number can check its digits, and every message can show the line.
//!
//! Typed structs would lose places. A value that may be one or a list needs an untagged enum; in such an enum
//! `serde-saphyr` reports each fault at the beginning of the list, and a `Spanned` has no place.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Json;
use serde_yaml::{
    DuplicateKeyPolicy, Error, ExternalMessageSource, Location, MergeKeyPolicy, MessageFormatter,
    NonFiniteFloatPolicy, Spanned, UserMessageFormatter,
};

use super::source::{ConfigError, Source, SourceLocation};
use super::yaml_fault;

/// Whole numbers below it are exact.
const WHOLE: f64 = (1_u64 << 53) as f64;

/// A value and its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its place in the config.
    pub place: SourceLocation,
    /// The value.
    pub value: Value,
}

/// A YAML value.
#[derive(Clone, Debug)]
pub enum Value {
    /// Nothing, `null` or `~`.
    Nothing,
    /// `true` or `false`.
    Flag(bool),
    /// A number, as YAML reads it. Its digits are in the source.
    Number(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A map: keys and values in the order of the config.
    Map(Vec<(Node, Node)>),
}

impl Value {
    /// Returns the word for its kind, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Flag(_) => "true or false",
            Self::Number(_) => "a number",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
        }
    }
}

impl Node {
    /// Returns true for this text.
    pub fn is(&self, text: &str) -> bool {
        matches!(&self.value, Value::Text(own) if own == text)
    }

    /// The key of a map with this name, and its value.
    pub fn entry(&self, name: &str) -> Option<&(Self, Self)> {
        let Value::Map(entries) = &self.value else { return None };
        entries.iter().find(|(key, _)| key.is(name))
    }

    /// Returns the entries of a list, or the node itself as the only entry. A single entry need not be a list.
    pub fn one_or_more(&self) -> &[Node] {
        match &self.value {
            Value::List(nodes) => nodes,
            Value::Nothing => &[],
            _ => std::slice::from_ref(self),
        }
    }

    /// The data without places; none if a key is no text.
    pub fn data(&self) -> Option<Json> {
        Some(match &self.value {
            Value::Nothing => Json::Null,
            Value::Flag(flag) => (*flag).into(),
            Value::Number(number) if number.fract() == 0.0 && number.abs() < WHOLE => {
                (*number as i64).into()
            }
            Value::Number(number) => (*number).into(),
            Value::Text(text) => text.as_str().into(),
            Value::List(nodes) => Json::Array(nodes.iter().map(Self::data).collect::<Option<_>>()?),
            Value::Map(entries) => {
                let entry = |(key, value): &(Self, Self)| match &key.value {
                    Value::Text(key) => Some((key.clone(), value.data()?)),
                    _ => None,
                };
                Json::Object(entries.iter().map(entry).collect::<Option<_>>()?)
            }
        })
    }

    /// Sets the file of the node and of all nodes below it.
    fn stand_in(&mut self, file: usize) {
        self.place.file = file;
        match &mut self.value {
            Value::List(nodes) => nodes.iter_mut().for_each(|node| node.stand_in(file)),
            Value::Map(entries) => entries.iter_mut().for_each(|(key, value)| {
                key.stand_in(file);
                value.stand_in(file);
            }),
            Value::Nothing | Value::Flag(_) | Value::Number(_) | Value::Text(_) => {}
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The place of an alias is that of its anchor.
        let Spanned { value, defined, .. } = Spanned::<Value>::deserialize(deserializer)?;
        let span = defined.span();
        let place = SourceLocation {
            file: 0,
            line: defined.line() as u32,
            column: defined.column() as u32,
            start: span.byte_offset().unwrap_or(0) as usize,
            len: span.byte_len().unwrap_or(0) as usize,
        };
        Ok(Self { place, value })
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Nothing)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Flag(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut nodes = Vec::new();
        while let Some(node) = list.next_element()? {
            nodes.push(node);
        }
        Ok(Value::List(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Value::Map(entries))
    }
}

/// Reads the text of a file as one YAML document.
pub(super) fn parse(source: &Source, file: usize) -> Result<Node, ConfigError> {
    let options = serde_yaml::options! {
        // The budget is far above the needs of a config, and far below a noticeable cost.
        budget: serde_yaml::budget! { max_depth: 32, flow_nesting_limit: 32, max_nodes: 50_000 },
        alias_limits: serde_yaml::alias_limits! { max_total_replayed_events: 50_000 },
        duplicate_keys: DuplicateKeyPolicy::Error,
        merge_keys: MergeKeyPolicy::Error,
        strict_booleans: true,
        reject_unsupported_tags: true,
        // The reader of numbers refuses it, with its place.
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        with_snippet: false,
    };
    let mut node: Node = serde_yaml::from_str_with_options(source.text_in(file), options)
        .map_err(|error| explain(source, file, &error))?;
    node.stand_in(file);
    Ok(node)
}

/// Returns the parser's error in the shape of the other errors, with advice if there is some.
fn explain(source: &Source, file: usize, mut error: &Error) -> ConfigError {
    while let Error::AliasError { error: inner, .. } = error {
        error = inner;
    }
    let at = |message: &str| match error.location() {
        Some(location) if location != Location::UNKNOWN => {
            let len = location.span().byte_len().unwrap_or(1) as usize;
            let (line, column) = (location.line() as u32, location.column() as u32);
            source.error(source.place(file, line, column, len), message)
        }
        _ => source.fault_in(file, message),
    };
    match error {
        Error::DuplicateMappingKey { key, .. } => {
            let key = key.as_ref().map(|key| format!(" `{key}`")).unwrap_or_default();
            at(&format!("the key{key} stands here a second time")).hint("keep one of them")
        }
        Error::MultipleDocuments { .. } => {
            at("a second YAML document begins here").hint("a config is one document, without `---`")
        }
        Error::MergeKeyNotAllowed { .. } => at("merge keys are not supported")
            .hint("write the keys out, or use an alias (`*name`) for the whole value"),
        Error::Budget { .. }
        | Error::AliasReplayCounterOverflow { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => {
            at("this expands to more than a config may hold")
                .hint("nest less deeply, and write out what aliases stand for")
        }
        Error::UnknownAnchor { .. } => {
            at("`*` names another place in YAML, and there is no place of this name")
                .hint("text that begins with `*` needs quotes")
        }
        Error::UnsupportedTag { .. } => at(&UserMessageFormatter.format_message(error))
            .hint("text that begins with `!` needs quotes"),
        Error::ExternalMessage { source: fault, .. } => match fault.as_ref() {
            ExternalMessageSource::Parser(fault) => {
                let (fault, correction) = yaml_fault::in_words(fault.kind());
                at(&fault).hint(correction)
            }
            _ => at(&UserMessageFormatter.format_message(error)),
        },
        _ => at(&UserMessageFormatter.format_message(error)),
    }
}
