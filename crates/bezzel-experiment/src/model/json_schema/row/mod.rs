//! The JSON Schema of a line of `rows.jsonl`, made from the table of its fields. Objects have no other keys.

use bezzel_encode::Settings;
use serde_json::{Map, Value, json};

use super::{DIALECT, described, named};
use crate::model::fields::{FieldKind, Presence, RowField};
use crate::model::row::Row;

/// Returns the JSON Schema (draft 2020-12) of a line of `rows.jsonl`, for all formats.
pub fn row_schema() -> Value {
    let mut schema = object(Row::FIELDS);
    for (key, about) in
        [("checksum", "BLAKE3 of the line without it."), ("seal", "The former name of `checksum`.")]
    {
        let digits = json!({"type": "string", "pattern": "^[0-9a-f]{16}$"});
        schema["properties"][key] = described(about, digits);
    }
    // Lines of the first format name no format and have no checksum.
    schema["anyOf"] = json!([
        {"required": ["format", "checksum"], "properties": {"seal": false}},
        {"required": ["format", "seal"], "properties": {"checksum": false}},
        {"properties": {"format": {"enum": [1]}, "checksum": false, "seal": false}}
    ]);
    schema["$schema"] = DIALECT.into();
    schema["title"] = "A line of Bezzel's evidence".into();
    schema
}

fn object(fields: &[RowField]) -> Value {
    let (mut required, mut properties, mut one_of) = (Vec::new(), Map::new(), Vec::new());
    let mut all_of = Vec::new();
    let mut add = |key: &'static str, is_required: bool, schema: Value| {
        if is_required {
            required.push(key);
        }
        properties.insert(key.to_owned(), schema);
    };
    for field in fields {
        if matches!(field.entry.kind, FieldKind::Instance) {
            for kind in bezzel_problem::kinds().iter() {
                let fields: Vec<RowField> = kind.fields.iter().map(RowField::from).collect();
                let is_open = fields.is_empty();
                let schema = if is_open { json!({"type": "object"}) } else { object(&fields) };
                add(kind.key, false, described(&about(field), schema));
                one_of.push(json!({"required": [kind.key]}));
            }
            continue;
        }
        if matches!(field.entry.kind, FieldKind::Settings) {
            for axis in Settings::AXES {
                let value = described(axis.in_rows.trim(), named(&axis.names(), axis.pattern));
                let nullable = axis.is_nullable();
                add(axis.key, nullable, if nullable { or_null(&value) } else { value });
            }
            continue;
        }
        let value = described(&about(field), value(field.entry.kind));
        let (is_required, value) = match field.entry.presence {
            Presence::Always => (true, value),
            Presence::Null => (true, or_null(&value)),
            Presence::Or(_) => (false, value),
        };
        if let Some(was) = field.was {
            // A row has the field under one of its names.
            let either = json!([{"required": [field.key]}, {"required": [was]}]);
            all_of.push(json!({"oneOf": either}));
            let about = format!("The former name of `{}`.", field.key);
            add(was, false, described(&about, value.clone()));
            add(field.key, false, value);
        } else {
            add(field.key, is_required, value);
        }
    }
    let mut schema = json!({
        "type": "object",
        "required": required,
        "additionalProperties": false,
        "properties": properties
    });
    if !one_of.is_empty() {
        schema["oneOf"] = one_of.into();
    }
    if !all_of.is_empty() {
        schema["allOf"] = all_of.into();
    }
    schema
}

/// The description of a field, on one line.
fn about(field: &RowField) -> String {
    let about = field.about.trim();
    let is_clear = about.contains("seconds") || !matches!(field.entry.kind, FieldKind::Seconds);
    if is_clear { about.to_owned() } else { format!("{about} In seconds.") }
}

fn value(kind: FieldKind) -> Value {
    let text = |pattern: &str| json!({"type": "string", "pattern": pattern});
    let whole = |least: u32| json!({"type": "integer", "minimum": least});
    match kind {
        FieldKind::Text => json!({"type": "string"}),
        FieldKind::Hex(digits) => text(&format!("^[0-9a-f]{{{digits}}}$")),
        FieldKind::Digits => text("^(0|[1-9][0-9]*)$"),
        FieldKind::Marks => text("^[Qx./]*$"),
        FieldKind::Count => whole(0),
        FieldKind::Between(least, u32::MAX) => whole(least),
        FieldKind::Between(least, max) => {
            json!({"type": "integer", "minimum": least, "maximum": max})
        }
        FieldKind::Seconds => json!({"type": "number", "minimum": 0}),
        FieldKind::Number => json!({"type": "number"}),
        FieldKind::Flag => json!({"type": "boolean"}),
        FieldKind::Word(names) => json!({"enum": names()}),
        FieldKind::OneOf(names) => json!({"enum": names}),
        FieldKind::Places => json!({
            "type": "array",
            "items": {"type": "array", "minItems": 2, "maxItems": 2, "items": whole(1)}
        }),
        FieldKind::Numbers => json!({"type": "array", "items": whole(1)}),
        FieldKind::Options => {
            json!({"type": "object", "additionalProperties": {"type": ["boolean", "number"]}})
        }
        FieldKind::Lengths => json!({"type": "object", "additionalProperties": whole(0)}),
        FieldKind::Map(fields) => object(fields),
        FieldKind::List(fields) => json!({"type": "array", "items": object(fields)}),
        FieldKind::Settings | FieldKind::Instance => {
            unreachable!("they stand among the fields of a job")
        }
    }
}

/// Returns a schema that accepts this one's values or null.
fn or_null(schema: &Value) -> Value {
    json!({"anyOf": [schema, {"type": "null"}]})
}

#[cfg(test)]
mod tests;
