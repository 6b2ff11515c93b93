//! The schema says what the reader does, as far as a schema can.

use regex::Regex;
use serde_json::Value;

use super::*;
use crate::config::schema::schema;

/// Whether a value fits a schema, of the few words that ours uses; `root` is where they refer to.
fn fits(value: &Value, schema: &Value, root: &Value) -> bool {
    let fits = |value: &Value, schema: &Value| fits(value, schema, root);
    let Value::Object(words) = schema else { panic!("{schema} is no schema") };
    words.iter().all(|(word, said)| match word.as_str() {
        "$schema" | "$defs" | "title" | "description" => true,
        "$ref" => {
            let path = said.as_str().unwrap().strip_prefix('#').unwrap();
            fits(value, root.pointer(path).unwrap())
        }
        "pattern" => {
            let pattern = Regex::new(said.as_str().unwrap()).unwrap();
            value.as_str().is_none_or(|text| pattern.is_match(text))
        }
        "type" => match said {
            Value::Array(kinds) => kinds.iter().any(|kind| is(value, kind)),
            kind => is(value, kind),
        },
        "enum" => said.as_array().unwrap().contains(value),
        "anyOf" => said.as_array().unwrap().iter().any(|schema| fits(value, schema)),
        "required" => {
            said.as_array().unwrap().iter().all(|key| {
                value.as_object().is_none_or(|map| map.contains_key(key.as_str().unwrap()))
            })
        }
        "properties" => value.as_object().is_none_or(|map| {
            map.iter().all(|(key, value)| said.get(key).is_none_or(|schema| fits(value, schema)))
        }),
        "additionalProperties" => value.as_object().is_none_or(|map| {
            let known = words.get("properties");
            map.iter()
                .filter(|(key, _)| known.is_none_or(|known| known.get(key).is_none()))
                .all(|(_, value)| if said == false { false } else { fits(value, said) })
        }),
        "items" => value.as_array().is_none_or(|list| list.iter().all(|item| fits(item, said))),
        "minItems" => {
            value.as_array().is_none_or(|list| list.len() as u64 >= said.as_u64().unwrap())
        }
        "maxItems" => {
            value.as_array().is_none_or(|list| list.len() as u64 <= said.as_u64().unwrap())
        }
        "maxLength" => {
            value.as_str().is_none_or(|text| text.chars().count() as u64 <= said.as_u64().unwrap())
        }
        "minimum" => value.as_f64().is_none_or(|number| number >= said.as_f64().unwrap()),
        "maximum" => value.as_f64().is_none_or(|number| number <= said.as_f64().unwrap()),
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

pub(super) fn fits_schema(text: &str) -> bool {
    let value: Value = serde_yaml::from_str(text).unwrap();
    let schema = schema(&Workbench::standard());
    fits(&value, &schema, &schema)
}

#[test]
fn whatever_is_read_fits_the_schema() {
    for text in [SMALLEST, ALL_AXES, ONE_EACH] {
        parse(text).unwrap();
        assert!(fits_schema(text), "{text}");
    }
    for path in super::configs() {
        let text = std::fs::read_to_string(path).unwrap();
        assert!(fits_schema(&text), "{text}");
    }
}

#[test]
fn faults_of_shape_do_not_fit_the_schema() {
    for lines in [
        "colour: red\n",
        "repeats: 0\n",
        "repeats: twice\n",
        "constraints: []\n",
        "constraints: no-column\n",
        "blocked: simple\n",
        "blocked: [[1, 2]]\n",
        "symmetry: half\n",
        "symmetry: []\n",
        "numberings: [random: {seeds: 3}]\n",
        "numberings: [random: {polarity: 1}]\n",
        "numberings: [{squares: spirals}]\n",
        "numberings: [{auxiliaries: before, random: }]\n",
        "limits: {cpu: 0}\n",
        "limits: {memory: 2000000000}\n",
    ] {
        let text = format!("{SMALLEST}{lines}");
        assert!(parse(&text).is_err() && !fits_schema(&text), "{text}");
    }
    for (right, wrong) in [
        ("size: 8", "size: 0"),
        ("size: 8", "size: true"),
        ("size: 8", "sise: 8"),
        ("size: 8", "size: 8, queens: [[1, 2, 3]]"),
        ("pairwise", "pairwize"),
        ("[cadical]", "[{options: {factor: 1}}]"),
        ("name: smallest", ""),
    ] {
        let text = SMALLEST.replace(right, wrong);
        assert!(parse(&text).is_err() && !fits_schema(&text), "{text}");
    }
}

#[test]
fn mixtures_and_cut_offs_fit_the_schema_as_they_are_read() {
    let with = |encoding: &str| SMALLEST.replace("[pairwise]", &format!("[{encoding}]"));
    for encoding in [
        "{rows: sequential-counter, columns: pairwise, diagonals: product}",
        "{rows: {short: pairwise, long: product, at: 7}, columns: sinz, diagonals: bitwise}",
        "{short: pairwise, long: {short: bitwise, long: product, at: 20}, at: 7}",
        "{command: python3 my_encoder.py}",
        "{command: \"./encoder --fast\", kind: at-most-one}",
        "{command: ./encoder, kind: board}",
        "{rows: {command: ./encoder}, columns: pairwise, diagonals: product}",
    ] {
        let text = with(encoding);
        parse(&text).unwrap();
        assert!(fits_schema(&text), "{text}");
    }
    for encoding in [
        "{rows: pairwise, columns: pairwise}",
        "{rows: binary, columns: pairwise, diagonals: pairwise}",
        "{short: pairwise, long: product, at: seven}",
        "{short: pairwise, long: product, at: 7, rows: pairwise}",
        "{commander: 4}",
        "{command: 4}",
        "{command: ''}",
        "{command: ./encoder, kind: boards}",
        "{kind: board}",
        "{rows: {command: ./encoder, kind: board}, columns: pairwise, diagonals: product}",
        "{}",
    ] {
        let text = with(encoding);
        assert!(parse(&text).is_err() && !fits_schema(&text), "{text}");
    }
}

#[test]
fn the_schema_has_the_keys_that_are_read() {
    let schema = schema(&Workbench::standard());
    let keys: Vec<_> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(keys, KEYS.iter().collect::<Vec<_>>());
}
