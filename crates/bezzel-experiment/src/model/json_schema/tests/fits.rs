//! Validation of a value by a schema, for tests.

use std::cell::RefCell;
use std::collections::HashMap;

use regex::Regex;
use serde_json::Value;

thread_local! {
    /// Compiled patterns: compiling one takes longer than matching.
    static PATTERNS: RefCell<HashMap<String, Regex>> = RefCell::default();
}

fn is_match(pattern: &str, text: &str) -> bool {
    PATTERNS.with_borrow_mut(|known| {
        let read = || Regex::new(pattern).unwrap();
        known.entry(pattern.to_owned()).or_insert_with(read).is_match(text)
    })
}

/// Checks that a value fits a schema, with the few keywords that these schemas use. References are resolved in `root`.
pub(crate) fn fits(value: &Value, schema: &Value, root: &Value) -> bool {
    let fits = |value: &Value, schema: &Value| fits(value, schema, root);
    let words = match schema {
        Value::Bool(everything) => return *everything,
        Value::Object(words) => words,
        other => panic!("{other} is no schema"),
    };
    words.iter().all(|(word, operand)| match word.as_str() {
        "$schema" | "$defs" | "title" | "description" => true,
        "$ref" => {
            let path = operand.as_str().unwrap().strip_prefix('#').unwrap();
            fits(value, root.pointer(path).unwrap())
        }
        "pattern" => value.as_str().is_none_or(|text| is_match(operand.as_str().unwrap(), text)),
        "type" => match operand {
            Value::Array(kinds) => kinds.iter().any(|kind| is(value, kind)),
            kind => is(value, kind),
        },
        "enum" => operand.as_array().unwrap().contains(value),
        "anyOf" => operand.as_array().unwrap().iter().any(|schema| fits(value, schema)),
        "allOf" => operand.as_array().unwrap().iter().all(|schema| fits(value, schema)),
        "oneOf" => {
            let schemas = operand.as_array().unwrap().iter();
            schemas.filter(|schema| fits(value, schema)).count() == 1
        }
        "required" => {
            operand.as_array().unwrap().iter().all(|key| {
                value.as_object().is_none_or(|map| map.contains_key(key.as_str().unwrap()))
            })
        }
        "properties" => value.as_object().is_none_or(|map| {
            map.iter().all(|(key, value)| operand.get(key).is_none_or(|schema| fits(value, schema)))
        }),
        "additionalProperties" => value.as_object().is_none_or(|map| {
            let known = words.get("properties");
            let patterns = words.get("patternProperties").and_then(Value::as_object);
            let is_matched = |key: &str| {
                patterns.is_some_and(|all| all.keys().any(|pattern| is_match(pattern, key)))
            };
            map.iter()
                .filter(|(key, _)| known.is_none_or(|known| known.get(key).is_none()))
                .filter(|(key, _)| !is_matched(key))
                .all(|(_, value)| fits(value, operand))
        }),
        "patternProperties" => value.as_object().is_none_or(|map| {
            let patterns = operand.as_object().unwrap();
            map.iter().all(|(key, value)| {
                let mut matching = patterns.iter().filter(|(pattern, _)| is_match(pattern, key));
                matching.all(|(_, schema)| fits(value, schema))
            })
        }),
        "items" => value.as_array().is_none_or(|list| list.iter().all(|item| fits(item, operand))),
        "minItems" => {
            value.as_array().is_none_or(|list| list.len() as u64 >= operand.as_u64().unwrap())
        }
        "maxItems" => {
            value.as_array().is_none_or(|list| list.len() as u64 <= operand.as_u64().unwrap())
        }
        "minProperties" => {
            value.as_object().is_none_or(|map| map.len() as u64 >= operand.as_u64().unwrap())
        }
        "maxLength" => value
            .as_str()
            .is_none_or(|text| text.chars().count() as u64 <= operand.as_u64().unwrap()),
        "minimum" => value.as_f64().is_none_or(|number| number >= operand.as_f64().unwrap()),
        "maximum" => value.as_f64().is_none_or(|number| number <= operand.as_f64().unwrap()),
        _ => panic!("`{word}` is not checked here"),
    })
}

fn is(value: &Value, kind: &Value) -> bool {
    match kind.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        kind => panic!("{kind} is no type"),
    }
}
