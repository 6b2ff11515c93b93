//! The limits of jobs, and the calibration between them.

use std::ops::RangeInclusive;

use bezzel_problem::UnknownId;
use serde::Serialize;

use super::fields::Fields;
use super::node::{Node, Value};
use super::scalar::is_decimal;
use super::source::{ConfigError, Source};
use crate::model::job::Limits;
use crate::model::quantity::{duration, memory};

const CPU_S: f64 = 60.0;
/// The default limit of wall time, as a multiple of the limit of CPU time. A job that shares its core with others
/// takes several times its CPU time by the clock. A job that only waits must end as well.
const WALL_PER_CPU: f64 = 10.0;
const GIB: f64 = 1_073_741_824.0;
const MEMORY_BYTES: u64 = 4 * 1_073_741_824;
/// The largest proof that is checked, in bytes.
pub const PROOF_BYTES: u64 = 4 * 1_073_741_824;

/// The range of times. The longest is a year, which timers can count.
const SECONDS: RangeInclusive<f64> = 0.01..=Limits::LONGEST_S;
/// The range of memory limits. Below the least, a worker process could not start.
const BYTES: RangeInclusive<f64> = GIB / 16.0..=Limits::MAX_BYTES as f64;

/// Units of time, in seconds.
pub(super) const TIMES: [(&str, f64); 4] =
    [("ms", 0.001), ("s", 1.0), ("min", 60.0), ("h", 3600.0)];
/// Units of memory, in bytes.
const SIZES: [(&str, f64); 8] = [
    ("bytes", 1.0),
    ("kB", 1e3),
    ("KiB", 1024.0),
    ("MB", 1e6),
    ("MiB", 1024.0 * 1024.0),
    ("GB", 1e9),
    ("GiB", GIB),
    ("TiB", 1024.0 * GIB),
];

/// Reads the limits of each job. Nodes are limited if there are engines.
pub(super) fn read(
    source: &Source,
    node: Option<&Node>,
    has_engines: bool,
) -> Result<Limits, ConfigError> {
    let Some(node) = node else {
        let (cpu_s, wall_s, memory_bytes) = (CPU_S, WALL_PER_CPU * CPU_S, MEMORY_BYTES);
        return Ok(Limits { cpu_s, wall_s, memory_bytes, nodes: None });
    };
    let fields = Fields::new(source, node, "`limits`", &["cpu", "wall", "memory", "nodes"])?;
    let wall = fields.get("wall");
    let wall_s = wall.map(|node| seconds(source, node, "`wall`")).transpose()?;
    let cpu_s = match fields.get("cpu") {
        Some(node) => seconds(source, node, "`cpu`")?,
        None => wall_s.map_or(CPU_S, |wall_s| wall_s.min(CPU_S)),
    };
    if let (Some(node), Some(wall_s)) = (wall, wall_s)
        && wall_s < cpu_s
    {
        let message = "`wall` is below `cpu`, so that no job could ever use its CPU time";
        return Err(source.error(node.place, message).hint("raise `wall`, or lower `cpu`"));
    }
    let memory_bytes = match fields.get("memory") {
        None => MEMORY_BYTES,
        Some(node) => bytes(source, node)?,
    };
    let nodes = nodes(source, &fields, has_engines)?;
    let wall_s = wall_s.unwrap_or((WALL_PER_CPU * cpu_s).min(*SECONDS.end()));
    Ok(Limits { cpu_s, wall_s, memory_bytes, nodes })
}

/// Reads the largest number of nodes or states that an engine may keep.
fn nodes(
    source: &Source,
    fields: &Fields<'_>,
    has_engines: bool,
) -> Result<Option<u64>, ConfigError> {
    let (Some(node), nodes) = (fields.get("nodes"), fields.whole("nodes", 1..=u64::MAX)?) else {
        return Ok(None);
    };
    if has_engines {
        return Ok(nodes);
    }
    // Limits of another config are taken over as a whole.
    if node.place.file != 0 {
        return Ok(None);
    }
    let message = "`nodes` limits the diagrams of engines, and there are no engines";
    let mend = "remove it, or ask for all solutions, as in `task: count`";
    Err(source.error(node.place, message).hint(mend))
}

/// Reads a time of at least 10 ms, in seconds.
pub(super) fn seconds(source: &Source, node: &Node, what: &str) -> Result<f64, ConfigError> {
    let seconds = match &node.value {
        Value::Text(text) => {
            let (number, unit) = quantity(source, node, what, text, &TIMES, "5 s")?;
            // Division gives exactly 0.1, so that 100 ms and 0.1 s are the same limit.
            if unit < 1.0 { number / (1.0 / unit) } else { number * unit }
        }
        _ => source.decimal(node, what)?,
    };
    if SECONDS.contains(&seconds) {
        return Ok(seconds);
    }
    Err(source.error(node.place, format!("{what} must be from 10 ms to 8760 h")))
}

/// Reads the limit of memory, in bytes.
fn bytes(source: &Source, node: &Node) -> Result<u64, ConfigError> {
    let what = "`memory`";
    let Value::Text(text) = &node.value else {
        let message = match node.value {
            Value::Number(_) => format!("{what} has no unit"),
            _ => format!("{what} must be a number with its unit, not {}", node.value.kind()),
        };
        return Err(source.error(node.place, message).hint("for example 2 GiB"));
    };
    let (number, unit) = quantity(source, node, what, text, &SIZES, "2 GiB")?;
    let bytes = number * unit;
    if BYTES.contains(&bytes) {
        return Ok(bytes as u64);
    }
    let least = memory(*BYTES.start() as u128);
    Err(source.error(node.place, format!("{what} must be from {least} to 1048576 GiB")))
}

/// A number and the size of its unit.
fn quantity(
    source: &Source,
    node: &Node,
    what: &str,
    text: &str,
    units: &[(&str, f64)],
    example: &str,
) -> Result<(f64, f64), ConfigError> {
    let digits = text.trim_end_matches(char::is_alphabetic);
    let unit = &text[digits.len()..];
    let digits = digits.trim();
    let number = if is_decimal(digits) { digits.parse().ok() } else { None };
    let Some(number) = number else {
        let message = format!("{what} must be a number in plain digits with its unit");
        return Err(source.error(node.place, message).hint(format!("for example {example}")));
    };
    if let Some(&(_, factor)) = units.iter().find(|(name, _)| *name == unit) {
        return Ok((number, factor));
    }
    let names: Vec<_> = units.iter().map(|(name, _)| *name).collect();
    let cased = names.iter().find(|name| name.eq_ignore_ascii_case(unit)).map(|&name| name.into());
    let near = cased.or_else(|| UnknownId::new("unit", unit, &names).near);
    let message = if unit.is_empty() {
        format!("{what} has no unit")
    } else {
        format!("unknown unit `{unit}`")
    };
    let near = near.filter(|_| !unit.is_empty());
    Err(source
        .error(node.place, message)
        .near(near.as_deref(), format!("write one of {}", names.join(", "))))
}

/// A fixed formula that is solved from time to time, to measure how steady the machine is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// The shortest time by the clock from one solving to the next, in seconds.
    pub every_s: f64,
}

impl Default for Calibration {
    fn default() -> Self {
        Self { every_s: 30.0 }
    }
}

impl Calibration {
    /// Returns the interval in words.
    pub(crate) fn words(self) -> String {
        format!("every {}", duration(self.every_s))
    }
}
