//! The environments of the sessions that measured a record.

use bezzel_experiment::quantity::memory;
use indexmap::IndexMap;
use serde_json::Value as Json;

use crate::dataset::Dataset;
use crate::number::{count, date};

/// The largest number of listed values of a field. If there are more, their number is stated.
const MAX_VALUES: usize = 3;
/// The largest number of listed sessions of a value. If there are more, their number is stated.
const MAX_SESSIONS: usize = 12;

/// The environments of all sessions: each field with its value, or with its values and their sessions where they
/// differ.
pub(crate) fn environment(dataset: &Dataset<'_>) -> Vec<(String, String)> {
    let environments = &dataset.record.environments;
    let mut values: IndexMap<String, IndexMap<String, Vec<String>>> = IndexMap::new();
    for (number, environment) in environments.iter().enumerate() {
        let json = serde_json::to_value(environment).unwrap_or(Json::Null);
        let mut fields = Vec::new();
        flatten("", &json, &mut fields);
        for (name, value) in fields {
            values.entry(name).or_default().entry(value).or_default().push(number.to_string());
        }
    }
    let merged = values.into_iter().map(|(name, of_sessions)| {
        let is_one = of_sessions.len() == 1 && of_sessions[0].len() == environments.len();
        let of = |(value, sessions): (&String, &Vec<String>)| match sessions.len() {
            1 => format!("{value} (session {})", sessions[0]),
            ..=MAX_SESSIONS => format!("{value} (sessions {})", sessions.join(", ")),
            more => format!("{value} ({})", count(more, "session")),
        };
        let value = match (is_one, of_sessions.len()) {
            (true, _) => of_sessions.keys().next().cloned().unwrap_or_default(),
            (false, ..=MAX_VALUES) => of_sessions.iter().map(of).collect::<Vec<_>>().join("; "),
            (false, number) => {
                let ends = [of_sessions.first(), of_sessions.last()].into_iter().flatten().map(of);
                format!("{number} values, from {}", ends.collect::<Vec<_>>().join(" to "))
            }
        };
        (name, value)
    });
    merged.collect()
}

fn flatten(name: &str, json: &Json, fields: &mut Vec<(String, String)>) {
    let value = match json {
        Json::Object(object) => {
            // Options are many and short: on one line.
            if name.ends_with(" options") {
                // All of them may differ from row to row.
                if object.is_empty() {
                    return;
                }
                let options = object.iter().map(|(key, value)| format!("{key}={}", text(value)));
                fields.push((name.to_owned(), options.collect::<Vec<_>>().join(", ")));
                return;
            }
            for (key, value) in object {
                let name = if name.is_empty() { key.clone() } else { format!("{name} {key}") };
                flatten(&name, value, fields);
            }
            return;
        }
        Json::Array(array) => array.iter().map(text).collect::<Vec<_>>().join(", "),
        other => text(other),
    };
    let number = json.as_u64();
    let (name, value) = match (name.strip_suffix("_bytes"), name.strip_suffix("_unix_s"), number) {
        (Some(name), _, Some(number)) => (name, memory(number.into())),
        (_, Some(name), Some(number)) => (name, date(number)),
        _ => (name, value.clone()),
    };
    fields.push((name.replace('_', " "), value));
}

fn text(json: &Json) -> String {
    match json {
        Json::Null => "not known".into(),
        Json::Bool(true) => "yes".into(),
        Json::Bool(false) => "no".into(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bezzel_encode::Registry;
    use bezzel_experiment::{Environment, ExperimentRecord};

    #[test]
    fn the_fields_of_environments_are_shown_with_units_and_with_sessions_where_they_differ() {
        let session = |memory_bytes: u64, parallel| Environment {
            memory_bytes: Some(memory_bytes),
            started_unix_s: memory_bytes,
            parallel,
            ..Environment::default()
        };
        let environments =
            vec![session(8_000_000_000, 1), session(0, 1), session(60, 1), session(120, 2)];
        let record = ExperimentRecord { environments, ..ExperimentRecord::default() };
        let registry = Registry::new();
        let fields = environment(&Dataset::new(&record, &registry));
        let value = |name: &str| {
            let field = fields.iter().find(|field| field.0 == name);
            field.unwrap_or_else(|| panic!("no {name} in {fields:?}")).1.as_str()
        };
        assert_eq!(value("kernel"), "not known");
        assert_eq!(value("parallel"), "1 (sessions 0, 1, 2); 2 (session 3)");
        assert_eq!(value("memory"), "4 values, from 7.5 GiB (session 0) to 120 bytes (session 3)");
    }

    #[test]
    fn sessions_of_a_value_are_counted_where_they_are_many() {
        let session =
            |number| Environment { parallel: u32::from(number > 0) + 1, ..Environment::default() };
        let of_parallel = |sessions: usize| {
            let environments = (0..sessions).map(session).collect();
            let record = ExperimentRecord { environments, ..ExperimentRecord::default() };
            let registry = Registry::new();
            let fields = environment(&Dataset::new(&record, &registry));
            fields.into_iter().find(|(name, _)| name == "parallel").unwrap().1
        };
        assert_eq!(
            of_parallel(MAX_SESSIONS + 1),
            "1 (session 0); 2 (sessions 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)"
        );
        assert_eq!(of_parallel(MAX_SESSIONS + 2), "1 (session 0); 2 (13 sessions)");
    }
}
