//! The keywords of JSON Schema (draft 2020-12) that the schemas of configs and rows use.

use serde_json::{Map, Value, json};

mod row;
#[cfg(test)]
pub(crate) mod tests;

pub use row::row_schema;

/// The identifier of the dialect.
pub(crate) const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Returns the schema of a map with these keys and no others.
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

/// Returns the schema of one `item`, or of a list of at least one.
pub(crate) fn one_or_more(item: &Value) -> Value {
    json!({"anyOf": [item, {"type": "array", "minItems": 1, "items": item}]})
}

/// Returns the schema of one of `names`, or of a text that matches `pattern`.
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
