//! Switches with the values on and off, and axes of these values.
//!
//! In YAML 1.2 `on` and `off` are plain text. They are read as switch values here, as are true and false.

use super::duplicates::refuse_duplicates;
use super::node::{Node, Value};
use super::source::{ConfigError, Source, SourceLocation};

/// A switch: on or off.
pub(super) fn switch(source: &Source, node: &Node, what: &str) -> Result<bool, ConfigError> {
    match &node.value {
        Value::Flag(on) => Ok(*on),
        Value::Text(text) => match text.as_str() {
            "on" => Ok(true),
            "off" => Ok(false),
            other => {
                let problem =
                    source.error(node.place, format!("{what} must be on or off, not `{other}`"));
                Err(match other.to_lowercase().as_str() {
                    "yes" | "y" | "on" | "true" => problem.hint("write on"),
                    "no" | "n" | "off" | "false" | "none" => problem.hint("write off"),
                    _ => problem,
                })
            }
        },
        value => {
            let message = format!("{what} must be on or off, not {}", value.kind());
            Err(source.error(node.place, message))
        }
    }
}

/// Reads the values of an axis that has at most two.
pub(super) fn axis(
    source: &Source,
    nodes: &[Node],
    what: &str,
) -> Result<Vec<(bool, SourceLocation)>, ConfigError> {
    let values = nodes
        .iter()
        .map(|node| Ok((switch(source, node, what)?, node.place)))
        .collect::<Result<Vec<_>, ConfigError>>()?;
    refuse_duplicates(source, values.iter().copied(), |&on, _| {
        format!("{what}: {} is listed twice", word(on))
    })?;
    Ok(values)
}

/// Returns the word for a value.
pub(super) fn word(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}
