//! Options of a solver or an engine, with its own names and values: `options: {factor: 1}`.

use bezzel_solve::{OptionError, OptionValue, Options};

use super::node::{Node, Value};
use super::source::{ConfigError, Source, SourceLocation};

/// The options of a solver or an engine, as they are written.
pub(super) fn read(source: &Source, node: &Node) -> Result<Options, ConfigError> {
    let Value::Map(entries) = &node.value else {
        let message = format!("`options` must be a map, not {}", node.value.kind());
        return Err(source.error(node.place, message).hint("for example {factor: 1}"));
    };
    let mut options = Options::new();
    for (key, node) in entries {
        let name = source.text_of(key, "an option's name")?;
        let value = match node.value {
            Value::Flag(value) => OptionValue::Flag(value),
            Value::Number(_) if source.is_whole_number(node) => {
                // A number of more than 64 bits is refused later, as a number of any kind.
                match source.written(node.place).parse() {
                    Ok(value) => OptionValue::Integer(value),
                    Err(_) => OptionValue::Number(source.decimal(node, "an option's value")?),
                }
            }
            Value::Number(_) => OptionValue::Number(source.decimal(node, "an option's value")?),
            _ => {
                let message = format!(
                    "an option's value must be a number, true or false, not {}",
                    node.value.kind()
                );
                return Err(source.error(node.place, message));
            }
        };
        options.insert(name.to_owned(), value);
    }
    Ok(options)
}

/// Returns the error of options that a solver or an engine does not accept, with their place.
pub(super) fn refused(
    source: &Source,
    id: &str,
    named: SourceLocation,
    options: Option<&Node>,
    error: &OptionError,
) -> ConfigError {
    match error {
        OptionError::Unknown { option, near: Some(near), .. } => {
            let place = place_of(options, option).unwrap_or(named);
            let message = format!("{id} has no such option");
            source.error(place, message).hint(format!("did you mean `{near}`?"))
        }
        OptionError::Unknown { option, .. } => {
            source.error(place_of(options, option).unwrap_or(named), error.to_string())
        }
        OptionError::Value { option, .. } => {
            let stated = options.and_then(|options| options.entry(option));
            let place = stated.map_or(named, |(_, value)| value.place);
            source.error(place, error.to_string())
        }
        _ => source.error(named, error.to_string()),
    }
}

/// Returns the place of the name of an option.
pub(super) fn place_of(options: Option<&Node>, name: &str) -> Option<SourceLocation> {
    options?.entry(name).map(|(key, _)| key.place)
}
