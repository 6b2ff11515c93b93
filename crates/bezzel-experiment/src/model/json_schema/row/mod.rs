//! The JSON Schema of a row, made from the table of its fields. Objects have no other keys.

use bezzel_encode::Settings;
use serde_json::{Map, Value, json};

use super::{DIALECT, described, named};
use crate::model::fields::{FieldKind, Presence, RowField};
use crate::model::row::Row;

/// Returns the JSON Schema (draft 2020-12) of a line of a session that is a row.
pub fn row_schema() -> Value {
    let checksum = json!({"type": "string", "pattern": "^[0-9a-f]{16}$"});
    let mut schema = super::map(
        &["row", "checksum"],
        &[
            ("row", object(Row::FIELDS)),
            ("checksum", described("BLAKE3 of the line without it.", checksum)),
        ],
    );
    schema["$schema"] = DIALECT.into();
    schema["title"] = "A row of Bezzel's evidence".into();
    schema
}

/// The one field that readers add: it is not a part of a line.
const SESSION: &str = "session";

fn object(fields: &[RowField]) -> Value {
    let (mut required, mut properties) = (Vec::new(), Map::new());
    let mut add = |key: &'static str, is_required: bool, schema: Value| {
        if is_required {
            required.push(key);
        }
        properties.insert(key.to_owned(), schema);
    };
    for field in fields.iter().filter(|field| field.key != SESSION) {
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
        add(field.key, is_required, value);
    }
    json!({
        "type": "object",
        "required": required,
        "additionalProperties": false,
        "properties": properties
    })
}

/// The schema of an instance: a map whose one key names a kind.
fn instance() -> Value {
    let kind = |kind: &bezzel_problem::KindEntry| {
        let fields: Vec<RowField> = kind.fields.iter().map(RowField::from).collect();
        let is_open = fields.is_empty();
        (kind.id, if is_open { json!({"type": "object"}) } else { object(&fields) })
    };
    let kinds: Vec<_> = bezzel_problem::kinds().iter().map(kind).collect();
    let one: Vec<Value> = kinds.iter().map(|(id, _)| json!({"required": [id]})).collect();
    let mut schema = super::map(&[], &kinds);
    schema["oneOf"] = one.into();
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
        FieldKind::Instance => instance(),
        FieldKind::Settings => unreachable!("they stand among the fields of a job"),
    }
}

/// Returns a schema that accepts this one's values or null.
fn or_null(schema: &Value) -> Value {
    json!({"anyOf": [schema, {"type": "null"}]})
}

#[cfg(test)]
mod tests;
