//! The words of JSON Schema (draft 2020-12) that the schemas of configs and rows are made of.

use serde_json::{Map, Value, json};

mod row;
#[cfg(test)]
pub(crate) mod tests;

pub use row::row_schema;

/// The dialect, as a schema names it.
pub(crate) const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// A map with these keys and no others.
pub(crate) fn map(required: &[&str], properties: &[(&str, Value)]) -> Value {
    let properties: Map<String, Value> =
        properties.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    json!({
        "type": "object",
        "required": required,
        "additionalProperties": false,
        "properties": properties
    })
}

/// One of these, or a list of at least one.
pub(crate) fn one_or_more(item: &Value) -> Value {
    json!({"anyOf": [item, {"type": "array", "minItems": 1, "items": item}]})
}

/// One of these names, or of those that fit the pattern.
pub(crate) fn named(names: &[&str], pattern: Option<&str>) -> Value {
    match pattern {
        None => json!({"enum": names}),
        Some(pattern) => {
            json!({"anyOf": [{"enum": names}, {"type": "string", "pattern": pattern}]})
        }
    }
}

/// The schema with a description.
pub(crate) fn described(description: &str, mut schema: Value) -> Value {
    schema["description"] = description.into();
    schema
}
