//! Numbers and other single values, in plain notation only.
//!
//! YAML reads `0x10` as 16, `1e3` as 1000, `.nan` as a number and `08` by the rule of its version. Others read a
//! config as well, so a number is written in plain decimal digits.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use bezzel_problem::UnknownId;

use super::node::{Node, Value};
use super::source::{ConfigError, Source, SourceLocation};

/// The largest number of seeds in a list.
const MAX_SEEDS: usize = 10_000;

impl Source {
    /// The values of a key, one or a list.
    ///
    /// # Errors
    ///
    /// When the config is not of this form there; the error has the place.
    pub fn listed<'n>(&self, node: &'n Node, key: &str) -> Result<&'n [Node], ConfigError> {
        match node.one_or_more() {
            [] => {
                let error = self.error(node.place, format!("`{key}` is empty"));
                Err(error.hint("name at least one"))
            }
            nodes => Ok(nodes),
        }
    }

    /// A whole number; `what` names it.
    ///
    /// # Errors
    ///
    /// When the config is not of this form there; the error has the place.
    pub fn whole(
        &self,
        node: &Node,
        what: &str,
        range: RangeInclusive<u64>,
    ) -> Result<u64, ConfigError> {
        let written = self.number(node, what, "a whole number")?;
        let (least, max) = (range.start(), range.end());
        let outside = || {
            let message = format!("{what} must be from {least} to {max}, not {written}");
            self.error(node.place, message)
        };
        if is_whole(written) {
            // A number that does not fit 64 bits is above every range.
            let value = written.parse().ok().filter(|value| range.contains(value));
            return value.ok_or_else(outside);
        }
        match written.strip_prefix('-') {
            Some(digits) if is_whole(digits) => Err(outside()),
            _ => Err(self.unlike(node, what, "a whole number in plain digits", written)),
        }
    }

    /// Reads a range of whole numbers as in `1..5`, which includes both ends and has at most `max` numbers; `things`
    /// names the numbers.
    ///
    /// # Errors
    ///
    /// When the config is not of this form there; the error has the place.
    pub fn range(
        &self,
        place: SourceLocation,
        text: &str,
        things: &str,
        max: u64,
    ) -> Result<RangeInclusive<u64>, ConfigError> {
        let number = |digits: &str| -> Option<u64> {
            let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| digits.parse().ok())?
        };
        let ends = text.split_once("..");
        let ends = ends.and_then(|(first, last)| Some((number(first)?, number(last)?)));
        let (first, last) = ends.ok_or_else(|| {
            self.error(place, format!("`{text}` is not a range of {things}"))
                .hint(format!("write 1..5 for the {things} 1, 2, 3, 4 and 5"))
        })?;
        if first > last {
            let message = format!("the range `{text}` has its larger end first");
            return Err(self.error(place, message).hint(format!("write {last}..{first}")));
        }
        if last - first >= max {
            let message = format!("the range `{text}` has more than {max} {things}");
            return Err(self.error(place, message));
        }
        Ok(first..=last)
    }

    /// Reads seeds: numbers, and ranges that include both ends.
    ///
    /// # Errors
    ///
    /// When the config is not of this form there; the error has the place.
    pub fn seeds(&self, nodes: &[Node]) -> Result<Vec<(u64, SourceLocation)>, ConfigError> {
        let mut seeds: Vec<(u64, SourceLocation)> = Vec::new();
        let mut seen = HashSet::new();
        for node in nodes {
            let range = if let Value::Text(text) = &node.value {
                self.range(node.place, text, "seeds", MAX_SEEDS as u64)?
            } else {
                let seed = self.whole(node, "a seed", 0..=u64::MAX)?;
                seed..=seed
            };
            for seed in range {
                if !seen.insert(seed) {
                    let message = format!("the seed {seed} is listed twice");
                    return Err(self.error(node.place, message).hint("keep one of them"));
                }
                if seeds.len() == MAX_SEEDS {
                    let message = format!("these are more than {MAX_SEEDS} seeds");
                    return Err(self.error(node.place, message).hint("take fewer seeds"));
                }
                seeds.push((seed, node.place));
            }
        }
        Ok(seeds)
    }

    /// Returns the digits of a number as they are written.
    fn number(&self, node: &Node, what: &str, wanted: &str) -> Result<&str, ConfigError> {
        let written = self.written(node.place);
        match &node.value {
            // Explicit tags make numbers of quoted text.
            Value::Number(_) if !written.starts_with(['"', '\'']) => Ok(written),
            Value::Number(value) => Err(self
                .error(node.place, format!("{what} must be {wanted}, not text"))
                .hint(format!("write {value} without quotes"))),
            value => {
                let problem = self
                    .error(node.place, format!("{what} must be {wanted}, not {}", value.kind()));
                Err(match value {
                    Value::Text(text) if is_decimal(text.trim()) => {
                        problem.hint(format!("write {} without quotes", text.trim()))
                    }
                    _ => problem,
                })
            }
        }
    }

    /// Returns the error of a number in another notation than plain digits.
    fn unlike(&self, node: &Node, what: &str, wanted: &str, written: &str) -> ConfigError {
        let problem =
            self.error(node.place, format!("{what} must be {wanted}, not written {written}"));
        match node.value {
            Value::Number(value) if value.fract() == 0.0 && (0.0..1e15).contains(&value) => {
                problem.hint(format!("if {value} is meant, write {value}"))
            }
            _ => problem,
        }
    }

    /// A number with or without a fraction, in plain decimal digits.
    ///
    /// # Errors
    ///
    /// When the config is not of this form there; the error has the place.
    pub fn decimal(&self, node: &Node, what: &str) -> Result<f64, ConfigError> {
        let written = self.number(node, what, "a number")?;
        let unlike = || self.unlike(node, what, "a number in plain digits", written);
        let digits = written.strip_prefix('-').unwrap_or(written);
        if !is_decimal(digits) {
            return Err(unlike());
        }
        written.parse().map_err(|_| unlike())
    }

    /// Returns true if a number is written without a fraction.
    pub fn is_whole_number(&self, node: &Node) -> bool {
        let written = self.written(node.place);
        is_whole(written.strip_prefix('-').unwrap_or(written))
    }

    /// Reads a text; `what` names it.
    ///
    /// # Errors
    ///
    /// When the config is not of this form there; the error has the place.
    pub fn text_of<'n>(&self, node: &'n Node, what: &str) -> Result<&'n str, ConfigError> {
        match &node.value {
            Value::Text(text) => Ok(text),
            value => {
                let message = format!("{what} must be text, not {}", value.kind());
                let problem = self.error(node.place, message);
                Err(match value {
                    Value::Number(_) | Value::Flag(_) => problem.hint(format!(
                        "if it is meant as text, write \"{}\"",
                        self.written(node.place)
                    )),
                    _ => problem,
                })
            }
        }
    }

    /// On or off. In YAML 1.2 both are plain text; true and false are taken for them as well.
    ///
    /// # Errors
    ///
    /// When the config is not of this form there; the error has the place.
    pub fn switch(&self, node: &Node, what: &str) -> Result<bool, ConfigError> {
        match &node.value {
            Value::Flag(on) => Ok(*on),
            Value::Text(text) => match text.as_str() {
                "on" => Ok(true),
                "off" => Ok(false),
                other => {
                    let problem =
                        self.error(node.place, format!("{what} must be on or off, not `{other}`"));
                    Err(match other.to_lowercase().as_str() {
                        "yes" | "y" | "on" | "true" => problem.hint("write on"),
                        "no" | "n" | "off" | "false" | "none" => problem.hint("write off"),
                        _ => problem,
                    })
                }
            },
            value => {
                let message = format!("{what} must be on or off, not {}", value.kind());
                Err(self.error(node.place, message))
            }
        }
    }
}

/// Returns true for digits alone, without a leading zero.
fn is_whole(digits: &str) -> bool {
    !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'))
}

/// Returns true for digits, with or without further digits after a point.
pub(super) fn is_decimal(digits: &str) -> bool {
    match digits.split_once('.') {
        None => is_whole(digits),
        Some((whole, fraction)) => {
            is_whole(whole)
                && !fraction.is_empty()
                && fraction.bytes().all(|byte| byte.is_ascii_digit())
        }
    }
}

/// One of a few names.
///
/// # Errors
///
/// When the config is not of this form there; the error has the place.
pub fn choice<T: Copy>(
    source: &Source,
    node: &Node,
    what: &'static str,
    choices: &[(&str, T)],
) -> Result<T, ConfigError> {
    let name = source.text_of(node, &format!("`{what}`"))?;
    let found = choices.iter().find(|(id, _)| *id == name);
    found.map(|&(_, choice)| choice).ok_or_else(|| {
        let ids: Vec<_> = choices.iter().map(|(id, _)| *id).collect();
        let near = UnknownId::new(what, name, &ids).near;
        source
            .error(node.place, format!("unknown {what} `{name}`"))
            .near(near.as_deref(), format!("it is one of {}", ids.join(", ")))
    })
}
